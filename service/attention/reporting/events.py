"""Events as components send them: read one by one, before anything of the graph is asked."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Annotated, Any, cast

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from graph_schema.attention.words import AgentEventType
from graph_schema.model.fields import DataClass, Key, Timestamp
from graph_schema.model.texts import control_in
from graph_schema.model.times import TimeUnreadable
from service.attention.errors import AgentEventUnreadable, PreferenceIncomplete
from service.attention.reporting.payloads import LONGEST_PAYLOAD, PAYLOADS
from service.commands.errors import ControlCharacter, TextTooLong, TimeInvalid
from service.memory.reporting.errors import TimeOutOfRange
from service.memory.reporting.events import EARLIEST

MOST_RECORDS = 10


class _Input(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class AttentionSessionRef(_Input):
    """A session: by its id, or by what the reporting system calls it."""

    id: Key | None = Field(None, description="Its id. Then nothing else is given.")
    source: Key | None = Field(None, description="The system that knows it; the key's default when left out.")
    key: Key | None = Field(None, description="What that system calls it.")

    @model_validator(mode="after")
    def _one_name(self) -> "AttentionSessionRef":
        if (self.id is None) == (self.source is None or self.key is None) or (self.id and (self.source or self.key)):
            raise ValueError("a session is named by its id alone, or by source and key together")
        return self


class AgentEventRecord(_Input):
    """A record that is known here: by its id, or by source and key."""

    id: Key | None = Field(None, description="Its id. Then nothing else is given.")
    source: Key | None = Field(None, description="The system that knows it; the session's own when left out.")
    key: Key | None = Field(None, description="What that system calls it.")

    @model_validator(mode="after")
    def _one_name(self) -> "AgentEventRecord":
        if (self.id is None) == (self.key is None) or (self.id and self.source):
            raise ValueError("a record is named by its id alone, or by source and key")
        return self


class Envelope(_Input):
    """What every event has."""

    event_id: Key = Field(description="Your name for the event. Sent again, it changes nothing.")
    event_type: AgentEventType = Field(description="What was heard.")
    occurred_at: Timestamp = Field(description="When it happened, by the reporter's clock.")
    session: AttentionSessionRef = Field(description="The session that it belongs to.")
    component: Key = Field(description="The component that it comes from.")
    user: Key | None = Field(None, description="Id of the principal whose session it is; yourself when left out.")
    records: Annotated[list[AgentEventRecord], Field(max_length=MOST_RECORDS)] | None = Field(
        None, description="Records that it is about."
    )
    data_class: DataClass | None = Field(None, description="How sensitive the session is; said with its first event.")
    matter_ids: Annotated[list[Key], Field(max_length=50)] | None = Field(
        None, description="Matters that the session belongs to; said with its first event."
    )
    ends_session: bool | None = Field(None, description="Whether the session ends with it.")
    payload: dict[str, Any] | None = Field(None, description="What it says, by its type.")


@dataclass(frozen=True, slots=True)
class HeardEvent:
    """An event that was understood."""

    index: int
    values: Mapping[str, Any]
    payload: Mapping[str, Any]
    hash: str

    @property
    def event_id(self) -> str:
        return self.values["event_id"]

    @property
    def type(self) -> AgentEventType:
        return AgentEventType(self.values["event_type"])


def understood(index: int, raw: Any, latest: str, source: str | None) -> HeardEvent:
    if not isinstance(raw, dict):
        raise AgentEventUnreadable("invalid_input", "event", "an event is an object")
    given = _named(cast("dict[str, Any]", raw), source)
    envelope = _read(Envelope, given, "")
    payload = _read(PAYLOADS[envelope.event_type], envelope.payload or {}, "payload.")
    values = envelope.model_dump(mode="json", exclude_none=True, exclude={"payload"})
    said = payload.model_dump(mode="json", exclude_none=True)
    _check(values, said, latest)
    digest = hashlib.sha256(orjson.dumps([values, said], option=orjson.OPT_SORT_KEYS)).hexdigest()
    return HeardEvent(index, values, said, digest)


def _named(event: dict[str, Any], source: str | None) -> dict[str, Any]:
    session: Any = event.get("session")
    if source is None or not isinstance(session, dict) or "key" not in session or "source" in session:
        return event
    return {**event, "session": {"source": source, **cast("dict[str, Any]", session)}}


def _check(values: Mapping[str, Any], said: Mapping[str, Any], latest: str) -> None:
    if not EARLIEST <= values["occurred_at"] <= latest:
        raise TimeOutOfRange("occurred_at", values["occurred_at"])
    size = len(orjson.dumps(said))
    if size > LONGEST_PAYLOAD:
        raise TextTooLong("payload", LONGEST_PAYLOAD, size)
    if ("dimension" in said) != ("value" in said):
        raise PreferenceIncomplete("payload.value" if "dimension" in said else "payload.dimension")


_CODES = {
    "enum": "unknown_value",
    "missing": "missing_field",
    "extra_forbidden": "unknown_field",
    "greater_than_equal": "out_of_range",
    "less_than_equal": "out_of_range",
    "too_long": "list_too_long",
}


def _read(model: type[Any], raw: Mapping[str, Any], prefix: str) -> Any:
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        errors = error.errors(include_url=False)
    # A name that is not known is told first: it may be why another is missing.
    first = next((one for one in errors if one["type"] == "extra_forbidden"), errors[0])
    where = prefix + ".".join(str(part) for part in first["loc"]) or "event"
    if first["type"] == "string_too_long":
        raise TextTooLong(where, first.get("ctx", {})["max_length"], len(first["input"]))
    if first["type"] == "string_pattern_mismatch" and (control := control_in(str(first["input"]))):
        raise ControlCharacter(where, control)
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, TimeUnreadable):
        raise TimeInvalid(where, cause)
    near = get_close_matches(str(first["loc"][-1]), [*model.model_fields], n=1) if first["type"] == _EXTRA else []
    problem = first["msg"].removeprefix("Value error, ").rstrip(".")
    remedy = f"It is `{near[0]}` here." if near else None
    raise AgentEventUnreadable(_CODES.get(first["type"], "invalid_input"), where, problem, remedy)


_EXTRA = "extra_forbidden"
