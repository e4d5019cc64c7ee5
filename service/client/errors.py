"""What can go wrong: the service cannot be reached, it refuses, or it rejects some of what was reported."""

from collections.abc import Mapping, Sequence
from typing import Any

from service.client.answers import EventAnswer


class ClientError(Exception):
    """Base of all errors of this client. `code` is stable, `field` names what it is about, `remedy` what to do."""

    def __init__(
        self, message: str, *, code: str, field: str | None = None, remedy: str | None = None, status: int | None = None
    ) -> None:
        super().__init__(f"{message} {remedy}" if remedy else message)
        self.message = message
        self.code = code
        self.field = field
        self.remedy = remedy
        self.status = status


class Unreachable(ClientError):
    """Nothing answered, or nothing that is a Tasklore service."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(
            f"No answer from {url}: {reason}.",
            code="unreachable",
            field="url",
            remedy="Is the service running there? `tasklore serve` starts one; TASKLORE_URL names another.",
        )


class Refused(ClientError):
    """The service answered with an error."""

    def __init__(self, errors: Sequence[Mapping[str, Any]], status: int) -> None:
        first: Mapping[str, Any] = errors[0] if errors else {}
        more: Mapping[str, Any] = first.get("extensions") or first
        super().__init__(
            str(first.get("message", f"The service answered with status {status}.")),
            code=str(more.get("code", "error")),
            field=more.get("field"),
            remedy=more.get("remedy"),
            status=status,
        )
        self.errors = [*errors]


class KeyMissing(ClientError):
    def __init__(self) -> None:
        super().__init__(
            "There is no key to ask with.",
            code="unauthenticated",
            field="key",
            remedy="Give key=…, set TASKLORE_KEY, or run where the home of a local service is (TASKLORE_HOME).",
        )


class NotAReference(ClientError):
    def __init__(self, given: object) -> None:
        super().__init__(
            f"{str(given)[:80]!r} names no record.",
            code="not_a_reference",
            remedy="Give its id, such as run_01J…, or source:key, such as erp:4711.",
        )


class Rejected(ClientError):
    """Some events were not taken. What became of each is in `answers`; the others were taken."""

    def __init__(self, answers: Sequence[EventAnswer]) -> None:
        bad = [one for one in answers if one.outcome == "rejected"]
        first = bad[0]
        super().__init__(
            f"{len(bad)} of {len(answers)} events were rejected; the first, {first.event_id!r}: {first.message}",
            code=first.code or "rejected",
            field=first.field,
            remedy=first.remedy,
        )
        self.answers = [*answers]
