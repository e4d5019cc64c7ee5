"""Audit exports on an empty graph, written to a temporary home."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest

from graph_schema.registry import REGISTRY
from service.commands import Commands, RecordRef
from service.graph.database import Database
from service.memory.audit import AuditExports
from service.memory.audit.rules import read
from tests.viewers import viewer_of


@dataclass(frozen=True)
class Auditor:
    database: Database
    exports: AuditExports
    home: Path

    async def export(
        self, run: str, profile: str, *formats: str, sections: list[str] | None = None, **viewer: Any
    ) -> dict[str, Any]:
        """The result of the command."""
        asking = await viewer_of(self.database, **viewer)
        wish = read(profile, list(formats or ("folder",)), sections)
        return (await self.exports.export(asking, RecordRef(id=run), wish)).result

    async def files(self, export_id: str, **viewer: Any) -> dict[str, bytes]:
        return await self.exports.files(await viewer_of(self.database, **viewer), export_id)

    async def exported(self, run: str, profile: str, *formats: str, **options: Any) -> dict[str, bytes]:
        return await self.files((await self.export(run, profile, *formats, **options))["id"])


def told(files: dict[str, bytes]) -> str:
    """Everything that the files say."""
    return b"\n".join(files.values()).decode()


def manifest(files: dict[str, bytes]) -> dict[str, Any]:
    return orjson.loads(files["manifest.json"])


@pytest.fixture
def auditor(database: Database, tmp_path: Path) -> Auditor:
    exports = AuditExports(Commands(database, REGISTRY, lambda _new: None), database, tmp_path / "home")
    return Auditor(database, exports, tmp_path / "home")
