"""What is meant, and what only sounds like it: taught phrases, what is called off, limits, gates."""

import pytest

from graph_schema.routing.decision_words import ExecutionMode as Mode
from graph_schema.routing.decision_words import OpportunityLevel as Level
from graph_schema.routing.decision_words import TaskVeto
from graph_schema.routing.words import InvocationPolicy as Policy
from service.matching.calibration import calibration_for
from service.routing.decision.decide import decide
from service.routing.decision.grounds import Grounds
from service.routing.directives.rules import Asked, weighed
from service.routing.evidence.directives import taught
from service.routing.evidence.gather import of_words
from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.kinds import ModeEvidence
from service.routing.evidence.names import Name, called
from service.routing.evidence.scene import Scene, Target
from service.routing.words import said, words_of
from tests.routing.directives.test_rules import MODEL, directive, phrase
from tests.routing.test_decision import FITTED, read

WALK = Target("t1", "Template", "Gate check")


def mode_of(text: str, taught_phrase: str, policy: Policy) -> tuple[Mode, Level]:
    """What a request becomes where one phrase was taught, from its words alone."""
    scene = Scene(said(text, words_of()), words_of())
    row = directive(phrase(taught_phrase, cosine=0.2), invocation_policy=policy.value)
    held = taught(weighed(Asked(text), [row], calibration_for(MODEL)), scene)
    evidence = (*of_words(scene), *held.evidence)
    verdict = decide(Grounds(evidence, policy=held.policy, directed=(WALK,) if held.policy else ()), FITTED)
    return verdict.mode, verdict.level


@pytest.mark.parametrize(
    "text",
    [
        "Do the gate walk", "Time for the gate walk", "Give me a gate walk for Thursday", "I need a gate walk",
        "Could we have the gate walk before noon?", "write the gate walk", "gate walk", "Don't forget the gate walk",
    ],
)  # fmt: skip
def test_a_taught_phrase_that_is_said_plainly_holds(text: str) -> None:
    run = mode_of(text, "gate walk", Policy.run_existing_task_after_confirmation)
    assert run == (Mode.run_existing_saved_task, Level.explicit)
    suggested = mode_of(text, "gate walk", Policy.suggest_task)
    assert suggested == (Mode.suggest_existing_saved_task, Level.explicit)


@pytest.mark.parametrize(
    "text",
    [
        "Let's not do the gate walk this week", "no gate walk today", "Please skip the gate walk",
        "I never said gate walk", "Cancel the gate walk", "never mind the gate walk", "forget the gate walk",
        "we do not need a gate walk", "What is a gate walk?", "Do the gate walk, but not today",
        "We did the gate walk yesterday", "don't do the gate walk",
    ],
)  # fmt: skip
@pytest.mark.parametrize("policy", [Policy.run_existing_task_after_confirmation, Policy.suggest_task])
def test_a_taught_phrase_that_is_called_off_asked_about_or_told_of_commands_nothing(text: str, policy: Policy) -> None:
    assert mode_of(text, "gate walk", policy)[1] is not Level.explicit


@pytest.mark.parametrize("text", ["make it a machine", "Can you make it a machine?", "make it a machine, as we do"])
def test_a_taught_phrase_of_common_words_holds_against_what_they_usually_say(text: str) -> None:
    assert mode_of(text, "make it a machine", Policy.invoke_task_agent_for_design)[1] is Level.explicit
    assert (
        mode_of(f"please do not {text}", "make it a machine", Policy.invoke_task_agent_for_design)[1]
        is not Level.explicit
    )


RECURRING = "Every Friday, reconcile the sales, write a statement and a memo and send it to the treasurer for approval"


def test_the_limit_of_a_day_is_for_what_nobody_asked_for_and_is_no_refusal() -> None:
    free = read(RECURRING)
    often = Grounds((*free.evidence, ModeEvidence(Kind.asked_often)))
    verdict = decide(often, FITTED)
    assert (verdict.mode, verdict.level) == (Mode.background_or_recurring_saved_task, decide(free, FITTED).level)
    assert TaskVeto.user_recently_rejected_task_suggestion not in {one.veto for one in verdict.held}
    deep = (ModeEvidence(Kind.depth), ModeEvidence(Kind.sources), ModeEvidence(Kind.template_match))
    unasked = decide(Grounds((*deep, ModeEvidence(Kind.asked_often)), template=0.95), FITTED)
    assert (unasked.mode, unasked.level) == (Mode.direct_chat, Level.low)


