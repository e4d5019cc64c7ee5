"""A small world with everything that reads find hard: ties, gaps, parallel links, hidden neighbours, odd letters."""

from dataclasses import dataclass, field
from typing import Any

from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from service.access.audience import audience_of
from service.access.viewer import KeyScope, Viewer
from service.graph.database import Database

MATTER, OTHER_MATTER = "ent_0", "ent_1"
SEEN = (audience_of("public", ()), audience_of("internal", ()), audience_of("internal", (MATTER,)))
HIDDEN = (audience_of("privileged", ()), audience_of("internal", (OTHER_MATTER,)))
AUDIENCES = (*SEEN, *HIDDEN)

NAMES = ("Ada", "ada", "Ångström", "a 'b\" `c`", "Ada", "zebra 🦓", "\ud7ff edge", "Zoe", "`) DETACH DELETE n //", "")


@dataclass(frozen=True)
class Link:
    type: str
    tail: str
    head: str
    properties: dict[str, Any]
    element_id: str


@dataclass
class World:
    """Records by id, each with its label under `__typename`, and the links between them."""

    # Hypothesis shows the arguments of a test that fails: the world would hide the document.
    records: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]], repr=False)
    links: list[Link] = field(default_factory=list[Link], repr=False)


def reader(audiences: tuple[str, ...] = SEEN) -> Viewer:
    """Who has all audiences of the world may see everything, as far as the compiler knows."""
    sees_all = audiences == AUDIENCES
    clearance = DataClass.local_only if sees_all else DataClass.internal
    return Viewer(
        "prin_reader", "reader", frozenset({KeyScope.read}), clearance, frozenset({MATTER}), sees_all, audiences
    )


async def make_world(database: Database) -> World:
    world = World()
    rows = [_record(world, label, number) for label, count in _COUNTS.items() for number in range(count)]
    await database.run_alone("UNWIND $rows AS row CREATE (n:$(row.labels)) SET n = row.values", rows=rows)
    links = [{"type": type_, "tail": tail, "head": head, "values": values} for type_, tail, head, values in _links()]
    found = await database.run_alone(
        "UNWIND $links AS link MATCH (a:Record {id: link.tail}), (b:Record {id: link.head}) "
        "CREATE (a)-[r:$(link.type)]->(b) SET r = link.values "
        "RETURN link.type AS type, link.tail AS tail, link.head AS head, properties(r) AS values, elementId(r) AS id",
        links=links,
    )
    world.links += [Link(one["type"], one["tail"], one["head"], one["values"], one["id"]) for one in found]
    return world


_COUNTS = {
    "Entity": 12,
    "Goal": 14,
    "Preference": 7,
    "Restriction": 2,
    "Procedure": 4,
    "Capability": 5,
    "Card": 6,
    "Run": 13,
}


async def add_record(database: Database, world: World, label: str, number: int, **given: Any) -> None:
    row = _record(world, label, number, **given)
    await database.run_alone("CREATE (n:$($row.labels)) SET n = $row.values", row=row)


def _record(world: World, label: str, number: int, **given: Any) -> dict[str, Any]:
    kind = REGISTRY.types[label]
    audience = AUDIENCES[(number * 7 + len(label)) % len(AUDIENCES)]
    values: dict[str, Any] = {
        "id": f"{kind.prefix}_{number}",
        "name": NAMES[(number * 3 + len(label)) % len(NAMES)],
        "lifecycle_state": "archived" if number % 5 == 4 else "active",
        "created_at": f"2026-01-0{1 + number // 4 % 9}T00:00:00.000Z",
        "updated_at": f"2026-02-1{number % 3}T00:00:00.000Z",
        "version": 1 + number,
        "schema_version": 1,
        "data_class": audience.partition("|")[0],
        "matter_ids": [one for one in audience.partition("|")[2].split(",") if one],
        "audience": audience,
        **({"source": f"source {number % 2}"} if number % 3 else {}),
        **_own(label, number),
        **given,
    }
    world.records[values["id"]] = {"__typename": label, **values}
    return {"labels": kind.model.labels(values), "values": values}


def _own(label: str, number: int) -> dict[str, Any]:
    maybe = {"context_class": f"class {number % 2}"} if number % 2 else {}
    match label:
        case "Entity":
            return {
                "kind": ("matter", "person", "document")[number % 3],
                "aliases": ["x", "y"][: number % 3],
                "keys": [],
            }
        case "Goal":
            types = {"goal_type": ("risk_control_goal", "cost_latency_goal")[number % 2]} if number % 4 else {}
            return {**types, "goal_statement": f"Aim {number}", "goal_source": "user_stated", "confidence": number / 8}
        case "Capability":
            return {"capability_kind": ("tool", "model")[number % 2], "summary": "", "side_effect_classes": []}
        case "Run":
            started = {"started_at": f"2026-01-0{1 + number % 4}T00:00:00.000Z"} if number % 3 else {}
            ended = {"duration_ms": number * 7 % 5, "cost_usd": number / 4} if number % 2 else {}
            return {
                "status": "completed",
                "memory_mode": ("standard", "reference_only")[number % 2],
                **started,
                **ended,
            }
        case "Card":
            return {"describes_kind": "Goal", "text": f"text {number}", "text_hash": f"{number:04d}"}
        case _:
            return {"statement": f"{label} {number}", "global": bool(number % 2), "domains": ["law"], **maybe}


def _links() -> list[tuple[str, str, str, dict[str, Any]]]:
    links: list[tuple[str, str, str, dict[str, Any]]] = []
    for number in range(14):
        links += [("CONCERNS", f"goal_{number}", f"ent_{to % 12}", {}) for to in (number, number * 5 + 1)]
        links.append(("SUPPORTS", f"goal_{number}", f"goal_{number * 3 % 14}", {}))
    for number in range(12):
        held = {"valid_from": "2026-01-01T00:00:00.000Z"} if number % 2 else {}
        links.append(("PART_OF", f"ent_{number}", f"ent_{number // 3}", held))
        # Two facts about the same pair: only the link's own identity tells their edges apart.
        links += [("INVOLVED_IN", f"ent_{number}", "ent_0", {"role": role}) for role in ("witness", "client")]
    for number in range(13):
        links += [("ABOUT", f"run_{number}", f"ent_{to}", {}) for to in (number % 5, 5)]
    for number in range(7):
        links.append(("CONSTRAINS_GOAL", f"pref_{number}", f"goal_{number}", {}))
        target = f"ent_{number}" if number % 2 else f"cap_{number % 5}"
        links.append(("APPLIES_TO", f"pref_{number}", target, {"polarity": "prefer"}))
    for number in range(4):
        links.append(("USES", f"proc_{number}", f"cap_{number}", {}))
        links.append(("APPLIES_TO", f"proc_{number}", f"cap_{number}", {"polarity": "avoid"}))
    for number, head in enumerate(("goal_0", "ent_0", "pref_1", "rest_0", "proc_0", "cap_0")):
        links.append(("DESCRIBES", f"card_{number}", head, {}))
    return links
