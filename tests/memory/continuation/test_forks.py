"""Forks: requested with safe defaults, carried out by a run of their own, and the parent stays as it was."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.registry import REGISTRY
from service.access.viewer import KeyScope, PrincipalKind
from service.commands import RecordRef
from service.commands.errors import CommandReused, InputInvalid, NotAllowed, RecordMissing, SourceKeyTaken
from service.doctor import examine
from service.errors import TaskloreError
from service.memory.continuation.errors import ForkNotPossible, ReplayNotAuthorised, SeqMissing, StepMissing
from service.memory.reporting.errors import ForkOfItself
from service.memory.views import RunIndex, load_run
from service.memory.views.anomalies import find
from tests.conftest import empty
from tests.laws import law
from tests.memory.continuation.conftest import Person, step
from tests.memory.stories import POLICY, Story, whole_run
from tests.memory.stories import step as of_step
from tests.viewers import viewer_of

CHILD = {"source": "exec", "key": "child"}


def child(fork: dict[str, str], run: dict[str, str] | None = None) -> list[dict[str, Any]]:
    story = Story(run or CHILD).tell("run_started", fork=fork)
    return story.tell("activation_completed", **of_step("draft", 4)).tell("run_completed").events


async def test_a_fork_is_kept_with_the_safe_defaults_and_the_parent_untouched(person: Person) -> None:
    await person.executor.report(whole_run())
    parent = (await person.executor.one("Run"))["id"]
    before = await person.parts(parent)
    outcome = await person.fork(step("draft", 2), command_id="f1")
    fork = await person.executor.one("Fork")
    assert (fork["id"], fork["parent_run_id"], fork["module_key"], fork["activation_seq"]) == (
        outcome.result["id"], parent, "draft", 2
    )  # fmt: skip
    assert fork["side_effect_replay_policy"] == "block_all_external_side_effects"
    assert (fork["context_policy"], fork["created_by"]) == ("recompute_from_same_task_scope", "user")
    assert len(fork["defaulted_policies"]) == 5
    assert "side_effects_authorised_by" not in fork
    [activation] = await person.heads(fork["id"], "FROM")
    assert (await person.executor.one("Activation", id=activation))["activation_seq"] == 2
    assert await person.parts(parent) == before
    again = await person.fork(step("draft", 2), command_id="f1")
    assert (again.replayed, again.result) == (True, outcome.result)
    assert await person.executor.count("Fork") == 1
    with pytest.raises(CommandReused):
        await person.fork(step("draft", 3), command_id="f1")


@pytest.mark.slow
@pytest.mark.parametrize("child_first", [False, True])
async def test_child_and_request_meet_whichever_comes_first(person: Person, child_first: bool) -> None:
    await person.executor.report(whole_run())
    parent = (await person.executor.one("Run"))["id"]
    before = await person.parts(parent)
    events = child({"kind": "Fork", "source": "exec", "key": "fork-1"})
    if child_first:
        assert set(await person.executor.told(events)) == {"accepted"}
    await person.fork(step("draft", 3), {"principal_id": "another"}, source="exec", source_key="fork-1")
    if not child_first:
        assert set(await person.executor.told(events)) == {"accepted"}
    fork = await person.executor.one("Fork")
    run = await person.executor.one("Run", source_key="child")
    assert (fork["stub"], run["forked"]) == (False, True)
    assert await person.heads(run["id"], "CREATED_BY") == [fork["id"]]
    assert await person.heads(run["id"], "FORKED_FROM") == [parent]
    assert await person.parts(parent) == before
    assert await examine(person.database, REGISTRY) == []


@pytest.mark.slow
@law(3)
@given(order=st.permutations(range(4)))
async def test_any_order_of_request_and_child_gives_the_same_graph(person: Person, order: list[int]) -> None:
    """The request is the last of the four; the others are the child's events."""
    await empty(person.database)
    await person.executor.report(whole_run())
    parent = (await person.executor.one("Run"))["id"]
    before = await person.parts(parent)
    events = child({"kind": "Fork", "source": "exec", "key": "fork-1"})
    for place in order:
        if place < len(events):
            assert await person.executor.told([events[place]]) == ["accepted"]
        else:
            await person.fork(step("draft", 3), source="exec", source_key="fork-1")
    fork, run = await person.executor.one("Fork"), await person.executor.one("Run", source_key="child")
    assert (fork["parent_run_id"], fork["stub"], run["status"]) == (parent, False, "completed")
    assert await person.heads(run["id"], "CREATED_BY") == [fork["id"]]
    assert await person.heads(run["id"], "FORKED_FROM") == [parent]
    assert await person.parts(parent) == before


