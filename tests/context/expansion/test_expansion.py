"""Which policies speak, what may be added while a module runs, and who is told of it."""

from typing import Any

import pytest

from graph_schema.context.words import CapabilityMode, ExpansionBasis
from graph_schema.library.words import CapabilityState
from service.commands import RecordRef
from service.context.expansion import CapabilityPolicy, Standing, read_policy, standing_of
from service.errors import TaskloreError
from service.library.blueprints import BlueprintInput, PartInput
from service.library.graphs import GraphInput, ModuleInput
from tests.context.expansion.conftest import RUN, TASK, Bench
from tests.memory.stories import Story, step
from tests.viewers import viewer_of

pytestmark = pytest.mark.slow

READER: dict[str, Any] = {"principal_id": "prin_other", "matters": [], "clearance": "internal"}


def test_the_strictest_of_all_that_speak_holds() -> None:
    links = [
        {"type": "ALLOWS", "capability": "a", "holder": "m", "kind": "Module"},
        {"type": "DENIES", "capability": "a", "holder": "p", "kind": "Preset"},
        {"type": "REQUIRES", "capability": "b", "holder": "t", "kind": "Template"},
        {"type": "ALLOWS", "capability": "c", "holder": "m", "kind": "Module"},
    ]
    policies = [
        {
            "id": "pol_1",
            "max_added_capabilities": 3,
            "capability_mode": "auto",
            "expansion_bases": ["failure_recovery"],
        },
        {"id": "pol_2", "max_added_capabilities": 1, "capability_mode": "explicit", "expansion_enabled": False},
        {"id": "pol_3", "capabilities_outside_allowlist_require_approval": False},
    ]
    policy = read_policy(links, policies)
    assert [standing_of(policy, one) for one in "abcd"] == [
        Standing.denied,
        Standing.required,
        Standing.allowed,
        Standing.outside,
    ]
    assert (policy.mode, policy.max_added, policy.expansion_enabled) == (CapabilityMode.explicit, 1, False)
    assert (policy.bases, policy.ask_outside) == (frozenset({ExpansionBasis.failure_recovery}), False)
    assert standing_of(CapabilityPolicy(CapabilityMode.none, frozenset("a")), "a") is Standing.denied


def _step(key: str, capability: str) -> PartInput:
    values = {"step_key": key, "purpose": f"To {key}."}
    return PartInput(values, bound_modules=[key], requires=[RecordRef(id=capability)])


async def test_preset_template_blueprint_step_and_group_speak_too(bench: Bench) -> None:
    task = await bench.new("Task", name="Research", source="exec", source_key=TASK)
    template = await bench.new("Template", name="Legal research")
    graph = GraphInput([ModuleInput("B", "step.agent_task"), ModuleInput("C", "step.other")])
    await bench.library.save_graph(await viewer_of(bench.database), RecordRef(id=template), graph)
    await bench.link(task, "INSTANTIATES", template)
    await bench.begin()
    [row] = await bench.database.read("MATCH (m:Module {module_type: 'step.agent_task'}) RETURN m.id AS id")
    preset, group = (
        await bench.new("Preset", name="Careful", module_type="step.agent_task"),
        await bench.new("TemplateGroup", name="Law"),
    )
    await bench.link(row["id"], "USES_PRESET", preset)
    await bench.link(template, "IN_GROUP", group)
    found = {one: await bench.capability(one) for one in ("pages", "pacer", "email", "delete")}
    whole, own, others = [await bench.capability(one) for one in ("whole", "own", "others")]
    parts = [_step("B", own), _step("C", others)]
    asked = BlueprintInput(
        values={"name": "Review", "business_or_personal_goal": "A sound one.", "task_type": "review"},
        of=RecordRef(id=template),
        parts={"steps": parts},
        links={"requires": [RecordRef(id=whole)]},
    )
    await bench.library.save_blueprint(await viewer_of(bench.database), asked)
    await bench.link(template, "REQUIRES", found["pages"])
    await bench.link(preset, "ALLOWS", found["pacer"])
    await bench.link(group, "DENIES", found["email"])
    policy = await bench.policy(module_type="step.agent_task")
    await bench.link(policy, "DENIES", found["delete"])
    other = await bench.policy(module_key="C")
    await bench.link(other, "DENIES", found["pacer"])
    assert await bench.has() == dict.fromkeys(("pages", "whole", "own"), "required")
    assert await bench.results(*found.values()) == [
        "already_mounted",
        "added",
        "validation.capability_denied_but_requested",
        "validation.capability_denied_but_requested",
    ]