def test_work_with_gates_never_becomes_a_job_that_needs_none() -> None:
    for kind in (Kind.refused_before, Kind.asked_often, Kind.directive_against):
        verdict = decide(Grounds((*read(RECURRING).evidence, ModeEvidence(kind))), FITTED)
        assert verdict.mode is not Mode.ec_scheduled_job


def test_why_a_mode_lost_is_a_sentence_without_codes() -> None:
    for text in (RECURRING, "Write me a haiku", "File this in the Marex folder.", "Check this.", "is it done yet"):
        assert [one.because for one in decide(read(text), FITTED).lost if "_" in one.because] == []


@pytest.mark.parametrize(
    "asked",
    [
        "and let me approve it before it goes out", "and wait for my go-ahead", "with a sign-off step",
        "for my approval", "and have the vet sign them off", "and stop for my approval before submitting",
        "and let the stage manager approve it", "have it approved by the director and then send it",
        "for me to approve before they go out", "with a review by the vet", "nothing goes out until I say so",
        "and check with me before you send it", "subject to approval by the treasurer",
        "but only after Petra has signed off", "I want to sign off on it first", "run it past me before publishing",
    ],
)  # fmt: skip
def test_approval_is_heard_in_the_ways_people_ask_for_it(asked: str) -> None:
    assert read(f"Write the season letter for the subscribers from the programme notes, {asked}").has(Kind.gates)


@pytest.mark.parametrize(
    "text",
    ["Forecast how many kennels will be taken each night this winter",
     "Write a poem about the sea that comes back every night"],
)  # fmt: skip
def test_what_a_thing_does_again_and_again_is_no_wish_that_comes_again(text: str) -> None:
    assert not read(text).has(Kind.recurrence)


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("If you had run the Complaint Evaluation, we would know", Mode.direct_chat),
        ("Run the Complaint Evaluation task but not today", Mode.direct_chat),
        ("Run the Complaint Evaluation, then send me its output", Mode.run_existing_saved_task),
        ("Delete the Complaint Evaluation task", Mode.direct_tool_or_procedure),
        ("Stop the Complaint Evaluation run", Mode.direct_tool_or_procedure),
        ("Pause the Complaint Evaluation", Mode.direct_tool_or_procedure),
        ("Send me the reminder batch from the Complaint Evaluation task", Mode.retrieve_saved_task_output),
        ("Download last night's call sheet from the Complaint Evaluation task", Mode.retrieve_saved_task_output),
        ("Where's the file that the settlement run produced?", Mode.retrieve_saved_task_output),
    ],
)
def test_what_is_meant_decides_and_not_a_word_of_it(text: str, mode: Mode) -> None:
    assert decide(read(text), FITTED).mode is mode


@pytest.mark.parametrize(
    "text", ["Do I have any tasks?", "List my saved tasks", "Show me my tasks", "What tasks do I have?"]
)
def test_who_asks_which_tasks_there_are_is_shown_them(text: str) -> None:
    verdict = decide(read(text), FITTED)
    assert (verdict.mode, verdict.level) == (Mode.direct_tool_or_procedure, Level.explicit)


def test_a_verb_is_no_part_of_a_name() -> None:
    known = [Name("t1", "Task", ("Damages review",)), Name("t2", "Task", ("Draft complaint",))]
    for text in ("Review my tasks", "Ask Task Agent to draft a task for scheduling tastings"):
        assert called(said(text, words_of()), known, words_of()) == []
    assert [one.id for one in called(said("Run the review task", words_of()), known, words_of())] == ["t1"]


@pytest.mark.parametrize(
    ("text", "core"),
    [
        ("Do a deep reconciliation of the drug ledger against dispensing records, with a discrepancy report for us",
         "do a reconciliation of the drug ledger against dispensing records"),
        ("Every Monday pull the sales figures, write a report and email it to the team", "pull the sales figures"),
    ],
)  # fmt: skip
def test_what_comes_of_the_work_is_not_the_work(text: str, core: str) -> None:
    assert said(text, words_of()).core == core
