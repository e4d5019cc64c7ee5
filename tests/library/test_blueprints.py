"""Blueprints: saved whole, compared with what they were, and told how much there is to them."""

from typing import Any

import orjson
import pytest

from graph_schema.model.fields import DataClass
from service.access.viewer import KeyScope, PrincipalKind
from service.commands import RecordRef
from service.commands.approval import UpdateNeedsApproval
from service.commands.errors import InputInvalid, RecordMissing
from service.doctor import examine
from service.errors import TaskloreError
from service.library.blueprints import NEEDS, BlueprintInput, PartInput, content_hash, difference, written
from service.library.errors import BlueprintGraphMismatch
from service.library.graphs import GraphInput, ModuleInput
from service.library.profile import profile
from tests.library.conftest import Desk, chain, module

pytestmark = pytest.mark.slow

FIELDS: dict[str, Any] = {"name": "Review", "business_or_personal_goal": "A sound complaint.", "task_type": "review"}


def step(key: str, **more: Any) -> PartInput:
    links = {name: more.pop(name) for name in (*NEEDS, "bound_modules", "checked_by", "goals") if name in more}
    return PartInput({"step_key": key, "purpose": f"To {key}.", **more}, **links)


def contract(side: str, kind: str) -> PartInput:
    return PartInput({"side": side, "kind": kind})


OUTPUT = contract("output", "memo")


async def save(desk: Desk, asked: BlueprintInput, **viewer: Any) -> dict[str, Any]:
    return (await desk.library.save_blueprint(await desk.viewer(**viewer), asked)).result


async def _world(desk: Desk) -> tuple[str, str, str]:
    template = await desk.new("Template", name="Review")
    await desk.graph(template, chain("draft", "judge"))
    goal = await desk.new("Goal", name="Depth", goal_type="output_quality_goal", goal_statement="Go deep.")
    return template, goal, await desk.new("Capability", name="PACER", capability_kind="tool")


def whole(template: str, goal: str, capability: str, **more: Any) -> BlueprintInput:
    parts = {
        "steps": [
            step("draft", bound_modules=["draft"], requires=[RecordRef(id=capability)]),
            step("judge", bound_modules=["judge"], checked_by=["It cites."], goals=[RecordRef(id=goal)]),
        ],
        "contracts": [contract("input", "complaint"), contract("output", "memo")],
        "criteria": [PartInput({"statement": "It cites."})],
        "review_points": [PartInput({"statement": "Send it?", "before": "judge"})],
        "side_effects": [PartInput({"side_effect_class": "email"})],
    }
    links = {"goals": [RecordRef(id=goal)], "requires": [RecordRef(id=capability)]}
    asked: dict[str, Any] = {"values": FIELDS, "of": RecordRef(id=template), "parts": parts, "links": links, **more}
    return BlueprintInput(**asked)


PARTS = """
MATCH (:Blueprint {id: $id})-[r]->(n:Record)
OPTIONAL MATCH (n)-[s:BOUND_TO|CHECKED_BY|REQUIRES|SERVES_GOAL]->(other)
RETURN type(r) AS type, n.name AS name, collect(type(s) + ' ' + other.name) AS links ORDER BY type, name
"""


async def test_a_blueprint_is_saved_with_all_its_parts(desk: Desk) -> None:
    world = await _world(desk)
    saved = await save(desk, whole(*world))
    rows = [(one["type"], one["name"], sorted(one["links"])) for one in await desk.rows(PARTS, id=saved["id"])]
    assert rows == [
        ("EXPRESSES_GOAL", "Depth", []),
        ("HAS_CONTRACT", "complaint", []),
        ("HAS_CONTRACT", "memo", []),
        ("HAS_CRITERION", "It cites.", []),
        ("HAS_REVIEW_POINT", "Send it?", []),
        ("HAS_SIDE_EFFECT", "email", []),
        ("HAS_STEP", "draft", ["BOUND_TO draft", "REQUIRES PACER"]),
        ("HAS_STEP", "judge", ["BOUND_TO judge", "CHECKED_BY It cites.", "SERVES_GOAL Depth"]),
        ("REQUIRES", "PACER", []),
    ]
    stored = await desk.stored(saved["id"])
    assert (stored["modules_count"], stored["outcome_count"], stored["overall_complexity"]) == (2, 1, "simple")
    assert (await desk.stored(world[0]))["blueprint_hash"] == saved["blueprint_hash"]
    assert saved["warnings"] == []
    assert await examine(desk.database) == []


