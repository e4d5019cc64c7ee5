"""Which records a report names, and how they are found."""

from collections import defaultdict
from typing import Any, LiteralString

from graph_schema.registry import REGISTRY
from service.access.audience import Access, is_stub_audience
from service.commands.inheritance import is_unplaced
from service.graph.database import Transaction
from service.graph.parts import key_hash
from service.memory.reporting import cypher
from service.memory.reporting.effects import BY_ID, OUTSIDE, Effects, Handle
from service.memory.reporting.events import Reported
from service.memory.reporting.fold import module_of
from service.memory.reporting.world import RunState, World

_LOCKED = frozenset({"Artifact", "WorkProduct"})
"""Named from outside their run too, so the run's lock is not enough when they are written."""

_FORK = REGISTRY.types["Fork"].prefix + "_"


class Names:
    def __init__(self, world: World) -> None:
        self._world = world
        self._handles: dict[Handle, bool] = {}
        self._tasks: dict[Handle, set[str]] = defaultdict(set)
        self._fresh: dict[str, Handle] = {}
        self._told: list[list[str]] = []

    def add(self, event: Reported, effects: Effects, state: RunState) -> None:
        for write in effects.writes:
            self._handles[write.handle] = True
        for tie in effects.ties:
            self._handles.setdefault(tie.tail, False)
            self._handles.setdefault(tie.head, False)
        if state.known is not None:
            self._told.append([state.id, event.event_id])
        known = (state.known or {}).get("task_key")
        told = event.values.get("task_key")
        self._tasks[state.handle].update(task for task in (known, told) if task is not None)
        if told is not None and known is None and state.known is not None:
            self._fresh[state.id] = state.handle

    def runs_with_new_task(self) -> dict[str, Handle]:
        """Known runs whose task is told now: what they did so far is tied to the task's modules too."""
        return self._fresh

    def add_step(self, run: Handle, module_key: str, activation_seq: int) -> None:
        self._handles.setdefault(("Activation", *run[1:], module_key, activation_seq), False)

    async def load(self, transaction: Transaction) -> None:
        """Find all that is named and there, and put it into the world."""
        handles = self._with_modules()
        outside = sorted(one for one in handles if one[0] in OUTSIDE and one[0] != "Run")
        self._take(await found(transaction, cypher.OUTSIDE, [_outside(one) for one in outside]))
        joined = self._joined()
        written = [_outside(one) for one in outside if self._is_locked(one, joined, written=handles[one])]
        self._take(await found(transaction, cypher.LOCK_OUTSIDE, written))
        await self._settle_names(transaction, {one: handles[one] for one in outside if one[0] in _LOCKED})
        by_id = sorted(one[1] for one in handles if one[0] == BY_ID)
        self._take(await found(transaction, cypher.LOCK_FORKS, [one for one in by_id if one.startswith(_FORK)]))
        unknown = [one for one in by_id if (BY_ID, one) not in self._world.nodes]
        self._take(await found(transaction, cypher.BY_ID, unknown))
        for run_id, event_id, digest in await found(transaction, cypher.REPORTS, self._told):
            self._world.reports[run_id, event_id] = digest
        await self._load_parts(transaction, handles)
        await self._load_modules(transaction, handles)

    async def _settle_names(self, transaction: Transaction, made: dict[Handle, bool]) -> None:
        """Which of several is meant by the names of what runs make. Mostly there is but one."""
        world = self._world
        unclear = [one for one in made if world.is_ambiguous(one)]
        ids = sorted({found for one in unclear for found in world.named.get(one, ())})
        own = await found(transaction, cypher.OWN, [[one, world.viewer.principal_id] for one in ids])
        for one in unclear:
            world.settle_name(one, frozenset(own), written=made[one])

    def _is_locked(self, handle: Handle, joined: Access, *, written: bool) -> bool:
        """A fork is where its request and its child runs meet, whichever comes first: naming it is enough.

        What is only named so far changes when somebody names it whom it is not closed to already.
        """
        node = self._world.nodes.get(handle)
        if node is None:
            return False
        if handle[0] == "Fork" or (written and handle[0] in _LOCKED):
            return True
        if not is_unplaced(node.label, node.properties):
            return False
        known = self._world.viewer.principal_id in node.properties.get("reporters", ())
        closed = is_stub_audience(node.properties["audience"]) or Access.of(node.properties).covers(joined)
        return not (known and closed)

    def _joined(self) -> Access:
        """As closed as anything of this report can become."""
        nodes = (one for one in self._world.nodes.values() if not is_unplaced(one.label, one.properties))
        seen = {one.properties["audience"]: one.properties for one in nodes}
        begun = (state.rules.values for state in self._world.runs.values() if state.known is None)
        return Access().joined(*(Access.of(one) for one in (*seen.values(), *begun)))

    def _take(self, rows: list[Any]) -> None:
        for row in rows:
            self._world.take(row["labels"], row["properties"])

    async def _load_parts(self, transaction: Transaction, handles: dict[Handle, bool]) -> None:
        runs = {state.id: state.handle for state in self._world.runs.values()}
        for label in cypher.PARTS:
            for properties in await found(transaction, cypher.PARTS[label], self._keys(label, handles)):
                self._world.take_part(label, runs[properties["run_id"]], properties)

    async def _load_modules(self, transaction: Transaction, handles: dict[Handle, bool]) -> None:
        """Which modules of new activations were activated before."""
        runs = {state.handle: state.id for state in self._world.runs.values() if state.known is not None}
        new = {one for one in handles if one[0] == "Activation" and one not in self._world.nodes}
        rows = sorted({(runs[("Run", *one[1:3])], one[3]) for one in new if ("Run", *one[1:3]) in runs})
        for run_id, module_key in await found(transaction, cypher.ACTIVATED_MODULES, [list(one) for one in rows]):
            self._world.modules.add((run_id, module_key))

    def _with_modules(self) -> dict[Handle, bool]:
        handles = dict(self._handles)
        for step in self._handles:
            if step[0] == "Activation":
                for task in self._tasks[("Run", *step[1:3])]:
                    handles.setdefault(module_of(step, task), False)
        return handles

    def _keys(self, label: str, handles: dict[Handle, bool]) -> list[list[Any]]:
        """Natural keys of the records of a label, in runs that are known: a new run has none yet."""
        found: list[list[Any]] = []
        for one in handles:
            if one[0] == label:
                state = self._world.runs[("Run", *one[1:3])]
                if state.known is not None:
                    found.append([state.id, *one[3:]])
        return sorted(found)


def _outside(handle: Handle) -> dict[str, Any]:
    return {"source": handle[1], "key": handle[2], "key_hash": key_hash(handle[1], handle[2])}


async def found(transaction: Transaction, query: LiteralString, rows: list[Any]) -> list[Any]:
    """What a statement that collects finds for these rows; for none it is not asked."""
    answer = await transaction.one(query, rows=rows) if rows else None
    return answer["found"] if answer else []
