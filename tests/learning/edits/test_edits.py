"""Edits are computed: fourteen kinds, laws of the comparison, and what they teach."""

import orjson
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.learning.design_words import EditKind as Kind
from graph_schema.learning.words import DesignSignalKind as Signal
from service.learning.edits.diff import Design, edits, kinds_of
from service.learning.edits.interpret import lessons
from service.library.graphs import CableInput, GraphInput, ModuleInput, canonical
from tests.laws import law
from tests.learning.studio import graph


def design(*modules: tuple[str, str] | ModuleInput, cables: tuple[str, ...] = (), **more: object) -> Design:
    return Design(canonical(graph(*modules, cables=cables)), **more)  # pyright: ignore[reportArgumentType]


def step(key: str, purpose: str = "", **config: object) -> ModuleInput:
    return ModuleInput(key, "step.agent_task", purpose=purpose or key, config=orjson.dumps(config).decode())


def kinds(before: Design, after: Design) -> set[str]:
    return {one.value for one in kinds_of(edits(before, after))}


EVALUATION = (("read", "source.documents"), ("analyse", "step.agent_task"), ("report", "step.agent_task"))


def test_the_specification_s_example_comes_out_as_told() -> None:
    """A simple graph was proposed, and the user added a module that looks deeper."""
    before = design(*EVALUATION)
    deeper = ModuleInput("deepen", "step.agent_task", name="Look deeper", purpose="A second pass over the weak points.")
    after = design(*EVALUATION[:2], deeper, EVALUATION[2])
    found = edits(before, after)
    assert kinds_of(found) == (Kind.module_added, Kind.second_pass_deepening_added)
    [lesson] = lessons(before, after, found)
    assert lesson.signal_kind is Signal.second_pass_deepening_accepted
    assert (
        lesson.summary == "The proposal omitted the preferred deepening of complex analysis: a second pass was added."
    )
    assert lesson.recommended_update_kind == "pattern_card_update"
    assert lesson.subject == "complex_analysis_second_pass_deepening"


def test_each_kind_of_edit_is_told_from_the_graphs_alone() -> None:
    plain = design(step("a"), step("b"), step("c"))
    assert kinds(plain, design(step("a"), step("b"))) == {"module_removed"}
    assert kinds(plain, design(step("a"), step("b"), step("c"), cables=("a->c", "b->c"))) == {"module_rewired"}
    assert kinds(plain, design(step("a", model="large"), step("b"), step("c"))) == {"config_changed"}
    assert kinds(plain, design(step("a", prompt="Weigh each claim."), step("b"), step("c"))) == {"prompt_changed"}
    assert kinds(plain, design(step("a", tools=["atlas"]), step("b"), step("c"))) == {"capability_added"}
    assert kinds(design(step("a", tools=["atlas"])), design(step("a"))) == {"capability_removed"}
    assert kinds(design(step("a")), design(step("a", save_as="work_product"))) == {"artifact_policy_changed"}
    gate = ("ask", "step.agent_review_gate")
    assert kinds(plain, design(step("a"), step("b"), step("c"), gate)) == {"module_added", "human_gate_added"}
    judge = ("score", "step.judge")
    assert kinds(plain, design(step("a"), step("b"), step("c"), judge)) == {"module_added", "judge_added"}
    source = ("atlas", "source.search")
    assert kinds(plain, design(step("a"), step("b"), step("c"), source)) == {"module_added", "source_grounding_added"}
    around = design(step("a"), step("b"), step("c"), cables=("a->b", "b->c", "c->a"))
    assert kinds(plain, around) == {"module_rewired", "loop_added"}
    assert kinds(design(step("a"), template="tpl_1"), design(step("a"), template="tpl_2")) == {"template_changed"}
    told = design(step("a", prompt="Look deeper."), step("b"), step("c"))
    assert kinds(plain, told) == {"prompt_changed", "second_pass_deepening_added"}


