"""What must hold of a scope, and what it takes over from a surface. Plain functions over facts."""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any

from graph_schema.context.relations import OPENABLE
from graph_schema.context.words import BACKGROUND, LaunchSurface, SurfacePolicy, TriggerKind
from graph_schema.memory.words import MemoryMode
from graph_schema.model.fields import DataClass
from service.access.audience import cleared, strictest
from service.access.viewer import Viewer
from service.commands.errors import ClassNotAllowed, InputInvalid, RecordMissing, WrongKind
from service.context.scope.binding import Tie
from service.context.scope.errors import SurfaceUnjustified, TriggerNoEvent, TriggerScopeMissing
from service.context.scope.inputs import RunScopeInput, TriggerEvidenceInput

Row = Mapping[str, Any]

RULES = "tasklore.scope/2"
BY_BLUEPRINT = "The blueprint declares a broad scope."


class ScopeWarning(StrEnum):
    """What is doubtful or unusual about a scope."""

    low_confidence = "warning.task_module_context_trigger_scope_low_confidence"
    broad_scope = "warning.task_module_context_broad_scope_declared"


LAUNCHES: dict[TriggerKind, tuple[LaunchSurface, ...]] = {
    TriggerKind.email: (LaunchSurface.email_trigger,),
    TriggerKind.schedule: (LaunchSurface.schedule_trigger,),
    TriggerKind.webhook: (LaunchSurface.webhook_trigger, LaunchSurface.external_event),
    TriggerKind.file_watcher: (LaunchSurface.file_watcher_trigger,),
    TriggerKind.discord: (LaunchSurface.external_event,),
    TriggerKind.forum_panel: (LaunchSurface.external_event,),
    TriggerKind.task_complete: (LaunchSurface.task_complete_trigger,),
    TriggerKind.manual_api: (LaunchSurface.manual_api,),
    TriggerKind.system_job: (LaunchSurface.ec_system_job,),
}
"""What a run is launched by when such an event began it; the first where nothing is said. The other kinds are none."""

TRIGGERED = frozenset(BACKGROUND) - {LaunchSurface.ec_system_job}
"""Launch surfaces that cannot be without a trigger. A job of the system may have its scope from its task alone."""

SURFACES = frozenset(
    {LaunchSurface.chat, LaunchSurface.task_ui, LaunchSurface.task_canvas, LaunchSurface.run_inspector}
)
_EXPLICIT = frozenset({SurfacePolicy.explicit_inherit, SurfacePolicy.explicit_selected})


def launch_surface(asked: RunScopeInput) -> LaunchSurface:
    trigger, surface = asked.trigger, asked.launch_surface
    if trigger is None:
        surface = surface or LaunchSurface.unknown
        if surface in TRIGGERED:
            raise TriggerScopeMissing("trigger", surface, "none is given")
        return surface
    possible = LAUNCHES.get(trigger.kind)
    if possible is None:
        raise TriggerNoEvent(trigger.kind)
    if surface is not None and surface not in possible:
        raise InputInvalid("launch_surface", f"a trigger of the kind {trigger.kind} launches as {possible[0]}")
    surface = surface or possible[0]
    _check_evidence(trigger, surface)
    return surface


def _check_evidence(trigger: TriggerEvidenceInput, surface: LaunchSurface) -> None:
    if (trigger.email is not None) != (trigger.kind is TriggerKind.email):
        raise TriggerScopeMissing("trigger.email", surface, "the evidence of an email and its kind do not go together")
    if (trigger.schedule is not None) != (trigger.kind is TriggerKind.schedule):
        raise TriggerScopeMissing("trigger.schedule", surface, "the schedule and the kind do not go together")
    if trigger.email and not (trigger.email.account and trigger.email.message_id):
        field = "message_id" if trigger.email.account else "account"
        raise TriggerScopeMissing(f"trigger.email.{field}", surface, f"its {field} is not said")
    if trigger.schedule and not trigger.schedule.run_window_start:
        raise TriggerScopeMissing("trigger.schedule.run_window_start", surface, "its turn has no beginning")
    if trigger.kind is TriggerKind.task_complete and trigger.run is None:
        raise TriggerScopeMissing("trigger.run", surface, "the run that ended is not named")
    told = (trigger.email, trigger.schedule, trigger.run, trigger.correlation_key, trigger.payload_ref)
    if surface in TRIGGERED and not any((*told, trigger.payload_summary)):
        raise TriggerScopeMissing("trigger.payload_summary", surface, "nothing of its event is said")


def check_surfaces(asked: RunScopeInput, surface: LaunchSurface) -> None:
    """Surfaces are taken over only by runs that somebody launched from one, and only where that is said."""
    policy = asked.surface_context_policy
    claimed = "inherited_surfaces" if asked.inherited_surfaces else "selected_surfaces"
    if surface in BACKGROUND and (asked.inherited_surfaces or asked.selected_surfaces or policy in _EXPLICIT):
        raise SurfaceUnjustified(
            claimed if asked.inherited_surfaces or asked.selected_surfaces else "surface_context_policy",
            f"A run that is launched by {surface} has no surface to take anything over from.",
            "Save what it needs with the task, its template or its schedule; or select the records themselves.",
        )
    if asked.inherited_surfaces and policy is not SurfacePolicy.explicit_inherit:
        raise SurfaceUnjustified(
            "inherited_surfaces",
            "Surfaces are inherited only when the run's policy says explicit_inherit.",
            "Set surface_context_policy to explicit_inherit if the user asked for it; else leave the surfaces out.",
        )
    if asked.selected_surfaces and policy not in _EXPLICIT:
        raise SurfaceUnjustified(
            "selected_surfaces",
            "Surfaces are selected only when the run's policy says explicit_selected.",
            "Set surface_context_policy to explicit_selected if the user picked them; else leave them out.",
        )
    _check_policy(asked, surface, policy)


