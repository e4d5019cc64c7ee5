"""An export: its decision, its files, who may have it, and that it can be checked."""

import hashlib
import io
import os
import stat
import zipfile
from typing import Any

import httpx
import orjson
import pytest
from starlette.applications import Starlette

from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from resolvers.capability import Fields
from resolvers.engine.context import Context
from resolvers.memory.audit import AuditMutation
from resolvers.schema import build_schema
from service.access.viewer import KeyScope
from service.commands import Commands, RecordRef
from service.commands.errors import NotAllowed, RecordMissing
from service.doctor import examine
from service.library.blueprints import BlueprintInput, PartInput
from service.library.commands import Library
from service.library.graphs import CableInput, GraphInput, ModuleInput
from service.memory.audit import AuditExports
from service.memory.audit.errors import FilesMissing, FormatUnavailable, NoFiles, NotWritten, WordUnknown
from service.memory.audit.files import Shelf
from service.memory.audit.http import audit_routes
from service.memory.audit.rules import read
from service.memory.audit.tidy import tidy
from service.records import Records
from service.runtime.compose import hooks
from tests.memory.audit.conftest import Auditor, manifest, told
from tests.memory.conftest import Executor
from tests.memory.reporting.test_doors import As
from tests.memory.stories import POLICY, Story, step, whole_run
from tests.viewers import viewer_of


async def run_of(executor: Executor, **policy: Any) -> str:
    assert {one.outcome for one in await executor.report(whole_run(policy={**POLICY, **policy}))} == {"accepted"}
    return (await executor.one("Run"))["id"]


@pytest.mark.slow
async def test_an_export_is_stored_with_its_decision(executor: Executor, auditor: Auditor) -> None:
    run = await run_of(executor)
    result = await auditor.export(run, "external_redacted", "zip", "markdown")
    stored = await executor.one("AuditExport")
    assert (stored["decision"], stored["decision_kind"]) == ("degraded", "file_write")
    assert stored["reason_codes"] == ["records_of_unknown_class_left_out"] == result["reason_codes"]
    assert (stored["run_id"], stored["export_ref"]) == (run, f"audits/{stored['id']}")
    assert stored.get("warnings", []) == []
    assert len(stored["included_sections"]) == 16
    assert await examine(executor.database, REGISTRY) == []
    files = await auditor.files(stored["id"])
    assert set(files) == {*(f"{one}.json" for one in stored["included_sections"]), "report.md", "manifest.json"}
    words = told(files)
    assert [one for one in ("Damages are high.", "w@example.com", "Complaint", "ref://") if one in words] == []


async def test_who_receives_it_can_check_it(executor: Executor, auditor: Auditor) -> None:
    files = await auditor.exported(await run_of(executor), "professional_internal", "folder", "markdown")
    said = manifest(files)
    assert {one["name"] for one in said["files"]} == {*files} - {"manifest.json"}
    for one in said["files"]:
        assert one["sha256"] == hashlib.sha256(files[one["name"]]).hexdigest()
        assert one["bytes"] == len(files[one["name"]])
    lines = "".join(f"{one['sha256']}  {one['name']}\n" for one in said["files"])
    assert said["content_hash"] == hashlib.sha256(lines.encode()).hexdigest()
    assert said["left_out"]["sections"] == {"raw_trace": "profile"}
    assert said["left_out"]["records"]["class_unknown"] > 0
    assert said["left_out"]["fields"]["prompt"] == 1
    assert said["warnings"] == ["warning.audit_export_redaction_required"]


async def test_the_same_graph_gives_the_same_bytes(executor: Executor, auditor: Auditor) -> None:
    run = await run_of(executor)
    first = await auditor.exported(run, "full_local_audit", "folder", "markdown")
    second = await auditor.exported(run, "full_local_audit", "folder", "markdown")
    differing = {name for name in first if first[name] != second[name]}
    assert differing == {"manifest.json"}
    one, other = manifest(first), manifest(second)
    assert {name for name in one if one[name] != other[name]} == {"export_id", "exported_at"}


