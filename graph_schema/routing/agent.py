"""The Task Agent: who it is, what it offers, how it runs, and when it ran otherwise."""

from types import MappingProxyType

from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.model.fields import EvidenceLayer, Key, Keys, Text, Words, field
from graph_schema.model.record import Record
from graph_schema.routing.directives import Entrypoints
from graph_schema.routing.words import (
    AgentContextMode,
    AgentState,
    AutoConsult,
    AvailabilitySource,
    CapHit,
    ChildContextMode,
    FallbackReason,
    HealthState,
    ThinkLevel,
    VisibleReceipts,
)

TASK_AGENT = "task_agent"
TASK_AGENT_CAPABILITY = "agent.task_agent"
HEAVY = (Entrypoint.assess_task_portfolio, Entrypoint.review_existing_task, Entrypoint.test_prompt_variants)
"""Work for which sub-agents are meant: a portfolio's assessment, a heavy audit, an evaluation of prompts."""


class SystemAgent(Record):
    """An agent of the system, as it is registered."""

    label = "SystemAgent"
    plural = "system_agents"
    prefix = "sysa"
    layer = EvidenceLayer.memory
    colour = "#5fa8a2"
    saved = True

    agent_id: Key = field("What the system calls it.", default=TASK_AGENT, indexed=True)
    user_facing_aliases: Words = field("What users may call it.", make=lambda: ["Task Agent"])
    owner: Key = field("Which part of the system it belongs to.", default="saved tasks")
    purpose: Text = field(
        "What it is for.",
        default="Designs, adapts, inspects, explains, assesses and improves saved tasks, their templates, graphs, runs "
        "and prompts, and how tasks are used.",
    )
    agent_state: AgentState = field("Whether it may be used.", default=AgentState.active, filtered=True)
    required_execution_profile: Key = field("The execution profile that it needs.", default="system_agent_task_design")
    declared_dependencies: Words = field(
        "What it depends on.",
        make=lambda: [
            *("saved tasks", "evaluation", "context", "memory", "documents", "library", "learning"),
            *("utility", "runtime", "prompt recipes", "commands"),
        ],
    )
    capability_registered: bool = field("Whether it is registered as a capability, too.", default=True)


class AgentCapability(Record):
    """What an agent of the system offers, and how it does."""

    label = "AgentCapability"
    plural = "agent_capabilities"
    prefix = "agca"
    layer = EvidenceLayer.memory
    colour = "#77bdb6"
    saved = True

    capability_id: Key = field("What the system calls the capability.", default=TASK_AGENT_CAPABILITY, indexed=True)
    capability_type: Key = field("What kind of capability it is.", default="agent")
    implemented_by_agent_id: Key = field("The agent that has it.", default=TASK_AGENT)
    semantic_actions: Entrypoints = field("What it can be asked to do.", make=lambda: [*Entrypoint])
    owner: Key = field("Which part of the system lists it.", default="context")
    detailed_contract_ref: Key = field("Where its contract is kept.", default="docs/routing.md")
    availability_source: AvailabilitySource = field(
        "Who knows whether it can be reached.", default=AvailabilitySource.both
    )
    health_state: HealthState = field("How it does.", default=HealthState.unknown, filtered=True)


