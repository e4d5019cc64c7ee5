"""What is in a scope, by which evidence: plain functions over what was gathered.

A sentence of evidence names the bound record's own key or name at most: who may see a binding need not see the task,
the schedule or the surface that it came by.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graph_schema.context.words import Binding, BindingStatus, TriggerKind
from service.context.scope.inputs import RunScopeInput

Row = Mapping[str, Any]

PRINCIPAL = {one: rank for rank, one in enumerate(Binding)}
_OF_TRIGGER = {TriggerKind.email: Binding.email_bound, TriggerKind.schedule: Binding.schedule_bound}
OF_SURFACES = (Binding.selected_surface_context, Binding.inherited_from_launch_surface)
_SAVED = {
    "task": (Binding.explicit_task_scope, "Saved with the task."),
    "template": (Binding.template_bound, "Saved with the task's template."),
    "blueprint": (Binding.blueprint_bound, "Saved with the task's blueprint."),
    "run": (Binding.explicit_task_scope, "The run was reported to pursue it."),
}
_MOST_REASONS = 3


@dataclass(frozen=True, slots=True)
class Tie:
    """One record of a scope, how it came to be there, and whether it really is."""

    record: Row
    via: Binding
    evidence: str
    confidence: float = 1.0
    status: BindingStatus = BindingStatus.bound
    role: str | None = None

    @property
    def is_bound(self) -> bool:
        return self.status is BindingStatus.bound

    @property
    def matters(self) -> frozenset[str]:
        return frozenset(self.record["matter_ids"])

    def properties(self) -> dict[str, Any]:
        told = {"via": self.via, "evidence": self.evidence, "confidence": self.confidence, "status": self.status}
        return {**{name: str(one) if name != "confidence" else one for name, one in told.items()}, **self._role()}

    def _role(self) -> dict[str, str]:
        return {"role": self.role} if self.role else {}


def via_of(kind: TriggerKind | None) -> Binding:
    """How what a trigger's own evidence names is bound."""
    return _OF_TRIGGER.get(kind, Binding.trigger_resolved) if kind else Binding.trigger_resolved


def explicit(asked: RunScopeInput, gathered: Row) -> list[Tie]:
    """What somebody said outright: the user, the saved task, the schedule, the surfaces, the run itself."""
    named = {row["handle"]: row for row in gathered["named"]}
    return [
        *_chosen(asked, named),
        *_saved(asked, gathered),
        *_of_trigger(asked, named),
        *(Tie(one, Binding.explicit_task_scope, "The run was reported to be about it.") for one in gathered["about"]),
        *_surfaces(asked, named),
        *(
            Tie(one["record"], Binding.schedule_bound, "Carried forward from the run before, as the schedule says.",
                role=one["role"])
            for one in gathered["prior"]
        ),
    ]  # fmt: skip


def _chosen(asked: RunScopeInput, named: Mapping[str, Row]) -> Iterator[Tie]:
    for ref in asked.select:
        yield Tie(named[str(ref)]["record"], Binding.manual_user_selected, "Picked by the user for this run.")
    for ref in asked.directives:
        row = named[str(ref)]
        yield Tie(row["record"], Binding.explicit_task_scope, "The directive that the run was invoked by.")
        for one in row["leads_to"]:
            yield Tie(one, Binding.explicit_task_scope, "Saved with the directive that the run was invoked by.")


def _saved(asked: RunScopeInput, gathered: Row) -> Iterator[Tie]:
    mapping = via_of(asked.trigger.kind if asked.trigger else None), "Saved with the module that took the trigger."
    for row in (*gathered["saved"], *gathered["goals"], *gathered["presets"]):
        via, evidence = _SAVED.get(row["part"], mapping)
        yield Tie(row["record"], via, evidence, role=row.get("role"))
    for row in gathered["templates"]:
        yield Tie(row["record"], Binding.template_bound, "The template of the run.")


def _of_trigger(asked: RunScopeInput, named: Mapping[str, Row]) -> Iterator[Tie]:
    trigger = asked.trigger
    if trigger is None:
        return
    for ref in trigger.email.attachments if trigger.email else ():
        yield Tie(named[str(ref)]["record"], Binding.email_bound, "Attached to the email.", role="attachment")
    if trigger.schedule:
        for one in named[str(trigger.schedule.schedule)]["leads_to"]:
            yield Tie(one, Binding.schedule_bound, "Saved with the schedule.")
    if trigger.run:
        record = named[str(trigger.run)]["record"]
        yield Tie(record, Binding.trigger_resolved, "The run whose end began this one.", role="completed_run")


def _surfaces(asked: RunScopeInput, named: Mapping[str, Row]) -> Iterator[Tie]:
    for refs, via, how in (
        (asked.selected_surfaces, Binding.selected_surface_context, "the user selected"),
        (asked.inherited_surfaces, Binding.inherited_from_launch_surface, "the run inherits"),
    ):
        for ref in refs:
            row = named[str(ref)]
            yield Tie(row["record"], via, f"A surface that {how}.", role="surface")
            for one in row["leads_to"]:
                yield Tie(one, via, f"Shown on a surface that {how}.")


def settled(ties: Iterable[Tie], excluded: Iterable[str]) -> list[Tie]:
    """Each record once, by its strongest binding, without what the user keeps out."""
    out = {*excluded}
    found: dict[str, Tie] = {}
    for tie in ties:
        if not _is_out(tie, out):
            held = found.get(tie.record["id"])
            found[tie.record["id"]] = _stronger(held, tie) if held else tie
    return sorted(found.values(), key=lambda one: (PRINCIPAL[one.via], one.record["name"], one.record["id"]))


def source_sets(ties: Iterable[Tie]) -> list[str]:
    return [tie.record["id"] for tie in ties if tie.is_bound and tie.record["kind"] == "source_set"]


def parts_of(ties: Sequence[Tie], found: Iterable[Row]) -> list[Tie]:
    """What is in the source sets of a scope is in it too, in the same way."""
    parts = {row["of"]: row["parts"] for row in found}
    return [
        Tie(part, tie.via, "Part of a source set in scope.", tie.confidence, role="source")
        for tie in ties
        for part in parts.get(tie.record["id"], ())
    ]


def _is_out(tie: Tie, excluded: set[str]) -> bool:
    return tie.record["id"] in excluded or bool(tie.matters & excluded)


def _stronger(one: Tie, other: Tie) -> Tie:
    first, second = sorted((one, other), key=lambda tie: (not tie.is_bound, PRINCIPAL[tie.via], tie.evidence))
    if not second.is_bound and first.is_bound:
        return first
    reasons = dict.fromkeys((*first.evidence.split(" Also: "), *second.evidence.split(" Also: ")))
    confidence = max(first.confidence, second.confidence)
    return replace(
        first,
        evidence=" Also: ".join(list(reasons)[:_MOST_REASONS]),
        confidence=confidence,
        role=first.role or second.role,
    )


def matters_of(ties: Iterable[Tie]) -> frozenset[str]:
    """The matters that bound records belong to; a matter carries its own id."""
    return frozenset(matter for tie in ties if tie.is_bound for matter in tie.matters)
