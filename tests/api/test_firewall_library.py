"""Not seen means not there: commands on records, and the library."""

from graph_schema.registry import REGISTRY
from tests.api.conftest import Api, Caller
from tests.api.marked import BESIDES, CLASSED, HIDDEN, OF_MATTER, marked_id, ref


async def test_commands_on_hidden_records_answer_as_on_missing_ones(stranger: Caller) -> None:
    for hidden in (HIDDEN[0], HIDDEN[1], "ent_missing"):
        for label in (kind.label for kind in REGISTRY.types.values() if kind.saved):
            query = f'mutation ($id: ID!) {{ save{label}(input: {{id: $id, name: "x"}}) {{ version }} }}'
            error = await stranger.refused(query, id=hidden)
            assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")
        for name in ("archiveRecord", "restoreRecord"):
            query = f"mutation ($r: RecordRefInput!) {{ {name}(record: $r) {{ version }} }}"
            assert (await stranger.refused(query, r=ref(hidden)))["code"] == "not_found"
        for name in ("linkRecords", "unlinkRecords"):
            query = f'mutation ($r: RecordRefInput!) {{ {name}(tail: $r, type: "PART_OF", head: $r) {{ type }} }}'
            assert (await stranger.refused(query, r=ref(hidden)))["code"] == "not_found"
        query = "mutation ($r: RecordRefInput!) { mergeEntities(keep: $r, merge: $r) { version } }"
        assert (await stranger.refused(query, r=ref(hidden)))["code"] == "not_found"


async def test_the_library_answers_about_hidden_records_as_about_missing_ones(stranger: Caller) -> None:
    graph = '{modules: [{moduleKey: "a", moduleType: "t", outputPorts: ["o"]}]}'
    segment = 'input: {name: "x"}, from: $r, modules: ["a"]'
    state = 'state: up, asOf: "2026-01-01T00:00:00.000Z"'
    module = 'moduleKey: "a", moduleType: "t"'
    into = 'mutation ($r: RecordRefInput!) { saveGraph(of: {id: "tpl_marked0"}, graph:'
    commands = {
        f"{into} {{modules: [{{{module}, preset: $r}}]}}) {{ version }} }}": "pre",
        f"{into} {{modules: [{{{module}}}], segments: [{{segment: $r}}]}}) {{ version }} }}": "seg",
        f"{into} {graph}, searched: $r) {{ version }} }}": "match",
        "mutation ($r: RecordRefInput!) { setLifecycle(record: $r, state: archived) { version } }": "tpl",
        f"mutation ($r: RecordRefInput!) {{ saveGraph(of: $r, graph: {graph}) {{ version }} }}": "tpl",
        'mutation ($r: RecordRefInput!) { saveSegment(input: {name: "x"}, from: $r, modules: []) { version } }': "tpl",
        f"mutation ($r: RecordRefInput!) {{ saveSegment({segment}) {{ version }} }}": "tpl",
        'mutation ($r: RecordRefInput!) { saveBlueprint(of: $r, input: {name: "x"}) { version } }': "tpl",
        f"mutation ($r: RecordRefInput!) {{ reportCapabilityState(capability: $r, {state}) {{ version }} }}": "cap",
        'query ($r: RecordRefInput!) { checkInsertion(segment: $r, into: {id: "tpl_marked0"}) { fits } }': "seg",
        'query ($r: RecordRefInput!) { blueprintDiff(prior: $r, candidate: {id: "bp_marked0"}) { diffId } }': "bp",
    }
    for query, prefix in commands.items():
        for hidden in (f"{prefix}_marked{CLASSED}", f"{prefix}_marked{OF_MATTER}", f"{prefix}_missing"):
            error = await stranger.refused(query, r=ref(hidden))
            assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")


async def test_the_usage_of_a_segment_counts_only_what_may_be_seen(stranger: Caller) -> None:
    query = "query ($id: ID!) { node(id: $id) { ... on Segment { usage { usageCount runCount lastUsedAt } } } }"
    found = (await stranger.ask(query, id=f"seg_marked{BESIDES}"))["node"]["usage"]
    assert found == {"usageCount": 2, "runCount": 0, "lastUsedAt": None}


async def test_the_usage_of_assets_and_groups_tells_only_what_may_be_seen(stranger: Caller) -> None:
    query = """query ($ids: [ID!]!) { nodes(ids: $ids) {
        ... on Template { usage { usageCount lastUsedAt } } ... on Preset { usage { usageCount lastUsedAt } }
        ... on TemplateGroup { usageSummary { usageCount templates { templateId usageCount } } } } }"""
    ids = [f"{prefix}_marked{BESIDES}" for prefix in ("tpl", "pre", "grp")]
    template, preset, group = (await stranger.ask(query, ids=ids))["nodes"]
    assert template["usage"] == preset["usage"] == {"usageCount": 0, "lastUsedAt": None}
    told = {"templateId": f"tpl_marked{BESIDES}", "usageCount": 0}
    assert group["usageSummary"] == {"usageCount": 0, "templates": [told]}


async def test_the_worth_of_a_group_counts_only_what_may_be_seen(stranger: Caller) -> None:
    query = "query ($id: ID!) { node(id: $id) { ... on TemplateGroup { worth { earnsItsPlace reasons } } } }"
    found = (await stranger.ask(query, id=f"grp_marked{BESIDES}"))["node"]["worth"]
    assert "templates" not in str(found)


async def test_nobody_exports_a_hidden_template_or_imports_into_a_matter_of_others(
    stranger: Caller, marked: Api
) -> None:
    templates = REGISTRY.types["Template"]
    export = "query ($t: RecordRefInput!) { exportN8n(template: $t) { content } }"
    for hidden in (marked_id(templates, CLASSED), marked_id(templates, OF_MATTER), "tpl_missing"):
        assert (await stranger.refused(export, t=ref(hidden)))["code"] == "not_found"
    query = """mutation ($f: [N8nFileInput!]!, $m: [ID!]) {
        importN8n(workflows: $f, matterIds: $m) { items { outcome template { name } } } }"""
    file = {"fileName": "f.json", "content": '{"name": "Firewall", "nodes": [{"name": "a", "type": "b.c"}]}'}
    assert (await stranger.refused(query, f=[file], m=[marked.matters["Narayanan"]]))["code"] == "matter_not_allowed"
    found = await stranger.ask(query, f=[file])
    assert found["importN8n"]["items"][0]["template"] == {"name": "Firewall"}
    await marked.database.run_alone("MATCH (n:Record {source: 'n8n'}) DETACH DELETE n")
