"""The commands of the library. Each is one transaction, once, with an event."""

from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from typing import Any

from graph_schema.model.registry import Registry
from graph_schema.registry import REGISTRY
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.approval import approval_required
from service.library.after_save import follow_blueprint, follow_graph
from service.library.blueprint_saving import SaveBlueprint
from service.library.blueprints import BlueprintInput
from service.library.capabilities import StateReport
from service.library.errors import BlueprintGraphMismatch, OwnerUnsaved
from service.library.graphs import GraphInput, canonical, graph_hash
from service.library.profile import refresh_profiles
from service.library.reuse import check_reuse
from service.library.segment_saving import SaveSegment, SegmentInput
from service.library.snapshots import plan_graph, with_extra
from service.library.ties import NO_TIES, Ties, tie_graphs
from service.records import Hooks, rules
from service.records.lifecycle import is_guarded


class Library:
    def __init__(self, commands: Commands, registry: Registry = REGISTRY, hooks: Hooks | None = None) -> None:
        self._commands = commands
        self._hooks = hooks or Hooks()
        self._registry = registry

    async def save_graph(
        self,
        viewer: Viewer,
        of: RecordRef,
        graph: GraphInput,
        ties: Ties = NO_TIES,
        *,
        searched: RecordRef | None = None,
        command_id: str | None = None,
    ) -> Outcome:
        """Make this the graph of a task or template. The one before stays reachable; the same again is the same.

        `searched`: the kept match that says that nothing could be reused. A new graph of an agent needs one.
        """
        of.check("of", "Task", "Template")
        reads = [*ties.refs(), *([searched] if searched else [])]
        for ref in reads:
            ref.check("graph")
        whole = canonical(graph)

        async def plan(work: Work) -> dict[str, Any]:
            owner = work.existing(of, "of", ["Task", "Template"])
            if owner.properties.get("stub"):
                raise OwnerUnsaved(of)
            if is_guarded(viewer, owner):
                raise approval_required(owner.type.label)("graph")
            for check in self._hooks.on_graph:
                await check(work, owner, graph_hash(whole))
            saved = await plan_graph(work, owner, await with_extra(work, owner, whole))
            graphs = [saved, *await follow_graph(work, saved)]
            unbound = await tie_graphs(work, graphs, ties)
            warnings = await check_reuse(work, saved, searched)
            if unbound:
                # Whoever removes a module must not be stuck: the binding goes with it, and they are told.
                warnings.append(BlueprintGraphMismatch.code)
            await refresh_profiles(work, graphs)
            return {
                "warnings": warnings,
                "id": saved.snapshot.id,
                "version": saved.snapshot.version,
                "owner": owner.id,
                "graph_hash": saved.snapshot.properties["graph_hash"],
                "changed": saved.changed,
            }

        told = {"ties": content_of(ties), "searched": content_of(searched)} if reads else {}
        content = {"of": str(of), "graph": asdict(whole), **told}
        request = Request("saveGraph", KeyScope.curate, content, reads=reads, changes=[of], command_id=command_id)
        return await self._commands.execute(viewer, request, plan)

    async def save_blueprint(self, viewer: Viewer, asked: BlueprintInput, *, command_id: str | None = None) -> Outcome:
        """Save a blueprint with its parts, needs and goals, and keep how it differs from what it was."""
        kind = self._registry.types["Blueprint"]
        rules.check_fields(kind, asked.values)
        rules.check_access(viewer, asked.values)
        own = rules.own_ref(kind, asked.record_id, asked.values)
        matters = [RecordRef(id=one) for one in asked.values.get("matter_ids") or ()]
        for ref in asked.refs():
            ref.check("ref")
        changes = [one for one in (own, asked.of) if one is not None]
        if asked.of is not None:
            asked.of.check("of", "Task", "Template")
        save = SaveBlueprint(asked, own)

        async def plan(work: Work) -> dict[str, Any]:
            rules.check_matters(work, asked.values)
            saved = await save(work)
            owner = work.find(asked.of, "of") if asked.of else None
            if owner is not None:
                await follow_blueprint(work, owner, saved["id"], saved["blueprint_hash"])
            return saved

        reads = list({str(one): one for one in [*matters, *asked.refs()]}.values())
        request = Request(
            "saveBlueprint",
            KeyScope.curate,
            content_of(asked),
            reads=reads,
            changes=changes,
            names=rules.given_names(asked.values),
            command_id=command_id,
        )
        return await self._commands.execute(viewer, request, plan)

    async def save_segment(self, viewer: Viewer, asked: SegmentInput, *, command_id: str | None = None) -> Outcome:
        """Save chosen modules of a graph as a segment; its ports and its shape are derived."""
        kind = self._registry.types["Segment"]
        rules.check_fields(kind, asked.values)
        rules.check_access(viewer, asked.values)
        own = rules.own_ref(kind, asked.record_id, asked.values)
        matters = [RecordRef(id=one) for one in asked.values.get("matter_ids") or ()]
        if asked.source is not None:
            asked.source.check("from")
            matters.append(asked.source)
        save = SaveSegment(asked, own)

        async def plan(work: Work) -> dict[str, Any]:
            rules.check_matters(work, asked.values)
            return await save(work)

        request = Request(
            "saveSegment",
            KeyScope.curate,
            content_of(asked),
            reads=matters,
            changes=[own] if own else [],
            names=rules.given_names(asked.values),
            command_id=command_id,
        )
        return await self._commands.execute(viewer, request, plan)

    async def report_capability_state(
        self, viewer: Viewer, capability: RecordRef, told: StateReport, *, command_id: str | None = None
    ) -> Outcome:
        """Keep whether a capability can be used. What is older than what is known changes nothing."""
        capability.check("capability", "Capability")

        async def plan(work: Work) -> dict[str, Any]:
            record = work.existing(capability, "capability", ["Capability"])
            newer = told.is_newer(record.properties)
            values = {**told.values(), "state_reported_by": viewer.principal_id}
            after = work.update(record, values, event="capability.state_reported") if newer else record
            return {"id": after.id, "version": after.version, "changed": after.version != record.version}

        content = {"capability": str(capability), **told.values()}
        request = Request(
            "reportCapabilityState", KeyScope.report, content, changes=[capability], command_id=command_id
        )
        return await self._commands.execute(viewer, request, plan)


def content_of(asked: Any) -> Any:
    """All that makes a command this one and no other."""
    if isinstance(asked, RecordRef):
        return str(asked)
    if is_dataclass(asked):
        return {one.name: content_of(getattr(asked, one.name)) for one in fields(asked)}
    if isinstance(asked, Mapping):
        return {str(name): content_of(one) for name, one in asked.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(asked, list | tuple):
        return [content_of(one) for one in asked]  # pyright: ignore[reportUnknownVariableType]
    return asked
