import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.registry import REGISTRY
from service.errors import TaskloreError
from service.search.candidates import DEEPEST, deeper
from service.search.ranker import asked
from service.search.request import HIDDEN_STATES, SearchRequest, check, keyed, lucene, searchable_kinds


def refused(request: SearchRequest) -> TaskloreError:
    with pytest.raises(TaskloreError) as error:
        check(request, REGISTRY)
    assert error.value.remedy
    return error.value


def test_a_long_text_is_refused_with_its_size() -> None:
    error = refused(SearchRequest("a" * 50_000))
    assert (error.code, error.field) == ("text_too_long", "text")
    assert error.facts == {"limit": 2_000, "size": 50_000}


@pytest.mark.parametrize("text", ["a\x00b", "a\x1bb", "a\ud800b"])
def test_a_broken_text_is_refused_with_the_position(text: str) -> None:
    error = refused(SearchRequest(text))
    assert (error.code, error.field, error.facts) == ("invalid_input", "text", {"position": 1})


@pytest.mark.parametrize("first", [-1, 0, 101])
def test_a_size_out_of_bounds_is_refused(first: int) -> None:
    assert refused(SearchRequest("goal", first=first)).field == "first"


@pytest.mark.parametrize("kind", ["Card", "goal", "Nothing", ""])
def test_a_kind_that_has_no_cards_is_refused(kind: str) -> None:
    error = refused(SearchRequest("goal", kinds=[kind]))
    assert error.field == "kinds"
    assert "Goal" in str(error.remedy)


def test_no_kinds_means_all_and_archived_ones_are_hidden() -> None:
    filters = check(SearchRequest("line one\nline two\ttabbed"), REGISTRY)
    assert filters.kinds == tuple(one for one in searchable_kinds(REGISTRY) if one != "KnowledgeCard")
    assert filters.hidden_states == HIDDEN_STATES
    assert check(SearchRequest("goal", include_archived=True), REGISTRY).hidden_states == ()


@given(st.text(max_size=2_000))
def test_nothing_that_a_user_types_is_syntax_to_lucene(text: str) -> None:
    outside = lucene(asked(text), ["Goal"]).split('"')[::2]
    assert {*"".join(outside)} <= {*"+describes_kind:(Goal)^0 text:(name)^24 "}


@pytest.mark.parametrize("text", ["docket 24-cv-1", "pat@acme.example", "#42"])
def test_keys_are_looked_for_where_one_may_be(text: str) -> None:
    assert keyed(asked(text)) == text
    assert keyed(asked("draft the complaint")) is None


@given(st.integers(1, 1_000), st.integers(0, 1_000), st.integers(1, 200))
def test_a_deeper_question_is_deep_enough_or_a_scan(depth: int, visible: int, want: int) -> None:
    found = deeper(depth, min(visible, want - 1), want)
    assert found is None or depth < found <= DEEPEST
