"""A restore that is interrupted at any point leaves the database as it was."""

import shutil
from pathlib import Path

import pytest

from service.graph.local.home import Home
from service.graph.local.replacement import replacing, undo_interrupted
from service.settings import load_settings


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(load_settings(home=tmp_path))
    home.prepare()
    return home


def _write(home: Home, content: str) -> None:
    for kind in ("databases", "transactions"):
        place = home.data / kind / "neo4j"
        place.mkdir(parents=True, exist_ok=True)
        (place / "store").write_text(content)


def _read(home: Home) -> list[str]:
    return [path.read_text() for path in sorted(home.data.rglob("store"))]


def _fail_while_replacing(home: Home) -> None:
    with replacing(home):
        _write(home, "half")
        raise RuntimeError


def test_the_new_one_replaces_the_old(home: Home) -> None:
    _write(home, "old")
    with replacing(home):
        _write(home, "new")
    assert _read(home) == ["new", "new"]


def test_a_failure_brings_the_old_one_back(home: Home) -> None:
    _write(home, "old")
    with pytest.raises(RuntimeError):
        _fail_while_replacing(home)
    assert _read(home) == ["old", "old"]


def test_a_failure_where_there_was_none_leaves_none(home: Home) -> None:
    with pytest.raises(RuntimeError):
        _fail_while_replacing(home)
    assert _read(home) == []


def test_a_process_killed_while_replacing_changed_nothing(home: Home, tmp_path: Path) -> None:
    _write(home, "old")
    killed = tmp_path / "killed"
    with replacing(home):
        _write(home, "half")
        shutil.copytree(home.data, killed)  # what lies on the disk at the moment of the kill
    shutil.rmtree(home.data)
    shutil.copytree(killed, home.data)
    undo_interrupted(home)
    assert _read(home) == ["old", "old"]
    undo_interrupted(home)
    assert _read(home) == ["old", "old"]
