"""What is meant for a library: asking for it, and recording what came of it."""

from dataclasses import dataclass
from typing import Any

from graph_schema.memory.policies import IngestionReason, IngestionStatus
from graph_schema.memory.words import IntakeLevel
from graph_schema.model.registry import Registry
from graph_schema.registry import REGISTRY
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.errors import InputInvalid, RecordMissing
from service.commands.work import State
from service.memory.promotion import cypher
from service.memory.promotion.errors import AlreadySettled, IntakeTooLow, LibraryMissing, ProcessingMissing, RunNotKnown
from service.memory.promotion.intent import make_intent
from service.memory.promotion.rules import check_allowed, stamped

_SETTLED = frozenset({IngestionStatus.ingested, IngestionStatus.failed, IngestionStatus.cancelled})


@dataclass(frozen=True, slots=True)
class Asked:
    """What an intent says beside artifact and library."""

    reason: IngestionReason = IngestionReason.user_requested
    library_extraction_profile_ref: str | None = None
    policy_snapshot_ref: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """What came of an intent."""

    status: IngestionStatus
    document_ingestion_ref: str | None = None
    library_ref: str | None = None
    receipt_ref: str | None = None
    failure_code: str | None = None
    note: str | None = None

    def values(self) -> dict[str, Any]:
        found = {name: getattr(self, name) for name in self.__slots__}
        return {name: str(one) for name, one in found.items() if one is not None}


class LibraryIntents:
    def __init__(self, commands: Commands, registry: Registry = REGISTRY) -> None:
        self._commands = commands
        self._registry = registry

    async def create(
        self, viewer: Viewer, artifact: RecordRef, library: RecordRef, asked: Asked, *, command_id: str | None = None
    ) -> Outcome:
        """Ask that an artifact whose level leads into a library becomes part of this one."""
        artifact.check("artifact", "Artifact")
        library.check("library", "Entity")
        content = {"artifact": str(artifact), "library": str(library), **_told(asked)}
        request = Request(
            "createLibraryIntent", KeyScope.curate, content, reads=[library], changes=[artifact], command_id=command_id
        )

        async def plan(work: Work) -> dict[str, Any]:
            held = work.existing(artifact, "artifact", ["Artifact"])
            run = await _run_of(work, held)
            check_allowed(run, held)
            if held.properties["intake_level"] != IntakeLevel.doc73_library_ingestion:
                raise IntakeTooLow(held.id, held.properties["intake_level"])
            more = {name: one for name, one in _told(asked).items() if name != "reason"}
            intent = make_intent(work, self._registry, held, run, library, asked.reason, **more)
            return {"id": intent.id, "version": intent.version}

        return await self._commands.execute(viewer, request, plan)

    async def record(
        self, viewer: Viewer, intent: RecordRef, receipt: Receipt, *, command_id: str | None = None
    ) -> Outcome:
        """Record what came of an intent. The first outcome stands; the same told again changes nothing."""
        intent.check("intent", "LibraryIntent")
        if receipt.status is IngestionStatus.failed and receipt.failure_code is None:
            raise InputInvalid("failureCode", "a failure has a code")
        content = {"intent": str(intent), **receipt.values()}
        request = Request("recordLibraryReceipt", KeyScope.report, content, changes=[intent], command_id=command_id)

        async def plan(work: Work) -> dict[str, Any]:
            held = work.existing(intent, "intent", ["LibraryIntent"])
            _check_receipt(held, receipt)
            values = receipt.values()
            if receipt.status in _SETTLED:
                values["settled_at"] = held.properties.get("settled_at") or work.at
            after = work.update(held, values)
            if receipt.status is IngestionStatus.ingested:
                await _tell_artifact(work, after)
            return {"id": after.id, "version": after.version}

        return await self._commands.execute(viewer, request, plan)


def _told(asked: Asked) -> dict[str, str]:
    found = {name: getattr(asked, name) for name in asked.__slots__}
    return {name: str(one) for name, one in found.items() if one is not None}


async def _run_of(work: Work, artifact: State) -> dict[str, Any]:
    run_id = artifact.properties.get("run_id")
    row = await work.transaction.one(cypher.RUN_OF_ARTIFACT, id=run_id, audiences=work.viewer.audiences)
    if row is None:
        raise RunNotKnown(artifact.id)
    return row["properties"]


def _check_receipt(intent: State, receipt: Receipt) -> None:
    held = IngestionStatus(intent.properties["status"])
    if held in _SETTLED and held is not receipt.status:
        raise AlreadySettled(intent.id, held, receipt.status)
    if receipt.status is not IngestionStatus.ingested:
        return
    processed = receipt.document_ingestion_ref or intent.properties.get("document_ingestion_ref")
    if intent.properties["document_ingestion_required"] and processed is None:
        raise ProcessingMissing(intent.id)
    if (receipt.library_ref or intent.properties.get("library_ref")) is None:
        raise LibraryMissing


async def _tell_artifact(work: Work, intent: State) -> None:
    """The artifact learns what it is called where it went."""
    row = await work.transaction.one(
        cypher.LOCK_ARTIFACT, id=intent.properties["artifact_id"], audiences=work.viewer.audiences
    )
    if row is None:
        raise RecordMissing(intent.properties["artifact_id"], "intent")
    artifact = State(work.registry.types["Artifact"], tuple(row["labels"]), row["properties"])
    told = {
        name: intent.properties[name] for name in ("document_ingestion_ref", "library_ref") if name in intent.properties
    }
    work.update(artifact, stamped(artifact, told, work.at, intent.id), event="task.artifact.index.updated")
