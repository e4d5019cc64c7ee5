"""Work that comes again: by the calendar, when something happens, or simply from now on."""

from collections.abc import Iterator

from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.kinds import ModeEvidence
from service.routing.evidence.scene import Scene
from service.routing.words import Sentence

_KINDS = (Kind.recurrence, Kind.going_forward, Kind.infrastructure, Kind.light_recurring)


def recurrence(scene: Scene) -> Iterator[ModeEvidence]:
    """Not where somebody asks or tells how often something happens, or reckons with it."""
    for kind in _KINDS:
        for found, sentence in scene.found(kind):
            if (
                scene.wishes(sentence)
                and not scene.says("computes", sentence)
                and not _shared_out(scene, sentence, found)
                and not _of_a_thing(scene, sentence, found)
                and not (kind is Kind.infrastructure and scene.says("for_people", sentence))
            ):
                yield found
    for found, sentence in scene.found(Kind.trigger):
        if scene.wishes(sentence) and scene.works(sentence):
            yield found


def _shared_out(scene: Scene, sentence: Sentence, found: ModeEvidence) -> bool:
    """`a dish for each day`: nothing comes again."""
    before = sentence.line[: sentence.line.find(f" {found.words} ") + 1]
    return found.kind is Kind.recurrence and bool(scene.words.find("distributes", before))


def _of_a_thing(scene: Scene, sentence: Sentence, found: ModeEvidence) -> bool:
    """`the sea that comes back every night`, `how many are taken each night`: it tells of a thing, and is no wish."""
    at = sentence.line.find(f" {found.words} ")
    clause = sentence.line[: at + 1].rpartition(" and ")[2]
    told = found.kind is Kind.recurrence and scene.words.find("tells_how_often", f" {clause.strip()} ")
    return bool(told) and not scene.works_in(sentence.line[at:])
