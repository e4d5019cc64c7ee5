"""The fields of the specification's structures, section by section, and the words that a field may be: names alone."""

SECTIONS: dict[str, str] = {
    "§4.5 TaskAgentPermissionContract": "agent_id read_surfaces command_surfaces forbidden_commands schema_version",
    "§4.6 TaskAgentRunLens": (
        "task_id run_id task_name template_id blueprint_id current_status definition_status current_module_states "
        "graph_progress_summary active_path_summary wait_reasons human_gate_status active_subagents "
        "trigger_summary input_summary documents_reviewed_summary capability_usage_summary cost_summary "
        "quality_summary anomaly_summary artifact_index latest_outputs final_output_refs doc72_task_memory_ref "
        "learning_signal_refs assessment_refs run_inspector_url updated_at schema_version"
    ),
    "§6.3 TaskBlueprint": (
        "blueprint_id name description business_or_personal_goal task_type domain document_archetypes "
        "work_context_refs matter_or_project_refs goal_refs expected_inputs expected_outputs step_intents "
        "quality_criteria human_review_points side_effects capability_needs model_strategy "
        "memory_and_artifact_policy telemetry_policy assessment_plan security_profile_ref retention_policy_ref "
        "template_binding generated_graph_ref current_graph_version blueprint_version prior_version_ref "
        "authored_by created_at updated_at schema_version"
    ),
    "§6.4 StepIntent": (
        "step_intent_id label purpose why_it_exists expected_input_refs expected_output_refs "
        "suggested_module_type bound_module_ids required_capabilities optional_capabilities quality_checks "
        "artifact_policy_override goal_refs design_rationale alternatives_considered schema_version"
    ),
    "§6.6 BlueprintDiff": (
        "diff_id prior_blueprint_id candidate_blueprint_id changed_fields step_intent_changes "
        "output_contract_changes capability_need_changes artifact_policy_changes rationale evidence_refs "
        "schema_version"
    ),
    "§6.9 TaskDesignGoalPayload": (
        "goal_type goal_statement applies_to_context_class success_criteria disfavored_tradeoffs "
        "preferred_patterns preferred_templates preferred_module_presets source evidence_refs confidence "
        "schema_version"
    ),
    "§7.3 TaskTemplateSemanticCard": (
        "template_id doc23_template_ref canonical_name description task_type domain_tags document_archetypes "
        "work_context_tags trigger_phrases semantic_lookup_phrases use_conditions non_use_conditions "
        "expected_inputs expected_outputs default_output_archetypes blueprint_ref graph_snapshot_ref "
        "module_summary module_preset_refs capability_requirements connector_requirements "
        "memory_artifact_policy_summary evaluation_plan_summary known_strengths known_limitations "
        "user_preference_refs goal_refs last_used_at usage_count assessment_summary lifecycle_state graph_hash "
        "blueprint_hash source_authority schema_version"
    ),
    "§7.4 ModulePresetSemanticCard": (
        "preset_id doc23_preset_ref canonical_name module_type description role_in_workflow trigger_phrases "
        "semantic_lookup_phrases use_conditions non_use_conditions expected_input_kinds expected_output_kinds "
        "output_shape_summary required_capabilities optional_capabilities forbidden_capabilities "
        "compatible_task_types incompatible_task_types config_summary why_this_preset_exists known_strengths "
        "known_limitations common_misuses user_preference_refs goal_refs design_case_refs usage_count "
        "last_used_at assessment_summary config_hash lifecycle_state source_authority schema_version"
    ),
    "§7A.3 TaskTemplateGroup": (
        "group_id display_name description domain_tags task_type_tags primary_template_id related_template_ids "
        "shared_module_preset_ids shared_blueprint_pattern_refs shared_capability_requirements "
        "shared_connector_requirements shared_artifact_policy_ref shared_assessment_plan_ref "
        "shared_eval_dataset_refs shared_judge_rubric_refs sample_input_refs example_output_refs "
        "known_limitations usage_summary version lifecycle_state schema_version"
    ),
    "§10.3 TaskRunMemoryPolicy": (
        "enabled mode artifact_default_level capture_prompts capture_outputs doc72_write_scope "
        "entity_linking_enabled goal_linking_enabled matter_linking_enabled followup_session_linking_enabled "
        "retention_class user_can_retroactively_promote schema_version"
    ),
    "§10.5 TaskRunExecutionTracePayload": (
        "kind task_id run_id task_name template_id blueprint_id preset_or_template_ref status started_at "
        "completed_at trigger_summary work_context_refs matter_or_project_refs linked_goal_refs "
        "linked_task_entity_ref workflow_summary graph_snapshot_ref blueprint_snapshot_ref "
        "key_config_snapshot_ref module_activity_summaries reviewed_document_refs produced_artifact_refs "
        "produced_work_product_refs human_gate_summary subagent_lineage_summary capability_usage_summary "
        "cost_summary quality_summary failure_summary assessment_refs followup_session_refs raw_run_ref "
        "schema_version"
    ),
    "§10.7 TaskRunMemoryGraph": (
        "task_run_node linked_task_entity linked_matter_entities linked_goal_nodes reviewed_document_refs "
        "produced_artifact_refs produced_work_product_refs module_activity_summaries human_review_refs "
        "red_team_refs followup_session_refs capability_usage_refs assessment_refs schema_version"
    ),
    "§12.2 TaskTraceSpan": (
        "span_id trace_id parent_span_id task_id run_id module_id activation_seq span_kind name status started_at "
        "completed_at duration_ms input_ref output_ref summary error cost_usd token_count model_ref agent_ref "
        "prompt_snapshot_ref capability_snapshot_ref policy_snapshot_ref doc24_packet_snapshot_ref "
        "subagent_trace_ref artifact_refs tags schema_version"
    ),
    "§12.3 EffectivePromptSnapshot": (
        "snapshot_id task_id run_id module_id activation_seq model_ref agent_ref cIL_layer_refs doc24_packet_ref "
        "system_instruction_ref module_instruction_ref dynamic_instruction_ref context_bundle_ref "
        "chain_history_projection_ref attached_file_refs prompt_text_ref redaction_mode prompt_hash created_at "
        "schema_version"
    ),
    "§12.4 CapabilitySnapshot": (
        "snapshot_id task_id run_id module_id required_capabilities optional_capabilities mounted_capabilities "
        "denied_capabilities live_state_summary mcp_server_refs connector_refs procedure_refs "
        "model_availability_snapshot doc24_registry_generation_id created_at schema_version"
    ),
    "§12.5 PolicyDecisionSnapshot": (
        "snapshot_id task_id run_id module_id decision_kind decision reason_codes policy_generation_id "
        "exposure_context_ref created_at schema_version"
    ),
    "§13.3 ModuleCapabilityPolicy": (
        "mode required_capabilities allowed_capabilities denied_capabilities preferred_procedures "
        "allowed_mcp_servers connector_refs runtime_expansion_policy side_effect_policy snapshot_required "
        "schema_version"
    ),
    "§13.4 RuntimeExpansionPolicy": (
        "enabled expansion_basis max_added_capabilities capabilities_outside_allowlist_require_approval "
        "external_side_effects_require_approval emit_expansion_receipt schema_version"
    ),
    "§13.5 RuntimeCapabilityExpansionReceipt": (
        "receipt_id task_id run_id module_id activation_seq detected_need basis added_capabilities "
        "blocked_capabilities approval_required approval_ref doc24_packet_generation_id policy_snapshot_ref "
        "created_at schema_version"
    ),
    "§13A.7 TaskRunScopeEnvelope": (
        "envelope_id task_id run_id launch_surface launch_surface_ref surface_context_policy "
        "inherited_surface_context_refs selected_surface_context_refs resolved_scope resolved_scope.entity_refs "
        "resolved_scope.matter_refs resolved_scope.work_product_refs resolved_scope.document_refs "
        "resolved_scope.library_refs resolved_scope.source_set_refs resolved_scope.task_template_refs "
        "resolved_scope.module_preset_refs resolved_scope.goal_refs resolved_scope.invocation_directive_refs "
        "trigger_scope schedule_scope email_scope policy_snapshot_ref source_visibility_snapshot_ref created_at "
        "schema_version"
    ),
    "§13A.8 TriggerScopeSummary": (
        "trigger_module_id trigger_kind correlation_key trigger_payload_ref resolved_entity_refs "
        "resolved_document_refs resolved_library_refs source_classification_refs confidence schema_version"
    ),
    "§13A.8 ScheduledRunScopeSummary": (
        "schedule_id recurrence_rule_ref saved_scope_refs last_run_scope_ref run_window_start run_window_end "
        "carry_forward_scope_from_prior_run schema_version"
    ),
    "§13A.8 EmailTriggerScopeSummary": (
        "email_account_ref mailbox_or_folder_ref message_id thread_id sender_ref recipient_refs subject_summary "
        "body_summary_ref attachment_refs doc25_ingestion_result_refs source_classification_refs "
        "new_case_or_matter_candidate_refs schema_version"
    ),
    "§13A.9 TaskModuleContextPacket": (
        "packet_id task_id run_id module_id module_type activation_seq run_scope_envelope_ref assembly_scope "
        "assembly_scope.invocation_context assembly_scope.task_context_binding "
        "assembly_scope.surface_context_used assembly_scope.surface_context_reason "
        "assembly_scope.surface_context_refs assembly_scope.surface_context_policy context_basis "
        "injection_profile injected_layers injected_layers.tools injected_layers.procedures "
        "injected_layers.entity_cards injected_layers.memory_excerpts injected_layers.restrictions "
        "injected_layers.preferences injected_layers.documents injected_layers.libraries "
        "injected_layers.prior_task_runs injected_layers.specialist_agents injected_layers.output_artifact_policy "
        "injected_layers.task_blueprint_context injected_layers.task_template_context "
        "injected_layers.prompt_or_evaluation_guidance injected_layers.trigger_context "
        "injected_layers.recurrence_context excluded_candidates policy_snapshot_ref capability_snapshot_ref "
        "source_refs token_budget token_budget.requested_tokens token_budget.actual_tokens "
        "token_budget.max_tokens token_budget.trimmed_items packet_generation_id created_at schema_version"
    ),
    "§13A.10 ExcludedContextCandidate": ("candidate_kind candidate_ref exclusion_reason explanation schema_version"),
    "§14.2 DurableTaskExecutionContract": (
        "checkpoint_strategy replay_policy side_effect_idempotency_key_required pending_human_signal_policy "
        "pending_human_signal_policy.durable_wait pending_human_signal_policy.timeout_policy "
        "pending_human_signal_policy.decision_log_required crash_recovery_policy "
        "crash_recovery_policy.resume_incomplete_modules "
        "crash_recovery_policy.never_repeat_committed_side_effects "
        "crash_recovery_policy.require_policy_recheck_on_resume schema_version"
    ),
    "§20C.3 TaskRunStepRow": (
        "task_id run_id module_id activation_seq display_order module_label module_type branch_label "
        "loop_iteration output_port_id status started_at completed_at duration_ms cost_usd agent_summary "
        "agent_summary.agent_id agent_summary.model_ref agent_summary.think_level agent_summary.fallback_used "
        "input_summary output_summary artifact_ids delivery_ids has_prompt_context_snapshot "
        "has_doc24_context_packet has_subagent_trace has_error has_evaluation expandable_detail_ref "
        "schema_version"
    ),
    "§20C.4 TaskRunNarrativeStatus": (
        "task_id run_id one_line_status current_work_summary next_work_summary recent_completion_summary "
        "current_module_ids next_module_ids waiting_reasons generated_from_state_version generated_at "
        "schema_version"
    ),
    "§20C.5 TaskDeliveryRecord": (
        "delivery_id task_id run_id module_id activation_seq artifact_id artifact_ref delivery_kind status "
        "destination_summary delivered_to delivered_at external_message_id saved_path open_url receipt_ref "
        "policy_approval_ref schema_version"
    ),
    "§20C.5 TaskDeliverablesReadModel": (
        "task_id run_id final_outputs intermediate_outputs input_documents receipts deliveries "
        "undelivered_outputs failed_deliveries schema_version"
    ),
    "§20C.7 TaskPromptContextInspectorReadModel": (
        "task_id run_id module_id activation_seq effective_prompt_snapshot_ref redacted_prompt_snapshot_ref "
        "prompt_layers prompt_layers.layer_kind prompt_layers.display_name prompt_layers.storage_ref "
        "prompt_layers.token_count doc24_context_packet_ref injected_items excluded_items feedback_enabled "
        "schema_version"
    ),
    "§20C.8 TaskContextFeedbackEvent": (
        "event_id task_id run_id module_id activation_seq target_kind target_ref feedback user_comment created_at "
        "schema_version"
    ),
    "§20C.9 TaskAuditExportBundle": (
        "export_id task_id run_id included_sections redaction_profile output_format export_ref "
        "policy_decision_ref created_at schema_version"
    ),
    "§20E.1 TaskModuleSessionRef": (
        "task_id run_id module_id activation_seq agent_id openclaw_session_key openclaw_run_id child_session_key "
        "session_kind continuation_status model_ref think_level agent_config_snapshot_ref "
        "effective_prompt_snapshot_ref doc24_context_packet_ref input_artifact_refs output_artifact_refs "
        "tool_call_trace_refs subagent_trace_refs created_at completed_at archived_at schema_version"
    ),
    "§20E.1 ModuleFollowupSession": (
        "followup_session_id source_task_id source_run_id source_module_id source_activation_seq mode "
        "context_seed_refs user_question output_ref linked_artifact_refs durable_effect schema_version"
    ),
    "§20E.2 ModuleSessionIntervention": (
        "intervention_id task_id run_id module_id activation_seq intervention_kind supported_by_runtime applied "
        "receipt_ref schema_version"
    ),
    "§20E.3 TaskRunForkRequest": (
        "request_id parent_task_id parent_run_id fork_from fork_from.module_id fork_from.activation_seq "
        "fork_from.output_port_id fork_from.branch_scope rerun_scope upstream_state_policy graph_policy "
        "context_policy source_document_policy side_effect_replay_policy user_patch_refs created_by "
        "schema_version"
    ),
    "§20E.4 ModuleActivationReplayRecord": (
        "task_id run_id module_id activation_seq graph_snapshot_ref module_config_snapshot_ref input_bundle_ref "
        "output_bundle_ref checkpoint_ref effective_prompt_snapshot_ref doc24_context_packet_ref "
        "capability_snapshot_ref policy_snapshot_ref model_runtime_snapshot_ref source_document_version_refs "
        "artifact_refs delivery_record_refs error_refs downstream_activation_refs "
        "downstream_activation_refs.module_id downstream_activation_refs.activation_seq schema_version"
    ),
    "§20G.2 SavedTaskOperationalStats": (
        "task_id display_name run_count success_count failure_count success_rate avg_duration_ms p50_duration_ms "
        "p90_duration_ms avg_cost_usd p50_cost_usd p90_cost_usd last_run_at last_success_at last_failure_at "
        "common_output_kinds common_failure_modes latest_assessment_ref schema_version"
    ),
    "§20G.2 ModulePresetOperationalStats": (
        "preset_id module_type usage_count tasks_used_in templates_used_in avg_module_duration_ms "
        "avg_module_cost_usd common_downstream_consumers known_strengths known_limitations schema_version"
    ),
    "§20G.3 SavedTaskKind": (
        "task_id reusable scheduled trigger_enabled archived source_template_id user_facing_label schema_version"
    ),
    "§20H.4 TaskShareCapsule": (
        "share_id task_id task_version_ref graph_snapshot_ref optional_run_id shared_by_principal_id "
        "recipient_principal_refs permission share_mode memory_policy file_policy output_policy email_policy "
        "capability_policy agent_policy cost_policy approval_policy audit_policy redaction_profile expires_at "
        "revoked_at schema_version"
    ),
    "§20H.6 SharedTaskAgentAccessPolicy": (
        "enabled allowed_entrypoints grounding_mode may_query_sender_private_memory may_query_unshared_task_history "
        "may_modify_task_directly may_propose_task_patch require_sender_approval_for_task_agent_generated_patch "
        "schema_version"
    ),
    "§20H.7 TaskShareAuditEvent": (
        "event_id share_id actor_principal_id event_kind target_ref policy_decision_ref created_at schema_version"
    ),
}

