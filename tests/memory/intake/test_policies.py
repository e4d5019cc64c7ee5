"""Policies of artifacts: which holds, what it decides, and that order of arrival does not matter."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.memory.words import IntakeLevel
from graph_schema.model.fields import DataClass
from service.errors import TaskloreError
from tests.laws import law
from tests.memory.conftest import Executor
from tests.memory.desk import Desk, desk_of, made, produced
from tests.memory.stories import POLICY, step, whole_run
from tests.viewers import viewer_of

EMPTY = "MATCH (n) WHERE NOT n:Migration AND NOT n:TaskloreTestGraph AND NOT n:Policy AND NOT n:Version DETACH DELETE n"


@pytest.fixture
def desk(executor: Executor) -> Desk:
    return desk_of(executor.database)


def _decided(artifact: dict[str, Any]) -> tuple[Any, ...]:
    return artifact["intake_level"], artifact["intake_rule"], artifact.get("intake_policy_id")


async def test_policies_fill_the_places_of_the_chain(executor: Executor, desk: Desk) -> None:
    task = await desk.policy(task_key="t", task_default="doc72_reference", final_output_default="run_only")
    module = await desk.policy(module_key="m", capture_mode="make_findable_with_summary")
    port = await desk.policy(module_type="agent", port_name="out", port_level="doc72_reference")
    everywhere = await desk.policy(port_name="bin", port_level="no_capture")
    for key, values, told in (
        ("a", {**step("n"), "task_key": "t"}, ("doc72_reference", "task", task)),
        ("b", {**step("n"), "task_key": "t", "output_class": "final_output"}, ("run_only", "output_class", task)),
        ("c", {"task_key": "t"}, ("doc72_summary_reference", "capture_mode", module)),
        ("d", {"port_name": "out", "module_type": "agent"}, ("doc72_reference", "module_port", port)),
        ("e", {"port_name": "bin"}, ("no_capture", "task_port", everywhere)),
        ("f", {"port_name": "bin", "task_port_level": "run_only"}, ("run_only", "task_port", None)),
        ("g", step("n"), ("run_only", "recommended_default", None)),
    ):
        assert _decided(await made(executor, key, **values)) == told


async def test_a_candidate_rule_decides_or_asks(executor: Executor, desk: Desk) -> None:
    rule = await desk.rule('name contains "memo"', suggested_level="doc25_work_product_ingestion")
    asked = await made(executor, "a", name="Damages memo", output_class="final_output", artifact_kind="text_output")
    assert (asked["intake_level"], asked["suggested_level"]) == (
        "doc72_summary_reference",
        "doc25_work_product_ingestion",
    )
    assert (asked["review_required"], asked["suggested_by_id"]) == (True, rule)
    plain = await made(executor, "b", name="Note", output_class="final_output", artifact_kind="text_output")
    assert plain["review_required"] is False
    sure = await desk.rule(suggested_level="run_only", requires_user_review=False)
    decided = await made(executor, "c", name="Note", output_class="final_output", task_level="no_capture")
    assert _decided(decided) == ("run_only", "candidate_rule", sure)
    assert decided["intake_policy_version"] == 1


async def test_private_runs_and_the_memory_policy_beat_every_policy(executor: Executor, desk: Desk) -> None:
    await desk.policy(port_name="out", port_level="doc73_library_ingestion")
    await desk.rule(suggested_level="doc73_library_ingestion", requires_user_review=False)
    told = {"port_name": "out", "output_class": "final_output"}
    assert _decided(await made(executor, "a", "memory_incognito", **told)) == ("run_only", "incognito", None)
    narrow = {**POLICY, "memory_write_scope": "task_run_only"}
    event = {**produced("b", **told), "run": {"source": "exec", "key": "narrow"}, "policy": narrow}
    assert await executor.told([event]) == ["accepted"]
    assert _decided(await executor.one("Artifact", source_key="b")) == ("run_only", "memory_policy", None)
    override = await desk.policy(incognito_override="suppress_all_optional_memory")
    assert _decided(await made(executor, "c", "memory_incognito", **told)) == ("no_capture", "incognito", override)


async def test_above_a_level_a_policy_asks_a_person(executor: Executor, desk: Desk) -> None:
    asking = await desk.policy(user_review_required_above_level="run_only")
    found = await made(executor, output_class="final_output", task_level="doc72_reference")
    assert (found["intake_level"], found["suggested_level"]) == ("run_only", "doc72_reference")
    assert (found["suggested_by_id"], found["review_required"]) == (asking, True)


async def test_the_version_in_force_when_it_happened_decides(executor: Executor, desk: Desk) -> None:
    """Events of January 2026, policies saved now: without `valid_from` they do not reach back."""
    policy = await desk.policy(task_default="doc72_reference", valid_from=None)
    assert _decided(await made(executor, "a"))[1] == "recommended_default"
    viewer = await viewer_of(executor.database)
    await desk.records.save(viewer, "Policy", {"valid_from": "2026-01-01T00:00:00.000Z"}, record_id=policy)
    assert _decided(await made(executor, "b")) == ("doc72_reference", "task", policy)
    later = {"valid_from": "2026-01-01T12:00:00.000Z", "task_default": "no_capture"}
    await desk.records.save(viewer, "Policy", later, record_id=policy)
    found = await made(executor, "c")
    assert (*_decided(found), found["intake_policy_version"]) == ("doc72_reference", "task", policy, 2)
    noon = "2026-01-01T12:00:00.000Z"
    assert await executor.told([{**produced("d"), "occurred_at": noon}]) == ["accepted"]
    assert (await executor.one("Artifact", intake_level="no_capture"))["intake_policy_version"] == 3


async def test_a_policy_of_a_matter_holds_for_its_runs_alone(executor: Executor, desk: Desk) -> None:
    matter = await desk.library("matter")
    await desk.policy(task_default="no_capture", matter_ids=[matter])
    assert _decided(await made(executor, "a"))[0] == "run_only"
    secret = await desk.policy(task_default="doc72_reference", data_class="privileged")
    found = await made(executor, "b")
    assert _decided(found) == ("doc72_reference", "task", None), "not named to those who may not see it"
    clerk: dict[str, Any] = {"clearance": DataClass.internal, "matters": []}
    assert (await desk.preview(produced("c"), **clerk)).level == IntakeLevel.run_only
    assert (await desk.preview(produced("c"))).policy_id == secret


@pytest.mark.slow
@law(3, derandomize=True)
@given(data=st.data())
async def test_with_policies_any_order_gives_the_same_graph(executor: Executor, data: Any) -> None:
    desk = desk_of(executor.database)
    await executor.database.run_alone("MATCH (n:Policy|Version) DETACH DELETE n")
    await desk.rule('name contains "o"', suggested_level="doc25_work_product_ingestion")
    await desk.policy(module_key="memo", capture_mode="never_capture", valid_to="2026-01-01T10:00:30.000Z")
    await desk.policy(user_review_required_above_level="doc72_reference")
    events = whole_run()
    shuffled = data.draw(st.permutations([*events, *events[:5]]))
    graphs: list[Any] = []
    for told in (events, shuffled):
        await executor.database.run_alone(EMPTY)
        await executor.report(told[:17])
        await executor.report(told[17:])
        graphs.append(await executor.graph())
    assert graphs[0] == graphs[1]


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"policy_kind": "artifact_candidate"}, "applies_to"),
        ({"condition": "true"}, "condition"),
        ({"port_name": "out"}, "port_level"),
        ({"capture_mode": "never_capture"}, "capture_mode"),
        ({"task_default": "doc25_document_ingestion"}, "endpoint"),
        ({"task_default": "run_only", "endpoint": "doc73_library_member"}, "endpoint"),
        ({"valid_to": "2019-01-01T00:00:00.000Z"}, "valid_to"),
    ],
)
async def test_a_policy_that_cannot_be_followed_is_refused(desk: Desk, values: dict[str, Any], field: str) -> None:
    with pytest.raises(TaskloreError) as refused:
        await desk.policy(**values)
    assert refused.value.field == field
    rows = await desk.database.read("MATCH (n:Policy) RETURN count(n) AS count")
    assert rows[0]["count"] == 0


async def test_a_rule_is_checked_when_it_is_saved(desk: Desk) -> None:
    for condition, field in (("name =", "condition"), ("opened_count > 1", "condition")):
        with pytest.raises(TaskloreError) as refused:
            await desk.rule(condition)
        assert refused.value.field == field
    with pytest.raises(TaskloreError, match="only ever suggested"):
        await desk.rule(applies_to="user_opened_artifact", requires_user_review=False)
    rule = await desk.rule()
    with pytest.raises(TaskloreError, match="cannot be changed"):
        await desk.records.save(await viewer_of(desk.database), "Policy", {"task_key": "x"}, record_id=rule)


async def test_asking_writes_nothing_and_says_the_same(executor: Executor, desk: Desk) -> None:
    rule = await desk.rule('size_bytes > 10', suggested_level="doc72_reference", requires_user_review=False,
                           rationale="Long ones are worth finding.")  # fmt: skip
    event = produced("a", output_class="final_output", size_bytes=11)
    before = await executor.graph()
    preview = await desk.preview(event)
    assert await executor.graph() == before
    assert (preview.level, preview.rule, preview.policy_id) == ("doc72_reference", "candidate_rule", rule)
    assert preview.rationale == "Long ones are worth finding."
    assert [one.rule for one in preview.steps] == ["candidate_rule", "recommended_default"]
    assert [one.code for one in preview.warnings] == ["warning.final_output_not_saved_as_work_product"]
    likely = await desk.preview(produced("b", output_class="intermediate_output", high_value_candidate=True))
    assert [one.code for one in likely.warnings] == ["warning.intermediate_output_likely_high_value"]
    await executor.report([event])
    assert _decided(await executor.one("Artifact", source_key="a")) == (preview.level, preview.rule, rule)


async def test_what_was_used_is_suggested_later(executor: Executor, desk: Desk) -> None:
    opened = await desk.rule("opened_count >= 2", applies_to="user_opened_artifact", suggested_level="doc72_reference")
    used = await desk.rule("used_by_count > 0", applies_to="downstream_used_artifact", valid_from=None,
                           suggested_level="doc72_summary_reference", task_key="t")  # fmt: skip
    found = await made(executor, "a", task_key="t")
    viewer = await viewer_of(executor.database)
    assert (await desk.previews.of_artifact(viewer, found["id"])).suggested_level is None
    open_it = {**produced("a"), "kind": "artifact_opened"}
    for name in ("artifact_kind", "module_key", "activation_seq"):
        open_it.pop(name)
    await executor.report([{**open_it, "event_id": one} for one in ("o1", "o2")])
    assert (await desk.previews.of_artifact(viewer, found["id"])).suggested_by_id == opened
    consumed = {**produced("a"), "kind": "artifact_consumed", "event_id": "c", "item": {"key": "a"}}
    for name in ("artifact_key", "artifact_kind"):
        consumed.pop(name)
    assert await executor.told([consumed]) == ["accepted"]
    assert (await desk.previews.of_artifact(viewer, found["id"])).suggested_by_id == used
