"""Compiling a pack, putting one into use, and noting that the one in use is behind. Each is one command."""

from collections.abc import Mapping
from typing import Any

from graph_schema.knowledge.words import PackState
from graph_schema.routing.agent import TASK_AGENT
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.work import State
from service.graph.database import Database, Row
from service.knowledge.errors import PackChangedMeanwhile, PackDrifted, PackNotUsable, PackRegressed
from service.knowledge.evaluation.suite import sample_suite
from service.knowledge.lookup.cypher import EDUCATION
from service.knowledge.pack import cypher
from service.knowledge.pack.cards import hashed
from service.knowledge.pack.compiling import Against, Compiled, compiled, ready_values
from service.knowledge.pack.drift import DriftSeverity, KnowledgeDrift
from service.knowledge.pack.load import sources_of
from service.knowledge.pack.read import KnowledgePacks, KnowledgeStatus
from service.library.graphs import GraphInput
from service.library.snapshots import plan_drafts

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
        in_use = await self._database.read_one(cypher.PACK, id=None, audiences=viewer.audiences)
        made = compiled(await sources_of(self._database, viewer))
        against = await self._against(viewer, made, in_use)
        contract = await self._contract(viewer)

        async def plan(work: Work) -> Values:
            if activate:
                await _check_unchanged(work, in_use["pack"]["id"] if in_use else None)
            same = [one["properties"] for one in await work.transaction.run(cypher.SAME_PACK, pack_hash=made.pack_hash)]
            if same:
                return await _again(work, _state(work, same[0]), made, against, activate=activate)
            values = {**made.values(activate=activate, against=against), "core_contract_ref": contract}
            return await _store(work, viewer, made, values)

        content = {"pack_hash": made.pack_hash, "activate": activate}
        request = Request("compileKnowledge", KeyScope.curate, content, command_id=command_id)
        return await self._commands.execute(viewer, request, plan)

    async def activate(self, viewer: Viewer, pack: RecordRef, *, command_id: str | None = None) -> Outcome:
        """Put a pack into use in the place of the one that is: a staged one, or one from before.

        What waited is held against what there is now, and against the pack in use, as when it was compiled. Going back
        is always possible: what is behind by then is told at once."""
        pack.check("pack", "KnowledgePack")
        status = await self._packs.status(viewer, pack.id)

        async def plan(work: Work) -> Values:
            state = work.existing(pack, "pack", ["KnowledgePack"])
            await _check_usable(work, state, status)
            await _put_aside(work, state.id)
            after = _use(work, state, status=status)
            return {"id": after.id, "version": after.version, "changed": after.version != state.version}

        request = Request(
            "activateKnowledgePack", KeyScope.curate, {"pack": str(pack)}, changes=[pack], command_id=command_id
        )
        return await self._commands.execute(viewer, request, plan)

    async def check(self, viewer: Viewer, *, command_id: str | None = None) -> Outcome:
        """Note that the pack in use is behind what there is now, where it is; or that it is no more."""
        status = await self._packs.status(viewer)

        async def plan(work: Work) -> Values:
            in_use = [_state(work, one["properties"]) for one in await work.transaction.run(cypher.IN_USE)]
            named = next((one for one in in_use if one.id == status.pack_id), None)
            stale = _noted(work, named, status) if named else False
            told = {"drift": len(status.drift), "stale": stale}
            return {**told, "id": named.id} if named else told

        content = {"pack": status.pack_id, "drift": [one.source_ref for one in _mattering(status)]}
        request = Request("checkKnowledge", KeyScope.curate, content, command_id=command_id)
        return await self._commands.execute(viewer, request, plan)

    async def check_if_changed(self, viewer: Viewer) -> bool:
        """The same, where there is something to note that was not noted yet. Says whether there was."""
        status = await self._packs.status(viewer)
        if status.pack_id is None or _drift_hash(status) == status.noted:
            return False
        await self.check(viewer)
        return True

    async def _against(self, viewer: Viewer, made: Compiled, in_use: Row | None) -> Against:
        rows = await self._database.read(cypher.LATEST_RUNS, pack_hash=made.pack_hash, audiences=viewer.audiences)
        runs = [one["run"] for one in rows]
        ours = any(one["suite"] == sample_suite().name for one in runs)
        passed = ours and all(one["passed"] for one in runs)
        if in_use is None:
            return Against(agent_passed=passed)
        failed = (one.partition(":")[0] for one in in_use["pack"].get("eval_failures") or ())
        return Against(frozenset(failed), passed)

    async def _contract(self, viewer: Viewer) -> str | None:
        row = await self._database.read_one(EDUCATION, agent=TASK_AGENT, audiences=viewer.audiences)
        held = row["contract"] if row else None
        return f"{held['id']} {held['version']}" if held else None


def _mattering(status: KnowledgeStatus) -> list[KnowledgeDrift]:
    return [one for one in status.drift if one.severity is not DriftSeverity.info]


def _drift_hash(status: KnowledgeStatus) -> str | None:
    behind = [[one.kind.value, one.source_ref] for one in _mattering(status)]
    return hashed(behind) if behind else None


def _noted(work: Work, pack: State, status: KnowledgeStatus) -> bool:
    """What has changed since is told once; a pack that has caught up again is no longer stale."""
    behind = _mattering(status)
    values = _standing(status)
    if behind and pack.properties.get("drift_hash") != values["drift_hash"]:
        work.event(DRIFTED, pack)
    newly = behind and pack.properties["pack_state"] == PackState.active
    work.update(pack, values, **({"event": STALE} if newly else {}))
    return bool(behind)


