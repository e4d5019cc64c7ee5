"""What the read models of a run read: five statements, one row each, with the firewall on every node.

Parameters that they share: `run_id`, `audiences` (the firewall) and `most` (how long a list may get).
Parts of a run are found by their `run_id`, or by their relation to the run where all of them have one.
"""

from typing import LiteralString

from service.graph.flows import unplaced
from service.graph.visibility import visible

# Something that is only named so far, from so many matters that the viewer does not see it.
_UNSEEN: LiteralString = unplaced("named") + " AND NOT (" + visible("named") + ")"

RUN: LiteralString = (
    """
MATCH (run:Record {id: $run_id}) WHERE run:Run AND """
    + visible("run")
    + """
RETURN
  run {
    .id, .name, .status, .version, .updated_at, .memory_mode, .capture_prompts, .capture_outputs, .memory_write_scope,
    .retention_class, .stub, .source, .source_key, .task_key, .task_name, .template_key, .blueprint_key, .trace_id,
    .started_at, .completed_at, .duration_ms, .trigger_kind, .trigger_summary, .workflow_summary, .quality_summary,
    .failure_code, .failure_summary, .failed_module_key, .graph_snapshot_ref, .blueprint_snapshot_ref,
    .key_config_snapshot_ref, .raw_run_ref, .total_cost_usd,
    undescribed: EXISTS { MATCH (run)-->(named:Record) WHERE """
    + _UNSEEN
    + """ }
      OR EXISTS { MATCH (run)-[:ACTIVATED]->(:Activation)-->(named:Record) WHERE """
    + _UNSEEN
    + """ }
  } AS run,
  head(COLLECT {
    MATCH (run)-[:RUN_OF]->(task:Task) WHERE """
    + visible("task")
    + """
    RETURN task {.id, .name, kind: 'Task'} ORDER BY task.id LIMIT 1
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
  } AS documents
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
    RETURN step {
      .id, .name, .module_key, .activation_seq, .status, .stub, .module_type, .preset_key, .branch_label,
      .loop_iteration, .output_port_id, .started_at, .completed_at, .duration_ms, .cost_usd, .input_tokens,
      .output_tokens, .model_ref, .agent_ref, .think_level, .fallback_used, .waiting_since, .waiting_reason,
      .skip_reason, .error_code, .error_message, .input_summary, .output_summary, .input_bundle_ref, .output_bundle_ref,
      .detail_ref,
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
    RETURN gate {
      .id, .name, .gate_key, .status, .stub, .gate_kind, .question, .opened_at, .deadline_at, .decided_at, .decided_by,
      .decision_note, activation_ids: steps
    }
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
    RETURN span {
      .id, .name, .span_key, .status, .stub, .span_kind, .parent_span_key, .module_key, .activation_seq, .started_at,
      .completed_at, .duration_ms, .cost_usd, .input_tokens, .output_tokens, .model_ref, .agent_ref, .error_code,
      .error_message, .summary, .input_ref, .output_ref, .subagent_trace_ref, .idempotency_key, .tags,
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
      })
    }
  } AS spans,
  COLLECT {
    MATCH (run)-[:HEARD]->(event:NativeEvent) WHERE """
    + visible("event")
    + """
    WITH event ORDER BY event.id LIMIT $most
    RETURN event {
      .id, .name, .native_key, .native_event_kind, .native_event_ref, .mapping_status, .degraded_reason_codes,
      .module_key, .activation_seq, .session_key, .child_session_key, .span_key
    }
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
    RETURN artifact {
      .id, .name, .artifact_state, .intake_level, .stub, .module_key, .activation_seq, .port_name, .artifact_kind,
      .output_class, .output_archetype, .storage_ref, .media_type, .content_hash, .size_bytes, .summary, .key_points,
      .produced_at, .intake_rule, .suggested_level, .review_required, .promoted_by, .promoted_at, .memory_ref,
      .document_ingestion_ref, .library_ref, .score, .verdict, .channel, .direction, .sender, .recipients,
      .thread_ref,
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
    RETURN delivery {
      .id, .name, .idempotency_key, .status, .delivery_key, .delivery_kind, .module_key, .activation_seq,
      .destination_summary, .delivered_to, .delivered_at, .external_message_id, .saved_path, .open_url, .receipt_ref,
      .policy_approval_ref, .conflicting, .conflicts, activation_id: maker,
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
    RETURN snapshot {
      .id, .name, .snapshot_key, .stub, .snapshot_kind, .module_key, .activation_seq, .taken_at, .storage_ref,
      .model_ref, .agent_ref, .redaction_mode, .prompt_hash, .prompt_text_ref, .cil_layer_refs, .context_packet_ref,
      .system_instruction_ref, .module_instruction_ref, .dynamic_instruction_ref, .context_bundle_ref,
      .chain_history_projection_ref, .attached_file_refs, .required_capabilities, .optional_capabilities,
      .mounted_capabilities, .denied_capabilities, .live_state_summary, .mcp_server_refs, .connector_refs,
      .procedure_refs, .available_models, .registry_generation_id, .decision_kind, .decision, .reason_codes,
      .policy_generation_id, .exposure_context_ref,
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
    RETURN packet {
      .id, .name, .module_key, .activation_seq, .injection_profile, .actual_tokens, .max_tokens, .injected_count,
      .excluded_count
    }
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
    RETURN receipt {
      .stage, .explanation, .score, .threshold, .layer, .rank, .via, .tokens, .reason, .count, packet_id: packet.id,
      id: item.id, name: item.name, kind: receipt.kind, injected: type(receipt) = 'INJECTED'
    }
  } AS receipts,
  COLLECT {
    MATCH (run)-[:HAS_CHECKPOINT]->(checkpoint:Checkpoint) WHERE """
    + visible("checkpoint")
    + """
    WITH checkpoint ORDER BY checkpoint.id LIMIT $most
    RETURN checkpoint {
      .id, .name, .checkpoint_key, .module_key, .activation_seq, .checkpoint_strategy, .replay_policy, .taken_at,
      .storage_ref, .graph_snapshot_ref, .module_config_snapshot_ref, .input_bundle_ref, .output_bundle_ref,
      .source_document_version_refs, .committed_side_effects
    }
  } AS checkpoints,
  COLLECT {
    MATCH (run)-[:ACTIVATED]->(step:Activation)-[:RAN_IN]->(session:Session)
    WHERE """
    + visible("step")
    + """ AND """
    + visible("session")
    + """
    WITH DISTINCT session ORDER BY session.id LIMIT $most
    RETURN session {
      .id, .name, .session_key, .continuation_status, .session_kind, .module_key, .activation_seq, .child_session_key,
      .runtime_run_id, .agent_ref, .model_ref, .think_level, .agent_config_snapshot_ref, .tool_call_trace_refs,
      .subagent_trace_refs, .supported_interventions, .completed_at, .archived_at
    }
  } AS sessions,
  COLLECT {
    MATCH (run)-[:ACTIVATED]->(step:Activation)-[:STEERED_BY]->(intervention:Intervention)
    WHERE """
    + visible("step")
    + """ AND """
    + visible("intervention")
    + """
    WITH DISTINCT intervention ORDER BY intervention.id LIMIT $most
    RETURN intervention {
      .id, .name, .intervention_key, .intervention_kind, .module_key, .activation_seq, .note, .supported_by_runtime,
      .applied, .applied_at, .receipt_ref
    }
  } AS interventions,
  COLLECT {
    MATCH (fork:Fork {parent_run_id: run.id}) WHERE """
    + visible("fork")
    + """
    WITH fork ORDER BY fork.id LIMIT $most
    RETURN fork {
      .id, .name, .created_at, .module_key, .activation_seq, .output_port_id, .branch_scope, .rerun_scope,
      .upstream_state_policy, .graph_policy, .context_policy, .source_document_policy, .side_effect_replay_policy,
      .user_patch_refs, .created_by,
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
    RETURN followup {
      .id, .name, .created_at, .mode, .user_question, .durable_effect, .output_ref, .session_key, .context_seed_refs,
      module_key: followup.source_module_key, activation_seq: followup.source_activation_seq,
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
    RETURN other {.id, .name, .status, is_parent: EXISTS { (run)-[:FORKED_FROM]->(other) }}
  } AS forked_runs
"""
)
