"""What is in a scope, and by which evidence."""

from typing import Any

import pytest

from graph_schema.context.words import LaunchSurface, SurfacePolicy, TriggerKind
from service.commands import RecordRef
from service.context.scope import RunScopeInput, ScheduleEvidenceInput, TriggerEvidenceInput
from tests.context.scope.conftest import Office, email, refs
from tests.viewers import viewer_of

LOW_CONFIDENCE = "warning.task_module_context_trigger_scope_low_confidence"


async def test_a_key_in_the_mail_binds_its_matter_and_what_is_attached(office: Office) -> None:
    marex = await office.entity("Marex", "matter", keys=["1:26-cv-01187"])
    filing = await office.entity("Motion", "document", matter_ids=[marex])
    run = await office.run(matters=(marex,))
    outcome = await office.open(run, trigger=email("New filing", "Notice in 1:26-cv-01187.", (filing,)))
    assert outcome.result["warnings"] == []
    assert await office.bound(run) == {"Marex": ("explicit_task_scope", "bound"), "Motion": ("email_bound", "bound")}
    scope = await office.read(run)
    assert scope.launch_surface is LaunchSurface.email_trigger
    assert scope.surface_context_policy is SurfacePolicy.not_applicable
    assert [one.name for one in scope.resolved_scope.matter_refs] == ["Marex"]
    assert [one.name for one in scope.resolved_scope.document_refs] == ["Motion"]
    assert scope.email_scope is not None
    assert [one.name for one in scope.email_scope.attachment_refs] == ["Motion"]
    assert scope.trigger_scope is not None
    assert scope.trigger_scope.confidence == 1.0
    assert scope.policy_snapshot_ref is not None


async def test_what_was_saved_with_task_and_template_is_bound_with_the_parts_of_a_source_set(office: Office) -> None:
    library = await office.entity("Case file", "library")
    sources = await office.entity("Chosen sources", "source_set")
    exhibit = await office.entity("Exhibit A", "document")
    await office.link(exhibit, "PART_OF", sources)
    goal = await office.save("Goal", name="Depth", goal_type="output_quality_goal", goal_statement="Go deep.")
    template = await office.save("Template", name="Draft", source="exec", source_key="tpl", task_type="drafting")
    task = await office.save("Task", name="Draft it", source="exec", source_key="t")
    await office.link(task, "SCOPED_TO", sources, role="sources")
    await office.link(template, "SCOPED_TO", library)
    await office.link(template, "SERVES_GOAL", goal)
    run = await office.run(task_key="t", template_key="tpl")
    await office.open(run, launch_surface=LaunchSurface.task_ui)
    assert await office.bound(run) == {
        "Chosen sources": ("explicit_task_scope", "bound"),
        "Exhibit A": ("explicit_task_scope", "bound"),
        "Case file": ("template_bound", "bound"),
        "Draft": ("template_bound", "bound"),
        "Depth": ("template_bound", "bound"),
    }
    scope = await office.read(run)
    assert scope.surface_context_policy is SurfacePolicy.none
    assert [one.role for one in scope.resolved_scope.source_set_refs] == ["sources"]
    assert [one.name for one in scope.resolved_scope.goal_refs] == ["Depth"]
    rows = await office.database.read("MATCH (e:ScopeEnvelope) RETURN e.task_type AS type, e.visibility_ceiling AS top")
    assert rows == [{"type": "drafting", "top": "internal"}]


async def test_the_scope_of_the_run_before_is_taken_over_only_when_the_schedule_says_so(office: Office) -> None:
    picked = await office.entity("Picked once", "library")
    chat = await office.save("SurfaceContext", name="Chat", surface_kind="chat")
    await office.save("Task", name="Watch", source="exec", source_key="watch")
    first = await office.run("r1", task_key="watch")
    selected: dict[str, Any] = {
        "selected_surfaces": refs(chat),
        "surface_context_policy": SurfacePolicy.explicit_selected,
    }
    await office.open(first, launch_surface=LaunchSurface.chat, select=refs(picked), **selected)
    for carries, found in ((False, {}), (True, {"Picked once": ("schedule_bound", "bound")})):
        schedule = await office.save("Schedule", name="Daily", schedule_id="s", recurrence_rule="daily",
                                     carry_forward_scope_from_prior_run=carries)  # fmt: skip
        run = await office.run(f"r-{carries}", task_key="watch")
        turn = ScheduleEvidenceInput(RecordRef(id=schedule), "2026-01-01T06:00:00.000Z")
        await office.open(run, trigger=TriggerEvidenceInput(TriggerKind.schedule, schedule=turn))
        assert await office.bound(run) == found
        shown = (await office.read(run)).schedule_scope
        assert shown is not None
        assert (shown.schedule_id, shown.carry_forward_scope_from_prior_run) == ("s", carries)
        if not carries:
            await office.database.run_alone("MATCH (e:ScopeEnvelope {run_id: $run}) DETACH DELETE e", run=run)


