"""A client as the documentation describes one: it sends again under the same id, to whoever lives."""

from collections.abc import Sequence
from typing import Any

import httpx
import orjson

from tests.chaos.deeds import LINES, Answer, Deed
from tests.chaos.luck import Luck

PATIENCE_S = 12.0
LATER = frozenset({"database_unavailable", "database_busy", "embedding_queue_full", "rate_limited", "query_timed_out"})
"""Codes that say nothing of the call: the same, sent later, may be answered."""


class Unanswered(Exception):
    """Nobody said what came of it. It may have been carried out."""


class Refused(Exception):
    """An answer that no fault excuses."""


class Caller:
    """Asks one service until that one fails it, then the next."""

    def __init__(self, urls: Sequence[str], key: str, luck: Luck) -> None:
        headers = {"authorization": f"Bearer {key}"}
        self._clients = [httpx.AsyncClient(base_url=url, headers=headers, timeout=PATIENCE_S) for url in urls]
        self._place = luck.randrange(len(urls))

    async def close(self) -> None:
        for one in self._clients:
            await one.aclose()

    async def send(self, deed: Deed) -> Answer:
        deed.tries += 1
        if deed.mutation == LINES:
            lines = b"\n".join(map(orjson.dumps, deed.arguments["events"]))
            return _of_lines(await self._posted(LINES, content=lines))
        body = {"query": deed.document, "variables": deed.variables}
        answer = _json(await self._posted("/graphql", json=body))
        _check(answer)
        return answer["data"][deed.mutation]

    async def ask(self, query: str, **variables: Any) -> dict[str, Any]:
        answer = _json(await self._posted("/graphql", json={"query": query, "variables": variables}))
        _check(answer)
        return answer["data"]

    async def _posted(self, path: str, **body: Any) -> httpx.Response:
        try:
            return await self._clients[self._place].post(path, **body)
        except httpx.HTTPError as error:
            self._place = (self._place + 1) % len(self._clients)
            raise Unanswered(type(error).__name__) from error


def _json(response: httpx.Response) -> dict[str, Any]:
    try:
        return response.json()
    except ValueError as error:
        raise Unanswered(f"status {response.status_code}") from error


def _check(answer: dict[str, Any]) -> None:
    if not answer.get("errors"):
        return
    error = answer["errors"][0]
    code = error.get("extensions", error).get("code")
    if code in LATER:
        raise Unanswered(code)
    raise Refused(f"{code}: {error.get('message')}")


def _of_lines(response: httpx.Response) -> Answer:
    """The same as GraphQL answers."""
    if response.status_code not in {200, 207, 422}:
        _check(_json(response))
    answers = [orjson.loads(line) for line in response.content.splitlines()]
    outcomes = [one["outcome"] for one in answers]
    return {
        "accepted": outcomes.count("accepted"),
        "duplicates": outcomes.count("duplicate"),
        "rejected": outcomes.count("rejected"),
        "answers": answers,
    }
