"""What comes after a run, or beside it: forks, follow-ups, threads and consults. None of it changes the run."""

from graph_schema.memory.continuation_words import (
    BranchScope,
    ContextPolicy,
    DurableEffect,
    Entrypoint,
    FollowUpMode,
    GraphPolicy,
    RequestedBy,
    RerunScope,
    ResponseKind,
    SideEffectReplayPolicy,
    SourceDocumentPolicy,
    ThreadScope,
    UpstreamStatePolicy,
)
from graph_schema.model.fields import EvidenceLayer, Key, Keys, Name, Text, Words, field
from graph_schema.model.record import Record
from graph_schema.model.relation import End, Relation


class Fork(Record):
    """A request to run part of a run again, as a run of its own. The parent stays as it is."""

    label = "Fork"
    plural = "forks"
    prefix = "fork"
    layer = EvidenceLayer.run_truth
    colour = "#c06c84"

    parent_run_id: Key | None = field("The run that it forks.", default=None, indexed=True, authored=False)
    parent_task_key: Key | None = field("The task, as the executor calls it.", default=None, authored=False)
    module_key: Key | None = field("The module that it forks from.", default=None, filtered=True)
    activation_seq: int | None = field("Which activation of that module, from 1.", default=None, ge=1)
    output_port_id: Key | None = field("The port whose output it goes on from.", default=None)
    branch_scope: BranchScope | None = field("How much of what follows is meant.", default=None)
    rerun_scope: RerunScope | None = field("What is run again.", default=None, filtered=True)
    upstream_state_policy: UpstreamStatePolicy = field(
        "Where the state before it comes from.", default=UpstreamStatePolicy.freeze_parent_outputs
    )
    graph_policy: GraphPolicy = field("Which graph is run.", default=GraphPolicy.use_parent_graph_snapshot)
    context_policy: ContextPolicy = field(
        "Which context its modules are given.", default=ContextPolicy.recompute_from_same_task_scope
    )
    source_document_policy: SourceDocumentPolicy = field(
        "Which versions of the documents are read.", default=SourceDocumentPolicy.ask_if_changed
    )
    side_effect_replay_policy: SideEffectReplayPolicy = field(
        "What it may do to the outside world again.",
        default=SideEffectReplayPolicy.block_all_external_side_effects,
        filtered=True,
    )
    user_patch_refs: Keys = field("Where the changes that a person made for it are kept.", make=list)
    created_by: RequestedBy | None = field("Who asked for it.", default=None, filtered=True, authored=False)
    requested_by: Key | None = field("Principal that asked for it.", default=None, authored=False)
    side_effects_authorised_by: Key | None = field(
        "Principal of the person who authorised side effects.", default=None, authored=False
    )
    defaulted_policies: Words = field("Policies that were not given.", make=list, authored=False)


class FollowUp(Record):
    """A question or piece of work that takes up what a module did, after it was done."""

    label = "FollowUp"
    plural = "follow_ups"
    prefix = "fup"
    layer = EvidenceLayer.memory
    colour = "#e8a598"

    source_run_id: Key = field("The run that it follows.", indexed=True, authored=False)
    source_task_key: Key | None = field("The task, as the executor calls it.", default=None, authored=False)
    source_module_key: Key = field("The module that it follows.", filtered=True)
    source_activation_seq: int = field("Which activation of that module, from 1.", ge=1)
    mode: FollowUpMode = field("How the module's work is taken up.", filtered=True)
    user_question: Text = field("What was asked.", fulltext=True)
    context_seed_refs: Keys = field("Where what it starts from is kept.", make=list)
    output_ref: Key | None = field("Where the answer is kept.", default=None)
    durable_effect: DurableEffect = field("What it leaves behind.", default=DurableEffect.chat_only, filtered=True)
    session_key: Key | None = field("The session that it continues or starts.", default=None)
    asked_by: Key | None = field("Principal that asked.", default=None, authored=False)


class Thread(Record):
    """A conversation with the task agent, confined to a task, a run, an activation or an artifact."""

    label = "Thread"
    plural = "threads"
    prefix = "thr"
    layer = EvidenceLayer.memory
    colour = "#b39ddb"

    scope: ThreadScope = field("What kind of conversation it is.", filtered=True)
    task_source: Name | None = field("The system that knows the task.", default=None)
    task_key: Key | None = field("The task, as that system calls it.", default=None, indexed=True)
    run_id: Key | None = field("The run that it is about.", default=None, indexed=True, authored=False)
    module_key: Key | None = field("The module that it is about.", default=None)
    activation_seq: int | None = field("Which activation of that module, from 1.", default=None, ge=1)
    artifact_id: Key | None = field("The artifact that it is about.", default=None, indexed=True, authored=False)
    openclaw_session_key: Key | None = field("The session that it is held in.", default=None)
    task_agent_entrypoint: Entrypoint | None = field("What the agent was asked to do.", default=None)
    opened_by: Key | None = field("Principal that opened it.", default=None, authored=False)


