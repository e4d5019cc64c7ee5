"""The agent's pack: what the request is about, what holds for it and what could be used; nothing of other matters."""

from typing import Any

import pytest

from graph_schema.knowledge.words import CardFamily, ResourceKind
from graph_schema.library.words import CapabilityState
from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.registry import REGISTRY
from service.commands import Commands, RecordRef
from service.context.agent_pack import AgentContextPack, AgentPackRequest, AgentPacks
from service.context.agent_pack.records import MOST_CARDS
from service.context.scope import RunScopeInput, Scopes
from service.errors import TaskloreError
from service.knowledge.lookup.packed import FAMILIES
from service.knowledge.pack.commands import KnowledgeCompiler
from service.records import Records
from service.runtime.compose import services_alone
from tests.context.expansion.conftest import RUN, TASK, Bench
from tests.knowledge.desk import Desk
from tests.memory.stories import POLICY, Story, step
from tests.viewers import viewer_of

pytestmark = pytest.mark.slow

TEXT = "Review the complaint of Marex and make an issue matrix"
AT = "2026-01-01T09:00:00.000Z"


async def _pack(bench: Bench, viewer: dict[str, Any] | None = None, **asked: Any) -> AgentContextPack:
    packs = services_alone(bench.database, bench.queue)[AgentPacks]
    given: dict[str, Any] = {"text": TEXT, "entrypoint": Entrypoint.design_task, **asked}
    request = AgentPackRequest(**given)
    return await packs.pack(await viewer_of(bench.database, **(viewer or {})), request)


def _names(cards: Any) -> list[str]:
    return [one.name for one in cards]


async def _world(bench: Bench) -> tuple[str, str]:
    marex = await bench.new("Entity", name="Marex", kind="matter")
    other = await bench.new("Entity", name="Narayanan", kind="matter")
    await bench.new("Restriction", name="No sending", statement="Ask before sending.", **{"global": True})
    await bench.new("Preference", name="Matrix", statement="Use issue matrices.", matter_ids=[marex])
    await bench.new("Preference", name="Docket style", statement="Short dockets.", matter_ids=[other])
    confined = await bench.new("Memory", name="Of Narayanan", statement="Only there.")
    await bench.link(confined, "APPLIES_TO", other)
    await bench.new("Memory", name="For audits", statement="Only audits.", task_types=["audit"])
    await bench.new("Template", name="Complaint review with issue matrix", matter_ids=[marex],
                    trigger_phrases=["review the complaint", "make an issue matrix"])  # fmt: skip
    await bench.new("Policy", name="Keep finals", policy_kind="artifact", task_default="doc72_reference",
                    valid_from="2020-01-01T00:00:00.000Z")  # fmt: skip
    return marex, other


async def test_a_pack_tells_of_the_matter_that_it_is_about_and_of_no_other(bench: Bench) -> None:
    marex, _ = await _world(bench)
    await bench.embed()
    document = await bench.new("Entity", name="Complaint", kind="document", matter_ids=[marex])
    goal = await bench.new("Goal", name="Win", goal_statement="Win it.", goal_type="task_outcome_goal")
    pack = await _pack(bench, about=tuple(RecordRef(id=one) for one in (marex, document, goal)))
    assert _names(pack.relevant_task_templates) == ["Complaint review with issue matrix"]
    assert (_names(pack.work_context.matter_refs), _names(pack.work_context.goal_refs)) == (["Marex"], ["Win"])
    assert _names(pack.artifact_context.source_document_refs) == ["Complaint"]
    assert _names(pack.constraints.memory_directive_refs) == ["Matrix"]
    assert _names(pack.constraints.security_policy_refs) == ["No sending"]
    assert _names(pack.constraints.artifact_policy_refs) == ["Keep finals"]
    again = await _pack(bench, about=tuple(RecordRef(id=one) for one in (marex, document, goal)))
    assert again.pack_id == pack.pack_id
    bare = await _pack(bench)
    assert (_names(bare.relevant_task_templates), _names(bare.constraints.memory_directive_refs)) == ([], [])


async def test_a_record_of_another_matter_changes_nothing(bench: Bench) -> None:
    marex, other = await _world(bench)
    await bench.embed()
    before = await _pack(bench, about=(RecordRef(id=marex),))
    await bench.new("Template", name="Review the complaint", trigger_phrases=[TEXT], matter_ids=[other])
    await bench.new("Restriction", name="Theirs", statement="Theirs.", matter_ids=[other])
    await bench.capability("Their tool", matter_ids=[other])
    await bench.embed()
    assert (await _pack(bench, about=(RecordRef(id=marex),))).pack_id == before.pack_id


