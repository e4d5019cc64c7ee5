"""What steps could use, what they used, and how that went. Nothing that somebody chose goes in silence."""

from collections.abc import Iterator

from graph_schema.learning.assessment_words import FindingKind, FindingSeverity
from graph_schema.learning.proposal_words import Operation, ProposalKind
from graph_schema.learning.words import DesignSignalKind
from service.learning.assessments.actions import change, linked
from service.learning.assessments.facts import Assessed, Named
from service.learning.assessments.found import Found, Rule, Shown
from service.learning.proposals.inputs import ProposalInput
from service.memory.views.words import counted, listed

FAILS = 0.5
OFTEN = 2
"""Calls of a capability from which, and share of errors from which, it counts as failing."""


def _bound(about: Assessed, one: Named, relation: str) -> bool:
    return about.template is not None and (relation, one.id) in about.template.bound


def unused(about: Assessed) -> Iterator[Found]:
    """What was mounted and never called. That calls were not reported at all says nothing."""
    if not about.index.has_ended or not about.used:
        return
    for key, snapshots in sorted(about.mounted.items()):
        known = about.capabilities.get(key)
        if known is None or about.used.get(known.id, (0,))[0]:
            continue
        yield Found(
            statement=f"{known.name} was mounted and not used.",
            evidence=(known.id, *snapshots),
            severity=FindingSeverity.minor,
            better=f"Take {known.name} out of what this design may use, unless other requests need it."
            if _bound(about, known, "ALLOWS")
            else f"Mount {known.name} only where a step is to call it.",
            code="warning.capability_historically_unused",
            actions=_let_go(about, known),
            shows=_shown(about, known, DesignSignalKind.capability_unused),
        )


def _let_go(about: Assessed, one: Named) -> tuple[ProposalInput, ...]:
    """What a template allows can be let go by a proposal; what it requires somebody has chosen, and it stays."""
    if about.template is None or not _bound(about, one, "ALLOWS"):
        return ()
    less = linked("ALLOWS", one.id, Operation.unlink)
    because, effect = f"{one.name} was mounted and not used.", "Fewer tools are put before its modules."
    return (change(ProposalKind.task_template_update, about.template.id, because, effect, less, by=[about.id]),)


def _allow(about: Assessed, one: Named) -> tuple[ProposalInput, ...]:
    if about.template is None or any(_bound(about, one, each) for each in ("ALLOWS", "REQUIRES")):
        return ()
    because, effect = f"{one.name} was required and not mounted.", "What its steps need is there when it begins."
    more = linked("ALLOWS", one.id)
    return (change(ProposalKind.task_template_update, about.template.id, because, effect, more, by=[about.id]),)


def lacking(about: Assessed) -> Iterator[Found]:
    """What a step needed and was not given."""
    mounted = about.mounted
    for key, snapshots in sorted(about.snapshots_with("required_capabilities").items()):
        known = about.capabilities.get(key)
        if key in mounted or known is None:
            continue
        yield Found(
            statement=f"{known.name} was required and not mounted.",
            evidence=(known.id, *snapshots),
            severity=FindingSeverity.major,
            better=f"See that {known.name} is there before the run begins; a preflight tells.",
            actions=_allow(about, known),
            shows=_shown(about, known, DesignSignalKind.capability_needed),
        )


def failing(about: Assessed) -> Iterator[Found]:
    names = {one.id: one.name for one in about.index.facts.capabilities}
    for key, (calls, errors, steps) in sorted(about.used.items()):
        if calls >= OFTEN and errors / calls >= FAILS:
            yield Found(
                statement=f"{names[key]} failed in {errors:,} of {calls:,} calls.",
                evidence=(key, *steps),
                severity=FindingSeverity.major,
                better="Name another way for the step when it fails, and look at the tool's health.",
                code="warning.capability_historically_unreliable",
            )


def expansions(about: Assessed) -> Iterator[Found]:
    """What had to be added while it ran was missing in the design."""
    grown = [one for one in about.index.facts.spans if one.span_kind == "runtime_capability_expansion"]
    if grown:
        ordered = sorted(grown, key=lambda one: one.id)
        yield Found(
            statement=f"{counted(len(grown), 'capability was', 'capabilities were')} added while it ran: "
            f"{listed([one.name for one in ordered])}.",
            evidence=tuple(one.id for one in ordered),
            severity=FindingSeverity.minor,
            better="Allow beforehand what the modules turn out to need.",
            module_key=ordered[0].module_key if len(grown) == 1 else None,
        )


def _shown(about: Assessed, one: Named, kind: DesignSignalKind) -> Shown | None:
    return Shown(kind, (about.template.id, one.id)) if about.template else None


_C = FindingKind.capability
RULES = (
    Rule("capability_unused", 2, _C, unused),
    Rule("capability_lacking", 2, _C, lacking),
    Rule("capability_failing", 1, _C, failing),
    Rule("capability_added_late", 1, _C, expansions),
)
