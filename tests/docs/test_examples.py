"""Every fenced block of every page is run, or says why not; what is shown after it is what it answers."""

import pytest
from graphql import GraphQLSchema, OperationDefinitionNode, parse, validate

from tests.api.schema import committed_schema
from tests.docs.pages import PAGES, PICTURES, Block, Example, Page, read_page
from tests.docs.running import Reader

FIRST = ("README.md", "docs/quickstart.md")
"""Of those that change something, or might: what a newcomer types into an untouched world."""
READ = {page.name: page for page in map(read_page, PAGES)}


def _reads_only(example: Example) -> bool:
    if example.block.language == "cypher":
        return True
    return example.block.language == "graphql" and all(
        not isinstance(one, OperationDefinitionNode) or one.operation.value == "query"
        for one in parse(example.block.text).definitions
    )


def _in_order() -> list[tuple[str, Example]]:
    """Those that only read come first, so that what one page changes makes no other page untrue."""
    examples = [(page.name, one) for page in READ.values() for one in page.examples]
    reading = [page.name for page in READ.values() if all(map(_reads_only, page.examples))]
    order = [*reading, *FIRST, *READ]
    return sorted(examples, key=lambda one: order.index(one[0]))


@pytest.fixture(scope="module")
async def followed(reader: Reader) -> dict[str, list[str]]:
    """By page, what of it is untrue. All pages are followed once, in one order, whatever the order of the tests."""
    untrue: dict[str, list[str]] = {name: [] for name in READ}
    for name, example in _in_order():
        if wrong := await reader.follow(example):
            untrue[name].append(f"{example.block.place}: {wrong}")
    return untrue


@pytest.mark.parametrize("name", READ)
async def test_a_page_is_true(followed: dict[str, list[str]], name: str) -> None:
    assert not followed[name], "\n\n".join(followed[name])


@pytest.mark.parametrize("page", READ.values(), ids=READ)
def test_a_page_is_written_by_the_rules(page: Page) -> None:
    assert not page.wrong


@pytest.fixture(scope="module")
def schema() -> GraphQLSchema:
    return committed_schema()


DOCUMENTS = [one for page in READ.values() for one in (*(of.block for of in page.examples), *page.others)]


@pytest.mark.slow
def test_every_document_is_of_the_schema_run_or_not(schema: GraphQLSchema) -> None:
    wrong: dict[str, object] = {}
    for block in (one for one in DOCUMENTS if one.language == "graphql"):
        if errors := validate(schema, parse(block.text)):
            wrong[block.place] = errors
    assert not wrong


def test_blocks_that_are_not_run_say_why() -> None:
    blocks: list[Block] = [one for page in READ.values() for one in page.others if one.language not in PICTURES]
    assert all(len((one.reason or "").split()) >= 2 for one in blocks)
