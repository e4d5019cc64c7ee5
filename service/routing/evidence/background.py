"""Work beside the conversation: on its own, while the user does something else."""

from collections.abc import Iterator

from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.kinds import ModeEvidence
from service.routing.evidence.scene import Scene


def background(scene: Scene) -> Iterator[ModeEvidence]:
    beside = [found for found, sentence in scene.found(Kind.background) if scene.wishes(sentence)]
    yield from beside
    if beside:
        yield from (found for found, _ in scene.found(Kind.side_job))
