"""What can go wrong between the service and Neo4j, in words that help. Driver errors are translated here alone."""

from collections.abc import Callable

from neo4j import exceptions as driver_errors

from service.errors import TaskloreError


class DatabaseUnavailable(TaskloreError):
    code = "database_unavailable"

    remedy_said = "See `tasklore db status` for the local server, or check TASKLORE_NEO4J_URI. Retry later."

    def __init__(self, detail: str) -> None:
        super().__init__(f"Neo4j does not answer: {detail}.", remedy=self.remedy_said)


class CommitUnknown(DatabaseUnavailable):
    """The connection was lost after the commit was sent. It is for the caller to find out: nothing is repeated here."""

    remedy_said = "Ask again with the same commandId, or report the same events again: neither happens twice."

    def __init__(self) -> None:
        super().__init__("the connection was lost while a change was being committed")


class DatabaseRefusedLogin(TaskloreError):
    code = "database_refused_login"

    def __init__(self, user: str) -> None:
        super().__init__(
            f"Neo4j refuses the password of user {user!r}.",
            field="TASKLORE_NEO4J_PASSWORD",
            remedy="Set TASKLORE_NEO4J_USER and TASKLORE_NEO4J_PASSWORD (or TASKLORE_NEO4J_PASSWORD_FILE).",
        )


class DatabaseMissing(TaskloreError):
    code = "database_missing"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The server has no database named {name!r}.",
            field="TASKLORE_NEO4J_DATABASE",
            remedy="Set TASKLORE_NEO4J_DATABASE to one that exists.",
        )


class DatabaseTooOld(TaskloreError):
    code = "database_too_old"

    def __init__(self, version: str, minimum: str) -> None:
        super().__init__(
            f"The server is Neo4j {version}; Tasklore needs {minimum} or later.",
            remedy="Upgrade the server, or unset TASKLORE_NEO4J_URI to use the local one.",
        )


class DatabaseLacksFeature(TaskloreError):
    code = "database_lacks_feature"

    def __init__(self, feature: str) -> None:
        super().__init__(
            f"The server lacks {feature}.",
            remedy="Use a Neo4j 5.26 or later that has it, or unset TASKLORE_NEO4J_URI to use the local one.",
        )


class DatabaseBusy(TaskloreError):
    code = "database_busy"

    def __init__(self) -> None:
        super().__init__(
            "All connections to the database are in use.",
            remedy="Try again in a few seconds, a command with the same commandId.",
        )


class BookmarkInvalid(TaskloreError):
    code = "bookmark_invalid"

    def __init__(self) -> None:
        super().__init__(
            "The bookmark is none that this database has given.",
            field="bookmark",
            remedy="Bring the one of your last write as it came, or none.",
        )


class BookmarkAhead(TaskloreError):
    code = "bookmark_ahead"

    def __init__(self) -> None:
        super().__init__(
            "The server that was asked does not have yet what the bookmark stands for.",
            field="bookmark",
            remedy="Try again in a few seconds, or ask without the bookmark for what is known so far.",
        )


class QueryTimedOut(TaskloreError):
    code = "query_timed_out"

    def __init__(self) -> None:
        super().__init__(
            "The query took longer than it may and was stopped.",
            remedy="Ask for less: fewer levels, smaller pages, a narrower filter.",
        )


def translate(error: driver_errors.Neo4jError | driver_errors.DriverError) -> Exception:
    """The error that a user may see for a driver's error, or the error itself when it is our own fault."""
    if isinstance(error, driver_errors.Neo4jError) and error.code in _BY_CODE:
        return _BY_CODE[error.code]()
    for kind, made in _BY_KIND.items():
        if isinstance(error, kind):
            return made()
    if isinstance(error, driver_errors.ServiceUnavailable | driver_errors.SessionExpired):
        return DatabaseUnavailable(str(error).splitlines()[0] if str(error) else type(error).__name__)
    if error.is_retryable():
        return DatabaseUnavailable(type(error).__name__)
    return error


def is_passing(error: Exception) -> bool:
    """Whether the same may go well in a moment: the server is gone or stepped down, and another may answer."""
    if isinstance(error, driver_errors.ServiceUnavailable | driver_errors.SessionExpired):
        return True
    return isinstance(error, driver_errors.Neo4jError) and error.code in _PASSING


_PASSING = {
    "Neo.ClientError.Cluster.NotALeader",
    "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase",
    "Neo.TransientError.General.DatabaseUnavailable",
    "Neo.TransientError.Database.DatabaseUnavailable",
}

_BY_CODE: dict[str, Callable[[], TaskloreError]] = {
    "Neo.ClientError.Transaction.TransactionTimedOut": QueryTimedOut,
    "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration": QueryTimedOut,
    "Neo.ClientError.Transaction.InvalidBookmark": BookmarkInvalid,
    "Neo.ClientError.Transaction.InvalidBookmarkMixture": BookmarkInvalid,
    "Neo.TransientError.Transaction.BookmarkTimeout": BookmarkAhead,
    "Neo.ClientError.Database.DatabaseNotFound": lambda: DatabaseMissing("configured"),
}

_BY_KIND: dict[type[Exception], Callable[[], TaskloreError]] = {
    driver_errors.AuthError: lambda: DatabaseRefusedLogin("configured"),
    driver_errors.ConnectionAcquisitionTimeoutError: DatabaseBusy,
    driver_errors.IncompleteCommit: CommitUnknown,
}
