"""Designs of the sample world: sessions, what was asked and said in them, what was proposed, and what was edited."""

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from itertools import pairwise
from typing import Any

import orjson

from graph_schema.learning.design_words import ConsideredAs, CreationMode, DesignOutcome, DesignSlot, QuestionVerdict
from service.access.viewer import Viewer
from service.capability import Services
from service.commands import Outcome, RecordRef
from service.learning.creation.commands import TrackedTasks
from service.learning.creation.inputs import TrackedTaskInput
from service.learning.design.drafts import GraphDraft
from service.learning.design.inputs import (
    AskedQuestion,
    DesignRequest,
    DesignUpdate,
    QuestionFeedback,
    SlotAnswer,
    SuggestionVerdict,
)
from service.learning.design.look import Candidate, Found
from service.learning.design.start import StartDesign
from service.learning.design.update import Brought, UpdateDesign
from service.library.blueprints import BlueprintInput, PartInput
from service.library.commands import Library
from service.library.graphs import CableInput, GraphInput, ModuleInput
from service.seeding.world import SampleDesign, SampleTurn

IdOf = Callable[[str], str]


async def load_design(
    one: SampleDesign, services: Services, viewer_now: Callable[[], Awaitable[Viewer]], id_of: IdOf
) -> list[Outcome]:
    """A session with all its turns. Without a model nothing is compared: what was looked at is told."""
    telling = _Telling(one, services, viewer_now, id_of)
    outcomes = [await telling.begin()]
    for number, turn in enumerate(one.turns):
        outcomes += await telling.turn(number, turn)
    return outcomes


class _Telling:
    def __init__(
        self, one: SampleDesign, services: Services, viewer_now: Callable[[], Awaitable[Viewer]], id_of: IdOf
    ) -> None:
        self._one = one
        self._services = services
        self._viewer_now = viewer_now
        self._id_of = id_of
        self._session = ""
        self._asked: dict[str, str] = {}

    async def begin(self) -> Outcome:
        one = self._one
        about = tuple(RecordRef(id=self._id_of(key)) for key in one.about)
        request = DesignRequest(
            text=one.said,
            user_request_ref=one.key,
            about=about,
            adapts=self._ref(one.adapts) if one.adapts else None,
            context_class=one.context_class,
            domain=one.domain,
        )
        found = Found(
            about=about,
            keeping=None,
            considered=tuple(
                Candidate(self._id_of(key), ConsideredAs(role), rank, because=because)
                for rank, (role, key, because) in enumerate(one.considered, 1)
            ),
            task_type=one.task_type,
            domain=one.domain,
            context_class=one.context_class,
            notices=(),
        )
        outcome = await self._services[StartDesign].begin(
            await self._viewer_now(), request, found, command_id=self._command("begin")
        )
        self._session = outcome.result["id"]
        return outcome

    async def turn(self, number: int, turn: SampleTurn) -> list[Outcome]:
        told = await self._tell(f"turn {number}", self._update(turn), turn)
        self._asked |= dict(zip(turn.asks, told.result["questions"], strict=True))
        outcomes = [told]
        if turn.task is not None:
            outcomes += await self._save(number, turn, turn.task)
        return outcomes

    async def _save(self, number: int, turn: SampleTurn, name: str) -> list[Outcome]:
        given = TrackedTaskInput(
            name=name,
            creation_mode=CreationMode.task_agent_proposed,
            session=RecordRef(id=self._session),
            reason_for_task_mode="It has several steps, and is done again.",
            user_visible_description=turn.description,
        )
        made = await self._services[TrackedTasks].track(
            await self._viewer_now(), given, command_id=self._command(f"task {number}")
        )
        task = RecordRef(id=made.result["task"])
        outcomes = [made]
        if turn.edited:
            drawn = await self._services[Library].save_graph(
                await self._viewer_now(), task, _graph(turn.edited), command_id=self._command(f"edit {number}")
            )
            outcomes.append(drawn)
        outcomes.append(await self._tell(f"end {number}", DesignUpdate(saved=task)))
        return outcomes

    async def _tell(self, place: str, update: DesignUpdate, turn: SampleTurn | None = None) -> Outcome:
        plan = _blueprint(turn.blueprint) if turn and turn.blueprint else None
        graph = GraphDraft(_graph(turn.modules)) if turn and turn.modules else None
        return await self._services[UpdateDesign].update(
            await self._viewer_now(),
            RecordRef(id=self._session),
            Brought(update, plan, graph),
            command_id=self._command(place),
        )

    def _update(self, turn: SampleTurn) -> DesignUpdate:
        verdicts = {slot: QuestionVerdict(said) for slot, said in turn.verdicts.items()}
        return DesignUpdate(
            questions=tuple(AskedQuestion(slot=DesignSlot(slot), text=text) for slot, text in turn.asks.items()),
            answers=tuple(
                SlotAnswer(slot=DesignSlot(slot), values=tuple(values), verdict=verdicts.get(slot))
                for slot, values in turn.answers.items()
            ),
            question_feedback=tuple(
                QuestionFeedback(question=self._asked[slot], verdict=said)
                for slot, said in verdicts.items()
                if slot not in turn.answers
            ),
            said=tuple(turn.said),
            suggestions=tuple(
                SuggestionVerdict(record=self._ref(key), accepted=taken)
                for keys, taken in ((turn.accepts, True), (turn.refuses, False))
                for key in keys
            ),
            outcome=DesignOutcome(turn.outcome) if turn.outcome else None,
        )

    def _ref(self, key: str) -> RecordRef:
        return RecordRef(id=self._id_of(key))

    def _command(self, place: str) -> str:
        content = [self._one.model_dump(), place]
        return "seed_" + hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()[:32]


def _graph(modules: Sequence[tuple[str, str, str]]) -> GraphInput:
    """Modules as key, type and purpose, one after the other."""
    keys = [key for key, _, _ in modules]
    return GraphInput(
        [ModuleInput(key, kind, purpose=purpose) for key, kind, purpose in modules],
        [CableInput(tail, head) for tail, head in pairwise(keys)],
    )


def _blueprint(told: dict[str, Any]) -> BlueprintInput:
    kinds = ("steps", "contracts", "criteria", "review_points", "side_effects")
    parts = {kind: [PartInput(one) for one in told[kind]] for kind in kinds if kind in told}
    return BlueprintInput({name: value for name, value in told.items() if name not in kinds}, parts=parts)
