"""What is said of a run's scope when it starts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from graph_schema.context.relations import OPENABLE
from graph_schema.context.words import LaunchSurface, SurfacePolicy, TriggerKind
from graph_schema.model.fields import DataClass, Timestamp
from service.commands import RecordRef, meaning
from service.views import OrNull

Refs = OrNull[tuple[RecordRef, ...]]
Texts = OrNull[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class EmailEvidenceInput:
    """The email that began a run."""

    account: Annotated[str | None, "The account that it came to: its address or its name. Needed."] = None
    mailbox: Annotated[str | None, "The folder."] = None
    message_id: Annotated[str | None, "The message. Needed."] = None
    thread_id: Annotated[str | None, "The thread."] = None
    subject: Annotated[str | None, "Its subject."] = None
    sender: Annotated[str | None, "Who sent it: an address, or a name with an address."] = None
    recipients: Annotated[Texts, "Who it was sent to."] = ()
    attachments: Annotated[Refs, "Its attachments, entities of the kind document."] = ()
    ingestion_result_refs: Annotated[Texts, "Where the results of reading the attachments are kept."] = ()


@dataclass(frozen=True, slots=True)
class ScheduleEvidenceInput:
    """The turn of a schedule that began a run."""

    schedule: Annotated[RecordRef, "The schedule."]
    run_window_start: Annotated[Timestamp | None, "From when its turn counts. Needed."] = None
    run_window_end: Annotated[Timestamp | None, "Until when."] = None


@dataclass(frozen=True, slots=True)
class TriggerEvidenceInput:
    """What began a run. Its evidence decides what the run is about."""

    kind: Annotated[TriggerKind, "What kind of event it was."]
    module_key: Annotated[str | None, "The module that took it, as the executor calls it."] = None
    correlation_key: Annotated[str | None, "What ties it to other events."] = None
    payload_ref: Annotated[str | None, "Where its payload is kept."] = None
    payload_summary: Annotated[str | None, "What it said, in a few sentences; of an email, what its body says."] = None
    source_classification_refs: Annotated[Texts, "Where its classification is kept."] = ()
    email: Annotated[EmailEvidenceInput | None, "The email, when it was one."] = None
    schedule: Annotated[ScheduleEvidenceInput | None, "The schedule, when it was one."] = None
    run: Annotated[RecordRef | None, "The run whose end began this one."] = None


@dataclass(frozen=True, slots=True)
class BroadBoundsInput:
    """What a broad scope looks at: all that is given bounds it. With none of it, its text does."""

    entities: Annotated[
        Refs, "Matters, people and other things: these, what belongs to them and what is about them."
    ] = ()
    libraries: Annotated[Refs, "Libraries, entities of that kind. No other library is opened."] = ()
    kinds: Annotated[Texts, f"Kinds of record, of {', '.join(OPENABLE)}. None means all of these."] = ()
    since: Annotated[Timestamp | None, "From when on: starts of runs, else when records were made."] = None
    until: Annotated[Timestamp | None, "Until when."] = None


@dataclass(frozen=True, slots=True)
class RunScopeInput:
    """What is known of a run's scope when it starts."""

    run: Annotated[RecordRef, "The run. Its start must have been reported."]
    launch_surface: Annotated[
        LaunchSurface | None, "What it was launched from; without it, what the trigger says, else unknown."
    ] = None
    launch_surface_ref: Annotated[str | None, "Where that surface is kept."] = None
    surface_context_policy: Annotated[
        SurfacePolicy | None, "What it takes over from a surface; without it, the default of its launch surface."
    ] = None
    inherited_surfaces: Annotated[Refs, "Surfaces that it inherits; goes with explicit_inherit."] = ()
    selected_surfaces: Annotated[Refs, "Surfaces that the user selected, with explicit_selected."] = ()
    select: Annotated[Refs, "Records that the user picked for it."] = ()
    exclude: Annotated[
        Refs, "Records that the user keeps out of it, with all that is in them: a matter, a library, a surface, a task."
    ] = ()
    directives: Annotated[Refs, "Directives that it was invoked by."] = ()
    broad_scope: Annotated[
        str | None, "What a task of broad scope looks at across matters and libraries, in a sentence."
    ] = None
    broad_bounds: Annotated[BroadBoundsInput | None, "The same in particular."] = None
    environment: Annotated[str | None, "The task's environment.config, as JSON."] = None
    task_type: Annotated[str | None, "What type of task it is; without it, that of the task or its template."] = None
    domains: Annotated[tuple[str, ...] | None, "Fields of work; without them, those of the template."] = None
    visibility_ceiling: Annotated[
        DataClass | None,
        "The strictest class that its modules may be given; without it, that of the run and of what is bound.",
    ] = None
    trigger: Annotated[TriggerEvidenceInput | None, "What began it. Runs that a trigger launched need it."] = None

    def content(self, ids: Mapping[str, str]) -> dict[str, Any]:
        """All that makes it this scope and no other."""
        return meaning(self, ids)

    def named(self) -> Iterator[tuple[str, RecordRef, tuple[str, ...]]]:
        """Every record that it names: the field, the reference, and the kinds that fit there."""
        for field, kind in _LISTS.items():
            yield from ((field, one, kind) for one in getattr(self, field))
        if self.broad_bounds:
            yield from (("broad_bounds.entities", one, ("Entity",)) for one in self.broad_bounds.entities)
            yield from (("broad_bounds.libraries", one, ("Entity",)) for one in self.broad_bounds.libraries)
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
