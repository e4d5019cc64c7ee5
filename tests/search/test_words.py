import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.words import content_words, fold, spoken, stem, stems


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Müller", "MULLER"),
        ("Straße", "strasse"),
        ("ﬁling", "filing"),
        ("e\u0301tude", "étude"),
    ],
)
def test_spellings_of_one_word_are_equal(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_a_name_is_compared_as_it_is_spoken() -> None:
    assert spoken("  Acme, Inc.") == spoken("ACME  inc") == "acme inc"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("complaints", "complaint"),
        ("filed", "filing"),
        ("stopped", "stop"),
        ("parties", "party"),
        ("boxes", "box"),
        ("called", "calling"),
        ("invoices", "invoice"),
    ],
)
def test_inflections_have_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize("word", ["bus", "this", "glass", "sing", "red", "24", "kreditkarten-", "état"])
def test_what_is_no_inflection_keeps_its_end(word: str) -> None:
    assert stem(word) == word


def test_common_words_carry_nothing() -> None:
    assert content_words("What is it that you would like to have?") == []
    assert content_words("The complaint of the bank") == ["complaint", "bank"]


def test_scripts_without_spaces_are_compared_by_character() -> None:
    assert stems("合同审查") & stems("审查这份合同") == {"合", "同", "审", "查"}


@given(st.text())
def test_any_text_has_words(text: str) -> None:
    assert stems(text) == stems(fold(text))
    assert all(word and word == fold(word) for word in content_words(text))
