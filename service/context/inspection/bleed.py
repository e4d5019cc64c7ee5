"""What modules were given from outside the scope of their runs. Found from the graph, not from what gates said."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from graph_schema.context.words import Binding, ContextLayer
from graph_schema.model.fields import Timestamp
from graph_schema.registry import REGISTRY
from service.commands import RecordRef
from service.commands.errors import InputInvalid
from service.context.packets.broad import Bounds, bounds_of
from service.context.packets.kinds import STANDING
from service.context.packets.relevance import THRESHOLD
from service.memory.reporting.fold import ENDED
from service.memory.reporting.policy import PRIVATE
from service.views import Id

Row = Mapping[str, Any]
MOST_PACKETS = 500
MOST_RUNS = 500
UNBOUND = sorted(STANDING | {"Agent", "Capability", "Policy"})
"""What holds without being bound. Its matters are looked at all the same."""

_EVER = ("", "~")


class BleedKind(StrEnum):
    """Where an item came from that its run is not bound to."""

    matter = "matter"
    matter_since = "matter_since"
    library = "library"
    surface = "surface"
    unbound = "unbound"
    forgotten = "forgotten"
    not_earlier = "not_earlier"


@dataclass(frozen=True, slots=True, kw_only=True)
class BledItem:
    """Something that a module was given from outside the scope of its run."""

    packet_id: Annotated[Id, "The packet."]
    run_id: Annotated[Id, "The run."]
    module_key: Annotated[str, "The module."]
    activation_seq: Annotated[int, "Which activation of it."]
    record_id: Annotated[Id, "What it was given."]
    kind: Annotated[str, "Type of the record."]
    name: Annotated[str, "What people call it."]
    how: Annotated[BleedKind, "From where it came."]
    via: Annotated[Binding, "How the packet says that it is bound."]
    layer: Annotated[ContextLayer | None, "The layer that it was in."]
    sentence: Annotated[str, "What is wrong, in a sentence."]


@dataclass(frozen=True, slots=True, kw_only=True)
class BroadRun:
    """A run that declared a broad scope. What it was given from elsewhere, and as declared, is no bleed."""

    run_id: Annotated[Id, "The run."]
    declared: Annotated[str, "What it declared."]
    items: Annotated[int, "Items in its packets, of those that were looked at, that come from elsewhere as declared."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextBleed:
    """What modules were given from outside the scope of their runs, page by page. Expected to be empty."""

    clean: Annotated[bool, "Whether nothing was found on this page."]
    sentence: Annotated[str, "The same in a sentence."]
    items: Annotated[tuple[BledItem, ...], "What was found, oldest packet first."]
    broad_runs: Annotated[tuple[BroadRun, ...], "Runs of declared broad scope among them."]
    packets_checked: Annotated[int, "Packets of this page that you may see."]
    runs_checked: Annotated[int, "Runs of these packets."]
    items_checked: Annotated[int, "Items in these packets that you may see."]
    end_cursor: Annotated[str | None, "Where this page ends; null when it is the last."]
    from_at: Annotated[Timestamp | None, "When the first of these packets was made."]
    to_at: Annotated[Timestamp | None, "When the last of these packets was made."]


@dataclass(frozen=True, slots=True)
class BleedQuestion:
    runs: tuple[RecordRef, ...] = ()
    since: str | None = None
    until: str | None = None
    first: int = 200
    after: str | None = None

    def check(self) -> None:
        if not self.runs and self.since is None and self.until is None:
            raise InputInvalid("run", "a run, runs, since or until must be given")
        if not 1 <= self.first <= MOST_PACKETS:
            raise InputInvalid("first", f"is {self.first}; 1 to {MOST_PACKETS} packets are looked at")
        if len(self.runs) > MOST_RUNS:
            raise InputInvalid("runs", f"names {len(self.runs)} runs; at most {MOST_RUNS} may be named")
        if self.after is not None and "|" not in self.after:
            raise InputInvalid("after", "is no cursor of contextBleed")
        for one in self.runs:
            one.check("runs", "Run")

    def refs(self) -> list[dict[str, Any]]:
        return [{"ref": str(one), "id": one.id, "source": one.source, "key": one.key} for one in self.runs]

    def asked(self) -> dict[str, Any]:
        after_at, _, after_id = (self.after or "|").partition("|")
        return {
            "runs": self.refs(),
            "since": self.since or _EVER[0],
            "until": self.until or _EVER[1],
            "after_at": after_at,
            "after_id": after_id,
            "first": self.first,
            "standing": UNBOUND,
            "forgotten": list(PRIVATE),
            "ended": list(ENDED),
        }


def bleed(rows: Sequence[Row], first: int) -> ContextBleed:
    page = rows[:first]
    items = tuple(item for row in page for item in _items(row))
    runs = {row["packet"]["run_id"] for row in page}
    checked = sum(row["items"] for row in page)
    times = [row["packet"]["created_at"] for row in page]
    last = page[-1]["packet"] if len(rows) > first else None
    said = f"{checked:,} items in {len(page):,} packets of {len(runs):,} runs"
    return ContextBleed(
        clean=not items,
        sentence=f"None of {said} comes from outside." if not items else f"{len(items):,} of {said} come from outside.",
        items=items,
        broad_runs=tuple(_broad(page)),
        packets_checked=len(page),
        runs_checked=len(runs),
        items_checked=checked,
        end_cursor=f"{last['created_at']}|{last['id']}" if last else None,
        from_at=times[0] if times else None,
        to_at=times[-1] if times else None,
    )


def _items(row: Row) -> Iterator[BledItem]:
    packet, bounds = row["packet"], _bounds(row)
    for one in row["outside"]:
        if bounds is not None and _declared(bounds, one):
            continue
        how = BleedKind(one["how"])
        said = _SAID[how].format(name=one["name"], library=one["library"] or one["name"])
        yield BledItem(
            packet_id=packet["id"],
            run_id=packet["run_id"],
            module_key=packet["module_key"],
            activation_seq=packet["activation_seq"],
            record_id=one["id"],
            kind=REGISTRY.label_of(one["labels"]),
            name=one["name"],
            how=how,
            via=Binding(one["via"]),
            layer=ContextLayer(one["layer"]) if one["layer"] else None,
            sentence=said if bounds is None else f"{said} The run's broad scope does not declare it.",
        )


def _bounds(row: Row) -> Bounds | None:
    return bounds_of(row["envelope"]) if row["envelope"] else None


def _declared(bounds: Bounds, one: Row) -> bool:
    """Whether a broad scope opens it. Nothing opens a surface or a forgotten run; where only a text is declared, it has
    to fit that."""
    if one["how"] in _NEVER_OPENED:
        return False
    asked = THRESHOLD if one["threshold"] is None else one["threshold"]
    fits = one["score"] is not None and one["score"] >= asked
    given = {**one, "ways": _AS_DECLARED, "properties": {"id": one["id"], "created_at": one["at"]}}
    return bounds.holds(REGISTRY.label_of(one["labels"]), given) and (fits or not bounds.by_text)


_NEVER_OPENED = frozenset({BleedKind.surface, BleedKind.forgotten})
_AS_DECLARED = ({"way": "declared"},)

_SAID = {
    BleedKind.matter: "“{name}” belonged to a matter that the run is not bound to.",
    BleedKind.matter_since: "“{name}” was moved to a matter that the run is not bound to, after it was given.",
    BleedKind.library: "“{name}” is of the library “{library}”, which the run is not bound to.",
    BleedKind.surface: "“{name}” came from a surface that the run is not bound to.",
    BleedKind.unbound: "Nothing binds “{name}” to the run.",
    BleedKind.forgotten: "“{name}” is of a run of which nothing is remembered.",
    BleedKind.not_earlier: "“{name}” is of a run that was not over when this one began.",
}


def _broad(rows: Iterable[Row]) -> Iterator[BroadRun]:
    found: dict[str, tuple[str, int]] = {}
    for row in rows:
        bounds = _bounds(row)
        if bounds is not None:
            run_id = row["packet"]["run_id"]
            opened = sum(_declared(bounds, one) for one in row["outside"])
            found[run_id] = bounds.text, found.get(run_id, ("", 0))[1] + opened
    for run_id, (declared, items) in found.items():
        yield BroadRun(run_id=run_id, declared=declared, items=items)
