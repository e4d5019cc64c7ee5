"""Keeps how calls of tools ended: a record for each, tied to its method, its ask and its run."""

from difflib import get_close_matches
from typing import Any

from graph_schema.model.fields import NAME_LENGTH
from graph_schema.tools.words import ToolErrorClass, ToolOutcomeType
from service.commands import RecordRef, State, Work
from service.notices import MESSAGES, Notice
from service.tools.reports.answers import AxisSaid
from service.tools.reports.events import OutcomeReport, Read, Referral
from service.tools.reports.names import Named, NamedByOutcome, check_matters, known_run, named_by_outcome
from service.tools.vocabulary import Vocabulary
from service.tools.warnings import ToolWarning


class Outcomes:
    """The plan of one batch. Nothing is changed for a report before all that it names was looked at."""

    def __init__(self, work: Work, words: Vocabulary) -> None:
        self._work = work
        self._words = words
        self._kind = work.registry.types["ToolOutcome"]

    def keep(self, one: Read[OutcomeReport], access: dict[str, Any], stub: State | None) -> State:
        del stub  # nobody names an outcome before it is told
        work, named = self._work, named_by_outcome(one)
        run = known_run(work, named.run)
        check_matters(work, named)
        _look(work, named.tool, "tool", "Tool")
        _look(work, named.method, "method", "ToolMethod")
        _look(work, named.ask, "ask", "Ask")
        tool = work.need(named.tool, "tool", ["Tool"])
        method = self._method(named, tool)
        ask = work.need(named.ask, "ask", ["Ask"]) if named.ask else None
        sources = [state for state in (tool, method, ask, run) if state is not None]
        made = work.create(self._kind, {**self._values(one, tool, run), **_name(named), **access}, sources)
        work.link(made, "OUTCOME_OF", method or tool)
        if ask is not None:
            work.link(made, "ANSWERS", ask)
        return made

    def warnings(self, given: OutcomeReport) -> tuple[Notice, ...]:
        """Axes that are not known are counted as they are said; whoever said them may have meant another."""
        said = given.metadata.boundary_axes if given.metadata else []
        unknown = [axis for axis in self._words.axes_of(said) if not self._words.knows(axis)]
        if not unknown:
            return ()
        told = f"{', '.join(unknown)}: {MESSAGES[ToolWarning.axis_unknown]}"
        return (Notice(ToolWarning.axis_unknown.value, told, self._remedy(unknown)),)

    def axes(self, given: OutcomeReport) -> tuple[AxisSaid, ...]:
        said = given.metadata.boundary_axes if given.metadata else []
        read = [(one, self._words.axis(one)) for one in said]
        return tuple(AxisSaid(one, axis, self._words.knows(axis)) for one, axis in read)

    def _remedy(self, unknown: list[str]) -> str:
        near = sorted({one for axis in unknown for one in get_close_matches(axis, self._words.names, n=1)})
        meant = f"If you meant {' or '.join(near)}, say that. " if near else ""
        return (
            f"{meant}Known axes are {', '.join(self._words.names)}. To have a word of your own counted as one of them, "
            "or known as itself, add it to the file that TASKLORE_TOOL_WORDS names."
        )

    async def close(self) -> None:
        """Nothing follows: health is counted when it is asked for."""

    def _method(self, named: NamedByOutcome, tool: State) -> State | None:
        if named.method is None:
            return None
        known = self._work.find(named.method, "method", ["ToolMethod"])
        method = known or self._work.need(named.method, "method", ["ToolMethod"])
        if known is None:
            self._work.link(method, "METHOD_OF", tool)
        return method

    def _values(self, one: Read[OutcomeReport], tool: State, run: State | None) -> dict[str, Any]:
        given = one.given
        said = given.metadata or Referral()
        values: dict[str, Any] = {
            "name": _title(tool, given),
            "tool_id": tool.id,
            "method_key": given.method,
            "outcome_type": given.outcome_type.value,
            "occurred_at": given.occurred_at,
            "error_class": self._error_class(given),
            "error_code": given.error_code,
            "error_message": given.error_message,
            "boundary_axes": self._words.axes_of(said.boundary_axes),
            "said_axes": said.boundary_axes,
            "observed_task_shape": said.observed_task_shape,
            "suggested_split": said.suggested_split,
            "evidence": said.evidence,
            "duration_ms": given.duration_ms,
            "run_id": run.id if run else None,
            "span_key": given.span_key,
            "reported_by": self._work.viewer.principal_id,
            "content_hash": one.hash,
        }
        return {name: value for name, value in values.items() if value is not None}

    def _error_class(self, given: OutcomeReport) -> ToolErrorClass | None:
        if given.outcome_type is not ToolOutcomeType.execution_error:
            return None
        return given.error_class or self._words.error_class(given.error_code, given.error_message)


def _look(work: Work, ref: RecordRef | None, field: str, kind: str) -> None:
    """Refuse what is of another kind, or an id that nobody has, before anything is made."""
    if ref is None:
        return
    if ref.id is not None:
        work.need(ref, field, [kind])
    else:
        work.find(ref, field, [kind])


def _name(named: Named) -> dict[str, Any]:
    return {"source": named.own.source, "source_key": named.own.key}


def _title(tool: State, given: OutcomeReport) -> str:
    called = f"{tool.properties['name']}.{given.method}" if given.method else str(tool.properties["name"])
    return f"{called}: {given.outcome_type.value}"[:NAME_LENGTH]
