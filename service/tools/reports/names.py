"""What reports name: tools and methods, runs, asks and sessions. Names of reports stand apart from those of records."""

from dataclasses import dataclass

from graph_schema.memory.words import WriteScope
from service.commands import RecordRef, State, Work
from service.commands.errors import InputInvalid
from service.tools.reports.errors import RunKeptPrivate, RunUnknown
from service.tools.reports.events import AskReport, OutcomeReport, Read, Reported

OUTCOME, ASK, SESSION = "outcome/", "ask/", "session/"
"""So that a report may have the name of a tool, and an ask that of a run."""


@dataclass(frozen=True, slots=True)
class Named:
    """The records that a report names, as a command reads them."""

    own: RecordRef
    run: RecordRef | None
    matters: tuple[RecordRef, ...]

    def reads(self) -> list[RecordRef]:
        return [self.own, *([self.run] if self.run else []), *self.matters]

    def changes(self) -> list[RecordRef]:
        """What is held while the report is taken, so that no two look at it at once."""
        return []


@dataclass(frozen=True, slots=True)
class NamedByOutcome(Named):
    tool: RecordRef
    method: RecordRef | None
    ask: RecordRef | None

    def reads(self) -> list[RecordRef]:
        found = (self.tool, self.method, self.ask)
        return [*Named.reads(self), *(one for one in found if one is not None)]


@dataclass(frozen=True, slots=True)
class NamedByAsk(Named):
    session: RecordRef

    def changes(self) -> list[RecordRef]:
        return [self.session]


def named_by_outcome(one: Read[OutcomeReport]) -> NamedByOutcome:
    given = one.given
    tool = given.tool.ref("Tool", one.source)
    method = None
    if given.method is not None and tool.id is None:
        method = RecordRef(kind="ToolMethod", source=tool.source, key=f"{tool.key}/{given.method}")
    return NamedByOutcome(
        own=RecordRef(kind="ToolOutcome", source=one.source, key=OUTCOME + given.event_id),
        run=run_of(given, one.source),
        matters=_matters(given),
        tool=tool,
        method=method,
        ask=given.ask.ref("Ask", one.source, ASK) if given.ask else None,
    )


def named_by_ask(one: Read[AskReport]) -> NamedByAsk:
    given = one.given
    return NamedByAsk(
        own=RecordRef(kind="Ask", source=one.source, key=ASK + given.event_id),
        run=run_of(given, one.source),
        matters=_matters(given),
        session=RecordRef(kind="AskSession", source=one.source, key=f"{SESSION}{given.user}/{given.session}"),
    )


def run_of(given: Reported, source: str) -> RecordRef | None:
    if given.run is None:
        return None
    if given.run.id is not None:
        return RecordRef(id=given.run.id)
    return RecordRef(kind="Run", source=given.run.source or source, key=given.run.key)


def _matters(given: Reported) -> tuple[RecordRef, ...]:
    return tuple(RecordRef(id=one) for one in given.matter_ids or ())


def known_run(work: Work, ref: RecordRef | None) -> State | None:
    """A run has to be known: it says who may see what is told of it, and whether anything may be learned from it."""
    if ref is None:
        return None
    run = work.find(ref, "run", ["Run"])
    if run is None or run.properties.get("stub"):
        raise RunUnknown(ref)
    if run.properties.get("memory_write_scope") == WriteScope.none:
        raise RunKeptPrivate
    return run


def check_matters(work: Work, named: Named) -> None:
    for ref in named.matters:
        found = work.find(ref, "matter_ids", ["Entity"])
        if found is None or found.properties.get("kind") != "matter":
            raise InputInvalid("matter_ids", f"{ref} is not a matter")
