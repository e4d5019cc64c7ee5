"""Parts of statements: rows of facts, as more than one statement returns them."""

from typing import LiteralString

from service.graph.visibility import visible
from service.memory.carried import carried

THE_RUN: LiteralString = "MATCH (run:Record {id: $run_id}) WHERE run:Run AND " + visible("run") + "\n"

# Whether its module was activated more than once, so that it is told by its number.
_REPEATED: LiteralString = (
    """EXISTS {
      MATCH (twin:Activation {run_id: step.run_id, module_key: step.module_key})
      WHERE twin.activation_seq >= 0 AND twin.activation_seq <> step.activation_seq AND """
    + visible("twin")
    + """
    }"""
)

# A step for itself, without what it is linked to.
STEP: LiteralString = "own: [name IN $fields.Activation | step[name]], repeated: " + _REPEATED

GATE: LiteralString = "own: [name IN $fields.Gate | gate[name]]"

ARTIFACT: LiteralString = (
    """
      own: [name IN $fields.Artifact | artifact[name]],
      activation_id: head(COLLECT {
        MATCH (artifact)<-[:PRODUCED]-(maker:Activation) WHERE """
    + visible("maker")
    + """
        RETURN maker.id ORDER BY maker.place DESC LIMIT 1
      }),
      evaluates: COLLECT {
        MATCH (artifact)-[:EVALUATES]->(other:Artifact) WHERE """
    + visible("other")
    + """
        RETURN other.id ORDER BY other.id
      },
      evaluated: EXISTS { MATCH (artifact)<-[:EVALUATES]-(other:Artifact) WHERE """
    + visible("other")
    + """ },
      became: COLLECT {
        MATCH (artifact)-[:BECAME]->(product:WorkProduct) WHERE """
    + visible("product")
    + """
        RETURN product.id ORDER BY product.id
      },
      delivered_by: COLLECT {
        MATCH (artifact)-[:DELIVERED_BY]->(left:Delivery) WHERE """
    + visible("left")
    + " AND "
    + carried("artifact", "left")
    + """
        RETURN left.id ORDER BY left.id
      },
      arrived: EXISTS {
        MATCH (artifact)-[:DELIVERED_BY]->(left:Delivery)
        WHERE (left.status = 'delivered' OR coalesce(left.conflicting, false)) AND """
    + visible("left")
    + " AND "
    + carried("artifact", "left")
    + """ }
"""
)

DELIVERY: LiteralString = (
    """
      own: [name IN $fields.Delivery | delivery[name]],
      activation_id: head(COLLECT {
        MATCH (delivery)<-[:MADE]-(maker:Activation) WHERE """
    + visible("maker")
    + """
        RETURN maker.id ORDER BY maker.place LIMIT 1
      }),
      artifact_id: head(COLLECT {
        MATCH (delivery)<-[:DELIVERED_BY]-(carried:Artifact) WHERE """
    + visible("carried")
    + " AND "
    + carried("carried", "delivery")
    + """
        RETURN carried.id ORDER BY carried.produced_at DESC, carried.source_key LIMIT 1
      })
"""
)

SPAN: LiteralString = (
    """
      own: [name IN $fields.Span | span[name]],
      parent_id: head(COLLECT {
        MATCH (span)-[:CHILD_OF]->(parent:Span)
        WHERE """
    + visible("parent")
    + """ AND parent.span_key = span.parent_span_key
        RETURN parent.id LIMIT 1
      }),
      artifact_ids: COLLECT {
        MATCH (span)-[:HANDLED]->(handled:Artifact) WHERE """
    + visible("handled")
    + """ RETURN handled.id ORDER BY handled.id
      }
"""
)

# The way back from a step along the first cause of each: pairs of a cause and what it set going. One way from each
# step, however many branches have joined; a circle ends where it closes.
WAY_BACK: LiteralString = (
    """
    ((effect:Activation)<-[:TRIGGERED]-(cause:Activation)
      WHERE """
    + visible("cause")
    + """ AND NOT EXISTS {
        MATCH (effect)<-[:TRIGGERED]-(other:Activation) WHERE other.place < cause.place AND """
    + visible("other")
    + """
      }){1,49} (:Activation)
"""
)
