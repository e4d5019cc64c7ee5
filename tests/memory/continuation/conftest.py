"""Commands after a run, beside an executor that reports it."""

from dataclasses import dataclass
from typing import Any

import pytest

from graph_schema.registry import REGISTRY
from service.commands import Commands, Outcome, RecordRef
from service.graph.database import Database
from service.memory.continuation import Continuation, FollowUpInput, ForkInput, InterventionInput, StepName
from tests.memory.conftest import Executor
from tests.memory.stories import RUN
from tests.viewers import viewer_of

LINKS = """
MATCH (n:Record) WHERE n.id = $run OR n.run_id = $run
RETURN n.id AS id, properties(n) AS properties,
  COLLECT { MATCH (n)-[r]->(m) RETURN [type(r), properties(r), m.id] } AS links
"""


@dataclass(frozen=True)
class Person:
    """Takes up runs again, as whomever the viewer's values say."""

    executor: Executor
    after: Continuation

    @property
    def database(self) -> Database:
        return self.executor.database

    async def fork(self, step: StepName, viewer: dict[str, Any] | None = None, /, **more: Any) -> Outcome:
        command_id = more.pop("command_id", None)
        own = {name: more.pop(name) for name in _OF_FORK if name in more}
        asked = ForkInput(step, {"rerun_scope": "selected_module_and_downstream", **more}, **own)
        return await self.after.request_fork(await self._viewer(viewer), asked, command_id=command_id)

    async def follow(self, step: StepName, viewer: dict[str, Any] | None = None, /, **more: Any) -> Outcome:
        command_id = more.pop("command_id", None)
        own = {name: more.pop(name) for name in _OF_FOLLOW_UP if name in more}
        values = {"mode": "ask_task_agent_about_module", "user_question": "Why?", **more}
        asked = FollowUpInput(step, values, **own)
        return await self.after.record_follow_up(await self._viewer(viewer), asked, command_id=command_id)

    async def intervene(
        self, step: StepName, kind: str, viewer: dict[str, Any] | None = None, /, **more: Any
    ) -> Outcome:
        command_id = more.pop("command_id", None)
        asked = InterventionInput(step, {"intervention_kind": kind, **more})
        return await self.after.record_intervention(await self._viewer(viewer), asked, command_id=command_id)

    async def _viewer(self, values: dict[str, Any] | None) -> Any:
        return await viewer_of(self.database, **(values or {}))

    async def parts(self, run_id: str) -> list[str]:
        """A run with all that belongs to it and all that it leads to, as it is stored."""
        rows = await self.database.read(LINKS, run=run_id)
        told = [(row["id"], sorted(row["properties"].items()), sorted(row["links"], key=repr)) for row in rows]
        return sorted(repr(one) for one in told)

    async def heads(self, record_id: str, kind: str) -> list[str]:
        rows = await self.database.read(
            "MATCH (:Record {id: $id})-[:$($kind)]->(m) RETURN m.id AS id ORDER BY id", id=record_id, kind=kind
        )
        return [row["id"] for row in rows]


_OF_FORK = ("takes", "authorise_side_effects", "source", "source_key")
_OF_FOLLOW_UP = ("artifacts", "conversation", "thread", "fork")


def step(module: str | None = None, seq: int | None = 1, run: dict[str, str] | None = None) -> StepName:
    named = run or RUN
    return StepName(RecordRef(kind="Run", source=named["source"], key=named["key"]), module, seq)


@pytest.fixture
def person(executor: Executor) -> Person:
    return Person(executor, Continuation(Commands(executor.database, REGISTRY, lambda _new: None)))
