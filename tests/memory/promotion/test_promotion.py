"""Promotion: who decided what, where it leads, and what stands afterwards."""

from typing import Any

import pytest

from graph_schema.memory.policies import IngestionStatus
from graph_schema.memory.words import Endpoint, IntakeLevel
from graph_schema.model.fields import DataClass
from service.commands import RecordRef
from service.errors import TaskloreError
from service.memory.intents import Asked, Receipt
from service.memory.promotion import Wish
from tests.memory.conftest import Executor
from tests.memory.desk import Desk, desk_of, made, produced
from tests.memory.stories import POLICY
from tests.viewers import viewer_of

WORK_PRODUCT = IntakeLevel.doc25_work_product_ingestion
LIBRARY = IntakeLevel.doc73_library_ingestion
DOCUMENT = IntakeLevel.doc25_document_ingestion


@pytest.fixture
def desk(executor: Executor) -> Desk:
    return desk_of(executor.database)


async def _refused(code: str, work: Any) -> TaskloreError:
    with pytest.raises(TaskloreError) as refused:
        await work
    assert refused.value.code == code
    assert refused.value.remedy
    return refused.value


async def test_a_promotion_leaves_a_receipt_and_a_work_product(executor: Executor, desk: Desk) -> None:
    artifact = await made(executor, "a", name="Brief", storage_ref="ref://a")
    first = await desk.promote(artifact["id"], WORK_PRODUCT, reason="Good", command_id="c1")
    again = await desk.promote(artifact["id"], WORK_PRODUCT, reason="Good", command_id="c1")
    assert (again.replayed, again.result) == (True, first.result)
    receipt = await executor.one("IntakeReceipt")
    assert (receipt["from_level"], receipt["to_level"], receipt["rule"]) == (
        "run_only", WORK_PRODUCT, "recommended_default",
    )  # fmt: skip
    assert (receipt["decided_by"], receipt["policy_decision"], receipt["outcome"]) == (
        "prin_admin", "allowed", "promoted",
    )  # fmt: skip
    rows = await executor.database.read(
        "MATCH (r:IntakeReceipt)-[:DECIDES]->(a:Artifact)-[:BECAME]->(w:WorkProduct)<-[:LED_TO]-(r) "
        "RETURN a.endpoint AS endpoint, a.artifact_state AS state, w.name AS name, w.storage_ref AS ref"
    )
    assert rows == [{"endpoint": "doc72_work_product", "state": "promoted", "name": "Brief", "ref": "ref://a"}]
    kinds = await executor.database.read("MATCH (e:Event) WHERE e.about = $id RETURN e.kind AS kind", id=artifact["id"])
    assert {row["kind"] for row in kinds} == {"task.artifact.index.updated", "task.artifact.promotion.requested"}


async def test_what_was_decided_stands_whatever_is_reported_later(executor: Executor, desk: Desk) -> None:
    artifact = await made(executor, "a", output_class="final_output")
    await desk.promote(artifact["id"], WORK_PRODUCT)
    late = {**produced("a", task_level="no_capture"), "event_id": "late", "occurred_at": "2026-01-02T00:00:00.000Z"}
    assert await executor.told([late]) == ["accepted"]
    found = await executor.one("Artifact", source_key="a")
    assert (found["intake_level"], found["review_required"]) == (WORK_PRODUCT, False)


async def test_versions_of_a_work_product_follow_each_other(executor: Executor, desk: Desk) -> None:
    one, two = await made(executor, "a"), await made(executor, "b")
    first = (await desk.promote(one["id"], WORK_PRODUCT)).result["work_product"]
    await desk.promote(two["id"], WORK_PRODUCT, previous_work_product=RecordRef(id=first), work_product_name="Second")
    rows = await executor.database.read("MATCH (w:WorkProduct)-[:PREVIOUS]->(v) RETURN w.name AS new, v.id AS old")
    assert rows == [{"new": "Second", "old": first}]


async def test_the_runs_policy_decides_whether_it_may_be(executor: Executor, desk: Desk) -> None:
    private = await made(executor, "a", "memory_incognito")
    assert (await desk.promote(private["id"], IntakeLevel.doc72_reference)).result["outcome"] == "promoted"
    await executor.database.run_alone("MATCH (r:Run) SET r.user_can_retroactively_promote = false")
    await _refused("validation.incognito_blocks_requested_memory", desk.promote(private["id"], WORK_PRODUCT))


async def test_where_it_leads_has_to_be_said(executor: Executor, desk: Desk) -> None:
    artifact = (await made(executor))["id"]
    await _refused("validation.artifact_policy_endpoint_ambiguous", desk.promote(artifact, DOCUMENT))
    await _refused("invalid_input", desk.promote(artifact, DOCUMENT, endpoint=Endpoint.doc73_library_member))
    await _refused("invalid_input", desk.promote(artifact, DOCUMENT, endpoint=Endpoint.user_file_location))
    await _refused("validation.doc73_library_missing", desk.promote(artifact, LIBRARY))
    person = RecordRef(id=await desk.library("person"))
    await _refused("validation.doc73_library_missing", desk.promote(artifact, LIBRARY, library=person))
    await desk.promote(artifact, DOCUMENT, endpoint=Endpoint.user_file_location, destination="/briefs/a.md")
    assert (await executor.one("IntakeReceipt"))["destination"] == "/briefs/a.md"
    await _refused("not_a_promotion", desk.promote(artifact, DOCUMENT, endpoint=Endpoint.doc72_document_node))