async def test_request_and_children_at_the_same_moment_miss_nobody(person: Person) -> None:
    await person.executor.report(whole_run())
    parent = (await person.executor.one("Run"))["id"]
    named = {"kind": "Fork", "source": "exec", "key": "fork-1"}
    children = [child(named, {"source": "exec", "key": f"child-{number}"}) for number in range(4)]
    asked = person.fork(step("draft", 3), source="exec", source_key="fork-1")
    told = await asyncio.gather(*(person.executor.told(events) for events in children[:2]), asked,
                                *(person.executor.told(events) for events in children[2:]))  # fmt: skip
    assert {one for part in told if isinstance(part, list) for one in part} == {"accepted"}
    rows = await person.database.read(
        "MATCH (c:Run)-[:CREATED_BY]->(:Fork)-[:FROM]->(:Activation)<-[:ACTIVATED]-(p)<-[:FORKED_FROM]-(c) "
        "RETURN p.id AS parent, count(c) AS children"
    )
    assert rows == [{"parent": parent, "children": 4}]


async def test_a_child_names_its_fork_by_id_and_the_end_is_told_once(person: Person) -> None:
    await person.executor.report(whole_run())
    fork_id = (await person.fork(step("draft", 3))).result["id"]
    events = child({"id": fork_id})
    for part in (events[2:], events[:2], events):
        await person.executor.report(part)
    rows = await person.database.read(
        "MATCH (e:Event) WHERE e.kind STARTS WITH 'task.run.fork_' RETURN e.kind AS kind, e.about AS about"
    )
    run = await person.executor.one("Run", source_key="child")
    told = sorted((row["kind"], row["about"]) for row in rows)
    assert told == [
        ("task.run.fork_completed", run["id"]),
        ("task.run.fork_created", run["id"]),
        ("task.run.fork_requested", fork_id),
    ]
    assert len(await person.heads(run["id"], "FORKED_FROM")) == 1


async def test_a_run_is_no_fork_of_itself(person: Person) -> None:
    await person.executor.report(whole_run())
    fork_id = (await person.fork(step("draft", 3))).result["id"]
    again = Story().tell("run_started", fork={"id": fork_id}).events[0] | {"event_id": "again"}
    assert await person.executor.told([again]) == ["fork_of_itself"]
    named = again | {"fork": {"key": "early"}}
    assert await person.executor.told([named]) == ["accepted"]
    with pytest.raises(ForkOfItself):
        await person.fork(step("draft", 3), source="exec", source_key="early")


async def test_side_effects_are_authorised_by_a_person_who_says_so(person: Person) -> None:
    await person.executor.report(whole_run())
    policy = {"side_effect_replay_policy": "allow_if_non_duplicate"}
    for kind in (PrincipalKind.agent, PrincipalKind.executor, PrincipalKind.service):
        with pytest.raises(ReplayNotAuthorised):
            await person.fork(step("draft", 3), {"kind": kind}, authorise_side_effects=True, **policy)
    with pytest.raises(ReplayNotAuthorised) as caught:
        await person.fork(step("draft", 3), **policy)
    assert caught.value.code == "validation.task_run_fork_side_effect_replay_policy_required"
    assert await person.executor.count("Fork") == 0
    await person.fork(step("draft", 3), authorise_side_effects=True, **policy)
    assert (await person.executor.one("Fork"))["side_effects_authorised_by"] == "prin_admin"
    await person.fork(step("draft", 3), {"kind": PrincipalKind.agent}, side_effect_replay_policy="draft_only")
    assert (await person.executor.one("Fork", created_by="task_agent"))["side_effect_replay_policy"] == "draft_only"


