"""Events as executors send them: a model for each kind, made from the table of kinds and their records."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import get_close_matches
from enum import StrEnum
from typing import Annotated, Any, Literal, TypeVar, cast, get_args

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model, model_validator

from graph_schema.memory.words import CaptureMode, DeliveryStatus, GateStatus, IntakeLevel
from graph_schema.model.fields import Key, Name, Timestamp
from graph_schema.model.names import stored_name
from graph_schema.model.texts import control_in
from graph_schema.model.times import TimeUnreadable
from graph_schema.registry import REGISTRY
from service import clock
from service.commands.errors import ControlCharacter, TextTooLong, TimeInvalid
from service.memory.reporting.errors import (
    DeniedButMounted,
    EventUnreadable,
    PhantomControl,
    SpanOfItself,
    TimeOutOfRange,
    TimesOutOfOrder,
)
from service.memory.reporting.kinds import KINDS, EventKind
from service.memory.reporting.policy import LIST_LIMIT, RunPolicy

EARLIEST = "2000-01-01T00:00:00.000Z"
LATEST_DEADLINE = "2200-01-01T00:00:00.000Z"
AHEAD = timedelta(days=1)
MOST = (1 << 31) - 1
MOST_LONG = (1 << 63) - 1
_LONG = frozenset({"input_tokens", "output_tokens", "size_bytes"})


M = TypeVar("M", bound=BaseModel)


class Input(BaseModel):
    """What is sent, read strictly: nothing is taken that has no name here."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class RunRef(Input):
    """A run: by its id, or by what the executor calls it."""

    id: Key | None = Field(None, description="Its id. Then nothing else is given.")
    source: Key | None = Field(None, description="The executor's system.")
    key: Key | None = Field(None, description="What that system calls the run.")

    @model_validator(mode="after")
    def _one_name(self) -> "RunRef":
        if (self.id is None) == (self.source is None or self.key is None) or (self.id and (self.source or self.key)):
            raise ValueError("a run is named by its id alone, or by source and key together")
        return self


class ItemKind(StrEnum):
    """What kind of record an item is."""

    Artifact = "Artifact"
    Entity = "Entity"
    WorkProduct = "WorkProduct"
    Goal = "Goal"
    Capability = "Capability"
    Fork = "Fork"


class ItemRef(Input):
    """A record: by its id, or by kind, source and key. An unknown key makes a stub."""

    id: Key | None = Field(None, description="Its id. Then nothing else is given.")
    kind: ItemKind | None = Field(None, description="What kind of record it is.")
    source: Key | None = Field(None, description="The system that knows it; the run's own when left out.")
    key: Key | None = Field(None, description="What that system calls it.")
    name: Name | None = Field(None, description="What people call it, for a stub.")
    calls: Annotated[int, Field(ge=0, le=MOST)] | None = Field(None, description="Capability: how often it was called.")
    errors: Annotated[int, Field(ge=0, le=MOST)] | None = Field(None, description="Capability: how often that failed.")
    effect: Key | None = Field(None, description="Goal: what was done for it, in a word.")

    @model_validator(mode="after")
    def _one_name(self) -> "ItemRef":
        if (self.id is None) == (self.key is None):
            raise ValueError("a record is named by its id alone, or by kind, source and key")
        return self


class StepRef(Input):
    """An activation of the same run."""

    module_key: Key = Field(description="The module.")
    activation_seq: Annotated[int, Field(ge=1, le=MOST)] = Field(description="Which activation of it.")


class EvidenceKind(StrEnum):
    """Where evaluation evidence comes from."""

    judge = "judge"
    experiment = "experiment"
    claim = "claim"


class Envelope(Input):
    """What every event has."""

    event_id: Key = Field(description="Your name for the event. Sent again, it changes nothing.")
    occurred_at: Timestamp = Field(description="When it happened, by the executor's clock.")
    run: RunRef = Field(description="The run that it belongs to.")
    policy: RunPolicy | None = Field(None, description="How the run is remembered; needed while the run is not known.")
    task_key: Key | None = Field(None, description="What the executor calls the task that is run.")


_Items = Annotated[list[ItemRef], Field(max_length=LIST_LIMIT)]
_Keys = Annotated[list[Key], Field(max_length=LIST_LIMIT)]
_Steps = Annotated[list[StepRef], Field(max_length=LIST_LIMIT)]

