"""All that evidence is read from: what was said, the facts that came with it, and the names that the graph knows."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from service.routing.evidence.kinds import EvidenceKind, ModeEvidence
from service.routing.words import Said, Sentence, Words
from service.words import STOP_WORDS


class CalledBy(StrEnum):
    """By what words a record is called."""

    own_name = "own_name"
    alias = "alias"
    phrase = "phrase"
    """One that was taught: it calls a task where something is to be run, or beside a word for a task."""


CALLED = frozenset({"Task", "Template", "Run"})
"""What can be run, asked about and have outputs."""


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
    bare: bool = False
    """Whether nothing but an article stands before it: `the review`, and not `the spec review`."""
    begins: int = 0
    ends: int = 0
    words: str = ""
    by: CalledBy = CalledBy.own_name
    recurring: bool = False
    task_name: str = ""
    """Of a run, and of what one has made, what its task is called."""
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

    @cached_property
    def with_names(self) -> dict[Sentence, str]:
        """Sentences that call a task by name, with a word for a task instead: what is said of tasks is said of it."""
        return dict(_with_names(self))

    def found(
        self, kind: EvidenceKind, phrases: str | None = None, *, named: bool = False
    ) -> Iterator[tuple[ModeEvidence, Sentence]]:
        """Where phrases of this kind stand, if nothing takes them back. `named`: a name counts as a word for a task."""
        name = phrases or kind.value
        for sentence in self.sentences:
            line = self.line(sentence) if named else sentence.line
            place = self.words.find(name, line)
            if place and not self.negated(line, place.start()):
                yield ModeEvidence(kind, words=place[0].strip()), sentence

    def with_name(self, sentence: Sentence, phrases: str) -> Target | None:
        """What a sentence calls by a bare name of several words, if one of the phrases is said of it."""
        for target, begins, ends in self.places[sentence]:
            words = sentence.full.split()
            if target.whole and target.size > 1 and target.kind in CALLED and target.by is not CalledBy.phrase:
                bare = words[:begins] if words[:begins][-1:] != ["the"] else words[: begins - 1]
                if self.words.find(phrases, f" {' '.join([*bare, 'the', 'task', *words[ends:]])} "):
                    return target
        return None

    @cached_property
    def places(self) -> dict[Sentence, list[tuple[Target, int, int]]]:
        """What each sentence calls, and the words of it that do."""
        found: dict[Sentence, list[tuple[Target, int, int]]] = {}
        position = 0
        for sentence in self.sentences:
            end = position + len(sentence.full.split())
            inside = [one for one in self.targets if position <= one.begins and one.ends <= end]
            found[sentence] = [(one, one.begins - position, one.ends - position) for one in inside]
            position = end
        return found

    def line(self, sentence: Sentence) -> str:
        """With a name replaced, its own words say nothing: `the client status letter` is no status."""
        return self.with_names.get(sentence) or sentence.line

    def negated(self, line: str, at: int) -> bool:
        """Whether a word just before it takes it back: `don't run the task`, and not `don't forget to run the task`."""
        return bool(self.words.find("negation", self.words.phrases["remember"].sub("", line[:at])))

    def called_off(self, line: str) -> bool:
        """Whether a sentence takes back at its end what it says before: `run it, but not today`."""
        return bool(self.words.find("called_off", line))

    def says(self, phrases: str, sentence: Sentence) -> bool:
        return bool(self.words.find(phrases, sentence.line))

    def works(self, sentence: Sentence) -> re.Match[str] | None:
        """Where work is wished for. `the build` and `an email` are things, and `we send` tells what is done."""
        return self.works_in(sentence.line)

    def works_in(self, line: str) -> re.Match[str] | None:
        for place in self.words.phrases["work"].finditer(line):
            before = line[: place.start()]
            last = before.split()[-1:]
            a_thing = self.words.find("a_thing", f" {' '.join([*last, place[0].strip()])} ")
            if not a_thing and not self.words.find("determiner", before):
                return place
        return None

    def definite(self, target: Target) -> bool:
        """Whether it is spoken of as something that is there: `the bed list`, and not `a bed list`."""
        return target.pointed or _has_article(self, self.said.spoken, target.begins)

    def one(self, found: ModeEvidence) -> bool:
        """Whether a task or run is meant, and not tasks as such: `a workflow`, `when you run it`."""
        return not self.words.find("no_task_meant", f" {found.words} ")

    def mentions(self, phrases: str) -> bool:
        """Whether any sentence has one of them, names being words for tasks."""
        return any(self.words.find(phrases, self.line(one)) for one in self.sentences)

    def asks(self, sentence: Sentence) -> bool:
        """Whether it is a question about the world, and no wish put as one."""
        found = self.words.find("plain_question", sentence.line)
        return bool(found) and not self.words.find("agent_wish", sentence.line)

    def tells(self, sentence: Sentence) -> bool:
        """Whether it only tells how things are: `we review contracts every week`."""
        found = self.words.find("statement", sentence.line)
        return bool(found) and not self.words.find("asks_politely", sentence.line)

    def wishes(self, sentence: Sentence) -> bool:
        return not self.asks(sentence) and not self.tells(sentence)


def _with_names(scene: Scene) -> Iterator[tuple[Sentence, str]]:
    for sentence in scene.sentences:
        line = _renamed(scene, sentence.full.split(), scene.places[sentence])
        if line is not None:
            stripped = len(sentence.full) - len(sentence.line)
            yield sentence, line[stripped:] if line[:stripped] == sentence.full[:stripped] else line


def _renamed(scene: Scene, words: Sequence[str], places: Sequence[tuple[Target, int, int]]) -> str | None:
    """The words with names replaced, from the end so that places stay right."""
    renamed, least = list(words), len(words) + 1
    for target, begins, ends in sorted(places, key=lambda one: (-one[2], one[1])):
        if ends <= least and _is_called(scene, words, target, begins):
            beside = ends < len(words) and scene.words.find("task_beside", f" {words[ends]} ")
            word = [] if beside else ["run" if target.kind == "Run" else "task"]
            renamed[begins:ends] = word if _has_article(scene, words, begins) else ["the", *word]
            least = begins
    return f" {' '.join(renamed)} " if least <= len(words) else None


def _is_called(scene: Scene, words: Sequence[str], target: Target, begins: int) -> bool:
    """Whether a name is meant as one: written so, or of several words and with an article before it."""
    between = words[begins : begins + target.ends - target.begins]
    said = len(between) if target.kind != "Run" else sum(one not in STOP_WORDS for one in between)
    if target.kind not in CALLED or not target.whole or said > target.size + 1:
        return False
    if target.by is CalledBy.phrase:
        return target.pointed
    return target.pointed or (target.size > 1 and _has_article(scene, words, begins))


def _has_article(scene: Scene, words: Sequence[str], begins: int) -> bool:
    return bool(scene.words.find("article", f" {' '.join(words[max(0, begins - 3) : begins])} "))
