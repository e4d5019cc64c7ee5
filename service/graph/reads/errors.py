"""Reads that are refused: what was wrong with the request, in words that help."""

from service.errors import TaskloreError


class LimitExceeded(TaskloreError):
    code = "limit_exceeded"

    def __init__(self, field: str, limit: int, actual: int | None, remedy: str) -> None:
        found = f"{actual} is" if actual is not None else "The document is"
        super().__init__(
            f"{found} over the limit of {limit} for {field}.",
            field=field,
            remedy=remedy,
            facts={"limit": limit, "actual": actual},
        )


class CursorInvalid(TaskloreError):
    code = "invalid_cursor"

    def __init__(self, field: str) -> None:
        super().__init__(
            f"The cursor given as {field} does not belong to this list and order.",
            field=field,
            remedy="Use a cursor that the same connection returned with the same orderBy.",
        )


class PagingInvalid(TaskloreError):
    code = "invalid_paging"

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(
            f"The argument {field} is not usable: {problem}.",
            field=field,
            remedy="Give first (with after) to page forward, or last (with before) to page backward.",
        )


class FilterInvalid(TaskloreError):
    code = "invalid_filter"

    def __init__(self, field: str) -> None:
        super().__init__(
            f"The filter has no value for {field}.",
            field=field,
            remedy="Leave it out, or use isNull to find records without a value.",
        )


class DayNotExact(TaskloreError):
    code = "invalid_filter"

    def __init__(self, field: str) -> None:
        super().__init__(
            f"The filter {field} compares exact times, and a bare date is a whole day.",
            field=field,
            remedy="Use eq for a day, gte and lte for several, or give exact times.",
        )