SAID: dict[str, tuple[Any, str]] = {
    "artifact_key": (Key, "The artifact, as the executor calls it."),
    "about": (_Items, "Entities that the run is about."),
    "goals": (_Items, "Goals that the run pursues."),
    "fork": (ItemRef, "The fork request that this run carries out, by its id or by source and key."),
    "advanced_goals": (_Items, "Goals that the run advanced, with the effect."),
    "triggered_by": (_Steps, "Activations whose results set this one going."),
    "gate_key": (Key, "The gate that it waits on."),
    "capabilities": (_Items, "Capabilities that were used, with calls and errors."),
    "item": (ItemRef, "The artifact, document or work product."),
    "derived_from": (_Items, "Artifacts, documents and work products that it was made from."),
    "citing_artifact_key": (Key, "The artifact that cites it."),
    "snapshot_keys": (_Keys, "Snapshots that it was done under."),
    "artifact_keys": (_Keys, "Artifacts that it had to do with, as the executor calls them."),
    "recipients_known": (_Items, "Entities that it went to."),
    "evidence_kind": (EvidenceKind, "Where the evidence comes from."),
    "evaluated_artifact_key": (Key, "The artifact that it is about."),
    "promoted_level": (IntakeLevel, "How far it is to go."),
    "work_product_key": (Key, "The work product that it became, as the executor calls it."),
    "work_product_name": (Name, "What people call the work product."),
    "previous_work_product_key": (Key, "The version of the work product before it."),
    "module_type": (Key, "Intake: type of the module, for policies that ask for it."),
    "module_port_level": (IntakeLevel, "Intake: what the module says of this port."),
    "task_port_level": (IntakeLevel, "Intake: what the task says of this port."),
    "capture_mode": (CaptureMode, "Intake: what the module does with its outputs."),
    "step_intent_level": (IntakeLevel, "Intake: what the step intent says."),
    "output_class_level": (IntakeLevel, "Intake: what the task says of this class of output."),
    "task_level": (IntakeLevel, "Intake: what the task says of all outputs."),
    "review_above_level": (IntakeLevel, "Intake: above this level a person is asked."),
    "high_value_candidate": (bool, "Intake: whether the module marks it as of high value."),
}
_REQUIRED_SAID = {"artifact_consumed": ("item",), "evaluation_evidence": ("evidence_kind",)}
_STATUS = {"gate_decided": GateStatus, "delivery": DeliveryStatus}


@dataclass(frozen=True, slots=True)
class Reported:
    """An event that was understood."""

    index: int
    kind: EventKind
    model: Any
    values: dict[str, Any]
    """What was given, as it is stored."""
    hash: str

    @property
    def event_id(self) -> str:
        return self.values["event_id"]

    @property
    def stamp(self) -> str:
        """Orders events by time, then by kind, then by name: whoever comes last by this has the last word."""
        return f"{self.values['occurred_at']} {self.kind.rank} {self.event_id} {self.hash[:12]}"


def _model(kind: EventKind) -> type[Envelope]:
    fields: dict[str, Any] = {"kind": (Literal[kind.name], Field(description="What happened."))}
    for name in dict.fromkeys((*kind.needs, *kind.takes, *kind.says)):
        fields[name] = _field(kind, name, required=name in (*kind.needs, *_REQUIRED_SAID.get(kind.name, ())))
    if kind.name.startswith("document_"):
        fields["item"] = _field(kind, "item", required=True)
    if kind.step != "none":
        fields["module_key"] = _field(kind, "module_key", required=kind.step == "needed")
        fields["activation_seq"] = _field(kind, "activation_seq", required=kind.step == "needed")
    return create_model(f"Event_{kind.name}", __base__=Envelope, **fields)


def _field(kind: EventKind, name: str, *, required: bool) -> tuple[Any, Any]:
    annotation, description = _declared(kind, name)
    if required:
        return annotation, Field(description=description)
    return annotation | None, Field(None, description=description)


def _declared(kind: EventKind, name: str) -> tuple[Any, str]:
    """The type and meaning of an input: those of the record's field, unless it is no field of the record."""
    if name in kind.says or name == "item" or (name == "artifact_key" and kind.record == "Artifact"):
        return SAID[name]
    model = REGISTRY.types["Activation" if name in {"module_key", "activation_seq"} else kind.record].model
    info = model.model_fields[name]
    annotation: Any = info.annotation
    return (Annotated[(annotation, *info.metadata)] if info.metadata else annotation), info.description or ""


MODELS: dict[str, type[Envelope]] = {name: _model(kind) for name, kind in KINDS.items()}


@dataclass(frozen=True, slots=True)
class Unread:
    """An event that could not be read where it came in, and why."""

    event_id: str | None
    error: EventUnreadable


def unknown_field(path: str, known: Iterable[str], meant: str | None = None) -> EventUnreadable:
    """A field that no such event has, with the one that was probably meant."""
    name = path.rpartition(".")[2]
    near = meant or next(iter(get_close_matches(name, list(known), n=1, cutoff=0.6)), None)
    remedy = f"It is `{near}` here." if near else "Leave it out, or see docs/reporting.md for what this kind takes."
    return EventUnreadable("unknown_field", path, "there is no such field", remedy)


def latest_at(now: datetime) -> str:
    """The latest time that an event may have: clocks differ, but not by more than a day."""
    return clock.stamp(now + AHEAD)


def understood(index: int, raw: Any, latest: str, source: str | None = None) -> Reported:
    """The event, or the reason why it cannot be one. Nothing of the graph is asked here.

    `source` is the system that runs are named by where the event does not say.
    """
    if not isinstance(raw, dict):
        raise EventUnreadable("invalid_input", "event", "an event is an object")
    given = _named(cast("dict[str, Any]", raw), source)
    name = given.get("kind")
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise EventUnreadable("unknown_kind", "kind", f"must be one of {', '.join(KINDS)}")
    _check_fields(kind, given)
    model = validated(MODELS[kind.name], given)
    values = model.model_dump(mode="json", exclude_none=True)
    _check_bounds(values, latest)
    _check_pairs(values)
    _check_claims(values)
    digest = hashlib.sha256(orjson.dumps(values, option=orjson.OPT_SORT_KEYS)).hexdigest()
    return Reported(index, kind, model, values, digest)


