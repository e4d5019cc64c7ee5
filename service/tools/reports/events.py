"""What callers report: how a call of a tool ended, and what a user asked for. Read strictly, each for itself."""

import hashlib
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar, cast

import orjson
from pydantic import Field, model_validator

from graph_schema.model.fields import DataClass, Key, Name, Text, Timestamp, Word
from graph_schema.tools.words import ToolErrorClass, ToolOutcomeType
from service.commands import RecordRef
from service.memory.reporting.errors import EventUnreadable, TimeOutOfRange
from service.memory.reporting.events import EARLIEST, MOST_LONG, Input, RunRef, validated
from service.tools.reports.errors import (
    AxesRequired,
    AxisUnreadable,
    ErrorMisplaced,
    EvidenceRequired,
    ReferralMisplaced,
    SourceNeeded,
    SpanNeedsRun,
)
from service.tools.vocabulary import Vocabulary

MOST_AXES = 20
MOST_PATTERNS = 50
E = TypeVar("E", bound="Reported")
T = ToolOutcomeType
JUDGED = (T.wrong_tool_boundary, T.low_utility)


class NamedRef(Input):
    """A tool, or an ask: by its id, or by what its system calls it."""

    id: Key | None = Field(default=None, description="Its id. Then nothing else is given.")
    source: Key | None = Field(default=None, description="The system that knows it; the report's own when left out.")
    key: Name | None = Field(default=None, description="What that system calls it.")

    @model_validator(mode="after")
    def _one_name(self) -> "NamedRef":
        if (self.id is None) == (self.key is None) or (self.id and self.source):
            raise ValueError("it is named by its id alone, or by its key, with a source where it is another")
        return self

    def ref(self, kind: str, source: str, prefix: str = "") -> RecordRef:
        if self.id is not None:
            return RecordRef(id=self.id)
        return RecordRef(kind=kind, source=self.source or source, key=f"{prefix}{self.key}")


class Referral(Input):
    """Why a tool hands a request back, or thinks little of what it hands over."""

    boundary_axes: Annotated[list[Word], Field(max_length=MOST_AXES)] = Field(
        default_factory=list[str],
        description="Where the request crosses the tool's boundary, in words of yours: transport, extraction.",
    )
    observed_task_shape: Text | None = Field(default=None, description="What was asked for, as the tool saw it.")
    suggested_split: Text | None = Field(default=None, description="How the tool could be split.")
    evidence: Text | None = Field(default=None, description="What shows it. A referral needs it.")


class Reported(Input):
    """What every report has."""

    event_id: Name = Field(description="Your name for it. Sent again, it changes nothing.")
    source: Key | None = Field(default=None, description="Your system; that of your key when left out.")
    run: RunRef | None = Field(default=None, description="The run that it belongs to, once that was reported.")
    data_class: DataClass | None = Field(default=None, description="How sensitive it is, beside what it inherits.")
    matter_ids: Annotated[list[Key], Field(max_length=50)] | None = Field(
        default=None, description="Matters that it belongs to, beside those that it inherits."
    )


class OutcomeReport(Reported):
    """How one call of a tool ended."""

    tool: NamedRef = Field(description="The tool. One that is not known becomes known by this.")
    method: Name | None = Field(default=None, description="The method that was called.")
    outcome_type: ToolOutcomeType = Field(description="How it ended.")
    occurred_at: Timestamp = Field(description="When, by the caller's clock.")
    error_class: ToolErrorClass | None = Field(
        default=None, description="Whose fault an execution error is; told from its code when left out."
    )
    error_code: Key | None = Field(default=None, description="The error, as the tool calls it.")
    error_message: Text | None = Field(default=None, description="What it said.")
    metadata: Referral | None = Field(default=None, description="Why the request was handed back, or met badly.")
    duration_ms: Annotated[int, Field(ge=0, le=MOST_LONG)] | None = Field(
        default=None, description="How long it took, in milliseconds."
    )
    span_key: Key | None = Field(
        default=None, description="The span of the run that is the same call: the two count once."
    )
    ask: NamedRef | None = Field(default=None, description="What the user had asked for, by the ask's event id.")


class AskReport(Reported):
    """What a user asked for. Of its text nothing is kept but which rules on phrases it fits."""

    user: Name = Field(description="Who asked, as you call them.")
    session: Name = Field(description="The session that they asked in.")
    asked_at: Timestamp = Field(description="When, by the caller's clock.")
    capability_pattern: Annotated[list[Word], Field(max_length=MOST_PATTERNS)] = Field(
        default_factory=list[str], description="Kinds of work that it was met by, such as http_fetch."
    )
    task_shape: Key | None = Field(default=None, description="What shape of task it is, in a word or two of yours.")
    top_level: bool = Field(True, description="Whether the user asked, and not an agent for them.")
    text: Text | None = Field(default=None, description="What they said. It is read, and not kept.")


@dataclass(frozen=True, slots=True)
class Read(Generic[E]):
    """A report that was understood: with the system that it comes from, and a hash of what it says."""

    index: int
    given: E
    source: str
    hash: str


def read(index: int, model: type[E], raw: Any, source: str | None, latest: str) -> Read[E]:
    if not isinstance(raw, dict):
        raise EventUnreadable("invalid_input", "event", "a report is an object")
    given = validated(model, cast("dict[str, Any]", raw))
    known = given.source or source
    if known is None:
        raise SourceNeeded
    values = given.model_dump(mode="json", exclude_none=True)
    for name in ("occurred_at", "asked_at"):
        if name in values and not EARLIEST <= values[name] <= latest:
            raise TimeOutOfRange(name, values[name])
    digest = hashlib.sha256(orjson.dumps({**values, "source": known}, option=orjson.OPT_SORT_KEYS)).hexdigest()
    return Read(index, given, known, digest)


def check_outcome(given: OutcomeReport, words: Vocabulary) -> None:
    """What a report of one kind of outcome must say, and may not."""
    said, kind = given.metadata or Referral(), given.outcome_type
    if unreadable := next((one for one in said.boundary_axes if not words.axis(one)), None):
        raise AxisUnreadable(unreadable)
    if kind is T.wrong_tool_boundary and not said.boundary_axes:
        raise AxesRequired(words.names)
    if kind is T.wrong_tool_boundary and not (said.evidence or "").strip():
        raise EvidenceRequired
    if kind not in JUDGED and (said.boundary_axes or said.suggested_split):
        raise ReferralMisplaced(kind.value)
    if kind is not T.execution_error and (given.error_class or given.error_code):
        raise ErrorMisplaced(kind.value)
    if given.span_key is not None and given.run is None:
        raise SpanNeedsRun
