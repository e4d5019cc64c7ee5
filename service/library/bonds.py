"""What others say of a graph's modules: steps that they do, capabilities and scope of their own, what was decided.

Every graph has modules of its own. When one takes the place of another, what was said of a module holds of the one that
is called the same there.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from service.commands import Work
from service.library.cypher import graphs as cypher
from service.library.snapshots import SavedGraph

Values = dict[str, Any]


async def carry_bonds(
    work: Work, saved: Sequence[SavedGraph], modules: Mapping[str, Mapping[str, Values]], guarded: Collection[str] = ()
) -> frozenset[str]:
    """Tie the new modules to what the former were tied to; `modules` are those of each graph by their keys.

    `guarded` are snapshots whose modules get nothing: they are not the saver's to change. Steps are bound all the same,
    for that says nothing of the module.

    Returns the owners of which a step has lost its module, as far as the one who saves may see the step.
    """
    present = {one.owner.id: modules[one.snapshot.id] for one in saved}
    closed = {one.owner.id for one in saved if one.snapshot.id in guarded}
    asked = [{"owner": one.owner.id, "former": former} for one in saved for former in one.former]
    leaving = sorted({one["owner"] for one in asked})
    rows = await work.transaction.run(
        cypher.MODULE_BONDS, graphs=asked, leaving=leaving, audiences=work.viewer.audiences
    )
    unbound: set[str] = set()
    for row in rows:
        same = present[row["owner"]].get(row["module_key"])
        _move_steps(work, row, same)
        if same is not None:
            if row["owner"] not in closed:
                _carry(work, row, same["id"])
        elif any(one["seen"] for one in row["steps"]):
            unbound.add(row["owner"])
    return frozenset(unbound)


def _move_steps(work: Work, row: Mapping[str, Any], same: Values | None) -> None:
    """A step lets go of a module that its blueprint's graphs no longer have."""
    for step in row["steps"]:
        if not step["elsewhere"]:
            work.changes.unlinks.append({"tail": step["id"], "head": row["id"], "type": "BOUND_TO"})
        if same is not None:
            _link(work, step["id"], "BOUND_TO", same["id"])


def _carry(work: Work, row: Mapping[str, Any], module: str) -> None:
    """The former module keeps what it needed then; what was decided is about the module that is there now."""
    for one in row["own"]:
        _link(work, module, one["type"], one["head"], one["properties"])
    for one in row["decided"]:
        _link(work, one, "DECIDED_ABOUT", module)
        if not row["shared"]:
            work.changes.unlinks.append({"tail": one, "head": row["id"], "type": "DECIDED_ABOUT"})


def _link(work: Work, tail: str, kind: str, head: str, properties: Values | None = None) -> None:
    work.changes.links.append({"tail": tail, "head": head, "type": kind, "properties": properties or {}})
