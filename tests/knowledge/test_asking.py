"""Laws of what is asked and what is reached: on any drawing, with any ports, joins, holds and loops."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.knowledge.preflight.asking import unasked
from service.knowledge.preflight.examine import examine
from service.knowledge.preflight.facts import Facts, facts_of
from service.knowledge.preflight.issues import PreflightCheck
from service.knowledge.preflight.simulate import SimulatedState, simulate
from tests.knowledge.graphs.reading import AT, TYPES, codes_of, raw_of, report_of
from tests.laws import law

Told = dict[str, Any]
KINDS = (
    *("step.agent_task", "step.judge", "step.human_review", "step.agent_review_gate", "step.experiment"),
    *("utility.hold", "utility.junction_and", "utility.merge", "utility.switch", "utility.loop_controller"),
    *("output.email", "output.calendar", "source.file", "trigger.manual"),
)
PORTS = {
    one["module_type"]: {
        side: [port["port_name"] for port in one["ports"] if port["direction"] == side] for side in ("input", "output")
    }
    for one in TYPES
}
WATCHED = {PreflightCheck.gate_recommended, PreflightCheck.review_missing}


@st.composite
def drawings(draw: st.DrawFn) -> Told:
    """Any modules, some switched off, with cables between any of their ports."""
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=7))
    off = draw(st.sets(st.integers(1, 7), max_size=2))
    told: Told = {"s": "source.file"}
    told |= {f"m{at}": [kind, {}, {"disabled": at in off}] for at, kind in enumerate(kinds, 1)}
    cables: list[str] = []
    for _ in range(draw(st.integers(0, 12))):
        tail, head = (draw(st.sampled_from(sorted(told))) for _ in range(2))
        leaving, entering = _ports(told, tail, "output"), _ports(told, head, "input")
        if leaving and entering:
            cables.append(f"{tail}.{draw(st.sampled_from(leaving))} > {head}.{draw(st.sampled_from(entering))}")
    return {"modules": told, "cables": sorted({*cables})}


def _ports(told: Told, key: str, side: str) -> list[str]:
    one = told[key]
    return PORTS[one if isinstance(one, str) else one[0]][side]


def _acting_unasked(told: Told) -> set[str | None]:
    report = report_of(told)
    return {one.module_key for one in (*report.blocking_issues, *report.warnings) if one.check in WATCHED}


def _ran(facts: Facts, decided: list[str]) -> set[str]:
    steps = simulate(facts, decided=decided).steps
    return {one.module_key for one in steps if one.order is not None and one.state is not SimulatedState.off}


@law(150)
@given(drawings())
def test_what_runs_without_anybodys_word_is_never_taken_for_asked(told: Told) -> None:
    facts = facts_of(raw_of(told))
    assert _ran(facts, []) - {one.key for one in facts.enabled if one.passive} <= unasked(facts)


@law(100)
@given(drawings())
def test_what_is_told_never_to_run_does_not_run_whatever_people_say(told: Told) -> None:
    facts = facts_of(raw_of(told))
    report = report_of(told)
    lost = {one.module_key for one in report.warnings if one.check is PreflightCheck.module_unreachable}
    assert not lost & _ran(facts, [one.key for one in facts.enabled if one.waits])


@law(60)
@given(drawings(), st.data())
def test_a_gate_on_any_cable_never_adds_a_warning(told: Told, data: st.DataObject) -> None:
    if not told["cables"]:
        return
    cut = data.draw(st.sampled_from(told["cables"]))
    tail, _, head = cut.partition(" > ")
    ways = [f"{tail} > gate.candidate_in", f"gate.approved > {head}"]
    gated = {
        "modules": {**told["modules"], "gate": "step.agent_review_gate"},
        "cables": [*(one for one in told["cables"] if one != cut), *ways],
    }
    assert _acting_unasked(gated) <= _acting_unasked(told)


@law(60)
@given(drawings())
def test_a_way_around_all_gates_is_always_told(told: Told) -> None:
    """Something new begins, and leads to what each output cannot do without."""
    acting = {key: one[0] for key, one in told["modules"].items() if one[0].startswith("output.") and not off(one)}
    content = {"output.email": "content", "output.calendar": "dates"}
    around = [f"new.file > {key}.{content[kind]}" for key, kind in acting.items()]
    more = {"modules": {**told["modules"], "new": "source.file"}, "cables": [*told["cables"], *around]}
    assert {*acting} == _acting_unasked(more)


def off(one: Any) -> bool:
    return not isinstance(one, str) and one[2]["disabled"]


@law(60)
@given(drawings())
def test_what_is_switched_off_counts_as_gone(told: Told) -> None:
    there = {key: one for key, one in told["modules"].items() if not off(one)}
    cables = [one for one in told["cables"] if {end.split(".")[0] for end in one.split(" > ")} <= {*there}]
    assert _told(told) == _told({"modules": there, "cables": cables})


def _told(told: Told) -> set[tuple[str, str | None]]:
    report = report_of(told)
    return {(one.code, one.module_key) for one in (*report.blocking_issues, *report.warnings)}


@pytest.mark.parametrize("routing", ["pass_through_winner", "route_all_variants"])
def test_an_experiment_is_one_also_as_a_part_of_the_system(routing: str) -> None:
    told: Told = {
        "modules": {
            "d": "source.file",
            "t": "step.agent_task",
            "x": ["step.experiment", {"variants": ["a", "b"], "experiment_winner_routing": routing}],
            "r": ["step.revisor", {"autonomous_mode_policy": "autonomous"}],
        },
        "cables": ["d.file > t.files_in", "t.data_out > x.data_in", "x.winner_out > r.candidate_in"],
    }
    ours = raw_of(told)
    [known] = [one for one in TYPES if one["module_type"] == "step.experiment"]
    theirs: Told = {**ours, "types": [*TYPES, {**known, "module_type": "system.experiment", "family": "system"}]}
    modules: list[Told] = ours["graph"]["modules"]
    renamed = [{**one, "module_type": "system.experiment"} if one["module_key"] == "x" else one for one in modules]
    theirs["graph"] = {**ours["graph"], "modules": renamed}
    assert codes_of(examine(theirs, AT)) == codes_of(examine(ours, AT)) != set()
