"""`tasklore import n8n` and `tasklore export n8n`, the way people run them."""

import json
from pathlib import Path
from typing import Any

import pytest

from graph_schema.model.fields import DataClass
from service.access.viewer import OPERATOR, KeyScope
from service.graph.database import Database
from service.library.cli import AT_ONCE
from service.principals.owner import operator_commands
from tests.cli.serving import installed, tasklore
from tests.conftest import Server

FOLDER = Path(__file__).parent / "n8n"


async def _key_of_ada(database: Database, folder: Path) -> tuple[str, str]:
    commands = operator_commands(database)
    await commands.create_principal(OPERATOR, {"name": "ada", "clearance": DataClass.internal})
    created = await commands.create_key(OPERATOR, {"principal": "ada", "name": "k", "scopes": list(KeyScope)})
    (folder / "key").write_text(created.text or "")
    return ("--key-file", str(folder / "key"))


def _settings(server: Server, folder: Path) -> dict[str, Any]:
    return {"neo4j_uri": server.uri, "neo4j_user": server.user, "neo4j_password": server.password,
            "home": folder / "home"}  # fmt: skip


@pytest.mark.slow
async def test_two_files_of_one_workflow_are_told_however_far_apart(
    database: Database, neo4j_server: Server, tmp_path: Path
) -> None:
    key, settings = await _key_of_ada(database, tmp_path), _settings(neo4j_server, tmp_path)
    folder = tmp_path / "workflows"
    folder.mkdir()
    for number in range(AT_ONCE + 1):
        nodes = [{"name": "Set", "type": "n8n-nodes-base.set", "notes": str(number)}]
        content: dict[str, Any] = {"id": number % AT_ONCE, "name": f"W{number}", "nodes": nodes, "connections": {}}
        (folder / f"{number:03}.json").write_text(json.dumps(content))
    call = ("import", "n8n", str(folder), *key, "--json")
    for outcome in ("created", "unchanged"):
        told = json.loads(tasklore(*call, **settings).stdout)
        assert (told[outcome], told["rejected"], told["updated"]) == (AT_ONCE, 1, 0)
        [rejected] = told["rejections"]
        assert (rejected["file"], rejected["reason"]) == (f"{AT_ONCE:03}.json", "it has the same id as 000.json")


@pytest.mark.slow
async def test_a_folder_is_imported_and_a_template_given_back(
    database: Database, neo4j_server: Server, tmp_path: Path
) -> None:
    key, settings = await _key_of_ada(database, tmp_path), _settings(neo4j_server, tmp_path)
    (tmp_path / "broken.json").write_text("{")
    call = ("import", "n8n", str(FOLDER), str(tmp_path / "broken.json"), *key, "--json")
    done = tasklore(*call, **settings)
    told = json.loads(done.stdout)
    assert (done.returncode, told["created"], told["rejected"]) == (1, 2, 1)
    assert "broken.json: it is not JSON" in done.stderr
    assert json.loads(tasklore(*call, **settings).stdout)["unchanged"] == 2
    row = await database.read_one("MATCH (t:Template {name: 'Scalable Webhook Orchestrator'}) RETURN t.id AS id")
    assert row
    to = tmp_path / "out.json"
    assert installed("export", "n8n", row["id"], "--to", str(to), *key, **settings).returncode == 0
    assert json.loads(to.read_bytes()) == json.loads(next(FOLDER.glob("9001*")).read_bytes())
