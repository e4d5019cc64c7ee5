"""The graph of what a proposal changes: read where a step patches it, and saved as any other graph is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graph_schema.learning.proposal_words import Operation
from service.commands import State, Work
from service.learning.errors import StepInvalid
from service.learning.proposals import cypher
from service.learning.proposals.graph_patch import GRAPH, operations_of, patched_text, read_graph, text_of
from service.learning.proposals.steps import Content, Step
from service.library.after_save import follow_graph
from service.library.profile import refresh_profiles
from service.library.snapshots import SavedGraph, load_graph, plan_graph
from service.library.ties import NO_TIES, tie_graphs, tied_modules

OWNERS = ("Task", "Template")


def patches(steps: Sequence[Step]) -> bool:
    return any(one.operation is Operation.patch_graph for one in steps)


def check_patch(target: State, number: int, value: object) -> None:
    """A patch is a change by itself: its graph is saved as one."""
    if number > 1:
        raise StepInvalid(number, "a change of a graph stands alone", "Propose the other steps for themselves.")
    if target.type.label not in OWNERS:
        raise StepInvalid(number, f"a {target.type.label} has no graph", "Name a task or a template.")
    try:
        operations_of(value)
    except (LookupError, TypeError) as error:
        raise StepInvalid(
            number, f"{error} is no operation on a graph", "Take the operations of a fix of a preflight."
        ) from None


async def with_graph(work: Work, target: State, steps: Sequence[Step], content: Content) -> Content:
    """What a record says, with its graph where a step is about it."""
    if not patches(steps):
        return content
    row = await work.transaction.one(cypher.GRAPH_OF, id=target.id, audiences=work.viewer.audiences)
    if row is None:
        raise StepInvalid(1, f"{target.properties['name']} has no graph that you can see", "Save its graph first.")
    return replace(content, values={**content.values, GRAPH: text_of(await load_graph(work, row["id"]))})


def check_fits(before: Content, steps: Sequence[Step]) -> None:
    """A patch is about what was there when it was proposed: afterwards it may be there already."""
    for number, one in enumerate(steps, 1):
        if one.operation is not Operation.patch_graph:
            continue
        try:
            patched_text(str(before.values[GRAPH]), one.value)
        except KeyError as error:
            raise StepInvalid(number, f"the graph has no module {error}", "Examine the graph as it is now.") from None


@dataclass(frozen=True, slots=True)
class Bound:
    """A step of the blueprint, and the key of a module that does it."""

    step: State
    module: str


async def bound_steps(work: Work, owner: State, but: str) -> list[Bound]:
    """The steps that lose their module when the owner gets this graph."""
    there = {one.module_key for one in read_graph(but).modules}
    kind = work.registry.types["StepIntent"]
    rows = await work.transaction.run(cypher.BOUND_STEPS, id=owner.id, audiences=work.viewer.audiences)
    return [
        Bound(State(kind, tuple(row["labels"]), row["step"]), row["module"])
        for row in rows
        if row["module"] not in there
    ]


async def save(work: Work, owner: State, text: str, bound: Sequence[tuple[str, str]] = ()) -> State:
    """As `saveGraph` does: the graph before stays reachable, and what hangs on it follows. Gives the owner after it.

    `bound`: steps, by their ids, and the keys of the modules that do them again.
    """
    saved = await plan_graph(work, owner, read_graph(text))
    graphs = [saved, *await follow_graph(work, saved)]
    await tie_graphs(work, graphs, NO_TIES)
    if bound:
        await _bind(work, saved, bound)
    await refresh_profiles(work, graphs)
    return saved.owner


async def _bind(work: Work, saved: SavedGraph, bound: Sequence[tuple[str, str]]) -> None:
    """Steps that the blueprint no longer has are left out."""
    asked = sorted({step for step, _ in bound})
    row = await work.transaction.one(cypher.STEPS_THERE, id=saved.owner.id, ids=asked, audiences=work.viewer.audiences)
    there = {*row["ids"]} if row else set[str]()
    modules = (await tied_modules(work, [saved.snapshot.id]))[saved.snapshot.id]
    for step, key in bound:
        if step in there and key in modules:
            work.changes.links.append({"tail": step, "head": modules[key]["id"], "type": "BOUND_TO", "properties": {}})
