"""All that can be known of a request before anything is decided, asked for at once.

What is broken is left out, and said: without templates, directives or feedback a request is answered directly, and
what it commands is still recognised.
"""

import asyncio
from collections.abc import Awaitable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import TypeVar

from embeddings import EmbeddingError, EmbeddingQueue
from graph_schema.library.words import MatchOutcome
from graph_schema.routing.words import InvocationPolicy as Policy
from service.access.viewer import Viewer
from service.errors import TaskloreError
from service.graph.database import Database, Row
from service.matching.answer import MatchAnswer, NoticeCode
from service.matching.read import Matching
from service.matching.request import Asked, MatchRequest
from service.matching.request import asked as compared
from service.notices import Notice
from service.routing.agent.read import TaskAgentNow
from service.routing.decision.grounds import Compared
from service.routing.decision.look import Known, Looking, name_of_made
from service.routing.decision.request import TaskModeRequest
from service.routing.directives.read import Directives
from service.routing.directives.rules import MatchedDirective
from service.routing.evidence.directives import Taught, taught
from service.routing.evidence.gather import of_words
from service.routing.evidence.kinds import EXPLICIT, FORMAL, RECURS, ModeEvidence
from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.names import Name
from service.routing.evidence.scene import Scene
from service.routing.evidence.templates import STRONG, Fitting, fitting
from service.routing.words import Said, Words, said
from service.routing.words.said import line_of
from service.search.errors import SearchModelUnavailable

T = TypeVar("T")

COMPARED = FORMAL | RECURS | {
    Kind.work, Kind.vague, Kind.fit_question, Kind.design_command, Kind.adapt_command, Kind.background, Kind.multi_step,
}  # fmt: skip
"""A request without any of these is compared with no template: it names no work."""

NOT_COMPARED = frozenset({
    Kind.no_task, Kind.concept_question, Kind.inspect_question, Kind.inspect_it, Kind.output_request, Kind.output_it,
    Kind.session_status, Kind.broken_order,
})  # fmt: skip
"""These are decided without any template, whatever fits."""

LONG_CONVERSATION = 8
"""After so many turns somebody works here, and is not to be led elsewhere unasked."""

_ASKED = EXPLICIT | FORMAL | RECURS | {Kind.background}
_WITH_PRESETS = FORMAL | RECURS | {
    Kind.background, Kind.fit_question, Kind.design_command, Kind.adapt_command, Kind.prompt_command,
}  # fmt: skip
"""What a process is made of, and what a prompt is improved in: presets may fit it, too."""

_MEANS = {
    "directives_not_compared": "What was taught could not be compared, so that nothing but plain commands counts.",
    "templates_not_compared": "Saved templates could not be compared, so that none is suggested.",
    "presets_not_compared": "Presets could not be compared.",
    "feedback_not_read": "What people made of suggestions could not be read, so that it counts neither way.",
}


@dataclass(frozen=True)
class Found:
    """What was found, from whatever could be asked."""

    what: Said
    question: Asked
    scene: Scene
    spoken: tuple[ModeEvidence, ...]
    """What the words say, now that names are known."""
    known: Known
    taught: Taught
    templates: MatchAnswer | None
    presets: MatchAnswer | None
    missing: tuple[Notice, ...]
    turns: int | None = None
    compared: Compared | None = None
    """The comparison that the templates come from."""

    @property
    def agent(self) -> TaskAgentNow:
        return self.known.agent

    @cached_property
    def evidence(self) -> tuple[ModeEvidence, ...]:
        found = (*self.spoken, *noted(self.question))
        return (*found, *_under_way(self.turns, found))

    @cached_property
    def kinds(self) -> frozenset[Kind]:
        return frozenset(one.kind for one in self.evidence)

    @cached_property
    def fits(self) -> Fitting:
        return fitting(self.templates, self.known.targets, self.kinds)


