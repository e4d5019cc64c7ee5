"""`exportAudit`: one command, whose decision is stored whether it was allowed or not."""

import asyncio
from pathlib import Path
from typing import Any

from graph_schema.memory.audit import AuditFormat
from graph_schema.memory.words import DecisionKind, PolicyDecision
from graph_schema.model.fields import DataClass
from service.access.audience import Access
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.errors import NotAllowed, RecordMissing
from service.commands.work import State
from service.graph.database import Database
from service.memory.audit import bundle as bundles
from service.memory.audit import cypher, rules
from service.memory.audit.bundle import MANIFEST, Bundle, zipped
from service.memory.audit.errors import NoFiles
from service.memory.audit.files import FOLDER, Shelf, Staged
from service.memory.audit.load import Story, is_classed, load

COMPLETED = "task.audit_export.completed"


class AuditExports:
    def __init__(self, commands: Commands, database: Database, home: Path) -> None:
        self._commands = commands
        self._database = database
        self._shelf = Shelf(home)

    async def export(
        self, viewer: Viewer, run: RecordRef, wish: rules.Wish, *, command_id: str | None = None
    ) -> Outcome:
        """Write what the viewer may see of a run, as far as the profile lets it, and store the decision."""
        run.check("run", "Run")
        content = {"run": str(run), "profile": wish.profile, "formats": wish.formats, "sections": wish.sections}
        request = Request("exportAudit", KeyScope.curate, content, reads=[run], command_id=command_id)
        plan = _Export(run, wish, self._shelf)
        try:
            outcome = await self._commands.execute(viewer, request, plan)
        except BaseException:
            await plan.forget()
            raise
        if outcome.replayed:
            await plan.forget()
        elif plan.staged is not None:
            await asyncio.to_thread(plan.staged.publish)
        return outcome

    async def files(self, viewer: Viewer, export_id: str) -> dict[str, bytes]:
        """The files of an export that the viewer may see."""
        if KeyScope.read not in viewer.scopes:
            raise NotAllowed(KeyScope.read, viewer.scopes)
        found = await self._database.read_one(cypher.EXPORT, id=export_id, audiences=list(viewer.audiences))
        if found is None:
            raise RecordMissing(export_id, "id")
        export: dict[str, Any] = found["export"]
        if export["decision"] == PolicyDecision.blocked:
            raise NoFiles(export_id)
        return await asyncio.to_thread(self._shelf.files, export["id"])

    async def archive(self, viewer: Viewer, export_id: str) -> bytes:
        """The same as one zip."""
        return await asyncio.to_thread(zipped, await self.files(viewer, export_id))


class _Export:
    """The plan of the command; carried out again when its transaction is retried."""

    def __init__(self, ref: RecordRef, wish: rules.Wish, shelf: Shelf) -> None:
        self._ref = ref
        self._wish = wish
        self._shelf = shelf
        self.staged: Staged | None = None

    async def forget(self) -> None:
        if self.staged is not None:
            await asyncio.to_thread(self.staged.discard)
            self.staged = None

    async def __call__(self, work: Work) -> dict[str, Any]:
        await self.forget()
        run = work.existing(self._ref, "run", ("Run",))
        refused = rules.refusal(work.viewer, run.properties["data_class"], self._wish.profile)
        if refused is not None:
            return _result(self._stored(work, run, [run], decision=PolicyDecision.blocked, reason_codes=[refused]))
        story = await load(work.transaction, work.registry, work.viewer, run)
        bundle = await asyncio.to_thread(
            bundles.make, work.registry, story, self._wish.profile, self._wish.formats, self._wish.sections
        )
        return _result(await self._written(work, story, bundle))

    async def _written(self, work: Work, story: Story, bundle: Bundle) -> State:
        decision, reasons = rules.decided(bundle.left_out)
        told = {
            "included_sections": list(bundle.sections),
            "content_hash": bundle.content_hash,
            "size_bytes": bundle.size,
            "finding_codes": sorted({one.code.value for one in bundle.found}),
            "warnings": rules.warnings(self._wish.profile),
        }
        sources = _sources(story)
        export = self._stored(work, story.run, sources, decision=decision, reason_codes=reasons, **told)
        head = _head(export, story.run)
        files = {**bundle.files, MANIFEST: bundle.manifest(head)}
        as_zip = AuditFormat.zip in self._wish.formats
        self.staged = await asyncio.to_thread(self._shelf.stage, export.id, files, as_zip=as_zip)
        work.event(COMPLETED, export, other=story.run.id)
        return export

    def _stored(self, work: Work, run: State, sources: list[State], **told: Any) -> State:
        # What is only named so far hands nothing on: the export is closed as it is by itself.
        named = Access().joined(*(Access.of(one.properties) for one in sources if one.is_unplaced))
        values = {
            "name": f"Audit of a run, {self._wish.profile}",
            "data_class": named.data_class,
            "matter_ids": sorted(named.matter_ids),
            "run_id": run.id,
            "redaction_profile": self._wish.profile,
            "output_formats": list(self._wish.formats),
            "decision_kind": DecisionKind.file_write,
            "policy_generation_id": rules.GENERATION,
            "exported_by": work.viewer.principal_id,
            "exported_at": work.at,
            **told,
        }
        export = work.create(work.registry.types["AuditExport"], values, sources)
        if told["decision"] != PolicyDecision.blocked:
            export.properties["export_ref"] = f"{FOLDER}/{export.id}"  # its id is known only now
        for source in sources:
            work.link(export, "COVERS", source)
        return export


def _sources(story: Story) -> list[State]:
    """The run, and whatever else is told that is not a part of it, or that fewer people see: its access is theirs."""
    run = story.run.properties
    others = [
        one
        for one in sorted(story.records.values(), key=lambda one: one.id)
        if (one.properties.get("run_id", run["id"] if one is story.run else None), one.properties["audience"])
        != (run["id"], run["audience"])
    ]
    return [story.run, *(one for one in others if _can_be_told(one))]


def _can_be_told(state: State) -> bool:
    return state.properties["data_class"] != DataClass.local_only and is_classed(state)


def _head(export: State, run: State) -> dict[str, Any]:
    values = export.properties
    names = ("id", "exported_at", "decision", "reason_codes", "policy_generation_id", "data_class", "matter_ids")
    head = {name: values[name] for name in names}
    return {"export_id": head.pop("id"), "run_id": run.id, "warnings": values.get("warnings", []), **head}


def _result(export: State) -> dict[str, Any]:
    values = export.properties
    return {"id": export.id, "version": export.version, "decision": values["decision"],
            "reason_codes": values["reason_codes"], "warnings": values.get("warnings", [])}  # fmt: skip