async def test_the_same_again_changes_nothing(desk: Desk) -> None:
    world = await _world(desk)
    saved = await save(desk, whole(*world))
    again = await save(desk, whole(*world, record_id=saved["id"]))
    assert again == saved
    assert "diff" not in await desk.stored(saved["id"])
    assert await save(desk, BlueprintInput(FIELDS, saved["id"])) == saved


async def test_the_difference_to_the_version_before_is_kept(desk: Desk) -> None:
    world = await _world(desk)
    saved = await save(desk, whole(*world))
    asked = BlueprintInput(
        {"artifact_policy": "doc72_reference", "domain": "law"},
        saved["id"],
        parts={
            "steps": [
                step("draft", purpose="To draft well."),
                step("send", requires=[RecordRef(id=world[2])], artifact_policy_override="run_only"),
            ],
            "contracts": [contract("input", "complaint"), contract("output", "letter")],
        },
        links={"denies": [RecordRef(id=world[2])], "requires": []},
        rationale="Judging never helped.",
        evidence_refs=["run-7"],
    )
    after = await save(desk, asked)
    assert after["blueprint_hash"] != saved["blueprint_hash"]
    diff = orjson.loads((await desk.stored(saved["id"]))["diff"])
    assert (diff["prior_version"], diff["candidate_version"]) == (1, 2)
    assert [one["field"] for one in diff["changed_fields"]] == ["domain"]
    assert [(one["key"], one["change"]) for one in diff["step_intent_changes"]] == [
        ("judge", "removed"), ("send", "added"), ("draft", "changed"),
    ]  # fmt: skip
    assert {one["key"]: one["change"] for one in diff["output_contract_changes"]} == {
        "output / memo": "removed", "output / letter": "added",
    }  # fmt: skip
    needs = [(one.get("step"), one["need"], one["change"]) for one in diff["capability_need_changes"]]
    assert needs == [
        (None, "requires", "removed"), (None, "denies", "added"),
        ("draft", "requires", "removed"), ("send", "requires", "added"),
    ]  # fmt: skip
    assert diff["artifact_policy_changes"] == [
        {"of": "blueprint", "from": None, "to": "doc72_reference"}, {"of": "send", "from": None, "to": "run_only"},
    ]  # fmt: skip
    assert (diff["rationale"], diff["evidence_refs"]) == ("Judging never helped.", ["run-7"])
    former = await desk.rows("MATCH (:Blueprint)-[:HAD_PART]->(n) RETURN n.name AS name ORDER BY name")
    assert [one["name"] for one in former] == ["judge", "memo"]
    assert after["warnings"] == ["warning.task_design_case_candidate"]
    assert await examine(desk.database) == []


async def test_one_step_is_said_otherwise_and_all_else_stays(desk: Desk) -> None:
    """Also what the step leads to, which whoever changes its words need not see."""
    world = await _world(desk)
    saved = await save(desk, whole(*world))
    before = await desk.rows(PARTS, id=saved["id"])
    revised = [{"step_key": "judge", "purpose": "To judge by the elements."}]
    after = await save(desk, BlueprintInput({}, saved["id"], revised=revised, rationale="It was vague."))
    assert await desk.rows(PARTS, id=saved["id"]) == before
    diff = orjson.loads((await desk.stored(saved["id"]))["diff"])
    [change] = diff["step_intent_changes"]
    assert (change["key"], change["change"]) == ("judge", "changed")
    assert [one["to"] for one in change["fields"]] == ["To judge by the elements."]
    assert diff["capability_need_changes"] == diff["criteria_changes"] == diff["changed_fields"] == []
    assert after["blueprint_hash"] != saved["blueprint_hash"]
    assert (await save(desk, BlueprintInput({}, saved["id"], revised=revised)))["version"] == after["version"]
    with pytest.raises(RecordMissing):
        await save(desk, BlueprintInput({}, saved["id"], revised=[{"step_key": "nowhere", "purpose": "x"}]))
    with pytest.raises(InputInvalid):
        await save(desk, BlueprintInput({}, saved["id"], revised=revised, parts={"steps": [step("draft")]}))
    assert await examine(desk.database) == []


