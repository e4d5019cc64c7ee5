"""Assembling a packet: once for each activation. Asked again it is the same; asked otherwise it is refused."""

from dataclasses import asdict
from typing import Any

import orjson

from graph_schema.context.words import Stage
from graph_schema.model.fields import LIST_LENGTH, OPAQUE_LENGTH, TEXT_LENGTH
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, RecordRef, Request, Work
from service.commands.errors import SourceKeyTaken, TextTooLong
from service.commands.work import State
from service.context.packets import cypher
from service.context.packets.errors import PacketDiffers
from service.context.packets.facts import Facts
from service.context.packets.inputs import ContextPacketInput
from service.context.packets.packet import Computed, Packet
from service.context.packets.read import PacketReads, shown, values_of
from service.context.packets.receipts import ContextExclusion, ContextItem
from service.context.packets.situation import Situation, situation_of
from service.ids import new_id
from service.memory.intake.policies import may_be_named
from service.memory.reporting.packets import CALLS

_OF_EPHEMERAL = (
    *("run_id", "module_key", "activation_seq", "module_type", "injection_profile", "task_context_binding"),
    *("surface_context_policy", "surface_context_used", "requested_tokens", "actual_tokens", "max_tokens", "tokenizer"),
    *("considered_count", "injected_count", "excluded_count", "inputs_hash", "content_hash", "rules"),
    "embedding_model",
)
"""All that is kept of the packet of a run that is not to be remembered: hashes and counts."""


class Packets:
    def __init__(self, commands: Commands, reads: PacketReads) -> None:
        self._commands = commands
        self.reads = reads

    async def assemble(
        self, viewer: Viewer, asked: ContextPacketInput, *, command_id: str | None = None
    ) -> tuple[Packet, bool]:
        """The packet of an activation, and whether it was there already."""
        asked.check()
        here = await situation_of(self.reads.database, viewer, asked)
        if not here.applies.applicable:
            return Packet(applicable=False, explanation=here.applies.explanation), False
        if here.packet is not None:
            return await self._again(viewer, asked, here), True
        computed = await self.reads.computed(viewer, asked, here)
        try:
            packet_id, replayed = await self._store(viewer, computed, command_id)
        except SourceKeyTaken:
            # Somebody else was first, just now: their packet is the packet.
            return await self._again(viewer, asked, await situation_of(self.reads.database, viewer, asked)), True
        return shown(computed, packet_id), replayed

    async def _again(self, viewer: Viewer, asked: ContextPacketInput, here: Situation) -> Packet:
        packet = here.packet or {}
        if packet.get("inputs_hash") != asked.hash(here.ids):
            raise PacketDiffers(str(packet.get("id")))
        if here.ephemeral:
            return shown(await self.reads.computed(viewer, asked, here), packet["id"])
        return await self.reads.stored(viewer, packet["id"])

    async def _store(self, viewer: Viewer, computed: Computed, command_id: str | None) -> tuple[str, bool]:
        run, envelope = (RecordRef(id=one["id"]) for one in (computed.here.run, computed.here.envelope))

        async def plan(work: Work) -> dict[str, Any]:
            packet = _Storing(work, work.need(run, "run"), work.need(envelope, "run"), computed).packet()
            await _hold(work, packet)
            return {"id": packet.id, "version": packet.version}

        content = {"inputs": computed.asked.content(computed.here.ids)}
        request = Request(
            "assembleContextPacket", KeyScope.report, content, reads=[run, envelope], command_id=command_id
        )
        outcome = await self._commands.execute(viewer, request, plan)
        return outcome.result["id"], outcome.replayed


async def _hold(work: Work, packet: State) -> None:
    """What was reported of the step's prompts before its packet was made holds it, as what comes later does."""
    step = {name: packet.properties[name] for name in ("run_id", "module_key", "activation_seq")}
    for row in await work.transaction.run(cypher.HOLDERS, **step, calls=sorted(CALLS)):
        work.changes.links.append({"tail": row["id"], "head": packet.id, "type": "HOLDS", "properties": {}})


