"""How a caller names a record: by its id, or by what an outside system calls it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, cast

from service.commands.errors import InputInvalid, RefInvalid, WrongKind


@dataclass(frozen=True, slots=True)
class RecordRef:
    """`{id}` or `{source, key}`. Source and key name one record, whatever its kind.

    The kind is what a stub becomes when the key is unknown. Where a place takes records of one kind it is implied.
    """

    id: str | None = None
    kind: str | None = None
    source: str | None = None
    key: str | None = None

    def check(self, field: str, *kinds: str) -> None:
        """Refuse what names no record, or says another kind than the place takes."""
        by_key = (self.source, self.key)
        if self.id is None and None in by_key:
            raise RefInvalid(field)
        if self.id is not None and any((self.kind, *by_key)):
            raise RefInvalid(field)
        if kinds and self.kind is not None and self.kind not in kinds:
            raise WrongKind(self, field, " or ".join(sorted(kinds)), self.kind)

    def __str__(self) -> str:
        """The same for the same record, whether or not its kind is told."""
        return self.id if self.id is not None else f"{{source: {self.source!r}, key: {self.key!r}}}"


def check_activation(seq: int | None) -> None:
    """Refuse a number that no activation has: those of a module are counted from 1."""
    if seq is not None and seq < 1:
        raise InputInvalid("activation_seq", f"is {seq}; the first activation of a module is 1")


def meaning(value: Any, ids: Mapping[str, str]) -> Any:
    """An input as plain values that are the same whenever it means the same. `ids` leads from what a reference reads
    as to the record's id: it is the record that counts, not how it was named. Lists of records have no order."""
    if isinstance(value, RecordRef):
        return ids.get(str(value), str(value))
    if is_dataclass(value):
        return {one.name: meaning(getattr(value, one.name), ids) for one in fields(value)}
    if not isinstance(value, (list, tuple)):
        return value
    found = [(one, meaning(one, ids)) for one in cast("Sequence[Any]", value)]
    told = [plain for _, plain in found]
    return sorted({*told}) if found and all(isinstance(one, RecordRef) for one, _ in found) else told
