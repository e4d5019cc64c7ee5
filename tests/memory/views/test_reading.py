"""Facts and read models take from the registry what a record declares, and never what it hides."""

import types
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import pytest

from graph_schema.memory import runs
from graph_schema.memory.words import InterventionKind, SpanKind, StepStatus
from graph_schema.model.fields import Kind
from graph_schema.registry import REGISTRY
from service.memory.views import VIEWS, RunSteps
from service.memory.views import circumstances as held
from service.memory.views.facts import Activation, Artifact, Delivery, Gate, NativeEvent, Run, Span
from service.memory.views.load import FIELDS
from service.memory.views.reading import fact, properties_of, read_from, reader
from service.views import Of

WHOLE = (Activation, Artifact, Delivery, Gate, NativeEvent, Run, Span)
KEPT = (held.Checkpoint, held.FollowUp, held.Fork, held.Intervention, held.Session, held.Snapshot)
KINDS = {Kind.integer: int, Kind.long: int, Kind.number: float, Kind.boolean: bool}
MARKS = {Kind.long: "long", Kind.timestamp: "timestamp"}


@pytest.mark.parametrize("kind", [*WHOLE, *KEPT])
def test_a_fact_has_all_that_its_record_declares_and_nothing_hidden(kind: type[Any]) -> None:
    declared = REGISTRY.types[kind.__name__].fields
    own = {name for name in declared if name not in REGISTRY.common_fields}
    shown = {name for name in own if not declared[name].hidden and not declared[name].counts}
    assert shown - {*FIELDS[kind.__name__]} <= ({"cost_usd"} | {name for name in own if name.endswith("_count")})
    assert {*FIELDS[kind.__name__]} <= {one.name for one in fields(kind)}


def test_nothing_hidden_is_asked_for() -> None:
    common = {"audience", "own_data_class", "own_matter_ids", "realm"}
    also = {"Packet": "ContextPacket", "PacketReceipt": "ContextPacket", "ForkedRun": "Run"}
    for name, asked in FIELDS.items():
        declared = REGISTRY.types[also.get(name, name)].fields
        hidden = {name for name, one in declared.items() if one.hidden or one.counts}
        assert common <= hidden
        assert not hidden & {*asked}


def test_what_is_absent_is_none_or_empty_and_words_are_words() -> None:
    said: dict[str, Any] = {"id": "span_1", "status": "error", "span_kind": "llm_call", "tags": ["a"]}
    row = {"own": [said.get(name) for name in FIELDS["Span"]], "parent_id": None, "activation_id": "act_1"}
    span = reader(Span)(row)
    assert (span.id, span.status, span.span_kind) == ("span_1", StepStatus.error, SpanKind.llm_call)
    assert (tuple(span.tags), span.activation_id) == (("a",), "act_1")
    assert isinstance(span.status, StepStatus)
    assert (span.stub, span.summary, span.cost_usd, span.parent_id) == (False, None, None, None)
    empty: list[Any] = [None] * len(FIELDS["Fork"])
    fork = reader(held.Fork)({"own": empty, "child_run_ids": ["run_1"]})
    assert (fork.user_patch_refs, fork.graph_policy, fork.child_run_ids) == ((), None, ("run_1",))


def test_words_of_lists_are_words_and_an_unknown_one_stays_as_it_is() -> None:
    said: dict[str, Any] = {"supported_interventions": ["user_note_for_downstream", "later"]}
    session = reader(held.Session)({"own": [said.get(name) for name in FIELDS["Session"]]})
    assert session.supported_interventions == (InterventionKind.user_note_for_downstream, "later")
    assert isinstance(session.supported_interventions[0], InterventionKind)


def test_a_property_that_is_added_to_a_record_is_at_hand() -> None:
    class Wider(runs.Gate):
        colour_of_door: str | None = None

    @fact
    class WiderGate(read_from(Wider)):
        pass

    assert {*properties_of(WiderGate)} == {*properties_of(Gate), "colour_of_door"}
    own = ["red" if name == "colour_of_door" else None for name in properties_of(WiderGate)]
    assert reader(WiderGate)({"own": own}).colour_of_door == "red"


def _models(model: type[Any], seen: set[type[Any]]) -> Iterator[type[Any]]:
    if model not in seen:
        seen.add(model)
        yield model
        for one in get_type_hints(model).values():
            for inner in (one, *get_args(one)):
                if isinstance(inner, type) and is_dataclass(inner):
                    yield from _models(inner, seen)


def _taken() -> list[tuple[str, str, Any, str]]:
    """All fields of run views that are a record's own: model, name, annotation and label."""
    seen: set[type[Any]] = set()
    models = [one for top in (*(view.gives for view in VIEWS.values()), RunSteps) for one in _models(top, seen)]
    return [
        (model.__name__, name, hint, hint.__metadata__[-1].label)
        for model in models
        for name, hint in get_type_hints(model, include_extras=True).items()
        if get_origin(hint) is Annotated and isinstance(hint.__metadata__[-1], Of)
    ]


def _unwrapped(hint: Any) -> tuple[Any, list[Any], bool]:
    """The type of one value, its marks, and whether there may be many."""
    marks: list[Any] = []
    many = False
    while get_origin(hint) in (Annotated, Union, types.UnionType, tuple):
        many = many or get_origin(hint) is tuple
        if get_origin(hint) is Annotated:
            marks += hint.__metadata__
        hint = next(one for one in get_args(hint) if one is not type(None))
    return hint, marks, many


def test_a_field_that_is_a_records_own_has_its_type() -> None:
    """A word may be shown as a text."""
    taken = _taken()
    assert len(taken) > 200
    for model, name, hint, label in taken:
        kind = REGISTRY.types.get(label) or next(one for one in REGISTRY.relations if one.type == label)
        one = kind.fields[name]
        base, marks, many = _unwrapped(hint)
        assert many == one.many, (model, name)
        assert base in ({one.enum, str} if one.enum else {KINDS.get(one.kind, str)}), (model, name)
        assert MARKS.get(one.kind) in (None, *marks), (model, name)
