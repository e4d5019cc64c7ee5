"""`tasklore db` where no server is needed; the rest is in the server tests."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from service.cli import output
from service.cli.db import NotLocal, db
from service.cli.state import State
from service.errors import TaskloreError
from service.graph.local.errors import BackupMissing, NothingToBackUp
from service.graph.local.home import Home
from service.settings import Settings, load_settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(home=tmp_path, neo4j_uri=None)


def _run(settings: Settings, *arguments: str, answer: str | None = None) -> tuple[int, str]:
    result = CliRunner().invoke(db, arguments, obj=State(settings), input=answer)
    if isinstance(result.exception, TaskloreError):
        raise result.exception
    return result.exit_code, result.stdout


def test_status_of_a_stopped_server(settings: Settings) -> None:
    code, shown = _run(settings, "status")
    assert code == 3
    assert "stopped" in shown


def test_stopping_what_does_not_run(settings: Settings) -> None:
    assert _run(settings, "stop") == (0, "It was not running.\n")


def test_reset_asks(settings: Settings) -> None:
    home = Home(settings)
    home.prepare()
    home.password_file.write_text("secret")
    assert _run(settings, "reset", answer="n\n")[0] == 1
    assert home.password_file.exists()
    assert _run(settings, "reset", answer="y\n")[0] == 0
    assert not home.password_file.exists()
    assert _run(settings, "reset", "--yes")[0] == 0


def test_logs_before_there_are_any(settings: Settings) -> None:
    assert "Nothing was logged yet" in _run(settings, "logs")[1]


def test_the_last_lines_of_the_log(settings: Settings) -> None:
    home = Home(settings)
    home.prepare()
    (home.logs / "neo4j.log").write_text("one\ntwo\nthree\n")
    assert _run(settings, "logs", "--lines", "2") == (0, "two\nthree\n")


def test_a_backup_of_nothing_and_a_restore_from_nowhere(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(NothingToBackUp):
        _run(settings, "backup", str(tmp_path / "new.dump"))
    with pytest.raises(BackupMissing, match=r"absent\.dump"):
        _run(settings, "restore", str(tmp_path / "absent.dump"))


def test_a_named_server_is_left_alone(settings: Settings) -> None:
    named = settings.model_copy(update={"neo4j_uri": "neo4j://elsewhere:7687"})
    with pytest.raises(NotLocal, match="elsewhere"):
        _run(named, "reset", "--yes")


@pytest.mark.parametrize("command", ["start", "stop", "status", "logs", "reset", "backup", "restore"])
def test_every_command_has_help_with_an_example(settings: Settings, command: str) -> None:
    code, shown = _run(settings, command, "--help")
    assert code == 0
    assert f"Example: tasklore db {command}" in " ".join(shown.split())


def test_json_is_json(settings: Settings) -> None:
    output.set_mode(output.Mode(json=True))
    try:
        facts = json.loads(_run(settings, "status")[1])
    finally:
        output.set_mode(output.Mode())
    assert facts["state"] == "stopped"
    assert facts["home"] == str(settings.home / "neo4j")
