"""The sentences of docs/lineage.md are those that the sample world answers."""

import re
from pathlib import Path

from graph_schema.registry import REGISTRY
from resolvers.engine.context import Context
from resolvers.schema import build_schema
from service.graph.database import Database
from service.memory.lineage import Lineages
from tests.viewers import viewer_of

PAGE = (Path(__file__).parents[2] / "docs/lineage.md").read_text()
TOLD = re.findall(r"^```graphql\n(\{ (provenance|impact)\(.+?)\n```\n\nanswers\n\n((?:    .+\n)+)", PAGE, re.MULTILINE)


async def test_the_page_tells_what_is_answered(told: Database) -> None:
    context = Context(await viewer_of(told), told, "req_1", {Lineages: Lineages(told, REGISTRY)})
    assert [field for _, field, _ in TOLD] == ["provenance", "impact"]
    for document, field, sentence in TOLD:
        answer = await build_schema().execute(document, context_value=context)
        assert not answer.errors
        assert answer.data
        assert answer.data[field]["sentence"] == " ".join(sentence.split())
