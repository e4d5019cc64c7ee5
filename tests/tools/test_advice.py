"""Recommendations as they are made, kept current, decided and forgotten; and warnings where a tool's work is used."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from service.access.audience import Access
from service.commands import RecordRef
from service.context.packets import ContextPacketInput, PacketReads
from service.context.scope import RunScopeInput, Scopes
from service.errors import TaskloreError
from service.records import Records
from service.tools.health import ToolHealths
from service.tools.known import ToolShelf
from service.tools.recommendations import Evaluations
from tests.cli.serving import tasklore
from tests.conftest import Server
from tests.tools.workshop import SOURCE, TOOL, Workshop, ago, ask, outcome

pytestmark = pytest.mark.slow

KEPT = (
    "MATCH (r:Recommendation) RETURN r.id AS id, r.state AS state, r.recommendation_kind AS kind, "
    "r.evidence_count AS evidence, r.data_class AS class, r.matter_ids AS matters, "
    "COUNT { (r)-[:SUPPORTED_BY]->() } AS links ORDER BY r.created_at"
)


async def test_a_recommendation_is_kept_current_and_made_anew_only_on_new_evidence(workshop: Workshop) -> None:
    evaluations = workshop.services[Evaluations]
    await workshop.taken(*(outcome(f"o{one}", "wrong_tool_boundary") for one in range(3)))
    assert [one.recommendation_kind.value for one in await evaluations.preview(await workshop.viewer())]
    assert await workshop.database.read(KEPT) == []
    await workshop.evaluate()
    [first] = await workshop.database.read(KEPT)
    assert (first["state"], first["kind"], first["evidence"], first["links"]) == ("open", "split_boundary", 3, 3)
    await workshop.taken(outcome("o3", "wrong_tool_boundary"))
    await workshop.evaluate()
    [same] = await workshop.database.read(KEPT)
    assert (same["id"], same["evidence"]) == (first["id"], 4)
    decided = await evaluations.decide(await workshop.viewer(), RecordRef(id=first["id"]), accept=False, note="No.")
    assert "tool.recommendation.rejected" in await workshop.events(decided.result["id"])
    await workshop.evaluate()
    assert len(await workshop.database.read(KEPT)) == 1
    await workshop.taken(outcome("o4", "wrong_tool_boundary"))
    await workshop.evaluate()
    assert [one["state"] for one in await workshop.database.read(KEPT)] == ["rejected", "open"]


async def test_what_nobody_decides_on_lapses(workshop: Workshop) -> None:
    evaluations = workshop.services[Evaluations]
    await workshop.taken(*(outcome(f"o{one}", "wrong_tool_boundary") for one in range(3)))
    await workshop.evaluate()
    [kept] = await workshop.database.read(KEPT)
    await workshop.database.run_alone(
        "MATCH (r:Recommendation) SET r.expires_at = $past WITH r MATCH (o:ToolOutcome) SET o.occurred_at = $old",
        past=ago(days=1),
        old=ago(days=60),
    )
    with pytest.raises(TaskloreError) as refused:
        await evaluations.decide(await workshop.viewer(), RecordRef(id=kept["id"]), accept=True, note=None)
    assert (refused.value.code, "expired" in refused.value.message) == ("recommendation_settled", True)
    assert await workshop.evaluate() == []
    assert [one["state"] for one in await workshop.database.read(KEPT)] == ["expired"]


async def test_what_still_holds_does_not_lapse_and_what_lapsed_is_recommended_anew(workshop: Workshop) -> None:
    """A timetable: as long as it is evaluated the split stays recommended; left alone it lapses, and comes anew.

    What was rejected comes back by no evaluation, however often, until another call is handed back.
    """
    evaluations = workshop.services[Evaluations]

    async def aged(**past: float) -> None:
        await workshop.database.run_alone("MATCH (r:Recommendation) SET r.expires_at = $at", at=ago(**past))

    await workshop.taken(*(outcome(f"o{one}", "wrong_tool_boundary") for one in range(3)))
    await workshop.evaluate()
    [first] = await workshop.database.read(KEPT)
    await aged(days=-5)
    await workshop.evaluate()
    row = await workshop.database.read_one("MATCH (r:Recommendation) RETURN r.id AS id, r.expires_at AS at")
    assert row
    assert (row["id"], row["at"] > ago(days=-25)) == (first["id"], True)
    assert "tool.recommendation.renewed" in await workshop.events(first["id"])
    await aged(days=1)
    await workshop.evaluate()
    [lapsed, anew] = await workshop.database.read(KEPT)
    assert (lapsed["id"], lapsed["state"], anew["state"], anew["links"]) == (first["id"], "expired", "open", 3)
    await evaluations.decide(
        await workshop.viewer(), RecordRef(id=anew["id"]), accept=False, note="One door is enough."
    )
    for _ in range(2):
        await workshop.evaluate()
    assert [one["state"] for one in await workshop.database.read(KEPT)] == ["expired", "rejected"]
    await workshop.taken(outcome("o9", "wrong_tool_boundary"))
    await workshop.evaluate()
    assert [one["state"] for one in await workshop.database.read(KEPT)] == ["expired", "rejected", "open"]


async def test_what_to_make_anew_and_what_to_repair_are_two_lists_with_reasons(workshop: Workshop) -> None:
    """A school: the substitute finder gives little, the room planner crashes, the bell lost its network."""

    def of(tool: str, kind: str, count: int, **more: object) -> list[dict[str, object]]:
        return [outcome(f"{tool} {kind} {one}", kind, tool={"key": tool}, **more) for one in range(count)]

    crashed = {"error_class": "tool", "error_message": "KeyError"}
    await workshop.taken(
        *of("substitute_finder", "low_utility", 3), *of("substitute_finder", "wrong_tool_boundary", 2),
        *of("room_planner", "execution_error", 3, **crashed), *of("room_planner", "success", 1),
        *of("bell", "execution_error", 4, error_class="environment"), *of("form", "success", 5),
        *of("parent_letter", "low_utility", 1), *of("parent_letter", "success", 6),
    )  # fmt: skip
    await workshop.evaluate()
    found = await workshop.services[ToolHealths].priorities(await workshop.viewer())
    assert [one.name for one in found.regenerate] == ["substitute_finder", "parent_letter"]
    assert found.regenerate[0].reasons == (
        "3 of 5 calls gave little, by its own word.",
        "2 of 5 calls were handed back, on extraction, transport.",
    )
    assert len(found.regenerate[0].recommendation_ids) == 1
    assert [(one.name, one.reasons) for one in found.repair] == [
        ("room_planner", ("3 of 4 calls failed by its own fault.",))
    ]
    assert (found.looked_at, found.truncated) == (5, False)
    one = await workshop.services[ToolHealths].priorities(await workshop.viewer(), 1)
    assert (len(one.regenerate), len(one.repair)) == (1, 1)


async def test_advice_is_as_closed_as_what_speaks_for_it(workshop: Workshop) -> None:
    matter = await workshop.matter()
    await workshop.new("Tool", name="Web fetcher", source=SOURCE, source_key=TOOL)
    closed = {"matter_ids": [matter], "method": "scrape"}
    await workshop.taken(*(outcome(f"o{one}", "low_utility", **closed) for one in range(2)))
    await workshop.taken(outcome("o9", method="scrape", ask={"key": "a1"}, matter_ids=[matter]))
    await workshop.asked(ask("a1", 0, matter_ids=[matter]), ask("a2", 3, matter_ids=[matter]))
    [advice] = await workshop.evaluate()
    assert (advice.recommendation_kind.value, advice.method_key, advice.evidence_count) == (
        "tighten_acceptance",
        "scrape",
        3,
    )
    [kept] = await workshop.database.read(KEPT)
    assert (kept["matters"], kept["links"]) == ([matter], 4)


async def test_what_is_erased_takes_its_outcomes_and_advice_along(workshop: Workshop) -> None:
    await workshop.ran({"event_id": "1", "kind": "run_started"})
    run = {"source": SOURCE, "key": "run-1"}
    why = {"boundary_axes": ["http"], "evidence": "Ravenscroft", "suggested_split": "Ravenscroft apart"}
    await workshop.taken(*(outcome(f"o{one}", "wrong_tool_boundary", run=run, metadata=why) for one in range(3)))
    await workshop.evaluate()
    ref = RecordRef(source=SOURCE, key="run-1")
    await workshop.services[Records].erase(await workshop.viewer(), ref, "asked to be forgotten")
    rows = await workshop.database.read("MATCH (n) RETURN properties(n) AS said")
    assert [row for row in rows if "Ravenscroft" in str(row["said"])] == []


async def test_a_packet_tells_of_a_badly_standing_tool_and_only_what_its_readers_may_know(workshop: Workshop) -> None:
    tool = await workshop.new("Tool", name="Web fetcher", source=SOURCE, source_key=TOOL)
    pages = await workshop.new("Capability", name="Pages", capability_kind="tool")
    await workshop.link(tool, "PROVIDES", pages)
    policy = await workshop.new("Policy", name="Pages", policy_kind="capability", valid_from="2020-01-01T00:00:00.000Z")
    await workshop.link(policy, "ALLOWS", pages)
    step = {"module_key": "draft", "activation_seq": 1}
    await workshop.ran(
        {"event_id": "1", "kind": "run_started", "task_key": "evaluate"},
        {"event_id": "2", "kind": "activation_started", **step, "module_type": "step.agent_task"},
    )
    run = RecordRef(source=SOURCE, key="run-1")
    await Scopes(workshop.services.ground.commands, workshop.database).open(await workshop.viewer(), RunScopeInput(run))
    matter = await workshop.matter()
    reads = workshop.services[PacketReads]
    asked = ContextPacketInput(run, "draft")
    await workshop.taken(*(outcome(f"c{one}", "low_utility", matter_ids=[matter]) for one in range(4)))
    hidden = await reads.preview(await workshop.viewer(), asked)
    assert [one.name for one in hidden.items] == ["Pages"]
    assert not [one for one in hidden.values["warnings"] if "capability" in one]
    ground = workshop.services.ground
    told = await ground.advise(await workshop.viewer(), [pages])
    assert [one.code for one in told] == ["warning.capability_historically_unreliable"]
    assert await ground.advise(await workshop.viewer(), [pages], Access()) == ()
    await workshop.taken(*(outcome(f"o{one}", "low_utility") for one in range(4)))
    warned = await reads.preview(await workshop.viewer(), asked)
    assert [one.name for one in warned.items] == ["Pages"]
    assert "warning.capability_historically_unreliable" in warned.values["warnings"]


async def test_a_tool_that_nobody_calls_is_told_as_unused(workshop: Workshop) -> None:
    tool = await workshop.new("Tool", name="Web fetcher", source=SOURCE, source_key=TOOL)
    pages = await workshop.new("Capability", name="Pages", capability_kind="tool")
    await workshop.link(tool, "PROVIDES", pages)
    ground = workshop.services.ground
    assert await ground.advise(await workshop.viewer(), [pages]) == ()
    long_ago = (datetime.now(UTC) - timedelta(days=200)).isoformat()
    await workshop.database.run_alone("MATCH (t:Tool) SET t.created_at = $at", at=long_ago)
    told = await ground.advise(await workshop.viewer(), [pages])
    assert [one.code for one in told] == ["warning.capability_historically_unused"]
    await workshop.taken(outcome("o1", occurred_at=ago(days=20)))
    assert await ground.advise(await workshop.viewer(), [pages]) == ()


async def test_a_builder_is_told_of_tools_by_meaning_and_of_reported_ones_by_name(reading_workshop: Workshop) -> None:
    shop = reading_workshop
    await shop.new("Tool", name="web_fetcher", summary="Gets pages from the web.", source=SOURCE, source_key=TOOL)
    await shop.new("Tool", name="calculator", summary="Adds and multiplies numbers.", source=SOURCE, source_key="calc")
    await shop.taken(outcome("1", tool={"key": "page_scraper"}), outcome("2"))
    await shop.embed()
    shelf = shop.services[ToolShelf]
    found = await shelf.known(await shop.viewer(), "scrape a page from the web")
    assert {one.name for one in found.tools} == {"web_fetcher", "page_scraper"}
    whole = await shelf.known(await shop.viewer(), None)
    assert len(whole.tools) == 3
    for field, budget, first in (("budget", 7, 10), ("first", 800, 0)):
        with pytest.raises(TaskloreError) as refused:
            await shelf.known(await shop.viewer(), None, budget, first)
        assert (refused.value.code, refused.value.field) == ("invalid_input", field)


async def test_the_command_line_recommends_and_a_dry_run_keeps_nothing(
    workshop: Workshop, neo4j_server: Server, tmp_path: Path
) -> None:
    await workshop.taken(*(outcome(f"o{one}", "wrong_tool_boundary") for one in range(3)))
    at = {"neo4j_uri": neo4j_server.uri, "neo4j_user": neo4j_server.user, "neo4j_password": neo4j_server.password}

    def command(*more: str) -> str:
        ended = tasklore("evaluate", "tools", *more, home=tmp_path, **at)
        assert ended.returncode == 0, ended
        return ended.stdout

    assert "split_boundary: web_fetcher" in command("--dry-run")
    assert await workshop.database.read(KEPT) == []
    assert "1 recommendations, kept" in command()
    [kept] = await workshop.database.read(KEPT)
    assert (kept["state"], kept["kind"]) == ("open", "split_boundary")
