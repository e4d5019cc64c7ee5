"""What follows when an asset is saved: its graphs keep its access, and a reusable task has a template."""

from typing import Any

from service.commands import Work
from service.commands.work import State
from service.library import cypher
from service.library.rules import first_state
from service.library.snapshots import OWNERS, part_graphs
from service.library.ties import tie_graphs


async def follow(work: Work, before: State | None, after: State) -> None:
    label = after.type.label
    if before and label in OWNERS and before.properties["audience"] != after.properties["audience"]:
        await tie_graphs(work, await part_graphs(work, after))
    if label == "Task" and after.properties.get("reusable") and not (before and before.properties.get("reusable")):
        await _make_template(work, after)


async def _make_template(work: Work, task: State) -> None:
    """A task that is to be used again is matched as a template: the one that it was made from, or one of its own."""
    row = await work.transaction.one(cypher.TASK_LINKS, id=task.id)
    if row is not None and row["templates"]:
        return
    copied = ("name", "description", "task_type", "data_class", "matter_ids")
    values: dict[str, Any] = {name: task.properties[name] for name in copied if name in task.properties}
    values["lifecycle_state"] = first_state(work.viewer, "Template", values).value
    if row is not None and row["graphs"]:
        values["graph_hash"] = task.properties["graph_hash"]
    template = work.create(work.registry.types["Template"], values)
    work.link(task, "INSTANTIATES", template)
    for kind, ids in (("HAS_GRAPH", row["graphs"]), ("HAS_BLUEPRINT", row["blueprints"])) if row else ():
        for one in ids:
            work.changes.links.append({"tail": template.id, "head": one, "type": kind, "properties": {}})
