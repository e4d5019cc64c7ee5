"""A run whose every text field holds a mark of its own, so that one sees in a file where it came from."""

from collections.abc import Iterable
from typing import Any

from graph_schema.model.fields import Field, Kind
from graph_schema.registry import REGISTRY
from service.graph.database import Database
from service.memory.audit.sensitivity import LINKS, TABLE, Sensitivity, classes_of, link_classes

AT = "2026-01-01T00:00:00.000Z"
RUN = "run_marked"
_PICKED: dict[str, dict[str, Any]] = {
    "Run": {"capture_prompts": "redacted", "capture_outputs": "redacted_summary", "memory_mode": "standard"},
    "Span": {"span_kind": "error"},
    "Delivery": {"conflicting": True},
    "Snapshot": {"snapshot_kind": "prompt"},
    "Activation": {"status": "error"},
    "Artifact": {"artifact_kind": "judge_result", "intake_level": "run_only"},
}


def mark(label: str, name: str) -> str:
    return f"mark:{label}.{name}:"


def marks(allowed: Iterable[Sensitivity], labels: Iterable[str] = TABLE) -> set[str]:
    """The marks of all fields of these classes."""
    wanted = {*allowed}
    return {
        mark(label, name)
        for label in labels
        for name, one in classes_of(REGISTRY, label).items()
        if one in wanted and _is_marked(REGISTRY.types[label].fields[name], name)
    }


def link_marks(allowed: Iterable[Sensitivity]) -> set[str]:
    wanted = {*allowed}
    return {mark(kind, name) for kind in LINKS for name, one in link_classes(REGISTRY, kind).items() if one in wanted}


async def make(database: Database, data_class: str = "internal", said: str = "") -> None:
    """One record of each label that an export may hold, linked as the registry lets it. Every text ends as `said`."""
    await database.run_alone(
        "MERGE (a:Audience {audience: $audience}) SET a.data_class = $class, a.rank = 1, a.matter_ids = []",
        audience=f"{data_class}|",
        **{"class": data_class},
    )
    for label in TABLE:
        await database.run_alone(
            "CREATE (n:$($labels)) SET n = $values", labels=[label, "Record"], values=_values(label, data_class, said)
        )
    for relation in REGISTRY.relations:
        for tail in {*REGISTRY.members(relation.tails)} & {*TABLE}:
            for head in {*REGISTRY.members(relation.heads)} & {*TABLE} - {tail}:
                await database.run_alone(
                    "MATCH (t:Record {id: $t}) MATCH (h:Record {id: $h}) CREATE (t)-[r:$($type)]->(h) SET r = $facts",
                    t=record_id(tail),
                    h=record_id(head),
                    type=relation.type,
                    facts={
                        name: mark(relation.type, name) + said
                        for name in link_classes(REGISTRY, relation.type)
                        if relation.type in LINKS
                    },
                )
    # What nothing in the registry leads to from a run, such as what is left of an erased artifact.
    await database.run_alone(
        "MATCH (t:Tombstone) MATCH (a:Activation) CREATE (a)-[:CONSUMED]->(t) WITH t MATCH (r:Run) CREATE (r)-[:X]->(t)"
    )


def record_id(label: str) -> str:
    return RUN if label == "Run" else f"{REGISTRY.types[label].prefix}_marked"


def _values(label: str, data_class: str, said: str) -> dict[str, Any]:
    fields = REGISTRY.types[label].fields
    values = {name: _value(label, one, said) for name, one in fields.items()}
    access: dict[str, Any] = {
        "data_class": data_class,
        "matter_ids": [],
        "audience": f"{data_class}|",
        "id": record_id(label),
    }
    inside = {"run_id": RUN} if "run_id" in fields else {}
    return {**values, **access, **inside, **_PICKED.get(label, {})}


def _value(label: str, field: Field, said: str) -> Any:
    if field.enum is not None:
        one: Any = next(iter(field.enum)).value
    elif field.kind is Kind.string:
        one = mark(label, field.name) + said
    else:
        one = {Kind.timestamp: AT, Kind.boolean: False, Kind.number: 0.5}.get(field.kind, 1)
    return [one] if field.many else one


def _is_marked(field: Field, name: str) -> bool:
    return field.kind is Kind.string and name not in {"id", "run_id", "audience", "matter_ids"}
