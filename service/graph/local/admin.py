"""Neo4j's own admin tool, for what can only be done while the server is stopped."""

import subprocess
import tempfile
from pathlib import Path
from typing import IO

from service.graph.local.errors import AdminFailed
from service.graph.local.home import Home
from service.graph.local.provision import Installation

MAIN_CLASS = "org.neo4j.cli.AdminTool"
DATABASE = "neo4j"
QUICK_START = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m")


class Admin:
    def __init__(self, home: Home, installation: Installation) -> None:
        self._home = home
        self._installation = installation

    def set_initial_password(self, password: str) -> None:
        # Through a file that only we can read: the arguments of a process are visible to everybody on the machine.
        with tempfile.NamedTemporaryFile("w", dir=self._home.root) as arguments:
            arguments.write(f"{MAIN_CLASS} dbms set-initial-password {password}\n")
            arguments.flush()
            self._run("set the initial password", [f"@{arguments.name}"])

    def dump(self, target: Path) -> None:
        with target.open("wb") as output:
            self._run("write the backup", [MAIN_CLASS, "database", "dump", DATABASE, "--to-stdout"], output=output)

    def load(self, source: Path) -> None:
        with source.open("rb") as archive:
            self._run("read the backup", [MAIN_CLASS, "database", "load", DATABASE, "--from-stdin"], archive=archive)

    def _run(
        self,
        task: str,
        arguments: list[str],
        archive: IO[bytes] | None = None,
        output: IO[bytes] | None = None,
    ) -> None:
        done = subprocess.run(  # noqa: S603 - our own Java with arguments of our own
            [str(self._installation.java.path), *QUICK_START, *arguments],
            env={
                **self._installation.environment(),
                "NEO4J_HOME": str(self._home.root),
                "NEO4J_CONF": str(self._home.conf),
            },
            stdin=archive or subprocess.DEVNULL,
            stdout=output or subprocess.PIPE,
            stderr=subprocess.PIPE,
            check=False,
        )
        if done.returncode:
            raise AdminFailed(task, _reason(done.stderr or done.stdout or b""))


def _reason(output: bytes) -> str:
    """The tool's message without its stack trace, which follows in indented lines."""
    lines = output.decode(errors="replace").splitlines()
    told = [line for line in lines if line.strip() and not line.startswith(("\t", " ", "Caused by", "Suppressed"))]
    return " ".join(told[:3]) or "it gave no reason."
