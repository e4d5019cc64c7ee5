"""A page: where it is, what it asks, what is drawn from the answer."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

Data = dict[str, Any]
"""The data of an answer, as GraphQL names it."""


@dataclass(frozen=True)
class Asked:
    """What a request asks of a page."""

    path: str
    given: tuple[tuple[str, str], ...] = ()
    """What stands behind the question mark."""
    variables: Data = field(default_factory=dict[str, Any])

    def one(self, name: str) -> str:
        return next((value for key, value in self.given if key == name), "")

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.given if key == name and value]

    @property
    def origin(self) -> str:
        """The page of ours that led here and said so; nothing of another place."""
        return own_page(self.one("from"))

    def link(self, **changes: str | int | list[str] | None) -> str:
        """The address of the same page with something else behind the question mark. None takes it away."""
        kept = [(key, value) for key, value in self.given if key not in changes and value]
        changed = [(key, str(one)) for key, value in changes.items() for one in _listed(value)]
        asked = urlencode([*kept, *changed])
        return f"{self.path}?{asked}" if asked else self.path


def own_page(address: str) -> str:
    return address if address.startswith("/") and not address.startswith(("//", "/\\")) else ""


View = Callable[[Data, Asked], Data]
"""What a template needs beside the answer: positions of pictures, rows brought into order. A plain function."""


@dataclass(frozen=True)
class Page:
    folder: str
    """Holds `query.graphql` and `page.html`."""
    address: str
    """Its parameters, and what stands behind the question mark, are the variables of the document."""
    section: str
    """The entry of the navigation that is lit."""
    view: View | None = None
    settle: Callable[[Data], Data] | None = None
    """Variables that follow from the others."""
    fragments: tuple[str, ...] = ()
    """Files with fragments that its document shares with others."""
    form: str = ""
    """The name of the form that asks it, where what is asked shall stand in no address, as a text."""
    root: str | None = None
    """The field of the answer without which there is no such page."""
    by_id: bool = False
    """Whether its document has to know the record's kind, which an outside name does not tell: its id does."""


def _listed(value: str | int | list[str] | None) -> list[str | int]:
    if value is None or value == "":
        return []
    return [*value] if isinstance(value, list) else [value]
