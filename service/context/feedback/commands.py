"""What somebody thinks of a piece of context. Kept as a learning input; it changes nothing by itself."""

from dataclasses import dataclass
from typing import Annotated, Any

from graph_schema.context.words import CandidateKind, ContextLayer, FeedbackTarget, FeedbackVerdict
from graph_schema.memory.words import WriteScope
from graph_schema.model.fields import NAME_LENGTH
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, State, Work, check_activation
from service.commands.errors import InputInvalid, WrongKind
from service.context.feedback import cypher
from service.context.feedback.errors import FeedbackBlocked, LayerUnknown, PacketMissing, TargetMissing
from service.memory.views.prompts import PromptLayerKind

RECORDED = "task.context.feedback_recorded"
LAYERS = tuple(dict.fromkeys([*(one.value for one in PromptLayerKind), *(one.value for one in ContextLayer)]))

_OWN_WORD = {
    CandidateKind.entity_card: (FeedbackTarget.injected_entity,),
    CandidateKind.procedure: (FeedbackTarget.injected_procedure,),
    CandidateKind.tool_capability: (FeedbackTarget.injected_tool, FeedbackTarget.injected_connector),
    CandidateKind.document: (FeedbackTarget.injected_document,),
    CandidateKind.library: (FeedbackTarget.injected_library,),
}
"""What each kind of item is called in feedback. All others are memories."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextFeedbackInput:
    """What is thought of one piece of a packet, of a layer, or of the whole packet."""

    packet: Annotated[RecordRef | None, "The packet, by its id."] = None
    run: Annotated[RecordRef | None, "Or the run, with module_key and activation_seq, whose packet it is."] = None
    module_key: Annotated[str | None, "The module, as the executor calls it."] = None
    activation_seq: Annotated[int | None, "Which activation of it, from 1."] = None
    target_kind: Annotated[FeedbackTarget, "What it is about."]
    target_ref: Annotated[
        str | None, "Id of the item or candidate; name of the layer. A packet as a whole needs none."
    ] = None
    target: Annotated[RecordRef | None, "Or the item or candidate by its id or outside name."] = None
    feedback: Annotated[FeedbackVerdict, "What is thought of it."]
    user_comment: Annotated[str | None, "What is said with it."] = None

    def check(self) -> None:
        for name, ref in (("packet", self.packet), ("run", self.run)):
            if ref is not None:
                ref.check(name)
        check_activation(self.activation_seq)
        by_step = (self.run, self.module_key, self.activation_seq)
        if self.packet is not None and any(one is not None for one in by_step):
            raise InputInvalid("packet", "a packet is named by itself, or by run, module_key and activation_seq")
        if self.packet is not None and self.packet.id is None:
            raise InputInvalid("packet", "a packet is named by its id")
        if self.packet is None and None in by_step:
            raise InputInvalid("packet", "name the packet, or run, module_key and activation_seq")
        if self.target is not None and self.target_ref is not None:
            raise InputInvalid("target", "is given as target or as target_ref, not both")
        if self.target_ref is None and self.target_kind is not FeedbackTarget.context_packet:
            raise InputInvalid("target_ref", "say which item, candidate or layer it is about")

    def content(self) -> dict[str, Any]:
        return {name: _plain(getattr(self, name)) for name in self.__slots__}


class ContextFeedback:
    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    async def record(self, viewer: Viewer, given: ContextFeedbackInput, *, command_id: str | None = None) -> Outcome:
        given.check()
        request = Request("recordContextFeedback", KeyScope.curate, given.content(), command_id=command_id)
        return await self._commands.execute(viewer, request, _Record(given))


class _Record:
    def __init__(self, given: ContextFeedbackInput) -> None:
        self._given = given

    async def __call__(self, work: Work) -> dict[str, Any]:
        given = self._given
        row = await self._row(work)
        packet = State(work.registry.types["ContextPacket"], tuple(row["labels"]), row["properties"])
        target = self._target(work, packet, row["target"])
        values = {
            **{name: packet.properties[name] for name in ("run_id", "module_key", "activation_seq")},
            "name": f"{given.feedback.value}: {target.properties['name']}"[:NAME_LENGTH],
            "target_kind": given.target_kind.value,
            "target_ref": given.target_ref or packet.id,
            "feedback": given.feedback.value,
            "given_by": work.viewer.principal_id,
            **({"user_comment": given.user_comment} if given.user_comment else {}),
        }
        made = work.create(work.registry.types["Feedback"], values, [packet, target])
        work.link(made, "FEEDBACK_ON", target, {"target_kind": given.target_kind.value})
        work.link(made, "GIVEN_IN", packet)
        work.event(RECORDED, made, other=packet.properties["run_id"])
        return {"id": made.id, "version": made.version, "target_id": target.id}

    async def _row(self, work: Work) -> dict[str, Any]:
        given, run = self._given, self._given.run
        row = await work.transaction.one(
            cypher.PACKET,
            packet=given.packet.id if given.packet else None,
            run=run.id if run else None,
            source=run.source if run else None,
            key=run.key if run else None,
            module_key=given.module_key,
            activation_seq=given.activation_seq,
            target=given.target_ref,
            audiences=work.viewer.audiences,
        )
        if row is None:
            raise PacketMissing(str(given.packet or f"of {given.module_key} #{given.activation_seq} in {run}"))
        if row["write_scope"] == WriteScope.none:
            raise FeedbackBlocked
        return row

    def _target(self, work: Work, packet: State, found: dict[str, Any] | None) -> State:
        kind, ref = self._given.target_kind, self._given.target_ref
        if kind is FeedbackTarget.context_packet:
            if ref not in (None, packet.id):
                raise TargetMissing(kind, str(ref), "Leave target_ref out, or give the id of the packet.")
            return packet
        if kind is FeedbackTarget.prompt_layer:
            if ref not in LAYERS:
                raise LayerUnknown(str(ref), LAYERS)
            return packet
        excluded = kind is FeedbackTarget.excluded_candidate
        if found is None or found["injected"] is excluded:
            raise TargetMissing(kind, str(ref), "Name a record that the packet injects or keeps out, by its id.")
        words = _words(found["kind"])
        if not excluded and kind not in words:
            raise WrongKind(ref, "target_kind", kind.value, " or ".join(words))
        label = work.registry.label_of(found["labels"])
        return State(work.registry.types[label], tuple(found["labels"]), found["properties"])


def _words(kind: str) -> tuple[FeedbackTarget, ...]:
    return _OWN_WORD.get(CandidateKind(kind), (FeedbackTarget.injected_memory,))


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, RecordRef) else value
