"""The kinds of event that an executor may report, as a table: what each is about, needs, takes and means."""

from dataclasses import dataclass, field
from typing import Any

from graph_schema.memory.runs import Intervention, NativeEvent, Session
from graph_schema.memory.snapshots import Checkpoint, Snapshot
from graph_schema.model.record import Record

FLOW = "task.run.flow_updated"
STATUS = "task.run.narrative_status_updated"
INDEX = "task.artifact.index.updated"
DELIVERED = "task.delivery.recorded"
INSPECTOR = "task.run.inspector_updated"
DELIVERABLES = "task.deliverables.updated"
QUICK_ACCESS = "task.module.quick_access_updated"
LENS = "task.agent.run_lens.updated"

_ERROR = ("error_code", "error_message")
_WORK = ("cost_usd", "input_tokens", "output_tokens", "model_ref", "agent_ref", "think_level", "fallback_used")
_STEP = ("name", "module_type", "preset_key", "branch_label", "loop_iteration")
_BUNDLES = ("input_summary", "output_summary", "input_bundle_ref", "output_bundle_ref", "detail_ref", "output_port_id")
_ARTIFACT = (
    "name",
    "port_name",
    "output_class",
    "output_archetype",
    "storage_ref",
    "media_type",
    "content_hash",
    "size_bytes",
    "summary",
    "key_points",
    "produced_at",
    "memory_ref",
    "document_ingestion_ref",
    "library_ref",
)
_MESSAGE = ("channel", "direction", "sender", "recipients", "thread_ref")
_INTAKE = (
    "module_type",
    "module_port_level",
    "task_port_level",
    "capture_mode",
    "step_intent_level",
    "output_class_level",
    "task_level",
    "review_above_level",
    "high_value_candidate",
)
_RUN_END = ("completed_at", "total_cost_usd", "quality_summary", "raw_run_ref", "workflow_summary")


@dataclass(frozen=True, slots=True)
class EventKind:
    """`needs` and `takes` are fields of the record; `says` are inputs that become links or decisions."""

    name: str
    record: str
    description: str
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    sets: dict[str, Any] = field(default_factory=dict[str, Any])
    moment: str | None = None
    """The record's time that the event's own stands for, when it is not given."""
    counts: str | None = None
    """The record's field that counts such events."""
    rank: int = 5
    """Which of two events of the same moment is the later one."""
    step: str = "needed"
    """Whether the event names an activation: needed, optional or none."""
    fills: bool = True
    """Whether the record is known by this event, and not only named."""
    events: tuple[str, ...] = (FLOW,)


def _own(model: type[Record]) -> tuple[str, ...]:
    """The name of a record, and all that its type declares itself."""
    return ("name", *model.__annotations__)


def _run(name: str, description: str, **more: Any) -> EventKind:
    return EventKind(name, "Run", description, step="none", events=(FLOW, STATUS, LENS), **more)


def _activation(name: str, description: str, **more: Any) -> EventKind:
    return EventKind(name, "Activation", description, events=(FLOW, STATUS, LENS, QUICK_ACCESS), **more)


def _use(name: str, description: str, counts: str) -> EventKind:
    return EventKind(
        name,
        "Artifact",
        description,
        needs=("artifact_key",),
        says=("citing_artifact_key",) if counts == "cited_count" else (),
        counts=counts,
        step="none",
        fills=False,
        events=(INDEX,),
    )


def _document(how: str) -> EventKind:
    return EventKind(
        f"document_{how}",
        "Run",
        f"A document was {how}.",
        says=("item",),
        step="optional",
        fills=False,
        events=(INDEX, DELIVERABLES),
    )