class Consult(Record):
    """What the task agent looked at to answer once, by kind of evidence, and what was not there."""

    label = "Consult"
    plural = "consults"
    prefix = "cons"
    layer = EvidenceLayer.run_truth
    colour = "#90a4ae"

    entrypoint: Entrypoint = field("What the agent was asked to do.", filtered=True)
    user_request_ref: Key = field("Where the request is kept.")
    task_source: Name | None = field("The system that knows the task.", default=None)
    task_key: Key | None = field("The task, as that system calls it.", default=None, indexed=True)
    run_id: Key | None = field("The run that was asked about.", default=None, indexed=True, authored=False)
    module_key: Key | None = field("The module that was asked about.", default=None)
    activation_seq: int | None = field("Which activation of that module, from 1.", default=None, ge=1)
    consulted_operational_truth_refs: Keys = field("Run truth that was looked at.", make=list)
    consulted_memory_refs: Keys = field("Memory that was looked at.", make=list)
    consulted_learning_signal_refs: Keys = field("Learning signals that were looked at.", make=list)
    consulted_tkp_card_refs: Keys = field("Cards of the knowledge pack that were looked at.", make=list)
    consulted_capability_refs: Keys = field("Capabilities that were looked at.", make=list)
    response_kind: ResponseKind = field("What the agent answered with.", filtered=True)
    degraded_reasons: Words = field("What was missing, and so not looked at.", make=list)
    recorded_by: Key | None = field("Principal that recorded it.", default=None, authored=False)


CONSULTED = (
    "Run",
    "Activation",
    "Span",
    "Artifact",
    "Delivery",
    "Gate",
    "Snapshot",
    "Checkpoint",
    "Session",
    "Entity",
    "Goal",
    "Preference",
    "Restriction",
    "Procedure",
    "Capability",
    "WorkProduct",
    "Card",
    "InvocationDirective",
    "InvocationSignal",
    "SuggestionFeedback",
)


def _relation(
    type_: str,
    tails: tuple[str, ...],
    heads: tuple[str, ...],
    reverse: str,
    description: str,
    *,
    layer: EvidenceLayer = EvidenceLayer.run_truth,
    inherits: End | None = None,
    forward: str = "",
) -> Relation:
    return Relation(type_, tails, heads, reverse, description, layer, inherits=inherits, forward=forward, managed=True)


RELATIONS = (
    _relation(
        "FROM",
        ("Fork",),
        ("Activation",),
        "fork_requests",
        "A fork, and the activation that it goes on from.",
        inherits="tail",
        forward="fork_from",
    ),
    _relation(
        "TAKES",
        ("Fork",),
        ("Artifact",),
        "taken_by",
        "A fork, and the output of its parent that it goes on from, such as one variant of an experiment.",
        inherits="tail",
    ),
    _relation(
        "CREATED_BY",
        ("Run",),
        ("Fork",),
        "child_runs",
        "A run, and the fork that it carries out.",
        inherits="tail",
    ),
    _relation(
        "FORKED_FROM",
        ("Run",),
        ("Run",),
        "forked_into",
        "A run, and the one that it was forked from.",
        inherits="tail",
    ),
    _relation(
        "FOLLOWS",
        ("FollowUp", "Entity"),
        ("Run", "Activation"),
        "follow_ups",
        "A follow-up or a later conversation, and what it takes up.",
        layer=EvidenceLayer.memory,
        inherits="tail",
    ),
    _relation(
        "PRODUCED",
        ("FollowUp",),
        ("Artifact",),
        "produced_in_follow_up",
        "A follow-up, and what came of it.",
        inherits="head",
    ),
    _relation(
        "CONTINUES",
        ("FollowUp",),
        ("Session",),
        "continued_by",
        "A follow-up, and the session that it continues.",
        layer=EvidenceLayer.memory,
        inherits="tail",
    ),
    _relation(
        "PROPOSED",
        ("FollowUp",),
        ("Fork",),
        "proposed_in",
        "A follow-up, and the fork that it proposes.",
        layer=EvidenceLayer.memory,
        inherits="tail",
    ),
    _relation(
        "CONFINED_TO",
        ("Thread",),
        ("Task", "Run", "Activation", "Artifact"),
        "threads",
        "A thread, and what it is confined to.",
        layer=EvidenceLayer.memory,
        inherits="tail",
    ),
    _relation(
        "HELD_IN",
        ("FollowUp", "Consult"),
        ("Thread",),
        "held",
        "A follow-up or a consult, and the thread that it was part of.",
        layer=EvidenceLayer.memory,
        inherits="tail",
    ),
    _relation(
        "ASKED_ABOUT",
        ("Consult",),
        ("Task", "Run", "Activation", "ModeDecision"),
        "consults",
        "A consult, and what was asked about.",
        inherits="tail",
    ),
    _relation(
        "CONSULTED",
        ("Consult",),
        CONSULTED,
        "consulted_in",
        "A consult, and a record that was looked at for it.",
        inherits="tail",
    ),
)
