"""What a campaign does: calls that change something, each sent until it is settled, all of them in a ledger."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from graphql import get_named_type

from tests.api.schema import committed_schema

REPORTS = frozenset({"reportRunEvents", "reportToolOutcomes", "reportAsks", "reportAgentEvents"})
"""What has no command's id: each thing that is told has an id of its own."""
LINES = "/v1/events"

Answer = dict[str, Any]


@dataclass
class Deed:
    """One call. It is known by what it is sent under: a command's id, or the ids of what it reports."""

    story: str
    place: int
    mutation: str
    arguments: dict[str, Any]
    tries: int = 0
    answer: Answer | None = None
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    left: bool = False
    """Its caller gave up before anybody had answered."""

    @property
    def family(self) -> str:
        return self.story.partition("/")[0]

    @property
    def step(self) -> str:
        return f"{self.family}.{self.place} {self.mutation}"

    @property
    def key(self) -> str:
        return f"{self.story}/{self.place}"

    @property
    def is_report(self) -> bool:
        return self.mutation in REPORTS or self.mutation == LINES

    @property
    def document(self) -> str:
        mutations = committed_schema().mutation_type
        assert mutations
        field_ = mutations.fields[self.mutation]
        given = ", ".join(f"${name}: {field_.args[name].type}" for name in self.variables)
        passed = ", ".join(f"{name}: ${name}" for name in self.variables)
        return f"mutation ({given}) {{ {self.mutation}({passed}) {{ {_asked(str(field_.type), self.mutation)} }} }}"

    @property
    def variables(self) -> dict[str, Any]:
        return self.arguments if self.is_report else {**self.arguments, "commandId": self.key}

    def take(self, answer: Answer) -> None:
        self.answer = answer
        self.settled.set()


def _asked(payload: str, mutation: str) -> str:
    if mutation in REPORTS:
        return "accepted duplicates rejected answers { outcome code message }"
    fields: Any = get_named_type(committed_schema().type_map[payload.rstrip("!")])
    known = [name for name in ("recordId", "version") if name in fields.fields]
    more = "report { answers { recordId } }" if "report" in fields.fields else ""
    made = "key { id }" if mutation == "createKey" else ""
    return " ".join(["commandId", "replayed", *known, more, made])


@dataclass
class Ledger:
    """All that was sent, and what was answered."""

    deeds: list[Deed] = field(default_factory=list[Deed])
    unanswered: Counter[str] = field(default_factory=Counter[str])
    """Why calls had no answer that settled them, for the summary."""
    violations: list[str] = field(default_factory=list[str])

    def acknowledged(self) -> Iterator[Deed]:
        return (one for one in self.deeds if one.answer is not None)

    def left(self) -> list[Deed]:
        """What was answered by nobody, and is waited for no more."""
        return [one for one in self.deeds if one.left and one.answer is None]

    def commands(self) -> Iterator[Deed]:
        return (one for one in self.deeds if not one.is_report)

    def accuse(self, text: str) -> None:
        if len(self.violations) < MOST_TOLD:
            self.violations.append(text)


MOST_TOLD = 50
