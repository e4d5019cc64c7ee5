"""A commit whose answer is lost is found again and not repeated, in front of a real database."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest

from graph_schema.registry import REGISTRY
from service.access.viewer import OPERATOR
from service.commands.errors import CommandReused
from service.graph.connect import connect
from service.graph.database import Database
from service.graph.errors import CommitUnknown
from service.memory.reporting.answers import ReportOutcome
from service.memory.reporting.commands import Reporting
from service.principals.owner import operator_commands
from tests.bolt.cluster import BOOKMARK_TIMEOUT, Cluster, modes, started
from tests.bolt.fronting import Fronting
from tests.conftest import Server
from tests.viewers import viewer_of

MADE = """
RETURN COUNT { (:Principal {name: 'ada'}) } AS principals, COUNT { (:Command) } AS commands,
  COUNT { (:Event) } AS events
"""


@pytest.fixture
async def cluster(neo4j_server: Server) -> AsyncGenerator[Cluster]:
    async with started(Fronting(neo4j_server.uri)) as cluster:
        yield cluster


@pytest.fixture
async def routed(database: Database, cluster: Cluster, neo4j_server: Server) -> AsyncGenerator[Database]:
    """The empty graph, by way of the cluster."""
    routed = await connect(cluster.uri, neo4j_server.user, neo4j_server.password, "neo4j")
    cluster.asked.clear()
    yield routed
    await routed.close()


async def _made(database: Database) -> dict[str, Any]:
    row = await database.read_one(MADE)
    assert row
    return row


@pytest.mark.parametrize("trouble", ["before", "after", "leader"])
async def test_a_command_happens_once(trouble: str, database: Database, routed: Database, cluster: Cluster) -> None:
    if trouble == "leader":
        cluster.on("COMMIT", then=cluster.lead("two"))
    else:
        cluster.on("COMMIT", lost=trouble)
    created = await operator_commands(routed).create_principal(OPERATOR, {"name": "ada"}, command_id="once")
    assert await _made(database) == {"principals": 1, "commands": 1, "events": 1}
    again = await operator_commands(routed).create_principal(OPERATOR, {"name": "ada"}, command_id="once")
    assert (again.result, again.replayed, created.replayed) == (created.result, True, False)
    assert await _made(database) == {"principals": 1, "commands": 1, "events": 1}


async def test_whether_it_was_carried_out_already_is_asked_of_the_leader(routed: Database, cluster: Cluster) -> None:
    """A reader may not have it yet, and would take the command for another with the same name."""
    commands = operator_commands(routed)
    await commands.create_principal(OPERATOR, {"name": "ada"}, command_id="once")
    cluster.asked.clear()
    await commands.create_principal(OPERATOR, {"name": "ada"}, command_id="once")
    with pytest.raises(CommandReused):
        await commands.create_principal(OPERATOR, {"name": "eve"}, command_id="once")
    assert {*modes(cluster.runs("RETURN command.command"))} == {("one", "w")}


async def test_a_command_that_is_never_answered_says_how_to_find_out(
    database: Database, routed: Database, cluster: Cluster
) -> None:
    cluster.on("COMMIT", times=99, lost="before")
    with pytest.raises(CommitUnknown) as told:
        await operator_commands(routed).create_principal(OPERATOR, {"name": "ada"}, command_id="once")
    assert "commandId" in (told.value.remedy or "")
    assert (await _made(database))["principals"] == 0


@pytest.mark.parametrize(("lost", "outcome"), [("before", "accepted"), ("after", "duplicate")])
async def test_so_do_reports(lost: str, outcome: str, database: Database, routed: Database, cluster: Cluster) -> None:
    event: dict[str, Any] = {
        "event_id": "e1",
        "kind": "run_started",
        "occurred_at": "2026-01-31T09:30:00.000Z",
        "run": {"source": "cluster", "key": "r1"},
        "policy": {"memory_mode": "standard", "data_class": "internal", "matter_ids": []},
    }
    told: list[bool] = []
    viewer = await viewer_of(database)
    cluster.on("COMMIT", lost=lost)
    [answer] = await Reporting(routed, REGISTRY, told.append).report(viewer, [event])
    assert answer.outcome is ReportOutcome(outcome)
    assert told == [True]
    [counted] = await database.read("MATCH (e:Event) RETURN count(e) AS events, count(DISTINCT e.kind) AS kinds")
    assert counted["events"] == counted["kinds"]
    assert await database.read("MATCH (r:Run) RETURN count(r) AS runs") == [{"runs": 1}]


async def test_a_bookmark_that_the_leader_has_not_yet_is_waited_for(routed: Database, cluster: Cluster) -> None:
    """A new leader may be behind for a moment; the driver begins such a transaction again."""
    cluster.on("BEGIN", code=BOOKMARK_TIMEOUT)
    await operator_commands(routed).create_principal(OPERATOR, {"name": "ada"})
    assert (await _made(routed))["principals"] == 1
