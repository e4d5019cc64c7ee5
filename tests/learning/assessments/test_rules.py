"""Laws of assessments, without a database."""

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.learning.assessment_words import FindingKind, FindingSeverity, FindingTone, ObservedEffect
from graph_schema.learning.proposal_words import Operation
from graph_schema.memory.words import (
    ArtifactKind,
    IntakeLevel,
    MemoryMode,
    OutputCapture,
    OutputClass,
    PromptCapture,
    RetentionClass,
    RunStatus,
    SpanKind,
    StepStatus,
    WriteScope,
)
from service.learning.assessments.actions import (
    added,
    cable,
    linked,
    module,
    patch_of,
    patched,
    put_into,
    set_to,
    steps_in,
)
from service.learning.assessments.examine import examine_run
from service.learning.assessments.facts import Assessed
from service.learning.assessments.found import MOST_OF_A_RULE, Finding, Found, Rule, found_by, quality
from service.learning.assessments.rules.every import PORTFOLIO_RULES, RUN_RULES
from service.learning.errors import FindingUnsupported
from service.learning.proposals.inputs import ProposalStep
from service.learning.utility.goals import records
from service.learning.utility.outputs import archetypes
from service.memory.views.facts import Activation, Artifact, Consumption, Run, RunFacts, Span
from service.memory.views.index import RunIndex
from tests.laws import law

NOW = "2026-01-01T12:00:00.000Z"
RUN = Run(
    id="run_1",
    name="r",
    status=RunStatus.completed,
    started_at=NOW,
    updated_at=NOW,
    memory_mode=MemoryMode.standard,
    capture_prompts=PromptCapture.redacted,
    capture_outputs=OutputCapture.redacted_summary,
    memory_write_scope=WriteScope.task_run_plus_linked_artifacts,
    retention_class=RetentionClass.standard,
)
LISTS = ("activations", "spans", "artifacts", "consumed")


@st.composite
def runs(draw: st.DrawFn) -> RunFacts:
    """A run of a few steps, with operations, outputs, verdicts, and what was handed from one to the next."""
    size = draw(st.integers(1, 6))
    keys = [f"act_{number}" for number in range(size)]
    status = st.sampled_from((StepStatus.success, StepStatus.error, StepStatus.running))
    steps = [
        Activation(
            id=key, name=key, module_key=f"m{draw(st.integers(0, 3))}", activation_seq=number + 1, status=draw(status),
            triggered=tuple(keys[number + 1 : number + 2]), cost_usd=draw(st.sampled_from((None, 0.1, 2.0))),
        )
        for number, key in enumerate(keys)
    ]  # fmt: skip
    kinds = st.sampled_from((SpanKind.llm_call, SpanKind.retry, SpanKind.fallback))
    spans = [
        Span(
            id=f"span_{n}", name="s", span_key=str(n), span_kind=draw(kinds), status=draw(status), activation_id=keys[0]
        )
        for n in range(draw(st.integers(0, 5)))
    ]
    made = [_artifact(draw, number, keys) for number in range(draw(st.integers(0, 5)))]
    read = [
        Consumption(one.id, one.name, "Artifact", draw(st.sampled_from(keys))) for one in made if draw(st.booleans())
    ]
    status = draw(st.sampled_from((RunStatus.completed, RunStatus.failed, RunStatus.running)))
    run = replace(RUN, status=status)
    return RunFacts(run, activations=tuple(steps), spans=tuple(spans), artifacts=tuple(made), consumed=tuple(read))


def _artifact(draw: st.DrawFn, number: int, keys: list[str]) -> Artifact:
    kind = draw(st.sampled_from((ArtifactKind.document, ArtifactKind.red_team_report, ArtifactKind.judge_result)))
    judged = kind is not ArtifactKind.document
    return Artifact(
        id=f"art_{number}", name=f"Output {number}", artifact_kind=kind, activation_id=draw(st.sampled_from(keys)),
        output_class=draw(st.sampled_from((OutputClass.final_output, OutputClass.intermediate_output))),
        intake_level=IntakeLevel.run_only, opened_count=draw(st.integers(0, 3)), cited_count=0, bookmarked_count=0,
        score=draw(st.sampled_from((0.2, 0.9))) if judged else None, verdict="revise" if judged else None,
        evaluates=("art_0",) if judged and number else (),
    )  # fmt: skip


def contents(facts: RunFacts) -> list[Any]:
    return [one.content() for one in examine_run(Assessed(RunIndex(facts, NOW))).findings]


@given(runs(), st.randoms(use_true_random=False))
@law(40)
def test_the_same_facts_in_any_order_give_the_same_assessment(facts: RunFacts, mix: random.Random) -> None:
    mixed = {name: list(getattr(facts, name)) for name in LISTS}
    for one in mixed.values():
        mix.shuffle(one)
    other = replace(facts, **{name: tuple(one) for name, one in mixed.items()})
    assert contents(facts) == contents(other)
    assert examine_run(Assessed(RunIndex(facts, NOW))).hash == examine_run(Assessed(RunIndex(other, NOW))).hash


