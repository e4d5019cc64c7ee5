"""What a task that is to be run works on, and whether that is missing.

Nothing is missing only because nobody has told of it: a caller need not say what was attached. It is where a first
turn points at something that did not come, and where all that came is of another kind.
"""

from collections.abc import Iterator, Sequence

from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.kinds import ModeEvidence
from service.routing.evidence.scene import Scene
from service.words import content_words, stems_of


def uncovered(needed: Sequence[str], attached: Sequence[str]) -> tuple[str, ...]:
    """The inputs of which no attachment has a word in its kind or name."""
    words = {*stems_of([word for one in attached for word in content_words(one.replace("_", " ").replace(".", " "))])}
    return tuple(one for one in needed if not words & {*stems_of(content_words(one.replace("_", " ")))})


def inputs(
    scene: Scene, needed: Sequence[str], attached: Sequence[str], *, kinds_told: bool, first_turn: bool
) -> Iterator[ModeEvidence]:
    """`attached`: names and kinds of what came. `kinds_told`: of each of them the kind was told."""
    if not needed or scene.work_open:
        return
    lacking = uncovered(needed, attached)
    if attached and kinds_told and len(lacking) == len(needed):
        yield ModeEvidence(Kind.input_missing, why=f"It works on {_listed(needed)}, and what came is {attached[0]}.")
    elif not attached and first_turn and not scene.said.has_material:
        pointed = next((found for found, _ in scene.found(Kind.input_missing, "points_at_material")), None)
        if pointed:
            yield ModeEvidence(Kind.input_missing, pointed.words, f"It works on {_listed(needed)}, and nothing came.")


def _listed(words: Sequence[str]) -> str:
    return " and ".join(one.replace("_", " ") for one in words[:2])
