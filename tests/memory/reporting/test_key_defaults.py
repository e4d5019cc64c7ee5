"""Reporting with a key that has defaults: they fill what is not said of a new run, and nothing else."""

from dataclasses import replace
from typing import Any

from graph_schema.memory.words import MemoryMode
from graph_schema.model.fields import DataClass
from service.access.viewer import KeyDefaults
from service.memory.reporting.answers import EventAnswer
from tests.memory.conftest import Executor
from tests.memory.stories import RUN, Event, Story, step
from tests.viewers import viewer_of

DEFAULTS = KeyDefaults(MemoryMode.reference_only, DataClass.internal, (), "crew")


def _events(run: dict[str, str], policy: dict[str, Any] | None = None) -> list[Event]:
    told = Story(run).tell("run_started").tell("activation_started", **step("m")).events
    bare = [{name: value for name, value in one.items() if name != "policy"} for one in told]
    return [{**one, "policy": policy} if policy is not None else one for one in bare]


async def _report(
    executor: Executor, events: list[Event], defaults: KeyDefaults = DEFAULTS, **viewer: Any
) -> list[EventAnswer]:
    who = replace(await viewer_of(executor.database, **viewer), defaults=defaults)
    return await executor.reporting.report(who, events)


def _codes(answers: list[EventAnswer]) -> list[str]:
    return [one.code or one.outcome.value for one in answers]


async def test_a_run_without_a_policy_gets_that_of_the_key(executor: Executor) -> None:
    assert _codes(await _report(executor, _events(RUN))) == ["accepted", "accepted"]
    run = await executor.one("Run")
    assert (run["memory_mode"], run["data_class"], run["matter_ids"]) == ("reference_only", "internal", [])
    assert _codes(await _report(executor, _events(RUN), KeyDefaults(MemoryMode.standard))) == ["duplicate", "duplicate"]


async def test_what_is_said_wins_and_the_rest_is_filled(executor: Executor) -> None:
    later, first = _events(RUN)[1], _events(RUN, {"memory_mode": "standard"})[0]
    assert _codes(await _report(executor, [later, first])) == ["accepted", "accepted"]
    assert (await executor.one("Run"))["memory_mode"] == "standard"
    same = {**later, "event_id": "again", "policy": {"data_class": "internal"}}
    other = {**later, "event_id": "other", "policy": {"data_class": "public"}}
    codes = _codes(await _report(executor, [same, other], KeyDefaults()))
    assert codes == ["accepted", "validation.task_memory_policy_conflict"]


async def test_what_is_lacking_is_named_with_both_remedies(executor: Executor) -> None:
    [answer, _] = await _report(executor, _events(RUN, {"memory_mode": "standard"}), KeyDefaults())
    assert (answer.code, answer.field) == ("run_unknown", "policy")
    assert "data_class, matter_ids" in str(answer.message)
    assert "tasklore key create" in str(answer.remedy)


async def test_a_default_gives_no_right_that_its_principal_lost(executor: Executor) -> None:
    await executor.database.run_alone("CREATE (:Entity:Matter:Record {id: 'ent_m', kind: 'matter', name: 'M'})")
    above = KeyDefaults(MemoryMode.standard, DataClass.privileged, ())
    theirs = KeyDefaults(MemoryMode.standard, DataClass.internal, ("ent_m",))
    for defaults, code in ((above, "class_not_allowed"), (theirs, "matter_not_allowed")):
        told = await _report(executor, _events(RUN), defaults, clearance=DataClass.internal, matters=[])
        assert _codes(told) == [code, code]
    assert await executor.count("Run") == 0


async def test_a_run_without_a_source_is_of_the_system_of_the_key(executor: Executor) -> None:
    assert _codes(await _report(executor, _events({"key": "r"}))) == ["accepted", "accepted"]
    assert (await executor.one("Run"))["source"] == "crew"
    assert _codes(await _report(executor, _events({"source": "crew", "key": "r"}))) == ["duplicate", "duplicate"]
    assert _codes(await _report(executor, _events({"key": "r"}), KeyDefaults())) == ["invalid_input", "invalid_input"]
