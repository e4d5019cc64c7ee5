"""Every record, one by one, against its model: labels, properties, access, card and vector."""

from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson
from pydantic import ValidationError

from graph_schema.model.record import Record, RecordType
from graph_schema.model.registry import Registry
from graph_schema.output.ddl import VECTOR_PREFIX, embedded_labels, text_vector_property, vector_property
from service.access.audience import audience_of, strictest
from service.cards import MATCHED
from service.commands.card_text import card_text, text_hash
from service.doctor import cypher
from service.doctor.finding import Tally
from service.doctor.references import References
from service.graph.database import Database, Row
from service.progress import Part

BATCH = 5_000
FLAGS = frozenset({"legal_hold", "stub"})  # absent means no
STUB_PREFIX = "stub|"
_PYDANTIC_CHECKS = {"missing": "property_missing", "extra_forbidden": "property_unknown"}


@dataclass(frozen=True)
class Model:
    """The embedding model whose vectors the graph should hold, and the second, where there is one."""

    key: str
    dimensions: int
    second: "Model | None" = None


@dataclass(frozen=True)
class Seen:
    """A record as it was found."""

    id: str
    type: RecordType
    labels: tuple[str, ...]
    values: dict[str, Any]
    vectors: dict[str, int | None]
    cards: tuple[str, ...]
    describes: int

    @property
    def is_stub(self) -> bool:
        return self.values.get("stub") is True

    @property
    def label(self) -> str:
        return self.type.label


async def check_records(
    database: Database, registry: Registry, model: Model | None, tally: Tally, progress: Callable[[str], None]
) -> None:
    await _check_ids(database, tally)
    [total] = await database.read(cypher.COUNT_RECORDS)
    examiner = _Examiner(registry, model, tally)
    references = References(registry, tally)
    seen = 0
    async for batch in _batches(database, registry):
        for row in batch:
            record = examiner.recognise(row)
            if record:
                examiner.examine(record)
                references.note(record.id, record.type, record.values)
        await references.settle(database)
        seen += len(batch)
        progress(Part("Records examined", seen, total["records"]))


async def _check_ids(database: Database, tally: Tally) -> None:
    for row in await database.examine(cypher.RECORDS_WITHOUT_ID):
        tally.add_many("id_missing", "Record.id", row["count"], row["samples"])


async def _batches(database: Database, registry: Registry) -> AsyncGenerator[list[Row]]:
    plain = sorted({name for one in registry.types.values() for name in one.fields if name.startswith(VECTOR_PREFIX)})
    after = ""
    while True:
        [row] = await database.read(
            cypher.RECORDS_AFTER, after=after, size=BATCH, vector_prefix=VECTOR_PREFIX, plain=plain
        )
        records: list[Row] = row["records"]
        if records:
            yield records
            after = records[-1]["id"]
        if len(records) < BATCH:
            return


