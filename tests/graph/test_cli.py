"""The operator's commands: what they print, and their exit codes."""

import asyncio
import json
from typing import Any

import pytest

from service.cli.main import run
from service.graph.database import Database
from tests.conftest import Server


@pytest.fixture
def named_server(neo4j_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TASKLORE_NEO4J_URI", neo4j_server.uri)
    monkeypatch.setenv("TASKLORE_NEO4J_USER", neo4j_server.user)
    monkeypatch.setenv("TASKLORE_NEO4J_PASSWORD", neo4j_server.password)


def _call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[Any, Any]:
    with pytest.raises(SystemExit) as stop:
        run([*arguments, "--json"])
    return stop.value.code, json.loads(capsys.readouterr().out)


@pytest.mark.slow
async def test_migrate_doctor_and_reembed(
    schema_put_back: Database, named_server: None, capsys: pytest.CaptureFixture[str]
) -> None:
    code, applied = await asyncio.to_thread(_call, capsys, "migrate")
    assert (code, [one["name"] for one in applied]) == (0, ["schema"])
    assert await asyncio.to_thread(_call, capsys, "migrate") == (0, [])
    assert await asyncio.to_thread(_call, capsys, "doctor") == (0, [])

    await schema_put_back.run_alone("CREATE (:Goal:Record {id: 'goal_bare', name: 'Bare'})")
    code, findings = await asyncio.to_thread(_call, capsys, "doctor")
    assert code == 1
    assert {"check": "property_missing", "severity": "error", "count": 1, "samples": ["goal_bare"]}.items() <= (
        findings[0].items()
    )
    assert all(one["remedy"] for one in findings)

    await schema_put_back.run_alone("CREATE (:Event {event_id: 'evt_b', kind: 'goal.created', about: 'goal_never'})")
    code, told = await asyncio.to_thread(_call, capsys, "doctor", "--mend")
    assert (code, told["left"]) == (1, findings)
    [mended] = told["mended"]
    assert (mended["checks"], mended["samples"]) == (["event_dangling"], ["goal.created of goal_never"])

    code, done = await asyncio.to_thread(_call, capsys, "reembed")
    assert (code, done["embedded"]) == (0, 0)