@given(runs())
@law(40)
def test_every_finding_names_what_shows_it_and_no_rule_floods(facts: RunFacts) -> None:
    findings = examine_run(Assessed(RunIndex(facts, NOW))).findings
    known = {facts.run.id, *(one.id for name in LISTS for one in getattr(facts, name))}
    assert all({*one.found.evidence} <= known and one.found.evidence for one in findings)
    assert max(Counter(one.rule for one in findings).values(), default=0) <= MOST_OF_A_RULE
    assert all(one.found.better for one in findings if one.found.tone is FindingTone.problem)


def test_a_finding_without_evidence_cannot_be_made() -> None:
    with pytest.raises(FindingUnsupported):
        Found(statement="It went badly.", evidence=())


def test_rules_have_names_of_their_own_and_cover_all_kinds() -> None:
    for rules in (RUN_RULES, PORTFOLIO_RULES):
        assert len({one.title for one in rules}) == len(rules)
    assert {one.kind for one in RUN_RULES} == {*FindingKind}


def test_what_a_rule_finds_beyond_its_bound_is_counted_in_its_last_finding() -> None:
    many: Rule[int] = Rule("many", 1, FindingKind.quality, lambda about: [_found(number) for number in range(about)])
    found = found_by([many], 50)
    assert len(found) == MOST_OF_A_RULE
    assert sum("And 30 more of the kind." in one.found.statement for one in found) == 1


@given(st.lists(st.sampled_from(FindingSeverity), max_size=30))
@law(20)
def test_the_score_falls_with_each_problem_and_never_below_nothing(weights: list[FindingSeverity]) -> None:
    found = [Finding("r 1", FindingKind.quality, _found(number, one)) for number, one in enumerate(weights)]
    assert 0 <= quality(found) <= 1
    assert quality(found) <= quality(found[:-1])
    strengths = [replace(one, found=replace(one.found, tone=FindingTone.strength)) for one in found]
    assert quality(strengths) == 1


def _found(number: int, severity: FindingSeverity = FindingSeverity.minor) -> Found:
    return Found(statement=f"It is so, {number:02}.", evidence=("run_1",), severity=severity)


LINKING = st.sampled_from((Operation.link, Operation.unlink))
STEPS = st.lists(
    st.builds(set_to, st.sampled_from(("archived", "reusable")), st.booleans())
    | st.builds(added, st.just("known_limitations"), st.text("abc é", min_size=1))
    | st.builds(
        linked,
        st.sampled_from(("ALLOWS", "TARGETS")),
        st.just("cap_1"),
        st.sampled_from((Operation.link, Operation.unlink)),
    )
    | st.builds(put_into, st.sampled_from(("archived", "deprecated")))
    | st.just(patched(module("b", "step.judge"), cable("a", "b"))),
    min_size=1,
)


@given(STEPS)
@law(40)
def test_the_steps_of_an_action_come_back_as_they_were_kept(steps: list[ProposalStep]) -> None:
    assert steps_in(patch_of(steps)) == tuple(steps)


@st.composite
def made(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Completed runs of a few types of task, with what each made."""
    shapes = st.lists(st.tuples(st.sampled_from("xyz"), st.booleans()), max_size=3)
    return [
        {
            "id": f"run_{number}", "of": f"task_{draw(st.integers(0, 2))}", "task_type": draw(st.sampled_from("pq")),
            "made": [{"shape": shape, "taken": taken, "id": f"art_{number}_{shape}"} for shape, taken in draw(shapes)],
        }
        for number in range(draw(st.integers(0, 8)))
    ]  # fmt: skip


@given(made(), st.integers(1, 5), st.randoms(use_true_random=False))
@law(40)
def test_outputs_are_told_of_enough_runs_and_in_any_order_alike(
    runs: list[dict[str, Any]], needed: int, mix: random.Random
) -> None:
    told = archetypes(runs, needed)
    mixed = [*runs]
    mix.shuffle(mixed)
    assert archetypes(mixed, needed) == told
    sizes = Counter(one["task_type"] for one in runs)
    assert all(one.runs == sizes[one.task_type] >= needed for one in told)
    assert all(one.taken_up <= one.made <= one.runs and one.low <= one.share <= one.high for one in told)
    other = [{**one, "id": f"{one['id']}x", "task_type": "another"} for one in runs]
    assert [one for one in archetypes([*runs, *other], needed) if one.task_type != "another"] == told


@given(
    st.lists(st.tuples(st.integers(0, 4), st.sampled_from(ObservedEffect), st.sampled_from(("", "t"))), max_size=10),
    st.randoms(use_true_random=False),
)
@law(40)
def test_of_each_run_the_last_word_on_a_goal_counts(
    told: list[tuple[int, ObservedEffect, str]], mix: random.Random
) -> None:
    rows: list[dict[str, Any]] = [
        {"id": f"asm_{number:02}", "at": f"{number:02}", "run": f"run_{run}", "effect": effect.value,
         "task": f"type {run % 2}", "template": template, "patterns": [], "presets": []}
        for number, (run, effect, template) in enumerate(told)
    ]  # fmt: skip
    found = records(rows)
    mixed = [*rows]
    mix.shuffle(mixed)
    assert records(mixed) == found
    counts = [one.advanced + one.partially_advanced + one.not_advanced + one.unknown for one in found]
    assert sum(counts) == len({run for run, _, _ in told})