class AgentProfile(Record):
    """How the Task Agent runs, and how far it goes by itself. It says nothing of the modules of a task."""

    label = "AgentProfile"
    plural = "agent_profiles"
    prefix = "agpr"
    layer = EvidenceLayer.memory
    colour = "#8fd0c8"
    saved = True
    at_first = MappingProxyType(
        {"max_design_cost_usd": 5.0, "max_assessment_cost_usd": 10.0, "max_prompt_eval_cost_usd": 15.0}
    )

    agent_id: Key = field("The agent that it is for.", default=TASK_AGENT, indexed=True)
    default_model_ref: Key | None = field("The model that it runs on; absent: the runtime's own.", default=None)
    default_think_level: ThinkLevel = field("How long the model thinks.", default=ThinkLevel.high)
    fallback_model_refs: Keys = field("Models that stand in for it, in order.", make=list)
    allow_cloud: bool = field("Whether models of others may be used.", default=True)
    allow_local: bool = field("Whether models on the own machine may be used.", default=True)
    require_local_for_sensitivity_tags: Words = field(
        "What has to stay on the own machine.", make=lambda: ["local_only"]
    )
    prefer_high_reasoning_for_graph_design: bool = field("Whether graphs are designed with long thought.", default=True)
    max_design_cost_usd: float | None = field("What a design may cost; absent: no limit.", default=None, ge=0)
    max_assessment_cost_usd: float | None = field("What an assessment may cost; absent: no limit.", default=None, ge=0)
    max_prompt_eval_cost_usd: float | None = field("What an evaluation of prompts may cost.", default=None, ge=0)
    max_repair_iterations: int = field("How often it may revise what was found invalid.", default=3, ge=0, le=20)
    allow_invisible_consult: bool = field("Whether it may be asked without the user seeing it.", default=True)
    allow_background_design: bool = field("Whether it may design in the background.", default=True)
    require_user_confirmation_before_save: bool = field("Whether the user is asked before it saves.", default=True)
    require_user_confirmation_before_run: bool = field("Whether the user is asked before anything runs.", default=True)
    allow_prompt_evaluation_tasks: bool = field("Whether it may set up evaluations of prompts.", default=True)
    default_context_mode: AgentContextMode = field(
        "What it is given to know.", default=AgentContextMode.isolated_with_task_pack
    )
    max_context_pack_tokens: int = field("Tokens that its pack may have.", default=8_000, ge=500, le=200_000)
    allow_knowledge_pack_retrieval: bool = field("Whether it may look into the knowledge pack.", default=True)
    allow_task_memory: bool = field("Whether it may look into the memory of tasks.", default=True)
    allow_learning_overlay: bool = field("Whether what was learned bears on what is suggested.", default=True)
    allow_prompt_advisor_service: bool = field("Whether it may ask for advice on prompts.", default=True)
    auto_consult_policy: AutoConsult = field(
        "From which level on it may be consulted unasked.", default=AutoConsult.high_or_explicit
    )
    show_task_suggestion_chips: bool = field("Whether users are shown chips.", default=True)
    create_visible_receipts: VisibleReceipts = field(
        "When a task that it made leaves a receipt that the user sees.", default=VisibleReceipts.always
    )


class SubagentPolicy(Record):
    """Whether the Task Agent may have helpers, for what, and how many."""

    label = "SubagentPolicy"
    plural = "subagent_policies"
    prefix = "subp"
    layer = EvidenceLayer.memory
    colour = "#a9ddd6"
    saved = True
    at_first = MappingProxyType({"max_child_cost_usd": 2.0})

    agent_id: Key = field("The agent that it is for.", default=TASK_AGENT, indexed=True)
    allow_subagent_spawn: bool = field("Whether it may have helpers at all.", default=False)
    allowed_named_agent_ids: Keys = field("The agents that may help; none named means any.", make=list)
    max_child_sessions: int = field("How many may help at once.", default=2, ge=1, le=100)
    max_depth: int = field("How deep helpers may have helpers.", default=1, ge=1, le=5)
    max_child_cost_usd: float | None = field("What they may cost; absent: no limit.", default=None, ge=0)
    context_mode_default: ChildContextMode = field("What they are given to know.", default=ChildContextMode.isolated)
    require_sub_agent_context_pack: bool = field("Whether each gets a pack of its own.", default=True)
    on_cap_hit: CapHit = field("What happens at a limit.", default=CapHit.abort)
    allowed_entrypoints_for_subagents: Entrypoints = field(
        "For what they may be used, where they are allowed at all.", make=lambda: [*HEAVY]
    )


class FallbackReceipt(Record):
    """That the Task Agent ran on another model than the one that was meant."""

    label = "FallbackReceipt"
    plural = "fallback_receipts"
    prefix = "fall"
    layer = EvidenceLayer.run_truth
    colour = "#c2cfcf"
    indexed_together = (("recorded_by", "created_at"),)

    task_agent_request_id: Key = field("The request that it happened in.", filtered=True)
    primary_model_ref: Key = field("The model that was meant.")
    fallback_model_ref: Key = field("The model that was used.")
    fallback_reason: FallbackReason = field("Why.", filtered=True)
    task_agent_entrypoint: Entrypoint | None = field("What the Task Agent was asked to do.", default=None)
    output_requires_extra_validation: bool = field(
        "Whether what came of it has to be validated once more.", filtered=True, authored=False
    )
    recorded_by: Key | None = field("Principal that recorded it.", default=None, authored=False)
