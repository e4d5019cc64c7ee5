"""The decision without a graph: the table, the vetoes, the levels, and their laws."""

from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.routing.decision_words import ConsultPolicy as Consult
from graph_schema.routing.decision_words import ExecutionMode as Mode
from graph_schema.routing.decision_words import OpportunityLevel as Level
from graph_schema.routing.decision_words import TaskVeto
from graph_schema.routing.words import InvocationPolicy as Policy
from service.routing.decision.decide import ORDER, consult, decide
from service.routing.decision.fits import AGAINST, FOR, calibration
from service.routing.decision.frozen import differing, frozen, thawed
from service.routing.decision.grounds import Grounds
from service.routing.decision.vetoes import RULES_OUT
from service.routing.evidence.gather import of_words
from service.routing.evidence.kinds import EXPLICIT, ModeEvidence
from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.names import Name, called
from service.routing.evidence.scene import Scene, Target
from service.routing.words import said, words_of

FITTED = calibration()
NAMES = [Name("t1", "Template", ("Complaint Evaluation",)), Name("t2", "Template", ("Contract Review",))]
KINDS = st.frozensets(st.sampled_from(list(Kind)), max_size=8)
LEARNED = (Kind.refused_before, Kind.accepted_before, Kind.asked_often)


def grounds(kinds: frozenset[Kind], template: float = 0.0) -> Grounds:
    return Grounds(tuple(ModeEvidence(one) for one in sorted(kinds)), template=template)


def read(text: str, *, work_open: bool = False) -> Grounds:
    what = said(text, words_of())
    targets = tuple(called(what, NAMES, words_of()))
    evidence = of_words(Scene(what, words_of(), work_open, targets))
    return Grounds(evidence, targets, work_open, work_open)


@given(KINDS, st.floats(0, 1))
def test_a_veto_that_holds_always_rules_out_its_modes(kinds: frozenset[Kind], template: float) -> None:
    verdict = decide(grounds(kinds, template), FITTED)
    assert all(verdict.mode not in RULES_OUT[one.veto] for one in verdict.held)
    assert {one.mode for one in verdict.lost} == {*Mode} - {verdict.mode}


def test_every_veto_has_its_place_in_the_table_and_none_rules_out_a_direct_answer() -> None:
    assert {*RULES_OUT} == {*TaskVeto}
    assert all(Mode.direct_chat not in modes for modes in RULES_OUT.values())


DOCS = Path(__file__).parents[2] / "docs" / "routing.md"
IN_WORDS = {
    "run": Mode.run_existing_saved_task,
    "suggest": Mode.suggest_existing_saved_task,
    "design": Mode.invoke_task_agent_for_design,
    "review": Mode.invoke_task_agent_for_review,
    "background task": Mode.background_or_recurring_saved_task,
    "helper": Mode.openclaw_background_subagent,
    "job": Mode.ec_scheduled_job,
    "ask": Mode.ask_clarifying_question,
}


def test_the_docs_say_of_each_veto_what_the_code_rules_out() -> None:
    table = DOCS.read_text(encoding="utf-8").partition("| veto | rules out |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    told = {
        TaskVeto(veto.strip("` ")): {IN_WORDS[one.strip()] for one in modes.split(",")}
        for vetoes, modes in rows
        for veto in vetoes.split(",")
    }
    assert told == {veto: {*modes} for veto, modes in RULES_OUT.items()}


CALLED = st.builds(
    Target,
    id=st.sampled_from(["tpl_1", "tpl_2", "tpl_3"]),
    kind=st.sampled_from(["Task", "Template", "Run"]),
    name=st.sampled_from(["Zebra", "zebra", "Quagga"]),
    whole=st.booleans(),
    size=st.integers(0, 3),
    share=st.sampled_from([0.0, 0.5, 1.0]),
    misspelt=st.booleans(),
    bare=st.booleans(),
)


@given(KINDS, st.floats(0, 1), st.lists(CALLED, max_size=4), st.none() | st.sampled_from(list(Policy)), st.booleans())
def test_what_is_kept_of_a_decision_decides_it_again(
    kinds: frozenset[Kind], template: float, targets: list[Target], policy: Policy | None, is_open: bool
) -> None:
    """Whatever becomes of the graph. And no word of the request and no record is in it."""
    told = tuple(ModeEvidence(one, "secret words", "secret reason", "tpl_secret") for one in sorted(kinds))
    one = Grounds(told, targets, is_open, is_open, template, policy, targets[:1], contested=len(targets) > 2)
    kept = orjson.dumps(frozen(one))
    then, again = decide(one, FITTED), decide(thawed(orjson.loads(kept)), FITTED)
    assert (then.mode, then.level, then.row, then.fits, then.lost) == (
        again.mode, again.level, again.row, again.fits, again.lost,
    )  # fmt: skip
    assert [one.veto for one in then.held] == [one.veto for one in again.held]
    assert not any(word in kept.lower() for word in (b"secret", b"zebra", b"quagga", b"tpl_"))
    assert differing(frozen(one), orjson.loads(kept)) == ()