async def test_forking_downstream_from_one_variant_of_an_experiment(person: Person) -> None:
    story = Story().tell("activation_completed", **of_step("compare"))
    for variant in ("a", "b"):
        story.tell("artifact_produced", artifact_key=f"memo-{variant}", artifact_kind="experiment_bundle",
                   port_name=f"variant_{variant}", **of_step("compare"))  # fmt: skip
    other = Story(CHILD).tell("artifact_produced", artifact_key="x", artifact_kind="document", **of_step("m"))
    await person.executor.report([*story.tell("run_completed").events, *other.events])
    parent = (await person.executor.one("Run", source_key="run-1"))["id"]
    before = await person.parts(parent)
    asked = {"rerun_scope": "downstream_only", "branch_scope": "selected_branch", "output_port_id": "variant_b"}
    variant = RecordRef(kind="Artifact", source="exec", key="memo-b")
    outcome = await person.fork(step("compare"), takes=variant, **asked)
    taken = await person.executor.one("Artifact", source_key="memo-b")
    assert await person.heads(outcome.result["id"], "TAKES") == [taken["id"]]
    assert await person.parts(parent) == before
    with pytest.raises(ForkNotPossible):
        await person.fork(step("compare"), **{**asked, "output_port_id": "variant_c"})
    with pytest.raises(InputInvalid):
        await person.fork(step("compare"), takes=RecordRef(kind="Artifact", source="exec", key="x"), **asked)


async def test_a_fork_needs_something_to_go_on_from(person: Person) -> None:
    story = (
        Story().tell("activation_failed", **of_step("draft"), error_code="timeout").tell("run_failed", failure_code="x")
    )
    await person.executor.report(story.events)
    refused: list[tuple[type[TaskloreError], Any, dict[str, Any]]] = [
        (SeqMissing, step("draft", None), {}),
        (InputInvalid, step(None, 1), {}),
        (InputInvalid, step("draft", 0), {}),
        (StepMissing, step("draft", 9), {}),
        (ForkNotPossible, step("draft"), {"rerun_scope": "downstream_only"}),
        (ForkNotPossible, step("draft"), {"rerun_scope": "full_run_from_checkpoint"}),
        (InputInvalid, step("draft"), {"rerun_scope": "everything"}),
        (InputInvalid, step("draft"), {"source": "exec"}),
    ]
    for error, named, values in refused:
        with pytest.raises(error):
            await person.fork(named, **values)
    assert await person.executor.count("Fork") == 0
    assert await person.executor.count("Command") == 0


async def test_what_is_not_seen_cannot_be_forked_and_a_fork_is_as_hidden_as_its_parent(person: Person) -> None:
    await person.executor.report(whole_run(policy={**POLICY, "data_class": "privileged"}))
    outsider: dict[str, Any] = {"clearance": "internal", "scopes": (KeyScope.curate,)}
    with pytest.raises(RecordMissing):
        await person.fork(step("draft", 3), outsider)
    with pytest.raises(NotAllowed):
        await person.fork(step("draft", 3), {"scopes": (KeyScope.read, KeyScope.report)})
    fork_id = (await person.fork(step("draft", 3))).result["id"]
    assert (await person.executor.one("Fork"))["data_class"] == "privileged"
    told = await person.executor.told(child({"id": fork_id}), clearance="internal")
    assert told[0] == "not_found"


async def test_a_key_of_the_outside_names_one_fork(person: Person) -> None:
    await person.executor.report(whole_run())
    await person.fork(step("draft", 3), source="exec", source_key="fork-1")
    with pytest.raises(SourceKeyTaken):
        await person.fork(step("draft", 3), source="exec", source_key="fork-1")


async def test_an_ephemeral_child_leaves_no_trace_of_its_fork(person: Person) -> None:
    await person.executor.report(whole_run())
    fork_id = (await person.fork(step("draft", 3))).result["id"]
    ephemeral = {**POLICY, "memory_mode": "full_ephemeral_test"}
    await person.executor.report(Story(CHILD, ephemeral).tell("run_started", fork={"id": fork_id}).events)
    run = await person.executor.one("Run", source_key="child")
    assert (await person.heads(run["id"], "CREATED_BY"), run["forked"]) == ([], False)


MAIL = {"delivery_kind": "email", "status": "delivered"}


def mailing(fork: dict[str, str], name: str, **mail: Any) -> list[dict[str, Any]]:
    """A child run that sends something."""
    story = Story({"source": "exec", "key": name}).tell("run_started", fork=fork, name=name)
    story.tell("activation_completed", **of_step("send"))
    return story.tell(
        "delivery", **{**MAIL, "idempotency_key": f"{name}-mail", "name": "Letter", **mail}, **of_step("send")
    ).events


async def anomalies(person: Person, run: str) -> list[tuple[str, str]]:
    """What does not look right about a run because of forks, by code and message."""
    row = await person.executor.one("Run", source_key=run)
    facts = await load_run(person.database, await viewer_of(person.database), row["id"])
    assert facts
    found = find(RunIndex(facts, "2026-01-01T12:00:00.000Z"))
    return sorted((one.code, one.message) for one in found if one.code.startswith("fork_"))


