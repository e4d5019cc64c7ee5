"""The life of assets: states by type, grounds of cases, and what an agent must ask for."""

from typing import Any

import pytest

from graph_schema.library.words import CaseGround
from graph_schema.model.fields import DataClass
from graph_schema.model.record import LifecycleState
from graph_schema.registry import REGISTRY
from service.access.viewer import PrincipalKind
from service.commands import RecordRef
from service.commands.errors import InputInvalid, RecordMissing
from service.doctor import examine
from service.errors import TaskloreError
from service.library.blueprints import BlueprintInput, PartInput
from service.records.errors import CaseGroundMissing, StateUnknown
from tests.library.conftest import Desk, chain

GOAL = {"name": "Depth", "goal_type": "output_quality_goal", "goal_statement": "Go deep."}
CASE = {"name": "Case", "task_type": "review", "user_intent_summary": "A review."}


async def _set(desk: Desk, record_id: str, state: str, reason: str | None = None, **viewer: Any) -> None:
    await desk.records.set_lifecycle(await desk.viewer(**viewer), RecordRef(id=record_id), state, reason)


@pytest.mark.parametrize("label", ["Template", "Preset", "TemplateGroup", "Directive", "Entity"])
async def test_a_record_takes_the_states_of_its_type_and_no_other(desk: Desk, label: str) -> None:
    own: dict[str, dict[str, Any]] = {
        "Preset": {"module_type": "step.judge"},
        "Directive": {"directive_kind": "prefer_when_phrase", "phrase_or_condition": "audit"},
        "Entity": {"kind": "person"},
    }
    record = await desk.new(label, name="One", **own.get(label, {}))
    for state in LifecycleState:
        if state in REGISTRY.types[label].states:
            await _set(desk, record, state, "Because.")
            stored = await desk.stored(record)
            assert (stored["lifecycle_state"], stored["lifecycle_reason"]) == (state, "Because.")
        else:
            with pytest.raises(StateUnknown):
                await _set(desk, record, state)
    assert await examine(desk.database) == []
    await desk.database.run_alone("MATCH (n:Record {id: $id}) SET n.lifecycle_state = 'draft'", id=record)
    found = [one.check for one in await examine(desk.database) if one.check == "state_of_other_type"]
    assert bool(found) == (LifecycleState.draft not in REGISTRY.types[label].states)


async def test_a_hidden_record_has_no_state_to_set(desk: Desk) -> None:
    hidden = await desk.new("Template", name="Hidden", data_class="local_only")
    for one in (hidden, "tpl_missing"):
        with pytest.raises(RecordMissing):
            await _set(desk, one, "draft", matters=[], principal_id="x", clearance=DataClass.internal)


async def test_a_case_teaches_only_on_a_ground(desk: Desk) -> None:
    case = await desk.new("Case", **CASE)
    assert (await desk.stored(case))["lifecycle_state"] == "candidate"
    with pytest.raises(CaseGroundMissing):
        await _set(desk, case, "active")
    for archived in (True, False):
        await desk.records.set_state(
            await desk.viewer(), RecordRef(id=case), archived=archived, command_id=None, if_version=None
        )
    assert (await desk.stored(case))["lifecycle_state"] == "candidate"
    await desk.save("Case", case, active_because="user_reused")
    await _set(desk, case, "active")
    with pytest.raises(CaseGroundMissing):
        await desk.save("Case", case, active_because=None)
    for ground in CaseGround:
        one = await desk.new("Case", **CASE, active_because=ground.value)
        assert (await desk.stored(one))["lifecycle_state"] == "active"


LOW: dict[str, Any] = {
    "description": "Better.",
    "trigger_phrases": ["audit", "check"],
    "known_limitations": ["No tables."],
    "semantic_lookup_phrases": ["look over"],
}
HIGH: dict[str, Any] = {
    "name": "Other",
    "trigger_phrases": ["check"],
    "use_conditions": ["always"],
    "data_class": "public",
    "source_authority": "user_taught",
}


