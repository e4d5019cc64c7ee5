"""A library intent, made in the transaction of whatever asks for it."""

from typing import Any

from graph_schema.memory.policies import IngestionReason, LibrarySourceClass
from graph_schema.memory.words import OutputClass
from graph_schema.model.registry import Registry
from service.commands import RecordRef, Work
from service.commands.work import State
from service.memory.promotion.errors import LibraryMissing

_CLASSES = {
    OutputClass.downloaded_document: LibrarySourceClass.downloaded_document,
    OutputClass.received_attachment: LibrarySourceClass.received_document,
    OutputClass.received_message: LibrarySourceClass.received_document,
}


def make_intent(  # noqa: PLR0917 - what an intent is about
    work: Work,
    registry: Registry,
    artifact: State,
    run: dict[str, Any],
    library: RecordRef,
    reason: IngestionReason,
    **more: Any,
) -> State:
    """That this artifact is to become part of this library, processed as a document first unless it was already."""
    target = work.find(library, "library", ["Entity"])
    if target is None or target.properties.get("kind") != "library":
        raise LibraryMissing
    held = artifact.properties
    processed = held.get("document_ingestion_ref")
    values = {
        "name": f"{held['name']} for {target.properties['name']}"[:200],
        "data_class": "public",
        "source_class": _CLASSES.get(held.get("output_class", ""), LibrarySourceClass.task_output).value,
        "task_key": run.get("task_key"),
        "run_id": run["id"],
        "artifact_id": artifact.id,
        "source_artifact_ref": held.get("storage_ref"),
        "ingestion_reason": reason.value,
        "document_ingestion_required": processed is None,
        "document_ingestion_ref": processed,
        "requested_by": work.viewer.principal_id,
        **more,
    }
    given = {name: one for name, one in values.items() if one is not None}
    intent = work.create(registry.types["LibraryIntent"], given, [artifact])
    work.link(intent, "INTENDS", artifact)
    work.link(intent, "FOR_LIBRARY", target)
    return intent