WORDS: dict[str, dict[str, str]] = {
    "§6.3 TaskBlueprint": {
        "authored_by": "user task_agent system mixed",
    },
    "§6.9 TaskDesignGoalPayload": {
        "goal_type": (
            "task_outcome_goal process_quality_goal output_quality_goal artifact_memory_goal "
            "cost_latency_goal risk_control_goal user_preference_goal"
        ),
        "source": (
            "architect_authored user_stated learned_from_task_creation learned_from_task_assessment system_inferred"
        ),
    },
    "§7.3 TaskTemplateSemanticCard": {
        "lifecycle_state": "draft active candidate_update deprecated archived",
    },
    "§7.4 ModulePresetSemanticCard": {
        "lifecycle_state": "draft active candidate_update deprecated archived",
    },
    "§7A.3 TaskTemplateGroup": {
        "lifecycle_state": "draft active deprecated archived",
    },
    "§10.3 TaskRunMemoryPolicy": {
        "mode": (
            "standard reference_only summary_reference summary_plus_learning memory_incognito full_ephemeral_test"
        ),
        "capture_prompts": "never redacted full_local_only",
        "capture_outputs": "reference_only redacted_summary full_local_only",
        "doc72_write_scope": (
            "none task_run_only task_run_plus_final_artifacts task_run_plus_linked_artifacts "
            "task_run_plus_learning_signals"
        ),
        "retention_class": "standard high_value matter_active ephemeral legal_work_product",
    },
    "§12.2 TaskTraceSpan": {
        "span_kind": (
            "task_run module_activation llm_call prompt_assembly tool_call mcp_call connector_call "
            "doc24_packet_resolution capability_mount runtime_capability_expansion subagent_spawn "
            "policy_decision human_review file_document_transform artifact_emission output_delivery "
            "judge_eval experiment_variant retry fallback wait_state resume error"
        ),
        "status": "pending running success error cancelled skipped waiting",
    },
    "§12.3 EffectivePromptSnapshot": {
        "redaction_mode": "none redacted hash_only not_captured",
    },
    "§12.5 PolicyDecisionSnapshot": {
        "decision_kind": (
            "capability_mount tool_call external_send file_write memory_write doc25_ingestion "
            "doc73_library_add subagent_spawn model_selection"
        ),
        "decision": "allowed blocked requires_approval degraded",
    },
    "§13.3 ModuleCapabilityPolicy": {
        "mode": "auto explicit explicit_plus_auto_relevant none",
    },
    "§13.4 RuntimeExpansionPolicy": {
        "expansion_basis": "upstream_prompt_detected missing_required_capability failure_recovery doc24_relevance",
    },
    "§13A.7 TaskRunScopeEnvelope": {
        "launch_surface": (
            "chat task_ui task_canvas run_inspector schedule_trigger email_trigger webhook_trigger "
            "file_watcher_trigger external_event task_complete_trigger manual_api ec_system_job unknown"
        ),
        "surface_context_policy": (
            "not_applicable none explicit_inherit explicit_selected trigger_bound template_bound forbidden"
        ),
    },
    "§13A.8 TriggerScopeSummary": {
        "trigger_kind": ("email schedule webhook file_watcher discord forum_panel task_complete manual_api system_job"),
    },
    "§13A.9 TaskModuleContextPacket": {
        "assembly_scope.task_context_binding": (
            "none explicit_task_scope inherited_from_launch_surface selected_surface_context "
            "trigger_resolved schedule_bound email_bound template_bound blueprint_bound "
            "manual_user_selected module_input_resolved library_bound system_context_task"
        ),
    },
    "§13A.10 ExcludedContextCandidate": {
        "candidate_kind": (
            "surface_context active_chat_context active_work_context memory_directive entity_card "
            "library prior_task_run procedure tool_capability document task_template module_preset"
        ),
        "exclusion_reason": (
            "not_task_bound not_run_bound surface_context_not_applicable low_relevance wrong_matter "
            "wrong_library wrong_task_type wrong_trigger_scope policy_blocked budget_trimmed "
            "profile_excludes_component module_config_denied incognito_or_memory_suppressed "
            "active_context_recency_only requires_user_selection source_visibility_blocked"
        ),
    },
    "§14.2 DurableTaskExecutionContract": {
        "checkpoint_strategy": "module_boundary llm_call_boundary tool_call_boundary",
        "replay_policy": "resume_from_checkpoint replay_with_cached_side_effects",
    },
    "§20C.3 TaskRunStepRow": {
        "status": "pending running waiting success error cancelled skipped",
    },
    "§20C.5 TaskDeliveryRecord": {
        "delivery_kind": (
            "email imessage chat file_save webhook task_output calendar notification work_product_save "
            "doc73_library_add doc72_memory_reference"
        ),
        "status": "pending delivered failed blocked_by_policy cancelled draft_only",
    },
    "§20C.7 TaskPromptContextInspectorReadModel": {
        "prompt_layers.layer_kind": (
            "system task_blueprint environment_config module_instruction instruction_in "
            "doc24_context_packet data_in context_in chain_history attached_files"
        ),
    },
    "§20C.8 TaskContextFeedbackEvent": {
        "target_kind": (
            "injected_memory injected_entity injected_procedure injected_tool injected_connector "
            "injected_document injected_library excluded_candidate prompt_layer context_packet"
        ),
        "feedback": ("helpful not_helpful wrong missing too_much should_have_been_included should_have_been_excluded"),
    },
    "§20C.9 TaskAuditExportBundle": {
        "included_sections": (
            "run_summary graph_snapshot blueprint_snapshot module_activation_list cost_duration_summary "
            "models_and_agents tool_connector_calls subagent_sessions prompt_snapshots "
            "doc24_context_packets input_output_artifact_manifest delivery_receipts policy_approvals "
            "errors_retries_fallbacks judge_experiment_results doc72_memory_summary_links raw_trace"
        ),
        "redaction_profile": "summary_only professional_internal external_redacted full_local_audit",
        "output_format": "folder zip markdown pdf_packet",
    },
    "§20E.1 TaskModuleSessionRef": {
        "session_kind": (
            "one_shot_gateway_call resumable_openclaw_session spawned_subagent_session forked_session "
            "archived_session unavailable"
        ),
        "continuation_status": "available archived expired not_supported blocked_by_policy unknown",
    },
    "§20E.1 ModuleFollowupSession": {
        "mode": "continue_original_session new_session_from_module_context ask_task_agent_about_module",
        "durable_effect": "chat_only module_followup_artifact proposed_task_patch proposed_run_fork",
    },
    "§20E.2 ModuleSessionIntervention": {
        "intervention_kind": (
            "user_note_for_downstream cancel_current_call pause_after_module "
            "inject_instruction_if_supported request_status_if_supported"
        ),
    },
    "§20E.3 TaskRunForkRequest": {
        "fork_from.branch_scope": "selected_branch all_downstream selected_modules",
        "rerun_scope": (
            "selected_module_only selected_module_and_downstream downstream_only judge_only "
            "experiment_only branch_only full_run_from_checkpoint"
        ),
        "upstream_state_policy": "freeze_parent_outputs recompute_upstream use_current_task_inputs",
        "graph_policy": "use_parent_graph_snapshot use_current_task_definition use_user_edited_fork_graph",
        "context_policy": (
            "reuse_prior_doc24_packet recompute_from_same_task_scope recompute_from_current_memory_and_capabilities"
        ),
        "source_document_policy": "use_parent_document_versions use_latest_document_versions ask_if_changed",
        "side_effect_replay_policy": (
            "block_all_external_side_effects draft_only allow_with_confirmation allow_if_non_duplicate"
        ),
        "created_by": "user task_agent system_repair",
    },
    "§20H.4 TaskShareCapsule": {
        "permission": (
            "view_only comment_only copy_task edit_proposal_only run_with_sender_approval run_within_limits "
            "edit_and_run_within_limits trusted_collaborator high_risk_warned_full_access"
        ),
        "share_mode": (
            "task_design_only specific_run_summary specific_run_with_artifacts specific_artifacts_only "
            "collaborative_task_workspace audit_packet"
        ),
        "redaction_profile": (
            "public_safe external_professional firm_collaborator trusted_internal full_access_warned"
        ),
    },
    "§20H.6 SharedTaskAgentAccessPolicy": {
        "allowed_entrypoints": (
            "review_existing_task design_task_patch inspect_task_run retrieve_task_output explain_task_graph "
            "assess_task improve_task_prompt"
        ),
        "grounding_mode": (
            "shared_manifest_only shared_manifest_plus_selected_memory shared_manifest_plus_sender_approved_context"
        ),
    },
    "§20H.7 TaskShareAuditEvent": {
        "event_kind": (
            "share_opened task_copied graph_viewed graph_patch_proposed graph_patch_applied task_run_requested "
            "task_run_approved task_run_started task_run_completed artifact_opened artifact_downloaded "
            "file_access_requested memory_access_requested capability_mount_requested email_draft_created "
            "external_send_requested external_send_approved policy_blocked share_revoked"
        ),
    },
}
"""Words of fields that are enumerations here."""

SURFACES: dict[str, str] = {
    "read_surfaces": (
        "task_catalog task_record task_template module_preset task_blueprint task_run_record task_run_snapshot "
        "task_run_log task_checkpoint task_artifact_index task_trace_span monitor_module_status environment_config "
        "prompt_snapshot capability_snapshot policy_decision_snapshot step_output_shelf tool_result_shelf "
        "run_inspector_read_model doc72_task_activity_memory doc24_capability_registry doc24_context_packet "
        "doc25_ingestion_result doc73_library_binding doc8_learning_bundle bdsm_utility_bundle"
    ),
    "command_surfaces": (
        "task.design_session.start task.blueprint.propose task.graph.propose task.graph.diff.propose "
        "task.preflight.run task.assessment.request task.artifact.promote.request task.template.update.propose "
        "task.preset.update.propose task.knowledge_pack.rebuild.request"
    ),
    "forbidden_commands": (
        "direct_file_write direct_graph_mutation hidden_runtime_orchestration unapproved_side_effect"
    ),
}
"""§4.5: what an agent may read and ask for, and what nobody does."""
