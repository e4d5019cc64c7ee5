"""What goes with a record, and what keeps it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from graph_schema.model.parts import PARTS
from graph_schema.registry import REGISTRY
from service.graph.database import Transaction
from service.graph.parts import cypher

_RUN = REGISTRY.types["Run"].prefix + "_"
_BY: dict[str, Any] = {"tails": PARTS.tails, "heads": PARTS.heads, "shared": PARTS.shared}


@dataclass(frozen=True, slots=True)
class Hold:
    """A record under a legal hold, and whether the viewer may know of it."""

    id: str
    visible: bool


async def parts_of(transaction: Transaction, ids: Iterable[str]) -> set[str]:
    """These records and all their parts, and the parts of those."""
    known, border = set(ids), set(ids)
    while border:
        found = await _ids(transaction, cypher.LINKED_PARTS, ids=sorted(border), known=sorted(known), **_BY)
        runs = sorted(one for one in border if one.startswith(_RUN))
        if runs:
            found |= await _ids(transaction, cypher.OWNED_PARTS, runs=runs)
        border = found - known
        known |= border
    return known


async def family(transaction: Transaction, ids: Iterable[str]) -> set[str]:
    """These records, all that they are parts of, and all parts of that: what one legal hold keeps together."""
    known, border = set(ids), set(ids)
    while border:
        border = await _ids(transaction, cypher.WHOLES, ids=sorted(border), **_BY) - known
        known |= border
    return await parts_of(transaction, known)


async def holds(transaction: Transaction, ids: Iterable[str], audiences: Sequence[str]) -> list[Hold]:
    """The holds that keep any of these: on them, or on a matter of theirs."""
    rows = await transaction.run(cypher.HOLDS, ids=sorted(ids), audiences=list(audiences))
    return [Hold(row["id"], row["visible"]) for row in rows]


async def _ids(transaction: Transaction, query: Any, **parameters: Any) -> set[str]:
    row = await transaction.one(query, **parameters)
    return set(row["ids"]) if row else set()