async def test_the_longest_name_counts_and_a_name_of_two_is_doubtful(office: Office) -> None:
    one, other = [await office.entity(name, "matter") for name in ("Case one", "Case two")]
    await office.entity("Marex Financial", matter_ids=[one])
    await office.entity("Marex", matter_ids=[other])
    run = await office.run("r1")
    await office.open(run, trigger=email("Invoice of Marex Financial"))
    assert await office.bound(run) == {"Marex Financial": ("email_bound", "bound")}
    assert [matter.name for matter in (await office.read(run)).resolved_scope.matter_refs] == ["Case one"]
    await office.entity("Marex Financial", "organisation", matter_ids=[other])
    run = await office.run("r2")
    outcome = await office.open(run, trigger=email("Invoice of Marex Financial"))
    assert outcome.result["warnings"] == [LOW_CONFIDENCE]
    assert set((await office.bound(run)).values()) == {("email_bound", "candidate")}
    assert (await office.read(run)).resolved_scope.matter_refs == ()
    run = await office.run("r3", matters=(one,))
    await office.open(run, trigger=email("Invoice of Marex Financial"))
    assert ("email_bound", "candidate") not in (await office.bound(run)).values()


@pytest.mark.slow
async def test_a_name_of_one_word_is_meant_only_as_it_is_written(office: Office) -> None:
    await office.entity("Notes", "document")
    assert ("email_bound", "bound") not in (await _bound_by(office, "r1", "Some notes of mine")).values()
    assert await _bound_by(office, "r2", "See Notes, page 3") == {"Notes": ("email_bound", "bound")}


async def _bound_by(office: Office, key: str, subject: str) -> dict[str, tuple[str, str]]:
    run = await office.run(key)
    await office.open(run, trigger=email(subject))
    return await office.bound(run)


async def test_who_is_copied_in_brings_no_matter_of_theirs(office: Office) -> None:
    one, other = [await office.entity(name, "matter", keys=[name]) for name in ("26-cv-1", "26-cv-2")]
    await office.entity("Ann", "person", keys=["ann@example.com"], matter_ids=[one])
    await office.entity("Bob", "person", keys=["bob@example.com"], matter_ids=[other])
    await office.entity("Office", "account", keys=["office@example.com"])
    run = await office.run()
    mail = email("Order in 26-cv-1", sender="Ann A. <ANN@example.com>", recipients=("bob@example.com",))
    outcome = await office.open(run, trigger=mail)
    assert outcome.result["warnings"] == [LOW_CONFIDENCE]
    assert await office.bound(run) == {
        "26-cv-1": ("email_bound", "bound"),
        "Ann": ("email_bound", "bound"),
        "Office": ("email_bound", "bound"),
        "Bob": ("email_bound", "candidate"),
    }
    scope = await office.read(run)
    assert scope.email_scope is not None
    assert scope.email_scope.sender_ref is not None
    assert scope.email_scope.sender_ref.name == "Ann"
    assert [one.name for one in scope.resolved_scope.matter_refs] == ["26-cv-1"]


@pytest.mark.slow
async def test_meaning_binds_what_is_clear_and_leaves_what_is_not(office: Office) -> None:
    summary = "Clinical trial of a malaria vaccine for infants in Kenya."
    await office.entity("Malaria vaccine trial", "project", summary=summary)
    await office.entity("Kitchen renovation", "project", summary="New cupboards and worktops.")
    await office.embed()
    assert await _bound_by(office, "r1", "Vaccine trial on malaria: infants in Kenya") == {
        "Malaria vaccine trial": ("email_bound", "bound")
    }
    await office.entity("Malaria vaccine trials", "project", summary=summary)
    await office.embed()
    found = await _bound_by(office, "r2", "Vaccine trial on malaria: infants in Kenya")
    assert found == {
        "Malaria vaccine trial": ("email_bound", "candidate"),
        "Malaria vaccine trials": ("email_bound", "candidate"),
    }
    assert await _bound_by(office, "r3", "Lunch on Friday?") == {}


