"""A studio: where tasks are designed with people, on a real server, with a model that reads."""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pytest

from embeddings import EmbeddingQueue
from graph_schema.learning.design_words import CreationMode, DesignSlot
from service.access.viewer import Viewer
from service.commands import Outcome, RecordRef
from service.graph.database import Database
from service.learning.creation.commands import TrackedTasks
from service.learning.creation.inputs import TrackedTaskInput
from service.learning.creation.read import TaskReceipts, TrackedTaskReceipt
from service.learning.design.answer import DesignSessionState, TaskDesignIntakeBundle
from service.learning.design.drafts import GraphDraft
from service.learning.design.inputs import DesignRequest, DesignUpdate, SlotAnswer, SlotValue
from service.learning.design.read import DesignReader
from service.learning.design.start import StartDesign
from service.learning.design.update import Brought, UpdateDesign
from service.learning.edits.read import EditTraces, ProposalEditTrace
from service.learning.edits.record import ProposalEdits
from service.library.blueprints import BlueprintInput, PartInput
from service.library.commands import Library
from service.library.graphs import CableInput, GraphInput, ModuleInput
from service.library.ties import NO_TIES, Ties
from service.matching.keep import KeptMatches
from service.matching.request import MatchRequest
from service.records import Records
from service.runtime.compose import services_alone
from tests.routing.office import Office

Slot = DesignSlot


def ref(record_id: str) -> RecordRef:
    return RecordRef(id=record_id)


def graph(*modules: tuple[str, str] | ModuleInput, cables: tuple[str, ...] = ()) -> GraphInput:
    """Modules as key and type; without cables, one after the other."""
    made = [one if isinstance(one, ModuleInput) else ModuleInput(one[0], one[1], purpose=one[0]) for one in modules]
    keys = [one.module_key for one in made]
    ends = [tuple(one.split("->")) for one in cables] or list(pairwise(keys))
    return GraphInput(made, [CableInput(tail, head) for tail, head in ends])


def blueprint(name: str = "Plan", **more: Any) -> BlueprintInput:
    """With outputs by name, steps by key and side effects by class."""
    values = {
        "name": name,
        "business_or_personal_goal": more.pop("goal", "Get it done"),
        "task_type": more.pop("task_type", "analysis"),
        **more.pop("values", {}),
    }
    contracts = [PartInput({"side": "output", "name": one, "kind": "document"}) for one in more.pop("outputs", ())]
    contracts += [PartInput({"side": "input", "name": one, "kind": "document"}) for one in more.pop("inputs", ())]
    parts = {
        "contracts": contracts,
        "steps": [PartInput({"step_key": key, "purpose": key, **told}) for key, told in more.pop("steps", {}).items()],
        "side_effects": [PartInput({"side_effect_class": one}) for one in more.pop("side_effects", ())],
        "review_points": [PartInput({"statement": one}) for one in more.pop("review_points", ())],
    }
    return BlueprintInput(values, parts=parts, links=more.pop("links", {}), **more)


def answer(slot: DesignSlot, *values: str, **more: Any) -> SlotAnswer:
    return SlotAnswer(slot=slot, values=values, **more)


def known(slot: DesignSlot, *values: str) -> SlotValue:
    return SlotValue(slot=slot, values=values)


@dataclass(frozen=True)
class Studio(Office):
    people: dict[str, Viewer] = field(default_factory=dict[str, Viewer])

    async def start(self, text: str, viewer: Viewer | None = None, **given: Any) -> str:
        return (await self.started(text, viewer, **given)).result["id"]

    async def started(self, text: str, viewer: Viewer | None = None, **given: Any) -> Outcome:
        told: dict[str, Any] = {"user_request_ref": "chat://1", **given}
        request = DesignRequest(text=text, **told)
        return await self.services[StartDesign].start(viewer or await self.viewer(), request)

    async def tell(
        self,
        session: str,
        viewer: Viewer | None = None,
        *,
        plan: BlueprintInput | None = None,
        flow: GraphInput | None = None,
        ties: Ties = NO_TIES,
        **given: Any,
    ) -> dict[str, Any]:
        brought = Brought(DesignUpdate(**given), plan, GraphDraft(flow, ties) if flow else None)
        who = viewer or await self.viewer()
        return (await self.services[UpdateDesign].update(who, ref(session), brought)).result

    async def where(self, session: str, viewer: Viewer | None = None) -> DesignSessionState:
        return await self.services[DesignReader].state(viewer or await self.viewer(), ref(session))

    async def bundle(self, session: str, viewer: Viewer | None = None) -> TaskDesignIntakeBundle:
        return await self.services[DesignReader].bundle(viewer or await self.viewer(), ref(session))

    async def track(self, viewer: Viewer | None = None, **given: Any) -> dict[str, Any]:
        told: dict[str, Any] = {
            "reason_for_task_mode": "It runs on its own.",
            "user_visible_description": "It watches.",
            **given,
        }
        told["creation_mode"] = CreationMode(told["creation_mode"])
        asked = TrackedTaskInput(**told)
        return (await self.services[TrackedTasks].track(viewer or await self.viewer(), asked)).result

    async def receipts(self, task: str, viewer: Viewer | None = None) -> tuple[TrackedTaskReceipt, ...]:
        return await self.services[TaskReceipts].of(viewer or await self.viewer(), ref(task))

    async def draw(self, of: str, flow: GraphInput, viewer: Viewer | None = None, **more: Any) -> Outcome:
        return await self.services[Library].save_graph(viewer or await self.viewer(), ref(of), flow, **more)

    async def edited(self, session: str, saved: str, viewer: Viewer | None = None) -> dict[str, Any]:
        who = viewer or await self.viewer()
        return (await self.services[ProposalEdits].record(who, ref(session), ref(saved))).result

    async def trace(self, trace: str, viewer: Viewer | None = None) -> ProposalEditTrace:  # pyright: ignore[reportIncompatibleMethodOverride]
        return await self.services[EditTraces].of(viewer or await self.viewer(), ref(trace))

    async def save_as(self, viewer: Viewer, task: str, **values: Any) -> None:
        """Save a task as this viewer."""
        await self.services[Records].save(viewer, "Task", values, record_id=task)

    async def kept_match(self, viewer: Viewer, text: str) -> str:
        return (await self.services[KeptMatches].keep(viewer, "Template", MatchRequest(text))).result["id"]

    async def erase(self, record_id: str) -> None:
        await self.services[Records].erase(await self.viewer(), ref(record_id), None)

    async def type(self, module_type: str, family: str = "step", *side_effects: str) -> str:
        told: dict[str, Any] = {"module_type": module_type, "family": family, "side_effect_classes": list(side_effects)}
        return await self.new("ModuleType", name=module_type, **told)


@pytest.fixture
def studio(indexed: Database, database: Database, queue: EmbeddingQueue) -> Studio:
    return Studio(database, services_alone(indexed and database, queue))
