"""What speaks for answering at once: it was asked for so, it is one action, or it is an ordinary question."""

from collections.abc import Iterator

from service.routing.evidence.kinds import Evidence
from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.scene import Scene


def direct(scene: Scene) -> Iterator[Evidence]:
    if not scene.said.spoken:
        yield Evidence(Kind.nothing_said, why="The request has no words.")
        return
    for sentence in scene.sentences:
        for kind in (Kind.quick, Kind.no_task):
            if place := scene.words.find(kind.value, sentence.full):
                yield Evidence(kind, words=place[0].strip())
    for kind in (Kind.conversation, Kind.single_tool, Kind.creative, Kind.vague, Kind.simple_ask):
        yield from (found for found, _ in scene.found(kind))
    yield from (
        Evidence(Kind.plain_question, words=sentence.text) for sentence in scene.sentences if scene.asks(sentence)
    )
