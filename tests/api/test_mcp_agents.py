"""The agent's door for agents: a packet for a module at work, a design, a proposal, and nothing that is a person's."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest

from service.mcp.output import DEFAULT_TOKENS, LEFT_OUT, tokens_of
from service.mcp.tools import TOOLS
from tests.api.conftest import Api, Caller
from tests.api.door import GRAPH, arguments_for, call, client_of, text_of
from tests.memory.stories import Story, step
from tests.names import api_keys

SOURCE = "agents-door"
AWAY = """
MATCH (run:Run {source: $source})
OPTIONAL MATCH (n:Record) WHERE n.run_id = run.id OR n.source = $source
DETACH DELETE n, run
"""


@pytest.fixture(scope="module", autouse=True)
async def _nothing_left(api: Api) -> AsyncGenerator[None]:
    yield
    await api.database.run_alone(AWAY, source=SOURCE)


async def at_work(admin: Caller, key: str) -> str:
    """A run whose scope is settled, with a module that asks for context."""
    story = Story({"source": SOURCE, "key": key}, task_key=f"{SOURCE}-task").tell("run_started")
    story.tell("activation_started", module_type="step.agent_task", **step("draft"))
    report = "mutation ($e: [RunEventInput!]!) { reportRunEvents(events: $e) { rejected answers { message } } }"
    told = (await admin.ask(report, e=api_keys(story.events)))["reportRunEvents"]
    assert told["rejected"] == 0, told
    matter = {"kind": "Entity", "source": "sample", "key": "marex"}
    scope = {"run": {"source": SOURCE, "key": key}, "launchSurface": "manual_api", "select": [matter]}
    opened = "mutation ($i: RunScopeInput!) { openRunScope(input: $i) { recordId } }"
    assert (await admin.ask(opened, i=scope))["openRunScope"]["recordId"]
    return f"{SOURCE}:{key}"


async def test_a_module_at_work_gets_its_packet_whole(api: Api, admin: Caller) -> None:
    run = await at_work(admin, "packet")
    async with client_of(api, "admin") as client:
        given = {"run": run, "module": "draft"}
        [packet] = (await call(client, "get_context", **given)).values()
        again = await call(client, "get_context", **given)
        assert packet["applicable"]
        assert "characters)" not in packet["markdown"], "by default it has a length that is shown whole"
        assert packet["markdown"].startswith("# Context")
        assert again["packet"]["id"] == packet["id"], "asked again, it is the same packet"
        assert tokens_of(again) <= DEFAULT_TOKENS
        [kept] = (await client.read_resource(f"tasklore://packets/{packet['id']}")).contents
        assert packet["id"] in kept.model_dump_json()
        told = await call(client, "why", **given, record="sample:marex")
        assert told["sentence"]


async def test_a_longer_packet_is_not_cut_to_the_usual_answer(api: Api, admin: Caller) -> None:
    run = await at_work(admin, "long")
    async with client_of(api, "admin") as client:
        found = await call(client, "get_context", run=run, module="draft", max_tokens=6_000)
    assert "characters)" not in found["packet"]["markdown"]
    assert LEFT_OUT not in found


async def test_a_design_goes_on_where_it_was(api: Api) -> None:
    async with client_of(api, "agent") as client:
        begun = (await call(client, "design_task", request="Every Friday, review what came in"))["started"]
        session = begun["state"]["sessionId"]
        answers = [{"slot": "expected_outputs", "values": ["A memo."]}]
        went_on = await call(client, "design_task", session=session, said=["I like tables."], answers=answers)
        drawn = await call(client, "design_task", session=session, graph=GRAPH)
        neither = await client.call_tool("design_task", {})
    assert went_on["updated"]["state"]["sessionId"] == session
    assert drawn["updated"]["state"]["readiness"]
    assert neither.is_error


async def test_what_an_agent_proposes_waits_for_a_person(api: Api) -> None:
    arguments = (await arguments_for(api))["propose_change"]
    async with client_of(api, "agent") as client:
        made = await call(client, "propose_change", **arguments)
        waiting = await call(client, "review_queue", first=500, answer_tokens=1_000_000)
    assert LEFT_OUT not in waiting
    assert made["record"]["proposalState"] in {"candidate", "staged"}
    assert made["recordId"] in {one["proposalId"] for one in waiting["items"]}


APPROVED: dict[str, Any] = {"kind": "gate_decided", "gateKey": "g", "status": "approved", "decidedBy": "ada"}


async def test_an_agent_gets_every_tool_and_no_approval(api: Api, admin: Caller) -> None:
    arguments = await arguments_for(api)
    run = await at_work(admin, "agent")
    arguments["get_context"] = {"run": run, "module": "draft"}
    async with client_of(api, "agent") as client:
        assert {one.name for one in (await client.list_tools()).tools} == {*arguments}
        for name, given in arguments.items():
            result = await client.call_tool(name, given)
            assert not result.is_error, (name, text_of(result))
        at = {"run": {"source": SOURCE, "key": "agent"}, "moduleKey": "draft", "activationSeq": 1}
        event = {**APPROVED, **at, "eventId": "approved", "occurredAt": "2026-01-01T00:00:00Z"}
        told = await call(client, "report", events=[event])
        assert [one["code"] for one in told["answers"]] == ["approval_required"]
        for mutation in ('applyProposal(proposalId: "prop_1")', 'liftSuppression(contextClass: "a/b/c")'):
            refused = await client.call_tool("graphql", {"query": f"mutation {{ {mutation} {{ replayed }} }}"})
            assert "operation_not_allowed" in text_of(refused)


def test_no_tool_is_a_persons_command() -> None:
    """What the table keeps from agents is in no document."""
    theirs = ("reviewProposal", "applyProposal", "rollBackProposal", "reviewArtifact", "decideRecommendation")
    assert not [one.name for one in TOOLS if any(name in one.document for name in theirs)]
