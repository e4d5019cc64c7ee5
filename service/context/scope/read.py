"""A run's scope as people read it: what is in it, in groups, what is doubtful, and what began the run."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from graph_schema.context.words import Binding, BindingStatus, LaunchSurface, SurfacePolicy, TriggerKind
from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.context.scope import cypher
from service.context.scope.binding import PRINCIPAL
from service.graph.database import Database
from service.notices import Notice, notices_of

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ScopeItem:
    """A record of a scope."""

    id: Annotated[str, "id", "Id of the record."]
    kind: Annotated[str, "Type of the record."]
    entity_kind: Annotated[str | None, "Of an entity: what it is in the world."]
    name: Annotated[str, "What people call it."]
    via: Annotated[Binding | None, "How it was bound; null for what is kept out, and for matters and origins."]
    evidence: Annotated[str | None, "On what evidence, in a sentence."]
    confidence: Annotated[float | None, "How sure that is, from 0 to 1."]
    role: Annotated[str | None, "What part it plays."]


Items = tuple[ScopeItem, ...]


@dataclass(frozen=True, slots=True)
class ResolvedScope:
    """What a run is about, by kind. Only what holds is here."""

    entity_refs: Annotated[Items, "Entities that are none of the following."]
    matter_refs: Annotated[Items, "The matters that it is about, bound or brought by what is bound."]
    work_product_refs: Annotated[Items, "Work products."]
    document_refs: Annotated[Items, "Documents."]
    library_refs: Annotated[Items, "Libraries."]
    source_set_refs: Annotated[Items, "Source sets."]
    task_template_refs: Annotated[Items, "Templates."]
    module_preset_refs: Annotated[Items, "Presets."]
    goal_refs: Annotated[Items, "Goals."]
    invocation_directive_refs: Annotated[Items, "Directives that it was invoked by."]
    other_refs: Annotated[Items, "Whatever else was picked, such as a run."]


@dataclass(frozen=True, slots=True)
class TriggerScope:
    """What began the run, and what its evidence resolved to."""

    trigger_id: Annotated[str, "id", "Id of the trigger."]
    trigger_module_id: Annotated[str | None, "The module that took it, as the executor calls it."]
    trigger_kind: Annotated[TriggerKind, "What kind of event it was."]
    correlation_key: Annotated[str | None, "What ties it to other events."]
    trigger_payload_ref: Annotated[str | None, "Where its payload is kept."]
    resolved_entity_refs: Annotated[Items, "Entities that its evidence resolved to."]
    resolved_document_refs: Annotated[Items, "Documents that its evidence resolved to."]
    resolved_library_refs: Annotated[Items, "Libraries that its evidence resolved to."]
    source_classification_refs: Annotated[tuple[str, ...], "Where its classification is kept."]
    confidence: Annotated[float, "How sure the least sure of its bindings is; 0 when there is none."]


@dataclass(frozen=True, slots=True)
class ScheduleScope:
    """The turn of a schedule that began the run."""

    schedule_id: Annotated[str | None, "What the scheduler calls it; null when you may not see the schedule."]
    recurrence_rule: Annotated[str | None, "How it recurs."]
    saved_scope_refs: Annotated[Items, "What is bound by the schedule."]
    last_run_scope_ref: Annotated[str | None, "id", "The scope of the task's run before, a ScopeEnvelope."]
    run_window_start: Annotated[str | None, "timestamp", "From when its turn counts."]
    run_window_end: Annotated[str | None, "timestamp", "Until when."]
    carry_forward_scope_from_prior_run: Annotated[bool | None, "Whether the scope of the run before is taken over."]


@dataclass(frozen=True, slots=True)
class EmailScope:
    """The email that began the run."""

    email_account_ref: Annotated[str | None, "The account."]
    mailbox_or_folder_ref: Annotated[str | None, "The folder."]
    message_id: Annotated[str | None, "The message."]
    thread_id: Annotated[str | None, "The thread."]
    sender_ref: Annotated[ScopeItem | None, "Who sent it, if that is known."]
    recipient_refs: Annotated[Items, "Who it was sent to, as far as known."]
    subject_summary: Annotated[str | None, "Its subject."]
    body_summary: Annotated[str | None, "What it says, in a few sentences."]
    attachment_refs: Annotated[Items, "Its attachments."]
    document_ingestion_result_refs: Annotated[tuple[str, ...], "Where the results of reading them are kept."]
    source_classification_refs: Annotated[tuple[str, ...], "Where its classification is kept."]
    new_case_or_matter_candidate_refs: Annotated[Items, "Matters that it may be about."]


@dataclass(frozen=True, slots=True)
class BroadBounds:
    """What a broad scope looks at. With nothing here, its text bounds it."""

    entity_refs: Annotated[Items, "Things, with what belongs to them and what is about them."]
    library_refs: Annotated[Items, "Libraries."]
    kinds: Annotated[tuple[str, ...], "Kinds of record; none means all that can be looked at."]
    since: Annotated[str | None, "timestamp", "From when on."]
    until: Annotated[str | None, "timestamp", "Until when."]


@dataclass(frozen=True, slots=True)
class RunScope:
    """What a run is about, as far as you may see it."""

    envelope_id: Annotated[str, "id", "Id of the envelope."]
    task_id: Annotated[str | None, "id", "Id of its task."]
    run_id: Annotated[str, "id", "Id of the run."]
    launch_surface: Annotated[LaunchSurface, "What it was launched from."]
    launch_surface_ref: Annotated[str | None, "Where that surface is kept."]
    surface_context_policy: Annotated[SurfacePolicy, "What it may take over from a surface."]
    policy_source: Annotated[str, "Where that policy comes from."]
    inherited_surface_context_refs: Annotated[Items, "Surfaces that it inherits."]
    selected_surface_context_refs: Annotated[Items, "Surfaces that were selected for it."]
    resolved_scope: Annotated[ResolvedScope, "What it is about, by kind."]
    candidates: Annotated[Items, "What it may be about; doubtful, so it gives nothing."]
    excluded: Annotated[Items, "What the user keeps out of it."]
    trigger_scope: Annotated[TriggerScope | None, "What began it."]
    schedule_scope: Annotated[ScheduleScope | None, "The turn of a schedule that began it."]
    email_scope: Annotated[EmailScope | None, "The email that began it."]
    broad_scope: Annotated[str | None, "What a task of broad scope declares."]
    broad_bounds: Annotated[BroadBounds | None, "The same in particular; null where the scope is not broad."]
    visibility_ceiling: Annotated[DataClass, "The strictest class that its modules may be given."]
    policy_snapshot_ref: Annotated[str | None, "id", "The policies that held, a Snapshot."]
    source_visibility_snapshot_ref: Annotated[
        str | None, "id", "What the run could see of its sources, the Snapshot that was reported of it last."
    ]
    warnings: Annotated[tuple[Notice, ...], "What is doubtful."]
    created_at: Annotated[str, "timestamp", "When it was settled."]


class RunScopes:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_run(self, viewer: Viewer, run: RecordRef) -> RunScope | None:
        run.check("run", "Run")
        row = await self._database.read_one(
            cypher.RUN_SCOPE, id=run.id, source=run.source, key=run.key, audiences=viewer.audiences
        )
        return _shown(row) if row else None


class _Bound:
    """The bindings that the viewer may see, strongest first."""

    def __init__(self, rows: Iterable[Row]) -> None:
        ordered = sorted(
            rows, key=lambda one: (PRINCIPAL[Binding(one["link"]["via"])], one["record"]["name"], one["record"]["id"])
        )
        self.holding = [_item(one["record"], one["link"]) for one in ordered if _holds(one)]
        self.doubtful = tuple(_item(one["record"], one["link"]) for one in ordered if not _holds(one))

    def of(self, fits: Callable[[ScopeItem], bool]) -> Items:
        return tuple(one for one in self.holding if fits(one))

    def kind(self, label: str) -> Items:
        return self.of(lambda one: one.kind == label)

    def entities(self, kind: str) -> Items:
        return self.of(lambda one: one.entity_kind == kind)


_GROUPED = frozenset({"matter", "document", "library", "source_set"})
_LABELLED = frozenset({"Entity", "WorkProduct", "Template", "Preset", "Goal", "Directive", "SurfaceContext"})
_OF_EVENT = frozenset({Binding.trigger_resolved, Binding.email_bound, Binding.schedule_bound})


def _holds(row: Row) -> bool:
    return row["link"]["status"] == BindingStatus.bound


def _shown(row: Row) -> RunScope:
    envelope, bound = row["envelope"], _Bound(row["bound"])
    trigger = row["trigger"][0] if row["trigger"] else None
    return RunScope(
        envelope_id=envelope["id"],
        task_id=row["task_id"],
        run_id=row["run"]["id"],
        launch_surface=LaunchSurface(envelope["launch_surface"]),
        launch_surface_ref=envelope.get("launch_surface_ref"),
        surface_context_policy=SurfacePolicy(envelope["surface_context_policy"]),
        policy_source=envelope["policy_source"],
        inherited_surface_context_refs=_surfaces(bound, Binding.inherited_from_launch_surface),
        selected_surface_context_refs=_surfaces(bound, Binding.selected_surface_context),
        resolved_scope=_resolved(bound, tuple(_item(one) for one in row["matters"])),
        candidates=bound.doubtful,
        excluded=tuple(_item(one) for one in row["excluded"]),
        trigger_scope=_trigger(trigger, bound) if trigger else None,
        schedule_scope=_schedule(trigger, bound, row["before"])
        if trigger and trigger["trigger_kind"] == "schedule"
        else None,
        email_scope=_email(trigger, bound) if trigger and trigger["trigger_kind"] == "email" else None,
        broad_scope=envelope.get("broad_scope"),
        broad_bounds=_bounds(envelope, tuple(_item(one) for one in row["reaches"])),
        visibility_ceiling=DataClass(envelope["visibility_ceiling"]),
        policy_snapshot_ref=next(iter(row["snapshot"]), None),
        source_visibility_snapshot_ref=row["source_visibility"],
        warnings=notices_of(envelope["warnings"]),
        created_at=envelope["created_at"],
    )


def _bounds(envelope: Row, reaches: Items) -> BroadBounds | None:
    if not envelope.get("broad_scope"):
        return None
    return BroadBounds(
        entity_refs=tuple(one for one in reaches if one.entity_kind != "library"),
        library_refs=tuple(one for one in reaches if one.entity_kind == "library"),
        kinds=tuple(envelope.get("broad_kinds") or ()),
        since=envelope.get("broad_since"),
        until=envelope.get("broad_until"),
    )


def _surfaces(bound: _Bound, via: Binding) -> Items:
    return bound.of(lambda one: one.kind == "SurfaceContext" and one.via is via)


def _resolved(bound: _Bound, matters: Items) -> ResolvedScope:
    known = {one.id: one for one in bound.entities("matter")}
    return ResolvedScope(
        entity_refs=bound.of(lambda one: one.kind == "Entity" and one.entity_kind not in _GROUPED),
        matter_refs=tuple(known.get(one.id, one) for one in matters),
        work_product_refs=bound.kind("WorkProduct"),
        document_refs=bound.entities("document"),
        library_refs=bound.entities("library"),
        source_set_refs=bound.entities("source_set"),
        task_template_refs=bound.kind("Template"),
        module_preset_refs=bound.kind("Preset"),
        goal_refs=bound.kind("Goal"),
        invocation_directive_refs=bound.kind("Directive"),
        other_refs=bound.of(lambda one: one.kind not in _LABELLED),
    )


def _trigger(trigger: Row, bound: _Bound) -> TriggerScope:
    def resolved(fits: Callable[[ScopeItem], bool]) -> Items:
        return bound.of(lambda one: one.kind == "Entity" and one.via in _OF_EVENT and fits(one))

    return TriggerScope(
        trigger_id=trigger["id"],
        trigger_module_id=trigger.get("trigger_module_key"),
        trigger_kind=TriggerKind(trigger["trigger_kind"]),
        correlation_key=trigger.get("correlation_key"),
        trigger_payload_ref=trigger.get("payload_ref"),
        resolved_entity_refs=resolved(lambda one: one.entity_kind not in {"document", "library"}),
        resolved_document_refs=resolved(lambda one: one.entity_kind == "document"),
        resolved_library_refs=resolved(lambda one: one.entity_kind == "library"),
        source_classification_refs=tuple(trigger.get("source_classification_refs") or ()),
        confidence=trigger.get("confidence") or 0.0,
    )


def _schedule(trigger: Row, bound: _Bound, before: str | None) -> ScheduleScope:
    found = next((one for one in trigger["from"] if "Schedule" in one["labels"]), dict[str, Any]())
    return ScheduleScope(
        schedule_id=found.get("schedule_id"),
        recurrence_rule=found.get("recurrence_rule"),
        saved_scope_refs=bound.of(lambda one: one.via is Binding.schedule_bound),
        last_run_scope_ref=before,
        run_window_start=trigger.get("run_window_start"),
        run_window_end=trigger.get("run_window_end"),
        carry_forward_scope_from_prior_run=found.get("carry_forward_scope_from_prior_run"),
    )


def _email(trigger: Row, bound: _Bound) -> EmailScope:
    senders = bound.of(lambda one: one.role == "sender")
    return EmailScope(
        email_account_ref=trigger.get("email_account"),
        mailbox_or_folder_ref=trigger.get("mailbox"),
        message_id=trigger.get("message_id"),
        thread_id=trigger.get("thread_id"),
        sender_ref=senders[0] if senders else None,
        recipient_refs=bound.of(lambda one: one.role == "recipient"),
        subject_summary=trigger.get("thread_subject"),
        body_summary=trigger.get("payload_summary"),
        attachment_refs=bound.of(lambda one: one.role == "attachment"),
        document_ingestion_result_refs=tuple(trigger.get("ingestion_result_refs") or ()),
        source_classification_refs=tuple(trigger.get("source_classification_refs") or ()),
        new_case_or_matter_candidate_refs=tuple(one for one in bound.doubtful if one.entity_kind == "matter"),
    )


def _item(record: Row, link: Row | None = None) -> ScopeItem:
    told = link or {}
    label = REGISTRY.label_of(record["labels"])
    return ScopeItem(
        id=record["id"],
        kind=label,
        entity_kind=record.get("kind") if label == "Entity" else None,
        name=record["name"],
        via=Binding(told["via"]) if told else None,
        evidence=told.get("evidence"),
        confidence=told.get("confidence"),
        role=told.get("role"),
    )
