"""Every example of the API's documentation runs as it stands."""

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest

from tests.api.conftest import Api

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text()
EXAMPLES = re.findall(r"^```(python|sh)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


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
