"""Defaults, refusals, and what is kept of which run."""

from dataclasses import replace
from typing import Any

import pytest

from graph_schema.context.words import BACKGROUND, LaunchSurface, SurfacePolicy, TriggerKind
from service.access.viewer import KeyScope
from service.commands import RecordRef
from service.context.scope import BroadBoundsInput, RunScopeInput, RunScopes, TriggerEvidenceInput
from service.context.scope.errors import RunNotReported, TriggerNoEvent
from service.context.scope.rules import LAUNCHES, launch_surface
from service.errors import TaskloreError
from tests.context.scope.conftest import Office, email, refs
from tests.viewers import viewer_of

UNJUSTIFIED = "validation.task_module_context_surface_context_unjustified"
BROAD_SCOPE = "warning.task_module_context_broad_scope_declared"
MISSING = "validation.task_module_context_trigger_scope_missing"
SOME = TriggerEvidenceInput(TriggerKind.webhook, payload_ref="ref://p")


async def _refused(office: Office, run: str, /, **asked: Any) -> tuple[str, str | None]:
    before = await office.count("Record", "Command", "Event")
    with pytest.raises(TaskloreError) as caught:
        await office.open(run, **asked)
    assert await office.count("Record", "Command", "Event") == before
    assert caught.value.remedy
    return caught.value.code, caught.value.field


@pytest.mark.slow
async def test_defaults_follow_the_launch_surface(office: Office) -> None:
    expected = dict.fromkeys(("chat", "task_ui", "task_canvas", "run_inspector"), SurfacePolicy.none)
    expected |= dict.fromkeys(("manual_api", "unknown", "ec_system_job"), SurfacePolicy.not_applicable)
    for surface, policy in expected.items():
        run = await office.run(f"r-{surface}")
        await office.open(run, launch_surface=LaunchSurface(surface))
        assert (await office.read(run)).surface_context_policy is policy
    for kind in (TriggerKind.webhook, TriggerKind.discord, TriggerKind.forum_panel, TriggerKind.file_watcher):
        run = await office.run(f"r-{kind}")
        await office.open(run, trigger=TriggerEvidenceInput(kind, payload_ref="ref://p"))
        scope = await office.read(run)
        assert (scope.launch_surface, scope.surface_context_policy) == (LAUNCHES[kind][0], "not_applicable")


def test_what_discord_and_forums_trigger_is_launched_by_an_external_event() -> None:
    for kind in (TriggerKind.discord, TriggerKind.forum_panel):
        asked = RunScopeInput(RecordRef(id="run_1"), trigger=TriggerEvidenceInput(kind, correlation_key="c"))
        assert launch_surface(asked) is LaunchSurface.external_event


def test_a_run_that_somebody_began_has_no_event_that_set_it_going() -> None:
    for kind in {*TriggerKind} - {*LAUNCHES}:
        asked = RunScopeInput(RecordRef(id="run_1"), trigger=TriggerEvidenceInput(kind, payload_ref="ref://p"))
        with pytest.raises(TriggerNoEvent, match="no event"):
            launch_surface(asked)
    assert {one.value for one in {*TriggerKind} - {*LAUNCHES}} == {"manual", "chat", "fork"}


async def test_a_mapping_that_is_saved_with_the_trigger_binds_and_sets_the_policy(office: Office) -> None:
    run = await office.run(task_key="t")
    policy: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}
    rows = await office.database.read("MATCH (r:Run {id: $id}) RETURN r.source_key AS key", id=run)
    event: dict[str, Any] = {
        "event_id": "a",
        "kind": "activation_started",
        "occurred_at": "2026-01-01T10:00:09.000Z",
        "task_key": "t",
        "run": {"source": "exec", "key": rows[0]["key"]},
        "policy": policy,
        "module_key": "hook",
        "activation_seq": 1,
    }
    await office.reporting.report(await viewer_of(office.database), [event])
    [module] = await office.database.read("MATCH (m:Module {module_key: 'hook'}) RETURN m.id AS id")
    library = await office.entity("Mapped", "library")
    await office.link(module["id"], "SCOPED_TO", library)
    hook = TriggerEvidenceInput(TriggerKind.webhook, module_key="hook", correlation_key="c-1")
    await office.open(run, trigger=hook)
    assert await office.bound(run) == {"Mapped": ("trigger_resolved", "bound")}
    assert (await office.read(run)).surface_context_policy is SurfacePolicy.trigger_bound