async def test_what_was_up_when_the_run_began_is_mounted_and_what_came_up_since_is_added(bench: Bench) -> None:
    module = await bench.begin()
    early, late, gone = [await bench.capability(one) for one in ("early", "late", "gone")]
    for one in (early, late, gone):
        await bench.link(module, "ALLOWS", one)
        await bench.state(one, CapabilityState.down if one == late else CapabilityState.up, "2026-01-01T09:00:00.000Z")
    await bench.state(late, CapabilityState.up, "2026-01-01T11:00:00.000Z")
    await bench.state(gone, CapabilityState.authorisation_missing, "2026-01-01T11:00:00.000Z")
    assert await bench.has() == {"early": "allowed", "gone": "allowed"}
    assert (await bench.capabilities()).unavailable == (gone,)
    assert await bench.results(early, late, gone) == ["already_mounted", "added", "capability_unavailable"]
    await bench.link(module, "REQUIRES", gone)
    assert await bench.results(gone) == ["validation.capability_required_unavailable"]


async def test_limits_grounds_and_side_effects_of_the_policy_hold(bench: Bench) -> None:
    module = await bench.begin()
    plain, mail = await bench.capability("plain"), await bench.capability("mail", side_effect_classes=["external_send"])
    third = await bench.capability("third")
    for one in (plain, mail, third):
        await bench.link(module, "ALLOWS", one)
    policy = await bench.policy(
        module_key="B",
        max_added_capabilities=2,
        external_side_effects_require_approval=True,
        expansion_bases=["failure_recovery"],
    )
    assert await bench.results(plain) == ["expansion_basis_not_allowed"]
    ground: dict[str, Any] = {"basis": ExpansionBasis.failure_recovery}
    assert await bench.results(plain, mail, third, **ground) == [
        "added",
        "approval_required",
        "expansion_limit_reached",
    ]
    [asked] = (await bench.ask(mail, **ground)).result["outcomes"]
    await bench.decide(asked["gate_key"], "rejected")
    assert await bench.results(mail, **ground) == ["approval_not_given"]
    await bench.records.save(await viewer_of(bench.database), "Policy", {"expansion_enabled": False}, record_id=policy)
    assert await bench.results(third, **ground) == ["expansion_not_enabled"]


async def test_the_need_names_its_capability_or_the_best_that_fits_is_taken(bench: Bench) -> None:
    module = await bench.begin()
    pacer = await bench.capability("PACER docket", summary="Finds filings of federal courts.")
    cite = await bench.capability("Citation check", summary="Checks whether citations of cases are right.")
    await bench.capability("Kettle", summary="Boils water.")
    for one in (pacer, cite):
        await bench.link(module, "ALLOWS", one)
    await bench.embed()
    named = (await bench.ask()).result["outcomes"]
    assert [(one["capability_id"], one["result"]) for one in named] == [(pacer, "added")]
    need = "Verify that the cited cases are right"
    fitting = (await bench.ask(detected_need=need)).result["outcomes"]
    assert [(one["capability_id"], one["result"]) for one in fitting] == [(cite, "added")]
    with pytest.raises(TaskloreError) as refused:
        await bench.ask(detected_need="zxqv qwrt")
    assert refused.value.code == "capability_not_found"


async def test_another_matters_capability_is_not_found_and_changes_nothing(bench: Bench) -> None:
    await bench.begin()
    matter = await bench.new("Entity", name="Narayanan", kind="matter")
    hidden = await bench.capability("PACER docket", matter_ids=[matter])
    await bench.embed()
    for given in ((), (hidden,)):
        with pytest.raises(TaskloreError) as refused:
            await bench.ask(*given, viewer=READER)
        assert refused.value.code == ("not_found" if given else "capability_not_found")
    with pytest.raises(TaskloreError) as nothing:
        await bench.ask()
    assert nothing.value.code == "capability_not_found"


