"""All evidence that the words of a request give."""

from collections.abc import Callable, Iterator

from service.routing.evidence.background import background
from service.routing.evidence.commands import commands
from service.routing.evidence.direct import direct
from service.routing.evidence.kinds import ModeEvidence
from service.routing.evidence.outputs import outputs
from service.routing.evidence.process import process
from service.routing.evidence.recurrence import recurrence
from service.routing.evidence.runs import runs
from service.routing.evidence.scene import Scene
from service.routing.evidence.watching import watching

READERS: tuple[Callable[[Scene], Iterator[ModeEvidence]], ...] = (
    commands, runs, recurrence, watching, background, process, outputs, direct,
)  # fmt: skip


def of_words(scene: Scene) -> tuple[ModeEvidence, ...]:
    """Each thing once, in the order of the readers."""
    return tuple(dict.fromkeys(found for read in READERS for found in read(scene)))
