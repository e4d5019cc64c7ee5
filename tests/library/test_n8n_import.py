"""Workflows of n8n in the graph: imported once, changed when they change, given back as they came."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from service.access.viewer import KeyScope, PrincipalKind
from service.cards.cypher import BEHIND
from service.commands import Commands, RecordRef
from service.commands.errors import CommandReused, InputInvalid, NotAllowed, RecordMissing
from service.graph.database import Database
from service.library.commands import Library
from service.library.graphs import CableInput, ModuleInput
from service.library.n8n.commands import File, Import, ImportOutcome, N8nWorkflows
from service.library.n8n.plan import wanted_of
from service.library.n8n.read import read_workflow
from service.library.n8n.workflow import NotFromN8n
from service.records import Records
from service.runtime.compose import hooks
from tests.viewers import viewer_of

FILES = [File(one.name, one.read_bytes()) for one in sorted((Path(__file__).parent / "n8n").glob("*.json"))]


class Importer:
    def __init__(self, database: Database) -> None:
        self.database = database
        self.commands = Commands(database, REGISTRY, lambda _new: None)
        self.records = Records(self.commands, hooks())
        self.n8n = N8nWorkflows(self.commands, database)

    async def take(self, *files: File, access: Any = None, command_id: str | None = None, **viewer: Any) -> Import:
        who = await viewer_of(self.database, **viewer)
        return await self.n8n.import_files(who, files, access, command_id=command_id)

    async def given_back(self, template_id: str | None, **viewer: Any) -> Any:
        return (await self.n8n.export(await viewer_of(self.database, **viewer), RecordRef(id=template_id))).workflow

    async def counts(self) -> dict[str, Any] | None:
        return await self.database.read_one(
            "RETURN COUNT { MATCH (:Template) } AS templates, COUNT { MATCH (:GraphSnapshot) } AS graphs, "
            "COUNT { MATCH (:Module) } AS modules, COUNT { MATCH (:Module)-[:CABLE]->() } AS cables, "
            "COUNT { MATCH (:Template)-[:REQUIRES]->(:Capability) } AS needs, COUNT { MATCH (:Version) } AS versions"
        )


@pytest.fixture
def importer(database: Database) -> Importer:
    return Importer(database)


def _workflow(name: str = "Mail me", key: str = "w1", **more: Any) -> dict[str, Any]:
    nodes: list[dict[str, Any]] = [
        {"name": "Start", "type": "n8n-nodes-base.manualTrigger", "parameters": {}, "position": [0, 0]},
        {
            "name": "Send",
            "type": "n8n-nodes-base.gmail",
            "parameters": {"operation": "send"},
            "notes": "Tells the boss.",
        },
    ]
    ends = [{"node": "Send", "type": "main", "index": 0}]
    return {"id": key, "name": name, "nodes": nodes, "connections": {"Start": {"main": [ends, ends]}}, **more}


def _file(content: Any, name: str = "one.json") -> File:
    return File(name, orjson.dumps(content))


async def test_real_workflows_become_templates_with_graphs_cards_and_needs(importer: Importer) -> None:
    done = await importer.take(*FILES)
    assert [one.outcome for one in done.items] == [ImportOutcome.created, ImportOutcome.created]
    row = await importer.database.read_one(
        """
        MATCH (t:Template {id: $id})-[:HAS_GRAPH]->(g)-[:HAS_MODULE]->(m)
        MATCH (card:Card)-[:DESCRIBES]->(t)
        RETURN t.source AS source, t.source_key AS key, collect(m.module_type) AS types, card.text AS text,
          t.graph_hash = g.graph_hash AS hashed, [(t)-[:REQUIRES]->(need) | need.name] AS needs,
          t.side_effect_classes AS effects
        """,
        id=done.items[0].template_id,
    )
    assert row
    assert (row["source"], row["needs"], row["hashed"]) == ("n8n", ["Gmail"], True)
    assert row["key"].endswith(":175")
    assert row["effects"] == ["external_send", "external_write"]
    assert "On clicking 'execute', Gmail, Gmail1, Gmail2" in row["text"]
    assert row["text"].splitlines()[-1] == "Gmail"
    assert row["types"].count("n8n-nodes-base.gmail") == 3


async def test_importing_again_changes_nothing(importer: Importer) -> None:
    first = await importer.take(*FILES)
    before = await importer.counts()
    again = await importer.take(*FILES)
    assert {one.outcome for one in again.items} == {ImportOutcome.unchanged}
    assert [one.template_id for one in again.items] == [one.template_id for one in first.items]
    assert await importer.counts() == before


async def test_what_comes_out_is_what_went_in(importer: Importer) -> None:
    done = await importer.take(*FILES, _file(_workflow()))
    for item, file in zip(done.items, [*FILES, _file(_workflow())], strict=True):
        assert await importer.given_back(item.template_id) == orjson.loads(file.content)


async def test_a_changed_workflow_changes_its_template(importer: Importer) -> None:
    first = (await importer.take(_file(_workflow()))).items[0]
    changed = _workflow("Slack me")
    changed["nodes"][1]["type"] = "n8n-nodes-base.slack"
    second = (await importer.take(_file(changed))).items[0]
    assert (second.outcome, second.template_id) == (ImportOutcome.updated, first.template_id)
    assert await importer.given_back(first.template_id) == changed
    row = await importer.database.read_one(
        "MATCH (t:Template) RETURN t.name AS name, t.version AS version, [(t)-[:REQUIRES]->(c) | c.name] AS needs, "
        "COUNT { (t)-[:HAS_GRAPH]->() } AS graphs"
    )
    assert row == {"name": "Slack me", "version": 2, "needs": ["Slack"], "graphs": 1}


async def test_a_curators_words_stay_until_the_sources_words_change(importer: Importer) -> None:
    template = (await importer.take(_file(_workflow()))).items[0].template_id
    curator = await viewer_of(importer.database)
    await importer.records.save(curator, "Template", {"trigger_phrases": ["mail my boss"]}, record_id=template)
    await importer.records.save(curator, "Template", {"name": "Tell the boss"}, record_id=template)
    assert (await importer.take(_file(_workflow()))).items[0].outcome is ImportOutcome.unchanged
    assert (await importer.take(_file(_workflow(active=True)))).items[0].outcome is ImportOutcome.updated
    row = await importer.database.read_one("MATCH (t:Template) RETURN t.name AS name, t.trigger_phrases AS phrases")
    assert row == {"name": "Tell the boss", "phrases": ["mail my boss"]}
    assert (await importer.take(_file(_workflow("Write me")))).items[0].outcome is ImportOutcome.updated
    row = await importer.database.read_one("MATCH (t:Template) RETURN t.name AS name, t.trigger_phrases AS phrases")
    assert row == {"name": "Write me", "phrases": ["mail my boss"]}
    await importer.records.save(curator, "Template", {"description": "My words."}, record_id=template)
    assert (await importer.take(_file(_workflow("Write us")))).items[0].outcome is ImportOutcome.updated
    row = await importer.database.read_one("MATCH (t:Template) RETURN t.name AS name, t.description AS told")
    assert row == {"name": "Write us", "told": "My words."}


async def test_what_is_saved_by_hand_is_embedded_before_what_was_imported(importer: Importer) -> None:
    await importer.take(*(_file(_workflow(f"Mail {n}", f"w{n}"), f"{n}.json") for n in range(5)))
    saved = await importer.records.save(await viewer_of(importer.database), "Template", {"name": "By hand"})
    [row] = await importer.database.read(BEHIND, model="some", limit=2, second=None, second_property="", matched=[])
    assert row["cards"][0]["id"] == f"card_{saved.result['id']}"
    assert len(row["cards"]) == 2


async def test_a_graph_that_a_curator_changed_stays_until_the_workflow_changes(importer: Importer) -> None:
    template = await _edited(importer, modules=[START], cables=[])
    curator = await viewer_of(importer.database)
    await importer.records.save(curator, "Template", {"name": "Mine", "description": "My own."}, record_id=template)
    before = await importer.counts()
    assert (await importer.take(_file(_workflow()))).items[0].outcome is ImportOutcome.unchanged
    assert await importer.counts() == before
    row = await importer.database.read_one("MATCH (t:Template) RETURN t.name AS name, t.description AS told")
    assert row == {"name": "Mine", "told": "My own."}
    assert [one["name"] for one in (await importer.given_back(template))["nodes"]] == ["Start"]
    changed = _workflow(active=True)
    assert (await importer.take(_file(changed))).items[0].outcome is ImportOutcome.updated
    assert await importer.given_back(template) == changed
    assert (await importer.take(_file(changed))).items[0].outcome is ImportOutcome.unchanged


async def test_a_template_of_an_earlier_import_is_known_by_its_graph(importer: Importer) -> None:
    await importer.take(_file(_workflow()))
    await importer.database.run_alone("MATCH (t:Template) SET t.imported_hash = null")
    assert (await importer.take(_file(_workflow()))).items[0].outcome is ImportOutcome.unchanged


async def test_a_connection_that_cannot_be_drawn_comes_back(importer: Importer) -> None:
    ends = [{"node": "Send", "type": "main", "index": index} for index in (0.0, False, 1000)]
    odd = _workflow(connections={"Start": {"main": [ends, *([] for _ in range(1000)), ends], "": [ends]}})
    without = {key: value for key, value in _workflow(key="w2").items() if key != "connections"}
    done = await importer.take(_file(odd), _file(without, "two.json"))
    for item, file in zip(done.items, (odd, without), strict=True):
        given_back = await importer.given_back(item.template_id)
        assert orjson.dumps(given_back, option=orjson.OPT_SORT_KEYS) == orjson.dumps(file, option=orjson.OPT_SORT_KEYS)


async def test_broken_files_never_stop_the_rest(importer: Importer) -> None:
    done = await importer.take(
        File("broken.json", b"{"),
        _file(_workflow()),
        _file({"nodes": []}, "empty.json"),
        _file(_workflow("Other"), "same-id.json"),
        _file([_workflow("A", "a"), {"no": 1}, _workflow("B", "b")], "all.json"),
    )
    assert [(one.file_name, one.outcome.value, one.message) for one in done.items] == [
        ("broken.json", "rejected", "it is not JSON: unexpected end of data: line 1 column 2 (char 1)"),
        ("one.json", "created", None),
        ("empty.json", "rejected", "it has no node that does anything"),
        ("same-id.json", "rejected", "it has the same id as one.json"),
        ("all.json", "created", None),
        ("all.json", "rejected", "it has no nodes: it is not a workflow of n8n"),
        ("all.json", "created", None),
    ]
    assert {one.code for one in done.items} == {None, "workflow_unreadable"}


async def test_only_broken_files_write_nothing(importer: Importer) -> None:
    done = await importer.take(File("x", "no"))
    assert done.command_id is None
    assert await importer.database.read("MATCH (c:Command) RETURN c") == []


async def test_a_key_that_is_taken_out_of_sight_is_free(importer: Importer) -> None:
    hidden = (await importer.take(_file(_workflow()), access={"data_class": "local_only"})).items[0]
    files = (_file(_workflow()), _file(_workflow("Mine", "w2"), "two.json"))
    done = await importer.take(*files, principal_id="prin_low", clearance=DataClass.internal)
    assert [one.outcome for one in done.items] == [ImportOutcome.created, ImportOutcome.created]
    assert str(hidden.template_id) not in str(done)
    with pytest.raises(RecordMissing):
        await importer.given_back(hidden.template_id, principal_id="prin_low", clearance=DataClass.internal)


async def test_a_workflow_of_a_matter_is_seen_by_its_members_only(importer: Importer) -> None:
    admin = await viewer_of(importer.database)
    matter = (await importer.records.save(admin, "Entity", {"name": "M", "kind": "matter"})).result["id"]
    done = await importer.take(_file(_workflow()), access={"data_class": "privileged", "matter_ids": [matter]})
    template = done.items[0].template_id
    assert await importer.given_back(template, matters=[matter], scopes=[KeyScope.read])
    with pytest.raises(RecordMissing):
        await importer.given_back(template, principal_id="prin_other", matters=[], scopes=[KeyScope.read])
    rows = await importer.database.read(
        "MATCH (:Template)-[:HAS_GRAPH]->(g)-[:HAS_MODULE]->(m) RETURN DISTINCT g.matter_ids + m.matter_ids AS all"
    )
    assert rows == [{"all": [matter, matter]}]


async def test_a_command_is_carried_out_once(importer: Importer) -> None:
    first = await importer.take(_file(_workflow()), command_id="mine")
    again = await importer.take(_file(_workflow()), command_id="mine")
    assert (again.replayed, again.items) == (True, first.items)
    with pytest.raises(CommandReused):
        await importer.take(_file(_workflow("Other")), command_id="mine")


async def test_what_is_not_allowed_is_refused(importer: Importer) -> None:
    with pytest.raises(NotAllowed):
        await importer.take(_file(_workflow()), scopes=[KeyScope.read])
    with pytest.raises(InputInvalid, match="from 1 to 100"):
        await importer.take()
    with pytest.raises(RecordMissing):
        await importer.take(_file(_workflow()), access={"matter_ids": ["ent_none"]})


async def test_a_template_of_our_own_is_no_workflow_of_n8n(importer: Importer) -> None:
    curator = await viewer_of(importer.database)
    saved = await importer.records.save(curator, "Template", {"name": "Ours"})
    with pytest.raises(NotFromN8n, match="Ours"):
        await importer.given_back(saved.result["id"])


async def _edited(importer: Importer, **changes: Any) -> str:
    """The template of a workflow whose graph somebody has changed since."""
    template = str((await importer.take(_file(_workflow()))).items[0].template_id)
    graph = wanted_of(read_workflow(_workflow())).graph
    curator = await viewer_of(importer.database)
    library = Library(importer.commands)
    await library.save_graph(curator, RecordRef(id=template), replace(graph, **changes))
    return template


def _module(key: str, kind: str = "n8n-nodes-base.gmail", **more: Any) -> ModuleInput:
    return ModuleInput(key, kind, **more)


START = _module("Start", "n8n-nodes-base.manualTrigger", config='{"parameters":{},"position":[0,0]}')


async def test_an_edited_graph_is_written_as_it_is_now(importer: Importer) -> None:
    modules = [START, _module("Ask"), _module("Later", disabled=True, config='{"name":"x","parameters":{"a":1}}')]
    cables = [CableInput("Start", "Ask"), CableInput("Ask", "Later", "main:1", "main:0", "mine"),
              CableInput("Later", "Ask", "ai_tool:0", "ai_tool:0")]  # fmt: skip
    template = await _edited(importer, modules=modules, cables=cables, extra=None)
    given_back = await importer.given_back(template)
    assert (given_back["id"], given_back["name"]) == ("w1", "Mail me")
    assert given_back["nodes"] == [
        {"name": "Start", "type": "n8n-nodes-base.manualTrigger", "parameters": {}, "position": [0, 0]},
        {"name": "Ask", "type": "n8n-nodes-base.gmail", "parameters": {}, "typeVersion": 1, "position": [0, 0]},
        {"name": "Later", "type": "n8n-nodes-base.gmail", "parameters": {"a": 1}, "typeVersion": 1, "position": [0, 0],
         "disabled": True},
    ]  # fmt: skip
    assert given_back["connections"] == {
        "Start": {"main": [[{"node": "Ask", "type": "main", "index": 0}]]},
        "Ask": {"main": [[], [{"node": "Later", "type": "main", "index": 0}]]},
        "Later": {"ai_tool": [[{"node": "Ask", "type": "ai_tool", "index": 0}]]},
    }
    [again] = (await importer.take(_file(given_back, "again.json"))).items
    assert again.outcome is ImportOutcome.updated


@pytest.mark.parametrize("extra", ["[1]", '{"origin":"n8n"}', '"n8n"', "null",
                                   '{"origin":"n8n","nodes":[1,{},"gone"],"connections":[],"file":3}'])  # fmt: skip
async def test_an_extra_that_says_nothing_leaves_what_the_graph_says(importer: Importer, extra: str) -> None:
    given_back = await importer.given_back(await _edited(importer, extra=extra))
    assert {one["name"] for one in given_back["nodes"]} == {"Start", "Send"}
    ends = [{"node": "Send", "type": "main", "index": 0}]
    assert given_back["connections"] == {"Start": {"main": [ends, ends]}}


UNWRITABLE: list[tuple[dict[str, Any], str]] = [
    ({"modules": [_module("a", "step.judge")], "cables": []}, "'a' is a step.judge"),
    ({"modules": [_module("a", config="[1]")], "cables": []}, "configuration of its module 'a'"),
    ({"modules": [START], "cables": [CableInput("Start", "Start", "main:99999999")]}, "no ports of n8n"),
    ({"modules": [START], "cables": [CableInput("Start", "Start", "out", "in")]}, "no ports of n8n"),
]


@pytest.mark.parametrize(("changes", "reason"), UNWRITABLE)
async def test_a_graph_that_n8n_could_not_read_is_refused(
    importer: Importer, changes: dict[str, Any], reason: str
) -> None:
    template = await _edited(importer, **changes)
    with pytest.raises(NotFromN8n, match=reason):
        await importer.given_back(template)


async def test_what_an_agent_brings_waits_and_it_changes_nothing_in_use(importer: Importer) -> None:
    await importer.take(_file(_workflow()))
    files = (_file(_workflow("Changed")), _file(_workflow("Newsletter", "w2"), "two.json"))
    done = await importer.take(*files, principal_id="prin_agent", kind=PrincipalKind.agent)
    assert [(one.outcome.value, one.code) for one in done.items] == [
        ("rejected", "validation.template_update_requires_approval"),
        ("created", None),
    ]
    rows = await importer.database.read("MATCH (t:Template) RETURN t.name AS n, t.lifecycle_state AS s ORDER BY n")
    assert rows == [{"n": "Mail me", "s": "active"}, {"n": "Newsletter", "s": "draft"}]