@given(KINDS, st.floats(0, 1))
def test_a_refusal_never_raises_a_level(kinds: frozenset[Kind], template: float) -> None:
    free = decide(grounds(kinds - {*LEARNED}, template), FITTED)
    muted = decide(grounds((kinds - {*LEARNED}) | {Kind.refused_before}, template), FITTED)
    assert ORDER.index(muted.level) <= ORDER.index(free.level)
    assert muted.level in (Level.none, Level.low, Level.explicit)


@given(KINDS, st.sampled_from(sorted(EXPLICIT)), st.sampled_from(LEARNED))
def test_the_mode_of_an_explicit_command_does_not_depend_on_feedback(
    kinds: frozenset[Kind], explicit: Kind, feedback: Kind
) -> None:
    told = (kinds - {*LEARNED}) | {explicit}
    first, second = decide(grounds(told), FITTED), decide(grounds(told | {feedback}), FITTED)
    if first.level is Level.explicit:
        assert (second.mode, second.level) == (first.mode, first.level)


@given(KINDS, st.floats(0, 1), st.sampled_from((*FOR, *AGAINST)))
def test_more_of_what_speaks_for_a_task_never_lowers_its_fit(
    kinds: frozenset[Kind], template: float, more: Kind
) -> None:
    before = decide(grounds(kinds - {more}, template), FITTED).fits.task
    after = decide(grounds(kinds | {more}, template), FITTED).fits.task
    assert after >= before if more in FOR else after <= before


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("level", [Level.none, Level.low])
def test_below_medium_the_task_agent_is_never_asked(mode: Mode, level: Level) -> None:
    assert consult(mode, level) is Consult.forbidden


@pytest.mark.parametrize("kind", [Kind.multi_step, Kind.stakes, Kind.work])
def test_that_a_request_is_complex_is_no_reason(kind: Kind) -> None:
    verdict = decide(grounds(frozenset({kind, Kind.multi_step}), 0.9), FITTED)
    assert verdict.mode is Mode.direct_chat
    assert verdict.level in (Level.none, Level.low)


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("Run the Complaint Evaluation task", Mode.run_existing_saved_task),
        ("run complaint evalution", Mode.run_existing_saved_task),
        ("Don't run the Complaint Evaluation task", Mode.direct_chat),
        ("run the task", Mode.ask_clarifying_question),
        ("What should a good contract review cover?", Mode.direct_chat),
        ("Set up a process to review complaints like this going forward.", Mode.invoke_task_agent_for_design),
        ("Where is the Marex draft task?", Mode.inspect_saved_task_run),
        ("Send me the output from the Marex draft task", Mode.retrieve_saved_task_output),
        ("Look at my complaint tasks and suggest improvements.", Mode.invoke_task_agent_for_review),
        (
            "Keep an eye on Marex filings and tell me when anything new appears.",
            Mode.background_or_recurring_saved_task,
        ),
        ("Rebuild the search index every night", Mode.ec_scheduled_job),
        ("Let me know when the upload finishes", Mode.openclaw_background_subagent),
        ("File this in the Marex folder.", Mode.direct_tool_or_procedure),
        ("Review this complaint.", Mode.direct_chat),
        ("What is a saved task?", Mode.direct_chat),
        ("We review contracts every week and it's boring.", Mode.direct_chat),
        ("In this task, you are given a sentence. Classify it.", Mode.direct_chat),
        ("", Mode.direct_chat),
    ],
)
def test_the_table_decides_as_the_rules_say(text: str, mode: Mode) -> None:
    assert decide(read(text), FITTED).mode is mode


def test_what_is_open_is_what_it_means() -> None:
    for text, mode in (
        ("is it done yet", Mode.inspect_saved_task_run),
        ("show me the result", Mode.retrieve_saved_task_output),
        ("run it again", Mode.run_existing_saved_task),
    ):
        assert decide(read(text, work_open=True), FITTED).mode is mode
        assert decide(read(text), FITTED).mode is Mode.ask_clarifying_question


def test_the_level_of_a_muted_class_is_low_whatever_speaks_for_a_task() -> None:
    strong = frozenset({Kind.recurrence, Kind.work, Kind.many_outputs, Kind.gates})
    assert decide(grounds(strong), FITTED).level is Level.high
    assert decide(grounds(strong | {Kind.refused_before}), FITTED).level in (Level.none, Level.low)
    assert replace(FITTED, high=0.0).level(0.1) is Level.high
