"""The library of the sample world: enough to match against, and tied to the runs that used it."""

from collections import Counter

from service.graph.database import Database
from service.knowledge.catalogue.reading import sample_catalogue
from service.library.read import LibraryReader
from service.seeding import read_stories, read_world
from tests.viewers import viewer_of

FAMILY = {"Draft Complaint", "Complaint Evaluation", "Red-Team Complaint", "Revise Complaint"}
PHRASES = range(5, 9)


def test_every_template_can_be_found_by_what_people_say() -> None:
    templates = [one.values for one in read_world().records if one.label == "Template"]
    assert len(templates) >= 25
    for one in templates:
        assert len(one["trigger_phrases"]) in PHRASES, one["name"]
        for field in ("description", "task_type", "domain_tags", "expected_inputs", "expected_outputs"):
            assert one[field], (one["name"], field)
        assert one["use_conditions"], one["name"]
        assert one["non_use_conditions"], one["name"]
    said = Counter(phrase for one in templates for phrase in one["trigger_phrases"])
    assert max(said.values()) == 1


def test_what_graphs_are_made_of_is_in_the_catalogue() -> None:
    world = read_world()
    catalogue = {one.module_type for one in sample_catalogue().types}
    assert {one[1] for graph in world.graphs for one in graph.modules} <= catalogue
    assert {one.values["module_type"] for one in world.records if one.label == "Preset"} <= catalogue


def test_every_template_has_a_graph_and_a_blueprint_that_says_what_each_step_is_for() -> None:
    world = read_world()
    templates = sorted(one.key for one in world.records if one.label == "Template")
    tasks = {one.key for one in world.records if one.label == "Task"}
    assert sorted(one.of for one in world.graphs if one.of not in tasks) == templates
    assert sorted(one.of for one in world.blueprints if one.of not in tasks) == templates
    for one in world.blueprints:
        assert len(one.parts["steps"]) > 1, one.key
        assert {part["side"] for part in one.parts["contracts"]} == {"input", "output"}, one.key
        assert one.links["EXPRESSES_GOAL"], one.key
        assert any("goals" in step for step in one.parts["steps"]) or one.parts["criteria"], one.key


def test_segments_are_in_more_than_one_graph_and_presets_are_used() -> None:
    world = read_world()
    placed = Counter(one.segment for graph in world.graphs for one in graph.segments)
    assert {one.key for one in world.segments} == {*placed}
    used = {preset for graph in world.graphs for preset in graph.presets.values()}
    assert used == {one.key for one in world.records if one.label == "Preset"}


def test_every_case_says_why_and_what_it_teaches() -> None:
    world = read_world()
    for kind in ("RECORDS", "TEACHES"):
        told = {one.tail for one in world.links if one.type == kind}
        assert told == {one.key for one in world.records if one.label == "Case"}, kind


def test_runs_use_templates_of_the_library() -> None:
    known = {one.key for one in read_world().records if one.label == "Template"}
    assert {one.event["template_key"] for one in read_stories() if "template_key" in one.event} <= known


async def test_the_complaint_family_is_a_group_with_graphs_and_runs(told: Database) -> None:
    row = await told.read_one(
        """
        MATCH (g:TemplateGroup)-[:HAS_PRIMARY]->(first)
        MATCH (t:Template)-[:IN_GROUP]->(g)
        RETURN first.name AS first, collect(t.name) AS names, collect(DISTINCT t.stub) AS stubs,
          count { (t)-[:HAS_GRAPH]->() } > 0 AS drawn, sum(count { (:Run)-[:USED_TEMPLATE]->(t) }) AS runs
        """
    )
    assert row
    assert ({*row["names"]}, row["first"], row["drawn"]) == (FAMILY, "Complaint Evaluation", True)
    assert row["runs"] == 3
    taught = await told.read(
        "MATCH (d:Directive)-[s:STEERS]->(t:Template {name: 'Complaint Evaluation'}) "
        "WHERE d.directive_kind ENDS WITH 'when_phrase' "
        "RETURN d.phrase_or_condition AS phrase, s.kind AS kind ORDER BY phrase"
    )
    assert taught == [
        {"phrase": "citation cleanup", "kind": "avoid"},
        {"phrase": "complaint audit", "kind": "prefer"},
    ]
    stubs = await told.read_one("MATCH (n:Template|ModuleType) WHERE n.stub RETURN count(n) AS stubs")
    assert stubs == {"stubs": 0}
    [segment] = await told.read("MATCH (s:Segment {source_key: 'seg-attack-revise'}) RETURN s.id AS id")
    [used] = await LibraryReader(told).usages(await viewer_of(told), [segment["id"]])
    assert used
    assert (used.usage_count, used.run_count) == (2, 1)
    assert used.avg_cost_usd
    assert used.avg_duration_ms


async def test_blueprints_have_all_the_goals_and_needs_that_they_are_given(told: Database) -> None:
    rows = await told.read(
        "MATCH (b:Blueprint) RETURN b.source_key AS key, COLLECT { "
        "MATCH (b)-[r:EXPRESSES_GOAL|REQUIRES|ALLOWS|DENIES]->(x) RETURN type(r) + ' ' + x.source_key } AS links"
    )
    blueprints = read_world().blueprints
    given = {one.key: {f"{kind} {key}" for kind, keys in one.links.items() for key in keys} for one in blueprints}
    assert {row["key"]: {*row["links"]} for row in rows if row["key"]} == given