@dataclass
class _Examiner:
    registry: Registry
    model: Model | None
    tally: Tally
    always: frozenset[str] = field(init=False)
    embedded: frozenset[str] = field(init=False)
    remains: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.embedded = frozenset(embedded_labels(self.registry))
        self.remains = frozenset(remains(self.registry))
        # Common properties that have a default are stored all the same: reads and the firewall count on them.
        defaults = {name: info.default for name, info in Record.model_fields.items()}
        self.always = frozenset(name for name, default in defaults.items() if default is not None) - FLAGS

    def recognise(self, row: Mapping[str, Any]) -> Seen | None:
        """The record, unless its labels do not say what it is."""
        primary = [label for label in row["labels"] if label in self.registry.types]
        if len(primary) != 1:
            self.tally.add("label_unknown", ":".join(sorted(row["labels"])), row["id"])
            return None
        return Seen(
            id=row["id"],
            type=self.registry.types[primary[0]],
            labels=tuple(row["labels"]),
            values=dict(row["values"]),
            vectors=dict(row["vectors"]),
            cards=tuple(row["cards"]),
            describes=row["describes"],
        )

    def examine(self, seen: Seen) -> None:
        if seen.label not in self.remains and seen.id.partition("_")[0] != seen.type.prefix:
            self.tally.add("id_of_other_type", seen.label, seen.id)
        if ("source" in seen.values) != ("source_key" in seen.values):
            self.tally.add("natural_key_half", seen.label, seen.id)
        broken = set(self._properties(seen))
        if not broken:
            self._second_labels(seen)
        if not broken & {"data_class", "matter_ids", "own_data_class", "own_matter_ids", "audience"}:
            self._access(seen)
        if not broken and seen.label not in self.embedded and seen.values["lifecycle_state"] not in seen.type.states:
            self.tally.add("state_of_other_type", f"{seen.label} {seen.values['lifecycle_state']}", seen.id)
        if not broken and seen.type.carded and not seen.is_stub:
            self._card_of(seen)
        if not broken and seen.label in self.embedded:
            self._vector_of(seen)

    def _properties(self, seen: Seen) -> Iterator[str]:
        """Report every property that the model refuses; give the names of those that are missing or wrong."""
        for name in self.always - seen.values.keys():
            if name not in seen.type.fields or not seen.type.fields[name].required:
                self.tally.add("property_missing", f"{seen.label}.{name}", seen.id)
                yield name
        for check, name in _refused(seen):
            if check == "property_missing" and seen.is_stub and name not in self.always:
                continue  # nothing is known of a stub yet beyond its outside key
            self.tally.add(check, f"{seen.label}.{name}", seen.id)
            if check != "property_unknown":
                yield name

    def _second_labels(self, seen: Seen) -> None:
        if not seen.is_stub and {*seen.labels} != {*seen.type.model.labels(seen.values)}:
            self.tally.add("label_second", ":".join(sorted(seen.labels)), seen.id)

    def _access(self, seen: Seen) -> None:
        values = seen.values
        if not (seen.is_stub and values["audience"].startswith(STUB_PREFIX)) and values["audience"] != audience_of(
            values["data_class"], values["matter_ids"]
        ):
            self.tally.add("audience_wrong", seen.label, seen.id)
        widened = strictest([values["data_class"], values["own_data_class"]]) != values["data_class"]
        if widened or not {*values["own_matter_ids"]} <= {*values["matter_ids"]}:
            self.tally.add("access_not_inherited", f"{seen.label}, of its own", seen.id)

    def _card_of(self, seen: Seen) -> None:
        if not seen.cards:
            self.tally.add("card_missing", seen.label, seen.id)
        elif len(seen.cards) > 1:
            self.tally.add("card_duplicate", seen.label, seen.id)
        elif text_hash(card_text(seen.type, seen.values)) not in seen.cards:
            self.tally.add("card_stale", seen.label, seen.id)

    def _vector_of(self, seen: Seen) -> None:
        if not seen.describes:
            self.tally.add("card_orphan", seen.label, seen.id)
        if self.model is None:
            return
        ours = vector_property(self.model.key)
        second = self.model.second
        known = {ours, text_vector_property(self.model.key), *([vector_property(second.key)] if second else [])}
        for name in seen.vectors.keys() - known:
            self.tally.add("vector_of_other_model", name, seen.id)
        if second:
            self._second_vector_of(seen, second)
        current = seen.values.get("embedding_model") == self.model.key
        prototype = seen.values.get("prototype_hash") == seen.values.get("members_hash")
        if not current or not prototype or seen.values.get("embedded_hash") != seen.values["text_hash"]:
            self.tally.add("card_behind", seen.label, seen.id)
        if ours in seen.vectors and seen.vectors[ours] != self.model.dimensions:
            self.tally.add("vector_wrong_size", ours, seen.id)
        if current and ours not in seen.vectors:
            self.tally.add("vector_missing", ours, seen.id)

    def _second_vector_of(self, seen: Seen, second: Model) -> None:
        if seen.values.get("describes_kind") not in MATCHED:
            return
        ours = vector_property(second.key)
        current = seen.values.get("second_model") == second.key
        if not current or seen.values.get("second_hash") != seen.values["text_hash"]:
            self.tally.add("card_behind", seen.label, seen.id)
        if ours in seen.vectors and seen.vectors[ours] != second.dimensions:
            self.tally.add("vector_wrong_size", ours, seen.id)
        if current and ours not in seen.vectors:
            self.tally.add("vector_missing", ours, seen.id)


def remains(registry: Registry) -> tuple[str, ...]:
    """The labels of what is left where a record was erased. It keeps the id, and has no history."""
    return tuple(one.label for one in registry.types.values() if "erased_kind" in one.fields)


def _refused(seen: Seen) -> Iterator[tuple[str, str]]:
    """What the model says. Strictly, and as JSON: there a string may be an enum, but never a number."""
    try:
        seen.type.model.model_validate_json(orjson.dumps(seen.values, default=_foreign), strict=True)
    except ValidationError as error:
        found = {
            (_PYDANTIC_CHECKS.get(one["type"], "property_invalid"), str(one["loc"][0]))
            for one in error.errors(include_url=False, include_context=False, include_input=False)
        }
        yield from sorted(found)


def _foreign(value: object) -> dict[str, str]:
    """A value of a type that no model has (a date, a point): anything that every model refuses."""
    return {type(value).__name__: str(value)}
