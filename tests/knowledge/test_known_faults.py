"""Graphs with known faults: what is wrong is found, and what is sound raises no alarm."""

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.knowledge.preflight.effects import OUTSIDE
from service.knowledge.preflight.examine import examine
from service.knowledge.preflight.facts import facts_of
from service.knowledge.preflight.issues import CODES, IssueSeverity, PreflightCheck
from service.knowledge.preflight.patching import GRAPH_OPERATIONS
from service.knowledge.preflight.read import mended
from service.knowledge.preflight.simulate import SimulatedState, simulate
from service.knowledge.preflight.structure import ACCEPTS
from tests.knowledge.graphs.reading import AT, TYPES, codes_of, graphs, raw_of, report_of
from tests.laws import law

FILES = {"seen": 40, "unseen": 40, "further": 44, "trades": 50}
"""Files of graphs, and how many each has."""
PAGE = (Path(__file__).parents[2] / "docs" / "preflight.md").read_text("utf-8")
LEAST_RECALL = 0.85
MOST_ALARMS = 0.1


@pytest.mark.parametrize("name", FILES)
def test_faults_are_found_and_sound_graphs_raise_no_alarm(name: str) -> None:
    told = graphs(name)
    assert len(told) == FILES[name]
    sound = [one for one in told if not one["expect"]]
    assert len(sound) >= len(told) // 3
    expected = sum(len(one["expect"]) for one in told)
    found = sum(len({*one["expect"]} & codes_of(report_of(one))) for one in told)
    assert found / expected >= LEAST_RECALL
    alarms = [one["name"] for one in sound if codes_of(report_of(one))]
    assert len(alarms) / len(sound) <= MOST_ALARMS, alarms


FOUND = (
    "validation.artifact_policy_endpoint_ambiguous",
    "validation.blueprint_graph_mismatch",
    "validation.blueprint_missing_required_output",
    "validation.blueprint_side_effect_undeclared",
    "validation.capability_denied_but_requested",
    "validation.capability_required_unavailable",
    "validation.comparison_consumer_unaware",
    "validation.doc73_library_missing",
    "validation.graph_config_invalid",
    "validation.graph_cycle_unbounded",
    "validation.graph_module_type_unknown",
    "validation.graph_port_mismatch",
    "validation.graph_port_unknown",
    "validation.graph_required_input_missing",
    "validation.incognito_blocks_requested_memory",
    "validation.input_missing",
    "validation.runtime_expansion_outside_allowlist",
    "warning.blueprint_goal_unlinked",
    "warning.capability_historically_unreliable",
    "warning.capability_historically_unused",
    "warning.capability_unknown",
    "warning.cost_above_limit",
    "warning.final_output_not_saved_as_work_product",
    "warning.graph_module_unreachable",
    "warning.human_gate_recommended_before_side_effect",
    "warning.implicit_auto_revision_chain",
    "warning.intermediate_output_likely_high_value",
    "warning.second_pass_deepening_recommended",
    "warning.tool_pack_too_broad",
)
"""Every code that a preflight knows."""


def test_every_check_has_a_graph_that_fails_it() -> None:
    failed = {code for name in FILES for one in graphs(name) for code in one["expect"]}
    assert failed == {*FOUND} == {code for code, _ in CODES.values()}


def test_a_validation_blocks_and_a_warning_does_not() -> None:
    asked = {PreflightCheck.capability_not_allowed}  # a person is asked while it runs
    for check, (code, severity) in CODES.items():
        blocking = code.startswith("validation.") and check not in asked
        assert (severity is IssueSeverity.blocking) is blocking, check


FIXED = {
    "validation.comparison_consumer_unaware",
    "warning.implicit_auto_revision_chain",
    "warning.human_gate_recommended_before_side_effect",
}


@pytest.mark.parametrize("name", FILES)
def test_a_fix_of_the_graph_mends_what_it_is_for(name: str) -> None:
    tried = 0
    for one in graphs(name):
        raw = raw_of(one)
        report = examine(raw, AT)
        if not codes_of(report) & FIXED or "warning.graph_module_unreachable" in codes_of(report):
            continue
        fixed = mended(raw, report)
        raw["graph"] = {
            "modules": [asdict(each) for each in fixed.modules],
            "cables": [asdict(each) for each in fixed.cables],
            "settings": None,
        }
        assert not codes_of(examine(raw, AT)) & FIXED, one["name"]
        tried += 1
    assert tried


STEPS = ("step.agent_task", "step.transform", "utility.switch", "output.email", "output.calendar", "step.human_review")


