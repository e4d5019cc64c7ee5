"""All of a run, part by part: each list whole, up to `most`.

Parts of a run are found by their `run_id`, or by their relation to the run where all of them have one.
"""

from typing import LiteralString

from service.graph.visibility import visible
from service.memory.views.cypher.run import UNSEEN
from service.memory.views.cypher.shared import ARTIFACT, DELIVERY, GATE, SPAN, THE_RUN

FLOW: LiteralString = (
    THE_RUN
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
    RETURN {"""
    + GATE
    + """, activation_ids: steps}
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
  } AS documents,
  EXISTS { MATCH (run)-[:ACTIVATED]->(:Activation)-->(named:Record) WHERE """
    + UNSEEN
    + """ } AS steps_undescribed
"""
)

TRACE: LiteralString = (
    THE_RUN
    + """
RETURN
  COLLECT {
    MATCH (run)-[:HAS_SPAN]->(span:Span) WHERE """
    + visible("span")
    + """
    WITH span ORDER BY span.id LIMIT $most
    RETURN {"""
    + SPAN
    + """,
      activation_id: head(COLLECT {
        MATCH (span)-[:IN]->(step:Activation)
        WHERE """
    + visible("step")
    + """
          AND step.module_key = span.module_key AND step.activation_seq = span.activation_seq
        RETURN step.id LIMIT 1
      })
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
    THE_RUN
    + """
RETURN
  COLLECT {
    MATCH (artifact:Artifact {run_id: run.id}) WHERE """
    + visible("artifact")
    + """
    WITH artifact ORDER BY artifact.id LIMIT $most
    RETURN {"""
    + ARTIFACT
    + """}
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
    WITH DISTINCT delivery ORDER BY delivery.id LIMIT $most
    RETURN {"""
    + DELIVERY
    + """}
  } AS deliveries
"""
)

HELD: LiteralString = (
    THE_RUN
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
    CALL (run) {
      MATCH (run)-[:CREATED_BY]->(:Fork) RETURN run AS child
      UNION
      MATCH (child:Run)-[:FORKED_FROM]->{1,5}(run) RETURN child
    }
    MATCH (child)-[:CREATED_BY]->(fork:Fork) WHERE NOT fork.stub AND """
    + visible("child")
    + """ AND """
    + visible("fork")
    + """
    MATCH (parent:Record {id: fork.parent_run_id}) WHERE """
    + visible("parent")
    + """
    WITH run, child, fork, parent, COLLECT {
      MATCH (child)-[:FORKED_FROM]->{1,5}(before:Run)-[:HAS_SPAN]->(span:Span)
      WHERE span.idempotency_key IS NOT NULL AND span.status = 'success' AND """
    + visible("before")
    + """ AND """
    + visible("span")
    + """
      RETURN before {.id, .name, key: span.idempotency_key} LIMIT $most
    } AS done
    CALL (child, done) {
      MATCH (effect:Delivery {run_id: child.id}) WHERE effect.status = 'delivered' OR effect.conflicting
      RETURN effect, head(COLLECT {
        MATCH (child)-[:FORKED_FROM]->{1,5}(before:Run)
        MATCH (first:Delivery {run_id: before.id, idempotency_key: effect.idempotency_key})
        WHERE (first.status = 'delivered' OR first.conflicting) AND """
    + visible("before")
    + """ AND """
    + visible("first")
    + """
        RETURN before {.id, .name} LIMIT 1
      }) AS origin
      UNION ALL
      MATCH (child)-[:HAS_SPAN]->(effect:Span)
      WHERE effect.idempotency_key IS NOT NULL AND effect.status = 'success' AND NOT EXISTS {
        MATCH (:Delivery {run_id: child.id, idempotency_key: effect.idempotency_key})
      }
      RETURN effect, head([one IN done WHERE one.key = effect.idempotency_key]) AS origin
    }
    WITH run, child, fork, parent, effect, origin
    WHERE """
    + visible("effect")
    + """ AND (run.id IN [child.id, parent.id] OR origin.id = run.id)
    WITH run, child, fork, parent, effect, origin ORDER BY child.id, effect.id LIMIT $most
    RETURN {
      id: effect.id, name: effect.name, label: head([label IN labels(effect) WHERE label <> 'Record']),
      kind: effect.delivery_kind, child_id: child.id, child_name: child.name, parent_id: parent.id,
      policy: fork.side_effect_replay_policy, origin_id: origin.id, origin_name: origin.name,
      module_key: effect.module_key, activation_seq: effect.activation_seq,
      confirmed: effect.policy_approval_ref IS NOT NULL OR EXISTS {
        MATCH (:Activation {
          run_id: child.id, module_key: effect.module_key, activation_seq: effect.activation_seq
        })-[:WAITED_ON]->(gate:Gate) WHERE gate.status = 'approved' AND """
    + visible("gate")
    + """
      }
    }
  } AS fork_effects,
  COLLECT {
    MATCH (run)-[:FORKED_FROM]-(other:Run) WHERE """
    + visible("other")
    + """
    WITH run, other ORDER BY other.id LIMIT $most
    RETURN {own: [name IN $fields.ForkedRun | other[name]], is_parent: EXISTS { (run)-[:FORKED_FROM]->(other) }}
  } AS forked_runs
"""
)
