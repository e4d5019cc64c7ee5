"""A house that shares: somebody of it, somebody outside, and what there is to share, on the real server."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import orjson
import pytest

from graph_schema.model.fields import DataClass
from service.access.viewer import KeyScope, PrincipalKind, Viewer
from service.capability import Services
from service.commands import RecordRef
from service.graph.database import Database
from service.library.commands import Library
from service.library.graphs import CableInput, GraphInput, ModuleInput
from service.memory.reporting.commands import Reporting
from service.records import Records
from service.runtime.compose import services_alone
from service.sharing.beside import BesideShares
from service.sharing.commands import ShareMade, Shares
from service.sharing.inputs import ShareInput
from service.sharing.manifest import SharedManifest
from service.sharing.opening import Look, Reader, SharedDoor
from tests.viewers import viewer_of

SENDER = "prin_sender"
OUTSIDE = Reader("192.0.2.7")
_SCOPES = (KeyScope.read, KeyScope.report, KeyScope.curate)


@dataclass(frozen=True)
class Scene:
    database: Database
    services: Services

    @property
    def shares(self) -> Shares:
        return self.services[Shares]

    @property
    def door(self) -> SharedDoor:
        return self.services[SharedDoor]

    @property
    def beside(self) -> BesideShares:
        return self.services[BesideShares]

    async def principal(self, principal_id: str = SENDER, **given: Any) -> None:
        """Known to the service, as its own statement of who sees what finds it."""
        values = {"id": principal_id, "name": principal_id, "kind": "person", "clearance": "privileged", **given}
        await self.database.run_alone(
            "MERGE (p:Principal {id: $values.id}) SET p += $values REMOVE p.disabled_at",
            values={"all_matters": True, "matter_ids": [], **values},
        )

    async def viewer(self, principal_id: str = SENDER, **given: Any) -> Viewer:
        known: dict[str, Any] = {"scopes": _SCOPES, "clearance": DataClass.privileged, **given}
        return await viewer_of(self.database, principal_id, **known)

    async def admin(self) -> Viewer:
        return await viewer_of(self.database)

    async def agent(self) -> Viewer:
        return await self.viewer("prin_agent", kind=PrincipalKind.agent)

    async def matter(self, name: str) -> str:
        values = {"name": name, "kind": "matter"}
        return (await self.services[Records].save(await self.admin(), "Entity", values)).result["id"]

    async def task(self, name: str, graph: GraphInput | None = None, **values: Any) -> str:
        viewer = await self.admin()
        made = await self.services[Records].save(viewer, "Task", {"name": name, **values})
        task = RecordRef(id=made.result["id"])
        if graph is not None:
            await self.services[Library].save_graph(await self.admin(), task, graph)
        return made.result["id"]

    async def run(self, key: str, events: Sequence[dict[str, Any]], **policy: Any) -> str:
        """A run that was reported with these events; its id."""
        kept: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": [], **policy}
        begun: dict[str, Any] = {"kind": "run_started", "policy": kept}
        run = {"source": "shop", "key": key}
        told = [
            {"event_id": f"{key}-{number}", "run": run, "occurred_at": f"2026-09-01T09:0{number}:00Z", **one}
            for number, one in enumerate([begun, *events])
        ]
        answers = await self.services[Reporting].report(await self.admin(), told)
        assert [one.outcome for one in answers] == ["accepted"] * len(told), answers
        row = await self.database.read_one(
            "MATCH (r:Run {source: 'shop', source_key: $key}) RETURN r.id AS id", key=key
        )
        assert row is not None
        return row["id"]

    async def share(self, **given: Any) -> ShareMade:
        viewer = given.pop("viewer", None) or await self.viewer()
        return await self.shares.create(viewer, ShareInput(**given))

    async def shared(self, **given: Any) -> str:
        """The secret of a new share."""
        made = await self.share(**given)
        assert made.secret is not None
        return made.secret

    async def open(self, secret: str, reader: Reader = OUTSIDE, look: Look | None = None) -> SharedManifest:
        return await self.door.open(secret, reader, look or Look())

    async def events(self) -> list[tuple[str, str | None, str | None]]:
        rows = await self.database.read(
            "MATCH (e:ShareEvent) RETURN e.event_kind AS kind, e.actor_id AS actor, e.reason_code AS reason, "
            "e.id AS id ORDER BY e.happened_at, id"
        )
        return [(row["kind"], row["actor"], row["reason"]) for row in rows]

    async def everything(self) -> str:
        """All that is stored, as one text."""
        rows = await self.database.read("MATCH (n) RETURN properties(n) AS properties")
        return repr(rows)

    async def of(self, label: str, **values: Any) -> list[str]:
        rows = await self.database.read(
            "MATCH (n:$($label)) WHERE all(k IN keys($values) WHERE n[k] = $values[k]) RETURN n.id AS id ORDER BY id",
            label=label,
            values=values,
        )
        return [row["id"] for row in rows]


def ref(record_id: str) -> RecordRef:
    return RecordRef(id=record_id)


def said(manifest: SharedManifest) -> str:
    """All that a manifest tells."""
    return orjson.dumps(manifest.as_json()).decode()


def ids(manifest: SharedManifest) -> set[str]:
    return {one["id"] for section in manifest.sections for one in section["records"]}


def graph(*steps: tuple[str, str]) -> GraphInput:
    """A chain of modules, each a key and what it is for."""
    modules = [ModuleInput(key, "step.agent", name=key.title(), purpose=purpose) for key, purpose in steps]
    keys = [key for key, _ in steps]
    return GraphInput(modules, [CableInput(one, other) for one, other in pairwise(keys)])


@pytest.fixture
async def scene(database: Database) -> Scene:
    made = Scene(database, services_alone(database))
    await made.principal()
    return made
