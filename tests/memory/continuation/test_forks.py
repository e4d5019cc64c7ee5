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
from tests.conftest import empty
from tests.laws import law
from tests.memory.continuation.conftest import Person, step
from tests.memory.stories import POLICY, Story, whole_run
from tests.memory.stories import step as of_step

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
