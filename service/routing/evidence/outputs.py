"""Several outputs at once (`an issue matrix, a red-team report and a revision plan`), or one made unattended."""

import re
from collections.abc import Iterator

from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.kinds import ModeEvidence
from service.routing.evidence.scene import Scene
from service.routing.words import Sentence

FEWEST = 2
_GIVEN = frozenset(
    [
        "this",
        "the",
        "these",
        "that",
        "those",
        "my",
        "our",
        "its",
        "their",
        "his",
        "her",
        "every",
        "each",
        "of",
        "from",
        "against",
    ]
)
_BEFORE = 3


def outputs(scene: Scene) -> Iterator[ModeEvidence]:
    """What is to be made, not what is there: `this complaint` is no output."""
    for sentence in scene.sentences:
        if scene.asks(sentence) or scene.tells(sentence):
            continue
        made = list(dict.fromkeys(_made(scene, sentence)))
        if len(made) >= FEWEST:
            yield ModeEvidence(Kind.many_outputs, words=", ".join(made))
        if made and any(scene.says("alone", one) for one in scene.sentences):
            yield ModeEvidence(Kind.output_alone, words=made[0])


def _made(scene: Scene, sentence: Sentence) -> Iterator[str]:
    for place in re.finditer(scene.words.phrases["output_noun"], sentence.line):
        before = sentence.line[: place.start()].split()[-_BEFORE:]
        if not _GIVEN & {*before}:
            yield place[0].strip()