async def _check_unchanged(work: Work, before: str | None) -> None:
    """What was compiled against one pack is not put in the place of another."""
    rows = await work.transaction.run(cypher.IN_USE)
    now = next((one["properties"]["id"] for one in rows), None)
    if now != before:
        raise PackChangedMeanwhile(before, now)


async def _check_usable(work: Work, pack: State, status: KnowledgeStatus | None = None) -> None:
    told = pack.properties
    if told["pack_state"] == PackState.rejected:
        raise PackNotUsable(pack.id, told["decision"], told["reason"])
    if told["pack_state"] != PackState.staged:
        return  # it was in use before: going back is always possible
    behind = [one for one in status.drift if one.severity is DriftSeverity.blocking] if status else []
    if behind:
        raise PackDrifted(pack.id, [f"{one.kind}: {one.source_ref}" for one in behind])
    for one in await work.transaction.run(cypher.IN_USE):
        if worse := _worse(told, one["properties"]):
            raise PackRegressed(pack.id, one["properties"]["id"], worse)
    runs = {"pack_hash": told["pack_hash"], "audiences": work.viewer.audiences}
    for row in await work.transaction.run(cypher.LATEST_RUNS, **runs):
        if row["run"]["regressions"]:
            raise PackRegressed(pack.id, row["run"]["id"], row["run"]["regressions"])


def _worse(pack: Values, in_use: Values) -> list[str]:
    """Checks of the suite that the worked examples of the pack in use meet, and its own do not."""
    known = {one.partition(":")[0] for one in in_use.get("eval_failures") or ()}
    return [one for one in pack.get("eval_failures") or () if one.partition(":")[0] not in known]


async def _store(work: Work, viewer: Viewer, made: Compiled, values: Values) -> Values:
    used = values["pack_state"] == PackState.active
    prior = await _put_aside(work, None) if used else None
    told = {**values, "compiled_at": work.at, "compiled_by": viewer.principal_id, "prior_active_pack_id": prior}
    pack = work.create(
        work.registry.types["KnowledgePack"], {name: value for name, value in told.items() if value is not None}
    )
    graphs: Mapping[str, GraphInput] = made.graphs if values["pack_state"] != PackState.rejected else {}
    rows = await work.transaction.run(
        cypher.KNOWN_CARDS, hashes=[*made.cards], drawn=[*graphs], audiences=viewer.audiences
    )
    known = {row["hash"]: row["id"] for row in rows}
    kind = work.registry.types["KnowledgeCard"]
    undrawn = {row["hash"]: _state(work, row["undrawn"], "KnowledgeCard") for row in rows if row["undrawn"]}
    for digest in made.cards:
        if digest in known:
            work.link_id(pack, "CONTAINS", known[digest])
        else:
            card = work.create(kind, made.card_values(digest))
            work.link(pack, "CONTAINS", card)
            if digest in graphs:
                undrawn[digest] = card
    await _draw(work, [(card, graphs[digest]) for digest, card in sorted(undrawn.items())])
    if values["pack_state"] != PackState.rejected:
        work.event(ACTIVATED if used else STAGED, pack)
    return {"id": pack.id, "version": pack.version, "changed": True}


async def _draw(work: Work, examples: list[tuple[State, GraphInput]]) -> None:
    """Worked examples are graphs as any other: saved, to be looked at, examined and taken up."""
    if examples:
        for (card, _), snapshot in zip(examples, await plan_drafts(work, examples), strict=True):
            work.link(card, "DRAWN_AS", snapshot)


async def _again(work: Work, pack: State, made: Compiled, against: Against, *, activate: bool) -> Values:
    """A pack that is there already: how far it has come may have changed since, and it is put into use where that was
    asked for and it may be."""
    decision, state, reason = made.decision(activate=activate, against=against)
    ready = ready_values(made.ready(against))
    was_rejected = pack.properties["pack_state"] == PackState.rejected
    if was_rejected and state is PackState.rejected:
        return {"id": pack.id, "version": pack.version, "changed": False}
    if activate and pack.properties["pack_state"] != PackState.active:
        if not was_rejected:
            await _check_usable(work, pack)
        await _put_aside(work, pack.id)
        after = _use(work, pack, ready)
    elif was_rejected:  # what it was worse than is no longer in use
        told = {"pack_state": state.value, "decision": decision.value, "reason": reason}
        after = work.update(pack, {**ready, **told}, event=STAGED)
    else:
        after = work.update(pack, ready)
    return {"id": after.id, "version": after.version, "changed": after.version != pack.version}


async def _put_aside(work: Work, but: str | None) -> str | None:
    """Whatever is in use makes room; its id."""
    in_use = [_state(work, one["properties"]) for one in await work.transaction.run(cypher.IN_USE)]
    for one in in_use:
        if one.id != but:
            work.update(one, {"pack_state": PackState.deprecated.value})
    return next((one.id for one in in_use if one.id != but), None)


def _use(work: Work, pack: State, more: Values | None = None, *, status: KnowledgeStatus | None = None) -> State:
    """`status`: how it stands to what there is now, where that was looked at. It may be behind from the start."""
    values = {**(more or {}), "decision": "activated", "reason": "A person had it activated."}
    after = work.update(pack, {**values, **_standing(status)}, event=ACTIVATED)
    if status and _mattering(status):
        work.event(DRIFTED, after)
    return after


def _standing(status: KnowledgeStatus | None) -> Values:
    behind = _mattering(status) if status else []
    return {
        "pack_state": (PackState.stale if behind else PackState.active).value,
        "blocking_drift": any(one.severity is DriftSeverity.blocking for one in behind),
        "drift_hash": _drift_hash(status) if status else None,
    }


def _state(work: Work, properties: Values, label: str = "KnowledgePack") -> State:
    kind = work.registry.types[label]
    return State(kind, tuple(kind.model.labels(properties)), properties)
