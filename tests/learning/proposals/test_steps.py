"""Laws of steps: what they do to content, that they can be undone, and that the same change has the same key."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from graph_schema.learning.proposal_words import Operation, ProposalKind, Risk
from graph_schema.learning.relations import TARGETS
from graph_schema.registry import REGISTRY
from service.learning.proposals.risk import FIELDS, LINKS, highest, risk_of, update_of
from service.learning.proposals.steps import Content, Step, content_of, differing, idea_key, patched, sentence
from service.learning.proposals.targets import AIMS
from tests.laws import law

LISTS = ("trigger_phrases", "known_limitations")
WORDS = st.sampled_from(["audit", "complaint", "review", "draft"])
VALUES = st.fixed_dictionaries(
    {},
    optional={"name": WORDS, "description": WORDS, **{one: st.lists(WORDS, min_size=1, unique=True) for one in LISTS}},
)
PAIRS = st.tuples(st.sampled_from(["REQUIRES", "ALLOWS"]), st.sampled_from(["cap_1", "cap_2"]))
PLAIN = st.sampled_from([Operation.set_value])
ON_LISTS = st.sampled_from([Operation.add_to_list, Operation.remove_from_list])
ON_LINKS = st.sampled_from([Operation.link, Operation.unlink])
STEPS = st.one_of(
    st.builds(Step, PLAIN, st.sampled_from(["name", "description"]), WORDS),
    st.builds(Step, ON_LISTS, st.sampled_from(LISTS), WORDS),
    st.builds(
        Step,
        ON_LINKS,
        relation=st.sampled_from(["REQUIRES", "ALLOWS"]),
        head_id=st.sampled_from(["cap_1", "cap_2"]),
    ),
    st.builds(Step, st.sampled_from([Operation.set_lifecycle]), value=st.sampled_from(["active", "deprecated"])),
)


@st.composite
def contents(draw: st.DrawFn) -> Content:
    return Content({**draw(VALUES), "lifecycle_state": "active"}, frozenset(draw(st.lists(PAIRS, max_size=3))))


CONTENT = contents()
CHANGES = st.lists(STEPS, max_size=6)


@law(200)
@given(CONTENT, CHANGES)
def test_what_differs_is_all_that_leads_there_and_back(content: Content, steps: list[Step]) -> None:
    after = patched(content, steps)
    forth, back = differing(content, after), differing(after, content)
    assert _with(content.values, forth) == dict(after.values)
    assert _with(after.values, back) == dict(content.values)
    assert forth.keys() == back.keys()
    assert (after.hash() == content.hash()) == (not forth and after.links == content.links)


def _with(values: Any, changed: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in {**values, **changed}.items() if value is not None}


@law(100)
@given(CONTENT, CHANGES)
def test_steps_done_twice_are_done_once(content: Content, steps: list[Step]) -> None:
    once = patched(content, steps)
    assert patched(once, steps).hash() == once.hash() or _alternates(steps)


def _alternates(steps: list[Step]) -> bool:
    """Adding and taking away the same comes out by the order."""
    kinds = {(one.operation in {Operation.add_to_list, Operation.link}) for one in steps}
    return len(kinds) > 1


@law(100)
@given(CONTENT, CHANGES)
def test_entries_that_are_told_in_one_step_or_in_several_are_the_same_idea(content: Content, steps: list[Step]) -> None:
    lists = {Operation.add_to_list, Operation.remove_from_list}
    apart = [Step(one.operation, one.field, [one.value]) if one.operation in lists else one for one in steps]
    assert idea_key("tpl_1", content, steps) == idea_key("tpl_1", content, apart)
    assert idea_key("tpl_1", content, steps) != idea_key("tpl_2", content, steps)


@law(100)
@given(st.lists(STEPS, min_size=1, max_size=6))
def test_the_highest_risk_wins_and_every_step_has_a_sentence(steps: list[Step]) -> None:
    risks = [risk_of(one) for one in steps]
    assert highest(risks) in risks
    assert (highest(risks) is Risk.high) == (Risk.high in risks)
    assert all(sentence(one, None) for one in steps)
    assert update_of("Template", steps)


def test_the_tables_name_what_is_there() -> None:
    assert {*AIMS} == {*ProposalKind}
    assert {label for aim in AIMS.values() for label in aim.kinds} <= {*TARGETS}
    fields = {name for label in TARGETS for name, one in REGISTRY.types[label].fields.items() if one.authored}
    assert {*FIELDS} <= fields
    assert {relation for _, relation in LINKS} <= {one.type for one in REGISTRY.relations if not one.managed}
    assert {"config", "side_effect_classes", "connector_requirements"}.isdisjoint(FIELDS)


def test_content_is_what_people_set() -> None:
    kind = REGISTRY.types["Template"]
    told = {"name": "A", "trigger_phrases": [], "version": 3, "matter_ids": ["m"], "lifecycle_state": "draft"}
    assert content_of(kind, told).values == {"name": "A", "lifecycle_state": "draft"}