async def test_a_blueprint_without_a_goal_is_taken_with_a_warning(desk: Desk) -> None:
    saved = await save(desk, BlueprintInput(FIELDS))
    assert saved["warnings"] == ["warning.blueprint_goal_unlinked"]


async def test_parts_follow_the_access_of_their_blueprint(desk: Desk) -> None:
    matter = await desk.new("Entity", name="Marex", kind="matter")
    template = await desk.new("Template", name="Review", matter_ids=[matter])
    saved = await save(desk, BlueprintInput(FIELDS, of=RecordRef(id=template), parts={"steps": [step("a"), step("b")]}))
    await save(desk, BlueprintInput({}, saved["id"], parts={"steps": [step("a")]}))
    seen = "MATCH (s:StepIntent) RETURN collect(DISTINCT s.matter_ids) AS m"
    assert (await desk.rows(seen))[0]["m"] == [[matter]]
    await save(desk, BlueprintInput({"matter_ids": [], "data_class": "privileged"}, saved["id"]))
    assert (await desk.rows(seen))[0]["m"] == [[matter]]
    await desk.save("Template", template, matter_ids=[])
    assert (await desk.rows(seen))[0]["m"] == [[]]
    assert (await desk.stored(saved["id"]))["data_class"] == "privileged"
    assert await examine(desk.database) == []
    for one in (saved["id"], "bp_missing"):
        with pytest.raises(RecordMissing):
            await save(desk, BlueprintInput({"domain": "x"}, one), clearance=DataClass.internal, principal_id="x")


async def test_a_blueprint_goes_where_its_owner_goes(desk: Desk) -> None:
    one, other = [await desk.new("Entity", name=name, kind="matter") for name in ("Marex", "Narayanan")]
    template, task = await desk.new("Template", name="Review", matter_ids=[one]), await desk.new("Task", name="Review")
    saved = await save(desk, BlueprintInput(FIELDS, of=RecordRef(id=template), parts={"contracts": [OUTPUT]}))
    held = "MATCH (b:Blueprint {id: $id})-[:HAS_CONTRACT]->(c) RETURN [b.matter_ids, c.matter_ids] AS m"

    async def matters() -> list[list[str]]:
        assert await examine(desk.database) == []
        return (await desk.rows(held, id=saved["id"]))[0]["m"]

    assert await matters() == [[one], [one]]
    for moved in ([other], [], [one]):
        await desk.save("Template", template, matter_ids=moved)
        assert await matters() == [moved, moved]
    await desk.save("Template", template, matter_ids=[one], data_class="privileged")
    assert (await desk.stored(saved["id"]))["data_class"] == "privileged"
    await save(desk, BlueprintInput({}, saved["id"], of=RecordRef(id=task)))
    await desk.save("Task", task, matter_ids=[other])
    assert await matters() == [sorted([one, other])] * 2
    await desk.save("Template", template, matter_ids=[other])
    assert await matters() == [[other]] * 2
    await desk.records.link(
        await desk.viewer(), RecordRef(id=task), "HAS_BLUEPRINT", RecordRef(id=saved["id"]), {}, remove=True
    )
    assert await matters() == [[other]] * 2


