"""Whether a saved template fits: what matching says of the work, or that the request has its name in passing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graph_schema.library.words import MatchOutcome as Outcome
from service.matching.answer import MatchAnswer, MatchCandidate
from service.routing.evidence.kinds import FORMAL, ModeEvidence
from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.scene import CalledBy, Target

STRONG = 0.5
"""From here on it is likelier than not that one of those that are offered is meant."""

NAMED = 0.8
"""How surely a template is meant whose whole name stands in a request for a process, if matching knows no better."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """`sure`: the probability that any of them is meant; 0 when none is offered."""

    evidence: tuple[ModeEvidence, ...] = ()
    sure: float = 0.0
    offered: tuple[MatchCandidate, ...] = ()
    named: Target | None = None
    """The template whose name stands in the request, where that says more than the comparison."""


def fitting(found: MatchAnswer | None, targets: Sequence[Target], kinds: frozenset[Kind]) -> Fitting:
    if found is None:
        return Fitting()
    offered = () if found.outcome is Outcome.nothing_fits else found.recommended
    sure = found.any_fits if offered else 0.0
    named = next((one for one in targets if _named(one)), None)
    if named and kinds & FORMAL and sure < NAMED:
        why = f"The request has the name of {named.name}."
        return Fitting((ModeEvidence(Kind.template_match, named.words, why, named.id),), NAMED, offered, named)
    return Fitting(tuple(_evidence(found, offered, sure)), sure, offered)


def _named(one: Target) -> bool:
    """What was taught as a phrase is weighed by matching, and is no name in passing."""
    return one.kind == "Template" and one.whole and one.size > 1 and one.by is not CalledBy.phrase


def _evidence(found: MatchAnswer, offered: Sequence[MatchCandidate], sure: float) -> Iterator[ModeEvidence]:
    if not offered:
        yield ModeEvidence(Kind.template_none, why=found.explanation.partition(". ")[0] + ".")
        return
    best = offered[0]
    kind = Kind.template_match if found.outcome is Outcome.match or sure >= STRONG else Kind.template_close
    names = ", ".join(one.name for one in offered)
    yield ModeEvidence(kind, why=f"{names}: one of them is meant with a probability of {sure:.0%}.", record_id=best.id)