@pytest.mark.slow
@pytest.mark.parametrize("child_first", [False, True])
async def test_a_fork_that_breaks_its_policy_is_told_on_both_runs(person: Person, child_first: bool) -> None:
    await person.executor.report(whole_run())
    events = mailing({"kind": "Fork", "source": "exec", "key": "f"}, "child")
    if child_first:
        await person.executor.report(events)
        assert await anomalies(person, "child") == []  # what it was asked to keep to is not known yet
    await person.fork(step("draft", 3), source="exec", source_key="f")
    if not child_first:
        await person.executor.report(events)
    broken = "was to have no effect on the outside world, and yet did Letter."
    assert await anomalies(person, "child") == [("fork_policy_broken", f"This fork {broken}")]
    assert await anomalies(person, "run-1") == [("fork_policy_broken", f"The fork child {broken}")]


async def test_what_a_fork_may_do_is_no_anomaly_and_a_key_is_used_once(person: Person) -> None:
    await person.executor.report(whole_run())
    allowed: dict[str, Any] = {"authorise_side_effects": True}
    policies = ("draft_only", "allow_if_non_duplicate", "allow_with_confirmation")
    forks = {
        one: (await person.fork(step("draft", 3), **allowed, side_effect_replay_policy=one)).result["id"]
        for one in policies
    }
    await person.executor.report(mailing({"id": forks["draft_only"]}, "draft", status="draft_only"))
    await person.executor.report(mailing({"id": forks["draft_only"]}, "inside", delivery_kind="task_output"))
    await person.executor.report(mailing({"id": forks["allow_if_non_duplicate"]}, "fresh"))
    confirmed = mailing({"id": forks["allow_with_confirmation"]}, "confirmed", policy_approval_ref="ref://yes")
    await person.executor.report(confirmed)
    assert await anomalies(person, "run-1") == []
    await person.executor.report(mailing({"id": forks["draft_only"]}, "sent"))
    await person.executor.report(mailing({"id": forks["allow_with_confirmation"]}, "unasked"))
    await person.executor.report(mailing({"id": forks["allow_if_non_duplicate"]}, "again", idempotency_key="mail-1"))
    told = {name: await anomalies(person, name) for name in ("sent", "unasked", "again")}
    assert {name: [code for code, _ in found] for name, found in told.items()} == {
        "sent": ["fork_policy_broken"], "unasked": ["fork_policy_broken"], "again": ["fork_key_reused"],
    }  # fmt: skip
    on_parent = await anomalies(person, "run-1")
    assert sorted(code for code, _ in on_parent) == ["fork_key_reused", "fork_policy_broken", "fork_policy_broken"]
    assert ("fork_key_reused", "The fork again did Letter under a key that this run had used already.") in on_parent


async def test_a_key_of_the_first_run_is_known_in_the_fork_of_a_fork(person: Person) -> None:
    await person.executor.report(whole_run())
    first = (await person.fork(step("draft", 3))).result["id"]
    await person.executor.report(child({"id": first}))
    second = (await person.fork(step("draft", 4, CHILD))).result["id"]
    await person.executor.report(mailing({"id": second}, "grandchild", idempotency_key="mail-1"))
    assert [code for code, _ in await anomalies(person, "grandchild")] == ["fork_key_reused", "fork_policy_broken"]
    assert [code for code, _ in await anomalies(person, "child")] == ["fork_policy_broken"]
    assert [code for code, _ in await anomalies(person, "run-1")] == ["fork_key_reused"]


async def test_an_operation_with_a_key_is_an_effect_of_a_fork_too(person: Person) -> None:
    side = {
        "span_key": "w",
        "span_kind": "tool_call",
        "status": "success",
        "name": "Write a file",
        "idempotency_key": "w1",
    }
    events = [*whole_run(), {**Story().tell("span", **side, **of_step("draft", 3)).events[0], "event_id": "side"}]
    await person.executor.report(events)
    fork = (await person.fork(step("draft", 3))).result["id"]
    story = Story(CHILD).tell("run_started", fork={"id": fork}).tell("span", **side, **of_step("draft", 4))
    await person.executor.report(story.events)
    for run in ("child", "run-1"):
        assert [code for code, _ in await anomalies(person, run)] == ["fork_key_reused", "fork_policy_broken"]
