"""Following what happens: each event once, as it happens, and on after the last one when the connection breaks."""

import json
from collections.abc import Sequence
from typing import Any

import httpx2

from service.client.answers import Event
from service.client.asks import GRAPHQL, Ask, Reference, graphql_body, query, reference
from service.client.errors import Refused
from service.client.exchange import errors_in, is_busy
from service.client.shapes import read, selection

SILENCE_S = 90.0
"""The service says something at least every few seconds; when it is silent for so long, nobody is there."""

HEAD = "{ events(first: 1) { head } }"
_EVENTS = f"""subscription ($after: String, $kinds: [String!], $about: RecordRefInput) {{
  events(after: $after, kinds: $kinds, about: $about) {selection(Event)} }}"""


def is_stream(came: httpx2.Response) -> bool:
    return came.headers.get("content-type", "").startswith("text/event-stream")


def head() -> Ask[dict[str, Any]]:
    return query(HEAD)


class Following:
    """Where somebody is who follows. It makes the question, and reads the lines of the answer."""

    def __init__(self, kinds: Sequence[str] | None, about: Reference | None, after: str | None) -> None:
        self.kinds = [*kinds] if kinds else None
        self.about = reference(about) if about is not None else None
        self.after = after
        self.failures = 0

    @property
    def asked(self) -> Ask[None]:
        given = {"after": self.after, "kinds": self.kinds, "about": self.about}
        headers = {"content-type": "application/json", "accept": "text/event-stream"}
        return Ask(GRAPHQL, graphql_body(_EVENTS, given), lambda _status, _content: None, headers=headers)

    def check(self, came: httpx2.Response) -> None:
        """An answer that is no stream of events is read first, and says why."""
        if is_busy(came):
            raise httpx2.ReadError(f"status {came.status_code}")
        raise Refused(errors_in(came), came.status_code)

    def event_in(self, line: str) -> Event | None:
        self.failures = 0
        if not line.startswith("data:") or "{" not in line:
            return None
        told: dict[str, Any] = json.loads(line.removeprefix("data:"))
        if told.get("errors"):
            raise Refused(told["errors"], 200)
        if not (data := told.get("data")):
            return None
        event = read(Event, data["events"])
        self.after = event.cursor
        return event