async def test_a_background_run_claims_no_surface(office: Office) -> None:
    chat = await office.save("SurfaceContext", name="Chat", surface_kind="chat")
    run = await office.run()
    inherit = {"surface_context_policy": SurfacePolicy.explicit_inherit, "inherited_surfaces": refs(chat)}
    selected = {"surface_context_policy": SurfacePolicy.explicit_selected, "selected_surfaces": refs(chat)}
    assert await _refused(office, run, trigger=SOME, **inherit) == (UNJUSTIFIED, "inherited_surfaces")
    assert await _refused(office, run, trigger=SOME, **selected) == (UNJUSTIFIED, "selected_surfaces")
    assert await _refused(office, run, trigger=SOME, select=refs(chat)) == (UNJUSTIFIED, "select")
    told = {"launch_surface": LaunchSurface.chat}
    assert await _refused(office, run, **told, inherited_surfaces=refs(chat)) == (UNJUSTIFIED, "inherited_surfaces")
    assert await _refused(office, run, **told, selected_surfaces=refs(chat)) == (UNJUSTIFIED, "selected_surfaces")
    alone = {**told, "surface_context_policy": SurfacePolicy.explicit_inherit}
    assert await _refused(office, run, **alone) == (UNJUSTIFIED, "surface_context_policy")


async def test_a_triggered_run_needs_its_evidence(office: Office) -> None:
    run = await office.run()
    for surface in BACKGROUND:
        if surface is not LaunchSurface.ec_system_job:
            assert await _refused(office, run, launch_surface=surface) == (MISSING, "trigger")
    bare = TriggerEvidenceInput(TriggerKind.file_watcher)
    assert await _refused(office, run, trigger=bare) == (MISSING, "trigger.payload_summary")
    assert await _refused(office, run, trigger=email(message_id=None)) == (MISSING, "trigger.email.message_id")
    ended = TriggerEvidenceInput(TriggerKind.task_complete, payload_ref="ref://p")
    assert await _refused(office, run, trigger=ended) == (MISSING, "trigger.run")
    told = {"launch_surface": LaunchSurface.chat, "trigger": SOME}
    assert await _refused(office, run, **told) == ("invalid_input", "launch_surface")


async def test_a_policy_forbids_surfaces(office: Office) -> None:
    await office.save("Policy", name="No surfaces", policy_kind="context", surface_context_forbidden=True,
                      valid_from="2020-01-01T00:00:00.000Z")  # fmt: skip
    chat = await office.save("SurfaceContext", name="Chat", surface_kind="chat")
    run = await office.run()
    inherit = {"surface_context_policy": SurfacePolicy.explicit_inherit, "inherited_surfaces": refs(chat)}
    assert (await _refused(office, run, launch_surface=LaunchSurface.chat, **inherit))[0] == UNJUSTIFIED
    await office.open(run, launch_surface=LaunchSurface.chat)
    assert (await office.read(run)).surface_context_policy is SurfacePolicy.forbidden
    rows = await office.database.read(
        "MATCH (:ScopeEnvelope)-[:HELD_UNDER]->(s:Snapshot)<-[:UNDER]-(:Run) RETURN s.policy_refs AS held"
    )
    assert [len(row["held"]) for row in rows] == [1]


async def test_what_cannot_be_opened_is_refused_and_nothing_is_stored(office: Office) -> None:
    matter = await office.entity("Secret", "matter")
    library = await office.entity("File", "library")
    run, hidden = await office.run("r1"), await office.run("r2", matters=(matter,))
    outside: dict[str, Any] = {"principal_id": "prin_out", "matters": [], "scopes": (KeyScope.report,)}
    assert await _refused(office, hidden, viewer=outside) == ("not_found", "run")
    assert await _refused(office, "run_missing") == ("not_found", "run")
    assert await _refused(office, run, select=refs("ent_missing")) == ("not_found", "select")
    assert await _refused(office, run, viewer=outside, select=refs(matter)) == ("not_found", "select")
    assert await _refused(office, run, directives=refs(library)) == ("wrong_kind", "directives")
    attached = email(attachments=(library,))
    assert await _refused(office, run, trigger=attached) == ("invalid_input", "trigger.email.attachments")
    assert await _refused(office, run, select=refs(library), exclude=refs(library)) == ("invalid_input", "exclude")
    assert await _refused(office, run, environment="{") == ("invalid_input", "environment")
    assert (await _refused(office, run, trigger=email("x" * 2_001)))[0] == "text_too_long"
    reader = {"scopes": (KeyScope.read,)}
    assert (await _refused(office, run, viewer=reader))[0] == "not_allowed"
    await office.end("r1")
    assert await _refused(office, run) == ("run_is_finished", "run")
    viewer, never = await viewer_of(office.database), RecordRef(kind="Run", source="exec", key="never")
    with pytest.raises(RunNotReported):
        await office.scopes.open(viewer, RunScopeInput(never))


