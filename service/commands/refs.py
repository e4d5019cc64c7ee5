"""How a caller names a record: by its id, or by what an outside system calls it."""

from dataclasses import dataclass

from service.commands.errors import RefInvalid


@dataclass(frozen=True, slots=True)
class RecordRef:
    """`{id}` or `{kind, source, key}`. The kind is the label that a stub gets when the key is unknown."""

    id: str | None = None
    kind: str | None = None
    source: str | None = None
    key: str | None = None

    def check(self, field: str) -> None:
        by_key = (self.kind, self.source, self.key)
        if self.id is None and None in by_key:
            raise RefInvalid(field)
        if self.id is not None and any(by_key):
            raise RefInvalid(field)

    def __str__(self) -> str:
        return self.id or f"{self.kind}({self.source}: {self.key})"
