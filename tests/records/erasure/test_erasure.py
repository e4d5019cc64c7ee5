"""What is erased is nowhere: not in the graph, not on disk, not in what others quote; and it does not come back."""

from typing import Any

import pytest

from graph_schema.memory.words import IntakeLevel
from graph_schema.registry import REGISTRY
from service.access.viewer import KeyScope
from service.commands import RecordRef, Request, Work
from service.doctor import examine
from service.memory.continuation import Continuation, FollowUpArtifact, FollowUpInput, ForkInput, StepName, ThreadInput
from service.records.errors import HeldForLaw
from tests.memory.conftest import Executor
from tests.memory.desk import desk_of
from tests.memory.stories import POLICY, Story, step, whole_run
from tests.records.erasure.conftest import Officer, give
from tests.records.erasure.marked import MARK, RUN_ID, events, files_with_marks, mark, places, plant
from tests.viewers import viewer_of

pytestmark = pytest.mark.slow  # planning; tests/records has the least of it in every run
OTHER = {"source": "exec", "key": "other"}


async def test_every_part_of_a_run_goes_with_it_by_what_the_registry_says(officer: Officer) -> None:
    parts = await plant(officer.database)
    assert len({label for label, _ in await places(officer.database)}) > len(parts) / 2
    result = (await officer.erase(RUN_ID)).result
    assert result == {"id": RUN_ID, "erased": len(parts)}
    assert await places(officer.database) == set()


async def test_all_that_was_reported_of_a_run_goes_with_it(officer: Officer, executor: Executor) -> None:
    answers = await executor.report(events())
    assert [(one.event_id, one.code) for one in answers if one.code] == []
    run = (await executor.one("Run"))["id"]
    await _after(officer, executor, run)
    export = await officer.export(run)
    packet = await _quoted(officer, executor)
    assert files_with_marks(officer.home)
    await officer.erase(run)
    assert await places(officer.database) == set()
    assert files_with_marks(officer.home) == []
    assert not (officer.home / "audits" / f"{export}.zip").exists()
    assert (await executor.one("ContextPacket", id=packet))["injected_count"] == 1
    assert [str(one) for one in await examine(officer.database, REGISTRY)] == []


async def _after(officer: Officer, executor: Executor, run: str) -> None:
    """What people do with a run: a fork, a follow-up, a thread, a promotion; each says something."""
    viewer = await viewer_of(officer.database)
    after = Continuation(officer.commands)
    at = StepName(RecordRef(id=run), mark("module_key"), 1)
    await after.request_fork(viewer, ForkInput(at, {"rerun_scope": "selected_module_only", "name": mark("fork"),
                                                   "side_effect_replay_policy": "draft_only"}))  # fmt: skip
    made = FollowUpArtifact(values={"name": mark("answer"), "artifact_kind": "document", "summary": mark("answer")})
    asked = {"mode": "ask_task_agent_about_module", "user_question": mark("question"),
             "durable_effect": "module_followup_artifact"}  # fmt: skip
    await after.record_follow_up(await viewer_of(officer.database), FollowUpInput(at, asked, artifacts=(made,)))
    thread = {"scope": "task_run_inspection", "name": mark("thread")}
    await after.open_thread(await viewer_of(officer.database), ThreadInput(thread, step=at))
    art = await executor.one("Artifact", source_key=mark("artifact_key"))
    await officer.database.run_alone("MATCH (a:Artifact {id: $id}) SET a.intake_level = 'run_only'", id=art["id"])
    await desk_of(officer.database).promote(art["id"], IntakeLevel.doc25_work_product_ingestion, reason=mark("reason"))


async def _quoted(officer: Officer, executor: Executor) -> str:
    """A packet of another run that was given the marked artifact at a port."""
    await executor.report(Story(OTHER).tell("run_started").tell("activation_started", **step("m")).events)
    run = (await executor.one("Run", source_key="other"))["id"]
    art = (await executor.one("Artifact", source_key=mark("artifact_key")))["id"]

    return await give(officer, run, art, data_input_summary=mark("summary"), inputs=mark("inputs"))


async def test_a_set_that_was_given_to_a_module_forgets_what_was_in_it(officer: Officer, executor: Executor) -> None:
    await executor.report(Story(OTHER).tell("run_started").tell("activation_started", **step("m")).events)
    run = (await executor.one("Run", source_key="other"))["id"]
    one = await officer.save("Entity", name=mark("document"), kind="document")
    held = await officer.save("Entity", name="Exhibits", kind="source_set")
    await officer.link(one, "PART_OF", held)
    await give(officer, run, held, text=f"Exhibits\n- {mark('document')} ({one}): document")
    await officer.erase(one)
    assert await places(officer.database) == set()


