"""Why access is refused. Each has the HTTP status that the guard answers with."""

from collections.abc import Iterable
from typing import ClassVar

from service.errors import TaskloreError


class AccessRefused(TaskloreError):
    """Base of what the guard refuses a request with."""

    status: ClassVar[int] = 403


class Unauthenticated(AccessRefused):
    """One message for every cause: a caller learns nothing about keys. `cause` and `key_id` are for the access log."""

    code = "unauthenticated"
    status = 401

    def __init__(self, cause: str, key_id: str | None = None) -> None:
        super().__init__(
            "This needs a valid key.",
            remedy="Send a key as `Authorization: Bearer …`, or sign in by the address that `tasklore signin` prints.",
        )
        self.cause = cause
        self.key_id = key_id


class HostNotAllowed(AccessRefused):
    code = "host_not_allowed"
    status = 421

    def __init__(self) -> None:
        super().__init__(
            "The service does not answer under this host name.",
            field="Host",
            remedy="Use the address that the service printed at its start, or add the name to TASKLORE_ALLOWED_HOSTS.",
        )


class OriginNotAllowed(AccessRefused):
    code = "origin_not_allowed"

    def __init__(self) -> None:
        super().__init__(
            "Pages of this origin may not use the service.",
            field="Origin",
            remedy="Add the page's origin, such as https://app.example.org, to TASKLORE_ALLOWED_ORIGINS.",
        )


class BodyTooLarge(AccessRefused):
    code = "body_too_large"
    status = 413

    def __init__(self, limit: int) -> None:
        super().__init__(
            f"The body of a request may have at most {limit:,} bytes.",
            remedy="Send less at once: smaller batches, summaries instead of whole texts.",
            facts={"limit": limit},
        )


class RateLimited(AccessRefused):
    code = "rate_limited"
    status = 429

    def __init__(self, per_second: float, seconds: float, who: str = "This key") -> None:
        super().__init__(
            f"{who} may send {per_second:g} requests a second, and has sent more.",
            remedy="Wait for the time in `retry_after` and send it again, a command with the same commandId.",
            facts={"limit": per_second, "retry_after": round(seconds, 3)},
        )
        self.seconds = seconds


class BodyTooSlow(AccessRefused):
    code = "body_too_slow"
    status = 408

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"The body of the request did not come within {seconds:g} seconds.",
            remedy="Send it again over a better connection, or less at once.",
            facts={"limit": seconds},
        )


class NotAForm(AccessRefused):
    """A page elsewhere can send a form, or plain text, without asking; JSON it cannot."""

    code = "unsupported_content_type"
    status = 415

    def __init__(self, given: str) -> None:
        super().__init__(
            f"A session's cookie does not let {given[:100] or 'a body without a content type'} in.",
            field="Content-Type",
            remedy="Send application/json, or a key as `Authorization: Bearer …`.",
        )


class TooMuchWaiting(AccessRefused):
    code = "too_much_at_once"
    status = 429

    def __init__(self, most: int) -> None:
        super().__init__(
            f"{most:,} requests of this principal wait for their turn already.",
            remedy="Wait for answers before you send more, and try again in a few seconds.",
            facts={"limit": most},
        )


class TooManyOpen(AccessRefused):
    code = "too_many_open"
    status = 429

    def __init__(self, what: str, most: int) -> None:
        super().__init__(
            f"A principal may have {most} {what} open at once.",
            remedy="Close some that are not needed any more.",
            facts={"limit": most},
        )


class CallerGone(AccessRefused):
    """Nobody reads this: the client closed the connection before it was answered."""

    code = "caller_gone"
    status = 499

    def __init__(self) -> None:
        super().__init__("The client went before it was answered.", remedy="Send it again.")


class KeysUnavailable(AccessRefused):
    """The database does not answer. What it said may name addresses, and anybody may ask: it is logged alone."""

    code = "database_unavailable"
    status = 503

    def __init__(self) -> None:
        super().__init__("Keys cannot be checked at the moment.", remedy="Try again in a few seconds.")


class PrincipalMissing(TaskloreError):
    code = "not_found"

    def __init__(self, principal: str) -> None:
        super().__init__(
            f"There is no principal {principal!r}.",
            field="principal",
            remedy="`tasklore principal list` shows all.",
        )


class PrincipalDisabled(TaskloreError):
    code = "principal_disabled"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The principal {name!r} is disabled.",
            field="principal",
            remedy="Enable it first (`tasklore principal enable`).",
        )


class PrincipalNameTaken(TaskloreError):
    code = "name_taken"

    def __init__(self, name: str) -> None:
        super().__init__(f"A principal is called {name!r} already.", field="name", remedy="Choose another name.")


class KeyMissing(TaskloreError):
    code = "not_found"

    def __init__(self, key_id: str) -> None:
        super().__init__(f"There is no key {key_id!r}.", field="key", remedy="`tasklore key list` shows all, by id.")


class DefaultNotAllowed(TaskloreError):
    code = "default_not_allowed"

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(
            f"The key cannot have this default: {problem}.",
            field=field,
            remedy="Give a default that the principal itself could write, or change the principal first.",
        )


class ScopeNotAllowed(TaskloreError):
    code = "scope_not_allowed"

    def __init__(self, name: str, scopes: Iterable[str]) -> None:
        super().__init__(
            f"{name!r} is an agent, and no agent's key has the scope {' or '.join(sorted(scopes))}.",
            field="scopes",
            remedy="Give the agent a key with read, report or curate; revoke what a person who becomes one has.",
        )


class MattersMissing(TaskloreError):
    code = "not_found"

    def __init__(self, matter_ids: Iterable[str]) -> None:
        super().__init__(
            f"There is no matter {', '.join(sorted(matter_ids))}.",
            field="matter_ids",
            remedy="Name the id of an entity of kind matter.",
        )
