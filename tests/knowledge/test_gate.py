"""What an agent saves was examined before, as it is; and what the profile says of a pack that is behind holds."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.knowledge.words import PreflightStatus, StalePackBehavior
from service.access.audience import audience_of
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.graph.database import Database
from service.knowledge.errors import GraphNotExamined, PackBehind
from service.library.commands import Library
from service.library.graphs import GraphInput
from service.records import Records
from service.runtime.compose import services_alone
from tests.knowledge.desk import Desk, graph
from tests.knowledge.test_preflight import GATED, MAILED
from tests.laws import law

MODULES = ["file", "write", "send"]
BROKEN: dict[str, Any] = {**MAILED, "cables": ["file.file > write.nowhere", "write.data_out > send.content"]}


async def _own(desk: Desk, agent: Viewer) -> str:
    saved = await desk.services[Records].save(agent, "Template", {"name": "Mine"})
    await desk.services[Library].save_graph(await desk.viewer(), RecordRef(id=saved.result["id"]), graph(BROKEN))
    return saved.result["id"]


async def _save(desk: Desk, agent: Viewer, of: str, told: GraphInput) -> dict[str, Any]:
    return (await desk.services[Library].save_graph(agent, RecordRef(id=of), told)).result


async def test_an_agent_saves_what_was_examined_and_nothing_else(desk: Desk) -> None:
    agent = await desk.agent()
    of = await _own(desk, agent)
    with pytest.raises(GraphNotExamined) as unseen:
        await _save(desk, agent, of, graph(GATED))
    assert (unseen.value.code, unseen.value.field) == ("validation.graph_proposal_not_preflighted", "graph")
    await desk.keep(None, agent, graph=MAILED)
    with pytest.raises(GraphNotExamined):
        await _save(desk, agent, of, graph(GATED))
    examined = await desk.keep(None, agent, graph=GATED)
    told = await desk.database.read("MATCH (e:Event {about: $id}) RETURN e.kind AS kind", id=examined)
    assert {"kind": "task.agent.preflight.completed"} in [dict(row) for row in told]
    assert (await _save(desk, agent, of, graph(GATED)))["changed"]
    # What was found to have something to be mended is refused with what it is; a person saves as they like.
    await desk.keep(None, agent, graph=BROKEN)
    with pytest.raises(GraphNotExamined) as blocked:
        await _save(desk, agent, of, graph(BROKEN))
    assert "validation.graph_port_unknown" in blocked.value.message
    await desk.services[Library].save_graph(await desk.viewer(), RecordRef(id=of), graph(BROKEN))
    # The profile may waive it.
    values = {"name": "Free", "require_preflight_before_save": False}
    await desk.services[Records].save(await desk.viewer(), "EducationProfile", values)
    assert (await _save(desk, agent, of, graph(MAILED)))["changed"]


async def test_a_pack_that_is_behind_holds_agents_as_the_profile_says(bare: Desk) -> None:
    desk = bare
    await desk.new("Task")
    agent = await desk.agent()
    of = await _own(desk, agent)
    told = graph(GATED)
    await desk.database.run_alone(
        "CREATE (:KnowledgePack:Record {id: 'kpack_1', name: 'Pack', pack_state: 'stale', blocking_drift: true, "
        "compiled_at: '2026-01-01T00:00:00.000Z', audience: $audience})",
        audience=audience_of("internal", ()),
    )
    for behaviour in StalePackBehavior:
        values = {"name": "Careful", "stale_pack_behavior": behaviour.value, "require_preflight_before_save": False}
        await desk.services[Records].save(await desk.viewer(), "EducationProfile", values)
        if behaviour is StalePackBehavior.use_live_catalog_and_warn:
            assert (await _save(desk, agent, of, told))["id"]
            continue
        with pytest.raises(PackBehind) as refused:
            await _save(desk, agent, of, told)
        assert (refused.value.code, refused.value.field) == ("validation.task_knowledge_pack_stale_blocking", "graph")


_CABLES = st.lists(
    st.tuples(st.sampled_from(MODULES), st.sampled_from(["file", "data_out", "nothing"]), st.sampled_from(MODULES),
              st.sampled_from(["files_in", "data_in", "content"])),
    max_size=4,
)  # fmt: skip


@pytest.mark.slow
@law(6)
@given(_CABLES)
async def test_a_preflight_without_blocking_issues_and_a_save_of_the_same_hash_never_disagree(
    database: Database, cables: list[tuple[str, str, str, str]]
) -> None:
    desk = Desk(database, services_alone(database))
    if not (await desk.database.read("MATCH (t:Port) RETURN t LIMIT 1")):
        await desk.catalogue()  # once for all examples
    agent = await desk.agent()
    of = await _own(desk, agent)
    told = {"modules": MAILED["modules"], "cables": sorted({f"{a}.{b} > {c}.{d}" for a, b, c, d in cables})}
    report = await desk.examine(None, graph=told)
    await desk.keep(None, agent, graph=told)
    if report.status is PreflightStatus.blocked:
        with pytest.raises(GraphNotExamined):
            await _save(desk, agent, of, graph(told))
    else:
        assert (await _save(desk, agent, of, graph(told)))["id"]
