"""What spans tell of costs, added up where their step or run does not tell it: so that lists say what the run says.

A place is a step of a run, or the run outside its steps. To add up a place, all its spans must be known; they are
loaded for those places alone where spans tell a cost.
"""

from collections.abc import Iterable
from typing import Any, LiteralString

from service.graph.database import Transaction
from service.memory.outermost import total
from service.memory.reporting import cypher
from service.memory.reporting.effects import Effects, Handle
from service.memory.reporting.events import Reported
from service.memory.reporting.node import Node
from service.memory.reporting.world import Place, RunState, Values, World

MICROS = 1_000_000
FIGURES = ("cost_usd", "input_tokens", "output_tokens")
_READ = ("span_kind", "parent_span_key", *FIGURES)


def micros(values: Values) -> int | None:
    """Whole millionths: a sum of floats would depend on the order of the events."""
    told = values.get("cost_usd")
    return None if told is None else round(told * MICROS)


async def load_spans(
    transaction: Transaction, world: World, items: Iterable[tuple[Reported, Effects, RunState]]
) -> None:
    """Know the spans of each place whose costs may be told otherwise after this report."""
    told: dict[Place, bool] = {}
    for event, effects, state in items:
        if event.kind.name == "span" and state.rules.shares_costs:
            for place in _places(world, state.handle, event, effects):
                told[place] = told.get(place, False) or any(name in event.values for name in FIGURES)
    for place, brings_figures in told.items():
        if brings_figures or _is_added_up(world, place):
            world.spans[place] = {}
    known = [_row(world, place) for place in world.spans if world.runs[place[0]].known is not None]
    await _load(transaction, world, cypher.SPANS_OF_STEPS, [row for row in known if row["module_key"] is not None])
    await _load(transaction, world, cypher.SPANS_OUTSIDE, [row for row in known if row["module_key"] is None])


async def _load(transaction: Transaction, world: World, query: LiteralString, rows: list[dict[str, Any]]) -> None:
    for row in await transaction.run(query, rows=rows, fields=_READ) if rows else ():
        place: Place = (("Run", *row["run"]), row["module_key"], row["activation_seq"])
        world.spans[place] = {key: dict(zip(_READ, own, strict=True)) for key, own in row["spans"]}


def _places(world: World, run: Handle, event: Reported, effects: Effects) -> set[Place]:
    """Where a span is said to be, and where it was."""
    given = event.values
    found: set[Place] = {(run, given.get("module_key"), given.get("activation_seq"))}
    node = world.nodes.get(effects.main) if effects.main else None
    return found | ({_place(run, node)} if node else set())


def _place(run: Handle, span: Node) -> Place:
    return (run, span.properties.get("module_key"), span.properties.get("activation_seq"))


def _is_added_up(world: World, place: Place) -> bool:
    """Whether spans of the place have told something already."""
    node = _whole(world, place)
    if node is None:
        return False
    if place[1] is None:
        return any(node.properties.get(name) is not None for name in ("outside_micros", "whole_micros"))
    return any(name in node.properties and name not in node.marks for name in FIGURES)


def _whole(world: World, place: Place) -> Node | None:
    """The record that a place's figures stand on."""
    run, module, seq = place
    return world.nodes.get(run if module is None else ("Activation", *run[1:], module, seq))


def _row(world: World, place: Place) -> dict[str, Any]:
    run, module, seq = place
    return {"run_id": world.runs[run].id, "run": list(run[1:]), "module_key": module, "activation_seq": seq}


def settle_costs(world: World) -> None:
    """Add up each place. What a step or a run was told of itself stands."""
    inside: dict[Place, dict[str, Values]] = {}
    here: set[tuple[Handle, str]] = set()
    for handle, node in world.nodes.items():
        if handle[0] == "Span":
            run: Handle = ("Run", *handle[1:3])
            inside.setdefault(_place(run, node), {})[handle[3]] = node.properties
            here.add((run, handle[3]))
    for place, loaded in world.spans.items():
        stayed = {key: one for key, one in loaded.items() if (place[0], key) not in here}
        _settle_place(world, place, stayed | inside.get(place, {}))


def _settle_place(world: World, place: Place, spans: dict[str, Values]) -> None:
    node = _whole(world, place)
    if node is None:
        return
    if place[1] is None:
        own = {key: one for key, one in spans.items() if one.get("span_kind") == "task_run"}
        node.set("whole_micros", _added(own, "cost_usd"))
        node.set("outside_micros", _added({key: spans[key] for key in spans.keys() - own.keys()}, "cost_usd"))
        return
    for name in FIGURES:
        if name not in node.marks:
            found = _added(spans, name)
            node.set(name, found / MICROS if name == "cost_usd" and found is not None else found)


def _added(spans: dict[str, Values], figure: str) -> int | None:
    parents = {key: one.get("parent_span_key") for key, one in spans.items()}
    told = {key: micros(one) if figure == "cost_usd" else one.get(figure) for key, one in spans.items()}
    return total({key: value for key, value in told.items() if value is not None}, parents)


def cost_of_run(values: Values) -> float | None:
    """The executor's total; else the sum of its steps and all outside; else what the span of the run itself says."""
    if values.get("total_cost_usd") is not None:
        return values["total_cost_usd"]
    spent, outside, whole = (values.get(name) for name in ("spent_micros", "outside_micros", "whole_micros"))
    if spent or outside is not None or values.get("costed_count"):
        return ((spent or 0) + (outside or 0)) / MICROS
    return None if whole is None else whole / MICROS
