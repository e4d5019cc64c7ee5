"""Every example of the documentation of the API and of telemetry runs as it stands."""

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest

from tests.api.conftest import Api

DOCS = Path(__file__).parents[2] / "docs"
PAGES = "".join((DOCS / name).read_text() for name in ("api.md", "telemetry.md"))
EXAMPLES = re.findall(r"^```(python|sh)\n(.*?)^```$", PAGES, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("language", "code"), EXAMPLES, ids=range(len(EXAMPLES)))
async def test_an_example_runs(api: Api, language: str, code: str) -> None:
    command = [sys.executable, "-c", code] if language == "python" else ["bash", "-euo", "pipefail", "-c", code]
    process = await asyncio.create_subprocess_exec(
        *command,
        env={**os.environ, "TASKLORE_URL": api.service.url, "TASKLORE_KEY": api.keys["admin"]},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    assert b'"errors"' not in output
