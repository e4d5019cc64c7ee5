"""What people made of suggestions in the same class of context."""

from collections.abc import Iterator

from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.kinds import ModeEvidence
from service.routing.feedback.read import RoutingState


def learned(state: RoutingState) -> Iterator[ModeEvidence]:
    """Of a class that nobody has responded to, nothing is learned."""
    if state.muted:
        yield ModeEvidence(Kind.refused_before, why=state.why, record_id=next(iter(state.evidence_ids), None))
    elif state.boosted:
        yield ModeEvidence(Kind.accepted_before, why=state.why, record_id=next(iter(state.evidence_ids), None))
    if not state.may_suggest:
        shown = f"{state.suggestions_today} of this class and {state.suggestions_today_all} in all"
        yield ModeEvidence(Kind.asked_often, why=f"Enough was suggested within a day: {shown}.")
