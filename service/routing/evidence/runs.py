"""Questions about runs, and requests for what they have made."""

from collections.abc import Iterator

from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.kinds import ModeEvidence
from service.routing.evidence.scene import Scene, Target

_MEANT = {"Task", "Template", "Run"}


def runs(scene: Scene) -> Iterator[ModeEvidence]:
    """Not of what is to be run first: `run it, then send me its output` asks for nothing that is there yet."""
    if scene.mentions("runs_first"):
        return
    for kind in (Kind.session_status, Kind.output_request, Kind.inspect_question):
        yield from (
            found
            for found, sentence in scene.found(kind, named=True)
            if (not scene.tells(sentence) or scene.asks(sentence)) and scene.one(found)
        )
    if scene.work_open or len(scene.sentences) == 1:
        for kind in (Kind.inspect_it, Kind.output_it):
            yield from (found for found, _ in scene.found(kind))
    yield from _by_name(scene)


def _is_made(scene: Scene, one: Target) -> bool:
    """Whether an output is called by its whole name, as something that is there."""
    if one.kind != "Artifact" or not one.whole:
        return False
    return one.pointed or scene.mentions("earlier") or (one.size > 1 and scene.definite(one))


def _by_name(scene: Scene) -> Iterator[ModeEvidence]:
    """`how is the Marex complaint going`: no word for a run, but the name of one."""
    meant = next((one for one in scene.targets if one.kind in _MEANT and one.whole and one.pointed), None)
    called = next((one for one in scene.targets if one.kind in _MEANT and one.whole and one.size > 1), None)
    made = next((one for one in scene.targets if _is_made(scene, one)), None)
    for sentence in scene.sentences:
        if bare := scene.with_name(sentence, "status_of_named"):
            yield ModeEvidence(Kind.inspect_question, words=bare.words, why=f"It names {bare.name}.")
        if meant and (status := scene.words.find("run_status", scene.line(sentence))):
            yield ModeEvidence(Kind.inspect_question, words=status[0].strip(), why=f"It names {meant.name}.")
        if called and (wanted := scene.words.find("wants_output", scene.line(sentence))):
            yield ModeEvidence(Kind.output_request, words=wanted[0].strip(), why=f"It names {called.name}.")
        if made and scene.words.find("output_verb", sentence.full) and not scene.tells(sentence):
            yield ModeEvidence(Kind.output_request, words=made.words, why=f"It names {made.name}.", record_id=made.id)
