"""Laws of the pictures: whatever a graph or a run is like, they can be drawn, and say what is there."""

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from service.web.pages.pictures.bars import WIDTH, gantt, scaled
from service.web.pages.pictures.layers import Shape, layered

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
