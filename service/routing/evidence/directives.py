"""What was taught about such requests: invocation directives, met by a taught phrase or by meaning."""

from collections.abc import Sequence
from dataclasses import dataclass

from graph_schema.routing.words import InvocationPolicy as Policy
from service.routing.directives.rules import MatchedDirective
from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.kinds import ModeEvidence

LIKELY = 0.5
"""A directive that is met by meaning alone counts from here on."""


@dataclass(frozen=True, slots=True)
class Taught:
    """`policy` is what a phrase that was taught word for word asks for; what is only meant alike does not decide."""

    evidence: tuple[ModeEvidence, ...] = ()
    policy: Policy | None = None
    best: MatchedDirective | None = None
    holding: tuple[MatchedDirective, ...] = ()


def taught(found: Sequence[MatchedDirective]) -> Taught:
    holding = [one for one in found if one.against is None and (one.taught or one.probability >= LIKELY)]
    against = [one for one in found if one.against is not None and (one.taught or one.probability >= LIKELY)]
    best = next((one for one in holding if one.taught), next(iter(holding), None))
    evidence = [*(_for(one) for one in holding), *(_against(one) for one in against)]
    policy = best.invocation_policy if best and best.taught else None
    return Taught(tuple(evidence), policy, best, tuple(holding))


def _for(one: MatchedDirective) -> ModeEvidence:
    if one.invocation_policy is Policy.do_not_suggest_task:
        return ModeEvidence(Kind.directive_against, one.phrase, f"{one.name}: no task is to be suggested here.", one.id)
    return ModeEvidence(Kind.directive, one.phrase, f"{one.name}: {one.why}", one.id)


def _against(one: MatchedDirective) -> ModeEvidence:
    return ModeEvidence(Kind.directive_against, one.phrase, f"{one.name} does not hold: {one.against}", one.id)
