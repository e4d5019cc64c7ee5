"""A run with all that belongs to it, as its viewer may see it, in four statements."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from graph_schema.model.registry import Registry
from service.access.viewer import Viewer
from service.commands.work import State
from service.graph.database import Transaction
from service.memory.audit import cypher
from service.memory.audit.errors import AuditTooLarge

MOST = 100_000
"""Records, and links, that one export may hold."""

INCOMING = ["EVALUATES", "FROM", "TAKES", "FOLLOWS", "CONFINED_TO", "ASKED_ABOUT", "DECIDES", "INTENDS"]
"""Relations that lead to a part of the run from what came later and speaks about it."""


POINTING = ("BINDS", "EXCLUDES", "REACHES", "INJECTED", "EXCLUDED")
"""Relations of a scope or a packet to what it is about. The link is told, with its facts; the record that it leads to
is no part of the run, least of all where it was kept out."""


@dataclass(frozen=True, slots=True)
class Link:
    tail: str
    type: str
    head: str
    facts: dict[str, Any]


@dataclass(slots=True)
class Story:
    """A run, its parts, what they lead to, and the links between them. It is asked when all of it is there."""

    run: State
    records: dict[str, State] = field(default_factory=dict[str, State])
    links: list[Link] = field(default_factory=list[Link])
    beside: dict[str, State] = field(default_factory=dict[str, State])
    """What is only pointed at."""
    _by_label: dict[str, list[State]] = field(default_factory=dict[str, list[State]])
    _linked: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    def of(self, label: str) -> list[State]:
        """Records of a label, in the order in which they happened."""
        if label not in self._by_label:
            found = (one for one in self.records.values() if one.type.label == label)
            self._by_label[label] = sorted(found, key=_moment)
        return self._by_label[label]

    def linked(self, kind: str) -> frozenset[str]:
        """Ids of the tails and heads of all links of a type."""
        if kind not in self._linked:
            ends = (end for link in self.links if link.type == kind for end in (link.tail, link.head))
            self._linked[kind] = frozenset(ends)
        return self._linked[kind]


async def load(transaction: Transaction, registry: Registry, viewer: Viewer, run: State) -> Story:
    story = Story(run, {run.id: run})
    shared: dict[str, Any] = {"audiences": list(viewer.audiences)}
    found = await _found(transaction, cypher.PARTS, run=run.id, most=MOST + 1, **shared)
    _take(story.records, registry, found)
    ids = sorted(story.records)
    links = await _found(transaction, cypher.LINKS, ids=ids, incoming=INCOMING, most=MOST + 1, **shared)
    known = {(tail, kind, head): Link(tail, kind, head, facts) for tail, kind, head, facts in links}
    story.links = [known[key] for key in sorted(known)]
    others = {end for tail, kind, head in known if kind not in POINTING for end in (tail, head)} - {*ids}
    beside = {head for _, kind, head in known if kind in POINTING} - {*ids} - others
    _take(story.records, registry, await _found(transaction, cypher.OTHERS, ids=sorted(others), **shared))
    _take(story.beside, registry, await _found(transaction, cypher.OTHERS, ids=sorted(beside), **shared))
    return story


async def _found(transaction: Transaction, query: Any, **parameters: Any) -> list[Any]:
    row = await transaction.one(query, **parameters)
    found: list[Any] = row["found"] if row else []
    if len(found) > MOST:
        raise AuditTooLarge(MOST)
    return found


def _take(records: dict[str, State], registry: Registry, rows: Iterable[dict[str, Any]]) -> None:
    for row in rows:
        label = next(one for one in row["labels"] if one in registry.types)
        state = State(registry.types[label], tuple(row["labels"]), row["properties"])
        records[state.id] = state


_TIMES = ("started_at", "produced_at", "opened_at", "taken_at", "delivered_at", "waiting_since")


def _moment(state: State) -> tuple[str, str, int, str]:
    values = state.properties
    time = next((values[name] for name in _TIMES if name in values), "~")
    return time, values.get("module_key") or "", values.get("activation_seq") or 0, state.id
