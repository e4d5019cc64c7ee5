"""Requests for lineage that cannot be answered, each with what to do about it."""

from collections.abc import Iterable

from service.errors import TaskloreError


class LineageOutOfBounds(TaskloreError):
    code = "limit_exceeded"

    def __init__(self, field: str, given: int, least: int, most: int, remedy: str) -> None:
        super().__init__(
            f"{field} is {given:,}; it can be {least:,} to {most:,}.",
            field=field,
            remedy=remedy,
            facts={"limit": most, "actual": given},
        )


class LineageWordUnknown(TaskloreError):
    code = "invalid_input"

    def __init__(self, field: str, given: str, known: Iterable[str]) -> None:
        super().__init__(
            f"{given!r} is nothing that lineage knows as {field}.",
            field=field,
            remedy=f"Use some of {', '.join(known)}, or leave {field} out.",
        )


class NoLineage(TaskloreError):
    code = "wrong_kind"

    def __init__(self, ref: object, found: str, known: Iterable[str]) -> None:
        super().__init__(
            f"{ref} is of kind {found}, which has no answer here.",
            field="of",
            remedy=f"Name a record of one of the kinds {', '.join(known)}.",
        )