async def test_an_owner_has_one_blueprint(desk: Desk) -> None:
    world = await _world(desk)
    first = await save(desk, whole(*world))
    again = await save(desk, BlueprintInput({"domain": "law"}, of=RecordRef(id=world[0])))
    assert (again["id"], again["version"]) == (first["id"], 2)
    stored = await desk.stored(first["id"])
    assert (stored["domain"], stored["task_type"], stored["outcome_count"]) == ("law", "review", 1)
    named = {**FIELDS, "source": "test", "source_key": "bp"}
    second = await save(desk, BlueprintInput(named, of=RecordRef(id=world[0])))
    of = "MATCH (t:Template {id: $id})-[:HAS_BLUEPRINT]->(b) RETURN b.id AS id, t.blueprint_hash AS hash"
    [row] = await desk.rows(of, id=world[0])
    assert (row["id"], row["hash"]) == (second["id"], second["blueprint_hash"])
    assert second["id"] != first["id"]
    await desk.records.set_lifecycle(await desk.viewer(), RecordRef(id=second["id"]), "archived", None)
    third = await save(desk, BlueprintInput(FIELDS, of=RecordRef(id=world[0])))
    assert [one["id"] for one in await desk.rows(of, id=world[0])] == [third["id"]]
    assert await examine(desk.database) == []


async def test_a_blueprint_that_is_replaced_is_open_to_those_who_still_have_it(desk: Desk) -> None:
    matter = await desk.new("Entity", name="Marex", kind="matter")
    task, template = await desk.new("Task", name="T"), await desk.new("Template", name="R", matter_ids=[matter])
    parts = {"steps": [step("a")]}
    first = await save(desk, BlueprintInput(FIELDS, of=RecordRef(id=task), parts=parts))
    await desk.link(template, "HAS_BLUEPRINT", first["id"])
    assert (await desk.stored(first["id"]))["matter_ids"] == [matter]
    await save(desk, BlueprintInput({**FIELDS, "source": "test", "source_key": "bp"}, of=RecordRef(id=template)))
    assert (await desk.stored(first["id"]))["matter_ids"] == []
    assert await examine(desk.database) == []


async def test_a_hidden_blueprint_is_not_changed_by_its_owners_name(desk: Desk) -> None:
    template = await desk.new("Template", name="Review")
    hidden = await save(desk, BlueprintInput({**FIELDS, "data_class": "local_only"}, of=RecordRef(id=template)))
    low: dict[str, Any] = {"principal_id": "x", "clearance": DataClass.internal, "scopes": [KeyScope.curate]}
    own = await save(desk, BlueprintInput(FIELDS, of=RecordRef(id=template)), **low)
    assert own["id"] != hidden["id"]
    assert (await desk.stored(hidden["id"]))["version"] == 1


HANDS = [
    (PrincipalKind.person, "user"),
    (PrincipalKind.agent, "task_agent"),
    (PrincipalKind.service, "system"),
]


@pytest.mark.parametrize(("kind", "hand"), HANDS)
async def test_a_blueprint_is_of_the_hand_that_saves_it_first(desk: Desk, kind: PrincipalKind, hand: str) -> None:
    task = await desk.new("Task", name="Review")
    if kind is PrincipalKind.agent:
        await desk.proposed(task, by="prin_admin")
    asked = BlueprintInput(FIELDS, of=RecordRef(id=task), parts={"steps": [step("a")]})
    saved = await save(desk, asked, kind=kind)
    assert (await desk.stored(saved["id"]))["authored_by"] == hand
    mixed = BlueprintInput({**FIELDS, "authored_by": "mixed"})
    if kind is PrincipalKind.agent:
        with pytest.raises(UpdateNeedsApproval):
            await save(desk, mixed, kind=kind)
    else:
        assert (await desk.stored((await save(desk, mixed, kind=kind))["id"]))["authored_by"] == "mixed"
    refined = BlueprintInput({}, saved["id"], parts={"steps": [step("a"), step("b")]})
    candidate = "warning.task_design_case_candidate" in (await save(desk, refined, kind=kind))["warnings"]
    assert candidate == (kind is not PrincipalKind.agent)
    by_hand = BlueprintInput({}, saved["id"], parts={"steps": [step("b")]})
    assert "warning.task_design_case_candidate" in (await save(desk, by_hand))["warnings"]
    assert (await desk.stored(saved["id"]))["authored_by"] == hand


