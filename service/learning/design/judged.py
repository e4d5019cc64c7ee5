"""What led to a design: its search for reuse, and the decision behind it. What becomes of the design judges them."""

from service.commands import RecordRef, State, Work
from service.learning.design.facts import SessionFacts


def judged(work: Work, facts: SessionFacts) -> list[State]:
    """As far as they are there, and whoever asks may see them."""
    return [state for one in facts.judged if (state := work.find(RecordRef(id=one), "session")) is not None]
