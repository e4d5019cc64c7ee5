"""What the read models of a run read: five statements, one row each, with the firewall on every node.

Parameters that they share: `run_id`, `audiences` (the firewall), `most` (how long a list may get) and `fields`: the
properties that facts of each kind are made from. Their values come as `own`, without their names, which would be half
of all that is sent.
Parts of a run are found by their `run_id`, or by their relation to the run where all of them have one.
"""

from typing import LiteralString

from service.graph.flows import unplaced
from service.graph.visibility import called, visible

# Something that is only named so far, from so many matters that the viewer does not see it.
_UNSEEN: LiteralString = unplaced("named") + " AND NOT (" + visible("named") + ")"

RUN: LiteralString = (
    """
MATCH (run:Record {id: $run_id}) WHERE run:Run AND """
    + visible("run")
    + """
RETURN
  {
    own: [name IN $fields.Run | run[name]],
    undescribed: EXISTS { MATCH (run)-->(named:Record) WHERE """
    + _UNSEEN
    + """ }
      OR EXISTS { MATCH (run)-[:ACTIVATED]->(:Activation)-->(named:Record) WHERE """
    + _UNSEEN
    + """ },
    blueprint_id: head(COLLECT {
      CALL (run) {
        """
    + called("blueprint", "run.source", "run.blueprint_key", "Blueprint")
    + """
        UNION
        MATCH (run)-[:RUN_OF|USED_TEMPLATE]->(:Record)-[:HAS_BLUEPRINT]->(blueprint:Blueprint) RETURN blueprint
      }
      WITH run, blueprint WHERE """
    + visible("blueprint")
    + """
      RETURN blueprint.id
      ORDER BY coalesce(blueprint.source_key = run.blueprint_key, false) DESC, blueprint.id LIMIT 1
    })
  } AS run,
  head(COLLECT {
    MATCH (run)-[:RUN_OF]->(task:Task) WHERE """
    + visible("task")
    + """
    RETURN task {.id, .name, kind: 'Task', state: task.lifecycle_state} ORDER BY task.id LIMIT 1
  }) AS task,
  head(COLLECT {
    MATCH (run)-[:USED_TEMPLATE]->(template:Template) WHERE """
    + visible("template")
    + """
    RETURN template {.id, .name, kind: 'Template'} ORDER BY template.id LIMIT 1
  }) AS template,
  COLLECT {
    MATCH (run)-[:ABOUT]->(entity:Entity) WHERE """
    + visible("entity")
    + """
    RETURN entity {.id, .name, kind: coalesce(entity.kind, 'Entity')} ORDER BY entity.id LIMIT $most
  } AS about,
  COLLECT {
    MATCH (run)-[link:PURSUES|ADVANCED_GOAL]->(goal:Goal) WHERE """
    + visible("goal")
    + """
    WITH goal, 'PURSUES' IN collect(type(link)) AS pursued, max(link.effect) AS effect
    RETURN goal {.id, .name, pursued: pursued, effect: effect} ORDER BY goal.id LIMIT $most
  } AS goals,
  COLLECT {
    MATCH (run)-[link:RECEIVED|DOWNLOADED|OPENED]->(document:Entity) WHERE """
    + visible("document")
    + """
    RETURN document {.id, .name, kind: coalesce(document.kind, 'Entity'), how: toLower(type(link))}
    ORDER BY document.id LIMIT $most
  } AS documents,
  COLLECT {
    MATCH (opinion:Feedback {run_id: run.id}) WHERE """
    + visible("opinion")
    + """
    RETURN opinion {.id, .name, kind: 'Feedback'} ORDER BY opinion.id LIMIT $most
  } AS feedback
"""
)

