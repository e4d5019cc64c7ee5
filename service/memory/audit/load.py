"""A run with all that belongs to it, as its viewer may see it, in a few statements."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from graph_schema.model.registry import Registry
from service.access.audience import is_stub_audience
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


Named = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Link:
    tail: str
    type: str
    head: str
    facts: dict[str, Any]


@dataclass(slots=True)
class Story:
    """A run, its parts, what they lead to, and the links between them. It is asked when all of it is there.

    Where no run is told of, `run` is what is told of instead: a task, an artifact.
    """

    run: State
    records: dict[str, State] = field(default_factory=dict[str, State])
    links: list[Link] = field(default_factory=list[Link])
    beside: dict[str, State] = field(default_factory=dict[str, State])
    """What is only pointed at."""
    designed_later: list[str] = field(default_factory=list[str])
    """Ids of the graph and the blueprint, where they were saved after the run began."""
    _by_label: dict[str, list[State]] = field(default_factory=dict[str, list[State]])
    _linked: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    def of(self, label: str) -> list[State]:
        """Records of a label, in the order in which they happened."""
        if label not in self._by_label:
            found = (one for one in self.records.values() if one.type.label == label)
            self._by_label[label] = sorted(found, key=_moment)
        return self._by_label[label]

    def forget_order(self) -> None:
        """After more records came."""
        self._by_label.clear()

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
    known = _links(links)
    others = {end for tail, kind, head, _ in known if kind not in POINTING for end in (tail, head)} - {*ids}
    beside = {head for _, kind, head, _ in known if kind in POINTING} - {*ids} - others
    _take(story.records, registry, await _found(transaction, cypher.OTHERS, ids=sorted(others), **shared))
    _take(story.beside, registry, await _found(transaction, cypher.OTHERS, ids=sorted(beside), **shared))
    known |= await _designed(transaction, registry, story, shared, run.properties.get("started_at"))
    story.links = [known[key] for key in sorted(known)]
    return story


async def load_design(transaction: Transaction, registry: Registry, viewer: Viewer, task: State, at: str) -> Story:
    """A task with the graph and the blueprint that it has at a time, and no run of it."""
    story = Story(task, {task.id: task})
    known = await _designed(transaction, registry, story, {"audiences": list(viewer.audiences)}, at)
    story.links = [known[key] for key in sorted(known)]
    return story


async def _designed(
    transaction: Transaction, registry: Registry, story: Story, shared: dict[str, Any], started: str | None
) -> dict[Named, Link]:
    """The graph that was run and the blueprint behind it: those of its task, else of its template."""
    owners = [one.id for label in ("Task", "Template") for one in story.of(label)]
    asked = {**shared, "owners": owners, "started": started or story.run.properties["created_at"]}
    links: dict[Named, Link] = {}
    modules: list[str] = []
    for query in (cypher.GRAPH, cypher.BLUEPRINT) if owners else ():
        row = await transaction.one(query, modules=modules, **asked)
        if row is not None:
            _take(story.records, registry, row["records"])
            modules = [one["properties"]["id"] for one in row["records"]]
            links |= _links(row["links"])
            story.designed_later += row["later"]
    story.forget_order()
    return links


def _links(rows: Iterable[tuple[str, str, str, dict[str, Any]]]) -> dict[Named, Link]:
    """By their ends; two modules may have several cables between them."""
    return {
        (tail, kind, head, facts.get("cable_id", "")): Link(tail, kind, head, facts) for tail, kind, head, facts in rows
    }


_FILES = frozenset({"Entity", "WorkProduct", "Artifact"})


def is_classed(state: State) -> bool:
    """Whether a record is of a known class.

    What is only named so far is as closed as all that names it, while that are few. So what a run worked from is told,
    though nobody has described it; of a task, a module or a tool that nobody described, the run itself says the key.
    """
    if not state.is_unplaced:
        return True
    return state.type.label in _FILES and not is_stub_audience(state.properties["audience"])


async def _found(transaction: Transaction, query: Any, **parameters: Any) -> list[Any]:
    row = await transaction.one(query, **parameters)
    found: list[Any] = row["found"] if row else []
    if len(found) > MOST:
        raise AuditTooLarge(MOST)
    return found


async def load_some(
    transaction: Transaction, registry: Registry, viewer: Viewer, ids: Iterable[str]
) -> dict[str, State]:
    """These records, as far as the viewer sees them."""
    found: dict[str, State] = {}
    rows = await _found(transaction, cypher.OTHERS, ids=sorted(ids), audiences=list(viewer.audiences))
    _take(found, registry, rows)
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
