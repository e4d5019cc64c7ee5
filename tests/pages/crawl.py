"""Following every link from page to page, as a patient reader would."""

import asyncio
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urldefrag, urlencode, urlsplit

import httpx

from tests.pages.reading import Form, Reading

ALIKE = 2
"""So many addresses are opened of one page with the same names behind its question mark: filters have no end."""

AT_ONCE = 4
_LEFT = ("/explorer", "/signout")
"""Not opened: the one needs a script, the other ends the reading."""

_RECORD = re.compile(r"[a-z]+_[0-9a-hjkmnp-tv-z]{26}|[a-z-]+:[^/]+")


_WORDS = {"text": "complaint", "candidate": "sample:bp-draft-complaint", "contextClass": "code_review"}
"""What is typed into fields that stand empty, and need something."""


def _filled(form: Form) -> str:
    """Where a form leads that only asks, with what stands in it."""
    fields = {name: value or _WORDS.get(name, "") for name, value in form.fields.items()}
    return f"{form.attributes['action']}?{urlencode({name: one for name, one in fields.items() if one})}".rstrip("?")


@dataclass
class Crawl:
    client: httpx.AsyncClient
    opened: dict[str, int] = field(default_factory=dict[str, int])
    """Each address with the status of its answer."""
    led: dict[str, str] = field(default_factory=dict[str, str])
    """Which page led to an address."""
    actions: set[str] = field(default_factory=set[str])
    """Where forms that change something are sent."""
    _alike: Counter[tuple[str, tuple[str, ...]]] = field(default_factory=Counter[tuple[str, tuple[str, ...]]])

    async def begin(self, addresses: Iterable[str]) -> None:
        """Level by level, until no page leads to a new one."""
        level = [one for one in dict.fromkeys(addresses) if self._is_new(one)]
        while level:
            found: list[str] = []
            for at in range(0, len(level), AT_ONCE):
                pages = await asyncio.gather(*(self._open(one) for one in level[at : at + AT_ONCE]))
                found += [one for page in pages for one in page if self._is_new(one)]
            level = found

    def dead(self) -> list[tuple[str, int, str]]:
        return [
            (one, status, self.led.get(one, ""))
            for one, status in self.opened.items()
            if status != httpx.codes.OK.value
        ]

    async def _open(self, address: str) -> list[str]:
        answer = await self.client.get(address, follow_redirects=True)
        self.opened[address] = answer.status_code
        if "text/html" not in answer.headers.get("content-type", "") or address.startswith("/docs"):
            return []
        read = Reading(answer.text)
        self.actions |= {one.attributes["action"] for one in read.posts}
        asked = (_filled(one) for one in read.forms if one.attributes.get("method") != "post")
        swapped = (one["hx-get"] for tag, one in read.elements if tag != "form" and "hx-get" in one)
        links = [urldefrag(one).url for one in (*read.links(), *asked, *swapped)]
        ours = [one for one in dict.fromkeys(links) if one and not one.startswith(_LEFT)]
        for one in ours:
            self.led.setdefault(one, address)
        return ours

    def _is_new(self, address: str) -> bool:
        if address in self.opened:
            return False
        parts = urlsplit(address)
        names = tuple(sorted({name for name, _ in parse_qsl(parts.query)} - {"from"}))
        kind = (_RECORD.sub("*", parts.path) if names else parts.path, names)
        self._alike[kind] += 1
        if self._alike[kind] > (ALIKE if names else 1):
            return False
        self.opened[address] = 0
        return True
