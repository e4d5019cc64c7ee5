"""How a directive does for a request, from facts alone."""

from typing import Any

import pytest

from service.matching.calibration import calibration_for
from service.routing.directives.rules import Asked, MatchedDirective, weighed

MODEL = "bge_small_en_v1_5_q1"


def phrase(text: str, kind: str = "trigger_phrase", cosine: float | None = 0.6) -> dict[str, Any]:
    return {"text": text, "phrase_kind": kind, "similarity": None if cosine is None else (1 + cosine) / 2}


def directive(*phrases: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": "invd_1",
        "name": "Audit",
        "version": 1,
        "description": None,
        "invocation_policy": "suggest_task",
        "confirmation_policy": "confirm_before_run",
        "task_agent_entrypoint": None,
        "authority_source": "user_taught",
        "confidence": 1.0,
        "phrases": list(phrases),
        "targets": [],
        **more,
    }


def found(text: str, *phrases: dict[str, Any]) -> MatchedDirective | None:
    return next(iter(weighed(Asked(text), [directive(*phrases)], calibration_for(MODEL))), None)


@pytest.mark.parametrize(
    ("text", "taught"),
    [
        ("complaint audit", True),
        ("Please do the Complaint  Audit for Marex, then tell me.", True),
        ("do a complant audit", True),
        ("a complaint aduit please", True),
        ("audit of the complaint", False),
        ("complaints audited", False),
        ("compliant adult", False),
        ("complaint", False),
    ],
)
def test_a_taught_phrase_is_met_word_for_word_or_with_a_slip(text: str, taught: bool) -> None:
    one = found(text, phrase("complaint audit"))
    assert (one is not None and one.taught) is taught


def test_only_trigger_phrases_are_met_word_for_word() -> None:
    one = found("complaint audit", phrase("complaint audit", "semantic_lookup_phrase", 0.95))
    assert one
    assert not one.taught
    assert found("the of", phrase("the of", cosine=0.1)) is None


def test_a_condition_against_it_counts_by_words_and_by_nearness() -> None:
    against = phrase("quick look", "non_use_condition", 0.1)
    said = found("a quick look, no complaint audit", phrase("complaint audit"), against)
    assert said
    assert (said.against, said.probability < 0.5) == ("quick look", True)
    free = found("a complaint audit", phrase("complaint audit"), against)
    assert free
    assert (free.against, free.probability > 0.9) == (None, True)
    nearer = found("glance at it", phrase("audit the complaint", cosine=0.8), {**against, "similarity": 0.95})
    assert nearer
    assert nearer.against == "quick look"


def test_what_stands_against_one_comes_last_and_the_likest_first() -> None:
    against = phrase("quick", "non_use_condition", 0.0)
    rows = [
        directive(phrase("audit it", cosine=0.9), against, id="a"),
        directive(phrase("audit it", cosine=0.8), id="b"),
        directive(phrase("quick audit", cosine=0.7), id="c"),
        directive(phrase("bake a cake", cosine=0.2), id="d"),
    ]
    answer = weighed(Asked("a quick audit"), rows, calibration_for(MODEL))
    assert [one.id for one in answer] == ["c", "b", "a"]
    assert "spelt" not in answer[0].why


def test_a_phrase_without_a_vector_is_met_by_its_words_only() -> None:
    said = found("complaint audit", phrase("complaint audit", cosine=None))
    assert said
    assert (said.taught, said.similarity) == (True, None)
    assert found("review the pleading", phrase("complaint audit", cosine=None)) is None
