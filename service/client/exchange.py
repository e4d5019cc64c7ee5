"""How a question is sent until it is answered: when to try again and after how long. Nothing is sent here."""

import json
import random
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

import httpx2

from service.client.asks import Ask
from service.client.errors import Refused, Unreachable

T = TypeVar("T")

FIRST_WAIT_S = 0.2
LONGEST_WAIT_S = 10.0
BOOKMARK = "tasklore-bookmark"
ERRORS_WITHIN = 20_000
"""Bytes of an answer in which its errors begin: they stand first."""

_BUSY = frozenset({429, 502, 503, 504})
_UNKNOWN = "bookmark_invalid"
_LATER = frozenset(
    {"database_busy", "database_unavailable", "embedding_queue_full", "rate_limited", "bookmark_ahead", _UNKNOWN}
)
"""Codes that say nothing of the question: the same, asked later, may be answered."""


@dataclass(frozen=True, slots=True)
class Send:
    ask: Ask[Any]


@dataclass(frozen=True, slots=True)
class Wait:
    seconds: float


Next = Send | Wait
Came = httpx2.Response | httpx2.TransportError | None


class Sender(Protocol):
    """Makes of a question what has to be done until it is answered."""

    def __call__(self, ask: Ask[T], /) -> Generator[Next, Came, T]: ...


def exchange(ask: Ask[T], url: str, retries: int) -> Generator[Next, Came, T]:
    """What to do next, one after another; whoever carries it out sends back what came of it."""
    for attempt in range(retries + 1):
        last = attempt == retries
        came = yield Send(ask)
        if isinstance(came, httpx2.Response):
            if last or not is_busy(came):
                return _answer(ask, came, url)
        elif last or not (ask.again or isinstance(came, httpx2.ConnectError)):
            raise Unreachable(url, _reason(came))
        yield Wait(wait_for(attempt, came))
    raise AssertionError("the last attempt answers or raises")


def wait_for(attempt: int, came: Came) -> float:
    """Twice as long each time, or as long as the service asks for; never all clients at the same moment."""
    told = came.headers.get("retry-after") if isinstance(came, httpx2.Response) else None
    if told and told.isdigit():
        return min(float(told), LONGEST_WAIT_S)
    longest = min(FIRST_WAIT_S * 2**attempt, LONGEST_WAIT_S)
    return random.uniform(longest / 2, longest)  # noqa: S311 - spreads load, keeps no secret


def is_busy(came: httpx2.Response) -> bool:
    return came.status_code in _BUSY or any(code in _LATER for code in _codes(came))


def is_forgotten(came: httpx2.Response) -> bool:
    """Whether the bookmark that was sent along is none of this database's."""
    return _UNKNOWN in _codes(came)


def _codes(came: httpx2.Response) -> list[str]:
    return [str((one.get("extensions") or one).get("code")) for one in errors_in(came)]


def errors_in(came: httpx2.Response) -> list[dict[str, Any]]:
    return _json(came).get("errors") or [] if b'"errors"' in came.content[:ERRORS_WITHIN] else []


def _answer(ask: Ask[T], came: httpx2.Response, url: str) -> T:
    try:
        return ask.read(came.status_code, came.content)
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
    ):  # an answer, but none that the service gives to such a question
        if errors := errors_in(came):
            raise Refused(errors, came.status_code) from None
        raise Unreachable(url, f"status {came.status_code} with something that is no answer of Tasklore") from None


def _json(came: httpx2.Response) -> dict[str, Any]:
    try:
        told = json.loads(came.content)
    except ValueError:
        return {}
    return cast("dict[str, Any]", told) if isinstance(told, dict) else {}


def _reason(came: Came) -> str:
    return str(came).strip().rstrip(".") or type(came).__name__
