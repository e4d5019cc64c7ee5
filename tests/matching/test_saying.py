"""When a request says a phrase: together, and not in a negation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.library.words import DirectiveKind, MatchOutcome
from service.matching.answer import MatchPenaltyKind, MatchVetoKind, NoticeCode
from service.matching.assets import Directive
from service.matching.calibration import Calibration
from service.matching.decide import decide
from service.matching.directives import holds, told
from service.matching.saying import negates, said
from tests.laws import law
from tests.matching.conftest import CLOSE, ask, asset

PHRASE = "complaint audit"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Run a complaint audit for Acme", "complaint audit"),
        ("we need Complaint Audits", "Complaint Audits"),
        ("complaint-audit, please", "complaint-audit"),
        ("audit this complaint", "audit this complaint"),
        ("Don't forget the complaint audit", "complaint audit"),
        ("do not skip the complaint audit", "complaint audit"),
        ("not only a complaint audit but a memo", "complaint audit"),
        ("no draft now, run a complaint audit", "complaint audit"),
        ("why not do a complaint audit", "complaint audit"),
    ],
)
def test_a_phrase_is_said_in_its_words_and_quoted_as_it_was_said(text: str, words: str) -> None:
    assert said(text, PHRASE) == words


@pytest.mark.parametrize(
    "text",
    [
        "do not run a complaint audit",
        "don\u2019t do a complaint audit",
        "never start the complaint audit",
        "write a memo rather than a complaint audit",
        "skip the complaint audit",
        "a complaint audit is not needed",
        "the complaint came after the tax audit",
        "a complaint about the audit",
        "complaint. Audit the books",
        "the audit of complaints",
    ],
)
def test_scattered_words_and_negations_say_nothing(text: str) -> None:
    assert said(text, PHRASE) is None


def test_common_words_inside_a_phrase_may_stand_between() -> None:
    assert said("the review of all the contracts", "review of contracts") == "review of all the contracts"


WORDS = st.lists(st.sampled_from(("draft", "the", "memo", "client", "quickly", "for")), max_size=5).map(" ".join)


@given(WORDS, WORDS)
@law(25)
def test_what_is_said_is_a_part_of_the_request(before: str, after: str) -> None:
    text = f"{before} complaint audit {after}"
    assert said(text, PHRASE) == "complaint audit"
    assert said(f"do not {before} complaint audit {after}", PHRASE) is None
    assert negates(f"do not {text}")


def directive(kind: DirectiveKind = DirectiveKind.prefer_when_phrase, about: str = PHRASE, **more: bool) -> Directive:
    return Directive("dir_1", kind, about, **more)  # pyright: ignore[reportArgumentType]


def test_a_directive_holds_by_meaning_unless_something_is_negated() -> None:
    meant = directive(meant=True)
    assert holds(meant, ask("find the weak spots of our claim"), asset())
    assert "the request means that" in told(meant, ask("find the weak spots of our claim"))
    assert not holds(meant, ask("do not look for the weak spots of our claim"), asset())
    assert not holds(directive(), ask("find the weak spots of our claim"), asset())


def test_a_directive_quotes_only_what_was_said() -> None:
    assert "the request says “audit this complaint”" in told(directive(), ask("please audit this complaint"))


def test_a_taught_preference_makes_a_warning_of_a_wrong_type_and_a_wrong_output(fitted: Calibration) -> None:
    request = ask("run a complaint audit", task_type="docket_monitor", outputs=("chart",))
    wrong = asset("a", CLOSE, task_types=("complaint_evaluation",), expected_outputs=("memo",))
    taught = asset(
        "b", CLOSE, task_types=("complaint_evaluation",), expected_outputs=("memo",), directives=(directive(),)
    )
    answer = decide(request, [wrong, taught], fitted)
    [first] = answer.recommended
    assert first.id == "b"
    assert [one.kind for one in first.soft_penalties] == [MatchPenaltyKind.overruled_veto] * 2
    assert NoticeCode.preference_overrules in {one.code for one in answer.warnings}
    [loser] = answer.losers
    assert {one.kind for one in loser.candidate.hard_vetoes} == {
        MatchVetoKind.wrong_output_class,
        MatchVetoKind.materially_wrong_task_type,
    }


def test_what_needs_confirmation_is_asked_about(fitted: Calibration) -> None:
    asks = directive(DirectiveKind.require_user_confirmation, "always")
    answer = decide(ask(), [asset("a", CLOSE, directives=(asks,))], fitted)
    assert (answer.outcome, len(answer.recommended)) == (MatchOutcome.ask, 1)
    assert "not taken without asking" in answer.explanation
    assert answer.needs_confirmation
