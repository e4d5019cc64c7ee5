"""A legal hold on a run, on any part of it or on a matter keeps all of it, from erasure and from retention."""

from datetime import UTC, datetime, timedelta

import pytest

from graph_schema.memory.words import RetentionClass
from graph_schema.model.fields import DataClass
from service.memory.retention import Ages, due, retain
from service.records.errors import HeldForLaw
from tests.memory.conftest import Executor
from tests.memory.stories import POLICY, Story, step, whole_run
from tests.records.erasure.conftest import Officer, give
from tests.records.erasure.marked import RUN_ID, plant

LATER = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=400)
AGES = Ages(dict.fromkeys(RetentionClass, 30))
SET_HOLD = "MATCH (n:Record {id: $id}) SET n.legal_hold = $hold"
DUE = "MATCH (r:Run {id: $id}) SET r.due = 'standard 2026-01-01T00:00:00.000Z', r.retention_class = 'standard'"


@pytest.mark.slow
async def test_a_hold_anywhere_in_a_run_keeps_every_part_of_it(officer: Officer) -> None:
    parts = await plant(officer.database)
    await officer.database.run_alone(DUE, id=RUN_ID)
    for held in parts:
        await officer.database.run_alone(SET_HOLD, id=held, hold=True)
        for other in (RUN_ID, parts[0]):
            with pytest.raises(HeldForLaw) as refused:
                await officer.erase(other)
            assert refused.value.facts == {"held_by": [held]}, (held, other)
        [told] = await due(officer.database, AGES, LATER)
        assert (told.runs, told.held) == (0, 1), held
        await officer.database.run_alone(SET_HOLD, id=held, hold=False)
    [told] = await due(officer.database, AGES, LATER)
    assert (told.runs, told.held) == (1, 0)


async def test_a_hold_on_a_run_keeps_each_of_its_parts(officer: Officer) -> None:
    parts = await plant(officer.database)
    await officer.hold(RUN_ID)
    for part in parts:
        with pytest.raises(HeldForLaw):
            await officer.erase(part)


async def test_a_hold_on_a_matter_keeps_a_run_of_which_only_a_part_is_its(officer: Officer, executor: Executor) -> None:
    matter = await officer.save("Entity", name="M", kind="matter")
    source = await officer.save("Entity", name="Exhibit", kind="document", matter_ids=[matter])
    story = Story().tell("run_started")
    story.tell("artifact_produced", artifact_key="a", artifact_kind="document", derived_from=[{"id": source}],
               **step("m"))  # fmt: skip
    await executor.report(story.tell("run_completed").events)
    run = (await executor.one("Run"))["id"]
    await officer.hold(matter)
    with pytest.raises(HeldForLaw) as refused:
        await officer.erase(run)
    assert refused.value.facts == {"held_by": [matter]}
    assert (await retain(officer.database, AGES, now=LATER)).batches == 0
    await officer.hold(matter, hold=False)
    assert (await officer.erase(run)).result["id"] == run


async def test_where_the_hold_is_stays_untold_to_who_may_not_see_it(officer: Officer, executor: Executor) -> None:
    await executor.report(whole_run(policy={**POLICY, "capture_outputs": "full_local_only"}))
    run, memo = (await executor.one("Run"))["id"], await executor.one("Artifact", name="Damages memo")
    assert memo["data_class"] == "local_only"
    await officer.hold(memo["id"])
    with pytest.raises(HeldForLaw) as refused:
        await officer.erase(run, clearance=DataClass.internal)
    assert refused.value.facts == {"held_by": []}
    assert memo["id"] not in refused.value.message


async def test_what_quotes_an_erased_record_is_kept_by_its_own_hold(officer: Officer, executor: Executor) -> None:
    await executor.report([*whole_run(), *whole_run({"source": "exec", "key": "run-2"})])
    one, other = [(await executor.one("Run", source_key=key))["id"] for key in ("run-1", "run-2")]
    memo = (await executor.one("Artifact", source_key="run-1-memo"))["id"]
    export = await officer.export(other)
    await officer.database.run_alone(
        "MATCH (x:AuditExport {id: $export}) MATCH (m:Artifact {id: $memo}) CREATE (x)-[:COVERS]->(m)",
        export=export, memo=memo,
    )  # fmt: skip
    await officer.hold(other)
    with pytest.raises(HeldForLaw):
        await officer.erase(one)
    await officer.hold(other, hold=False)
    await officer.erase(one)
    assert not (officer.home / "audits" / export).exists()


async def test_what_a_held_run_was_given_to_know_is_kept(officer: Officer, executor: Executor) -> None:
    await executor.report([*whole_run(), *whole_run({"source": "exec", "key": "run-2"})])
    one, other = [(await executor.one("Run", source_key=key))["id"] for key in ("run-1", "run-2")]
    memo = (await executor.one("Artifact", source_key="run-1-memo"))["id"]
    await give(officer, other, memo, via="template_bound")
    await officer.hold(other)
    for erased in (one, memo):
        with pytest.raises(HeldForLaw) as refused:
            await officer.erase(erased)
        assert refused.value.facts == {"held_by": [other]}