class _Storing:
    """One packet on its way into the graph. It belongs to the matters of its scope: it knows what those are."""

    def __init__(self, work: Work, run: State, envelope: State, computed: Computed) -> None:
        self._work = work
        self._run = run
        self._envelope = envelope
        self._computed = computed
        self._types = work.registry.types

    def packet(self) -> State:
        computed = self._computed
        packet = self._work.create(self._types["ContextPacket"], self._values(), [self._run, self._envelope])
        self._work.link(self._run, "HAS_PACKET", packet)
        self._work.link(packet, "WITHIN", self._envelope)
        if computed.here.step is not None:
            self._work.link_id(packet, "PACKED_FOR", computed.here.step["id"])
        if not computed.here.ephemeral:
            self._receipts(packet)
            self._snapshots(packet)
        return packet

    def _values(self) -> dict[str, Any]:
        computed = self._computed
        values = {name: value for name, value in values_of(computed).items() if value is not None}
        if computed.here.ephemeral:
            values = {name: value for name, value in values.items() if name in _OF_EPHEMERAL}
        else:
            values["inputs"] = _inputs(computed)
        step = f"{computed.asked.module_key} #{computed.asked.activation_seq}"
        return {
            **values,
            "name": f"Context of {step}"[:200],
            "packet_generation_id": new_id("gen"),
            "data_class": "public",  # class and matters of run and scope come on top
        }

    def _receipts(self, packet: State) -> None:
        decided, threshold = self._computed.decided, self._computed.ground.threshold
        given = zip(decided.taken, self._computed.items, strict=True)
        self._work.fan(packet, "INJECTED", ((one.id, _given(one, item, threshold)) for one, item in given))
        kept = zip(decided.excluded, self._computed.kept_out, strict=True)
        self._work.fan(packet, "EXCLUDED", ((one.facts.id, _kept(one.facts, out)) for one, out in kept))

    def _snapshots(self, packet: State) -> None:
        """The policies and the capabilities that held, as the packet was made."""
        here, decided = self._computed.here, self._computed.decided
        tools = [one for one in self._computed.candidates.values() if one.facts.label == "Capability"]
        mounted = [one.id for one in decided.taken if one.label == "Capability"]
        held = [f"{one['id']}@{one['version']}" for one in here.settings if may_be_named(one, here.run)]
        self._snapshot(packet, "policy", policy_refs=[*held, *here.capabilities.policy_refs][:LIST_LENGTH])
        if not here.capabilities.snapshot_required:
            return
        self._snapshot(
            packet,
            "capability",
            mounted_capabilities=mounted[:LIST_LENGTH],
            **{
                f"{name}_capabilities": [one.facts.id for one in tools if one.facts.standing == standing][:LIST_LENGTH]
                for name, standing in (("required", "required"), ("optional", "allowed"), ("denied", "denied"))
            },
            live_state_summary=[f"{one.facts.name}: {one.facts.state}" for one in tools if one.facts.state][
                :LIST_LENGTH
            ],
        )

    def _snapshot(self, packet: State, kind: str, **values: Any) -> None:
        asked = self._computed.asked
        key = f"context/{asked.module_key}/{asked.activation_seq}/{kind}"
        snapshot = self._work.create(
            self._types["Snapshot"],
            {
                "name": f"{kind} of {packet.properties['name']}"[:200],
                "run_id": self._run.id,
                "snapshot_key": key[:500],
                "snapshot_kind": kind,
                "module_key": asked.module_key,
                "activation_seq": asked.activation_seq,
                "taken_at": self._work.at,
                "data_class": "public",
                **values,
            },
            [self._run, self._envelope],
        )
        self._work.link(packet, "HELD_UNDER", snapshot)


def _given(facts: Facts, item: ContextItem, threshold: float) -> dict[str, Any]:
    return {
        "kind": facts.kind,
        "stage": Stage.budget.value,
        "layer": facts.layer,
        "rank": item.rank,
        "via": item.via,
        "tokens": item.tokens,
        "trimmed_text_tokens": item.trimmed_text_tokens,
        "text": item.text,
        "score": item.score,
        "threshold": threshold,
        "explanation": item.explanation[:TEXT_LENGTH],
        "version": item.version,
        "storage_ref": item.storage_ref,
        "facts": facts.told(),
    }


def _kept(facts: Facts, out: ContextExclusion) -> dict[str, Any]:
    return {
        "kind": facts.kind,
        "reason": out.code.value,
        "stage": out.stage.value,
        "score": out.score,
        "threshold": out.threshold,
        "explanation": out.message,
        "count": out.count,
        "query": facts.query,
        "version": out.version,
        "facts": facts.told(),
    }


def _inputs(computed: Computed) -> str:
    told = {"asked": computed.asked.kept(computed.here.ids), "ground": asdict(computed.ground)}
    inputs = orjson.dumps(told, option=orjson.OPT_SORT_KEYS).decode()
    if len(inputs) > OPAQUE_LENGTH:
        raise TextTooLong("ports", OPAQUE_LENGTH, len(inputs))
    return inputs
