import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings.onnx import PACKAGED
from service.search import ranker
from service.search.ranker import EXACT_FLOOR, THRESHOLD, Names, Near, asked, score

CALIBRATION = Path(__file__).parents[1] / "bench" / "calibration" / "search.json"

words = st.lists(st.sampled_from(["draft", "complaint", "bank", "invoice", "audit", "alarm", "the", "of"])).map(
    " ".join
)
unrelated = st.floats(0, 0.9)
nears = st.none() | st.builds(Near, st.floats(-1, 1), unrelated)


def test_the_constants_are_those_of_the_calibration() -> None:
    kept = json.loads(CALIBRATION.read_text())
    assert (kept["ranker"], kept["version"]) == (ranker.NAME, ranker.VERSION)
    assert kept["constants"]["weights"] == {
        "semantic": ranker.WEIGHTS.semantic,
        "words": ranker.WEIGHTS.words,
        "name": ranker.WEIGHTS.name,
    }
    assert kept["constants"]["threshold"] == THRESHOLD
    assert kept["constants"]["guess"] == {"intercept": ranker.GUESS.intercept, "slope": ranker.GUESS.slope}
    assert {name: one["unrelated"] for name, one in kept["models"].items()} == {
        name: recipe.unrelated for name, recipe in PACKAGED.items()
    }


def test_weights_add_up_to_one() -> None:
    assert ranker.WEIGHTS.semantic + ranker.WEIGHTS.words + ranker.WEIGHTS.name == pytest.approx(1)


@given(words, words, words, nears)
def test_the_parts_add_up_to_the_score(text: str, name: str, card: str, near: Near | None) -> None:
    scored = score(asked(text), Names("goal_1", name), card, near)
    assert 0 <= scored.score <= 1
    assert scored.score == pytest.approx(sum(part.score * part.weight for part in scored.parts), abs=1e-5)
    assert all(part.evidence.endswith(".") and 0 <= part.score <= 1 for part in scored.parts)


@given(words, words, words, st.tuples(st.floats(-1, 1), st.floats(-1, 1)), unrelated)
def test_a_nearer_meaning_never_scores_lower(
    text: str, name: str, card: str, cosines: tuple[float, float], zero: float
) -> None:
    near, far = Near(max(cosines), zero), Near(min(cosines), zero)
    names = Names("goal_1", name)
    assert score(asked(text), names, card, near).score >= score(asked(text), names, card, far).score


@given(words, words, nears)
def test_a_word_that_is_found_never_lowers_a_score(text: str, card: str, near: Near | None) -> None:
    with_word = score(asked(text), Names("goal_1", "x"), f"{card} {text}", near).score
    assert with_word >= score(asked(text), Names("goal_1", "x"), card, near).score


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("ENT_1", "The request is its id."),
        ("acme  corporation", "The request is its name “Acme Corporation”."),
        ("A.C.M.E.", "The request is its alias “a c m e”."),
        ("what about 24-CV-0117?", "The request holds its key “24-cv-0117”."),
        ("mail pat@acme.example now", "The request holds its key “pat@acme.example”."),
    ],
)
def test_a_record_that_is_named_outright_is_first(text: str, evidence: str) -> None:
    names = Names("ent_1", "Acme Corporation", ["a c m e"], ["24-cv-0117", "pat@acme.example"])
    scored = score(asked(text), names, "Acme Corporation", Near(-1.0, 0.5))
    assert scored.parts[0].evidence == evidence
    assert scored.score >= EXACT_FLOOR


@pytest.mark.parametrize("text", ["24-cv-01178", "x24-cv-0117", "it is 42", "acme", ""])
def test_what_only_looks_like_its_name_is_not_exact(text: str) -> None:
    names = Names("ent_1", "Acme Corporation", [], ["24-cv-0117", "42"])
    assert ranker.exact_name(asked(text), names) is None


def test_a_card_without_a_vector_is_compared_by_words_and_says_so() -> None:
    scored = score(asked("draft a complaint"), Names("goal_1", "Complaint"), "Complaint\nDraft it well", None)
    semantic = scored.parts[0]
    assert "Not compared by meaning" in semantic.evidence
    assert semantic.score == pytest.approx(ranker.GUESS.intercept + ranker.GUESS.slope * _lexical(scored))
    assert scored.terms == ("draft", "complaint")


def test_likeness_is_counted_from_unrelated_texts() -> None:
    assert [Near(cosine, 0.5).likeness for cosine in (-1, 0.4, 0.5, 0.75, 1)] == [0, 0, 0, 0.5, 1]
    [semantic, *_rest] = score(asked("draft"), Names("goal_1", "x"), "y", Near(0.75, 0.5)).parts
    assert semantic.evidence == (
        "The cosine of the request and the card is 0.75, counted from the 0.50 of unrelated texts."
    )


def _lexical(scored: ranker.Scored) -> float:
    return ranker.lexical(scored.parts[1].score, scored.parts[2].score)
