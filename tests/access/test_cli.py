"""`tasklore key`, `tasklore principal` and `tasklore signin` on a real database."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import typer
from typer.testing import CliRunner

from service.access.errors import PrincipalMissing
from service.access.keys import is_key
from service.cli import output
from service.cli.state import State
from service.graph.database import Database
from service.principals.cli import key, principal, signin
from service.settings import load_settings
from service.web.address import base_address
from tests.conftest import Server

Run = Callable[..., str]


@pytest.fixture
def run(database: Database, neo4j_server: Server) -> Run:
    """Runs a command and gives what it printed."""
    settings = load_settings(
        neo4j_uri=neo4j_server.uri, neo4j_user=neo4j_server.user, neo4j_password=neo4j_server.password
    )
    app = typer.Typer()
    app.add_typer(key, name="key")
    app.add_typer(principal, name="principal")
    app.command("signin")(signin)

    def run_one(*arguments: str, as_json: bool = False) -> str:
        output.set_mode(output.Mode(json=as_json))
        try:
            result = CliRunner().invoke(app, list(arguments), obj=State(settings), catch_exceptions=False)
        finally:
            output.set_mode(output.Mode())
        assert result.exit_code == 0, result.output
        return result.stdout

    return run_one


def data(text: str) -> Any:
    return json.loads(text)


@pytest.mark.slow
def test_a_key_is_printed_once_and_never_listed(run: Run) -> None:
    run("principal", "create", "importer", "--kind", "executor")
    created = run("key", "create", "nightly import", "--principal", "importer", "--scope", "report", "--days", "30")
    (text,) = [word for word in created.split() if is_key(word)]
    assert created.count(text) == 1
    assert "shown once" in created
    for listed in (run("key", "list"), run("key", "list", as_json=True), run("principal", "show", "importer")):
        assert text not in listed
        assert text[-4:] in listed
    (found,) = data(run("key", "list", "--principal", "importer", as_json=True))
    assert found["scopes"] == ["report"]
    assert "hash" not in found


def test_an_administrator_of_a_named_server_is_made_with_a_key(run: Run) -> None:
    made = data(
        run("principal", "create", "ada", "--clearance", "privileged", "--all-matters", "--admin", as_json=True)
    )
    assert is_key(made["text"])
    assert made["key"]["scopes"] == ["admin", "curate", "declassify", "read", "report"]
    assert made["principal"]["clearance"] == "privileged"


@pytest.mark.slow
def test_a_principal_is_changed_disabled_and_enabled(run: Run) -> None:
    run("principal", "create", "ada")
    assert data(run("principal", "change", "ada", "--clearance", "public", as_json=True))["clearance"] == "public"
    assert data(run("principal", "disable", "ada", as_json=True))["disabled_at"]
    assert data(run("principal", "enable", "ada", as_json=True))["disabled_at"] is None
    assert "ada" in run("principal", "list")
    with pytest.raises(PrincipalMissing):
        run("principal", "show", "nobody")


@pytest.mark.slow
def test_a_revoked_key_is_listed_only_when_asked_for(run: Run) -> None:
    run("principal", "create", "ada")
    made = data(run("key", "create", "a key", "--principal", "ada", as_json=True))
    assert "revoked" in run("key", "revoke", made["id"])
    assert data(run("key", "list", as_json=True)) == []
    assert "There are no keys." in run("key", "list")
    assert len(data(run("key", "list", "--all", as_json=True))) == 1


def test_signin_prints_an_address_with_a_token(run: Run) -> None:
    run("principal", "create", "ada")
    address = urlsplit(run("signin", "--principal", "ada", "--scope", "read").strip())
    assert (address.scheme, address.netloc, address.path) == ("http", "127.0.0.1:8000", "/signin")
    assert is_key(parse_qs(address.query)["token"][0])


@pytest.mark.parametrize(
    ("host", "base"),
    [("0.0.0.0", "http://127.0.0.1:8000"), ("::1", "http://[::1]:8000"), ("10.0.0.1", "http://10.0.0.1:8000")],  # noqa: S104
)
def test_the_address_is_one_that_a_browser_on_this_machine_can_open(host: str, base: str) -> None:
    assert base_address(load_settings(host=host)) == base


@pytest.mark.parametrize("app", [key, principal])
def test_every_command_has_help_with_an_example(app: typer.Typer) -> None:
    for command in app.registered_commands:
        assert command.callback
        assert "Example: tasklore" in (command.callback.__doc__ or "")
