"""A directed graph in layers: what comes before stands before, and few lines cross."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from fast_sugiyama import from_edges

Pair = tuple[int, int]
Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    id: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Line:
    tail: str
    head: str
    path: str
    """As the `d` of an SVG path."""
    back: bool
    """Whether it leads back to what came before."""


@dataclass(frozen=True)
class Picture:
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    width: float
    height: float


@dataclass(frozen=True)
class Shape:
    """The size of a box, and the room around it. `across` lets time run from left to right, else from top to bottom."""

    width: float = 188
    height: float = 40
    beside: float = 16
    between: float = 34
    across: bool = False


def layered(ids: Sequence[str], edges: Iterable[tuple[str, str]], shape: Shape) -> Picture:
    number = {one: at for at, one in enumerate(ids)}
    pairs = list(dict.fromkeys((number[a], number[b]) for a, b in edges if a in number and b in number and a != b))
    back = _leading_back(len(ids), pairs)
    forward = list(dict.fromkeys((b, a) if (a, b) in back else (a, b) for a, b in pairs))
    places, routes = _places(len(ids), forward)
    at = {one: _box(shape, place) for one, place in places.items()}
    wide = max((_box(shape, place)[0] for place in places.values()), default=0) + shape.width
    high = max((_box(shape, place)[1] for place in places.values()), default=0) + shape.height
    boxes = [Box(one, *at[number[one]], shape.width, shape.height) for one in ids]
    lines = [_line(ids, pair, back=pair in back, routes=routes, at=at, shape=shape) for pair in pairs]
    return Picture(tuple(boxes), tuple(lines), wide, high)


def _leading_back(count: int, pairs: Sequence[Pair]) -> set[Pair]:
    """Edges that close a circle, met in the order in which the boxes are given.

    The library ends the whole process on a graph that it thinks it has freed of circles and has not, as with a box
    that leads to itself. So it gets none with circles.
    """
    after: dict[int, list[int]] = {}
    for tail, head in pairs:
        after.setdefault(tail, []).append(head)
    state = [0] * count
    back: set[Pair] = set()
    for start in range(count):
        _walk(start, after, state, back)
    return back


def _walk(start: int, after: dict[int, list[int]], state: list[int], back: set[Pair]) -> None:
    """Depth first. A box is 1 while what comes after it is walked through, and 2 when that is done."""
    if state[start]:
        return
    state[start], path = 1, [(start, iter(after.get(start, ())))]
    while path:
        tail, heads = path[-1]
        head = next(heads, None)
        if head is None:
            state[tail] = 2
            path.pop()
        elif state[head] == 1:
            back.add((tail, head))
        elif state[head] == 0:
            state[head] = 1
            path.append((head, iter(after.get(head, ()))))


def _places(count: int, pairs: Sequence[Pair]) -> tuple[dict[int, Point], dict[Pair, list[Point]]]:
    """Column and row of each box, in steps of one, and the points between that long lines go through."""
    places: dict[int, Point] = {}
    points: dict[int, Point] = {}
    follow: dict[int, list[int]] = {}
    column = 0.0
    parts = from_edges(list(pairs), vertex_spacing=1, dummy_vertices=True, check_layout=False)
    for positions, _width, height, lines in sorted(parts, key=lambda one: min(at for at, _ in one[0])):
        told = {int(one): (column + x, height - y) for one, (x, y) in positions}
        points |= told
        for tail, head in lines or ():
            follow.setdefault(int(tail), []).append(int(head))
        column = max(x for x, _ in told.values()) + 1
    places |= {one: place for one, place in points.items() if one < count}
    for one in range(count):
        if one not in places:
            places[one] = (column, 0.0)
            column += 1
    return places, _routes(count, pairs, points, follow)


def _routes(
    count: int, pairs: Sequence[Pair], points: dict[int, Point], follow: dict[int, list[int]]
) -> dict[Pair, list[Point]]:
    """A long line is a chain of points that belong to nobody else, from box to box."""
    routes: dict[Pair, list[Point]] = {pair: [] for pair in pairs}
    for tail in range(count):
        for first in follow.get(tail, ()):
            chain, here = list[Point](), first
            while here >= count and len(follow.get(here, ())) == 1:
                chain.append(points[here])
                [here] = follow[here]
            if (tail, here) in routes:
                routes[tail, here] = chain
    return routes


def _box(shape: Shape, place: Point) -> Point:
    column, row = place
    if shape.across:
        return row * (shape.width + shape.between), column * (shape.height + shape.beside)
    return column * (shape.width + shape.beside), row * (shape.height + shape.between)


def _line(
    ids: Sequence[str],
    pair: Pair,
    *,
    back: bool,
    routes: dict[Pair, list[Point]],
    at: dict[int, Point],
    shape: Shape,
) -> Line:
    tail, head = pair[::-1] if back else pair
    middle = [_middle(shape, _box(shape, one)) for one in routes.get((tail, head), ())]
    points = [_edge(shape, at[tail], ending=True), *middle, _edge(shape, at[head], ending=False)]
    if back:
        points.reverse()
    return Line(ids[pair[0]], ids[pair[1]], _path(points, across=shape.across), back)


def _edge(shape: Shape, corner: Point, *, ending: bool) -> Point:
    x, y = corner
    if shape.across:
        return (x + shape.width if ending else x), y + shape.height / 2
    return x + shape.width / 2, (y + shape.height if ending else y)


def _middle(shape: Shape, corner: Point) -> Point:
    return corner[0] + shape.width / 2, corner[1] + shape.height / 2


def _path(points: Sequence[Point], *, across: bool) -> str:
    x, y = points[0]
    drawn = [f"M{x:.1f} {y:.1f}"]
    for (ax, ay), (bx, by) in pairwise(points):
        if across:
            half = (ax + bx) / 2
            drawn.append(f"C{half:.1f} {ay:.1f} {half:.1f} {by:.1f} {bx:.1f} {by:.1f}")
        else:
            half = (ay + by) / 2
            drawn.append(f"C{ax:.1f} {half:.1f} {bx:.1f} {half:.1f} {bx:.1f} {by:.1f}")
    return "".join(drawn)
