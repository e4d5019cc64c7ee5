"""Rules of design sessions: statements, questions, risks. Pure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.learning.design_words import DesignSlot, StatementKind, StatementPolarity
from service.errors import TaskloreError
from service.learning.creation.risk import risky
from service.learning.design.questions import WORTH_ASKING, next_question, score, unasked_slots
from service.learning.design.slots import SlotSource, SlotState, checked, field_of, outward_act
from service.learning.design.statements import asks_less, heard
from tests.laws import law

Kind, Polarity = StatementKind, StatementPolarity


@pytest.mark.parametrize(
    ("said", "kind", "polarity", "condition", "because"),
    [
        (
            "For complex analysis, I like a second pass that says look deeper.",
            *(Kind.pattern_card_update, Polarity.prefer, "complex analysis", None),
        ),
        (
            "When reviewing a complaint, I usually want an issue matrix, not just a memo.",
            *(Kind.preference_candidate, Polarity.prefer, "reviewing a complaint", None),
        ),
        (
            "Don't use PACER unless docket history matters.",
            *(Kind.preference_candidate, Polarity.forbid, "unless docket history matters", None),
        ),
        (
            "Make damages memos findable because I reuse them.",
            *(Kind.artifact_policy_candidate, Polarity.prefer, None, "I reuse them"),
        ),
        (
            "Stop asking me which oven to use.",
            *(Kind.task_agent_instruction_candidate, Polarity.avoid, None, None),
        ),
        (
            "Use the harvest template whenever frost is near.",
            *(Kind.template_routing_directive, Polarity.prefer, None, None),
        ),
        ("I never want a red team for short letters.", Kind.pattern_card_update, Polarity.avoid, None, None),
        ("What matters most is that nobody is allergic.", Kind.goal_link, Polarity.prefer, None, None),
    ],
)
def test_what_the_user_says_about_designs_is_quoted(
    said: str, kind: StatementKind, polarity: StatementPolarity, condition: str | None, because: str | None
) -> None:
    [found] = heard([f"Thanks. {said}"])
    assert found.quote == said
    assert (found.kind, found.polarity, found.condition, found.because) == (kind, polarity, condition, because)
    assert found.rule.endswith(" 1")


@pytest.mark.parametrize(
    "said",
    [
        "Add a red team please.",
        "Review this complaint.",
        "Do you always do that?",
        "I want the memo by Friday.",
        "Save it as a file.",
        "",
    ],
)
def test_a_wish_for_this_one_task_is_no_statement(said: str) -> None:
    assert heard([said]) == ()


@law(50)
@given(st.lists(st.text(alphabet="I always want tables. Never ask\n", max_size=80), max_size=4))
def test_statements_quote_what_was_said_and_come_once(said: list[str]) -> None:
    found = heard(said)
    assert found == heard([*said, *said])
    for one in found:
        assert any(one.quote in text for text in said)


def state(slot: DesignSlot, *, required: bool = False, filled: bool = False) -> SlotState:
    by = SlotSource.request if filled else SlotSource.nothing
    return SlotState(slot=slot, matters=True, required=required, filled=filled, by=by, values=(), why="It does.")


@law(50)
@given(st.integers(0, 50), st.integers(0, 50), st.sampled_from([*DesignSlot]))
def test_utility_rises_with_what_helped_and_falls_with_what_did_not(
    useful: int, useless: int, slot: DesignSlot
) -> None:
    assert score(slot, useful + 1, useless) > score(slot, useful, useless) > score(slot, useful, useless + 1)
    assert 0 < score(slot, useful, useless) < 1


@law(50)
@given(st.permutations([*DesignSlot]))
def test_what_nothing_works_without_is_asked_first_whatever_was_learned(order: list[DesignSlot]) -> None:
    needed = order[0]
    states = [state(one, required=one is needed) for one in DesignSlot]
    useless = {("class", needed.value): _counts(0, 9)}
    found, skipped = next_question(states, useless, "a/b/c", None)
    assert found
    assert found.slot is needed
    assert all(one.utility.score < WORTH_ASKING for one in skipped)


def test_nothing_is_asked_that_is_known_or_waits_for_its_answer() -> None:
    slot = DesignSlot.optional_steps
    assert next_question([state(slot, filled=True)], {}, "a/b/c", None) == (None, ())
    assert next_question([state(slot)], {}, "a/b/c", None, waiting=frozenset({slot})) == (None, ())
    found, _ = next_question([state(slot)], {("type", slot.value): _counts(2, 0)}, "a/b/c", "menu")
    assert found
    assert (found.utility.counted_for, found.utility.score) == ("menu", 0.8)


@pytest.mark.parametrize(
    ("said", "less", "about"),
    [
        ("Please stop asking me so many questions.", True, ""),
        ("Don't ask me which tools to use.", True, "tools to use"),
        ("Fewer questions, please!", True, ""),
        ("Stop bothering me about costs.", True, "costs"),
        ("Do not ask me anything.", True, ""),
        ("Don't ask me unless something is sent outside.", False, ""),
        ("Always ask me about allergens.", False, ""),
        ("Ask the supplier for a quote.", False, ""),
    ],
)
def test_who_wants_fewer_questions_is_heard(said: str, less: bool, about: str) -> None:
    assert asks_less(said) == (less, about)


def test_who_wants_fewer_questions_is_asked_only_what_nothing_works_without() -> None:
    states = [state(one, required=one is DesignSlot.task_goal) for one in DesignSlot]
    quiet = unasked_slots(["Stop asking me so many questions."])
    found, skipped = next_question(states, {}, "a/b/c", None, unasked=quiet)
    assert found
    assert found.slot is DesignSlot.task_goal
    assert all("Stop asking me" in one.because for one in skipped)
    assert len(skipped) == len(DesignSlot) - 1
    tools = unasked_slots(["Don't ask me which tools to use."])
    assert {*tools} == {DesignSlot.capability_needs}
    found, _ = next_question([state(DesignSlot.expected_outputs)], {}, "a/b/c", None, unasked=tools)
    assert found
    assert unasked_slots(["Stop asking me about the weather."]) == {}


def _counts(useful: int, useless: int) -> dict[str, object]:
    told = {"asked": useful + useless, "useful": useful, "useless": useless}
    return {**told, "helpful": useful, "annoying": useless, "changed": useful, "examples": []}


def test_a_side_effect_that_nobody_called_harmless_is_risky() -> None:
    assert risky(["file_write", "external_send", "read"]) == ["external_send"]
    assert risky(["launch_rocket"]) == ["launch_rocket"]
    assert risky([]) == []


@pytest.mark.parametrize("slot", [*DesignSlot])
def test_every_slot_takes_what_it_is_for_and_refuses_an_empty_value(slot: DesignSlot) -> None:
    with pytest.raises(TaskloreError) as refused:
        checked(slot, [" "], "answers")
    assert refused.value.field == "answers"
    assert refused.value.remedy
    if field_of(slot) is not None:
        assert checked(slot, [], "answers") in (None, [])


@pytest.mark.parametrize(
    ("request_text", "words"),
    [
        ("Draft a repair order for each oven and email it to the technician.", "email it to the technician"),
        ("Send the invoice to the client every week.", "send the invoice to the client"),
        ("Publish it on our website.", "publish it on our website"),
        ("Summarize this email.", None),
        ("Don't send it; do not publish anything.", None),
        ("Send me the summary.", None),
        ("Put the events in order, and file a note.", None),
    ],
)
def test_a_request_that_asks_for_an_act_outside_is_heard(request_text: str, words: str | None) -> None:
    assert outward_act(request_text) == words
