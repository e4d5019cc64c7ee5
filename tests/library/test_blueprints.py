"""Blueprints: saved whole, compared with what they were, and told how much there is to them."""

from typing import Any

import orjson
import pytest

from graph_schema.fields import DataClass
from service.access.viewer import PrincipalKind
from service.commands import RecordRef
from service.commands.errors import InputInvalid, RecordMissing
from service.errors import TaskloreError
from service.graph.doctor import examine
from service.library.blueprints import BlueprintInput, PartInput, content_hash, difference, written
from service.library.errors import BlueprintGraphMismatch
from service.library.graphs import GraphInput, ModuleInput
from service.library.profile import profile
from tests.library.conftest import Desk, chain, module

FIELDS: dict[str, Any] = {"name": "Review", "business_or_personal_goal": "A sound complaint.", "task_type": "review"}


def step(key: str, **more: Any) -> PartInput:
    links = {name: more.pop(name) for name in ("bound_modules", "checked_by", "requires", "goals") if name in more}
    return PartInput({"step_key": key, "purpose": f"To {key}.", **more}, **links)


def contract(side: str, kind: str) -> PartInput:
    return PartInput({"side": side, "kind": kind})


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
            "steps": [step("draft", purpose="To draft well."), step("send")],
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
    assert [(one["need"], one["change"]) for one in diff["capability_need_changes"]] == [
        ("requires", "removed"), ("denies", "added"),
    ]  # fmt: skip
    assert diff["artifact_policy_changes"] == [{"of": "blueprint", "from": None, "to": "doc72_reference"}]
    assert (diff["rationale"], diff["evidence_refs"]) == ("Judging never helped.", ["run-7"])
    former = await desk.rows("MATCH (:Blueprint)-[:HAD_PART]->(n) RETURN n.name AS name ORDER BY name")
    assert [one["name"] for one in former] == ["judge", "memo"]
    assert after["warnings"] == ["warning.task_design_case_candidate"]
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
    assert (await desk.rows(seen))[0]["m"] == [[]]
    assert await examine(desk.database) == []
    for one in (saved["id"], "bp_missing"):
        with pytest.raises(RecordMissing):
            await save(desk, BlueprintInput({"domain": "x"}, one), clearance=DataClass.internal, principal_id="x")


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
