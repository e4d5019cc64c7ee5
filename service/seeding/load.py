"""Loads the sample world by commands and reports, with ids made from their content: loading again changes nothing."""

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import orjson

from graph_schema.context.words import TriggerKind
from graph_schema.library.words import CapabilityState
from graph_schema.routing.decision_words import ExecutionMode, OpportunityLevel
from graph_schema.routing.words import UserResponse
from service.access.viewer import Viewer
from service.capability import Services
from service.commands import Outcome, RecordRef
from service.context.packets import ContextPacketInput, Packets
from service.context.packets.inputs import ModuleConfigInput
from service.context.scope import EmailEvidenceInput, RunScopeInput, Scopes, TriggerEvidenceInput
from service.knowledge.catalogue.commands import Catalogues
from service.knowledge.catalogue.inputs import ModuleCatalogueInput
from service.knowledge.catalogue.reading import sample_catalogue
from service.knowledge.pack.commands import KnowledgeCompiler
from service.knowledge.pack.read import KnowledgePacks
from service.library.blueprints import LINKS, BlueprintInput, PartInput
from service.library.capabilities import StateReport
from service.library.commands import Library
from service.library.graphs import CableInput, GraphInput, ModuleInput
from service.library.segment_saving import SegmentInput
from service.library.ties import Placement, Ties
from service.memory.continuation import Continuation
from service.memory.continuation.inputs import FollowUpInput, ForkInput, StepName
from service.memory.reporting.answers import EventAnswer, ReportAnswer, ReportOutcome
from service.memory.reporting.commands import MOST_EVENTS, Reporting
from service.records import Records
from service.routing.invocations.commands import Invocations
from service.routing.invocations.inputs import InvocationInput
from service.seeding.attention import Attending
from service.seeding.designs import load_design
from service.seeding.errors import SampleRefused
from service.seeding.judging import Judging, read_judged
from service.seeding.learning import Teaching, read_year
from service.seeding.sharing import Showing
from service.seeding.stories import Afterwards, LateLink, SampleEvent, SamplePacket, SampleScope
from service.seeding.world import (
    SOURCE,
    SampleBlueprint,
    SampleGraph,
    SampleInvocation,
    SampleLink,
    SampleRecord,
    SampleSegment,
    SampleShare,
    World,
)
from service.tools.reports import AskReports, OutcomeReports
from service.tools.reports.answers import ToolReportAnswer

Progress = Callable[[str], None]

STATE_AS_OF = "2026-01-12T08:00:00.000Z"
"""Before the first story begins."""

_PART_LINKS = frozenset({"bound_modules", "checked_by", "requires", "allows", "denies", "goals"})


@dataclass(frozen=True, slots=True)
class Loaded:
    """How many commands and events changed something, and how many had been taken before."""

    changed: int
    unchanged: int


@dataclass(frozen=True, slots=True)
class Past:
    """What happened in the world: what executors reported, what people did about it, and what runs are about."""

    events: list[SampleEvent]
    afterwards: list[Afterwards]
    links: list[LateLink]
    scopes: list[SampleScope]
    packets: list[SamplePacket]


async def load_world(
    world: World, past: Past, services: Services, viewer_now: Callable[[], Awaitable[Viewer]], progress: Progress
) -> Loaded:
    progress("Loading the sample world")
    loader = _Loader(world, services, viewer_now)
    outcomes = [await loader.catalogue(sample_catalogue())]
    outcomes += [await loader.save(one) for one in world.records]
    progress(f"Sample world: {len(world.records)} records")
    outcomes += [await loader.link(one) for one in world.links]
    progress(f"Sample world: {len(world.links)} links")
    outcomes += [await loader.draw(one) for one in world.graphs if not one.segments]
    outcomes += [await loader.take(one) for one in world.segments]
    outcomes += [await loader.draw(one) for one in world.graphs if one.segments]
    outcomes += [await loader.explain(one) for one in world.blueprints]
    outcomes += [await loader.tell_state(key, state) for key, state in world.states]
    progress(f"Sample world: {len(world.graphs)} graphs and {len(world.blueprints)} blueprints")
    answers = await loader.report(past.events)
    progress(f"Sample world: {len(past.events)} events of {len({one.run_id for one in answers})} runs")
    outcomes += [await loader.take_up(one) for one in past.afterwards]
    outcomes += [await loader.link_late(one) for one in past.links]
    outcomes += [await loader.open_scope(one) for one in past.scopes]
    packed = [await loader.assemble(one) for one in past.packets]
    progress(f"Sample world: {len(past.packets)} context packets")
    outcomes += [await loader.meet(one) for one in world.invocations]
    told: list[ReportAnswer] = [*await loader.tell(OutcomeReports, world.outcomes)]
    told += await loader.tell(AskReports, world.asks)
    for one in world.designs:
        outcomes += await load_design(one, services, viewer_now, loader.id_of)
    attending = Attending(services, viewer_now, _command_id)
    for one in world.attention:
        heard = await attending.hear(one)
        _check(heard)
        told += heard
        outcomes += await attending.decide(one)
    outcomes += [done for one in world.shares for done in await loader.show(one)]
    progress("Sample world: what was asked for, decided and shared")
    outcomes += await loader.teach()
    progress("Sample world: what was learned")
    outcomes += await loader.compile()
    progress("Sample world: its knowledge pack")
    again = sum(one.outcome is ReportOutcome.duplicate for one in (*answers, *told))
    known = sum(one.replayed for one in outcomes) + again + sum(packed)
    return Loaded(len(outcomes) + len(answers) + len(told) + len(packed) - known, known)


