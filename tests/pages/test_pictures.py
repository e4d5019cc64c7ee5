"""Laws of the pictures: whatever a graph or a run is like, they can be drawn, and say what is there."""

from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from service.web.pages.pictures.bars import WIDTH, gantt, scaled
from service.web.pages.pictures.layers import Shape, layered
from service.web.pages.pictures.marks import pieces
from service.web.pages.pictures.points import points

NAMES = st.integers(0, 12).map(str)
EDGES = st.lists(st.tuples(NAMES, NAMES), max_size=40)


@given(ids=st.lists(NAMES, unique=True, max_size=13), edges=EDGES, across=st.booleans())
def test_every_box_has_a_place_of_its_own_whatever_circles_there_are(
    ids: list[str], edges: list[tuple[str, str]], across: bool
) -> None:
    picture = layered(ids, edges, Shape(across=across))
    assert [one.id for one in picture.boxes] == ids
    assert len({(one.x, one.y) for one in picture.boxes}) == len(ids)
    assert all(0 <= one.x <= picture.width - one.width for one in picture.boxes)
    assert all(0 <= one.y <= picture.height - one.height for one in picture.boxes)


@given(ids=st.lists(NAMES, unique=True, max_size=13), edges=EDGES)
def test_every_line_between_two_boxes_is_drawn_once_and_what_comes_before_stands_above(
    ids: list[str], edges: list[tuple[str, str]]
) -> None:
    picture = layered(ids, edges, Shape())
    expected = {(a, b) for a, b in edges if a in ids and b in ids and a != b}
    assert {(one.tail, one.head) for one in picture.lines} == expected
    assert len(picture.lines) == len(expected)
    row = {one.id: one.y for one in picture.boxes}
    assert all((row[one.tail] > row[one.head]) == one.back for one in picture.lines)


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=30))
def test_on_a_timeline_what_is_later_stands_further_right_and_all_of_it_fits(moments: list[int]) -> None:
    scale, breaks = scaled(moments)
    places = [scale.place(one) for one in sorted(set(moments))]
    assert all(a < b for a, b in pairwise(places))
    assert places[-1] <= WIDTH
    assert sum(one.length for one in breaks) <= max(moments) - min(moments)


def test_a_long_wait_is_drawn_short_and_says_how_long_it_was() -> None:
    drawn = gantt([_bar(0, 1_000), _bar(1_000, 9_000_000), _bar(9_001_000, 1_000)])
    assert [one.length for one in drawn.breaks] == [9_000_000]
    assert drawn.rows[1]["width"] < WIDTH / 4


def test_of_very_many_bars_the_outermost_are_drawn_and_the_rest_is_counted() -> None:
    drawn = gantt([_bar(at, 5, depth=at % 2) for at in range(300)])
    assert (len(drawn.rows), drawn.left) == (200, 100)
    assert sum(one["depth"] == 0 for one in drawn.rows) == 150


def _bar(offset: int, length: int, depth: int = 0) -> dict[str, Any]:
    return {"offsetMs": offset, "lengthMs": length, "depth": depth, "label": "", "status": "success", "kind": "module"}


@given(st.text(max_size=40), st.lists(st.tuples(st.integers(0, 40), st.integers(0, 12)), max_size=8))
def test_a_text_with_marks_is_the_same_text_and_what_was_named_is_marked(
    text: str, named: list[tuple[int, int]]
) -> None:
    spans = [(min(at, len(text)), min(at + length, len(text))) for at, length in named]
    found = pieces(text, spans)
    assert "".join(one["text"] for one in found) == text
    marked = [one["marked"] for one in found for _ in one["text"]]
    assert marked == [any(start <= at < end for start, end in spans) for at in range(len(text))]


@given(st.lists(st.tuples(st.integers(0, 4_000_000_000), st.floats(0, 1)), min_size=3, max_size=20))
def test_points_lie_inside_their_picture_the_later_further_right(told: list[tuple[int, float]]) -> None:
    of: dict[str, Any] = {}
    drawn = points([(datetime.fromtimestamp(at, UTC).isoformat(), value, of) for at, value in told])
    assert drawn
    assert all(drawn["left"] <= one["x"] <= drawn["width"] for one in drawn["points"])
    assert all(0 <= one["y"] <= drawn["height"] for one in drawn["points"])
    places = sorted((at, one["x"]) for (at, _), one in zip(told, drawn["points"], strict=True))
    assert all(before[1] <= after[1] for before, after in pairwise(places))


def test_two_points_are_no_course() -> None:
    of: dict[str, Any] = {}
    assert points([("2026-01-01T00:00:00Z", 0.5, of)] * 2) is None