async def _mailed(officer: Officer, executor: Executor, one: str, kind: str, **said: Any) -> tuple[str, str]:
    """A run that a mail began which something sent, brought or was named in; it, and the trigger."""
    await executor.report(Story(OTHER).tell("run_started").tell("activation_started", **step("m")).events)
    run = (await executor.one("Run", source_key="other"))["id"]

    async def plan(work: Work) -> dict[str, Any]:
        began, bound = (work.need(RecordRef(id=each), "x") for each in (run, one))
        told = {"name": "Mail", "run_id": run, "trigger_kind": "email", **said}
        trigger = work.create(REGISTRY.types["Trigger"], told, [began])
        envelope = {"name": "Scope", "run_id": run, "launch_surface": "email_trigger", "policy_source": "x",
                    "surface_context_policy": "not_applicable", "visibility_ceiling": "internal",
                    "request_hash": "h", "rules": "r"}  # fmt: skip
        scope = work.create(REGISTRY.types["ScopeEnvelope"], envelope, [began])
        tie = {"via": "email_bound", "evidence": mark("evidence"), "confidence": 1.0, "status": "bound"}
        work.link(scope, "BINDS", bound, tie)
        if kind == "person":
            work.link(trigger, "CAME_FROM", bound)
        return {"id": trigger.id}

    request = Request("test", KeyScope.report, {}, reads=[RecordRef(id=run), RecordRef(id=one)])
    found = await officer.commands.execute(await viewer_of(officer.database), request, plan)
    return run, found.result["id"]


async def test_who_sent_the_mail_that_began_a_run_is_forgotten_with_it(officer: Officer, executor: Executor) -> None:
    person = await officer.save("Entity", name=mark("person"), kind="person", keys=[mark("address")])
    sender = f"{mark('person')} <{mark('address')}>"
    run, trigger = await _mailed(
        officer, executor, person, "person", sender=sender, recipients=[mark("address"), "desk@example.com"],
        thread_subject=mark("subject"), payload_summary=mark("said"), message_id="m-1",
    )  # fmt: skip
    await give(officer, run, trigger, via="none", text=f"sent by {sender}")
    await officer.erase(person)
    assert await places(officer.database) == set()
    left = await executor.one("Trigger")
    assert (left["message_id"], left["recipients"]) == ("m-1", ["desk@example.com"])


async def test_what_was_told_of_a_document_beside_it_is_forgotten_with_it(officer: Officer, executor: Executor) -> None:
    document = await officer.save("Entity", name=mark("document"), kind="document", keys=[mark("key")])
    rule = await officer.save("Restriction", name="Rule", statement="Quote by page.")
    await officer.link(rule, "APPLIES_TO", document)
    run, _ = await _mailed(officer, executor, document, "document", sender="a@b.example",
                           payload_summary=f"See {mark('key')}.")  # fmt: skip
    told = {"explanation": f"It applies to “{mark('document')}”, which is in the scope of this run.",
            "facts": f'{{"link":"{mark("document")}"}}', "text": "Quote by page."}  # fmt: skip
    await give(officer, run, rule, via="none", **told)
    await officer.hold(run)
    with pytest.raises(HeldForLaw):
        await officer.erase(document)
    await officer.hold(run, hold=False)
    await officer.erase(document)
    assert await places(officer.database) == set()
    assert (await executor.one("Trigger"))["sender"] == "a@b.example"
    rows = await officer.database.read("MATCH ()-[i:INJECTED]->(:Restriction) RETURN i.text AS text")
    assert rows[0]["text"] == "Quote by page."


async def test_events_of_an_erased_run_are_refused_by_its_tombstone(officer: Officer, executor: Executor) -> None:
    told = whole_run()
    await executor.report(told)
    run = (await executor.one("Run"))["id"]
    await officer.erase(run)
    before = await executor.graph()
    assert set(await executor.told(told)) == {"run_erased"}
    assert set(await executor.told([{**told[0], "run": {"id": run}, "event_id": "n"}])) == {"run_erased"}
    assert await executor.graph() == before
    tomb = await executor.one("Tombstone", id=run)
    assert len(tomb["key_hash"]) == 64
    assert "run-1" not in repr(tomb)


async def test_who_could_not_see_a_run_is_told_nothing_of_its_end(officer: Officer, executor: Executor) -> None:
    matter = await officer.save("Entity", name="M", kind="matter")
    event = Story(policy={**POLICY, "matter_ids": [matter]}).tell("run_started").events
    await executor.report(event)
    open_event = [{**event[0], "policy": POLICY, "event_id": "x"}]
    stranger: dict[str, Any] = {"principal_id": "prin_x", "matters": [], "scopes": [KeyScope.report]}
    assert await executor.told(open_event, **stranger) == ["accepted"]  # a run of their own
    await officer.erase((await executor.one("Run", matter_ids=[matter]))["id"])
    assert await executor.told([{**open_event[0], "event_id": "y"}], **stranger) == ["accepted"]
    assert (await executor.one("Run"))["reporters"] == ["prin_x"]


