"""Properties that name other records: does what they name exist?"""

import re
from collections.abc import Mapping
from typing import Any, cast

from graph_schema.model.record import RecordType
from graph_schema.model.registry import Registry
from service.doctor import cypher
from service.doctor.finding import Tally
from service.graph.database import Database

MATTER_FIELDS = frozenset({"matter_ids", "own_matter_ids"})
MOST_REMEMBERED = 200_000
_ID = re.compile(r"[a-z]+_[0-9a-hjkmnp-tv-z]{26}")
"""As `service.ids` makes them."""


class References:
    """Collects what a batch of records refers to, and looks it all up at once.

    A field refers to records when its name ends in `_id` or `_ids` and the value is made as ids are, with a record
    type's prefix; other systems' identifiers are not, even where they begin alike (`task_agent`).
    """

    def __init__(self, registry: Registry, tally: Tally) -> None:
        self._registry = registry
        self._tally = tally
        self._noted: list[tuple[str, str, str]] = []
        self._noted_matters: list[tuple[str, str, str]] = []
        self._fields_of: dict[str, tuple[str, ...]] = {}
        self._there: set[str] = set()
        self._matters_there: set[str] = set()

    def note(self, record_id: str, record_type: RecordType, values: Mapping[str, Any]) -> None:
        for name in self._fields(record_type):
            subject = f"{record_type.label}.{name}"
            named = _many(values.get(name))
            if name in MATTER_FIELDS:
                self._noted_matters += [(record_id, subject, one) for one in named]
            else:
                self._noted += [(record_id, subject, one) for one in named if self._is_ours(one)]

    async def settle(self, database: Database) -> None:
        missing = await self._missing(database, self._noted, self._there, matters=False)
        self._report("reference_dangling", self._noted, missing)
        missing = await self._missing(database, self._noted_matters, self._matters_there, matters=True)
        self._report("matter_missing", self._noted_matters, missing)
        self._noted, self._noted_matters = [], []

    async def _missing(
        self, database: Database, noted: list[tuple[str, str, str]], there: set[str], *, matters: bool
    ) -> set[str]:
        ids = {target for _, _, target in noted} - there
        if not ids:
            return set()
        query = cypher.MISSING_MATTERS if matters else cypher.MISSING_RECORDS
        missing = {row["id"] for row in await database.read(query, ids=sorted(ids))}
        if len(there) > MOST_REMEMBERED:
            there.clear()
        there |= ids - missing
        return missing

    def _report(self, check: str, noted: list[tuple[str, str, str]], missing: set[str]) -> None:
        for record_id, subject, target in noted:
            if target in missing:
                self._tally.add(check, f"{subject} {target}", record_id)

    def _fields(self, record_type: RecordType) -> tuple[str, ...]:
        label = record_type.label
        if label not in self._fields_of:
            named = [name for name in record_type.fields if name.endswith(("_id", "_ids"))]
            self._fields_of[label] = tuple(named)
        return self._fields_of[label]

    def _is_ours(self, value: str) -> bool:
        return _ID.fullmatch(value) is not None and self._registry.type_of_id(value) is not None


def _many(value: Any) -> list[str]:
    listed = cast("list[Any]", value) if isinstance(value, list) else [value]
    return [one for one in listed if isinstance(one, str)]
