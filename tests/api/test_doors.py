"""Every door for bodies has a limit of size, and what is larger is refused before it is looked at."""

import json
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from service.access.perimeter import DEFAULT_BODY_BYTES, KEYLESS_BODY_BYTES
from service.attention.capability import AGENT_EVENTS
from service.mcp import MCP, MCP_FULL
from tests.api.conftest import Caller

CONTRACT = Path(__file__).parents[2] / "docs/schemas/openapi.json"
FORM = "application/x-www-form-urlencoded"
WITH_KEY = ("/graphql", MCP, MCP_FULL, AGENT_EVENTS, "/do/apply-proposal")
MCP_ACCEPT = {"accept": "application/json, text/event-stream"}
"""Without it that door refuses before it looks at the body at all."""

WITHOUT = ("/signin", "/signout")


def _told() -> list[str]:
    """The doors of the contract that take bodies."""
    paths: dict[str, dict[str, object]] = json.loads(CONTRACT.read_text())["paths"]
    return [path for path, methods in paths.items() if "post" in methods]


async def _in_parts(size: int) -> AsyncGenerator[bytes]:
    """A body that does not announce how long it is."""
    part = b"x" * 1_000_000
    for _ in range(size // len(part) + 1):
        yield part


@pytest.mark.parametrize("path", [*WITH_KEY, *_told()])
@pytest.mark.parametrize("announced", [True, False])
async def test_a_door_takes_no_more_than_a_body_may_have(admin: Caller, path: str, announced: bool) -> None:
    size = DEFAULT_BODY_BYTES + 1
    body = b"x" * size if announced else _in_parts(size)
    headers = {"content-type": "application/json"} | (MCP_ACCEPT if path.startswith(MCP) else {})
    answer = await admin.client.post(path, content=body, headers=headers)
    assert answer.status_code == 413, answer.text
    if announced:  # of parts the agent's door has had enough before the guard has
        assert answer.json()["errors"][0]["extensions"]["code"] == "body_too_large"


@pytest.mark.parametrize("path", WITHOUT)
async def test_a_door_for_strangers_takes_little(nobody: Caller, path: str) -> None:
    answer = await nobody.client.post(path, content=b"x" * (KEYLESS_BODY_BYTES + 1), headers={"content-type": FORM})
    assert answer.status_code == 413, answer.text