def test_a_module_that_was_put_between_two_rewires_neither() -> None:
    before, after = design(step("a"), step("b")), design(step("a"), step("check"), step("b"))
    assert kinds(before, after) == {"module_added"}


def test_a_module_that_only_has_another_key_is_the_same() -> None:
    before = design(step("a", "Read the charts"), step("b", "Plan the route"))
    after = design(step("charts", "Read the charts"), step("b", "Plan the route"))
    assert edits(before, after) == ()


def test_blueprints_tell_of_needs_and_of_how_far_outputs_go() -> None:
    def content(requires: list[str], policy: str | None) -> dict[str, object]:
        links = {"requires": requires, "allows": [], "denies": [], "goals": []}
        return {"links": links, "fields": {"artifact_policy": policy}, "steps": {}}

    before = design(step("a"), content=content(["cap_1"], None))
    after = design(step("a"), content=content(["cap_2"], "run_only"))
    assert kinds(before, after) == {"capability_added", "capability_removed", "artifact_policy_changed"}
    rules = [one.rule for one in lessons(before, after, edits(before, after))]
    assert rules == ["outputs_go_elsewhere", "capability_was_missing", "capability_was_too_much"]


def test_what_is_taken_out_teaches_too() -> None:
    red = ModuleInput("attack", "step.red_team", purpose="Attack the draft.")
    deeper = ModuleInput("deepen", "step.agent_task", purpose="Look deeper.")
    before, after = design(step("a"), red, deeper), design(step("a"))
    told = {one.rule: one.signal_kind for one in lessons(before, after, edits(before, after))}
    assert told == {
        "second_pass_was_too_much": Signal.second_pass_deepening_rejected,
        "red_team_was_too_much": Signal.red_team_default_rejected,
    }
    presets = design(step("a"), presets={"a": ("pre_1",)})
    [lesson] = lessons(design(step("a")), presets, ())
    assert (lesson.signal_kind, lesson.subject) == (Signal.preset_added, "pre_1")


KEYS = st.sampled_from("abcdef")
MODULES = st.lists(
    st.builds(
        ModuleInput,
        module_key=KEYS,
        module_type=st.sampled_from(["step.agent_task", "step.judge", "source.search", "output.email"]),
        purpose=st.sampled_from([None, "Look deeper.", "Write it."]),
        config=st.sampled_from([None, '{"prompt":"x"}', '{"tools":["t"]}', '{"save_as":"file"}']),
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda one: one.module_key,
)


@st.composite
def designs(draw: st.DrawFn) -> Design:
    modules = draw(MODULES)
    keys = [one.module_key for one in modules]
    pairs = st.tuples(st.sampled_from(keys), st.sampled_from(keys))
    cables = draw(st.lists(pairs, max_size=6, unique=True))
    return Design(canonical(GraphInput(modules, [CableInput(tail, head) for tail, head in cables])))


@law(50)
@given(designs())
def test_a_graph_compared_with_itself_has_no_edits(one: Design) -> None:
    assert edits(one, one) == ()


@law(50)
@given(designs(), designs())
def test_two_graphs_that_differ_have_edits_and_the_same_two_the_same(one: Design, other: Design) -> None:
    found = edits(one, other)
    assert found == edits(one, other)
    shapes = [{(each.module_type, each.purpose, each.config) for each in side.graph.modules} for side in (one, other)]
    if len({*map(frozenset, shapes)}) > 1:
        assert found


@law(50)
@given(designs(), designs())
def test_what_is_added_one_way_is_removed_the_other(one: Design, other: Design) -> None:
    def count(found: tuple[object, ...], kind: Kind) -> int:
        return sum(getattr(each, "kind", None) is kind for each in found)

    there, back = edits(one, other), edits(other, one)
    assert count(there, Kind.module_added) == count(back, Kind.module_removed)
    assert count(there, Kind.module_removed) == count(back, Kind.module_added)
    assert count(there, Kind.capability_added) == count(back, Kind.capability_removed)
