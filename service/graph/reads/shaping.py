"""How the row becomes the answer: one Python expression for each plan, compiled once.

A large answer has thousands of objects. An expression such as

    {"nodes": [{"id": row2[0], "name": row2[1]} for row2 in row1[0]]}

makes them five times faster than functions that are called for each object. It is built as a syntax tree, never as
text: a key that a caller chose is a constant in it, and cannot be anything else.
"""

import ast
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any, cast

from service.graph.reads import cursors
from service.graph.reads.plan import Shaper
from service.graph.reads.shaped import Shaped, Source

Expression = ast.expr
Rows = list[list[Any]]

_BOUND = "bound"


def constant(value: str | int | None) -> Expression:
    return ast.Constant(value)


def constants(values: Iterable[str]) -> Expression:
    return ast.List([ast.Constant(value) for value in values], ast.Load())


def column(row: str, index: int) -> Expression:
    return _item(_name(row), ast.Constant(index))


def bound(parameter: str) -> Expression:
    """The value that a parameter has in this run."""
    return _item(_name(_BOUND), ast.Constant(parameter))


def mapping(items: Iterable[tuple[str, Expression]]) -> Expression:
    known = dict(items)
    return ast.Dict([ast.Constant(key) for key in known], list(known.values()))


def every(row: str, rows: Expression, each: Expression) -> Expression:
    """`[each for row in rows]`"""
    return ast.ListComp(each, [ast.comprehension(_stored(row), rows, [], 0)])


def by_key(row: str, rows: Expression, key: Expression, each: Expression) -> Expression:
    """`{key: each for row in rows}`"""
    return ast.DictComp(key, each, [ast.comprehension(_stored(row), rows, [], 0)])


def choice(tested: Expression, cases: Sequence[tuple[tuple[str, ...], Expression]]) -> Expression:
    """The expression of the case whose labels contain the tested value; the last case takes the rest."""
    *first, (_, chosen) = cases
    for labels, expression in reversed(first):
        test = ast.Compare(tested, [ast.In()], [ast.Tuple([ast.Constant(one) for one in labels], ast.Load())])
        chosen = ast.IfExp(test, expression, chosen)
    return chosen


def on_page(names: Sequence[str], body: Expression, cutting: Expression) -> Expression:
    """The body, with what is known of a page as its variables."""
    arguments = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    return ast.Call(ast.Lambda(arguments, body), [ast.Starred(cutting, ast.Load())], [])


def variable(name: str) -> Expression:
    return _name(name)


def call(name: str, *arguments: Expression) -> Expression:
    return ast.Call(_name(name), list(arguments), [])


def item(of: Expression, place: int) -> Expression:
    return _item(of, ast.Constant(place))


def either(test: Expression, then: Expression, otherwise: Expression) -> Expression:
    return ast.IfExp(test, then, otherwise)


def closed(expression: Expression) -> Expression:
    """The same value, marked as complete."""
    return call(Shaped.__name__, expression)


def shaper(row: str, expression: Expression) -> Shaper:
    """The function that the expression stands for."""
    arguments = ast.arguments([], [ast.arg(row), ast.arg(_BOUND)], None, [], [], None, [])
    tree = ast.fix_missing_locations(ast.Expression(ast.Lambda(arguments, expression)))
    # The tree was built above from constants, columns and the names below; no text was parsed.
    return cast("Shaper", eval(compile(tree, "<plan>", "eval"), dict(_KNOWN)))  # noqa: S307


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _stored(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def _item(of: Expression, key: Expression) -> Expression:
    return ast.Subscript(of, key, ast.Load())


def cut_page(rows: Rows, limit: int, extra: int, backward: bool) -> tuple[Rows, bool]:
    """The rows of the page in the order asked for, and whether there are more beyond it."""
    size = limit - extra
    more = len(rows) > size
    page = rows[:size] if more else rows
    return (page[::-1] if backward else page), more


def cut_walk(
    found: list[Any], limit: int, extra: int, backward: bool
) -> tuple[Rows, bool, tuple[Any, str] | None, int]:
    """The same of a walk, with the place where it stopped and what it passed until there, unless its page is full."""
    [[stop, passed, rows]] = found
    page, more = cut_page(rows, limit, extra, backward)
    return page, more or stop is not None, None if more else stop, passed


def ordered_rows(rows: Rows, value: int, record_id: int, falling: bool) -> Rows:
    """Rows in the order of a value that all of them have, then of their id. Those that are in order stay so."""
    rows.sort(key=itemgetter(value, record_id), reverse=falling)
    return rows


def first_of(found: list[Any]) -> Any:
    return found[0] if found else None


def in_order(found: dict[str, Any], ids: list[str]) -> list[Any]:
    """What was found, in the order of the ids, with null for what is not there."""
    return [found.get(one) for one in ids]


_KNOWN: dict[str, Any] = {
    Shaped.__name__: Shaped,
    Source.__name__: Source,
    cursors.encode.__name__: cursors.encode,
    cut_page.__name__: cut_page,
    cut_walk.__name__: cut_walk,
    first_of.__name__: first_of,
    ordered_rows.__name__: ordered_rows,
    in_order.__name__: in_order,
}
