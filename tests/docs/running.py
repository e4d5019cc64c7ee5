"""Running one example of a page against a service, as a reader would."""

import asyncio
import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, LiteralString, cast

import httpx

from service.graph.database import Database
from tests.cli.serving import tasklore
from tests.docs.compare import Lines, shows_json, shows_text, texts
from tests.docs.pages import Example

ADDRESS = "http://127.0.0.1:8000"
"""Where the pages say that the service is."""
SHELL = re.compile(r"[|<>;&`$]")
"""What only a shell understands."""
_TAKEN = re.compile(r'"<(\w+)>"')
"""In variables: what the last answer on the page calls so."""


@dataclass(frozen=True)
class Reader:
    """Somebody who follows a page: a service with the sample world, the owner's key, an empty folder."""

    url: str
    key: str
    home: Path
    folder: Path
    database: Database
    settings: dict[str, str]
    answers: dict[str, list[Any]] = field(default_factory=dict[str, list[Any]])
    """By page, what its documents answered so far."""

    @property
    def environment(self) -> dict[str, str]:
        own = {"HOME": str(self.home), "TASKLORE_URL": self.url, "TASKLORE_KEY": self.key}
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        settings = {f"TASKLORE_{name.upper()}": value for name, value in self.settings.items()}
        return os.environ | settings | own | {"PATH": path, "COLUMNS": "120"}

    async def follow(self, example: Example) -> str | None:
        """What is untrue of it, if anything."""
        match example.block.language:
            case "graphql":
                return await self._ask(example)
            case "cypher":
                return await self._query(example)
            case "console":
                return await self._type(example)
            case _:
                return await self._program(example)

    async def _ask(self, example: Example) -> str | None:
        answers = self.answers.setdefault(example.block.page, [])
        variables: dict[str, Any] = json.loads(_filled(example.variables.text, answers)) if example.variables else {}
        headers = {"authorization": f"Bearer {self.key}"}
        async with httpx.AsyncClient(base_url=self.url, headers=headers, timeout=60) as client:
            sent: dict[str, Any] = {"query": example.block.text, "variables": variables}
            answer = (await client.post("/graphql", json=sent)).json()
        answers.append(answer)
        shown = example.shown
        if "errors" in answer and not (shown and '"errors"' in shown.text):
            return f"it is refused: {answer['errors']}"
        if shown is None:
            return None
        is_shown = shows_json(shown.text, answer) if shown.language == "json" else shows_text(shown.text, texts(answer))
        return None if is_shown else f"it answers\n{json.dumps(answer, ensure_ascii=False, indent=1)}"

    async def _query(self, example: Example) -> str | None:
        rows = await self.database.read(cast("LiteralString", example.block.text))
        return None if rows else "it finds nothing in the sample world"

    async def _program(self, example: Example) -> str | None:
        start = {"python": [sys.executable, "-c"], "sh": ["bash", "-euo", "pipefail", "-c"]}[example.block.language]
        code, output = await self._run(*start, example.block.text.replace(ADDRESS, self.url))
        if code or '"errors"' in output:
            return f"it ends with {code}:\n{output}"
        shown = example.shown
        if shown is None:
            return None
        is_shown = (
            shows_json(shown.text, _value(output)) if shown.language == "json" else shows_text(shown.text, output)
        )
        return None if is_shown else f"it answers\n{output}"

    async def _type(self, example: Example) -> str | None:
        """Each command of a session, with what it printed."""
        for command, shown in _session(example.block.text):
            code, output = await self._command(command.replace(ADDRESS, self.url))
            if code and not shown:
                return f"`{command}` ends with {code}:\n{output}"
            if not _is_shown(shown, output):
                return f"`{command}` answers\n{output}"
        return None

    async def _command(self, command: str) -> tuple[int, str]:
        words = shlex.split(command.replace("\\\n", " "), comments=True)
        if words[0] == "tasklore" and not SHELL.search(command):
            with chdir(self.folder):
                ended = tasklore(*words[1:], url=self.url, **self.settings)
            return ended.returncode, ended.stderr + ended.stdout
        return await self._run("bash", "-euo", "pipefail", "-c", command)

    async def _run(self, *arguments: str) -> tuple[int, str]:
        process = await asyncio.create_subprocess_exec(
            *arguments,
            env=self.environment,
            cwd=self.folder,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await process.communicate()
        return process.returncode or 0, output.decode().replace(self.url, ADDRESS)


def _filled(variables: str, answers: list[Any]) -> str:
    return _TAKEN.sub(lambda found: json.dumps(_named(found[1], answers)), variables)


def _named(name: str, answers: list[Any]) -> Any:
    """The value that goes by this name in the newest answer that has one."""
    for answer in reversed(answers):
        for value in _values(name, answer):
            return value
    raise LookupError(f"no answer before has {name}")


def _values(name: str, value: Any) -> Iterator[Any]:
    match value:
        case dict():
            known = cast("dict[str, Any]", value)
            if known.get(name) is not None:
                yield known[name]
            for one in known.values():
                yield from _values(name, one)
        case list():
            for one in cast("list[Any]", value):
                yield from _values(name, one)
        case _:
            return


def _session(text: str) -> list[tuple[str, str]]:
    """Commands begin with `$ `, and go on where a line ends with a backslash. The rest is what they printed."""
    session: list[tuple[str, str]] = []
    goes_on = False
    for line in text.splitlines():
        if line.startswith("$ "):
            session.append((line[2:], ""))
        elif goes_on:
            session[-1] = (f"{session[-1][0]}\n{line}", "")
        else:
            session[-1] = (session[-1][0], f"{session[-1][1]}{line}\n")
            continue
        goes_on = line.endswith("\\")
    return session


def _is_shown(shown: str, output: str) -> bool:
    if shown.lstrip().startswith(("{", "[")):
        return shows_json(shown, _value(output))
    return shows_text(shown, output)


def _value(output: str) -> object:
    """A JSON value, or the lines of several."""
    try:
        return json.loads(output)
    except ValueError:
        return Lines(json.loads(line) for line in output.splitlines() if line.strip())
