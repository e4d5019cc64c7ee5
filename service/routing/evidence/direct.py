"""What speaks for answering at once: it was asked for so, it is one action, or it is an ordinary question."""

from collections.abc import Iterator

from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.kinds import ModeEvidence
from service.routing.evidence.scene import Scene


def direct(scene: Scene) -> Iterator[ModeEvidence]:
    if not scene.said.spoken:
        yield ModeEvidence(Kind.nothing_said, why="The request has no words.")
        return
    for sentence in scene.sentences:
        for kind in (Kind.quick, Kind.no_task):
            if place := scene.words.find(kind.value, sentence.full):
                yield ModeEvidence(kind, words=place[0].strip())
    for kind in (Kind.conversation, Kind.single_tool, Kind.creative, Kind.vague, Kind.simple_ask):
        yield from (found for found, _ in scene.found(kind))
    yield from (
        ModeEvidence(Kind.plain_question, words=sentence.text) for sentence in scene.sentences if scene.asks(sentence)
    )
