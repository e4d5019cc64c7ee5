"""The agent's door, by the protocol's own client: every tool answers as its key may see, or says why it does not."""

import sys
from typing import Any

import httpx2
import mcp_types as types
import orjson
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

from graph_schema.learning.design_words import DesignSlot
from service.mcp import MCP, MCP_FULL
from service.mcp.output import DEFAULT_TOKENS, tokens_of
from service.mcp.server import BOOKMARK_META
from service.mcp.tools import TOOLS
from tests.api.conftest import Api
from tests.api.door import arguments_for, call, client_of, text_of


async def test_few_tools_by_default_and_all_on_request(api: Api) -> None:
    for path, wanted in ((MCP, [one.name for one in TOOLS if one.core]), (MCP_FULL, [one.name for one in TOOLS])):
        async with client_of(api, "admin", path) as client:
            assert [one.name for one in (await client.list_tools()).tools] == wanted


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_every_tool_answers_from_the_sample_world(api: Api, mode: str) -> None:
    arguments = await arguments_for(api)
    async with client_of(api, "admin", mode=mode) as client:
        assert {*arguments} == {one.name for one in TOOLS}
        unscoped = await client.call_tool("get_context", arguments.pop("get_context"))
        assert "openRunScope" in text_of(unscoped), "nobody has said what that run is about"
        answers = {name: await call(client, name, **given) for name, given in arguments.items()}
    assert answers["find_template"]["recommended"]
    assert "Marex" in orjson.dumps(answers["search"]["hits"]).decode()
    assert answers["graphql"]["nodes"]
    assert answers["report"]["rejected"] == 1
    for name, answer in answers.items():
        assert tokens_of(answer) <= DEFAULT_TOKENS, name


async def test_the_text_holds_all_of_an_answer(api: Api) -> None:
    async with client_of(api, "admin") as client:
        result = await client.call_tool("search", {"text": "Marex"})
    assert orjson.loads(text_of(result)) == result.structured_content


async def test_more_is_told_when_it_is_asked_for(api: Api) -> None:
    query = {"query": "{ runs(first: 100) { nodes { id name workflowSummary triggerSummary } } }"}
    async with client_of(api, "admin") as client:
        little = await call(client, "graphql", **query, answer_tokens=300)
        much = await call(client, "graphql", **query, answer_tokens=50_000)
    assert len(little["nodes"]) < len(much["nodes"])
    assert little["left_out"]
    assert "left_out" not in much


@pytest.mark.parametrize(
    ("tool", "given", "told"),
    [
        ("inspect_run", {"run": "the last one"}, ("not_a_reference", "run", "source:key")),
        ("inspect_run", {}, ("missing_argument", "run")),
        ("search", {"text": "Marex", "frist": 3}, ("unknown_argument", "frist", "first")),
        ("search", {"text": "word " * 500}, ("text", "2,000")),
        ("graphql", {"query": "mutation { reportRunEvents(events: []) { accepted } }"}, ("operation_not_allowed",)),
        ("graphql", {"query": "{ nothing }"}, ("nothing",)),
        ("no_such_tool", {}, ("unknown_tool",)),
        ("give_feedback", {"run": "a:b", "module": "m", "target_kind": "x", "verdict": "helpful"}, ("target_kind",)),
    ],
)
async def test_what_is_wrong_is_told_in_the_text(
    api: Api, tool: str, given: dict[str, Any], told: tuple[str, ...]
) -> None:
    async with client_of(api, "admin") as client:
        result = await client.call_tool(tool, given)
    assert result.is_error
    assert all(one in text_of(result) for one in told), text_of(result)


async def test_without_a_key_there_is_no_tool(api: Api) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with httpx2.AsyncClient() as http:
        for headers in ({}, {"authorization": "Bearer tl_nobody"}):
            answer = await http.post(f"{api.service.url}{MCP}", json=asked, headers=headers)
            assert answer.status_code == 401


async def _only_for_members(api: Api) -> list[str]:
    """Names of records that have a matter or a high class, where nothing that is open to all says them too."""
    rows = await api.database.read(
        """MATCH (n:Record) WHERE size(n.matter_ids) > 0 OR NOT n.data_class IN ['public', 'internal']
           WITH collect(DISTINCT n.name) AS names
           MATCH (o:Record) WHERE size(o.matter_ids) = 0 AND o.data_class IN ['public', 'internal']
           WITH names, collect(DISTINCT o.name) + collect(DISTINCT o.module_key) AS open
           RETURN [one IN names WHERE size(one) > 12 AND none(name IN open WHERE name CONTAINS one)] AS hidden"""
    )
    words = {*DesignSlot}  # questions are named by what they ask about, and designs of everybody speak of that
    return [one for one in rows[0]["hidden"] if one not in words]


