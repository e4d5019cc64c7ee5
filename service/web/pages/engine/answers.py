"""What came of a question: data, and what was refused with its code and remedy."""

from dataclasses import dataclass
from typing import Any, Self

from graphql import GraphQLError
from strawberry.types import ExecutionResult

from graph_schema.model.names import api_text
from service.errors import TaskloreError

_STATUS = {
    "not_found": 404,
    "unknown_record": 404,
    "not_allowed": 403,
    "database_busy": 503,
    "database_unavailable": 503,
}


@dataclass(frozen=True)
class Refusal:
    code: str
    message: str
    remedy: str = ""
    field: str = ""
    place: str = ""
    """Which part of the page it concerns."""

    @classmethod
    def of(cls, error: TaskloreError) -> Self:
        return cls(error.code, error.message, api_text(error.remedy) if error.remedy else "", error.field or "")

    @property
    def status(self) -> int:
        return _STATUS.get(self.code, 400)


NOTHING_THERE = Refusal(
    "not_found",
    "There is nothing here that you may see.",
    "Either it does not exist, or it belongs to a matter or class that your key does not reach. Look for it by name.",
)


def refusals(result: ExecutionResult) -> list[Refusal]:
    """In the order in which the document asks: which of several is refused first depends on the moment."""
    return [_refused(one) for one in sorted(result.errors or (), key=_asked_at)]


def _asked_at(error: GraphQLError) -> tuple[int, int]:
    found = next(iter(error.locations or ()), None)
    return (found.line, found.column) if found else (0, 0)


def refusal_of(result: ExecutionResult) -> Refusal | None:
    return next(iter(refusals(result)), None)


def _refused(error: GraphQLError) -> Refusal:
    told: dict[str, Any] = error.extensions or {}
    place = ".".join(str(one) for one in error.path or () if isinstance(one, str))
    return Refusal(
        str(told.get("code", "refused")),
        error.message,
        str(told.get("remedy") or ""),
        str(told.get("field") or ""),
        place,
    )