async def test_a_hidden_denial_holds_and_is_not_named(bench: Bench) -> None:
    module, pacer = await bench.begin(), await bench.capability("PACER")
    await bench.link(module, "ALLOWS", pacer)
    policy = await bench.policy(name="Secret ruling", data_class="local_only")
    await bench.link(policy, "DENIES", pacer)
    outcome = await bench.ask(pacer, viewer=READER)
    assert outcome.result["outcomes"][0]["code"] == "validation.capability_denied_but_requested"
    receipt = await bench.executor.one("ExpansionReceipt")
    assert "Secret" not in str(receipt)
    assert policy in receipt.pop("facts"), "a replay reads it; no API has it"
    assert policy not in str(receipt)


async def test_a_receipt_that_names_a_privileged_capability_is_privileged(bench: Bench) -> None:
    await bench.begin()
    pacer = await bench.capability("PACER", data_class="privileged")
    assert await bench.results(pacer) == ["approval_required"]
    for label in ("ExpansionReceipt", "Gate"):
        assert (await bench.executor.one(label))["data_class"] == "privileged"
    for kind in ("capability", "policy"):
        assert (await bench.executor.one("Snapshot", snapshot_kind=kind))["data_class"] == "internal"


async def test_an_incognito_run_keeps_no_words_and_an_ephemeral_one_no_receipt(bench: Bench) -> None:
    pacer = await bench.capability("PACER")
    story = Story({"source": "exec", "key": "run-1"}, {"memory_mode": "memory_incognito", "data_class": "internal",
                  "matter_ids": []}).tell("run_started").tell("activation_started", **step("B"))  # fmt: skip
    await bench.executor.told(story.events)
    assert await bench.results(pacer) == ["approval_required"]
    assert (await bench.executor.one("ExpansionReceipt"))["detected_need"] == ""
    assert await bench.executor.layers() == {"run_truth", "memory"}
    test = Story({"source": "exec", "key": "run-t"}, {"memory_mode": "full_ephemeral_test", "data_class": "internal",
                 "matter_ids": []}).tell("run_started")  # fmt: skip
    await bench.executor.told(test.events)
    with pytest.raises(TaskloreError) as refused:
        await bench.ask(pacer, run=RecordRef(kind="Run", source="exec", key="run-t"))
    assert refused.value.code == "run_not_remembered"


async def test_the_same_command_is_carried_out_once(bench: Bench) -> None:
    module, pacer = await bench.begin(), await bench.capability("PACER")
    await bench.link(module, "ALLOWS", pacer)
    first, second = [await bench.ask(pacer, command_id="c1") for _ in range(2)]
    assert (first.result, first.replayed, second.replayed) == (second.result, False, True)
    assert await bench.executor.count("ExpansionReceipt") == 1
    with pytest.raises(TaskloreError) as refused:
        await bench.ask(pacer, command_id="c1", detected_need="Another")
    assert refused.value.code == "command_id_reused"


@pytest.mark.parametrize(
    ("given", "code", "field"),
    [
        ({"run": RecordRef(id="run_missing")}, "not_found", "run"),
        ({"module_key": "nowhere"}, "not_found", "module_key"),
        ({"activation_seq": 0}, "invalid_input", "activation_seq"),
        ({"detected_need": " "}, "invalid_input", "detected_need"),
        ({"because_of": RecordRef(id="art_missing")}, "not_found", "because_of"),
        ({"detected_need": "x" * 2_001}, "text_too_long", "detected_need"),
    ],
)
async def test_bad_wishes_are_refused_and_store_nothing(
    bench: Bench, given: dict[str, Any], code: str, field: str
) -> None:
    await bench.begin()
    pacer = await bench.capability("PACER")
    with pytest.raises(TaskloreError) as refused:
        await bench.ask(pacer, **given)
    assert (refused.value.code, refused.value.field) == (code, field)
    assert refused.value.remedy
    assert [await bench.executor.count(one) for one in ("ExpansionReceipt", "Gate", "Command")][:2] == [0, 0]


async def test_nothing_is_added_to_a_run_that_is_over(bench: Bench) -> None:
    await bench.begin()
    pacer = await bench.capability("PACER")
    ended = Story({"source": "exec", "key": "run-1"}).tell("run_completed").events
    assert await bench.executor.told([{**ended[0], "event_id": "end"}]) == ["accepted"]
    with pytest.raises(TaskloreError) as refused:
        await bench.ask(pacer)
    assert refused.value.code == "run_is_finished"
    assert (await bench.mounted.of(await viewer_of(bench.database), RUN, "B", 1)).mounted == ()
