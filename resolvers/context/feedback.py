"""What people think of context, and figures of what packets held and kept out."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from graph_schema.context.words import ContextLayer, ExclusionReason, FeedbackTarget, FeedbackVerdict
from resolvers.engine.loading import RecordInfo
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.engine.scalars import Timestamp
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.naming import ids_of
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.records.commands import CommandId
from service.context.feedback import Asked, ContextFeedback, ContextFigures, Given, context_statistics
from service.context.feedback.read import MOST_PACKETS, MOST_RECORDS, MOST_RUNS, Receipts, Trimmed, Unhelpful

for _words in (FeedbackTarget, FeedbackVerdict, ExclusionReason, ContextLayer):
    strawberry.enum(_words, description=(_words.__doc__ or "").strip())


@strawberry.input(description="What is thought of one piece of a packet, of a layer, or of the whole packet.")
class ContextFeedbackInput:
    packet: RecordRefInput | None = strawberry.field(default=None, description="The packet, by its id.")
    run: RecordRefInput | None = strawberry.field(
        default=None, description="Or the run, with module_key and activation_seq, whose packet it is."
    )
    module_key: str | None = strawberry.field(default=None, description="The module, as the executor calls it.")
    activation_seq: int | None = strawberry.field(default=None, description="Which activation of it, from 1.")
    target_kind: FeedbackTarget = strawberry.field(description="What it is about.")
    target_ref: str | None = strawberry.field(
        default=None,
        description="Id of the item or candidate; name of the layer. A packet as a whole needs none.",
    )
    feedback: FeedbackVerdict = strawberry.field(description="What is thought of it.")
    user_comment: str | None = strawberry.field(default=None, description="What is said with it.")

    def given(self) -> Given:
        return Given(
            self.target_kind,
            self.feedback,
            self.target_ref,
            self.user_comment,
            self.packet.ref() if self.packet else None,
            self.run.ref() if self.run else None,
            self.module_key,
            self.activation_seq,
        )


Said = Annotated[ContextFeedbackInput, strawberry.argument(description="The feedback.")]


if TYPE_CHECKING:
    ContextFeedbackPayload = RecordPayload
else:
    ContextFeedbackPayload = payload_of("Feedback", "ContextFeedbackPayload", "The feedback that was kept.")


@strawberry.type(description="How often packets of a type of module had something in a layer, or kept it out.")
class ContextReceiptCount:
    module_type: str | None = strawberry.field(description="Type of the module; null where none was told.")
    injected: bool = strawberry.field(description="Whether it was given to the module, or kept from it.")
    code: ExclusionReason | None = strawberry.field(description="Why it was kept out.")
    layer: ContextLayer | None = strawberry.field(description="The layer that it was in.")
    receipts: int = strawberry.field(description="Receipts that say so.")
    records: int = strawberry.field(description="Records that these stand for: one receipt may stand for many.")


@strawberry.type(description="A record that budgets kept out.")
class TrimmedRecord:
    id: strawberry.ID = strawberry.field(description="Id of the record.")
    name: str = strawberry.field(description="What people call it.")
    times: int = strawberry.field(description="Packets that had no room for it.")
    best_score: float | None = strawberry.field(description="How relevant it was at best.")


@strawberry.type(description="How often one thing was said.")
class VerdictCount:
    feedback: FeedbackVerdict = strawberry.field(description="What was said.")
    times: int = strawberry.field(description="How often.")


@strawberry.type(description="A record that modules were given, and people did not find helpful.")
class UnhelpfulRecord:
    id: strawberry.ID = strawberry.field(description="Id of the record.")
    name: str = strawberry.field(description="What people call it.")
    times: int = strawberry.field(description="How often it was said.")
    injected: int = strawberry.field(description="Packets of those looked at that held it.")
    verdicts: list[VerdictCount] = strawberry.field(description="What was said.")


@strawberry.type(description="What packets held and kept out, counted over what you may see.")
class ContextStatistics:
    packets: int = strawberry.field(description="Packets that were looked at.")
    truncated: bool = strawberry.field(description=f"Whether only the newest {MOST_PACKETS:,} were.")
    receipts: list[ContextReceiptCount] = strawberry.field(
        description="Counts by type of module and reason or layer, the most first."
    )
    trimmed: list[TrimmedRecord] = strawberry.field(description="What budgets kept out most.")
    unhelpful: list[UnhelpfulRecord] = strawberry.field(description="What was injected and marked unhelpful most.")


@strawberry.type
class FeedbackQuery:
    @strawberry.field(description="What packets held, kept out and had no room for, and what people made of it.")
    async def context_statistics(
        self,
        info: RecordInfo,
        *,
        since: Annotated[Timestamp | None, strawberry.argument(description="Packets made then or later.")] = None,
        until: Annotated[Timestamp | None, strawberry.argument(description="Packets made before then.")] = None,
        module_type: Annotated[str | None, strawberry.argument(description="Packets of modules of this type.")] = None,
        runs: Annotated[
            list[RecordRefInput] | None, strawberry.argument(description=f"Packets of these runs, up to {MOST_RUNS}.")
        ] = None,
        first: Annotated[
            int, strawberry.argument(description=f"At most so many records in each list, up to {MOST_RECORDS}.")
        ] = 20,
    ) -> ContextStatistics:
        wanted = (
            None if runs is None else await ids_of(info, [one.ref() for one in runs[: MOST_RUNS + 1]], "runs", "Run")
        )
        asked = Asked(since, until, module_type, wanted, first)
        return _shown(await context_statistics(info.context.database, viewer_of(info), asked))


@strawberry.type
class FeedbackMutation:
    @strawberry.mutation(
        description="Say what you think of what a module was given or not given. It is kept to learn from and changes "
        "nothing by itself. Needs curate."
    )
    async def record_context_feedback(
        self,
        info: RecordInfo,
        input: Said,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> ContextFeedbackPayload:
        outcome = await service_of(info, ContextFeedback).record(viewer_of(info), input.given(), command_id=command_id)
        return record_payload(await settle(info, outcome), ContextFeedbackPayload)


def _shown(found: ContextFigures) -> ContextStatistics:
    return ContextStatistics(
        packets=found.packets,
        truncated=found.truncated,
        receipts=[_receipts(one) for one in found.receipts],
        trimmed=[_trimmed(one) for one in found.trimmed],
        unhelpful=[_unhelpful(one) for one in found.unhelpful],
    )


def _receipts(one: Receipts) -> ContextReceiptCount:
    return ContextReceiptCount(
        module_type=one.module_type,
        injected=one.injected,
        code=ExclusionReason(one.reason) if one.reason else None,
        layer=ContextLayer(one.layer) if one.layer else None,
        receipts=one.receipts,
        records=one.records,
    )


def _trimmed(one: Trimmed) -> TrimmedRecord:
    return TrimmedRecord(id=strawberry.ID(one.id), name=one.name, times=one.times, best_score=one.best_score)


def _unhelpful(one: Unhelpful) -> UnhelpfulRecord:
    return UnhelpfulRecord(
        id=strawberry.ID(one.id),
        name=one.name,
        times=one.times,
        injected=one.injected,
        verdicts=[VerdictCount(feedback=FeedbackVerdict(word), times=times) for word, times in one.verdicts],
    )