async def test_files_are_for_their_owner_alone(executor: Executor, auditor: Auditor) -> None:
    export = (await auditor.export(await run_of(executor), "summary_only", "zip"))["id"]
    folder = auditor.home / "audits"
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IMODE((folder / export).stat().st_mode) == 0o700
    for file in [folder / f"{export}.zip", *(folder / export).iterdir()]:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with zipfile.ZipFile(folder / f"{export}.zip") as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == await auditor.files(export)
    assert [one.name for one in folder.iterdir() if one.name.startswith(".")] == []


async def test_only_what_the_viewer_sees_is_there(executor: Executor, auditor: Auditor) -> None:
    secret = Story({"source": "exec", "key": "s"}, {**POLICY, "data_class": "privileged"})
    secret.tell("artifact_produced", artifact_key="secret", artifact_kind="document", name="Hidden", **step("m"))
    run = await run_of(executor)
    uses = Story().tell("artifact_consumed", item={"key": "secret"}, **step("m")).events
    for events in (secret.events, [{**uses[0], "event_id": "uses"}]):
        assert await executor.told(events) == ["accepted"]
    cleared = await auditor.export(run, "professional_internal")
    assert "Hidden" in told(await auditor.files(cleared["id"]))
    low: dict[str, Any] = {"clearance": DataClass.internal, "principal_id": "low", "matters": [],
                           "scopes": (KeyScope.read, KeyScope.curate)}  # fmt: skip
    export = await auditor.export(run, "professional_internal", **low)
    files = await auditor.files(export["id"], **low)
    assert "Hidden" not in told(files)
    artifact = (await executor.one("Artifact", source_key="secret"))["id"]
    assert artifact not in told(files)
    with pytest.raises(RecordMissing):
        await auditor.files(cleared["id"], **low)


async def test_what_becomes_stricter_later_takes_its_export_along(executor: Executor, auditor: Auditor) -> None:
    run = await run_of(executor)
    made = {"artifact_key": "o", "artifact_kind": "document", **step("m")}
    other = Story({"source": "exec", "key": "other"}).tell("artifact_produced", **made).events
    uses = {**Story().tell("artifact_consumed", item={"key": "o"}, **step("m")).events[0], "event_id": "uses"}
    secret = Story({"source": "exec", "key": "s"}, {**POLICY, "data_class": "privileged"})
    secret.tell("artifact_produced", artifact_key="secret", artifact_kind="document", **step("m"))
    for events in (other, [uses], secret.events):
        await executor.report(events)
    await auditor.export(run, "professional_internal")
    assert (await executor.one("AuditExport"))["data_class"] == "internal"
    again = {**other[0], "event_id": "again", "derived_from": [{"key": "secret"}]}
    assert await executor.told([again]) == ["accepted"]
    assert (await executor.one("AuditExport"))["data_class"] == "privileged"


async def test_what_is_local_only_is_never_exported(executor: Executor, auditor: Auditor) -> None:
    run = await run_of(executor, capture_prompts="full_local_only")
    files = await auditor.exported(run, "full_local_audit")
    assert "ref://p" not in told(files)
    assert manifest(files)["left_out"]["records"]["local_only"] == 1
    assert "local_only_records_left_out" in manifest(files)["reason_codes"]


async def test_a_run_that_is_local_only_is_blocked_and_that_is_stored(executor: Executor, auditor: Auditor) -> None:
    run = await run_of(executor, data_class="local_only")
    result = await auditor.export(run, "summary_only")
    stored = await executor.one("AuditExport")
    assert (stored["decision"], stored["reason_codes"], stored["data_class"]) == (
        "blocked", ["run_is_local_only"], "local_only",
    )  # fmt: skip
    assert not (auditor.home / "audits").exists()
    with pytest.raises(NoFiles):
        await auditor.files(result["id"])


async def test_the_full_audit_is_for_administrators(executor: Executor, auditor: Auditor) -> None:
    run = await run_of(executor)
    result = await auditor.export(run, "full_local_audit", scopes=(KeyScope.read, KeyScope.curate))
    assert (result["decision"], result["reason_codes"]) == ("blocked", ["full_local_audit_needs_admin"])
    with pytest.raises(NotAllowed):
        await auditor.export(run, "summary_only", scopes=(KeyScope.read,))


