"""`tasklore import n8n` and `tasklore export n8n`, the way people run them."""

import json
from pathlib import Path
from typing import Any

from graph_schema.fields import DataClass
from service.access.owner import operator_commands
from service.access.viewer import OPERATOR, KeyScope
from service.graph.database import Database
from tests.conftest import Server
from tests.shell.serving import tasklore

FOLDER = Path(__file__).parent / "n8n"


async def test_a_folder_is_imported_and_a_template_given_back(
    database: Database, neo4j_server: Server, tmp_path: Path
) -> None:
    commands = operator_commands(database)
    await commands.create_principal(OPERATOR, {"name": "ada", "clearance": DataClass.internal})
    created = await commands.create_key(OPERATOR, {"principal": "ada", "name": "k", "scopes": list(KeyScope)})
    (tmp_path / "key").write_text(created.text or "")
    (tmp_path / "broken.json").write_text("{")
    settings: dict[str, Any] = {"neo4j_uri": neo4j_server.uri, "neo4j_user": neo4j_server.user,
                "neo4j_password": neo4j_server.password, "home": tmp_path / "home"}  # fmt: skip
    key = ("--key-file", str(tmp_path / "key"))
    call = ("import", "n8n", str(FOLDER), str(tmp_path / "broken.json"), *key, "--json")
    done = tasklore(*call, **settings)
    told = json.loads(done.stdout)
    assert (done.returncode, told["created"], told["rejected"]) == (1, 2, 1)
    assert "broken.json: it is not JSON" in done.stderr
    assert json.loads(tasklore(*call, **settings).stdout)["unchanged"] == 2
    row = await database.read_one("MATCH (t:Template) WHERE t.source_key STARTS WITH '9001' RETURN t.id AS id")
    assert row
    to = tmp_path / "out.json"
    assert tasklore("export", "n8n", row["id"], "--to", str(to), *key, **settings).returncode == 0
    assert json.loads(to.read_bytes()) == json.loads(next(FOLDER.glob("9001*")).read_bytes())
