"""`tasklore audit export`, the way people run it."""

import json
import stat
from pathlib import Path

import pytest

from graph_schema.model.fields import DataClass
from service.access.viewer import OPERATOR, KeyScope
from service.principals.owner import operator_commands
from tests.cli.serving import installed, tasklore
from tests.conftest import Server
from tests.memory.conftest import Executor
from tests.memory.stories import POLICY, Story, whole_run


async def _key(executor: Executor) -> str:
    commands = operator_commands(executor.database)
    await commands.create_principal(OPERATOR, {"name": "ada", "clearance": DataClass.local_only, "all_matters": True})
    created = await commands.create_key(OPERATOR, {"principal": "ada", "name": "k", "scopes": list(KeyScope)})
    return created.text or ""


@pytest.mark.slow
async def test_a_run_is_written_to_a_directory(executor: Executor, neo4j_server: Server, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text(await _key(executor))
    await executor.report(whole_run())
    hidden = Story({"source": "x", "key": "l"}, {**POLICY, "data_class": "local_only"}).tell("run_started")
    await executor.report(hidden.events)
    settings = {"neo4j_uri": neo4j_server.uri, "neo4j_user": neo4j_server.user, "home": tmp_path / "home",
                "neo4j_password": neo4j_server.password}  # fmt: skip
    run = (await executor.one("Run", source_key="run-1"))["id"]
    to = tmp_path / "out"
    call = ("audit", "export", run, "--to", str(to), "--key-file", str(key), "--format", "zip")
    done = installed(*call, "--profile", "professional_internal", "--json", **settings)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["decision"], told["warnings"]) == ("degraded", ["warning.audit_export_redaction_required"])
    assert json.loads((to / "manifest.json").read_bytes())["export_id"] == told["id"]
    assert stat.S_IMODE(to.stat().st_mode) == 0o700
    assert (tmp_path / "out.zip").exists()
    assert {one.name for one in (tmp_path / "home/audits" / told["id"]).iterdir()} == {one.name for one in to.iterdir()}
    again = tasklore(*call, **settings)
    assert (again.returncode, "is there already" in again.stderr) == (1, True)
    local = (await executor.one("Run", source_key="l"))["id"]
    blocked = tasklore("audit", "export", local, "--to", str(tmp_path / "no"), *call[5:], **settings)
    assert (blocked.returncode, "run_is_local_only" in blocked.stdout) == (1, True)
    assert not (tmp_path / "no").exists()