async def test_private_runs_export_what_they_left(executor: Executor, auditor: Auditor) -> None:
    run = await run_of(executor, memory_mode="full_ephemeral_test")
    words = told(await auditor.exported(run, "full_local_audit"))
    assert '"mail-1"' in words
    assert [one for one in ("Damages", "w@example.com", "intake") if one in words] == []


async def test_what_the_run_worked_from_is_listed_though_nobody_described_it(
    executor: Executor, auditor: Auditor
) -> None:
    run = await run_of(executor)
    document = (await executor.one("Entity", source_key="doc-1"))["id"]
    inside = orjson.loads((await auditor.exported(run, "professional_internal"))["input_output_artifact_manifest.json"])
    [listed] = [one for one in inside["records"] if one["id"] == document]
    assert (listed["name"], listed["source_key"], listed["stub"]) == ("Supply agreement", "doc-1", True)
    intake = (await executor.one("Activation", module_key="intake"))["id"]
    assert {"tail": intake, "type": "CONSUMED", "head": document} in inside["links"]
    outside = orjson.loads((await auditor.exported(run, "external_redacted"))["input_output_artifact_manifest.json"])
    [listed] = [one for one in outside["records"] if one["id"] == document]
    assert "name" not in listed
    assert {"tail": intake, "type": "CONSUMED", "head": document} in outside["links"]


async def test_an_export_is_as_closed_as_a_document_that_others_name_too(executor: Executor, auditor: Auditor) -> None:
    run = await run_of(executor)
    await auditor.export(run, "external_redacted")
    other = Story({"source": "exec", "key": "o"}, {**POLICY, "data_class": "privileged"})
    other.tell("artifact_consumed", item={"kind": "Entity", "source": "dms", "key": "doc-1"}, **step("m"))
    assert await executor.told(other.events) == ["accepted"]
    export = (await auditor.export(run, "professional_internal"))["id"]
    assert (await executor.one("AuditExport", id=export))["data_class"] == "privileged"
    assert (await executor.one("Entity", source_key="doc-1"))["data_class"] == "privileged"
    assert (await executor.one("Entity", source_key="marex"))["data_class"] == "internal", "an export names nothing"
    low: dict[str, Any] = {"clearance": DataClass.internal, "principal_id": "low", "matters": []}
    with pytest.raises(RecordMissing):
        await auditor.files(export, **low)


async def _designed(auditor: Auditor, first: str, *later: str) -> None:
    """The task of the run, with a graph of two modules and a cable, a blueprint, and graphs that it had later."""
    viewer = await viewer_of(auditor.database)
    commands = Commands(auditor.database, REGISTRY, lambda _new: None)
    records, library = Records(commands, hooks()), Library(commands)
    values = {"name": "Draft complaint", "source": "exec", "source_key": "draft-complaint"}
    task = RecordRef(id=(await records.save(viewer, "Task", values)).result["id"])
    for name in (first, *later):
        modules = [ModuleInput("intake", "step.agent_task", name=name), ModuleInput("draft", "step.agent_task")]
        await library.save_graph(viewer, task, GraphInput(modules, [CableInput("intake", "draft", "out", "in", "c1")]))
    steps = [PartInput({"step_key": "read", "purpose": "Read the exhibits."}, bound_modules=["intake"])]
    said = {"name": "Complaint", "business_or_personal_goal": "A sound complaint.", "task_type": "draft"}
    await library.save_blueprint(viewer, BlueprintInput(said, of=task, parts={"steps": steps}))


