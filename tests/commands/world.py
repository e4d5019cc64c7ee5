"""A firm with two matters, told in pieces in any order, and who may see what of it by a plain reckoning."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from graph_schema.registry import REGISTRY
from service.access.audience import Access, of_stub
from service.access.viewer import Viewer
from service.commands import Commands, RecordRef
from service.commands.inheritance import is_unplaced
from service.context.scope import RunScopeInput, Scopes
from service.errors import TaskloreError
from service.graph.database import Database
from service.memory.reporting.answers import EventAnswer
from service.memory.reporting.commands import Reporting
from service.records import Records
from service.runtime.compose import hooks
from tests.conftest import empty
from tests.memory.stories import at, step
from tests.viewers import viewer_of

Act = Callable[[], Awaitable[bool]]
"""One piece of the story: whether it could be told already."""

GRAPH = """
MATCH (n:Record) WHERE NOT n:Card AND NOT n:Phrase
RETURN labels(n) AS labels, properties(n) AS values,
  COLLECT { MATCH (n)-[r]->(m:Record) RETURN [type(r), m.id, properties(r)] } AS links
"""


@dataclass(frozen=True)
class Firm:
    database: Database

    @property
    def commands(self) -> Commands:
        return Commands(self.database, REGISTRY, lambda _new: None)

    async def empty(self) -> None:
        await empty(self.database)

    async def viewer(self, principal_id: str = "prin_executor", **given: Any) -> Viewer:
        return await viewer_of(self.database, principal_id, **given)

    async def save(self, label: str, /, **values: Any) -> str:
        return (await Records(self.commands, hooks()).save(await self.viewer("prin_curator"), label, values)).result[
            "id"
        ]

    async def matter(self, name: str) -> str:
        return await self.save("Entity", name=name, kind="matter")

    async def report(
        self, run: str, matters: list[str], kind: str, *, policy: dict[str, Any] | None = None, **values: Any
    ) -> EventAnswer:
        known = {"memory_mode": "standard", "data_class": "internal", "matter_ids": matters, **(policy or {})}
        event = {
            "event_id": f"{kind}-{sorted(values.items())}"[:100],
            "kind": kind,
            "occurred_at": at(len(str(values))),
        }
        event |= {"run": {"source": "exec", "key": run}, "policy": known, **values}
        [answer] = await Reporting(self.database, REGISTRY, lambda _new: None).report(await self.viewer(), [event])
        return answer

    async def one(self, label: str, **values: Any) -> dict[str, Any]:
        rows = await self.database.read(
            "MATCH (n:$($label)) WHERE all(k IN keys($v) WHERE n[k] = $v[k]) RETURN properties(n) AS p",
            label=label,
            v=values,
        )
        assert len(rows) == 1, rows
        return rows[0]["p"]

    async def all(self, label: str) -> list[dict[str, Any]]:
        return [row["p"] for row in await self.database.read("MATCH (n:$($l)) RETURN properties(n) AS p", l=label)]

    async def story(self) -> list[Act]:
        """Runs of which nobody says whose they are, and what makes it known: scope, subjects, sources, classes."""
        a, b = await self.matter("A"), await self.matter("B")
        full = {"capture_outputs": "full_local_only"}
        return [
            self._told("bound", [], "run_started", task_key="weekly"),
            self._told("bound", [], "activation_started", **step("m")),
            self._told("bound", [], "artifact_produced", artifact_key="memo", artifact_kind="document", **step("m")),
            self._told(
                "bound",
                [],
                "delivery",
                idempotency_key="d1",
                delivery_kind="email",
                status="delivered",
                artifact_key="memo",
                **step("m"),
            ),
            self._told("bound", [], "gate_opened", gate_key="g", gate_kind="approval", **step("m")),
            self._scope("bound", a),
            self._told("about", [], "run_started", about=[{"kind": "Entity", "source": "dms", "key": "file"}]),
            self._told(
                "about",
                [],
                "artifact_produced",
                artifact_key="copy",
                artifact_kind="document",
                derived_from=[{"key": "memo"}],
                **step("m"),
            ),
            self._told(
                "local",
                [b],
                "artifact_produced",
                artifact_key="raw",
                artifact_kind="document",
                policy=full,
                **step("m"),
            ),
            self._told(
                "local",
                [b],
                "delivery",
                idempotency_key="d2",
                delivery_kind="email",
                status="delivered",
                artifact_key="raw",
                policy=full,
                **step("m"),
            ),
            self._told(
                "local",
                [b],
                "evaluation_evidence",
                artifact_key="verdict",
                evidence_kind="judge",
                evaluated_artifact_key="raw",
                policy=full,
                **step("m"),
            ),
            self._told("plain", [a], "run_started", task_key="weekly", goals=[{"source": "crm", "key": "goal"}]),
            self._told(
                "plain", [a], "artifact_consumed", item={"kind": "Entity", "source": "dms", "key": "file"}, **step("m")
            ),
            self._saved("Entity", name="File", kind="document", source="dms", source_key="file", matter_ids=[b]),
            self._saved(
                "Goal",
                name="Goal",
                goal_type="risk_control_goal",
                goal_statement="S",
                source="crm",
                source_key="goal",
                data_class="privileged",
            ),
        ]

    def _told(self, run: str, matters: list[str], kind: str, **values: Any) -> Act:
        async def act() -> bool:
            answer = await self.report(run, matters, kind, **values)
            assert answer.code is None, answer
            return True

        return act

    def _saved(self, label: str, **values: Any) -> Act:
        async def act() -> bool:
            return bool(await self.save(label, **values))

        return act

    def _scope(self, run: str, matter: str) -> Act:
        async def act() -> bool:
            asked = RunScopeInput(RecordRef(kind="Run", source="exec", key=run), select=(RecordRef(id=matter),))
            try:
                return bool(await Scopes(self.commands, self.database).open(await self.viewer(), asked))
            except TaskloreError:
                return False

        return act


async def expected(database: Database) -> tuple[dict[str, str], dict[str, str]]:
    """The audience that every record has, and the one that the rules give it, reckoned over the whole graph."""
    rows = await database.read(GRAPH)
    labels = {row["values"]["id"]: REGISTRY.label_of(row["labels"]) for row in rows}
    values = {row["values"]["id"]: row["values"] for row in rows}
    unplaced = {one for one in values if is_unplaced(labels[one], values[one])}
    access = {one: Access.own(values[one]) for one in values}
    flows = [(values[one]["run_id"], one) for one in values if values[one].get("run_id") in values]
    named: list[tuple[str, str]] = []
    for row in rows:
        tail = row["values"]["id"]
        for kind, head, facts in row["links"]:
            relation = REGISTRY.relation(kind, labels[tail])
            assert relation, (kind, labels[tail])
            to_tail, to_head = relation.hands_down(facts)
            flows += [(head, tail)] * to_tail + [(tail, head)] * to_head
            named += [(head, tail), (tail, head)]
    _settle(access, [one for one in flows if not {*one} & unplaced])
    _settle(access, [(source, one) for source, one in named if one in unplaced and source not in unplaced])
    wanted = {
        one: of_stub(access[one], values[one]["reporters"])["audience"] if one in unplaced else access[one].audience
        for one in values
    }
    name = {one: f"{labels[one]} {values[one]['name']}" for one in values}
    return {name[one]: values[one]["audience"] for one in values}, {name[one]: wanted[one] for one in values}


def _settle(access: dict[str, Access], flows: list[tuple[str, str]]) -> None:
    moving = True
    while moving:
        moving = False
        for source, derived in flows:
            joined = access[derived].joined(access[source])
            moving |= joined != access[derived]
            access[derived] = joined
