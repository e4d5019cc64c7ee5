"""The graph of what a proposal changes: read where a step patches it, and saved as any other graph is."""

from collections.abc import Sequence
from dataclasses import replace

from graph_schema.learning.proposal_words import Operation
from service.commands import State, Work
from service.learning.errors import StepInvalid
from service.learning.proposals import cypher
from service.learning.proposals.graph_patch import GRAPH, operations_of, patched_text, read_graph, text_of
from service.learning.proposals.steps import Content, Step
from service.library.after_save import follow_graph
from service.library.profile import refresh_profiles
from service.library.snapshots import load_graph, plan_graph
from service.library.ties import NO_TIES, tie_graphs

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


async def save(work: Work, owner: State, text: str) -> State:
    """As `saveGraph` does: the graph before stays reachable, and what hangs on it follows. Gives the owner after it."""
    saved = await plan_graph(work, owner, read_graph(text))
    graphs = [saved, *await follow_graph(work, saved)]
    await tie_graphs(work, graphs, NO_TIES)
    await refresh_profiles(work, graphs)
    return saved.owner