@pytest.mark.slow
async def test_graph_and_blueprint_are_those_of_the_task(executor: Executor, auditor: Auditor) -> None:
    run = await run_of(executor)
    missing = await auditor.exported(run, "professional_internal", "folder", "markdown")
    assert orjson.loads(missing["graph_snapshot.json"])["notes"] == ["graph_not_saved_here"]
    assert orjson.loads(missing["blueprint_snapshot.json"])["notes"] == ["blueprint_not_saved_here"]
    await _designed(auditor, "Source intake", "Later intake")
    await executor.database.run_alone(
        "MATCH (n:GraphSnapshot|Blueprint) SET n += {created_at: $at, updated_at: $at}", at="2025-01-01T00:00:00.000Z"
    )
    files = await auditor.exported(run, "professional_internal", "folder", "markdown")
    graph, blueprint = (orjson.loads(files[f"{name}_snapshot.json"]) for name in ("graph", "blueprint"))
    assert (graph["notes"], blueprint["notes"]) == ([], [])
    kinds = [one["kind"] for one in graph["records"]]
    assert kinds == ["GraphSnapshot", "Module", "Module"]
    assert {one.get("name") for one in graph["records"] if one["kind"] == "Module"} == {"Source intake", "draft"}
    [cable] = [one for one in graph["links"] if one["type"] == "CABLE"]
    assert cable["facts"] == {"cable_id": "c1", "from_port": "out", "to_port": "in"}
    assert [one["kind"] for one in blueprint["records"]] == ["Blueprint", "StepIntent"]
    assert blueprint["records"][0]["business_or_personal_goal"] == "A sound complaint."
    assert {one["type"] for one in blueprint["links"]} >= {"HAS_BLUEPRINT", "HAS_STEP"}
    assert "Read the exhibits." in files["report.md"].decode()
    outside = told(await auditor.exported(run, "external_redacted", "folder", "markdown"))
    assert [one for one in ("sound complaint", "Source intake", "Read the") if one in outside] == []


@pytest.mark.slow
async def test_a_graph_that_was_saved_later_says_so(executor: Executor, auditor: Auditor) -> None:
    run = await run_of(executor)
    await _designed(auditor, "Now")
    files = await auditor.exported(run, "professional_internal", "folder", "markdown")
    assert orjson.loads(files["graph_snapshot.json"])["notes"] == ["graph_saved_later"]
    assert orjson.loads(files["blueprint_snapshot.json"])["notes"] == ["blueprint_changed_since"]
    assert "saved after the run began" in files["report.md"].decode()


@pytest.mark.parametrize("profile", ["external_redacted", "professional_internal", "full_local_audit"])
async def test_the_page_reads_as_a_report_and_tells_each_record_once(
    executor: Executor, auditor: Auditor, profile: str
) -> None:
    run = await run_of(executor)
    files = await auditor.exported(run, profile, "folder", "markdown")
    page = files["report.md"].decode().replace("\\", "")
    shown = [orjson.loads(data) for name, data in files.items() if name.endswith(".json") and name != "manifest.json"]
    ids = {one["id"] for part in shown for one in part["records"]}
    assert {one: page.count(f"- Id: {one}\n") for one in ids} == dict.fromkeys(ids, 1)
    assert {one: page.count(one) for one in ids} == dict.fromkeys(ids, 1), "others are named by their captions"
    head = page.splitlines()
    assert head[0] == ("# Audit: a run" if profile == "external_redacted" else "# Audit: Draft complaint")
    assert head[2].startswith("Completed · 2026-01-01 10:00:00 UTC · ")
    assert head[2].endswith(" · $2.71")
    assert "## Steps" in head
    assert "- Cost: $0.70" in head
    assert "schema" not in page.lower()


async def test_bad_wishes_say_what_is_wrong(auditor: Auditor) -> None:
    for arguments, error in (
        (("summary_only", ["pdf_packet"], None), FormatUnavailable),
        (("everything", ["folder"], None), WordUnknown),
        (("summary_only", ["docx"], None), WordUnknown),
        (("summary_only", ["folder"], ["gossip"]), WordUnknown),
    ):
        with pytest.raises(error) as caught:
            read(*arguments)
        assert caught.value.field
        assert caught.value.remedy
    with pytest.raises(RecordMissing):
        await auditor.export("run_nowhere", "summary_only")


