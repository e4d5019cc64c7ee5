"""Computing a packet: reads only, so that a preview and the packet itself are the same thing."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

from embeddings import EmbeddingQueue
from embeddings.errors import TokenizerUnusable
from embeddings.tokens import Counter, Counters
from service.access.audience import Access
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.context.comparison import comparison
from service.context.expansion.policy import Standing
from service.context.packets import cypher
from service.context.packets.candidates import Compared, candidates
from service.context.packets.errors import TargetTokenizerUnusable
from service.context.packets.facts import Candidate, Ground
from service.context.packets.inputs import ContextPacketInput
from service.context.packets.packet import Computed, Packet, stored
from service.context.packets.relevance import THRESHOLD
from service.context.packets.rendering import frame
from service.context.packets.rules import RULES, PacketWarning, decide, warnings_of
from service.context.packets.situation import Situation, situation_of
from service.context.packets.texts import is_cut
from service.graph.database import Database
from service.notices import Notice

Advise = Callable[[Viewer, Iterable[str], Access | None], Awaitable[tuple[Notice, ...]]]
Values = dict[str, Any]


class PacketReads:
    def __init__(
        self,
        database: Database,
        queue: EmbeddingQueue | None = None,
        counters: Counters | None = None,
        advise: Advise | None = None,
    ) -> None:
        """Without `queue`, for whoever has no model at hand, candidates are compared by their words alone.

        `advise` tells what is known of capabilities beyond what they say.
        """
        self.database = database
        self._advise = advise
        self._queue = queue
        self._counters = counters or Counters()

    async def preview(self, viewer: Viewer, asked: ContextPacketInput) -> Packet:
        """The packet that would be assembled now. Nothing is stored."""
        asked.check()
        here = await situation_of(self.database, viewer, asked)
        if not here.applies.applicable:
            return Packet(applicable=False, explanation=here.applies.explanation)
        return shown(await self.computed(viewer, asked, here))

    async def stored(self, viewer: Viewer, packet_id: str) -> Packet:
        row = await self.database.read_one(cypher.STORED, id=packet_id, audiences=viewer.audiences)
        if row is None:
            raise RecordMissing(RecordRef(id=packet_id), "packet")
        return stored(row)

    async def computed(self, viewer: Viewer, asked: ContextPacketInput, here: Situation) -> Computed:
        compared = await self._compared(asked, here)
        found, cuts = await candidates(self.database, viewer, asked, here, compared)
        ground = _ground(asked, here, compared, found)
        decided = decide((one.facts for one in found), ground)
        by_id = {one.facts.id: one for one in found}
        advice = await self._advised(viewer, here, [one.id for one in decided.taken if one.label == "Capability"])
        told = (*advice, *cuts, *_cut_texts(by_id[one.id] for one in decided.taken))
        return Computed(asked, here, ground, decided, by_id, compared.counter, compared.text.model, told)

    async def _advised(self, viewer: Viewer, here: Situation, capability_ids: list[str]) -> tuple[str, ...]:
        """A packet is kept for whoever may see its run: so nothing that these may not know goes into it."""
        if self._advise is None or not capability_ids:
            return ()
        told = await self._advise(viewer, capability_ids, Access.of(here.run))
        return tuple(sorted({one.code for one in told}))

    async def _compared(self, asked: ContextPacketInput, here: Situation) -> Compared:
        counter = self._counter(asked.target_model)
        return Compared(await comparison(self._queue, here.basis.text(here.purpose)), counter)

    def _counter(self, model: str | None) -> Counter:
        try:
            return self._counters.of(model)
        except TokenizerUnusable as error:
            raise TargetTokenizerUnusable(error) from error


def _ground(asked: ContextPacketInput, here: Situation, compared: Compared, found: Sequence[Candidate]) -> Ground:
    envelope = here.envelope
    limits = [asked.max_tokens, *here.of_context("max_tokens")]
    return Ground(
        matter_ids=here.matter_ids,
        broad=here.bounds is not None,
        broad_by_text=here.bounds is not None and here.bounds.by_text,
        ceiling=envelope["visibility_ceiling"],
        surface_policy=envelope["surface_context_policy"],
        surface_forbidden=any(here.of_context("surface_context_forbidden")),
        task_type=here.task_type,
        domains=here.domains,
        trigger_kind=here.trigger_kind,
        side_effects=_side_effects(here, found),
        profile=here.applies.profile.value,
        denied_layers=here.denied_layers,
        capability_mode=here.capabilities.mode.value,
        full_text=any(here.of_context("full_text_required")),
        max_tokens=min(limits),
        frame_tokens=compared.counter.count(frame()),
        threshold=THRESHOLD,
    )


def _side_effects(here: Situation, found: Sequence[Candidate]) -> tuple[str, ...]:
    """What the module may do to the outside world: by itself, and by the capabilities that it may be given."""
    tools = (one.facts for one in found if one.facts.label == "Capability")
    of_tools = {effect for one in tools if one.standing != Standing.denied for effect in one.side_effects}
    return tuple(sorted({*here.side_effects, *of_tools}))


def shown(computed: Computed, packet_id: str | None = None) -> Packet:
    return Packet(
        applicable=True,
        explanation=computed.here.applies.explanation,
        id=packet_id,
        values=values_of(computed),
        items=computed.items,
        excluded=computed.kept_out,
    )


def values_of(computed: Computed) -> Values:
    """What the packet itself says, beside its receipts."""
    here, decided, fitted = computed.here, computed.decided, computed.decided.fitted
    surfaces = decided.surfaces_used
    return {
        "run_id": here.run["id"],
        "module_key": computed.asked.module_key,
        "activation_seq": computed.asked.activation_seq,
        "module_type": here.module_type,
        "injection_profile": computed.ground.profile,
        "task_context_binding": decided.binding.value,
        "surface_context_policy": computed.ground.surface_policy,
        "surface_context_used": bool(surfaces),
        "surface_context_reason": f"The run's scope chose {', '.join(surfaces)}."[:2000] if surfaces else None,
        **here.basis.values(),
        "requested_tokens": fitted.requested,
        "actual_tokens": fitted.actual,
        "max_tokens": computed.ground.max_tokens,
        "tokenizer": computed.counter.name,
        "considered_count": len(decided.taken) + len(decided.excluded),
        "injected_count": len(decided.taken),
        "excluded_count": len(decided.excluded),
        "warnings": warnings_of(
            decided, computed.ground, [*_of_scope(here.envelope), *_of_counter(computed), *computed.advice]
        ),
        "inputs_hash": computed.asked.hash(here.ids),
        "content_hash": decided.content_hash(),
        "rules": RULES,
        "embedding_model": computed.model,
    }


def _cut_texts(taken: Iterable[Candidate]) -> list[str]:
    return [PacketWarning.item_text_cut.value] if any(is_cut(one.text) for one in taken) else []


def _of_counter(computed: Computed) -> list[str]:
    return [] if computed.counter.known else [PacketWarning.model_unknown.value]


def _of_scope(envelope: Mapping[str, Any]) -> list[str]:
    """What was doubtful about the scope is so about all that rests on it."""
    return [one for one in envelope.get("warnings") or () if one.startswith("warning.task_module_context_")]
