from pathlib import Path

import pytest

from service.graph.local import java
from service.graph.local.errors import JavaMissing


def _fake_java(folder: Path, version: str) -> Path:
    """Answers `-version` on stderr, as the real ones do."""
    folder.mkdir(parents=True)
    script = folder / "java"
    script.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2021-01-19' >&2\n")
    script.chmod(0o755)
    return script


def test_java_home_comes_before_the_path(tmp_path: Path) -> None:
    at_home = _fake_java(tmp_path / "home" / "bin", "21.0.8")
    on_path = _fake_java(tmp_path / "path", "17.0.15")
    environ = {"JAVA_HOME": str(tmp_path / "home"), "PATH": str(on_path.parent)}
    assert java.find_java(print, environ) == java.Java(at_home, 21)


@pytest.mark.parametrize(("version", "shown"), [("11.0.2", "11"), ("1.8.0_292", "8"), ("24", "24")])
def test_another_version_is_named_and_passed_over(tmp_path: Path, version: str, shown: str) -> None:
    old = _fake_java(tmp_path / "home" / "bin", version)
    on_path = _fake_java(tmp_path / "path", "17.0.15")
    lines: list[str] = []
    environ = {"JAVA_HOME": str(tmp_path / "home"), "PATH": str(on_path.parent)}
    assert java.find_java(lines.append, environ) == java.Java(on_path, 17)
    assert lines == [f"Passed over Java {shown} at {old} (JAVA_HOME): Neo4j needs 17 or 21"]


def test_one_that_does_not_run_is_passed_over(tmp_path: Path) -> None:
    broken = _fake_java(tmp_path / "home" / "bin", "17")
    broken.write_text("no program")
    on_path = _fake_java(tmp_path / "path", "21")
    lines: list[str] = []
    environ = {"JAVA_HOME": str(tmp_path / "home"), "PATH": str(on_path.parent)}
    assert java.find_java(lines.append, environ).path == on_path
    assert "unknown version" in lines[0]


def test_without_any_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(java, "WHEEL", "a_wheel_that_nobody_has")
    monkeypatch.setattr(java, "WHEEL_LOCK", tmp_path / "absent.lock")
    with pytest.raises(JavaMissing) as missing:
        java.find_java(print, {"PATH": ""})
    assert "JAVA_HOME" in missing.value.one_line()
