"""The language of conditions: what it says, what it refuses and where, and that it never breaks."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.memory.intake.errors import ConditionUnreadable
from service.memory.intake.fields import FIELDS
from service.memory.intake.language import DEEPEST, LONGEST, read
from tests.laws import law

FACTS: dict[str, Any] = {
    "artifact_kind": "document",
    "name": "Damages Memo",
    "size_bytes": 30_000,
    "recipients": ["a@example.com"],
    "high_value_candidate": True,
}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ('artifact_kind = "document" and size_bytes > 20000', True),
        ("artifact_kind != 'document' or size_bytes <= 30000", True),
        ('not (name contains "memo")', False),
        ('artifact_kind in ["email", "document"]', True),
        ('artifact_kind not in ["email"]', True),
        ('"A@example.com" in recipients', True),
        ('"b" not in recipients', True),
        ("high_value_candidate", True),
        ("high_value_candidate = false", False),
        ("summary = null", True),
        ('summary contains "x"', False),
        ("score > 0.5 or score <= 0.5", False),
        ('false or not false and name >= "D"', True),
        ('name = "Damages Memo" and ((true))', True),
    ],
)
def test_what_a_condition_means(text: str, holds: bool) -> None:
    assert read(text).holds(FACTS) is holds


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        ("", 1, "a value"),
        ("name =", 7, "a value"),
        ("nonsense = 1", 1, "one of the fields"),
        ("name", 5, "contains"),
        ('size_bytes = "x"', 14, "a number"),
        ('artifact_kind = "memo"', 17, "one of text_output"),
        ("recipients = null", 1, "contains"),
        ("name ; 1", 6, "a sign"),
        ("(name = null", 13, ")"),
        ("true true", 6, "the end"),
        ("high_value_candidate < true", 24, "a truth value"),
        ('size_bytes contains "1"', 21, "texts"),
        ("(" * (DEEPEST + 1) + "true", DEEPEST + 2, "levels"),
        ("name = '" + "x" * LONGEST + "'", LONGEST, "at most"),
        ("size_bytes in [" + "1," * 200 + "1]", 217, "at most 100"),
        ("__import__('os')", 1, "one of the fields"),
    ],
)
def test_what_it_refuses_says_where_and_what_was_expected(text: str, position: int, expected: str) -> None:
    with pytest.raises(ConditionUnreadable) as refused:
        read(text)
    assert refused.value.facts["position"] == position
    assert expected in str(refused.value.facts["expected"])
    assert refused.value.remedy


_PIECES = [*FIELDS, "and", "or", "not", "in", "contains", "(", ")", "[", "]", ",", "=", "<", '"x"', "1", "null", "true"]


@given(
    st.lists(st.sampled_from(_PIECES), max_size=25).map(" ".join),
    st.dictionaries(st.sampled_from([*FIELDS]), st.none()),
)
@law(40)
def test_any_text_is_read_or_refused_and_any_facts_are_answered(text: str, facts: dict[str, Any]) -> None:
    try:
        condition = read(text)
    except ConditionUnreadable:
        return
    assert condition.holds(facts) in {True, False}