_ALL = (
    _run(
        "run_started",
        "A run started, or started again after a crash.",
        takes=(
            "name",
            "task_name",
            "template_key",
            "blueprint_key",
            "trace_id",
            "started_at",
            "trigger_kind",
            "trigger_summary",
            "workflow_summary",
            "graph_snapshot_ref",
            "blueprint_snapshot_ref",
            "key_config_snapshot_ref",
            "raw_run_ref",
        ),
        says=("about", "goals", "fork"),
        sets={"phase": "running"},
        moment="started_at",
        rank=1,
    ),
    _run(
        "run_completed",
        "A run came to its end.",
        takes=_RUN_END,
        says=("advanced_goals",),
        sets={"phase": "completed"},
        moment="completed_at",
        rank=9,
    ),
    _run(
        "run_failed",
        "A run failed.",
        needs=("failure_code",),
        takes=("failure_summary", "failed_module_key", *_RUN_END),
        sets={"phase": "failed"},
        moment="completed_at",
        rank=8,
    ),
    _run(
        "run_cancelled",
        "A run was cancelled.",
        takes=_RUN_END,
        sets={"phase": "cancelled"},
        moment="completed_at",
        rank=7,
    ),
    _activation(
        "activation_started",
        "A module went to work.",
        takes=(*_STEP, "started_at", "model_ref", "agent_ref", "think_level", "input_summary", "input_bundle_ref"),
        says=("triggered_by",),
        sets={"status": "running"},
        moment="started_at",
        rank=1,
    ),
    _activation(
        "activation_waiting",
        "A module waits.",
        takes=(*_STEP, "waiting_since", "waiting_reason"),
        says=("gate_key",),
        sets={"status": "waiting"},
        moment="waiting_since",
        rank=2,
    ),
    _activation("activation_resumed", "A module that waited goes on.", takes=_STEP, sets={"status": "running"}, rank=3),
    _activation(
        "activation_completed",
        "A module did its work.",
        takes=(*_STEP, "started_at", "completed_at", *_WORK, *_BUNDLES),
        says=("triggered_by", "capabilities"),
        sets={"status": "success"},
        moment="completed_at",
        rank=9,
    ),
    _activation(
        "activation_failed",
        "A module failed.",
        needs=("error_code",),
        takes=(*_STEP, "started_at", "completed_at", "error_message", *_WORK, *_BUNDLES),
        says=("triggered_by", "capabilities"),
        sets={"status": "error"},
        moment="completed_at",
        rank=8,
    ),
    _activation(
        "activation_skipped",
        "A module was passed over.",
        takes=(*_STEP, "skip_reason"),
        sets={"status": "skipped"},
        moment="completed_at",
        rank=6,
    ),
    _activation(
        "activation_cancelled",
        "A module was cancelled.",
        takes=(*_STEP, "completed_at", *_WORK),
        sets={"status": "cancelled"},
        moment="completed_at",
        rank=7,
    ),
    EventKind(
        "span",
        "Span",
        "An operation inside a run, when it begins, when it ends, or both.",
        needs=("span_key", "status"),
        takes=(
            "span_kind",
            "tool_key",
            "tool_method",
            "name",
            "trace_id",
            "parent_span_key",
            "started_at",
            "completed_at",
            "input_ref",
            "output_ref",
            "summary",
            *_ERROR,
            "cost_usd",
            "input_tokens",
            "output_tokens",
            "model_ref",
            "agent_ref",
            "subagent_trace_ref",
            "idempotency_key",
            "tags",
        ),
        says=("snapshot_keys", "artifact_keys"),
        step="optional",
    ),
    EventKind(
        "artifact_produced",
        "Artifact",
        "A module made something, or something came in through it.",
        needs=("artifact_key", "artifact_kind"),
        takes=(*_ARTIFACT, *_MESSAGE),
        says=("derived_from", *_INTAKE),
        moment="produced_at",
        events=(INDEX, DELIVERABLES, QUICK_ACCESS),
    ),
    EventKind(
        "artifact_consumed",
        "Activation",
        "A module worked from an artifact, a document or a work product.",
        says=("item",),
        fills=False,
        events=(INDEX, DELIVERABLES),
    ),
    EventKind(
        "artifact_promoted",
        "Artifact",
        "Somebody had an artifact kept beyond its run.",
        needs=("artifact_key", "promoted_by"),
        takes=("promoted_at", "memory_ref", "document_ingestion_ref", "library_ref"),
        says=("promoted_level", "work_product_key", "work_product_name", "previous_work_product_key"),
        sets={"artifact_state": "promoted"},
        moment="promoted_at",
        step="none",
        fills=False,
        events=(INDEX, DELIVERABLES, "task.artifact.promotion.requested"),
    ),
    _use("artifact_opened", "Somebody opened an artifact.", "opened_count"),
    _use("artifact_bookmarked", "Somebody bookmarked an artifact.", "bookmarked_count"),
    _use("artifact_cited", "An artifact was cited.", "cited_count"),
    EventKind(
        "evaluation_evidence",
        "Artifact",
        "What a judge, an experiment or a check of claims found about an artifact.",
        needs=("artifact_key",),
        takes=(*_ARTIFACT, "score", "verdict"),
        says=("evidence_kind", "evaluated_artifact_key"),
        moment="produced_at",
        events=(INDEX, DELIVERABLES, QUICK_ACCESS),
    ),
    EventKind(
        "delivery",
        "Delivery",
        "Something was sent, saved or posted, or is about to be.",
        needs=("idempotency_key", "delivery_kind", "status"),
        takes=(
            "name",
            "delivery_key",
            "artifact_key",
            "destination_summary",
            "delivered_to",
            "delivered_at",
            "external_message_id",
            "saved_path",
            "open_url",
            "receipt_ref",
            "policy_approval_ref",
        ),
        says=("recipients_known", "snapshot_keys"),
        events=(DELIVERED, DELIVERABLES, QUICK_ACCESS),
    ),
    EventKind(
        "gate_opened",
        "Gate",
        "A run waits for a person, a signal or a time.",
        needs=("gate_key", "gate_kind"),
        takes=("name", "question", "opened_at", "deadline_at"),
        sets={"status": "open"},
        moment="opened_at",
        rank=1,
        events=(FLOW, STATUS, LENS),
    ),
    EventKind(
        "gate_decided",
        "Gate",
        "A gate was decided, or ran out of time.",
        needs=("gate_key", "status"),
        takes=("decided_at", "decided_by", "decision_note"),
        moment="decided_at",
        rank=9,
        events=(FLOW, STATUS, LENS),
    ),
    EventKind(
        "snapshot",
        "Snapshot",
        "What held at one moment: a prompt, capabilities, a policy decision, a configuration.",
        needs=("snapshot_key", "snapshot_kind"),
        takes=_own(Snapshot),
        moment="taken_at",
        step="optional",
        events=(INSPECTOR,),
    ),
    EventKind(
        "checkpoint",
        "Checkpoint",
        "A state was saved that the run can go on from.",
        needs=("checkpoint_key",),
        takes=_own(Checkpoint),
        moment="taken_at",
        step="optional",
        events=(INSPECTOR,),
    ),
    EventKind(
        "session",
        "Session",
        "The session that a module runs in, and whether it can be continued.",
        needs=("session_key", "session_kind", "continuation_status"),
        takes=_own(Session),
        events=(INSPECTOR,),
    ),
    EventKind(
        "intervention",
        "Intervention",
        "A person asked something of a module while it ran.",
        needs=("intervention_key", "intervention_kind", "supported_by_runtime", "applied"),
        takes=_own(Intervention),
        events=("task.module.intervention.recorded",),
    ),
    *(_document(how) for how in ("received", "downloaded", "opened")),
    EventKind(
        "native_event",
        "NativeEvent",
        "What an agent's own runtime said, by reference.",
        needs=("native_key", "native_event_kind", "native_event_ref", "mapping_status"),
        takes=_own(NativeEvent),
        step="optional",
        events=(INSPECTOR,),
    ),
)

KINDS: dict[str, EventKind] = {one.name: one for one in _ALL}