FLOW: LiteralString = (
    """
MATCH (run:Record {id: $run_id}) WHERE run:Run AND """
    + visible("run")
    + """
RETURN
  COLLECT {
    MATCH (run)-[:ACTIVATED]->(step:Activation) WHERE """
    + visible("step")
    + """
    WITH step ORDER BY step.id LIMIT $most
    RETURN {
      own: [name IN $fields.Activation | step[name]],
      module_id: head(COLLECT {
        MATCH (step)-[:OF_MODULE]->(module:Module) WHERE """
    + visible("module")
    + """ RETURN module.id LIMIT 1
      }),
      triggered: COLLECT {
        MATCH (step)-[:TRIGGERED]->(next:Activation) WHERE """
    + visible("next")
    + """ RETURN next.id ORDER BY next.id
      }
    }
  } AS activations,
  COLLECT {
    MATCH (run)-[:ACTIVATED]->(step:Activation)-[:WAITED_ON]->(gate:Gate)
    WHERE """
    + visible("step")
    + """ AND """
    + visible("gate")
    + """
    WITH gate, collect(step.id) AS steps ORDER BY gate.id LIMIT $most
    RETURN {own: [name IN $fields.Gate | gate[name]], activation_ids: steps}
  } AS gates,
  COLLECT {
    MATCH (run)-[:ACTIVATED]->(step:Activation)-[use:USED]->(capability:Capability)
    WHERE """
    + visible("step")
    + """ AND """
    + visible("capability")
    + """
    WITH step, use, capability ORDER BY capability.id, step.id LIMIT $most
    RETURN capability {.id, .name, activation_id: step.id, calls: use.calls, errors: use.errors}
  } AS capabilities,
  COLLECT {
    MATCH (run)-[:ACTIVATED]->(step:Activation)-[link:RECEIVED|DOWNLOADED|OPENED]->(document:Entity)
    WHERE """
    + visible("step")
    + """ AND """
    + visible("document")
    + """
    WITH step, link, document ORDER BY document.id, step.id LIMIT $most
    RETURN document {
      .id, .name, kind: coalesce(document.kind, 'Entity'), how: toLower(type(link)), activation_id: step.id
    }
  } AS documents
"""
)

TRACE: LiteralString = (
    """
MATCH (run:Record {id: $run_id}) WHERE run:Run AND """
    + visible("run")
    + """
RETURN
  COLLECT {
    MATCH (run)-[:HAS_SPAN]->(span:Span) WHERE """
    + visible("span")
    + """
    WITH span ORDER BY span.id LIMIT $most
    RETURN {
      own: [name IN $fields.Span | span[name]],
      parent_id: head(COLLECT {
        MATCH (span)-[:CHILD_OF]->(parent:Span)
        WHERE """
    + visible("parent")
    + """ AND parent.span_key = span.parent_span_key
        RETURN parent.id LIMIT 1
      }),
      activation_id: head(COLLECT {
        MATCH (span)-[:IN]->(step:Activation)
        WHERE """
    + visible("step")
    + """
          AND step.module_key = span.module_key AND step.activation_seq = span.activation_seq
        RETURN step.id LIMIT 1
      }),
      artifact_ids: COLLECT {
        MATCH (span)-[:HANDLED]->(artifact:Artifact) WHERE """
    + visible("artifact")
    + """ RETURN artifact.id ORDER BY artifact.id
      }
    }
  } AS spans,
  COLLECT {
    MATCH (run)-[:HEARD]->(event:NativeEvent) WHERE """
    + visible("event")
    + """
    WITH event ORDER BY event.id LIMIT $most
    RETURN {own: [name IN $fields.NativeEvent | event[name]]}
  } AS native_events
"""
)

MADE: LiteralString = (
    """
MATCH (run:Record {id: $run_id}) WHERE run:Run AND """
    + visible("run")
    + """
RETURN
  COLLECT {
    MATCH (artifact:Artifact {run_id: run.id}) WHERE """
    + visible("artifact")
    + """
    WITH artifact ORDER BY artifact.id LIMIT $most
    RETURN {
      own: [name IN $fields.Artifact | artifact[name]],
      activation_id: head(COLLECT {
        MATCH (artifact)<-[:PRODUCED]-(step:Activation) WHERE """
    + visible("step")
    + """
        RETURN step.id ORDER BY step.id LIMIT 1
      }),
      evaluates: COLLECT {
        MATCH (artifact)-[:EVALUATES]->(other:Artifact) WHERE """
    + visible("other")
    + """
        RETURN other.id ORDER BY other.id
      },
      became: COLLECT {
        MATCH (artifact)-[:BECAME]->(product:WorkProduct) WHERE """
    + visible("product")
    + """
        RETURN product.id ORDER BY product.id
      }
    }
  } AS artifacts,
  COLLECT {
    MATCH (run)-[:ACTIVATED]->(step:Activation)-[:CONSUMED]->(item:Record)
    WHERE """
    + visible("step")
    + """ AND """
    + visible("item")
    + """
    WITH step, item ORDER BY item.id, step.id LIMIT $most
    RETURN item {
      .id, .name, .storage_ref, .artifact_kind, .run_id, activation_id: step.id,
      kind: head([label IN labels(item) WHERE label IN ['Artifact', 'Entity', 'WorkProduct', 'Tombstone']])
    }
  } AS consumed,
  COLLECT {
    MATCH (run)-[:ACTIVATED]->(step:Activation)-[:MADE]->(delivery:Delivery)
    WHERE """
    + visible("step")
    + """ AND """
    + visible("delivery")
    + """
    WITH delivery, min(step.id) AS maker ORDER BY delivery.id LIMIT $most
    RETURN {
      own: [name IN $fields.Delivery | delivery[name]], activation_id: maker,
      artifact_id: head(COLLECT {
        MATCH (delivery)<-[:DELIVERED_BY]-(artifact:Artifact) WHERE """
    + visible("artifact")
    + """
        RETURN artifact.id ORDER BY artifact.id LIMIT 1
      })
    }
  } AS deliveries
"""
)