async def test_a_run_has_one_scope(office: Office) -> None:
    library = await office.entity("File", "library")
    run = await office.run()
    first = await office.open(run, select=refs(library), command_id="c")
    for command_id in ("c", "d", None):
        again = await office.open(run, select=refs(library), command_id=command_id)
        assert (again.replayed, again.result["id"]) == (True, first.result["id"])
    assert await _refused(office, run, command_id="c") == ("run_scope_reused", "run")
    assert await office.count("ScopeEnvelope") == 1


async def test_of_a_private_run_no_words_are_kept(office: Office) -> None:
    await office.entity("Case file", "library", keys=["26-cv-1"])
    kept: dict[str, dict[str, Any]] = {}
    for mode in ("standard", "memory_incognito", "full_ephemeral_test"):
        run = await office.run(mode, mode=mode)
        await office.open(run, trigger=email("Order in 26-cv-1", "It is long."), environment='{"a": 1}')
        assert await office.bound(run) == {"Case file": ("email_bound", "bound")}
        [row] = await office.database.read(
            "MATCH (r:Run {id: $run})-[:TRIGGERED_BY]->(t:Trigger) MATCH (r)-[:HAS_SCOPE]->(e)-[b:BINDS]->() "
            "RETURN properties(t) AS trigger, properties(e) AS envelope, b.evidence AS evidence", run=run
        )  # fmt: skip
        kept[mode] = row
    assert kept["standard"]["trigger"]["thread_subject"] == "Order in 26-cv-1"
    for mode in ("memory_incognito", "full_ephemeral_test"):
        assert "26-cv-1" not in str(kept[mode])
        assert "long" not in str(kept[mode]["trigger"])
    assert kept["memory_incognito"]["trigger"]["message_id"] == "m-1"
    assert "message_id" not in kept["full_ephemeral_test"]["trigger"]
    assert "environment" not in kept["full_ephemeral_test"]["envelope"]


async def test_broad_scope_is_declared_with_its_bounds(office: Office) -> None:
    run, bare = await office.run(), await office.run("r2")
    marex, library = await office.entity("Marex", "matter"), await office.entity("Case law", "library")
    text = "All tasks that touch Marex."
    bounds = BroadBoundsInput(refs(marex), refs(library), ("Task", "Run"), "2026-01-01T00:00:00.000Z")
    for field, given in (
        ("broad_scope", {"broad_bounds": bounds}),
        ("broad_bounds.kinds", {"broad_scope": text, "broad_bounds": replace(bounds, kinds=("Restriction",))}),
        (
            "broad_bounds.until",
            {"broad_scope": text, "broad_bounds": replace(bounds, until="2025-01-01T00:00:00.000Z")},
        ),
        ("broad_bounds.libraries", {"broad_scope": text, "broad_bounds": replace(bounds, libraries=refs(marex))}),
    ):
        assert await _refused(office, run, **given) == ("invalid_input", field)
    outcome = await office.open(run, broad_scope=text, broad_bounds=bounds)
    assert outcome.result["warnings"] == [BROAD_SCOPE]
    scope = await office.read(run)
    assert scope.broad_scope == text
    told = scope.broad_bounds
    assert told
    assert [[one.name for one in some] for some in (told.entity_refs, told.library_refs)] == [["Marex"], ["Case law"]]
    assert (told.kinds, told.since, told.until) == (("Task", "Run"), bounds.since, None)
    await office.open(bare)
    assert (await office.read(bare)).broad_bounds is None


async def test_what_one_policy_forbids_no_other_gives_back(office: Office) -> None:
    ever = {"policy_kind": "context", "valid_from": "2020-01-01T00:00:00.000Z"}
    await office.save("Policy", name="No surfaces", surface_context_forbidden=True, **ever)
    await office.save("Policy", name="But here", surface_context_forbidden=False, task_key="t", **ever)
    run = await office.run(task_key="t")
    await office.open(run, launch_surface=LaunchSurface.chat)
    assert (await office.read(run)).surface_context_policy is SurfacePolicy.forbidden


async def test_whoever_may_not_see_the_matters_of_a_scope_does_not_see_it(office: Office) -> None:
    matter = await office.entity("Acme Case", "matter")
    run = await office.run()
    await office.open(run, trigger=email("News of the Acme Case"))
    assert [one.name for one in (await office.read(run)).resolved_scope.matter_refs] == ["Acme Case"]
    assert [one.name for one in (await office.read(run, matters=[matter])).resolved_scope.matter_refs] == ["Acme Case"]
    viewer = await viewer_of(office.database, "prin_out", matters=[])
    assert await RunScopes(office.database).of_run(viewer, RecordRef(id=run)) is None
