"""What a process has that an answer has not: gates, a trail, several outputs, depth against sources, a long way."""

from collections.abc import Iterator

from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.kinds import ModeEvidence
from service.routing.evidence.scene import Scene

_KINDS = (Kind.gates, Kind.audit, Kind.depth, Kind.sources, Kind.red_team, Kind.multi_step)
MANY = 20
"""So many documents are a long way; a few are not."""

YEARS = (1900, 2100)


def process(scene: Scene) -> Iterator[ModeEvidence]:
    for kind in _KINDS:
        yield from (found for found, sentence in scene.found(kind) if not scene.asks(sentence))
    for found, sentence in scene.found(Kind.long_running):
        if not scene.asks(sentence) and _many(found):
            yield found
    yield from (found for found, _ in scene.found(Kind.stakes))
    for sentence in scene.sentences:
        place = scene.works(sentence) if scene.wishes(sentence) else None
        if place and not scene.negated(sentence.line, place.start()):
            yield ModeEvidence(Kind.work, words=place[0].strip())


def _many(found: ModeEvidence) -> bool:
    """Of years there is one: `review the 2026 budget` is no long way."""
    numbers = [int(one) for one in (found.words or "").split() if one.isdigit()]
    return not numbers or any(one >= MANY and not YEARS[0] <= one <= YEARS[1] for one in numbers)
