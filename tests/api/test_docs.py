"""What the pages show can be done: code runs as it stands, documents are of the schema, queries are answered."""

import asyncio
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from graphql import GraphQLSchema, OperationDefinitionNode, parse, validate

from tests.api.conftest import Api, Caller
from tests.api.schema import committed_schema

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SENT = re.compile(r'\{"query": "(.*?)"\}')
"""A document in the body of a request, as curl sends it."""


class Example(NamedTuple):
    place: str
    language: str
    text: str


def _fenced() -> Iterator[Example]:
    for page in PAGES:
        for index, (language, text) in enumerate(FENCED.findall(page.read_text())):
            yield Example(f"{page.relative_to(ROOT)}-{index}", language, text)


def _sent() -> Iterator[Example]:
    for page in PAGES:
        for index, text in enumerate(SENT.findall(page.read_text())):
            yield Example(f"{page.relative_to(ROOT)}-sent-{index}", "graphql", text.replace('\\"', '"'))


def _asks(document: str) -> bool:
    """Whether it is one query that needs no variables: that can be sent as it stands, and changes nothing."""
    match parse(document).definitions:
        case (OperationDefinitionNode(operation=operation, variable_definitions=variables),):
            return operation.value == "query" and not variables
        case _:
            return False


CODE = [one for one in _fenced() if one.language in {"python", "sh"}]
DOCUMENTS = [one for one in (*_fenced(), *_sent()) if one.language == "graphql"]
QUERIES = [one for one in DOCUMENTS if _asks(one.text)]


@pytest.mark.parametrize("example", CODE, ids=lambda one: one.place)
async def test_an_example_runs(api: Api, example: Example) -> None:
    start = {"python": [sys.executable, "-c"], "sh": ["bash", "-euo", "pipefail", "-c"]}[example.language]
    process = await asyncio.create_subprocess_exec(
        *start,
        example.text,
        env={**os.environ, "TASKLORE_URL": api.service.url, "TASKLORE_KEY": api.keys["admin"]},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    assert b'"errors"' not in output


@pytest.fixture(scope="module")
def schema() -> GraphQLSchema:
    return committed_schema()


@pytest.mark.slow
@pytest.mark.parametrize("example", DOCUMENTS, ids=lambda one: one.place)
def test_a_document_is_of_the_schema(schema: GraphQLSchema, example: Example) -> None:
    assert not validate(schema, parse(example.text))


@pytest.mark.parametrize("example", QUERIES, ids=lambda one: one.place)
async def test_a_query_is_answered(admin: Caller, example: Example) -> None:
    assert await admin.ask(example.text)
