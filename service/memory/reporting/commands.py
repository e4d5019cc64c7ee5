"""The one door for executors: a list of events in, an answer for each out, in one transaction."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, cast

from graph_schema.memory.policies import EVERY_TASK
from graph_schema.model.registry import Registry
from service import clock
from service.access.viewer import KeyScope, Viewer
from service.commands.agents import check_event
from service.commands.errors import NotAllowed
from service.commands.inheritance import inherit
from service.errors import TaskloreError
from service.graph.database import Database, Transaction
from service.graph.parts import key_hash
from service.memory.intake import Policies
from service.memory.intake.cypher import POLICIES
from service.memory.reporting import cypher
from service.memory.reporting.answers import EventAnswer, answer_of, rejected
from service.memory.reporting.changes import Changes
from service.memory.reporting.costs import load_spans
from service.memory.reporting.effects import Effects, effects_of
from service.memory.reporting.errors import TooManyEvents
from service.memory.reporting.events import Reported, Unread, latest_at, understood
from service.memory.reporting.fold import Folded, fold
from service.memory.reporting.matters import with_matters
from service.memory.reporting.names import Names, found
from service.memory.reporting.packets import hold_packets
from service.memory.reporting.runs import Ref, Runs, ordered
from service.memory.reporting.tries import carried_out
from service.memory.reporting.world import RunState, World

MOST_EVENTS = 500
FEW_EVENTS = 20
"""More are read and written in the lane beside the event loop."""


class Reporting:
    def __init__(self, database: Database, registry: Registry, changed: Callable[[bool], None]) -> None:
        """`changed` is called after each report that changed something, with whether it brought a new audience."""
        self._database = database
        self._registry = registry
        self._changed = changed

    async def report(self, viewer: Viewer, events: Sequence[Any]) -> list[EventAnswer]:
        """Take events, each for itself. One that could not be read where it came in is given as `Unread`.

        The answers are in the order of the events.
        """
        if KeyScope.report not in viewer.scopes:
            raise NotAllowed(KeyScope.report, viewer.scopes)
        if len(events) > MOST_EVENTS:
            raise TooManyEvents(len(events), MOST_EVENTS)
        work = partial(self._taken, viewer, events)
        answers, batch = await (self._database.apart(work) if len(events) > FEW_EVENTS else work(self._database))
        if batch and batch.changed:
            self._changed(batch.new_audiences)
        return sorted(answers, key=lambda answer: answer.index)

    async def _taken(
        self, viewer: Viewer, events: Sequence[Any], database: Database
    ) -> tuple[list[EventAnswer], "_Batch | None"]:
        read, answers = _read(events, viewer.defaults.source)
        if not read:
            return answers, None
        more, batch = await carried_out(database, lambda: _Batch(self._registry, viewer, read))
        return answers + more, batch


def _read(events: Sequence[Any], source: str | None) -> tuple[list[Reported], list[EventAnswer]]:
    latest = latest_at(datetime.now(UTC))
    read: list[Reported] = []
    answers: list[EventAnswer] = []
    for index, raw in enumerate(events):
        if isinstance(raw, Unread):
            answers.append(rejected(index, raw.event_id, raw.error))
            continue
        try:
            read.append(understood(index, raw, latest, source))
        except TaskloreError as error:
            named: Any = cast("dict[str, Any]", raw).get("event_id") if isinstance(raw, dict) else None
            answers.append(rejected(index, named, error))
    return read, answers


class _Batch:
    """One report in its transaction; run again from the start when the transaction is retried."""

    def __init__(self, registry: Registry, viewer: Viewer, events: list[Reported]) -> None:
        self._registry = registry
        self._viewer = viewer
        self._events = events
        self.changed = False
        self.new_audiences = False

    async def in_transaction(self, transaction: Transaction) -> list[EventAnswer]:
        world = World(self._registry, self._viewer, clock.now())
        events, unplaced = await with_matters(transaction.one, self._viewer, self._events)
        runs = await self._locked(transaction, world, events)
        policies = Policies(await found(transaction, POLICIES, _tasks_with_artifacts(events)))
        items, answers = self._planned(events, runs, policies)
        names = await self._named(transaction, world, items)
        await names.load(transaction)
        await load_spans(transaction, world, items)
        there = set(await found(transaction, cypher.MATTERS, runs.new_matters()))
        items, refused = _with_matters(runs, items, there)
        folded = fold(world, [(event, effects) for event, effects, _ in items])
        await hold_packets(transaction, world, folded)
        await self._apply(transaction, world, folded)
        return [*unplaced, *answers, *refused, *(answer_of(one) for one in folded)]

    async def _locked(self, transaction: Transaction, world: World, events: list[Reported]) -> Runs:
        refs: list[Ref] = ordered(events)
        rows = await transaction.run(
            cypher.LOCK_RUNS,
            refs=[_row(place, one) for place, one in enumerate(refs)],
        )
        runs = Runs(world)
        for row in rows:
            place: int = row["place"]
            runs.take(refs[place], row["labels"], row["properties"])
        runs.open(events)
        return runs

    def _planned(
        self, events: list[Reported], runs: Runs, policies: Policies
    ) -> tuple[list[tuple[Reported, Effects, RunState]], list[EventAnswer]]:
        items: list[tuple[Reported, Effects, RunState]] = []
        answers: list[EventAnswer] = []
        for event in events:
            try:
                check_event(self._viewer, event.kind.name, event.values)
                state = runs.of(event)
                effects = effects_of(self._registry, state.rules, state.handle, event, policies)
                items.append((event, effects, state))
            except TaskloreError as error:
                answers.append(rejected(event.index, event.event_id, error))
        return items, answers

    async def _named(
        self, transaction: Transaction, world: World, items: Iterable[tuple[Reported, Effects, RunState]]
    ) -> Names:
        names = Names(world)
        for event, effects, state in items:
            names.add(event, effects, state)
        late = names.runs_with_new_task()
        if late:
            for row in await transaction.run(cypher.STEPS_OF_RUNS, runs=sorted(late)):
                names.add_step(late[row["run_id"]], row["module_key"], row["activation_seq"])
        return names

    async def _apply(self, transaction: Transaction, world: World, folded: list[Folded]) -> None:
        accepted = [one for one in folded if one.accepted]
        if not accepted:
            return
        changes = Changes(world, accepted)
        audiences = changes.audiences()
        new = sorted(audiences.keys() - {*self._viewer.audiences})
        if new:
            await transaction.run(cypher.CREATE_AUDIENCES, rows=[audiences[one] for one in new])
        for query, rows in changes.writes():
            if rows:
                await transaction.run(query, rows=rows)
        inheriting = changes.inheriting()
        if inheriting:
            await inherit(transaction, self._registry, inheriting)
        self.changed = True
        self.new_audiences = bool(new or inheriting)


def _row(place: int, ref: Ref) -> dict[str, Any]:
    record_id, source, key = ref
    hashed = key_hash(source, key) if source is not None and key is not None else None
    return {"place": place, "id": record_id, "source": source, "key": key, "key_hash": hashed}


def _tasks_with_artifacts(events: Iterable[Reported]) -> list[str]:
    """The tasks whose policies may have to be asked: those that events of new artifacts name, and all."""
    made = [one for one in events if one.kind.record == "Artifact" and one.kind.fills]
    return sorted({EVERY_TASK, *(one.values["task_key"] for one in made if "task_key" in one.values)}) if made else []


def _with_matters(
    runs: Runs, items: list[tuple[Reported, Effects, RunState]], there: set[str]
) -> tuple[list[tuple[Reported, Effects, RunState]], list[EventAnswer]]:
    """Without the events of new runs in matters that do not exist."""
    kept: list[tuple[Reported, Effects, RunState]] = []
    refused: list[EventAnswer] = []
    for event, effects, state in items:
        try:
            runs.check_matters(state, there)
            kept.append((event, effects, state))
        except TaskloreError as error:
            refused.append(rejected(event.index, event.event_id, error))
    return kept, refused
