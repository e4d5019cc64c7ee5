"""The command line itself: help everywhere, errors in one line, quick to start."""

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.core import TyperGroup

from service.cli.main import ELSEWHERE, app, load, run
from service.errors import TaskloreError
from tests.cli.serving import TASKLORE, environment, installed, tasklore
from tests.ports import free_port


def commands() -> Iterator[tuple[str, Any]]:
    root = typer.main.get_group(app)
    for name in dict.fromkeys(one.name for one in ELSEWHERE):
        root.add_command(load([one for one in ELSEWHERE if one.name == name]), name)
    yield from _leaves("tasklore", root)


def _leaves(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(command, TyperGroup):
        yield path, command
        return
    for name, inner in command.commands.items():
        yield from _leaves(f"{path} {name}", inner)


def test_every_command_has_help_with_an_example() -> None:
    for path, command in commands():
        assert re.search(rf"^Example: ([A-Z0-9_]+=\S+ )*{path}\b", command.help, re.MULTILINE), path


@pytest.mark.parametrize(("typed", "completed"), [("tasklore ma", "match"), ("tasklore run l", "list")])
def test_what_is_typed_in_part_is_completed(typed: str, completed: str) -> None:
    """As the line that `--install-completion` leaves in a shell's settings asks."""
    asked = {"_TASKLORE_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    done = subprocess.run([TASKLORE], env=environment() | asked, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == [completed]


def test_help_lists_every_command_and_imports_none() -> None:
    script = (
        "import sys\n"
        "from service.cli.main import run\n"
        "try: run(['--help'])\n"
        "finally: print(sorted({'pydantic', 'neo4j', 'starlette', 'asyncio.base_events'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert all(f"  {one.name} " in shown for one in ELSEWHERE)
    assert shown.endswith("[]\n")


@pytest.fixture
def logs_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """`serve` sets up the logs of its process. This one's are not its to set up."""
    monkeypatch.setattr("service.cli.serve.set_up_logs", id)


@pytest.mark.slow
def test_the_installed_command_is_this_one() -> None:
    assert installed("version", "--json") == tasklore("version", "--json")
    assert installed("fly") == tasklore("fly")


def test_help_is_told_even_when_a_setting_is_wrong() -> None:
    assert tasklore("serve", "--help", port="high").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["fly"], "No such command 'fly'"),
        (["serve", "--porr", "1"], "No such option: --porr"),
        (["serve", "--port", "0"], "--port"),
        (["db", "fly"], "No such command 'fly'"),
    ],
)
def test_a_slip_is_told_in_one_line(arguments: list[str], words: str) -> None:
    ended = tasklore(*arguments)
    assert ended.returncode == 2
    assert words in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
    assert not ended.stdout


class Broken(TaskloreError):
    exit_code = 7

    def __init__(self) -> None:
        super().__init__("It is broken.", remedy="Mend it.")


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (Broken(), 7, "Error: It is broken. Mend it."),
        (RuntimeError("first\nsecond"), 1, "Unexpected error: RuntimeError: first. Run again with --debug"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_what_an_error_looks_like(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    code: int,
    line: str,
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("service.settings.effective", fail)
    with pytest.raises(SystemExit) as ended:
        run(["settings"])
    shown = capsys.readouterr().err
    assert ended.value.code == code
    assert shown.startswith(line)
    assert len(shown.splitlines()) <= 1


def test_debug_shows_where_an_error_came_from() -> None:
    ended = tasklore("settings", "--debug", port="high")
    assert "Traceback" in ended.stderr
    assert ended.returncode == 2


def test_a_taken_port_is_told_before_anything_is_started(logs_as_they_are: None) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ended = tasklore("serve", port=taken.getsockname()[1])
    assert ended.returncode == 1
    assert "TASKLORE_PORT" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_a_server_that_does_not_answer_is_told_within_seconds(logs_as_they_are: None) -> None:
    ended = tasklore("serve", port=free_port(), neo4j_uri=f"bolt://127.0.0.1:{free_port()}")
    assert ended.returncode == 1
    last = ended.stderr.splitlines()[-1]
    assert last.startswith("Error: Neo4j does not answer")
    assert "Traceback" not in ended.stderr


def test_an_unreadable_password_file_is_told(logs_as_they_are: None) -> None:
    missing = {"neo4j_password_file": "/nonexistent"}
    ended = tasklore("serve", port=free_port(), neo4j_uri="bolt://127.0.0.1:1", **missing)
    assert ended.returncode == 2
    assert "TASKLORE_NEO4J_PASSWORD_FILE" in ended.stderr


def test_an_unknown_model_is_told(logs_as_they_are: None) -> None:
    ended = tasklore("serve", port=free_port(), embedding_model="no-such-model")
    assert ended.returncode == 1
    assert "no-such-model" in ended.stderr.splitlines()[-1]


def test_output_goes_where_it_belongs() -> None:
    code = "from service.cli import output; output.show_rows([{'a': None, 'b': True}]); output.complain('oh')"
    ended = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True)
    assert ended.stdout == "a  b\n-  ---\n-  yes\n"
    assert ended.stderr == "oh\n"