@pytest.mark.parametrize(
    ("label", "code"),
    [
        ("Template", "validation.template_update_requires_approval"),
        ("Preset", "validation.preset_update_requires_approval"),
    ],
)
async def test_an_agent_changes_nothing_of_what_is_in_use(desk: Desk, label: str, code: str) -> None:
    own: dict[str, Any] = {"module_type": "step.judge"} if label == "Preset" else {}
    record = await desk.new(label, name="One", trigger_phrases=["audit"], **own)
    capability = await desk.new("Capability", name="PACER", capability_kind="tool")
    agent = await desk.viewer(principal_id="agent", kind=PrincipalKind.agent)
    wanted = [*LOW.items(), *HIGH.items()]
    refused = [desk.records.save(agent, label, {name: value}, record_id=record) for name, value in wanted]
    refused.append(desk.records.set_lifecycle(agent, RecordRef(id=record), "deprecated", None))
    refused.append(desk.records.link(agent, RecordRef(id=record), "REQUIRES", RecordRef(id=capability), {}))
    if label == "Template":
        refused.append(desk.library.save_graph(agent, RecordRef(id=record), chain("a")))
    for one in refused:
        with pytest.raises(TaskloreError) as error:
            await one
        assert error.value.code == code
    await desk.save(label, record, **HIGH)


async def test_what_an_agent_brings_waits_for_a_person(desk: Desk) -> None:
    agent = await desk.viewer(principal_id="agent", kind=PrincipalKind.agent)
    template = (await desk.records.save(agent, "Template", {"name": "New"})).result["id"]
    assert (await desk.stored(template))["lifecycle_state"] == "draft"
    agent = await desk.viewer(principal_id="agent", kind=PrincipalKind.agent)
    await desk.library.save_graph(agent, RecordRef(id=template), chain("a"), searched=await desk.match())
    with pytest.raises(TaskloreError) as error:
        await desk.records.set_lifecycle(agent, RecordRef(id=template), "active", None)
    assert error.value.code == "validation.template_update_requires_approval"
    directive = {"name": "D", "directive_kind": "prefer_when_phrase", "phrase_or_condition": "audit"}
    one = (await desk.records.save(agent, "Directive", directive)).result["id"]
    assert (await desk.stored(one))["lifecycle_state"] == "candidate"
    inferred = await desk.new("Directive", **directive, directive_source="task_agent_inferred")
    assert (await desk.stored(inferred))["lifecycle_state"] == "candidate"


DIRECTIVE = {"name": "D", "directive_kind": "prefer_when_phrase", "phrase_or_condition": "audit"}
PROPOSALS: dict[str, dict[str, Any]] = {
    "Directive": DIRECTIVE,
    "Lesson": {"name": "L", "design_choice": "Debate.", "because": "It cites."},
    "Case": CASE,
    "Template": {"name": "T"},
    "Preset": {"name": "P", "module_type": "step.judge"},
}


async def _refused(waited: Any, code: str) -> None:
    with pytest.raises(TaskloreError) as error:
        await waited
    assert error.value.code == code


@pytest.mark.parametrize("label", PROPOSALS)
async def test_an_agent_puts_nothing_into_use_by_way_of_the_archive(desk: Desk, label: str) -> None:
    agent = await desk.viewer(principal_id="agent", kind=PrincipalKind.agent)
    code = (
        f"validation.{label.lower()}_update_requires_approval"
        if label in {"Template", "Preset"}
        else "approval_required"
    )
    one = RecordRef(id=(await desk.records.save(agent, label, PROPOSALS[label])).result["id"])
    if label == "Case":
        await desk.save("Case", str(one.id), active_because="user_reused")
    agent = await desk.viewer(principal_id="agent", kind=PrincipalKind.agent)
    await desk.records.set_lifecycle(agent, one, "archived", None)
    await _refused(desk.records.set_lifecycle(agent, one, "active", None), code)
    back = desk.records.set_state(agent, one, archived=False, command_id=None, if_version=None)
    await _refused(back, "approval_required")
    assert (await desk.stored(str(one.id)))["lifecycle_state"] == "archived"
    await _set(desk, str(one.id), "active")


