"""A house of some trade, told and asked through GraphQL alone; and what a module of it should have been given."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from embeddings import EmbeddingQueue
from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from service.access.viewer import Viewer
from service.capability import Services
from service.cards.embedding import embed_behind
from service.graph.database import Database
from tests.memory.stories import Event, Story
from tests.names import api_keys
from tests.viewers import viewer_of

_LINK = """mutation ($t: RecordRefInput!, $k: String!, $h: RecordRefInput!) {
  linkRecords(tail: $t, type: $k, head: $h) { type } }"""
_REPORT = """mutation ($e: [RunEventInput!]!) { reportRunEvents(events: $e) {
  rejected answers { code message runId } } }"""
_OPEN = """mutation ($i: RunScopeInput!) { openRunScope(input: $i) { warnings { code } } }"""
_PREVIEW = """query ($i: ContextPacketInput!) { previewContextPacket(input: $i) {
  applicable items { name layer via use text explanation } excludedCandidates { name code message }
  warnings { code } markdown } }"""


@dataclass(frozen=True)
class Expected:
    """What should be given, and why the rest of what is considered should not. Written before asking."""

    given: frozenset[str]
    kept_out: Mapping[str, str] = field(default_factory=dict[str, str])
    unseen: frozenset[str] = frozenset()
    """What should not even be considered."""


@dataclass(frozen=True)
class House:
    database: Database
    schema: ReadSchema
    services: Services
    queue: EmbeddingQueue
    ids: dict[str, str] = field(default_factory=dict[str, str])
    """Ids of what was saved, by name."""

    async def ask(self, document: str, viewer: Viewer | None = None, **variables: Any) -> Any:
        who = viewer or await viewer_of(self.database)
        context = Context(who, self.database, "req_1", self.services)
        answer = await self.schema.execute(document, variable_values=variables, context_value=context)
        assert not answer.errors, answer.errors
        assert answer.data
        return answer.data

    async def save(self, label: str, name: str, **values: Any) -> str:
        query = f"mutation ($i: {label}Input!) {{ save{label}(input: $i) {{ recordId }} }}"
        saved = await self.ask(query, i={"name": name, **api_keys(values)})
        self.ids[name] = saved[f"save{label}"]["recordId"]
        return self.ids[name]

    async def entities(self, kind: str, *names: str, **values: Any) -> None:
        for name in names:
            await self.save("Entity", name, kind=kind, **values)

    async def link(self, tail: str, kind: str, head: str) -> None:
        await self.ask(_LINK, t=self.ref(tail), k=kind, h=self.ref(head))

    async def links(self, kind: str, head: str, *tails: str) -> None:
        for tail in tails:
            await self.link(tail, kind, head)

    async def report(self, events: Iterable[Event]) -> str:
        told = (await self.ask(_REPORT, e=api_keys(list(events))))["reportRunEvents"]
        assert told["rejected"] == 0, told
        return told["answers"][0]["runId"]

    async def open(self, run: str, **given: Any) -> list[str]:
        opened = await self.ask(_OPEN, i={"run": {"id": run}, **api_keys(given)})
        return [one["code"] for one in opened["openRunScope"]["warnings"]]

    async def packet(self, run: str, module: str, viewer: Viewer | None = None, **given: Any) -> Any:
        asked = {"run": {"id": run}, "moduleKey": module, **api_keys(given)}
        found = (await self.ask(_PREVIEW, viewer, i=asked))["previewContextPacket"]
        await self._check(found)
        return found

    async def _check(self, packet: Any) -> None:
        """The law of rules: none is left out as bearing on nothing here, if it bears on something that is told."""
        told = [one for one in self.ids.values() if one in packet["markdown"]]
        rows = await self.database.read(
            "MATCH (rule:Record)-[:APPLIES_TO]->(x:Record) WHERE x.id IN $told RETURN rule.name AS name", told=told
        )
        unbound = {one["name"] for one in packet["excludedCandidates"] if one["code"] == "not_task_bound"}
        assert not unbound & {row["name"] for row in rows}

    async def embed(self) -> None:
        await embed_behind(self.database, self.queue, 10_000)

    def ref(self, name: str) -> dict[str, str]:
        return {"id": self.ids[name]}

    def refs(self, *names: str) -> list[dict[str, str]]:
        return [self.ref(one) for one in names]

    def of(self, matter: str) -> dict[str, Any]:
        return {"matter_ids": [self.ids[matter]]}


def at_hour(story: Story, hour: int) -> list[Event]:
    """The story, told to have happened in this hour of the day; else it is ten."""
    return [{**one, "occurred_at": one["occurred_at"].replace("T10", f"T{hour:02d}")} for one in story.events]


def held(packet: Any, expected: Expected) -> None:
    """Whether a packet is as it was expected: all that should be in it, nothing else, and the reasons for the rest."""
    given = {one["name"] for one in packet["items"]}
    kept = {one["name"]: one["code"] for one in packet["excludedCandidates"]}
    found = {
        "missing": {name: kept.get(name, "not considered") for name in expected.given - given},
        "too much": {one["name"]: one["explanation"] for one in packet["items"] if one["name"] not in expected.given},
        "reasons": {name: kept.get(name) for name, code in expected.kept_out.items() if kept.get(name) != code},
        "seen": expected.unseen & ({*given} | {*kept}),
    }
    assert not any(found.values()), found
