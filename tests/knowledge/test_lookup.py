"""Lookups: what is live first, then what the pack says, and never more than the education profile allows."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.knowledge.words import (
    AuthorityLevel,
    CardFamily,
    DecisionFamily,
    PortKind,
    ResourceKind,
    StalePackBehavior,
)
from graph_schema.library.words import CapabilityState, SourceKind
from service.commands import RecordRef
from service.knowledge.errors import FieldUnknown, ModuleTypeUnknown, SampleUnknown
from service.knowledge.lookup.answer import LookupCard
from service.knowledge.lookup.budget import Allowance, WithheldReason, within
from service.knowledge.lookup.graphs import GraphLookups
from service.knowledge.lookup.models import ModelNeed, ModelPrivacy, ModelQuality, advised, model_policy
from service.knowledge.lookup.profile import DEFAULT, Education, EducationProfileHeld, profile_of
from service.knowledge.lookup.read import NO_PACK, Lookups, ModuleWish
from service.knowledge.lookup.turn import Turn
from service.knowledge.pack.commands import KnowledgeCompiler
from service.knowledge.preflight.load import Subject
from service.library.capabilities import StateReport
from service.library.commands import Library
from service.records import Records
from tests.knowledge.desk import Desk, graph
from tests.knowledge.graphs.reading import TYPES
from tests.knowledge.test_preflight import GATED, MAILED
from tests.laws import law

_FAMILIES = st.sampled_from(list(CardFamily))
_CARDS = st.lists(
    st.builds(
        LookupCard,
        family=_FAMILIES,
        subject=st.just("a"),
        title=st.text("ab ", min_size=1, max_size=20),
        body=st.text("abc \n", max_size=400),
        authority=st.sampled_from(SourceKind),
        authority_level=st.sampled_from(AuthorityLevel),
        may_affect=st.just(()),
        source_ref=st.sampled_from([f"source {number}" for number in range(8)]),
        live=st.booleans(),
        because=st.just(""),
    ),
    max_size=12,
)


def _profile(**values: Any) -> EducationProfileHeld:
    return profile_of(values)


@law(150)
@given(
    st.lists(_CARDS, max_size=4),
    st.integers(1, 6),
    st.integers(100, 400),
    st.sets(st.sampled_from(ResourceKind)),
    st.tuples(st.booleans(), st.booleans()),
)
def test_whatever_a_request_asks_for_it_never_gets_more_than_the_profile_allows(
    asked: list[list[LookupCard]], cards: int, tokens: int, kinds: set[ResourceKind], allowed: tuple[bool, bool]
) -> None:
    profile = _profile(
        max_cards_per_design_turn=cards,
        max_tokens_per_design_turn=tokens,
        allowed_resource_kinds=[one.value for one in kinds],
        allow_learned_heuristic_injection=allowed[0],
        allow_architect_doctrine_injection=allowed[1],
    )
    turn = Allowance(profile)
    given_: list[LookupCard] = []
    for some in asked:
        taken, withheld = turn.take(some)
        given_ += taken
        assert len(taken) + sum(one.count for one in withheld) == len(some)
    assert within(given_, profile)
    assert turn.tokens <= tokens
    assert turn.cards <= cards


def test_a_pack_that_is_behind_gives_what_is_generated_alone_where_the_profile_says_so() -> None:
    written = LookupCard(
        family=CardFamily.hint_card,
        subject="a",
        title="A",
        body="B",
        authority=SourceKind.architect_authored,
        authority_level=AuthorityLevel.soft_heuristic,
        may_affect=(),
        source_ref="hints a",
        live=False,
        because="",
    )
    careful = _profile(stale_pack_behavior=StalePackBehavior.degraded_lookup_only.value)
    taken, withheld = Allowance(careful, behind=True).take([written])
    assert (taken, [one.reason for one in withheld]) == ((), [WithheldReason.pack_behind])
    assert Allowance(DEFAULT, behind=True).take([written])[0]


def test_the_first_rule_of_the_policy_for_models_that_holds_counts() -> None:
    assert advised(ModelNeed(privacy=ModelPrivacy.local_only, quality=ModelQuality.high)).model_class == "local"
    assert advised(ModelNeed(module_type="step.judge")).model_class == "strong"
    assert advised(ModelNeed()).model_class == "general"
    known = {one["module_type"] for one in TYPES}
    rules: list[dict[str, Any]] = model_policy()["rules"]
    conditions: list[dict[str, Any]] = [rule.get("when") or {} for rule in rules]
    named: set[str] = {one for when in conditions for one in when.get("module_type", ())}
    assert named <= known
    assert {rule["use"] for rule in model_policy()["rules"]} <= {*model_policy()["classes"]}


async def test_modules_settings_patterns_decisions_capabilities_and_models_are_found(desk: Desk) -> None:
    lookups, viewer = desk.services[Lookups], await desk.viewer()
    found = await lookups.modules(viewer, Turn(), "wait for a signal", ModuleWish(), 3)
    assert found.cards[0].subject == "utility.hold"
    assert found.cards[0].live
    assert [one.code for one in found.notices] == [NO_PACK] == ["warning.knowledge_pack_missing"]
    takes = await lookups.modules(viewer, Turn(), "", ModuleWish(accepts=PortKind.comparison_bundle), 50)
    assert "step.judge" in {one.subject for one in takes.cards}
    assert "step.claim_extractor" not in {one.subject for one in takes.cards}
    # Without a pack what is live is told all the same; with one, why things are there as well.
    bare = await lookups.module(viewer, Turn(), "step.judge")
    assert {one.family for one in bare.cards} == {CardFamily.module_card, CardFamily.port_card, CardFamily.config_card}
    await desk.services[KnowledgeCompiler].compile(viewer, activate=True)
    viewer = await desk.viewer()
    told = await lookups.module(viewer, Turn(), "step.judge")
    assert CardFamily.rationale_card in {one.family for one in told.cards}
    assert told.notices == ()
    assert told.pack_id
    loop = await lookups.setting(viewer, Turn(), "utility.loop_controller", "max_iterations")
    assert [one.family for one in loop.cards] == [CardFamily.config_card, CardFamily.config_rationale_card]
    assert "max_iterations" in loop.cards[0].body
    decided = await lookups.decision(viewer, Turn(), DecisionFamily.iteration, "again until it is good")
    assert (decided.cards[0].family, decided.cards[0].subject) == (CardFamily.decision_card, "iteration")
    with pytest.raises(ModuleTypeUnknown) as none:
        await lookups.module(viewer, Turn(), "step.none")
    assert none.value.field == "moduleType"
    with pytest.raises(FieldUnknown) as unset:
        await lookups.setting(viewer, Turn(), "step.judge", "colour")
    assert (unset.value.code, unset.value.field) == ("config_field_unknown", "field")
    await desk.new("Pattern", name="Second pass", purpose="Deepens a shallow analysis.")
    await desk.new("Pattern", name="Blob", purpose="One large text for all.", pattern_kind="anti_pattern")
    strong = await desk.new("Capability", name="Opal", capability_kind="model", summary="A strong model.")
    docket = await desk.new("Capability", name="PACER", capability_kind="tool", summary="Looks up court dockets.")
    viewer = await desk.viewer()
    down = StateReport(CapabilityState.down, "2026-01-01T00:00:00.000Z")
    await desk.services[Library].report_capability_state(viewer, RecordRef(id=docket), down)
    assert [one.title for one in (await lookups.patterns(viewer, Turn(), "shallow", anti=False, first=5)).cards] == [
        "Second pass"
    ]
    assert [one.title for one in (await lookups.patterns(viewer, Turn(), "", anti=True, first=5)).cards] == ["Blob"]
    [pacer] = (await lookups.capabilities(viewer, Turn(), "look up a docket", 5)).cards
    assert (pacer.record_id, pacer.state) == (docket, "down")
    models = await lookups.models(viewer, Turn(), ModelNeed(module_type="step.red_team"))
    assert models.says.startswith("A strong model")
    assert models.cards[0].record_id == strong
    # The profile that somebody saved holds for the next request.
    await desk.services[Records].save(viewer, "EducationProfile", {"name": "Narrow", "max_cards_per_design_turn": 2})
    turn = Turn()
    first = await lookups.module(viewer, turn, "step.judge")
    second = await lookups.module(viewer, turn, "step.red_team")
    assert (len(first.cards), len(second.cards)) == (2, 0)
    assert second.withheld[0].reason is WithheldReason.cards_used_up
    assert (await desk.services[Education].now(viewer)).profile.max_cards_per_design_turn == 2


async def test_a_graph_is_explained_validated_and_walked_without_running_it(desk: Desk) -> None:
    graphs, viewer = desk.services[GraphLookups], await desk.viewer()
    told = await graphs.explain(viewer, Subject(graph=graph(GATED)))
    assert (told.asks_at, told.unasked) == (("ok",), ())
    assert "write (step.agent_task), takes files_in from file, gives data_out to ok." in told.text
    assert (await graphs.explain(viewer, Subject(graph=graph(MAILED)))).unasked == ("send",)
    fine = await graphs.validate(viewer, Subject(graph=graph(GATED)))
    assert (fine.valid, fine.issues) == (True, ())
    wrong = {**MAILED, "cables": ["file.file > write.nowhere", "write.data_out > send.content"]}
    found = await graphs.validate(viewer, Subject(graph=graph(wrong)))
    assert "validation.graph_port_unknown" in [one.code for one in found.issues]
    assert not found.valid
    waits = await graphs.simulate(viewer, Subject(graph=graph(GATED)), None, ())
    assert (waits.finished, waits.waits_at) == (False, ("ok",))
    assert (await graphs.simulate(viewer, Subject(graph=graph(GATED)), ["file"], ["ok"])).finished
    assert not (await graphs.simulate(viewer, Subject(graph=graph(GATED)), [], ["ok"])).finished
    with pytest.raises(SampleUnknown) as unknown:
        await graphs.simulate(viewer, Subject(graph=graph(GATED)), ["send"], ())
    assert (unknown.value.code, unknown.value.field) == ("sample_input_unknown", "sampleInputs")
