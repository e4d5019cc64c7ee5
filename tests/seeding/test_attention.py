"""What the sample world tells of users at work: watched in the shadow, and asked where somebody allows it."""

from service.attention.deciding.replay import AttentionTraces
from service.attention.inbox.read import Inboxes
from service.attention.inbox.sources import InboxSource
from service.graph.database import Database
from service.runtime.compose import services_alone
from tests.viewers import viewer_of


async def test_what_was_watched_is_kept_where_it_may_speak_somebody_is_asked_and_all_of_it_replays(
    told: Database,
) -> None:
    rows = await told.read(
        "MATCH (t:PolicyTrace)-[:DECIDED_IN]->(s:AttentionSession) WHERE s.session_source = 'sample' "
        "RETURN t.id AS id, s.session_key AS session, t.mode AS mode, t.moments AS moments, "
        "t.withheld_count AS withheld, t.emitted_count AS emitted ORDER BY t.decided_at"
    )
    desk, reading, undoing, bench = rows
    assert (desk["session"], desk["mode"], desk["moments"], desk["withheld"]) == (
        "deadline-desk",
        "shadow",
        ["finding"],
        1,
    )
    assert {row["session"] for row in (reading, undoing)} == {"reading-room"}
    assert "hesitation" not in reading["moments"], "the rule of the office lets somebody read"
    assert undoing["moments"][0] == "overload"
    assert (bench["session"], bench["mode"], bench["moments"][0]) == ("workbench", "advisory", "finding")
    assert [row["emitted"] > 0 for row in rows] == [False, False, False, True]
    traces, viewer = services_alone(told)[AttentionTraces], await viewer_of(told)
    for row in rows:
        assert (await traces.replay(viewer, row["id"])).outcome.value == "identical"


async def test_the_inbox_of_a_curator_has_gates_and_proposals(told: Database) -> None:
    inbox = await services_alone(told)[Inboxes].of(await viewer_of(told, "prin_reader"), first=50)
    sources = {one.source for one in inbox.items}
    assert {InboxSource.gate_waiting, InboxSource.proposal_for_review} <= sources
    assert InboxSource.directive not in sources, "what somebody else was asked is in nobody else's inbox"