HELD: LiteralString = (
    """
MATCH (run:Record {id: $run_id}) WHERE run:Run AND """
    + visible("run")
    + """
RETURN
  COLLECT {
    MATCH (snapshot:Snapshot {run_id: run.id}) WHERE """
    + visible("snapshot")
    + """
    WITH snapshot ORDER BY snapshot.id LIMIT $most
    RETURN {
      own: [name IN $fields.Snapshot | snapshot[name]],
      held_for: COLLECT {
        MATCH (snapshot)<-[:UNDER]-(user:Record) WHERE """
    + visible("user")
    + """ RETURN user.id ORDER BY user.id
      }
    }
  } AS snapshots,
  COLLECT {
    MATCH (run)-[:HAS_PACKET]->(packet:ContextPacket) WHERE """
    + visible("packet")
    + """
    WITH packet ORDER BY packet.id LIMIT $most
    RETURN {own: [name IN $fields.Packet | packet[name]]}
  } AS packets,
  COLLECT {
    MATCH (run)-[:HAS_PACKET]->(packet:ContextPacket)-[receipt:INJECTED|EXCLUDED]->(item:Record)
    WHERE """
    + visible("packet")
    + """ AND """
    + visible("item")
    + """ AND receipt.stage IS NOT NULL
    WITH packet, receipt, item LIMIT $receipts
    WITH packet, receipt, item ORDER BY packet.id, receipt.rank, item.id
    RETURN {
      own: [name IN $fields.PacketReceipt | receipt[name]], packet_id: packet.id, id: item.id, name: item.name,
      injected: type(receipt) = 'INJECTED', reason: receipt.reason, count: receipt.count
    }
  } AS receipts,
  COLLECT {
    MATCH (run)-[:HAS_CHECKPOINT]->(checkpoint:Checkpoint) WHERE """
    + visible("checkpoint")
    + """
    WITH checkpoint ORDER BY checkpoint.id LIMIT $most
    RETURN {own: [name IN $fields.Checkpoint | checkpoint[name]]}
  } AS checkpoints,
  COLLECT {
    MATCH (run)-[:ACTIVATED]->(step:Activation)-[:RAN_IN]->(session:Session)
    WHERE """
    + visible("step")
    + """ AND """
    + visible("session")
    + """
    WITH DISTINCT session ORDER BY session.id LIMIT $most
    RETURN {own: [name IN $fields.Session | session[name]]}
  } AS sessions,
  COLLECT {
    MATCH (run)-[:ACTIVATED]->(step:Activation)-[:STEERED_BY]->(intervention:Intervention)
    WHERE """
    + visible("step")
    + """ AND """
    + visible("intervention")
    + """
    WITH DISTINCT intervention ORDER BY intervention.id LIMIT $most
    RETURN {own: [name IN $fields.Intervention | intervention[name]]}
  } AS interventions,
  COLLECT {
    MATCH (fork:Fork {parent_run_id: run.id}) WHERE """
    + visible("fork")
    + """
    WITH fork ORDER BY fork.id LIMIT $most
    RETURN {
      own: [name IN $fields.Fork | fork[name]],
      child_run_ids: COLLECT {
        MATCH (fork)<-[:CREATED_BY]-(child:Run) WHERE """
    + visible("child")
    + """ RETURN child.id ORDER BY child.id
      }
    }
  } AS forks,
  COLLECT {
    MATCH (followup:FollowUp {source_run_id: run.id}) WHERE """
    + visible("followup")
    + """
    WITH followup ORDER BY followup.id LIMIT $most
    RETURN {
      own: [name IN $fields.FollowUp | followup[name]],
      artifact_ids: COLLECT {
        MATCH (followup)-[:PRODUCED]->(artifact:Artifact) WHERE """
    + visible("artifact")
    + """
        RETURN artifact.id ORDER BY artifact.id
      }
    }
  } AS follow_ups,
  COLLECT {
    MATCH (run)-[:FORKED_FROM]-(other:Run) WHERE """
    + visible("other")
    + """
    WITH run, other ORDER BY other.id LIMIT $most
    RETURN {own: [name IN $fields.ForkedRun | other[name]], is_parent: EXISTS { (run)-[:FORKED_FROM]->(other) }}
  } AS forked_runs
"""
)