async def test_of_a_run_the_pack_knows_task_earlier_runs_and_what_is_denied(bench: Bench) -> None:
    task = await bench.new("Task", name="Research", source="exec", source_key=TASK)
    template = await bench.new("Template", name="Kettle descaling")
    await bench.link(task, "INSTANTIATES", template)
    for key, mode in (("run-0", "standard"), ("run-private", "memory_incognito")):
        story = Story({"source": "exec", "key": key}, {**POLICY, "memory_mode": mode}, task_key=TASK)
        story.tell("run_started").tell("activation_completed", **step("B")).tell("run_completed")
        await bench.executor.told(
            [{**one, "occurred_at": one["occurred_at"].replace("T10", "T09")} for one in story.events]
        )
    await bench.begin()
    names = ("a complaint reader", "b issue matrix maker", "c denied", "d complaint review", "e kettle heater")
    up, down, denied, unknown, unlike = [await bench.capability(one) for one in names]
    for one, state in ((up, CapabilityState.up), (denied, CapabilityState.up), (down, CapabilityState.down),
                       (unlike, CapabilityState.up)):  # fmt: skip
        await bench.state(one, state, AT)
    await bench.link(template, "DENIES", denied)
    await bench.embed()
    pack = await _pack(bench, run=RUN)
    assert _names(pack.artifact_context.prior_task_run_refs) == ["run-0"]
    found = pack.capability_context
    lists = (
        found.available_capability_refs,
        found.unavailable_capability_refs,
        found.policy_blocked_capability_refs,
        found.unreported_capability_refs,
    )
    assert [[one.id for one in some] for some in lists] == [[up], [down], [denied], [unknown]]
    assert not found.truncated
    assert (await _pack(bench)).capability_context.policy_blocked_capability_refs == ()
    by_id = await bench.executor.one("Run", source_key="run-1")
    assert (await _pack(bench, run=RecordRef(id=by_id["id"]))).pack_id == pack.pack_id
    # What the task names is told, whatever the request says.
    await bench.link(template, "ALLOWS", unlike)
    assert unlike in {one.id for one in (await _pack(bench, run=RUN)).capability_context.available_capability_refs}


async def test_a_pack_tells_the_rules_that_concern_its_request(bench: Bench) -> None:
    for name, statement in (("Matrices", "Make an issue matrix when a complaint is reviewed."), ("Tea", "Boil water.")):
        await bench.new("Preference", name=name, statement=statement)
        await bench.new("Restriction", name=f"No {name}", statement=statement)
    await bench.embed()
    told = (await _pack(bench)).constraints
    assert _names(told.memory_directive_refs) == ["Matrices"]
    assert _names(told.security_policy_refs) == ["No Matrices", "No Tea"]


async def test_a_pack_for_a_run_tells_the_rules_that_are_meant_for_such_work(bench: Bench) -> None:
    confined = {"legal": {"domains": ["legal"]}, "kitchen": {"domains": ["food"]}, "mail": {"trigger_kinds": ["email"]},
                "turn": {"trigger_kinds": ["schedule"]}}  # fmt: skip
    for name, values in confined.items():
        await bench.new("Preference", name=f"Wish of {name}", statement="Boil water.", **values)
        await bench.new("Restriction", name=f"Rule of {name}", statement="Boil water.", **values)
    story = Story({"source": "exec", "key": "mailed"}, POLICY).tell("run_started", trigger_kind="email")
    assert set(await bench.executor.told(story.events)) == {"accepted"}
    run = RecordRef(kind="Run", source="exec", key="mailed")
    told = (await _pack(bench, run=run)).constraints
    assert _names(told.memory_directive_refs) == ["Wish of mail"]
    # Nobody has said in which field the run works; that an email began it is known.
    assert _names(told.security_policy_refs) == ["Rule of kitchen", "Rule of legal", "Rule of mail"]
    scopes = Scopes(Commands(bench.database, REGISTRY, lambda _new: None), bench.database)
    await scopes.open(await viewer_of(bench.database), RunScopeInput(run, domains=("legal",)))
    told = (await _pack(bench, run=run)).constraints
    assert _names(told.memory_directive_refs) == ["Wish of legal", "Wish of mail"]
    assert _names(told.security_policy_refs) == ["Rule of legal", "Rule of mail"]