async def test_sections_can_be_chosen(executor: Executor, auditor: Auditor) -> None:
    files = await auditor.exported(
        await run_of(executor), "external_redacted", sections=["run_summary", "delivery_receipts", "raw_trace"]
    )
    assert set(files) == {"run_summary.json", "delivery_receipts.json", "manifest.json"}
    skipped = manifest(files)["left_out"]["sections"]
    assert (skipped["raw_trace"], skipped["policy_approvals"]) == ("profile", "not_wanted")


async def test_a_home_that_cannot_be_written_leaves_no_record(executor: Executor, auditor: Auditor) -> None:
    auditor.home.write_text("not a directory")
    with pytest.raises(NotWritten):
        await auditor.export(await run_of(executor), "summary_only")
    assert await executor.count("AuditExport") == 0


async def test_files_follow_the_graph_though_a_process_died_before(executor: Executor, auditor: Auditor) -> None:
    """It died between the commit of an erasure, or of an export, and the files. What the graph does not know stays."""
    records = Records(Commands(executor.database, REGISTRY, lambda _new: None), hooks())
    run, shelf = await run_of(executor), Shelf(auditor.home)
    erased, written, kept = [(await auditor.export(run, "summary_only", "zip"))["id"] for _ in range(3)]
    admin, audits = await viewer_of(executor.database), auditor.home / "audits"
    await records.erase(admin, RecordRef(id=erased), "wish")
    (audits / written).rename(audits / f".{written}.part")
    os.utime(audits / f".{written}.part", (0, 0))
    (audits / "aud_elsewhere").mkdir()
    assert erased in shelf.listed()
    await tidy(executor.database, shelf)
    assert shelf.listed() == {written, kept, "aud_elsewhere"}
    assert "manifest.json" in await auditor.files(written)


@pytest.mark.slow
async def test_the_same_command_again_writes_nothing_new(executor: Executor, auditor: Auditor) -> None:
    run, viewer = await run_of(executor), await viewer_of(executor.database)
    schema = build_schema(fields=[Fields(mutations=(AuditMutation,))])
    query = """mutation ($run: ID!) { exportAudit(run: {id: $run}, formats: [zip], commandId: "c") {
        replayed decision reasonCodes warnings { code } download record { redactionProfile } } }"""
    answers: list[dict[str, Any]] = []
    for _ in range(2):
        services: dict[type, Any] = {AuditExports: auditor.exports}
        context = Context(viewer, executor.database, "req", services, renew=lambda _anew: viewer_of(executor.database))
        answer = await schema.execute(query, variable_values={"run": run}, context_value=context)
        assert not answer.errors, answer.errors
        assert answer.data
        answers.append(answer.data["exportAudit"])
    first, second = answers
    assert (first.pop("replayed"), second.pop("replayed")) == (False, True)
    assert first == second
    assert first["record"] == {"redactionProfile": "external_redacted"}
    assert len(list((auditor.home / "audits").glob("*.zip"))) == 1


async def test_it_is_downloaded_by_whoever_may_see_it(executor: Executor, auditor: Auditor) -> None:
    export = (await auditor.export(await run_of(executor, data_class="privileged"), "professional_internal"))["id"]
    routes = Starlette(routes=audit_routes(auditor.exports))
    for viewer, status in (
        (await viewer_of(executor.database), 200),
        (await viewer_of(executor.database, clearance=DataClass.internal), 404),
        (await viewer_of(executor.database, scopes=(KeyScope.report,)), 403),
        (None, 401),
    ):
        transport = httpx.ASGITransport(As(routes, viewer))
        async with httpx.AsyncClient(transport=transport, base_url="http://tasklore") as client:
            answer = await client.get(f"/v1/audits/{export}")
            assert answer.status_code == status
            assert (await client.get("/v1/audits/aud_nowhere")).status_code in {404, 403, 401}
        if status == 200:
            with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
                assert orjson.loads(archive.read("manifest.json"))["export_id"] == export
    (auditor.home / "audits" / export).rename(auditor.home / "elsewhere")
    with pytest.raises(FilesMissing):
        await auditor.files(export)
