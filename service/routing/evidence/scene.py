"""All that evidence is read from: what was said, the facts that came with it, and the names that the graph knows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from service.routing.evidence.kinds import EvidenceKind, ModeEvidence
from service.routing.words import Said, Sentence, Words


@dataclass(frozen=True, slots=True)
class Target:
    """A record that could be meant: called by its name, open on the surface, or found by what it is about.

    `whole`: all words of its name stand together. `share`: the part of them that does. `pointed`: it is called as one
    calls a task, in quotes, with capitals, or beside a word for it. `begins` counts words of the instruction.
    """

    id: str
    kind: str
    name: str
    whole: bool = False
    size: int = 0
    """How many words of its name stand there."""
    share: float = 0.0
    pointed: bool = False
    misspelt: bool = False
    begins: int = 0
    ends: int = 0
    words: str = ""
    recurring: bool = False
    task_id: str | None = None
    started_at: str | None = None
    going_on: bool = False


@dataclass(frozen=True)
class Scene:
    said: Said
    words: Words
    work_open: bool = False
    """Whether a task or run is open where it was said."""
    targets: Sequence[Target] = field(default=())
    """What the request calls by name, best first."""

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        return self.said.sentences

    def found(self, kind: EvidenceKind, phrases: str | None = None) -> Iterator[tuple[ModeEvidence, Sentence]]:
        """Where phrases of this kind stand, if nothing takes them back."""
        name = phrases or kind.value
        for sentence in self.sentences:
            place = self.words.find(name, sentence.line)
            if place and not self.negated(sentence, place.start()):
                yield ModeEvidence(kind, words=place[0].strip()), sentence

    def negated(self, sentence: Sentence, at: int) -> bool:
        """Whether a word just before it takes it back: `don't run the task`."""
        return bool(self.words.find("negation", sentence.line[:at]))

    def says(self, phrases: str, sentence: Sentence) -> bool:
        return bool(self.words.find(phrases, sentence.line))

    def asks(self, sentence: Sentence) -> bool:
        """Whether it is a question about the world, and no wish put as one."""
        return bool(self.words.find("plain_question", sentence.line))

    def tells(self, sentence: Sentence) -> bool:
        """Whether it only tells how things are: `we review contracts every week`."""
        return bool(self.words.find("statement", sentence.line))

    def wishes(self, sentence: Sentence) -> bool:
        return not self.asks(sentence) and not self.tells(sentence)
