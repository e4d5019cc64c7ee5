"""Watching: a stream in which something new is to be noticed, or one thing that is to happen once (§4C.5)."""

from collections.abc import Iterator

from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.kinds import ModeEvidence
from service.routing.evidence.scene import Scene
from service.routing.words import Sentence


def watching(scene: Scene) -> Iterator[ModeEvidence]:
    """Who keeps an eye on something is told of it each time: that is not one thing that happens once."""
    simple = [found for found, sentence in scene.found(Kind.watch_once, "watch_simple") if _only_told(scene, sentence)]
    yield from simple
    if simple:
        return
    for kind in (Kind.watch_stream, Kind.watch_once):
        met = [found for found, sentence in scene.found(kind) if scene.wishes(sentence)]
        yield from met
        if met:
            return


def _only_told(scene: Scene, sentence: Sentence) -> bool:
    """`watch this page and tell me if it changes`: nothing is to be made of it, and it does not come again."""
    return scene.wishes(sentence) and not scene.works(sentence) and not scene.says("recurrence", sentence)
