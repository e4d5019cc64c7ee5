"""Watching: a stream in which something new is to be noticed, or one thing that is to happen once (§4C.5)."""

from collections.abc import Iterator

from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.kinds import ModeEvidence
from service.routing.evidence.scene import Scene


def watching(scene: Scene) -> Iterator[ModeEvidence]:
    """Who keeps an eye on something is told of it each time: that is not one thing that happens once."""
    for kind in (Kind.watch_stream, Kind.watch_once):
        met = [found for found, sentence in scene.found(kind) if scene.wishes(sentence)]
        yield from met
        if met:
            return