async def test_a_step_says_what_it_may_and_must_not_use(desk: Desk) -> None:
    template, _, capability = await _world(desk)
    other = await desk.new("Capability", name="Mail", capability_kind="tool")
    steps = [step("draft", allows=[RecordRef(id=capability)], denies=[RecordRef(id=other)])]
    saved = await save(desk, BlueprintInput(FIELDS, of=RecordRef(id=template), parts={"steps": steps}))
    links = "MATCH (:StepIntent)-[r:ALLOWS|DENIES]->(c) RETURN type(r) + ' ' + c.name AS link ORDER BY link"
    assert [one["link"] for one in await desk.rows(links)] == ["ALLOWS PACER", "DENIES Mail"]
    swapped = [step("draft", allows=[RecordRef(id=other)])]
    after = await save(desk, BlueprintInput({}, saved["id"], parts={"steps": swapped}))
    assert after["blueprint_hash"] != saved["blueprint_hash"]
    assert [one["link"] for one in await desk.rows(links)] == ["ALLOWS Mail"]
    diff = orjson.loads((await desk.stored(saved["id"]))["diff"])
    assert [(one["step"], one["need"], one["id"], one["change"]) for one in diff["capability_need_changes"]] == [
        ("draft", "allows", capability, "removed"), ("draft", "allows", other, "added"),
        ("draft", "denies", other, "removed"),
    ]  # fmt: skip


async def test_a_blueprint_knows_which_graph_it_goes_with(desk: Desk) -> None:
    template = await desk.new("Template", name="Review")
    saved = await save(desk, BlueprintInput(FIELDS, of=RecordRef(id=template)))
    assert "current_graph_version" not in await desk.stored(saved["id"])
    for graph, number in ((chain("a"), 1), (chain("a", "b"), 2), (chain("a", "b"), 2), (chain("a"), 3)):
        await desk.graph(template, graph)
        assert (await desk.stored(saved["id"]))["current_graph_version"] == number
    await save(desk, BlueprintInput({"domain": "law"}, saved["id"]))
    assert (await desk.stored(saved["id"]))["current_graph_version"] == 3
    later = await desk.new("Task", name="Later")
    for graph in (chain("a"), chain("b")):
        await desk.graph(later, graph)
    bare = await save(desk, BlueprintInput(FIELDS, of=RecordRef(id=later)))
    assert (await desk.stored(bare["id"]))["current_graph_version"] == 2


async def test_what_is_wrong_is_refused(desk: Desk) -> None:
    world = await _world(desk)
    with pytest.raises(BlueprintGraphMismatch) as error:
        await save(desk, whole(*world, parts={"steps": [step("x", bound_modules=["nowhere"])]}))
    assert error.value.code == "validation.blueprint_graph_mismatch"
    with pytest.raises(InputInvalid):
        await save(desk, whole(*world, parts={"steps": [step("x"), step("x")]}))
    with pytest.raises(RecordMissing):
        await save(desk, whole(*world, parts={"steps": [step("x", checked_by=["nothing"])]}))
    with pytest.raises(TaskloreError) as refused:
        await save(desk, whole(*world), kind=PrincipalKind.agent)
    assert refused.value.code == "validation.template_update_requires_approval"
    assert (await desk.rows("MATCH (b:Blueprint|StepIntent) RETURN count(b) AS n"))[0]["n"] == 0


async def test_a_blueprint_named_by_itself_is_still_its_templates(desk: Desk) -> None:
    world = await _world(desk)
    saved = await save(desk, whole(*world))
    with pytest.raises(TaskloreError) as refused:
        await save(desk, BlueprintInput({"domain": "law"}, saved["id"]), kind=PrincipalKind.agent)
    assert refused.value.code == "validation.template_update_requires_approval"
    after = await save(desk, BlueprintInput({"domain": "law"}, saved["id"]))
    assert after["blueprint_hash"] != saved["blueprint_hash"]
    assert (await desk.stored(world[0]))["blueprint_hash"] == after["blueprint_hash"]


