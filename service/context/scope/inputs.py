"""What is said of a run's scope when it starts."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from graph_schema.context.words import LaunchSurface, SurfacePolicy, TriggerKind
from graph_schema.model.fields import DataClass
from service.commands import RecordRef

Refs = tuple[RecordRef, ...]


@dataclass(frozen=True, slots=True)
class EmailEvidence:
    account: str | None = None
    mailbox: str | None = None
    message_id: str | None = None
    thread_id: str | None = None
    subject: str | None = None
    sender: str | None = None
    recipients: tuple[str, ...] = ()
    attachments: Refs = ()
    ingestion_result_refs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScheduleEvidence:
    schedule: RecordRef
    run_window_start: str | None = None
    run_window_end: str | None = None


@dataclass(frozen=True, slots=True)
class TriggerEvidence:
    """What began the run. `run` is the one whose end did; `payload_summary` of an email is what its body says."""

    kind: TriggerKind
    module_key: str | None = None
    correlation_key: str | None = None
    payload_ref: str | None = None
    payload_summary: str | None = None
    source_classification_refs: tuple[str, ...] = ()
    email: EmailEvidence | None = None
    schedule: ScheduleEvidence | None = None
    run: RecordRef | None = None


@dataclass(frozen=True, slots=True)
class ScopeInput:
    run: RecordRef
    launch_surface: LaunchSurface | None = None
    launch_surface_ref: str | None = None
    surface_context_policy: SurfacePolicy | None = None
    inherited_surfaces: Refs = ()
    selected_surfaces: Refs = ()
    select: Refs = ()
    exclude: Refs = ()
    directives: Refs = ()
    broad_scope: str | None = None
    environment: str | None = None
    task_type: str | None = None
    domains: tuple[str, ...] | None = None
    visibility_ceiling: DataClass | None = None
    trigger: TriggerEvidence | None = None

    def content(self) -> dict[str, Any]:
        """All that makes it this scope and no other."""
        return asdict(self)

    def named(self) -> Iterator[tuple[str, RecordRef, tuple[str, ...]]]:
        """Every record that it names: the field, the reference, and the kinds that fit there."""
        for field, kind in _LISTS.items():
            yield from ((field, one, kind) for one in getattr(self, field))
        if self.trigger and self.trigger.email:
            yield from (("trigger.email.attachments", one, ("Entity",)) for one in self.trigger.email.attachments)
        if self.trigger and self.trigger.schedule:
            yield "trigger.schedule.schedule", self.trigger.schedule.schedule, ("Schedule",)
        if self.trigger and self.trigger.run:
            yield "trigger.run", self.trigger.run, ("Run",)


_LISTS: dict[str, tuple[str, ...]] = {
    "inherited_surfaces": ("SurfaceContext",),
    "selected_surfaces": ("SurfaceContext",),
    "select": (),
    "exclude": (),
    "directives": ("Directive",),
}