class _Loader:
    def __init__(self, world: World, services: Services, viewer_now: Callable[[], Awaitable[Viewer]]) -> None:
        self._world = world
        self._services = services
        self._viewer_now = viewer_now
        self._ids: dict[str, str] = {}
        self._known: Viewer | None = None

    async def _viewer(self) -> Viewer:
        """Who loads, with all audiences that there are: asked for again only when there is a new one."""
        self._known = self._known or await self._viewer_now()
        return self._known

    def _settled(self, outcome: Outcome) -> Outcome:
        if outcome.new_audiences:
            self._known = None
        return outcome

    async def catalogue(self, one: ModuleCatalogueInput) -> Outcome:
        outcome = await self._services[Catalogues].save(
            await self._viewer(), one, command_id=_command_id("catalogue", asdict(one))
        )
        return self._settled(outcome)

    async def compile(self) -> list[Outcome]:
        """The knowledge pack of the world as it is then; one that is in use stays."""
        viewer = await self._viewer()
        if (await self._services[KnowledgePacks].status(viewer)).pack_id is not None:
            return []
        return [self._settled(await self._services[KnowledgeCompiler].compile(viewer, activate=True))]

    async def tell_state(self, key: str, state: str) -> Outcome:
        told = StateReport(CapabilityState(state), as_of=STATE_AS_OF, generation=1)
        return await self._services[Library].report_capability_state(
            await self._viewer(), self._ref(key), told, command_id=_command_id("state", key, state)
        )

    async def save(self, one: SampleRecord) -> Outcome:
        values: dict[str, Any] = {**one.values, "source": SOURCE, "source_key": one.key}
        if one.matter:
            values["matter_ids"] = [self._ids[one.matter]]
        outcome = await self._services[Records].save(
            await self._viewer(), one.label, values, command_id=_command_id(one.label, values)
        )
        self._ids[one.key] = outcome.result["id"]
        return self._settled(outcome)

    async def link(self, one: SampleLink) -> Outcome:
        outcome = await self._services[Records].link(
            await self._viewer(),
            self._ref(one.tail),
            one.type,
            self._ref(one.head),
            one.properties,
            command_id=_command_id(one.tail, one.type, one.head, one.properties),
        )
        return self._settled(outcome)

    async def draw(self, one: SampleGraph) -> Outcome:
        graph = GraphInput(
            [_module(told) for told in one.modules],
            [CableInput(*told) for told in one.cables],
        )
        ties = Ties(
            {module: self._ref(preset) for module, preset in one.presets.items()},
            [Placement(_segment_ref(placed.segment), placed.modules) for placed in one.segments],
        )
        return await self._services[Library].save_graph(
            await self._viewer(), self._ref(one.of), graph, ties, command_id=_command_id(one.model_dump())
        )

    async def take(self, one: SampleSegment) -> Outcome:
        values = {**one.values, "source": SOURCE, "source_key": one.key}
        asked = SegmentInput(values, None, self._ref(one.taken_from), one.modules)
        outcome = await self._services[Library].save_segment(
            await self._viewer(), asked, command_id=_command_id(one.model_dump())
        )
        return self._settled(outcome)

    async def explain(self, one: SampleBlueprint) -> Outcome:
        asked = BlueprintInput(
            {**one.values, "source": SOURCE, "source_key": one.key},
            of=self._ref(one.of),
            parts={kind: [self._part(part) for part in parts] for kind, parts in one.parts.items()},
            links={LINKS[kind]: [self._ref(key) for key in keys] for kind, keys in one.links.items()},
        )
        return await self._services[Library].save_blueprint(
            await self._viewer(), asked, command_id=_command_id(one.model_dump())
        )

    def _part(self, told: dict[str, Any]) -> PartInput:
        values = {name: value for name, value in told.items() if name not in _PART_LINKS}
        return PartInput(
            values,
            bound_modules=told.get("bound_modules", ()),
            checked_by=told.get("checked_by", ()),
            requires=[self._ref(key) for key in told.get("requires", ())],
            allows=[self._ref(key) for key in told.get("allows", ())],
            denies=[self._ref(key) for key in told.get("denies", ())],
            goals=[self._ref(key) for key in told.get("goals", ())],
        )

    async def report(self, stories: list[SampleEvent]) -> list[EventAnswer]:
        events = [one.of(self._ids[one.matter] if one.matter else None) for one in stories]
        answers: list[EventAnswer] = []
        for start in range(0, len(events), MOST_EVENTS):
            batch = events[start : start + MOST_EVENTS]
            answers += await self._services[Reporting].report(await self._viewer(), batch)
            self._known = None
        _check(answers)
        return answers

    async def tell(
        self, door: type[OutcomeReports | AskReports], events: list[dict[str, Any]]
    ) -> list[ToolReportAnswer]:
        """How calls of tools ended, or what users asked."""
        given = [{"source": SOURCE, **one} for one in events]
        answers = await self._services[door].report(await self._viewer_now(), given)
        _check(answers)
        return answers

    async def take_up(self, one: Afterwards) -> Outcome:
        step = StepName(RecordRef(kind="Run", source=SOURCE, key=one.run), *one.step)
        viewer, command_id = await self._viewer_now(), _command_id(one.model_dump())
        if one.fork is not None:
            fork = ForkInput(step, one.values, source=SOURCE, source_key=one.fork)
            return await self._services[Continuation].request_fork(viewer, fork, command_id=command_id)
        chat = self._ref(one.conversation) if one.conversation else None
        return await self._services[Continuation].record_follow_up(
            viewer, FollowUpInput(step, one.values, conversation=chat), command_id=command_id
        )

    async def link_late(self, one: LateLink) -> Outcome:
        head = RecordRef(kind=one.kind, source=SOURCE, key=one.head)
        return await self._services[Records].link(
            await self._viewer_now(),
            self._ref(one.tail),
            one.type,
            head,
            one.properties,
            command_id=_command_id(one.model_dump()),
        )

    async def open_scope(self, one: SampleScope) -> Outcome:
        attached = tuple(self._ref(key) for key in one.attachments)
        trigger = TriggerEvidenceInput(
            TriggerKind.email,
            module_key=one.module,
            payload_ref=one.payload_ref,
            payload_summary=one.payload_summary,
            email=EmailEvidenceInput(**one.email, attachments=attached),
        )
        asked = RunScopeInput(RecordRef(kind="Run", source=SOURCE, key=one.run), trigger=trigger)
        return await self._services[Scopes].open(
            await self._viewer_now(), asked, command_id=_command_id(one.model_dump())
        )

    async def assemble(self, one: SamplePacket) -> bool:
        """Whether the packet was there already."""
        asked = ContextPacketInput(
            RecordRef(kind="Run", source=SOURCE, key=one.run),
            one.module,
            config=ModuleConfigInput(instruction=one.instruction, output_contract=one.output_contract),
            offered=tuple(RecordRef(kind="Task", source=SOURCE, key=key) for key in one.offered_tasks),
        )
        _, known = await self._services[Packets].assemble(await self._viewer_now(), asked)
        return known

    async def meet(self, one: SampleInvocation) -> Outcome:
        asked = InvocationInput(
            user_request_ref=one.key,
            initial_user_text_summary=one.said,
            resolved_intent_summary=one.means,
            selected_mode=ExecutionMode(one.mode),
            task_opportunity_level=OpportunityLevel(one.level),
            context_class=one.context_class,
            matched_task_templates=tuple(self._ref(key) for key in one.templates),
            user_visible_task_suggestion_shown=one.shown,
            user_response=UserResponse(one.response),
            edit_count_after_acceptance=one.edits,
            decided_at=one.at,
            responded_at=one.at,
        )
        return await self._services[Invocations].record(
            await self._viewer_now(), asked, command_id=_command_id(one.model_dump())
        )

    def id_of(self, key: str) -> str:
        """The id of a record of the world, by its key."""
        return self._ids[key]

    async def show(self, one: SampleShare) -> list[Outcome]:
        """To somebody outside, by a link."""
        return await Showing(self._services, self._viewer_now, self._ref, _command_id).show(one)

    async def teach(self) -> list[Outcome]:
        teaching = Teaching(self._services, self._viewer_now, self._ref, _command_id, SOURCE)
        judging = Judging(self._services, self._viewer_now, self._ref, _command_id, SOURCE)
        return [*await teaching.tell(read_year()), *await judging.tell(read_judged())]

    def _ref(self, key: str) -> RecordRef:
        return RecordRef(kind=self._world.label_of(key), source=SOURCE, key=key)


def _check(answers: Sequence[ReportAnswer]) -> None:
    refused = next((one for one in answers if one.outcome is ReportOutcome.rejected), None)
    if refused is not None:
        raise SampleRefused(refused)


def _segment_ref(key: str) -> RecordRef:
    return RecordRef(kind="Segment", source=SOURCE, key=key)


def _module(told: tuple[str, str, str] | tuple[str, str, str, dict[str, Any]]) -> ModuleInput:
    key, kind, purpose = told[:3]
    config = orjson.dumps(told[3]).decode() if len(told) > 3 else None
    return ModuleInput(key, kind, name=_titled(key), purpose=purpose, config=config)


def _titled(key: str) -> str:
    return key.replace("-", " ").capitalize()


def _command_id(*content: object) -> str:
    return "sample:" + hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()[:32]