async def test_an_agent_puts_nobody_elses_pattern_away_nor_brings_it_back(desk: Desk) -> None:
    one = RecordRef(id=await desk.new("Pattern", name="Debate", purpose="Two argue, one judges."))
    agent = await desk.viewer(principal_id="agent", kind=PrincipalKind.agent)
    await _refused(desk.records.set_lifecycle(agent, one, "archived", None), "approval_required")
    await _set(desk, str(one.id), "archived")
    for state in ("draft", "active"):
        await _refused(desk.records.set_lifecycle(agent, one, state, None), "approval_required")


async def test_on_what_ground_a_case_teaches_a_person_says(desk: Desk) -> None:
    agent = await desk.viewer(principal_id="agent", kind=PrincipalKind.agent)
    await _refused(desk.records.save(agent, "Case", {**CASE, "active_because": "user_reused"}), "approval_required")
    case = (await desk.records.save(agent, "Case", CASE)).result["id"]
    agent = await desk.viewer(principal_id="agent", kind=PrincipalKind.agent)
    ground = desk.records.save(agent, "Case", {"active_because": "user_reused"}, record_id=case)
    await _refused(ground, "approval_required")
    await desk.records.save(agent, "Case", {"user_intent_summary": "Another review."}, record_id=case)


@pytest.mark.parametrize("label", ["Directive", "Lesson", "Case"])
async def test_what_steers_is_not_an_agents_to_change(desk: Desk, label: str) -> None:
    ground = {"active_because": "user_reused"} if label == "Case" else {}
    one, goal = await desk.new(label, **PROPOSALS[label], **ground), await desk.new("Goal", **GOAL)
    template = await desk.new("Template", name="T")
    kind, head = ("STEERS", template) if label == "Directive" else ("SERVES_GOAL", goal)
    agent = await desk.viewer(principal_id="agent", kind=PrincipalKind.agent)
    tail, to = RecordRef(id=one), RecordRef(id=head)
    for waited in (
        desk.records.save(agent, label, {"name": "Other"}, record_id=one),
        desk.records.link(agent, tail, kind, to, {}),
        desk.records.link(agent, tail, kind, to, {}, remove=True),
        desk.records.set_lifecycle(agent, tail, "archived", None),
    ):
        await _refused(waited, "approval_required")
    await desk.link(one, kind, head)
    await _set(desk, one, "candidate")
    agent = await desk.viewer(principal_id="agent", kind=PrincipalKind.agent)
    await _refused(desk.records.save(agent, label, {"name": "Other"}, record_id=one), "approval_required")
    await _refused(desk.records.link(agent, tail, kind, to, {}, remove=True), "approval_required")
    own = RecordRef(id=(await desk.records.save(agent, label, PROPOSALS[label])).result["id"])
    await desk.records.link(await desk.viewer(principal_id="agent", kind=PrincipalKind.agent), own, kind, to, {})