def _check_policy(asked: RunScopeInput, surface: LaunchSurface, policy: SurfacePolicy | None) -> None:
    if policy is SurfacePolicy.explicit_inherit and (not asked.inherited_surfaces or surface not in SURFACES):
        raise SurfaceUnjustified(
            "surface_context_policy",
            "explicit_inherit needs a launch surface, and names what is inherited.",
            "Give inherited_surfaces and the surface that the run was launched from, or another policy.",
        )
    if policy is SurfacePolicy.explicit_selected and not asked.selected_surfaces:
        raise SurfaceUnjustified(
            "surface_context_policy",
            "explicit_selected names what was selected.",
            "Give selected_surfaces, or another policy.",
        )
    if policy is SurfacePolicy.trigger_bound and asked.trigger is None:
        raise TriggerScopeMissing("trigger", surface, "the policy trigger_bound needs one")


def surface_policy(
    asked: RunScopeInput, surface: LaunchSurface, *, mapped: bool, forbidden: bool
) -> tuple[SurfacePolicy, str]:
    """What the run may take over from a surface, and where that comes from. What a policy forbids nobody may claim."""
    if forbidden:
        if asked.inherited_surfaces or asked.selected_surfaces:
            raise SurfaceUnjustified(
                "inherited_surfaces" if asked.inherited_surfaces else "selected_surfaces",
                "A context policy forbids that anything comes from a surface.",
                "Leave the surfaces out, or have the policy changed.",
            )
        return SurfacePolicy.forbidden, "A context policy forbids it."
    if asked.surface_context_policy is not None:
        return asked.surface_context_policy, "As the run was launched."
    if surface in BACKGROUND and mapped:
        return SurfacePolicy.trigger_bound, "The mapping that is saved with the trigger says so."
    default = SurfacePolicy.none if surface in SURFACES else SurfacePolicy.not_applicable
    return default, f"The default of runs that are launched by {surface}."


def check_named(asked: RunScopeInput, gathered: Row, label_of: Callable[[Row], str]) -> None:
    """Every record that is named is there, is of the right kind, and is in use."""
    found = {row["handle"]: row for row in gathered["named"]}
    for field, ref, kinds in asked.named():
        row = found.get(str(ref))
        if row is None:
            raise RecordMissing(ref, field)
        label = label_of(row["record"])
        if kinds and label not in kinds:
            raise WrongKind(ref, field, " or ".join(kinds), label)
        if field != "exclude" and row["archived"]:
            raise InputInvalid(field, f"{ref} was put away and cannot be in a scope")
        if field == "select" and label == "SurfaceContext":
            raise SurfaceUnjustified(
                "select",
                f"{ref} is a surface; it is selected as such, with the policy that says so.",
                "Give it as selected_surfaces with explicit_selected, or select what it shows.",
            )
        if field in _OF_KIND and row["record"]["kind"] != _OF_KIND[field]:
            raise InputInvalid(field, f"{ref} is not a {_OF_KIND[field]}")
    both = {str(one) for one in asked.select} & {str(one) for one in asked.exclude}
    if both:
        raise InputInvalid("exclude", f"{min(both)} is selected, too")


_OF_KIND = {"trigger.email.attachments": "document", "broad_bounds.libraries": "library"}


def broad_scope(asked: RunScopeInput, blueprints: Iterable[Row]) -> str | None:
    """What the run declares to look at across matters; None where it stays within its own."""
    by_blueprint = BY_BLUEPRINT if any(one["broad_scope"] for one in blueprints) else None
    declared = asked.broad_scope or by_blueprint
    bounds = asked.broad_bounds
    if bounds is None:
        return declared
    if declared is None:
        raise InputInvalid("broad_scope", "bounds are given, and nothing says what is looked at within them")
    if others := {*bounds.kinds}.difference(OPENABLE):
        raise InputInvalid("broad_bounds.kinds", f"{min(others)} is none of {', '.join(OPENABLE)}")
    if bounds.since and bounds.until and bounds.until <= bounds.since:
        raise InputInvalid("broad_bounds.until", "is not after since")
    return declared


def ceiling(asked: RunScopeInput, viewer: Viewer, run: Row, bound: Iterable[Tie]) -> DataClass:
    """The strictest class that its modules may be given: what was asked for, else that of the run and what it binds."""
    if asked.visibility_ceiling is None:
        return strictest([run["data_class"], *(tie.record["data_class"] for tie in bound)])
    if not cleared(viewer.clearance, asked.visibility_ceiling):
        raise ClassNotAllowed("visibility_ceiling", asked.visibility_ceiling, viewer.clearance)
    return asked.visibility_ceiling


def is_private(run: Row) -> bool:
    return run["memory_mode"] in {MemoryMode.memory_incognito, MemoryMode.full_ephemeral_test}


def is_ephemeral(run: Row) -> bool:
    return run["memory_mode"] == MemoryMode.full_ephemeral_test
