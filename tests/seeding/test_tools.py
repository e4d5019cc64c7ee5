"""What the sample world tells of its tools: one showed its limits in a week of February."""

from datetime import UTC, datetime

from service.graph.database import Database
from service.tools.health import ToolHealths
from service.tools.limits import Limits
from service.tools.vocabulary import vocabulary_of
from tests.viewers import viewer_of


async def test_the_fetcher_was_asked_for_what_is_not_its_job(told: Database) -> None:
    row = await told.read_one("MATCH (t:Tool {source_key: 'web_fetcher'}) RETURN t.id AS id")
    assert row
    healths = ToolHealths(told, vocabulary_of(), Limits())
    health = await healths.of(await viewer_of(told, matters=[]), row["id"], datetime(2026, 2, 6, tzinfo=UTC))
    assert (health.outcomes, health.wrong_tool_boundary_recent, health.low_utility_recent) == (6, 3, 1)
    assert (health.user_corrections_recent, health.cohesion_warning) == (1, True)
    assert health.boundary_axes_top == ("extraction", "rendering", "transport")
    assert [one.error_class.value for one in health.errors] == ["environment"]


async def test_methods_are_tied_to_their_tools_and_only_some_judge_themselves(told: Database) -> None:
    rows = await told.read(
        "MATCH (m:ToolMethod)-[:METHOD_OF]->(t:Tool) WHERE t.source = 'sample' "
        "RETURN t.name + '.' + m.name AS method, m.world AS world ORDER BY method"
    )
    assert {row["method"]: row["world"] for row in rows} == {
        "calculator.add": "deterministic",
        "citation_checker.check": "open_world",
        "feed_reader.latest": "open_world",
        "web_fetcher.extract": "open_world",
        "web_fetcher.fetch_url": "open_world",
    }