async def test_above_a_level_a_person_approves_or_rejects(executor: Executor, desk: Desk) -> None:
    asking = await desk.policy(user_review_required_above_level="doc72_reference")
    one, two = await made(executor, "a"), await made(executor, "b")
    for artifact in (one, two):
        assert (await desk.promote(artifact["id"], DOCUMENT, endpoint=Endpoint.doc72_document_node)).result[
            "outcome"
        ] == "requested"
    waiting = await executor.one("Artifact", source_key="a")
    assert (waiting["intake_level"], waiting["suggested_level"]) == ("run_only", DOCUMENT)
    assert (waiting["review_required"], waiting["suggested_by_id"]) == (True, asking)
    await desk.review(one["id"], approve=True)
    await desk.review(two["id"], approve=False, reason="No")
    approved, rejected = await executor.one("Artifact", source_key="a"), await executor.one("Artifact", source_key="b")
    assert (approved["intake_level"], approved["endpoint"]) == (DOCUMENT, "doc72_document_node")
    assert (rejected["intake_level"], rejected["review_required"]) == ("run_only", False)
    rows = await executor.database.read("MATCH (r:IntakeReceipt) RETURN r.outcome AS outcome, r.policy_id AS policy")
    assert sorted(row["outcome"] for row in rows) == ["approved", "rejected", "requested", "requested"]
    assert {row["policy"] for row in rows} == {asking}
    await _refused("nothing_to_review", desk.review(two["id"], approve=True))


async def test_what_is_hidden_is_not_there(executor: Executor, desk: Desk) -> None:
    artifact = await made(executor)
    await executor.database.run_alone("MATCH (a:Artifact) SET a.audience = 'privileged|', a.data_class = 'privileged'")
    clerk = await viewer_of(executor.database, clearance=DataClass.internal)
    refused = await _refused(
        "not_found", desk.promotions.promote(clerk, RecordRef(id=artifact["id"]), Wish(level=WORK_PRODUCT))
    )
    assert refused.message == f"There is no record {artifact['id']} that you can see."


async def test_a_library_intent_and_its_receipt(executor: Executor, desk: Desk) -> None:
    library = RecordRef(id=await desk.library())
    artifact = await made(executor, "a", output_class="downloaded_document", storage_ref="ref://a")
    ref = RecordRef(id=artifact["id"])
    viewer = await viewer_of(executor.database)
    await _refused("promotion_needed", desk.intents.create(viewer, ref, library, Asked()))
    promoted = await desk.promote(artifact["id"], LIBRARY, library=library)
    intent = await executor.one("LibraryIntent")
    assert promoted.result["library_intent"] == intent["id"]
    assert (intent["source_class"], intent["status"], intent["document_ingestion_required"]) == (
        "downloaded_document", "pending", True,
    )  # fmt: skip
    assert (intent["source_artifact_ref"], intent["run_id"]) == ("ref://a", artifact["run_id"])
    viewer, named = await viewer_of(executor.database), RecordRef(id=intent["id"])
    ingested = Receipt(IngestionStatus.ingested, library_ref="lib/7")
    await _refused("validation.doc25_required_but_unavailable", desk.intents.record(viewer, named, ingested))
    whole = Receipt(IngestionStatus.ingested, "doc25/3", "lib/7", "ref://receipt")
    await desk.intents.record(viewer, named, whole)
    await desk.intents.record(viewer, named, whole)
    found = await executor.one("Artifact", source_key="a")
    assert (found["document_ingestion_ref"], found["library_ref"]) == ("doc25/3", "lib/7")
    failed = Receipt(IngestionStatus.failed, failure_code="x")
    await _refused("receipt_conflict", desk.intents.record(viewer, named, failed))
    await _refused("invalid_input", desk.intents.record(viewer, named, Receipt(IngestionStatus.failed)))
    second = await desk.intents.create(viewer, ref, library, Asked(note="Again"))
    assert (await executor.one("LibraryIntent", id=second.result["id"]))["document_ingestion_required"] is False


async def test_full_capture_needs_the_clearance_for_it(executor: Executor) -> None:
    for name in ("capture_prompts", "capture_outputs"):
        event = {**produced(), "run": {"source": "x", "key": name}, "event_id": name}
        event["policy"] = {**POLICY, name: "full_local_only"}
        assert await executor.told([event], clearance=DataClass.privileged) == ["class_not_allowed"]
    assert await executor.count("Run") == 0
