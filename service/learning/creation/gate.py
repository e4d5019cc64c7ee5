"""The gate in front of tasks of agents: what has no receipt is not made, not changed, and gets no graph."""

from service.access.agents import is_agent
from service.commands import State, Work
from service.learning.creation import cypher
from service.learning.creation.errors import ReceiptRequired


async def require_receipt(work: Work, before: State | None, after: State) -> None:
    """What follows an agent's save or change of state of a task. What it withdraws needs none."""
    del before
    if after.type.label != "Task" or after.properties["lifecycle_state"] == "archived":
        return
    await check_receipt(work, after)


async def check_receipt(work: Work, task: State, graph_hash: str | None = None) -> None:
    """Refuse an agent a task that nobody would see, with whatever graph."""
    del graph_hash
    if not is_agent(work.viewer) or task.type.label != "Task":
        return
    if any(one["type"] == "FOR" and one["head"] == task.id for one in work.changes.links):
        return
    row = await work.transaction.one(cypher.HAS_RECEIPT, id=task.id)
    if row is None or not row["found"]:
        raise ReceiptRequired(task.properties["name"])


async def reviewed(work: Work, before: State | None, after: State) -> None:
    """A person who puts a task into use has looked at it: its receipts say so, and it may run."""
    if after.type.label != "Task" or before is None or is_agent(work.viewer):
        return
    if after.properties["lifecycle_state"] != "active" or before.properties["lifecycle_state"] == "active":
        return
    for row in await work.transaction.run(cypher.UNREVIEWED, id=after.id):
        receipt = State(work.registry.types["TaskReceipt"], tuple(row["labels"]), row["properties"])
        work.update(
            receipt,
            {"runnable": True, "reviewed_by": work.viewer.principal_id, "reviewed_at": work.at},
            event="reviewed",
        )
