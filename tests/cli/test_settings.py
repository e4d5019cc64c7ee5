"""Settings: all documented, all checked at start, secrets never shown."""

import json
from pathlib import Path

import pytest

from service.errors import SettingsInvalid
from service.generate import ROOT, settings_table, with_settings
from service.settings import MASK, Settings, effective, key_of, load_settings, unknown_keys
from tests.cli.serving import tasklore


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_is_documented_with_default_and_meaning(name: str) -> None:
    row = next(line for line in settings_table().splitlines() if f"`{key_of(name)}`" in line)
    assert row in (ROOT / "docs/settings.md").read_text().splitlines()
    assert Settings.model_fields[name].description


def test_the_table_is_replaced_and_the_prose_around_it_stays() -> None:
    page = (ROOT / "docs/settings.md").read_text()
    assert with_settings(page) == page
    assert with_settings(page.replace("TASKLORE_PORT", "TASKLORE_PRT")).count("TASKLORE_PORT") == page.count(
        "TASKLORE_PORT"
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("port", "high"),
        ("port", "70000"),
        ("log_level", "loud"),
        ("local_heap_mb", "1"),
        ("read_timeout_s", "0"),
        ("neo4j_uri", "db:7687"),
        ("neo4j_uri", "http://db:7474"),
        ("neo4j_uri", "bolt://neo4j:secret@db:7687"),
    ],
)
def test_a_bad_value_names_its_key(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(key_of(name), value)
    with pytest.raises(SettingsInvalid) as raised:
        load_settings()
    assert raised.value.field == key_of(name)
    assert key_of(name) in raised.value.one_line()
    assert "secret" not in raised.value.one_line()


def test_a_bad_value_stops_a_command_in_one_line() -> None:
    ended = tasklore("settings", port="high")
    assert ended.returncode == 2
    assert "TASKLORE_PORT" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_password_and_password_file_exclude_each_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TASKLORE_NEO4J_PASSWORD", "one")
    monkeypatch.setenv("TASKLORE_NEO4J_PASSWORD_FILE", str(tmp_path / "password"))
    with pytest.raises(SettingsInvalid, match="TASKLORE_NEO4J_PASSWORD"):
        load_settings()


def test_secrets_are_masked_and_origins_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TASKLORE_NEO4J_PASSWORD", "hunter2")
    shown = {one.key: one for one in effective(load_settings())}
    assert shown["TASKLORE_NEO4J_PASSWORD"].value == MASK
    assert shown["TASKLORE_NEO4J_PASSWORD"].origin == "environment"
    assert shown["TASKLORE_READ_TIMEOUT_S"].origin == "default"
    assert "hunter2" not in repr(shown)


def test_the_command_shows_all_and_no_secret() -> None:
    secret = {"neo4j_password": "hunter2"}
    ended = tasklore("settings", "--json", port=9001, prot=1, allowed_hosts="a.example, b.example", **secret)
    rows = {row["setting"]: row for row in json.loads(ended.stdout)}
    assert set(rows) == {key_of(name) for name in Settings.model_fields}
    assert rows["TASKLORE_PORT"] == {"setting": "TASKLORE_PORT", "value": "9001", "from": "TASKLORE_PORT"}
    assert rows["TASKLORE_HOST"]["from"] == "default"
    assert rows["TASKLORE_ALLOWED_HOSTS"]["value"] == "a.example,b.example"
    assert "hunter2" not in ended.stdout + ended.stderr
    assert "TASKLORE_PROT" in ended.stderr


@pytest.mark.slow
def test_slips_of_the_pen_are_found() -> None:
    assert unknown_keys({"TASKLORE_PROT": "1", "TASKLORE_PORT": "1", "TASKLORE_TEST_NEO4J_URI": "x", "PATH": ""}) == [
        "TASKLORE_PROT"
    ]
