"""What is told of a refusal: never a huge id, and of variables which value it is about."""

from graphql import GraphQLError
from hypothesis import given
from hypothesis import strategies as st

from resolvers.engine.errors import with_code
from service.errors import LONGEST, TaskloreError, bounded
from tests.laws import law


@given(st.text(max_size=500), st.integers(0, 3_000))
@law(50)
def test_what_is_echoed_is_bounded_and_what_is_short_stays(text: str, times: int) -> None:
    assert bounded(text[:199]) == text[:199]
    long = f"{text}{'x' * times}"
    error = TaskloreError(f"There is no record {long}.", field=long, remedy=long, facts={"id": long, "size": times})
    told = [error.message, error.remedy or "", error.field or "", str(error.facts["id"]), str(error)]
    assert all(len(one) <= LONGEST for one in told)
    assert all(len(word) < 200 for one in told for word in one.split())
    assert error.facts["size"] == times


def test_a_text_of_many_short_words_is_cut_in_the_middle() -> None:
    short = bounded("word " * 2_000 + "end.")
    assert len(short) == LONGEST
    assert short.endswith("end.")


def test_refused_variables_name_the_value_and_say_what_to_do() -> None:
    for message, field in (
        ("Variable '$first' got invalid value 'many'; Int cannot represent non-integer value: 'many'", "first"),
        (
            "Variable '$input' got invalid value 7 at 'input.steps[0].field'; String cannot represent 7",
            "input.steps[0].field",
        ),
        (
            "Variable '$input' got invalid value {}; Field 'label' of required type 'String!' was not provided.",
            "input.label",
        ),
        ("Something else is wrong.", None),
    ):
        told = with_code(GraphQLError(message), "invalid_variables", "req_1").extensions or {}
        assert told.get("field") == field
        assert told["remedy"]
    huge = GraphQLError(f"Variable '$id' got invalid value '{'x' * 100_000}'; no.")
    assert len(with_code(huge, "invalid_variables", "req_1").message) <= LONGEST
    assert "field" not in (with_code(huge, "invalid_document", "req_1").extensions or {})
