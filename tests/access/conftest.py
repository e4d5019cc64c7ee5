"""Principals, keys and matters for the tests of access."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import pytest

from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from service.access.access import Access, make_access
from service.access.audience import audience_of, rank_of
from service.access.log import AccessLog
from service.access.viewer import OPERATOR, KeyScope
from service.access.viewers import Viewers
from service.commands import Commands
from service.graph.database import Database
from service.principals.commands import Principals


@dataclass
class World:
    """The graph with what administers it, and short ways to fill it."""

    database: Database
    access: Access
    principals: Principals

    @property
    def viewers(self) -> Viewers:
        return self.access.viewers

    async def principal(self, name: str = "ada", **values: Any) -> dict[str, Any]:
        outcome = await self.principals.create_principal(OPERATOR, {"name": name, **values})
        return outcome.result["principal"]

    async def key(self, principal: str = "ada", scopes: tuple[KeyScope, ...] = (KeyScope.read,)) -> tuple[str, str]:
        """Text and id of a new key."""
        values = {"principal": principal, "name": "a key", "scopes": [*scopes]}
        created = await self.principals.create_key(OPERATOR, values)
        assert created.text
        return created.text, created.key["id"]

    async def matter(self, matter_id: str) -> None:
        await self.database.run_alone("CREATE (:Entity:Record:Matter {id: $id, name: $id})", id=matter_id)

    async def audience(self, data_class: DataClass, matters: frozenset[str], principal_id: str | None = None) -> None:
        await self.database.run_alone(
            "MERGE (a:Audience {audience: $audience}) "
            "SET a.rank = $rank, a.matter_ids = $matters, a.principal_ids = $principal_ids",
            audience=f"stub|{principal_id}" if principal_id else audience_of(data_class, matters),
            rank=0 if principal_id else rank_of(data_class),
            matters=sorted(matters),
            principal_ids=[principal_id] if principal_id else [],
        )

    async def expire(self, key_id: str) -> None:
        await self.database.run_alone(
            "MATCH (k:Key {id: $id}) SET k.expires_at = '2020-01-01T00:00:00.000Z'", id=key_id
        )

    async def events(self) -> list[dict[str, Any]]:
        return await self.database.read("MATCH (e:Event) RETURN e {.*} AS e ORDER BY e.at, e.event_id")

    async def all_properties(self) -> str:
        """Every value in the graph, as one text."""
        rows = await self.database.read("MATCH (n) RETURN properties(n) AS p")
        return repr(rows)


@pytest.fixture
async def world(database: Database) -> AsyncGenerator[World]:
    viewers = Viewers(database)
    commands = Commands(database, REGISTRY, lambda new: viewers.forget() if new else None)
    log = AccessLog()
    access = make_access(viewers, log, host="127.0.0.1", allowed_origins=["https://app.example.org"])
    try:
        yield World(database, access, Principals(commands, changed=viewers.forget, log=log))
    finally:
        await access.close()