@st.composite
def drawings(draw: st.DrawFn) -> dict[str, Any]:
    """Any graph of a few modules, with cables between any of them."""
    kinds = draw(st.lists(st.sampled_from(STEPS), min_size=1, max_size=6))
    modules = {"s": "source.file", **{f"m{number}": kind for number, kind in enumerate(kinds)}}
    keys = sorted(modules)
    cables = draw(st.lists(st.tuples(st.sampled_from(keys), st.sampled_from(keys)), max_size=10, unique=True))
    return {"modules": modules, "cables": [f"{tail} > {head}" for tail, head in cables]}


def _side_effects(told: dict[str, Any]) -> set[tuple[str, str | None]]:
    report = report_of(told)
    watched = {PreflightCheck.gate_recommended, PreflightCheck.review_missing}
    return {(one.code, one.module_key) for one in (*report.blocking_issues, *report.warnings) if one.check in watched}


@law(60)
@given(drawings(), st.data())
def test_adding_a_gate_never_adds_a_side_effect_warning(told: dict[str, Any], data: st.DataObject) -> None:
    cables: list[str] = told["cables"]
    if not cables:
        return
    cut = data.draw(st.sampled_from(cables))
    tail, _, head = cut.partition(" > ")
    gated = {
        "modules": {**told["modules"], "gate": "step.agent_review_gate"},
        "cables": [*(one for one in cables if one != cut), f"{tail} > gate.candidate_in", f"gate.approved > {head}"],
    }
    assert _side_effects(gated) <= _side_effects(told)


@law(60)
@given(drawings())
def test_a_walk_reaches_no_module_before_what_feeds_it_and_never_passes_a_person(told: dict[str, Any]) -> None:
    facts = facts_of(raw_of(told))
    walk = simulate(facts)
    order = {one.module_key: one.order for one in walk.steps}
    for one in walk.steps:
        assert one.order is None or all((order[key] or 0) < one.order for key in one.fed_by)
    unseen = facts.reached((key for key in facts.modules if not facts.entering.get(key)), through_gates=False)
    ran = {one.module_key for one in walk.steps if one.state is SimulatedState.runs}
    assert ran <= unseen


@law(40)
@given(drawings())
def test_what_a_preflight_says_does_not_depend_on_the_order_of_the_graph(told: dict[str, Any]) -> None:
    turned = {"modules": dict(reversed(told["modules"].items())), "cables": [*reversed(told["cables"])]}
    assert codes_of(report_of(turned)) == codes_of(report_of(told))


def test_the_catalogue_names_each_type_once_and_has_the_modules_of_evaluation() -> None:
    named = [one["module_type"] for one in TYPES]
    assert len(named) == len({*named})
    assert {"step.judge", "step.evaluator", "step.revisor", "step.claim_extractor", "step.dspy_optimizer"} <= {*named}
    assert {one["family"] for one in TYPES} == {
        *("trigger", "step", "utility", "output", "source", "environment", "system")
    }


def test_the_page_says_what_fits_together_and_what_goes_outside() -> None:
    _, _, rest = PAGE.partition("### What fits together")
    rows = (line.split("|")[1:3] for line in rest.partition("\n\nA pulse")[0].splitlines() if line.startswith("| `"))
    told = {kind: {*_words(takes)} for kinds, takes in rows for kind in _words(kinds)}
    told["any"] = {*ACCEPTS} - {"any"}  # everything
    assert told == {kind: {*takes} for kind, takes in ACCEPTS.items()}
    _, _, rest = PAGE.partition("Outside go ")
    assert {*_words(rest.partition(":")[0])} == OUTSIDE


def _words(text: str) -> list[str]:
    return re.findall(r"`(\w+)`", text)


@pytest.mark.parametrize("name", FILES)
def test_every_issue_has_a_fix_that_mends_it_or_says_why_there_is_none(name: str) -> None:
    for one in graphs(name):
        raw = raw_of(one)
        report = examine(raw, AT)
        issues = [*report.blocking_issues, *report.warnings]
        assert all(each.fix or each.unfixed_because for each in issues), one["name"]
        fixed = mended(raw, report)
        raw["graph"] = {
            "modules": [asdict(each) for each in fixed.modules],
            "cables": [asdict(each) for each in fixed.cables],
            "settings": None,
        }
        patched = {
            (each.check, each.module_key)
            for each in issues
            if each.fix and all(op.op in GRAPH_OPERATIONS for op in each.fix.operations)
        }
        after = examine(raw, AT)
        left = {(each.check, each.module_key) for each in (*after.blocking_issues, *after.warnings)}
        assert not patched & left, one["name"]
        assert left <= {(each.check, each.module_key) for each in issues}, one["name"]
