"""The packet of the sample world's email run: what its module was given, and what was kept from it."""

from collections import defaultdict

from resolvers.engine.context import Context
from resolvers.schema import build_schema
from service.context.packets import PacketReads
from service.context.packets.packet import Packet
from service.graph.database import Database
from tests.viewers import viewer_of


async def _packet(database: Database) -> Packet:
    row = await database.read_one(
        "MATCH (:Run {source_key: 'run-marex-filing-alert'})-[:HAS_PACKET]->(p:ContextPacket) RETURN p.id AS id"
    )
    assert row
    return await PacketReads(database).stored(await viewer_of(database), row["id"])


async def test_the_packet_of_the_filing_alert_is_as_the_story_tells(told: Database) -> None:
    packet = await _packet(told)
    given: dict[str, set[str]] = defaultdict(set)
    for one in packet.items:
        given[one.layer].add(one.name)
    assert given["entity_cards"] == {"Marex", "Draft Complaint"}
    assert given["preferences"] == {"Issue matrix for evaluations"}
    assert given["tools"] == {"Retrieve document pages", "Citation checker", "PACER docket search"}
    assert "Selected complaint and exhibits" in given["documents"]
    assert given["prompt_or_evaluation_guidance"]
    assert {one.layer for one in packet.items if one.use == "follow"} >= {"restrictions", "preferences"}
    kept = {one.name: one.code for one in packet.excluded}
    assert kept["DOC73 spec review"] == "surface_context_not_applicable"
    assert kept["CSA research"] == "wrong_library"
    assert kept["Narayanan docket monitor"] == "low_relevance"
    assert packet.values["surface_context_used"] is False


async def test_one_receipt_stands_for_all_runs_of_a_task(told: Database) -> None:
    packet = await _packet(told)
    [monitor] = [one for one in packet.excluded if one.name == "Narayanan docket monitor"]
    assert monitor.count == 30
    assert monitor.listing
    listed = await told.read(monitor.listing.cypher)  # pyright: ignore[reportArgumentType] - as the receipt offers it
    assert len(listed) == monitor.count
    context = Context(await viewer_of(told), told, "req_1")
    answer = await build_schema().execute(monitor.listing.document, context_value=context)
    assert not answer.errors
    assert answer.data
    assert answer.data["node"]["runs"]["totalCount"] == monitor.count


async def test_somebody_of_another_matter_sees_no_packet_and_learns_nothing_of_it(told: Database) -> None:
    rows = await told.read("MATCH (m:Matter {name: 'Narayanan'}) RETURN m.id AS id")
    viewer = await viewer_of(told, "prin_other", matters=[rows[0]["id"]], scopes=())
    seen = await told.read(
        "MATCH (p:ContextPacket) WHERE p.audience IN $audiences RETURN p.id AS id", audiences=viewer.audiences
    )
    assert seen == []