async def test_what_lineage_leads_to_leaves_a_tombstone_and_is_not_made_again(
    officer: Officer, executor: Executor
) -> None:
    await executor.report(whole_run())
    memo = await executor.one("Artifact", name="Damages memo")
    uses = Story(OTHER).tell("artifact_consumed", item={"kind": "Artifact", "key": "run-1-memo"}, **step("m"))
    uses.tell("artifact_consumed", item={"kind": "Artifact", "key": "run-1-memo"}, **step("n"))
    assert await executor.told(uses.events[:1]) == ["accepted"]
    await officer.erase((await executor.one("Run", source_key="run-1"))["id"])
    rows = await officer.database.read(
        "MATCH (:Run {source_key: 'other'})-[:ACTIVATED]->()-[:CONSUMED]->(t) RETURN t.id AS id, labels(t) AS labels"
    )
    assert [(row["id"], sorted(row["labels"])) for row in rows] == [(memo["id"], ["Record", "Tombstone"])]
    assert await executor.told(uses.events[1:]) == ["record_erased"]
    assert await executor.count("Span") == 0
    assert [str(one) for one in await examine(officer.database, REGISTRY)] == []


async def test_what_an_erased_run_told_of_shared_records_is_forgotten_and_the_rest_stays(
    officer: Officer, executor: Executor
) -> None:
    first = Story({"source": "exec", "key": "one"}).tell("run_started", task_key="t", task_name="A plain name")
    second = Story({"source": "exec", "key": f"{MARK}-two"}).tell("run_started", task_key="t", task_name=mark("task"))
    await executor.report(first.events)
    await executor.report([{**second.events[0], "occurred_at": "2026-01-02T00:00:00.000Z"}])
    assert (await executor.one("Task"))["name"] == mark("task")
    await officer.erase((await executor.one("Run", source_key=f"{MARK}-two"))["id"])
    assert await places(officer.database) == set()
    assert (await executor.one("Task"))["name"] == "t"
    again = Story({"source": "exec", "key": "three"}).tell("run_started", task_key="t", task_name="Late")
    await executor.report([{**again.events[0], "occurred_at": "2026-01-03T00:00:00.000Z"}])
    assert (await executor.one("Task"))["name"] == "Late"


async def test_an_artifact_goes_with_all_that_was_said_of_it(officer: Officer, executor: Executor) -> None:
    plain = {"module_key": "m", "task_key": "t", "run": {"source": "exec", "key": "r"}}
    of_it = {"artifact_produced", "artifact_promoted", "artifact_opened", "artifact_cited", "delivery"}
    named = ("idempotency_key", "delivery_key", "name", "destination_summary", "delivered_to", "external_message_id",
             "saved_path", "open_url", "receipt_ref", "policy_approval_ref")  # fmt: skip
    told = [{**one, **plain, "event_id": one["kind"]} for one in events() if one["kind"] in of_it]
    for one in told:
        if one["kind"] == "delivery":
            one |= {name: "plain" for name in named if name in one and not isinstance(one[name], list)}
            for name in ("delivered_to", "recipients_known", "snapshot_keys"):
                del one[name]
        for name in ("derived_from", "previous_work_product_key", "citing_artifact_key"):
            one.pop(name, None)
        if one["kind"] not in {"artifact_produced", "delivery"}:
            del one["module_key"]
    assert [one.code for one in await executor.report(told)] == [None] * len(told)
    assert await executor.count("WorkProduct") == 1
    await officer.erase((await executor.one("Artifact", source_key=mark("artifact_key")))["id"])
    assert await places(officer.database) == set()
    assert await executor.count("Delivery") == await executor.count("Run") == 1
    assert [str(one) for one in await examine(officer.database, REGISTRY)] == []


@pytest.mark.parametrize("label", ["Entity", "Goal", "Task", "Preference", "Template"])
async def test_a_record_that_was_saved_goes_with_its_states_links_and_cards(officer: Officer, label: str) -> None:
    record = await officer.save(label, **_given(label))
    await officer.save(label, record_id=record, name=mark("again"))
    other = await officer.save("Entity", name="Other", kind="project")
    if label == "Entity":
        await officer.link(other, "MENTIONS", record)
        await officer.link(record, "INVOLVED_IN", other, role=mark("role"))
        await officer.link(other, "INVOLVED_IN", record, role=mark("role"))
        await officer.link(other, "INVOLVED_IN", record, remove=True)
    await officer.erase(record)
    assert await places(officer.database) == set()
    assert [str(one) for one in await examine(officer.database, REGISTRY)] == []


def _given(label: str) -> dict[str, Any]:
    """Every plain text of the type, as a mark."""
    texts = {
        name: [mark(name)] if one.many else mark(name)
        for name, one in REGISTRY.types[label].fields.items()
        if one.kind.value == "string" and one.authored and not one.hidden and name not in {"matter_ids", "source_key"}
    }
    picked: dict[str, dict[str, Any]] = {
        "Entity": {"kind": "person"},
        "Goal": {"goal_type": "risk_control_goal"},
    }
    return {**texts, **picked.get(label, {}), "source": "crm", "source_key": mark("key")}
