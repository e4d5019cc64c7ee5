"""An executor, and somebody who holds and erases, on an empty graph and an empty home."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from graph_schema.registry import REGISTRY
from service.access.viewer import KeyScope
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.graph.database import Database
from service.memory.audit import AuditExports
from service.memory.audit.files import Shelf
from service.memory.audit.rules import read
from service.records import Records
from service.runtime.compose import hooks
from tests.memory.conftest import executor
from tests.records.erasure.marked import mark
from tests.viewers import viewer_of

__all__ = ["executor"]


@dataclass(frozen=True)
class Officer:
    """An administrator with the right to hold and to erase."""

    database: Database
    commands: Commands
    records: Records
    home: Path

    async def save(self, label: str, /, record_id: str | None = None, **values: Any) -> str:
        viewer = await viewer_of(self.database)
        return (await self.records.save(viewer, label, values, record_id=record_id)).result["id"]

    async def link(self, tail: str, kind: str, head: str, *, remove: bool = False, **facts: Any) -> None:
        viewer = await viewer_of(self.database)
        await self.records.link(viewer, RecordRef(id=tail), kind, RecordRef(id=head), facts, remove=remove)

    async def hold(self, record_id: str, *, hold: bool = True) -> None:
        await self.records.set_legal_hold(await viewer_of(self.database), RecordRef(id=record_id), hold=hold)

    async def erase(self, record_id: str, **viewer: Any) -> Outcome:
        asking = await viewer_of(self.database, **viewer)
        return await self.records.erase(asking, RecordRef(id=record_id), "asked to be forgotten")

    async def export(self, run_id: str) -> str:
        exports = AuditExports(self.commands, self.database, self.home)
        wish = read("full_local_audit", ["folder", "zip", "markdown"], None)
        return (await exports.export(await viewer_of(self.database), RecordRef(id=run_id), wish)).result["id"]


PACKET: dict[str, Any] = {
    "name": "Packet", "module_key": "m", "activation_seq": 1, "injection_profile": "task_scoped",
    "task_context_binding": "module_input_resolved", "surface_context_policy": "none", "surface_context_used": False,
    "requested_tokens": 1, "actual_tokens": 1, "max_tokens": 1, "tokenizer": "t", "considered_count": 1,
    "injected_count": 1, "excluded_count": 0, "inputs_hash": "h", "content_hash": "h", "packet_generation_id": "g",
    "rules": "r", "embedding_model": "m",
}  # fmt: skip
RECEIPT: dict[str, Any] = {
    "kind": "prior_task_run", "stage": "budget", "explanation": mark("why"), "version": 1, "facts": mark("facts"),
    "layer": "prior_task_runs", "rank": 1, "via": "module_input_resolved", "tokens": 1, "text": mark("text"),
}  # fmt: skip


async def give(officer: Officer, run: str, record: str, **said: Any) -> str:
    """A packet of a run that holds a record. Its receipt, or it, says what is given."""
    told = {name: value for name, value in said.items() if name in RECEIPT}
    own = {name: value for name, value in said.items() if name not in RECEIPT}

    async def plan(work: Work) -> dict[str, Any]:
        states = [work.need(RecordRef(id=one), "x") for one in (run, record)]
        packet = work.create(REGISTRY.types["ContextPacket"], {**PACKET, **own, "run_id": run}, [states[0]])
        work.link(states[0], "HAS_PACKET", packet)
        work.link(packet, "INJECTED", states[1], {**RECEIPT, **told})
        return {"id": packet.id}

    refs = [RecordRef(id=one) for one in (run, record)]
    request = Request("test", KeyScope.report, {}, reads=refs)
    return (await officer.commands.execute(await viewer_of(officer.database), request, plan)).result["id"]


@pytest.fixture
def officer(database: Database, tmp_path: Path) -> Officer:
    commands = Commands(database, REGISTRY, lambda _new: None)
    home = tmp_path / "home"
    return Officer(database, commands, Records(commands, hooks(), forget_export=Shelf(home).forget), home)