async def test_nothing_hidden_is_told_by_any_tool(api: Api) -> None:
    """The same questions as somebody outside all matters: no name that only members may see comes back."""
    arguments = await arguments_for(api)
    hidden = await _only_for_members(api)
    assert len(hidden) > 20
    async with client_of(api, "outsider") as client:
        for name, given in arguments.items():
            result = await client.call_tool(name, {**given, "answer_tokens": 100_000})
            text = text_of(result) + orjson.dumps(result.structured_content).decode()
            assert not [one for one in hidden if one in text], name


async def test_a_key_that_only_reads_changes_nothing(api: Api) -> None:
    arguments = await arguments_for(api)
    async with client_of(api, "reader") as client:
        for tool in (one for one in TOOLS if not one.reads):
            result = await client.call_tool(tool.name, arguments[tool.name])
            assert result.is_error, tool.name


async def test_records_are_resources_and_beginnings_are_prompts(api: Api) -> None:
    run = (await arguments_for(api))["inspect_run"]["run"]
    async with client_of(api, "admin") as client:
        templates = (await client.list_resource_templates()).resource_templates
        assert {one.uri_template for one in templates} == {
            f"tasklore://{kind}/{{id}}" for kind in ("runs", "templates", "packets")
        }
        [read] = (await client.read_resource(f"tasklore://runs/{run}")).contents
        assert isinstance(read, types.TextResourceContents)
        assert orjson.loads(read.text)["id"] == run
        for uri in ("tasklore://runs/run_nothing", "tasklore://secrets/run_1", "file:///etc/passwd"):
            with pytest.raises(MCPError, match="not_found: There is nothing at"):
                await client.read_resource(uri)
        with pytest.raises(MCPError, match="missing_argument"):
            await client.get_prompt("inspect_this_run", {})
        prompts = [one.name for one in (await client.list_prompts()).prompts]
        told = await client.get_prompt(prompts[0], {"run": run})
        assert run in orjson.dumps(told.model_dump(mode="json")).decode()


async def test_a_run_that_is_not_there_is_told_so_and_errors_name_the_tools_own_arguments(api: Api) -> None:
    rows = await api.database.read("MATCH (r:Run) WHERE r.data_class = 'privileged' RETURN r.id AS id LIMIT 1")
    told: list[str] = []
    async with client_of(api, "outsider", MCP_FULL) as client:
        for tool in ("inspect_run", "get_output"):
            for run in ("sample:nope", rows[0]["id"]):
                answer = await client.call_tool(tool, {"run": run})
                assert answer.is_error, (tool, run)
                told.append(text_of(answer))
        run = await api.database.read_value("MATCH (r:Run) WHERE r.audience = 'internal|' RETURN r.id LIMIT 1", {})
        many = text_of(await client.call_tool("inspect_run", {"run": run, "steps": 100_000}))
    assert all(one.startswith("not_found: There is nothing that") for one in told)
    assert "(field steps)" in many


async def test_a_hidden_run_is_no_resource(api: Api) -> None:
    rows = await api.database.read("MATCH (r:Run) WHERE size(r.matter_ids) > 0 RETURN r.id AS id LIMIT 1")
    async with client_of(api, "outsider") as client:
        with pytest.raises(MCPError):
            await client.read_resource(f"tasklore://runs/{rows[0]['id']}")


async def test_the_command_hands_everything_on(api: Api, tmp_path: Any) -> None:
    key = tmp_path / "agent.key"
    key.write_text(api.keys["marex"])
    command = StdioServerParameters(
        command=sys.executable,
        args=[
            "-c",
            "from service.cli import main; main()",
            "mcp",
            "--full",
            "--url",
            api.service.url,
            "--key-file",
            str(key),
        ],
    )
    async with Client(stdio_client(command)) as client:
        assert len((await client.list_tools()).tools) == len(TOOLS)
        assert (await call(client, "search", text="Marex"))["hits"]
        refused = await client.call_tool("inspect_run", {"run": "x"})
        assert refused.is_error
        brought = await client.call_tool("search", {"text": "Marex"}, meta={BOOKMARK_META: "a mark"})
        assert "bookmark_invalid" in str(brought.content)
        with pytest.raises(MCPError, match="bookmark"):
            await client.read_resource("tasklore://runs/run_1", meta={BOOKMARK_META: "a mark"})
        assert (await client.list_prompts()).prompts