class Sources:
    def __init__(
        self, database: Database, queue: EmbeddingQueue, matching: Matching, directives: Directives, words: Words
    ) -> None:
        self.looking = Looking(database)
        self.words = words
        self._queue = queue
        self._matching = matching
        self._directives = directives

    async def found(self, viewer: Viewer, request: TaskModeRequest, at: datetime | None) -> Found:
        what = said(request.text, self.words)
        question = compared(MatchRequest(text=what.instruction), at, viewer.principal_id)
        nameless = Scene(what, self.words)
        spoken = of_words(nameless)
        kinds = frozenset(one.kind for one in (*spoken, *noted(question)))
        wanted = bool(kinds & COMPARED) and not kinds & NOT_COMPARED
        missing: list[Notice] = []
        known, made, directives, templates, presets = await asyncio.gather(
            self.looking.known(viewer, request, what, self.words),
            self._made(viewer, nameless),
            or_without(self._taught(viewer, request, what), "directives_not_compared", missing),
            self._matched(viewer, request, what, at, missing, "Template", wanted=wanted),
            self._matched(viewer, request, what, at, missing, "Preset", wanted=wanted and bool(kinds & _WITH_PRESETS)),
        )
        further = (*map(name_of_made, made.values()), *_taught_names(directives or ()))
        known = known.called(further, made, what, self.words)
        scene = Scene(what, self.words, known.is_open, known.targets)
        if _doubtful(templates, what):
            templates = _better(templates, await self._whole(viewer, request, what, at, missing))
        holding = taught(directives or (), scene)
        return Found(
            what,
            question,
            scene,
            spoken if scene == nameless else of_words(scene),
            known,
            holding,
            templates.answer if templates else None,
            presets.answer if presets else None,
            tuple(missing),
            request.conversation_turns,
            templates,
        )

    async def _made(self, viewer: Viewer, scene: Scene) -> dict[str, Row]:
        """Runs and outputs, where somebody asks how one stands or for what was made."""
        phrases = ("run_status", "output_verb")
        if not any(self.words.find(one, sentence.full) for one in phrases for sentence in scene.sentences):
            return {}
        return await self.looking.made(viewer, scene.said)

    async def _taught(self, viewer: Viewer, request: TaskModeRequest, what: Said) -> tuple[MatchedDirective, ...]:
        """What is said is looked for in all of it, and compared with what the work is."""
        if not what.core:
            return ()
        try:
            vector = await self._queue.embed_query(what.core)
        except EmbeddingError as error:
            raise SearchModelUnavailable(error) from error
        entities = await self._entities(viewer, request)
        return await self._directives.matched(viewer, what.instruction, vector, entities=entities)

    async def _whole(
        self, viewer: Viewer, request: TaskModeRequest, what: Said, at: datetime | None, missing: list[Notice]
    ) -> Compared | None:
        """The whole instruction compared, where the clause that seems to name the work fits nothing surely."""
        whole = replace(what, core=what.instruction)
        return await self._matched(viewer, request, whole, at, missing, "Template", wanted=True)

    async def _matched(  # noqa: PLR0917
        self,
        viewer: Viewer,
        request: TaskModeRequest,
        what: Said,
        at: datetime | None,
        missing: list[Notice],
        kind: str,
        *,
        wanted: bool,
    ) -> Compared | None:
        if not wanted:
            return None
        given = MatchRequest(
            text=what.core,
            task_type=request.task_type,
            inputs=tuple(one.kind for one in request.attachments if one.kind) or None,
            capabilities=request.capabilities or None,
            denied_capabilities=request.denied_capabilities,
            entities=await self._entities(viewer, request) or None,
        )
        code = f"{kind.lower()}s_not_compared"
        answer = await or_without(self._matching.match(viewer, kind, given, at=at), code, missing)
        return Compared(given, answer) if answer is not None else None

    async def _entities(self, viewer: Viewer, request: TaskModeRequest) -> tuple[str, ...]:
        return await self._matching.ids_of(viewer, request.entities)


def _taught_names(found: Sequence[MatchedDirective]) -> Iterator[Name]:
    """What a taught phrase leads to is called by it."""
    for one in found:
        if one.taught and one.phrase and one.invocation_policy is not Policy.do_not_suggest_task:
            yield from (Name(each.id, each.kind, (each.name,), phrases=(one.phrase,)) for each in one.targets)


def _doubtful(found: Compared | None, what: Said) -> bool:
    return found is not None and found.answer.any_fits < STRONG and line_of(what.core) != line_of(what.instruction)


def _better(clause: Compared | None, whole: Compared | None) -> Compared | None:
    """The surer of two answers. What fits nothing is no answer to prefer."""
    known = [one for one in (clause, whole) if one is not None]
    return max(known, key=lambda one: _fits(one.answer), default=None)


def _fits(found: MatchAnswer) -> tuple[bool, float]:
    return found.outcome is not MatchOutcome.nothing_fits, found.any_fits


async def or_without(asked: Awaitable[T], code: str, missing: list[Notice]) -> T | None:
    """What was asked for; without it, when it cannot be had, and the answer says so."""
    try:
        return await asked
    except TaskloreError as error:
        missing.append(Notice(code, f"{_MEANS[code]} ({error.code})"))
        return None


def noted(question: Asked) -> tuple[ModeEvidence, ...]:
    found: list[ModeEvidence] = []
    if question.noted(NoticeCode.instructions_left_out):
        found.append(ModeEvidence(Kind.broken_order, why="A sentence tells the assistant to break its rules."))
    if question.noted(NoticeCode.other_language):
        found.append(ModeEvidence(Kind.other_language, why="The request seems not to be English."))
    return tuple(found)


def _under_way(turns: int | None, found: Sequence[ModeEvidence]) -> tuple[ModeEvidence, ...]:
    """A long conversation stays where it is, unless somebody asks for a task or for what only a task gives."""
    if turns is None or turns < LONG_CONVERSATION or _ASKED & {one.kind for one in found}:
        return ()
    return (ModeEvidence(Kind.conversation, why=f"The conversation has had {turns} turns."),)