async def test_earlier_runs_of_a_pack_are_over_remembered_and_before(bench: Bench) -> None:
    await bench.new("Task", name="Research", source="exec", source_key=TASK)
    hours = {"Before": 8, "Later": 11, "Running": 9} | {f"Private {place}": 9 for place in range(12)}
    for key, hour in hours.items():
        mode = "memory_incognito" if key.startswith("Private") else "standard"
        story = Story({"source": "exec", "key": key}, {**POLICY, "memory_mode": mode}, task_key=TASK)
        story.tell("run_started").tell("activation_completed", **step("B"))
        if key != "Running":
            story.tell("run_completed")
        events = [{**one, "occurred_at": one["occurred_at"].replace("T10", f"T{hour:02d}")} for one in story.events]
        assert set(await bench.executor.told(events)) == {"accepted"}
    await bench.begin()
    assert _names((await _pack(bench, run=RUN)).artifact_context.prior_task_run_refs) == ["Before"]


async def test_directives_that_hold_are_told(bench: Bench) -> None:
    template = await bench.new("Template", name="Complaint review", trigger_phrases=["review the complaint"])
    held = {"directive_kind": "prefer_when_phrase", "phrase_or_condition": "issue matrix"}
    directive = await bench.new("Directive", name="Matrix first", **held)
    silent = await bench.new("Directive", name="Silent", **{**held, "phrase_or_condition": "kettle"})
    for one in (directive, silent):
        await bench.link(one, "STEERS", template)
    await bench.embed()
    assert _names((await _pack(bench)).relevant_task_invocation_directives) == ["Matrix first"]


async def test_what_is_hidden_is_answered_as_missing(bench: Bench) -> None:
    hidden = await bench.new("Entity", name="Secret", kind="matter")
    reader: dict[str, Any] = {"principal_id": "prin_other", "matters": [], "clearance": "internal"}
    for asked in ({"about": (RecordRef(id=hidden),)}, {"run": RecordRef(id="run_missing")}):
        with pytest.raises(TaskloreError) as refused:
            await _pack(bench, reader, **asked)
        assert (refused.value.code, refused.value.field) == ("not_found", next(iter(asked)))


async def test_the_pack_of_an_agent_names_cards_for_its_work_as_far_as_the_profile_allows(bench: Bench) -> None:
    desk = Desk(bench.database, services_alone(bench.database, bench.queue))
    await desk.catalogue()
    packs, viewer = desk.services[AgentPacks], await desk.viewer()
    text = "Send the brief to the client after a person has approved it"
    design = AgentPackRequest(text=text, entrypoint=Entrypoint.design_task)
    assert (await packs.pack(viewer, design)).relevant_tkp_card_refs == ()
    pack_id = (await desk.services[KnowledgeCompiler].compile(viewer, activate=True)).result["id"]
    named = (await packs.pack(viewer, design)).relevant_tkp_card_refs
    assert 0 < len(named) <= MOST_CARDS
    assert {one.detail.partition(":")[0] for one in named} <= {one.value for one in FAMILIES[Entrypoint.design_task]}
    held = await desk.database.read("MATCH (p:KnowledgePack {id: $id})-[:CONTAINS]->(c) RETURN c.id AS id", id=pack_id)
    assert {one.id for one in named} <= {one["id"] for one in held}
    assert (await packs.pack(viewer, design)).relevant_tkp_card_refs == named
    prompt = AgentPackRequest(text="Improve the prompt of the judge", entrypoint=Entrypoint.improve_task_prompt)
    guides = (await packs.pack(viewer, prompt)).relevant_tkp_card_refs
    assert "prompt_guide_card" in {one.detail.partition(":")[0] for one in guides}
    none = {"name": "No doctrine", "allowed_resource_kinds": [ResourceKind.worked_example.value]}
    await desk.services[Records].save(viewer, "EducationProfile", none)
    kinds = {one.detail.partition(":")[0] for one in (await packs.pack(viewer, design)).relevant_tkp_card_refs}
    assert kinds <= {CardFamily.worked_example.value}


def test_every_entrypoint_has_its_cards() -> None:
    assert {*FAMILIES} == {*Entrypoint}