def _check_fields(kind: EventKind, given: dict[str, Any]) -> None:
    """What another kind of event tells is sent with that: events of a run come in any order."""
    for name in sorted(given.keys() - MODELS[kind.name].model_fields.keys()):
        others = [one for one, model in MODELS.items() if name in model.model_fields]
        if others:
            remedy = f"It goes with {', '.join(others[:_TOLD])}{' and others' if len(others) > _TOLD else ''}."
            raise EventUnreadable("unknown_field", name, f"{kind.name} does not take it", remedy)


_TOLD = 3


def _named(event: dict[str, Any], source: str | None) -> dict[str, Any]:
    run: Any = event.get("run")
    if source is None or not isinstance(run, dict) or "key" not in run or "source" in run:
        return event
    return {**event, "run": {"source": source, **cast("dict[str, Any]", run)}}


_CODES = {
    "enum": "unknown_value",
    "literal_error": "unknown_value",
    "missing": "missing_field",
    "extra_forbidden": "unknown_field",
    "greater_than_equal": "out_of_range",
    "less_than_equal": "out_of_range",
    "too_long": "list_too_long",
}


def validated(model: type[M], raw: dict[str, Any]) -> M:
    """What was sent as the model has it, or the first thing that is wrong with it."""
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        errors = error.errors(include_url=False)
    # A name that is not known is told first: it may be why another is missing.
    first = next((one for one in errors if one["type"] == "extra_forbidden"), errors[0])
    where = ".".join(str(part) for part in first["loc"]) or "event"
    if first["type"] == "string_too_long":
        raise TextTooLong(where, first.get("ctx", {})["max_length"], len(first["input"]))
    if first["type"] == "string_pattern_mismatch" and (control := control_in(first["input"])):
        raise ControlCharacter(where, control)
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, TimeUnreadable):
        raise TimeInvalid(where, cause)
    if first["type"] == "extra_forbidden":
        known = _fields_at(model, first["loc"][:-1])
        meant = stored_name(str(first["loc"][-1]))
        raise unknown_field(where, known, meant if meant in known else None)
    problem = first["msg"].removeprefix("Value error, ").rstrip(".")
    raise EventUnreadable(_CODES.get(first["type"], "invalid_input"), where, problem)


def _fields_at(model: type[BaseModel], path: Sequence[int | str]) -> list[str]:
    """The names that may stand at a place of an event."""
    name = next((part for part in path if isinstance(part, str)), None)
    return list((_nested(model.model_fields[name].annotation) if name else model).model_fields)


def _nested(annotation: Any) -> type[BaseModel]:
    """The model inside an annotation: `RunRef | None`, `list[ItemRef]`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(found for one in get_args(annotation) if (found := _inside(one)) is not None)


def _inside(annotation: Any) -> type[BaseModel] | None:
    try:
        return _nested(annotation)
    except StopIteration:
        return None


def _check_bounds(values: dict[str, Any], latest: str) -> None:
    """Whole numbers that the graph and the API can hold, and times that can be."""
    for name, value in values.items():
        if isinstance(value, int):
            if value > MOST and (name not in _LONG or value > MOST_LONG):
                raise EventUnreadable("out_of_range", name, "the number is too large")
        elif name[-3:] == "_at" and not EARLIEST <= value <= (LATEST_DEADLINE if name == "deadline_at" else latest):
            raise TimeOutOfRange(name, value)
    for earlier, later in _IN_ORDER:
        if earlier in values and later in values and values[later] < values[earlier]:
            raise TimesOutOfOrder(earlier, later)


_IN_ORDER = (("started_at", "completed_at"), ("opened_at", "deadline_at"), ("completed_at", "archived_at"))


def _check_pairs(values: dict[str, Any]) -> None:
    if "parent_span_key" in values and values["parent_span_key"] == values.get("span_key"):
        raise SpanOfItself(values["span_key"])
    if ("module_key" in values) != ("activation_seq" in values):
        missing = "module_key" if "activation_seq" in values else "activation_seq"
        raise EventUnreadable("missing_field", missing, "module_key and activation_seq go together")


_NEVER_CONTINUED = frozenset({"one_shot_gateway_call", "archived_session", "unavailable"})


def _check_claims(values: dict[str, Any]) -> None:
    """What contradicts itself, and would be shown to somebody as something that they can do or rely on."""
    if values.get("continuation_status") == "available" and values["session_kind"] in _NEVER_CONTINUED:
        raise PhantomControl(values["session_kind"])
    both = {*values.get("mounted_capabilities", ())} & {*values.get("denied_capabilities", ())}
    if both:
        raise DeniedButMounted(sorted(both))