async def test_what_is_in_the_hash_is_said_by_the_save_alone(desk: Desk) -> None:
    world = await _world(desk)
    blueprint = (await save(desk, whole(*world)))["id"]
    [row] = await desk.rows("MATCH (s:StepIntent {step_key: 'judge'}) RETURN s.id AS id")
    needs = [(kind, world[2]) for kind in ("REQUIRES", "ALLOWS", "DENIES")]
    asked = [(blueprint, "EXPRESSES_GOAL", world[1]), *((blueprint, *one) for one in needs)]
    asked += [(row["id"], "SERVES_GOAL", world[1]), *((row["id"], *one) for one in needs)]
    for tail, kind, head in asked:
        with pytest.raises(TaskloreError) as refused:
            await desk.link(tail, kind, head)
        assert refused.value.code == "relation_managed"
        assert "saveBlueprint" in str(refused.value.remedy)


async def test_a_new_graph_changes_the_profile(desk: Desk) -> None:
    world = await _world(desk)
    saved = await save(desk, whole(*world))
    await desk.graph(world[0], chain(*(f"m{one}" for one in range(11))))
    stored = await desk.stored(saved["id"])
    assert (stored["modules_count"], stored["overall_complexity"]) == (11, "complex")


def _modules(count: int, kind: str = "step.x", autonomy: str | None = None) -> list[ModuleInput]:
    return [module(str(one), kind, autonomy=autonomy) for one in range(count)]


PROFILES: list[tuple[list[ModuleInput], int, int, str, str]] = [
    (_modules(3), 2, 0, "internal_advisory", "simple"),
    (_modules(4), 2, 0, "internal_advisory", "medium"),
    (_modules(10), 2, 0, "internal_advisory", "medium"),
    (_modules(11), 2, 0, "internal_advisory", "complex"),
    (_modules(1), 3, 0, "internal_advisory", "medium"),
    (_modules(1), 6, 0, "internal_advisory", "complex"),
    (_modules(1, "source.file"), 1, 0, "internal_advisory", "medium"),
    (_modules(2, "source.file"), 1, 0, "internal_advisory", "complex"),
    ([], 1, 1, "internal_advisory", "medium"),
    ([], 1, 0, "client_facing", "medium"),
    ([], 1, 0, "filing_or_binding", "complex"),
    (_modules(2, autonomy="full"), 1, 0, "internal_advisory", "complex"),
    ([*_modules(1, autonomy="full"), module("m")], 1, 0, "internal_advisory", "medium"),
]


@pytest.mark.parametrize(("modules", "outputs", "inputs", "stakes", "overall"), PROFILES)
def test_the_highest_axis_counts(
    modules: list[ModuleInput], outputs: int, inputs: int, stakes: str, overall: str
) -> None:
    found = profile(GraphInput(modules).modules, outputs, inputs, stakes)
    assert found["overall_complexity"] == overall


def test_a_long_difference_still_fits() -> None:
    empty: dict[str, Any] = {"fields": {}, "links": dict.fromkeys(("goals", "requires", "allows", "denies"), ())}
    before: dict[str, Any] = {
        **empty,
        **{name: {} for name in ("steps", "contracts", "criteria", "review_points", "side_effects")},
    }
    for size, mark in ((100, "values_left_out"), (2_000, "changes_counted_only")):
        held = {f"step {one}": {"purpose": "x" * 1_000} for one in range(size)}
        changed = {key: {"purpose": "y"} for key in held}
        text = written(difference({**before, "steps": held}, {**before, "steps": changed}, (1, 2)))
        assert len(text) <= 20_000
        assert orjson.loads(text)[mark]
    assert content_hash(before) == content_hash(dict(reversed(before.items())))
