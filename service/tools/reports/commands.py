"""The doors for reports about tools and asks: a list in, an answer for each out, in one transaction."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, Generic, Protocol, cast

from graph_schema.model.registry import Registry
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, Request, State, Work
from service.commands.errors import NotAllowed, SourceKeyTaken
from service.errors import TaskloreError
from service.graph.database import Database
from service.memory.reporting.answers import ReportOutcome
from service.memory.reporting.commands import FEW_EVENTS, MOST_EVENTS
from service.memory.reporting.errors import EventIdReused, TooManyEvents
from service.memory.reporting.events import Unread, latest_at
from service.memory.reporting.tries import MOST_TRIES
from service.notices import Notice
from service.records import rules
from service.tools.limits import ReaskLimits
from service.tools.reports.answers import AxisSaid, ToolReportAnswer, refused
from service.tools.reports.asks import Asks
from service.tools.reports.events import AskReport, E, OutcomeReport, Read, check_outcome, read
from service.tools.reports.names import Named, named_by_ask, named_by_outcome
from service.tools.reports.outcomes import Outcomes
from service.tools.vocabulary import Vocabulary

Changed = Callable[[bool], None]
Item = tuple[Read[E], Named]


class _Reports(Generic[E]):
    """What both doors have in common."""

    command: str
    model: type[E]

    def __init__(self, database: Database, registry: Registry, changed: Changed, words: Vocabulary) -> None:
        self._database = database
        self._registry = registry
        self._changed = changed
        self._words = words

    async def report(self, viewer: Viewer, events: Sequence[Any]) -> list[ToolReportAnswer]:
        """Take reports, each for itself, in any order. The answers are in the order of the reports."""
        if KeyScope.report not in viewer.scopes:
            raise NotAllowed(KeyScope.report, viewer.scopes)
        if len(events) > MOST_EVENTS:
            raise TooManyEvents(len(events), MOST_EVENTS)
        work = partial(self._taken, viewer, events)
        answers, outcome = await (self._database.apart(work) if len(events) > FEW_EVENTS else work(self._database))
        if outcome is not None:
            self._changed(outcome.new_audiences)
        return sorted(answers, key=lambda one: one.index)

    async def _taken(
        self, viewer: Viewer, events: Sequence[Any], database: Database
    ) -> tuple[list[ToolReportAnswer], Outcome | None]:
        items, answers = self._read(viewer, events)
        if not items:
            return answers, None
        commands = Commands(database, self._registry, lambda _new: None)
        for tried in range(1, MOST_TRIES + 1):
            batch = _Batch[E](self, viewer, items)
            try:
                outcome = await commands.execute(viewer, self._request(items), batch.plan)
            except _NothingNew:
                return answers + batch.answers, None
            except SourceKeyTaken:  # somebody named the same tool, or sent the same, at the same moment
                if tried == MOST_TRIES:
                    raise
            else:
                return answers + batch.answers, outcome
        raise AssertionError("unreachable")

    def _request(self, items: Sequence[Item[E]]) -> Request:
        reads = {str(ref): ref for _, named in items for ref in named.reads()}
        changes = {str(ref): ref for _, named in items for ref in named.changes()}
        names = sorted({(ref.source, ref.key) for ref in reads.values() if ref.source and ref.key})
        return Request(
            self.command,
            KeyScope.report,
            {"hashes": [one.hash for one, _ in items]},
            reads=[*reads.values()],
            changes=[*changes.values()],
            names=names,
        )

    def _read(self, viewer: Viewer, events: Sequence[Any]) -> tuple[list[Item[E]], list[ToolReportAnswer]]:
        latest = latest_at(datetime.now(UTC))
        items: list[Item[E]] = []
        answers: list[ToolReportAnswer] = []
        for index, raw in enumerate(events):
            if isinstance(raw, Unread):
                answers.append(refused(index, raw.event_id, raw.error))
                continue
            try:
                one = read(index, self.model, raw, viewer.defaults.source, latest)
                rules.check_access(viewer, self.access_of(viewer, one))
                items.append((one, self.named(one)))
            except TaskloreError as error:
                told: Any = cast("dict[str, Any]", raw).get("event_id") if isinstance(raw, dict) else None
                answers.append(refused(index, told, error))
        return items, answers

    def access_of(self, viewer: Viewer, one: Read[E]) -> dict[str, Any]:
        """What it is told to be, else what the key says of its reports, else internal and of no matter."""
        defaults = viewer.defaults
        given = one.given
        data_class = given.data_class or defaults.data_class
        matters = given.matter_ids if given.matter_ids is not None else defaults.matter_ids
        return {**({"data_class": data_class.value} if data_class else {}), "matter_ids": [*(matters or ())]}

    def named(self, one: Read[E]) -> Named:
        raise NotImplementedError

    def keeper(self, work: Work) -> "Keeper[E]":
        raise NotImplementedError


class _NothingNew(Exception):
    """All of it was known already, or is refused: nothing is kept, not even that it was sent."""


class Keeper(Protocol[E]):
    """Keeps the reports of one batch while its transaction is open."""

    def keep(self, one: Read[E], access: dict[str, Any], stub: State | None) -> State: ...

    def warnings(self, given: E) -> tuple[Notice, ...]: ...

    def axes(self, given: E) -> tuple[AxisSaid, ...]:
        """The axes that it names, beside what they are counted as."""
        ...

    async def close(self) -> None:
        """What follows once all of them are kept."""
        ...


class _Batch(Generic[E]):
    """One call in its transaction; begun anew when that is retried."""

    def __init__(self, reports: _Reports[E], viewer: Viewer, items: Sequence[Item[E]]) -> None:
        self._reports = reports
        self._viewer = viewer
        self._items = items
        self.answers: list[ToolReportAnswer] = []

    async def plan(self, work: Work) -> dict[str, Any]:
        self.answers = []
        keeper = self._reports.keeper(work)
        kept: dict[str, State] = {}
        for one, named in self._items:
            try:
                self.answers.append(self._taken(work, keeper, kept, one, named))
            except TaskloreError as error:
                self.answers.append(refused(one.index, one.given.event_id, error))
        if not kept:
            raise _NothingNew
        await keeper.close()
        return {"taken": len(kept)}

    def _taken(
        self, work: Work, keeper: Keeper[E], kept: dict[str, State], one: Read[E], named: Named
    ) -> ToolReportAnswer:
        handle, event_id = str(named.own), one.given.event_id
        known = kept.get(handle) or work.find(named.own, "event_id", [named.own.kind or ""])
        is_told = known is not None and "content_hash" in known.properties
        if known is not None and is_told:
            if known.properties["content_hash"] != one.hash:
                raise EventIdReused(event_id)
            return ToolReportAnswer(
                index=one.index,
                event_id=event_id,
                outcome=ReportOutcome.duplicate,
                record_id=known.id,
                axes=keeper.axes(one.given),
            )
        made = keeper.keep(one, self._reports.access_of(self._viewer, one), known)
        kept[handle] = made
        return ToolReportAnswer(
            index=one.index,
            event_id=event_id,
            outcome=ReportOutcome.accepted,
            record_id=made.id,
            warnings=keeper.warnings(one.given),
            axes=keeper.axes(one.given),
        )


class OutcomeReports(_Reports[OutcomeReport]):
    """How calls of tools ended."""

    command = "reportToolOutcomes"
    model = OutcomeReport

    def named(self, one: Read[OutcomeReport]) -> Named:
        check_outcome(one.given, self._words)
        return named_by_outcome(one)

    def keeper(self, work: Work) -> Keeper[OutcomeReport]:
        return Outcomes(work, self._words)


class AskReports(_Reports[AskReport]):
    """What users asked for."""

    command = "reportAsks"
    model = AskReport

    def __init__(
        self, database: Database, registry: Registry, changed: Changed, words: Vocabulary, limits: ReaskLimits
    ) -> None:
        super().__init__(database, registry, changed, words)
        self._limits = limits

    def named(self, one: Read[AskReport]) -> Named:
        return named_by_ask(one)

    def keeper(self, work: Work) -> Keeper[AskReport]:
        return Asks(work, self._words, self._limits)