async def test_what_the_user_keeps_out_stays_out(office: Office) -> None:
    matter = await office.entity("Case one", "matter")
    await office.entity("Acme Holding", matter_ids=[matter])
    library = await office.entity("Case file", "library")
    task = await office.save("Task", name="T", source="exec", source_key="t")
    await office.link(task, "SCOPED_TO", library)
    run = await office.run(task_key="t")
    await office.open(run, trigger=email("About Acme Holding"), exclude=refs(matter, library))
    assert await office.bound(run) == {}
    scope = await office.read(run)
    assert [one.name for one in scope.excluded] == ["Case file", "Case one"]
    assert scope.resolved_scope.matter_refs == ()


async def test_a_surface_is_inherited_with_what_it_shows_when_that_is_said(office: Office) -> None:
    shown = await office.entity("Draft", "document")
    chat = await office.save("SurfaceContext", name="Chat", surface_kind="chat")
    await office.link(chat, "SHOWS", shown)
    run = await office.run()
    policy = SurfacePolicy.explicit_inherit
    await office.open(
        run, launch_surface=LaunchSurface.chat, surface_context_policy=policy, inherited_surfaces=refs(chat)
    )
    via = ("inherited_from_launch_surface", "bound")
    assert await office.bound(run) == {"Chat": via, "Draft": via}
    assert [one.name for one in (await office.read(run)).inherited_surface_context_refs] == ["Chat"]


async def test_what_is_excluded_takes_along_what_is_in_it(office: Office) -> None:
    library = await office.entity("Case file", "library")
    memo = await office.entity("Memo of 26-cv-9", "document", keys=["26-cv-9"])
    exhibit = await office.entity("Exhibit A", "document")
    sources = await office.entity("Sources", "source_set")
    shown = await office.entity("Notes of a call", "document")
    chat = await office.save("SurfaceContext", name="Chat", surface_kind="chat")
    task = await office.save("Task", name="Draft it", source="exec", source_key="t")
    for tail, kind, head in ((memo, "PART_OF", library), (exhibit, "PART_OF", library), (exhibit, "PART_OF", sources),
                             (chat, "SHOWS", shown), (task, "SCOPED_TO", exhibit), (task, "SCOPED_TO", shown),
                             (task, "SCOPED_TO", sources)):  # fmt: skip
        await office.link(tail, kind, head)
    run = await office.run(task_key="t")
    await office.open(run, trigger=email("Order in 26-cv-9"), exclude=refs(library, chat))
    assert await office.bound(run) == {"Sources": ("explicit_task_scope", "bound")}
    assert {one.name for one in (await office.read(run)).excluded} == {"Case file", "Chat"}


async def test_a_correlation_key_beats_a_mention(office: Office) -> None:
    acme, globex = await office.entity("Acme Case", "matter"), await office.entity("Globex Case", "matter")
    await office.entity("Acme account", "account", keys=["acct-42"], matter_ids=[acme])
    await office.entity("Globex docket", "document", keys=["26-cv-7"], matter_ids=[globex])
    run = await office.run()
    hook = TriggerEvidenceInput(
        TriggerKind.webhook, correlation_key="acct-42", payload_summary="Paid, as in 26-cv-7 of the Globex Case."
    )
    outcome = await office.open(run, trigger=hook)
    assert await office.bound(run) == {
        "Acme account": ("trigger_resolved", "bound"),
        "Globex docket": ("trigger_resolved", "candidate"),
        "Globex Case": ("trigger_resolved", "candidate"),
    }
    assert outcome.result["warnings"] == [LOW_CONFIDENCE]


async def test_a_scope_is_the_same_however_its_records_are_named(office: Office) -> None:
    one, two = [await office.entity(name, "library", source="dms", source_key=name) for name in ("a", "b")]
    run = await office.run()
    first = await office.open(run, select=refs(one, two))
    named = (RecordRef(source="dms", key="b"), RecordRef(kind="Entity", source="dms", key="a"))
    asked = RunScopeInput(RecordRef(kind="Run", source="exec", key="r1"), select=named)
    again = await office.scopes.open(await viewer_of(office.database), asked)
    assert (again.replayed, again.result["id"]) == (True, first.result["id"])
