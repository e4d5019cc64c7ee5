"""Compiling a pack, putting one into use, and noting that the one in use is behind. Each is one command."""

from typing import Any

from graph_schema.knowledge.words import PackState
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.work import State
from service.graph.database import Database
from service.knowledge.errors import PackNotUsable
from service.knowledge.pack import cypher
from service.knowledge.pack.compiling import Compiled, compiled
from service.knowledge.pack.drift import DriftSeverity
from service.knowledge.pack.load import sources_of
from service.knowledge.pack.read import KnowledgePacks

STAGED, ACTIVATED = "task.knowledge_pack.staged", "task.knowledge_pack.activated"
STALE, DRIFTED = "task.knowledge_pack.stale", "task.knowledge_pack.drift_detected"
Values = dict[str, Any]


class KnowledgeCompiler:
    def __init__(self, commands: Commands, database: Database, packs: KnowledgePacks) -> None:
        self._commands = commands
        self._database = database
        self._packs = packs

    async def compile(self, viewer: Viewer, *, activate: bool = False, command_id: str | None = None) -> Outcome:
        """Make a pack from what there is now. The same sources give the same pack: then nothing is made."""
        made = compiled(await sources_of(self._database, viewer))

        async def plan(work: Work) -> Values:
            same = [one["properties"] for one in await work.transaction.run(cypher.SAME_PACK, pack_hash=made.pack_hash)]
            if same:
                return await _again(work, _state(work, same[0]), activate=activate)
            return await _store(work, viewer, made, activate=activate)

        content = {"pack_hash": made.pack_hash, "activate": activate}
        request = Request("compileKnowledge", KeyScope.curate, content, command_id=command_id)
        return await self._commands.execute(viewer, request, plan)

    async def activate(self, viewer: Viewer, pack: RecordRef, *, command_id: str | None = None) -> Outcome:
        """Put a pack into use in the place of the one that is: a staged one, or one from before."""
        pack.check("pack", "KnowledgePack")

        async def plan(work: Work) -> Values:
            state = work.need(pack, "pack", ["KnowledgePack"])
            if state.properties["pack_state"] == PackState.rejected:
                raise PackNotUsable(state.id, state.properties["reason"])
            await _put_aside(work, state.id)
            after = _use(work, state)
            return {"id": after.id, "version": after.version, "changed": after.version != state.version}

        request = Request(
            "activateKnowledgePack", KeyScope.curate, {"pack": str(pack)}, changes=[pack], command_id=command_id
        )
        return await self._commands.execute(viewer, request, plan)

    async def check(self, viewer: Viewer, *, command_id: str | None = None) -> Outcome:
        """Note that the pack in use is behind what there is now, where it is."""
        status = await self._packs.status(viewer)
        behind = [one for one in status.drift if one.severity is not DriftSeverity.info]

        async def plan(work: Work) -> Values:
            in_use = [_state(work, one["properties"]) for one in await work.transaction.run(cypher.IN_USE)]
            named = [one for one in in_use if one.id == status.pack_id]
            if not behind or not named:
                return {"drift": len(status.drift), "stale": False}
            work.event(DRIFTED, named[0])
            if named[0].properties["pack_state"] == PackState.active:
                work.update(named[0], {"pack_state": PackState.stale.value}, event=STALE)
            return {"drift": len(status.drift), "stale": True, "id": named[0].id}

        content = {"pack": status.pack_id, "drift": [one.source_ref for one in behind]}
        request = Request("checkKnowledge", KeyScope.curate, content, command_id=command_id)
        return await self._commands.execute(viewer, request, plan)


async def _store(work: Work, viewer: Viewer, made: Compiled, *, activate: bool) -> Values:
    values = {**made.values(activate=activate), "compiled_at": work.at, "compiled_by": viewer.principal_id}
    used = values["pack_state"] == PackState.active
    prior = await _put_aside(work, None) if used else None
    pack = work.create(work.registry.types["KnowledgePack"], {**values, "prior_active_pack_id": prior})
    rows = await work.transaction.run(cypher.KNOWN_CARDS, hashes=[*made.cards], audiences=viewer.audiences)
    known = {row["hash"]: row["id"] for row in rows}
    kind = work.registry.types["KnowledgeCard"]
    for digest, card in made.cards.items():
        if digest in known:
            work.link_id(pack, "CONTAINS", known[digest])
        else:
            work.link(pack, "CONTAINS", work.create(kind, card.values(digest)))
    if values["pack_state"] != PackState.rejected:
        work.event(ACTIVATED if used else STAGED, pack)
    return {"id": pack.id, "version": pack.version, "changed": True}


async def _again(work: Work, pack: State, *, activate: bool) -> Values:
    """A pack that is there already: it is put into use where that was asked for and it may be."""
    usable = pack.properties["pack_state"] not in (PackState.rejected, PackState.active)
    if not activate or not usable:
        return {"id": pack.id, "version": pack.version, "changed": False}
    await _put_aside(work, pack.id)
    after = _use(work, pack)
    return {"id": after.id, "version": after.version, "changed": True}


async def _put_aside(work: Work, but: str | None) -> str | None:
    """Whatever is in use makes room; its id."""
    in_use = [_state(work, one["properties"]) for one in await work.transaction.run(cypher.IN_USE)]
    for one in in_use:
        if one.id != but:
            work.update(one, {"pack_state": PackState.deprecated.value})
    return next((one.id for one in in_use if one.id != but), None)


def _use(work: Work, pack: State) -> State:
    values = {"pack_state": PackState.active.value, "decision": "activated", "reason": "A person had it activated."}
    return work.update(pack, values, event=ACTIVATED)


def _state(work: Work, properties: Values) -> State:
    kind = work.registry.types["KnowledgePack"]
    return State(kind, tuple(kind.model.labels(properties)), properties)
