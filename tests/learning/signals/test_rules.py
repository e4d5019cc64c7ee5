"""Laws of the gate, of payloads and of signatures."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from graph_schema.learning.words import DesignSignalKind, SignalType
from graph_schema.memory.words import MemoryMode
from graph_schema.model.fields import DataClass
from service.learning.signals.emit import UPDATES
from service.learning.signals.gate import PRIVATE, SENSITIVE, gate
from service.learning.signals.payloads import PAYLOADS, Payload, read_payload
from service.learning.signals.signature import topology_hash, upstream_types
from tests.laws import law
from tests.learning.signals.payloads import EXAMPLES

KEYS = st.sampled_from("abcdef")
TYPES = st.sampled_from(["agent", "judge", "loop"])
MODULES = st.dictionaries(KEYS, TYPES, max_size=6)
CABLES = st.lists(st.tuples(KEYS, KEYS), max_size=10)


@given(st.sampled_from(DataClass), st.sampled_from([None, *MemoryMode]), st.booleans())
def test_nothing_durable_comes_of_what_is_private_sensitive_or_not_eligible(
    data_class: DataClass, mode: MemoryMode | None, eligible: bool
) -> None:
    passage = gate(data_class.value, mode.value if mode else None, eligible=eligible)
    assert passage.kept == (mode is None or mode.value not in PRIVATE)
    assert passage.durable == (passage.kept and eligible and data_class.value not in SENSITIVE)
    assert (passage.because is None) == passage.durable


def test_every_type_has_a_payload_and_every_kind_an_update() -> None:
    assert {*PAYLOADS} == {*SignalType} == {*EXAMPLES}
    assert {*UPDATES} == {*DesignSignalKind}


def test_payloads_are_read_as_they_are_told() -> None:
    for type_, told in EXAMPLES.items():
        found = read_payload(type_, told)
        assert isinstance(found, Payload), (type_, found)
        again = read_payload(type_, found.model_dump(mode="json", exclude_none=True))
        assert again == found


@law(60)
@given(st.sampled_from(SignalType), st.data())
def test_a_payload_without_a_field_or_with_another_is_refused_by_that_name(
    type_: SignalType, data: st.DataObject
) -> None:
    told = EXAMPLES[type_]
    needed = [name for name, one in PAYLOADS[type_].model_fields.items() if one.is_required()]
    gone = data.draw(st.sampled_from(needed))
    lacking = read_payload(type_, {name: value for name, value in told.items() if name != gone})
    assert isinstance(lacking, tuple)
    assert lacking[0] == f"payload.{gone}"
    more = read_payload(type_, {**told, "nonsense": 1})
    assert isinstance(more, tuple)
    assert more[0] == "payload.nonsense"


def test_what_a_reviser_thinks_of_itself_is_no_ground() -> None:
    told: dict[str, Any] = EXAMPLES[SignalType.repair_cycle]
    [(key, delta)] = told["per_criterion_score_deltas"].items()
    ground = {**delta["attribution"][0], "attribution_basis": "revisor_self_assessment"}
    found = read_payload(
        SignalType.repair_cycle, {**told, "per_criterion_score_deltas": {key: {**delta, "attribution": [ground]}}}
    )
    assert isinstance(found, tuple)
    assert found[0].endswith("attribution.0.attribution_basis")


@law(100)
@given(MODULES, CABLES, st.randoms())
def test_a_shape_does_not_depend_on_order_or_keys(
    modules: dict[str, str], cables: list[tuple[str, str]], dice: Any
) -> None:
    within = [[a, b] for a, b in cables if a in modules and b in modules]
    told = [{"key": key, "type": kind} for key, kind in modules.items()]
    shuffled = dice.sample(told, len(told))
    renamed = [{"key": f"{one['key']}!", "type": one["type"]} for one in shuffled]
    again = [[f"{a}!", f"{b}!"] for a, b in dice.sample(within, len(within))]
    assert topology_hash(told, within) == topology_hash(shuffled, within) == topology_hash(renamed, again)


@law(100)
@given(MODULES, CABLES)
def test_what_is_upstream_is_found_however_the_cables_loop(
    modules: dict[str, str], cables: list[tuple[str, str]]
) -> None:
    within = [[a, b] for a, b in cables if a in modules and b in modules]
    told = [{"key": key, "type": kind} for key, kind in modules.items()]
    for at in modules:
        found = {*upstream_types(told, within, at)}
        assert {modules[a] for a, b in within if b == at} <= found <= {*modules.values()}
    assert upstream_types(told, within, "nowhere") == []
