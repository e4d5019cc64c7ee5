"""What the sample world has learned about suggestions: one class is muted, one boosted, and a directive is proposed."""

from service.graph.database import Database
from service.routing.agent.read import AgentProfiles
from service.routing.feedback.read import RoutingState, RoutingStates
from service.routing.feedback.rules import Limits
from service.seeding import read_world
from tests.viewers import viewer_of


async def state(told: Database, context_class: str) -> RoutingState:
    return await RoutingStates(told, Limits()).of(await viewer_of(told, matters=[]), context_class)


async def test_one_class_is_muted_and_one_boosted(told: Database) -> None:
    muted = await state(told, "code_review/review/engineering")
    assert (muted.muted, muted.refusals, len(muted.evidence_ids)) == (True, 3, 3)
    boosted = await state(told, "complaint_evaluation/review/legal")
    assert (boosted.boosted, boosted.acceptances) == (True, 3)
    assert not (await state(told, "general/find/general")).known


async def test_what_repeats_itself_is_proposed_and_waits(told: Database) -> None:
    rows = await told.read(
        "MATCH (d:InvocationDirective {lifecycle_state: 'candidate'}) "
        "RETURN d.name AS name, d.trigger_phrases AS phrases, d.recommended_lifecycle AS becomes, "
        "COUNT { (d)-[:LEARNED_FROM]->(:InvocationTrace) } AS traces, "
        "COLLECT { MATCH (d)-[:TARGETS]->(t) RETURN t.name } AS targets ORDER BY name"
    )
    found = {row["becomes"]: (row["phrases"], row["traces"], row["targets"]) for row in rows}
    assert found == {
        "memory_directive_candidate": (["complaint audit"], 3, ["Complaint Evaluation"]),
        "suppress_task_suggestion_rule": ([], 3, []),
    }


async def test_directives_are_active_and_the_task_agent_is_registered(told: Database) -> None:
    taught = [one.key for one in read_world().records if one.label == "InvocationDirective"]
    rows = await told.read("MATCH (d:InvocationDirective {lifecycle_state: 'active'}) RETURN d.source_key AS key")
    assert {row["key"] for row in rows} == {*taught}
    agent = await AgentProfiles(told).now(await viewer_of(told))
    assert (agent.available, len(agent.record_ids), agent.degraded) == (True, 4, ())