async def test_a_part_of_a_template_in_use_is_guarded_with_it(desk: Desk) -> None:
    template = await desk.new("Template", name="T")
    graph = await desk.graph(template, chain("a"))
    [row] = await desk.rows("MATCH (m:Module) RETURN m.id AS id")
    values = {"name": "B", "business_or_personal_goal": "A sound one.", "task_type": "review"}
    steps = {"steps": [PartInput({"step_key": "a", "purpose": "To do it."})]}
    asked = BlueprintInput(values, of=RecordRef(id=template), parts=steps)
    blueprint = (await desk.library.save_blueprint(await desk.viewer(), asked)).result["id"]
    [step] = await desk.rows("MATCH (s:StepIntent) RETURN s.id AS id")
    preset = await desk.new("Preset", name="P", module_type="step.agent_task")
    capability = await desk.new("Capability", name="PACER", capability_kind="tool")
    module = RecordRef(id=row["id"])
    links = [("USES_PRESET", preset), ("REQUIRES", capability), ("ALLOWS", capability), ("DENIES", capability)]
    agent = await desk.viewer(principal_id="agent", kind=PrincipalKind.agent)
    code = "validation.template_update_requires_approval"
    for kind, head in links:
        for remove in (False, True):
            await _refused(desk.records.link(agent, module, kind, RecordRef(id=head), {}, remove=remove), code)
    for one in (blueprint, step["id"], row["id"], graph["id"]):
        part = RecordRef(id=one)
        await _refused(desk.records.set_lifecycle(agent, part, "archived", None), code)
        archived = desk.records.set_state(agent, part, archived=True, command_id=None, if_version=None)
        await _refused(archived, code)
    await _set(desk, template, "draft")
    agent = await desk.viewer(principal_id="agent", kind=PrincipalKind.agent)
    for kind, head in links:  # a draft, but somebody else's
        await _refused(desk.records.link(agent, module, kind, RecordRef(id=head), {}), "approval_required")


async def test_a_group_of_a_template_in_use_is_guarded_with_it(desk: Desk) -> None:
    template, group = await desk.new("Template", name="T"), await desk.new("TemplateGroup", name="G")
    capability = RecordRef(id=await desk.new("Capability", name="PACER", capability_kind="tool"))
    one, place = RecordRef(id=template), RecordRef(id=group)
    agent = await desk.viewer(principal_id="agent", kind=PrincipalKind.agent)
    code = "validation.template_update_requires_approval"
    await _refused(desk.records.link(agent, place, "REQUIRES", capability, {}), "approval_required")
    await _refused(desk.records.link(agent, one, "IN_GROUP", place, {}), code)
    await desk.link(template, "IN_GROUP", group)
    await _refused(desk.records.link(agent, one, "IN_GROUP", place, {}, remove=True), code)
    for kind in ("REQUIRES", "ALLOWS", "DENIES"):
        for remove in (False, True):
            waited = desk.records.link(agent, place, kind, capability, {}, remove=remove)
            await _refused(waited, "approval_required")
    await _refused(desk.records.set_lifecycle(agent, place, "archived", None), code)
    mine = {
        label: RecordRef(id=(await desk.records.save(agent, label, {"name": "Mine"})).result["id"])
        for label in ("Template", "TemplateGroup")
    }
    agent = await desk.viewer(principal_id="agent", kind=PrincipalKind.agent)
    await _refused(desk.records.link(agent, mine["Template"], "IN_GROUP", place, {}), "approval_required")
    for remove in (False, True):
        await desk.records.link(agent, mine["Template"], "IN_GROUP", mine["TemplateGroup"], {}, remove=remove)
        await desk.records.link(agent, mine["TemplateGroup"], "DENIES", capability, {}, remove=remove)
    await desk.link(template, "IN_GROUP", str(mine["TemplateGroup"].id))
    await _refused(desk.records.link(agent, mine["TemplateGroup"], "DENIES", capability, {}), code)


async def test_an_agent_takes_no_blueprint_of_a_template_in_use(desk: Desk) -> None:
    template = await desk.new("Template", name="T")
    agent = await desk.viewer(principal_id="agent", kind=PrincipalKind.agent)
    task = await desk.new("Task", name="Mine")
    await desk.proposed(task)
    values = {"name": "B", "business_or_personal_goal": "A sound one.", "task_type": "review"}
    asked = BlueprintInput(values, of=RecordRef(id=template))
    blueprint = RecordRef(id=(await desk.library.save_blueprint(await desk.viewer(), asked)).result["id"])
    agent = await desk.viewer(principal_id="agent", kind=PrincipalKind.agent)
    code = "validation.template_update_requires_approval"
    mine = RecordRef(id=task)
    await _refused(desk.records.link(agent, mine, "HAS_BLUEPRINT", blueprint, {}), code)
    await desk.link(task, "HAS_BLUEPRINT", str(blueprint.id))
    await _refused(desk.records.link(agent, mine, "HAS_BLUEPRINT", blueprint, {}, remove=True), code)
    await desk.records.link(await desk.viewer(), mine, "HAS_BLUEPRINT", blueprint, {}, remove=True)
    own = (await desk.library.save_blueprint(agent, BlueprintInput(values))).result["id"]
    agent = await desk.viewer(principal_id="agent", kind=PrincipalKind.agent)
    for remove in (False, True):
        await desk.records.link(agent, mine, "HAS_BLUEPRINT", RecordRef(id=own), {}, remove=remove)


