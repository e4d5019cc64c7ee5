"""Explicit commands: run, set up, adapt, review, and questions about tasks as such."""

from collections.abc import Iterator

from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.kinds import ModeEvidence
from service.routing.evidence.scene import Scene
from service.routing.words import Sentence

_WISHES = (Kind.run_again, Kind.run_it, Kind.design_command, Kind.adapt_command, Kind.prompt_command)
_QUESTIONS = (Kind.review_command, Kind.fit_question)


def commands(scene: Scene) -> Iterator[ModeEvidence]:
    concept = [found for found, _ in scene.found(Kind.concept_question)]
    yield from concept
    if concept:
        return
    listed = [found for found, _ in scene.found(Kind.list_question, "lists_tasks")]
    yield from listed
    if listed:
        return
    for kind in _WISHES:
        yield from (
            found
            for found, sentence in scene.found(kind, named=True)
            if scene.wishes(sentence)
            and (kind is not Kind.adapt_command or scene.one(found))
            and not _off(scene, sentence)
        )
    for kind in _QUESTIONS:
        yield from (
            found for found, _ in scene.found(kind, named=True) if kind is Kind.fit_question or scene.one(found)
        )
    if any(one.whole for one in scene.targets):
        yield from (found for found, _ in scene.found(Kind.run_it, "run_named_it"))
    yield from (found for found, _ in scene.found(Kind.single_tool, "task_action", named=True))
    if scene.work_open:
        yield from (found for found, _ in scene.found(Kind.run_again, "do_again"))
    yield from _runs(scene)


def _runs(scene: Scene) -> Iterator[ModeEvidence]:
    """A verb with a word for a task after it, or with the name of one."""
    by_words = [
        found
        for found, sentence in scene.found(Kind.run_command, named=True)
        if scene.wishes(sentence) and not _off(scene, sentence)
    ]
    yield from by_words
    if by_words:
        return
    for sentence in scene.sentences:
        if (named := scene.with_name(sentence, "runs_named")) and not _off(scene, sentence):
            yield ModeEvidence(Kind.run_command, words=named.words)
    position = 0
    for sentence in scene.sentences:
        count = len(sentence.full.split())
        called = _called(scene, sentence, position)
        if called and scene.wishes(sentence) and not _off(scene, sentence):
            yield ModeEvidence(Kind.run_command, words=called)
        position += count


def _off(scene: Scene, sentence: Sentence) -> bool:
    return scene.called_off(scene.line(sentence))


def _called(scene: Scene, sentence: Sentence, position: int) -> str | None:
    """The verb and the name that follows it closely: `run complaint evaluation`."""
    words = sentence.full.split()
    for target in scene.targets:
        begins, ends = target.begins - position, target.ends - position
        if not (target.whole and target.kind in {"Task", "Template"} and 0 <= begins < len(words)):
            continue
        before = f" {' '.join(words[max(0, begins - 3) : begins])} "
        verb = scene.words.find("run_verb_before", before)
        if verb and not scene.negated(sentence.line, max(0, sentence.line.find(verb[0].strip()))):
            return f"{verb[0].strip()} … {' '.join(words[begins:ends])}"
    return None
