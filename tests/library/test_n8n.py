"""Reading and writing workflows of n8n: nothing is lost, and what is broken is named."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.library.n8n.needs import need_of
from service.library.n8n.read import read_file, read_workflow
from service.library.n8n.workflow import MOST_BYTES, MOST_NODES, Node, NotAWorkflow, Wire, Workflow
from service.library.n8n.write import write_workflow
from tests.laws import law

FILES = sorted((Path(__file__).parent / "n8n").glob("*.json"))
GMAIL, ORCHESTRATOR = FILES


def _written(workflow: Workflow) -> Any:
    """Through the text that the graph keeps."""
    extra, settings = orjson.loads(orjson.dumps([workflow.extra, workflow.settings]))
    nodes = {one.name: {"type": one.type, **orjson.loads(orjson.dumps(one.config))} for one in workflow.nodes}
    return write_workflow(nodes, reversed(workflow.wires), settings, extra)


def _read(path: Path) -> Workflow:
    [found] = read_file(path.read_bytes())
    assert isinstance(found, Workflow)
    return found


def _node(name: str, kind: str = "n8n-nodes-base.set", **more: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, "parameters": {}, "position": [0, 0], "typeVersion": 1, **more}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_real_workflow_is_given_back_as_it_came(path: Path) -> None:
    assert _written(_read(path)) == orjson.loads(path.read_bytes())


def test_a_workflow_is_told_by_its_description_its_steps_and_its_notes() -> None:
    found = _read(ORCHESTRATOR)
    assert found.key.startswith("content:")
    assert found.steps[:4] == ("Webhook", "Parse Input", "Route by action", "HTTP Service A")
    assert "Roteia ações" in (found.description or "")
    assert len(found.nodes) == len(orjson.loads(ORCHESTRATOR.read_bytes())["nodes"]) - 1
    assert {(one.tail, one.from_port, one.head) for one in found.wires} >= {
        ("Webhook", "main:0", "Parse Input"),
        ("Route by action", "main:1", "HTTP Service A"),
    }


def test_what_every_node_says_of_itself_is_not_repeated() -> None:
    found = _read(GMAIL)
    assert found.nodes[1].purpose == "This gmail node performs automated tasks as part of the workflow."
    assert "performs automated tasks as part" not in (found.description or "")
    assert [(one.key, one.kind, one.side_effect_classes) for one in found.needs] == [
        ("gmail", "connector", ("external_send", "external_write"))
    ]


_NAMES = st.sampled_from(["a", "b", "A b", "é", "c:1", "id-a", "gone"])
_ENDS = st.fixed_dictionaries(
    {"node": _NAMES},
    optional={"type": st.sampled_from(["main", "ai_tool"]), "index": st.integers(0, 3), "more": st.none()},
)
_BRANCHES = st.lists(st.one_of(st.none(), st.lists(_ENDS, max_size=3)), max_size=4)
_KINDS = st.sampled_from(["main", "ai_tool", "x:y"])
_JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "node", "é"]), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
_OBJECTS: Any = st.dictionaries(st.sampled_from(["x", "y", "place"]), _JSON, max_size=3)


@st.composite
def _workflows(draw: st.DrawFn) -> dict[str, Any]:
    names = draw(st.lists(_NAMES.filter(lambda name: name != "gone"), min_size=1, unique=True))
    nodes: list[dict[str, Any]] = [
        draw(
            st.fixed_dictionaries(
                {"name": st.just(name), "type": st.sampled_from(["n8n-nodes-base.set", "x.yTool"])},
                optional={"id": st.sampled_from(["id-a", "id-b"]), "disabled": st.booleans(), "parameters": _OBJECTS,
                          "credentials": _OBJECTS, "notes": st.text(max_size=5), "typeVersion": st.floats(1, 3)},
            )
        )
        for name in names
    ]  # fmt: skip
    notes = draw(
        st.lists(st.just(_node("note", "n8n-nodes-base.stickyNote", parameters={"content": "hi"})), max_size=2)
    )
    known = st.dictionaries(_NAMES, st.dictionaries(_KINDS, _BRANCHES, max_size=2), max_size=4)
    more = st.fixed_dictionaries(
        {}, optional={"settings": st.none() | _OBJECTS, "tags": _JSON, "name": _JSON, "id": _JSON, "meta": _JSON,
                      "description": _JSON, "active": st.booleans(), "other": _JSON}
    )  # fmt: skip
    return {**draw(more), "nodes": draw(st.permutations(nodes + notes)), "connections": draw(known)}


@law()
@given(_workflows())
def test_any_workflow_is_given_back_as_it_came(file: dict[str, Any]) -> None:
    assert _written(read_workflow(file)) == file


@law()
@given(_JSON | st.dictionaries(st.sampled_from(["nodes", "connections", "settings", "name"]), _JSON))
def test_whatever_is_no_workflow_is_refused_with_a_reason(found: Any) -> None:
    [answer] = read_file(orjson.dumps({"it": found} if isinstance(found, list) else found))
    assert isinstance(answer, NotAWorkflow)
    assert answer.message


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b'{"nodes": [', "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "not a workflow"),
        (b'"text"', "not a workflow"),
        (b"{}", "no nodes"),
        (b'{"nodes": {}}', "no nodes"),
        (b'{"nodes": []}', "no node that does anything"),
        (b'{"nodes": [1]}', "node 1 is not an object"),
        (b'{"nodes": [{"name": "a"}]}', "node 1 has no type"),
        (b'{"nodes": [{"name": " ", "type": "t"}]}', "node 1 has no name"),
        (b'{"nodes": [{"name": "a", "type": "t", "parameters": []}]}', "parameters"),
        (
            b'{"nodes": [{"name": "a", "type": "t"}, {"name": "a", "type": "t"}], "connections": {"a": {"main": []}}}',
            "two of its nodes are called 'a'",
        ),
        (b'{"nodes": [{"name": "a", "type": "t"}], "connections": []}', "connections are not an object"),
        (b'{"nodes": [{"name": "a", "type": "t"}], "connections": {"a": {"main": [[{}]]}}}', "does not name the node"),
        (b" " * (MOST_BYTES + 1), "are the most"),
    ],
)
def test_a_broken_file_is_named_with_its_reason(content: bytes, reason: str) -> None:
    [answer] = read_file(content)
    assert isinstance(answer, NotAWorkflow)
    assert reason in answer.message


def test_a_huge_workflow_is_refused() -> None:
    with pytest.raises(NotAWorkflow, match="1,001 nodes"):
        read_workflow({"nodes": [_node(str(n)) for n in range(MOST_NODES + 1)]})
    with pytest.raises(NotAWorkflow, match="its node 'a' has"):
        read_workflow({"nodes": [_node("a", parameters={"code": "x" * 200_001})]})


def test_a_list_of_workflows_is_read_one_by_one() -> None:
    file = orjson.dumps([{"id": 3, "nodes": [_node("a")]}, {"nodes": 5}, {"nodes": [_node("b")]}])
    first, second, third = read_file(file)
    assert isinstance(first, Workflow)
    assert isinstance(third, Workflow)
    assert first.key == "3"
    assert third.key.startswith("content:")
    assert isinstance(second, NotAWorkflow)


def test_cables_to_nowhere_are_told_and_kept() -> None:
    file = {"nodes": [_node("a"), _node("b", id="id-b")],
            "connections": {"a": {"main": [[{"node": "b", "type": "main", "index": 0}, {"node": "c"}]]},
                            "id-b": {"main": [[{"node": "a", "type": "main", "index": 0}]]}},
            "pinData": {"a": [{"json": {"mail": "private"}}]}}  # fmt: skip
    found = read_workflow(file)
    assert [(one.tail, one.head) for one in found.wires] == [("a", "b"), ("b", "a")]
    assert tuple(one.message for one in found.warnings) == (
        "1 connection leads to or from a node that is not there: kept for the export, no cable of the graph.",
        "pinData is data of runs, not of the workflow: it is not kept.",
    )
    assert _written(found) == {key: value for key, value in file.items() if key != "pinData"}


def test_kept_connections_give_way_to_the_cables_of_a_changed_graph() -> None:
    end = {"node": "b", "type": "main", "index": 0}
    kept = {"a": {"main": [[end, {"node": "c"}]]}, "id-a": {"main": [[end]]}, "b": {"main": [None]}}
    file = {"nodes": [_node("a", id="id-a"), _node("b"), _node("d")], "connections": kept}
    found = read_workflow(file)
    assert _written(found) == file
    wires = [*found.wires, Wire("new", "a", "d", "main:0", "main:0")]
    drawn = _written(replace(found, wires=tuple(wires)))["connections"]
    assert drawn == {"a": {"main": [[{**end, "node": "d"}, end]]}, "id-a": {"main": [[end]]}, "b": {"main": [None]}}
    without = replace(found, nodes=found.nodes[:1], wires=())
    assert _written(without)["connections"] == {}


_END: dict[str, Any] = {"node": "b", "type": "main", "index": 0}
ODD: dict[str, Any] = {
    "a broken index": {"main": [[{**_END, "index": 0.0}]]},
    "no index": {"main": [[{**_END, "index": False}]]},
    "a far index": {"main": [[{**_END, "index": 1000}]]},
    "a far output": {"main": [*([] for _ in range(1000)), [_END]]},
    "no kind": {"": [[{**_END, "type": ""}]]},
    "no kind to enter": {"main": [[{**_END, "type": ""}]]},
}


@pytest.mark.parametrize("outgoing", ODD.values(), ids=ODD)
def test_a_connection_that_cannot_be_drawn_is_kept(outgoing: dict[str, Any]) -> None:
    file = {"nodes": [_node("a"), _node("b")], "connections": {"a": outgoing}}
    found = read_workflow(file)
    assert [(one.tail, one.head) for one in found.wires] == [("a", "b")]
    # As text: 0.0 and false equal 0 here, and not in n8n.
    given_back = _written(found)["connections"]
    assert orjson.dumps(given_back, option=orjson.OPT_SORT_KEYS) == orjson.dumps(
        file["connections"], option=orjson.OPT_SORT_KEYS
    )


def test_a_file_without_connections_is_given_back_without() -> None:
    file = {"nodes": [_node("a"), _node("b")]}
    found = read_workflow(file)
    assert _written(found) == file
    drawn = replace(found, wires=(Wire("new", "a", "b", "main:0", "main:0"),))
    assert _written(drawn)["connections"] == {"a": {"main": [[_END]]}}
    assert _written(read_workflow({**file, "connections": {}})) == {**file, "connections": {}}


@pytest.mark.parametrize(
    ("kind", "parameters", "expected"),
    [
        ("n8n-nodes-base.set", {}, None),
        ("n8n-nodes-base.webhook", {}, None),
        ("@n8n/n8n-nodes-langchain.agent", {}, None),
        ("n8n-nodes-base.gmail", {"operation": "getAll"}, ("gmail", "connector", ())),
        ("n8n-nodes-base.gmail", {}, ("gmail", "connector", ("external_send",))),
        ("n8n-nodes-base.gmailTrigger", {}, ("gmail", "connector", ())),
        ("n8n-nodes-base.gmailTool", {}, ("gmail", "connector", ("external_send",))),
        ("n8n-nodes-base.googleSheets", {"operation": "append"}, ("google_sheets", "connector", ("external_write",))),
        ("n8n-nodes-base.googleSheets", {"operation": "read"}, ("google_sheets", "connector", ())),
        ("n8n-nodes-base.airtable", {"operation": "delete"}, ("airtable", "connector", ("external_delete",))),
        ("n8n-nodes-base.httpRequest", {"method": "POST"}, ("http", "connector", ("external_write",))),
        ("n8n-nodes-base.httpRequest", {}, ("http", "connector", ())),
        ("n8n-nodes-base.executeCommand", {}, ("shell", "connector", ("command_execution",))),
        ("n8n-nodes-base.writeBinaryFile", {"fileName": "a.txt"}, ("files", "connector", ("file_write",))),
        ("n8n-nodes-base.writeBinaryFile", {}, ("files", "connector", ("file_write",))),
        ("n8n-nodes-base.hubspot", {"operation": "sendForm"}, ("hubspot", "connector", ("external_send",))),
        ("@n8n/n8n-nodes-langchain.lmChatOpenAi", {}, ("openai", "model", ())),
        ("@n8n/n8n-nodes-langchain.vectorStorePinecone", {}, ("pinecone", "connector", ())),
        ("@n8n/n8n-nodes-langchain.memoryPostgresChat", {}, ("postgres", "connector", ())),
        ("n8n-nodes-mcp.mcpClientTool", {}, ("mcp", "mcp_server", ())),
    ],
)
def test_what_a_node_needs(kind: str, parameters: dict[str, Any], expected: Any) -> None:
    need = need_of(Node("x", kind, {"parameters": parameters}, None, disabled=False))
    assert (need and (need.key, need.kind, need.side_effect_classes)) == expected


ANYTHING = ("external_delete", "external_send", "external_write")


@pytest.mark.parametrize(
    ("kind", "parameters", "possible"),
    [
        ("n8n-nodes-base.airtable", {}, ("external_write",)),
        ("n8n-nodes-base.airtable", {"operation": "search"}, ()),
        ("n8n-nodes-base.postgres", {"operation": "executeQuery"}, ("external_delete", "external_write")),
        ("n8n-nodes-base.postgres", {"operation": "executeQuery", "query": "SELECT 1"}, ()),
        ("n8n-nodes-base.notion", {"operation": "={{ $json.what }}"}, ANYTHING),
        ("n8n-nodes-base.httpRequest", {"method": "={{ $json.how }}"}, ANYTHING),
        ("n8n-nodes-base.graphql", {"query": "mutation { sinkBoat(id: 3) { id } }"}, ANYTHING),
        ("n8n-nodes-base.graphql", {"query": "={{ $json.document }}"}, ANYTHING),
        ("n8n-nodes-base.graphql", {}, ANYTHING),
        ("n8n-nodes-base.graphql", {"query": "query { boats { mutation } }"}, ()),
        ("n8n-nodes-marine.vhfRadio", {}, ANYTHING),
        ("n8n-nodes-marine.vhfRadio", {"operation": "listChannels"}, ()),
        ("n8n-nodes-base.openWeatherMap", {}, ()),
        ("@n8n/n8n-nodes-langchain.lmChatOpenAi", {}, ()),
    ],
)  # fmt: skip
def test_what_is_not_known_of_a_node_is_not_harmless(kind: str, parameters: dict[str, Any], possible: Any) -> None:
    need = need_of(Node("x", kind, {"parameters": parameters}, None, disabled=False))
    assert need is not None
    assert need.possible == possible


@pytest.mark.parametrize(
    ("node", "possible"),
    [
        (_node("Hand over", "n8n-nodes-base.executeWorkflow"), [*ANYTHING]),
        (_node("Hand over", "n8n-nodes-base.executeWorkflow", disabled=True), []),
        (_node("Reckon", "n8n-nodes-base.code", parameters={"jsCode": "return items.map(one => one.json)"}), []),
        (_node("Call", "n8n-nodes-base.code", parameters={"jsCode": "await fetch('https://a.example')"}), [*ANYTHING]),
    ],
)
def test_what_runs_something_else_may_do_anything(node: dict[str, Any], possible: list[str]) -> None:
    assert read_workflow({"name": "A", "nodes": [node, _node("b")]}).possible_side_effect_classes == possible


def test_a_workflow_without_an_id_is_known_by_its_content() -> None:
    file: dict[str, Any] = {"name": "A", "nodes": [_node("a"), _node("b")], "connections": {}}
    moved: dict[str, Any] = {**file, "name": "B", "nodes": [_node("b", position=[9, 9]), _node("a")]}
    other: dict[str, Any] = {**file, "nodes": [_node("a", parameters={"x": 1}), _node("b")]}
    assert read_workflow(file).key == read_workflow(moved).key != read_workflow(other).key
    assert read_workflow({**file, "id": 7}).key == "7"


@pytest.mark.parametrize("name", ["If Workflow", "My workflow 3", "Untitled", "", None])
def test_a_name_that_says_nothing_is_made_of_services_and_steps(name: str | None) -> None:
    nodes = [_node("Get invoice", "n8n-nodes-base.gmail"), _node("If", "n8n-nodes-base.if")]
    assert read_workflow({"name": name, "nodes": nodes}).name == "Gmail: Get invoice"
    assert read_workflow({"name": "Pay bills", "nodes": nodes}).name == "Pay bills"


def test_two_nodes_of_one_name_are_taken_unless_something_leads_to_them() -> None:
    file: dict[str, Any] = {"nodes": [_node("a"), _node("a"), _node("a (2)"), _node("b")], "connections": {}}
    found = read_workflow(file)
    assert [one.name for one in found.nodes] == ["a", "a (3)", "a (2)", "b"]
    assert _written(found) == file
    ends = [[{"node": "b", "type": "main", "index": 0}]]
    with pytest.raises(NotAWorkflow, match="two of its nodes are called 'a'"):
        read_workflow({**file, "connections": {"a": {"main": ends}}})


def test_notes_do_not_drown_what_the_workflow_does() -> None:
    note = _node("note", "n8n-nodes-base.stickyNote", parameters={"content": "## Setup [here](http://x) " * 300})
    found = read_workflow({"description": "Sends bills.", "nodes": [_node("Send"), note]})
    assert (found.description or "").startswith("Sends bills.\nSetup here")
    assert len(found.description or "") < 900