async def test_the_hash_of_a_presets_configuration_follows_it(desk: Desk) -> None:
    preset = await desk.new("Preset", name="P", module_type="step.judge", config='{"a": 1, "b": 2}')
    first = (await desk.stored(preset))["config_hash"]
    await desk.save("Preset", preset, config='{"b":2,"a":1}')
    assert (await desk.stored(preset))["config_hash"] == first
    await desk.save("Preset", preset, config='{"b":3}')
    assert (await desk.stored(preset))["config_hash"] != first
    with pytest.raises(InputInvalid):
        await desk.save("Preset", preset, config="{")


LABELS: list[tuple[dict[str, bool], str]] = [
    ({}, "Saved Task"),
    ({"reusable": True}, "Reusable Saved Task"),
    ({"reusable": True, "trigger_enabled": True}, "Triggered Saved Task"),
    ({"reusable": True, "trigger_enabled": True, "scheduled": True}, "Scheduled Saved Task"),
]


@pytest.mark.parametrize(("facts", "label"), LABELS)
async def test_a_task_is_called_by_its_facts(desk: Desk, facts: dict[str, bool], label: str) -> None:
    task = await desk.new("Task", name="T", **facts)
    assert (await desk.stored(task))["user_facing_label"] == label
    await desk.save("Task", task, archived=True)
    assert (await desk.stored(task))["lifecycle_state"] == "archived"
    await _set(desk, task, "active")
    stored = await desk.stored(task)
    assert (stored["archived"], stored["user_facing_label"]) == (False, label)


TEMPLATE_OF = """
MATCH (:Task {id: $id})-[:INSTANTIATES]->(t:Template)
RETURN t.id AS id, t.name AS name, t.graph_hash AS hash, COUNT { (t)-[:HAS_GRAPH]->() } AS graphs, t.matter_ids AS m
"""


async def test_a_task_made_reusable_has_a_template(desk: Desk) -> None:
    matter = await desk.new("Entity", name="Marex", kind="matter")
    task = await desk.new("Task", name="Review", description="Reviews.", matter_ids=[matter])
    saved = await desk.graph(task, chain("a", "b"))
    for _ in range(2):
        await desk.save("Task", task, reusable=True)
        [row] = await desk.rows(TEMPLATE_OF, id=task)
        assert (row["name"], row["hash"], row["graphs"], row["m"]) == ("Review", saved["graph_hash"], 1, [matter])
        await desk.save("Task", task, reusable=False)
    other, template = await desk.new("Task", name="Other"), await desk.new("Template", name="T")
    await desk.link(other, "INSTANTIATES", template)
    await desk.save("Task", other, reusable=True)
    assert [one["id"] for one in await desk.rows(TEMPLATE_OF, id=other)] == [template]
    assert await examine(desk.database) == []


@pytest.mark.slow
async def test_what_belongs_to_an_erased_asset_goes_with_it(desk: Desk) -> None:
    one = await desk.new("Template", name="One", trigger_phrases=["audit this"])
    other = await desk.new("Template", name="Other")
    await desk.graph(one, chain("a", "b"))
    await desk.graph(other, chain("a", "b"))
    await desk.graph(one, chain("secret"))
    await desk.records.erase(await desk.viewer(), RecordRef(id=one), None)
    left = await desk.rows("MATCH (n:Module|Phrase) RETURN coalesce(n.module_key, n.text) AS key ORDER BY key")
    assert [row["key"] for row in left] == ["a", "b"]
