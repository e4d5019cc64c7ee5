"""What a scope refers to beside what is bound: its task, what the run could see, and the scope before."""

from graph_schema.context.words import TriggerKind
from service.commands import RecordRef
from service.context.scope import ScheduleEvidenceInput, TriggerEvidenceInput
from tests.context.scope.conftest import Office
from tests.memory.stories import Story
from tests.viewers import viewer_of

TURN = "2026-01-01T06:00:00.000Z"


async def test_a_scope_names_its_task_what_its_run_could_see_and_the_scope_of_the_run_before(office: Office) -> None:
    task = await office.save("Task", name="Watch", source="exec", source_key="watch")
    schedule = await office.save("Schedule", name="Daily", schedule_id="s", recurrence_rule="daily")
    turn = ScheduleEvidenceInput(RecordRef(id=schedule), TURN)
    envelopes: list[str] = []
    for key in ("r1", "r2"):
        run = await office.run(key, task_key="watch")
        await office.open(run, trigger=TriggerEvidenceInput(TriggerKind.schedule, schedule=turn))
        envelopes.append((await office.read(run)).envelope_id)
    elsewhere = await office.run("other", task_key="else")
    await office.open(elsewhere, trigger=TriggerEvidenceInput(TriggerKind.schedule, schedule=turn))
    scope = await office.read(run)
    assert (scope.task_id, scope.source_visibility_snapshot_ref) == (task, None)
    assert scope.schedule_scope
    assert scope.schedule_scope.last_run_scope_ref == envelopes[0]
    first = (await office.read(elsewhere)).schedule_scope
    assert first
    assert first.last_run_scope_ref is None
    story = Story({"source": "exec", "key": "r2"})
    for place in (1, 2):
        story.tell(
            "snapshot", snapshot_key=f"v{place}", snapshot_kind="source_visibility", storage_ref=f"ref://{place}"
        )
    await office.reporting.report(await viewer_of(office.database), story.events)
    [row] = await office.database.read("MATCH (s:Snapshot {snapshot_key: 'v2'}) RETURN s.id AS id")
    assert (await office.read(run)).source_visibility_snapshot_ref == row["id"]
