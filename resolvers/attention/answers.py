"""What users make of directives, how far they let agents go, and directives as they come."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from graph_schema.attention.words import DirectiveState, OperatingMode
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.engine.scalars import Timestamp, enum_type
from resolvers.events import AfterOrNow, viewer_now
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.attention.answers import AttentionAnswers
from service.attention.follow import DirectiveRaised, RaisedDirectives
from service.commands import Outcome

Directive = Annotated[
    RecordRefInput,
    strawberry.argument(
        description="A directive of yours, or what an item of your inbox is about: a gate, a run, a tool, a proposal."
    ),
]
Note = Annotated[str | None, strawberry.argument(description="What you say with it.")]
Mode = Annotated[
    OperatingMode, strawberry.argument(description="How far an agent may go.", graphql_type=enum_type(OperatingMode))
]

if TYPE_CHECKING:
    OfDirective = RecordPayload
    ModePayload = RecordPayload
else:
    OfDirective = payload_of("AttentionDirective")
    ModePayload = payload_of("AttentionMode", "SetAttentionModePayload", "The mode that holds now.")


@strawberry.type(
    name="AnswerDirectivePayload",
    description="What became of it. Where you were not asked by a directive there is none.",
)
class DirectivePayload(OfDirective):
    about: str | None = strawberry.field(
        default=None, description="What the answer is about: the subject of the directive, or the id of the thing."
    )
    answer: DirectiveState | None = strawberry.field(
        default=None, description="What was answered.", graphql_type=enum_type(DirectiveState) | None
    )


def _answered(outcome: Outcome) -> DirectivePayload:
    told = {"about": outcome.result.get("about"), "answer": outcome.result.get("state")}
    return record_payload(outcome, DirectivePayload, **told)


@strawberry.type
class AnswerMutation:
    @strawberry.mutation(
        description="Say that you do not want to be asked for this. It is not raised again in its session, and is in "
        "your inbox no more, unless it waits anew. Needs the scope report."
    )
    async def dismiss_directive(
        self, info: RecordInfo, directive: Directive, note: Note = None, command_id: CommandId = None
    ) -> DirectivePayload:
        answers = service_of(info, AttentionAnswers)
        outcome = await answers.dismiss(viewer_of(info), directive.ref(), note, command_id=command_id)
        return _answered(await settle(info, outcome))

    @strawberry.mutation(
        description="Say that you did what you were asked for, or which of its options you chose. Needs the scope "
        "report."
    )
    async def act_on_directive(
        self,
        info: RecordInfo,
        directive: Directive,
        option: Annotated[str | None, strawberry.argument(description="One of its options.")] = None,
        note: Note = None,
        command_id: CommandId = None,
    ) -> DirectivePayload:
        answers = service_of(info, AttentionAnswers)
        outcome = await answers.act(viewer_of(info), directive.ref(), option, note, command_id=command_id)
        return _answered(await settle(info, outcome))

    @strawberry.mutation(
        description="Put a directive off. It comes back when the time has come and its session goes on. Needs the "
        "scope report."
    )
    async def snooze_directive(
        self,
        info: RecordInfo,
        directive: Directive,
        until: Annotated[
            Timestamp | None, strawberry.argument(description="Until when; ten minutes from now, when left out.")
        ] = None,
        command_id: CommandId = None,
    ) -> DirectivePayload:
        answers = service_of(info, AttentionAnswers)
        outcome = await answers.snooze(viewer_of(info), directive.ref(), until, command_id=command_id)
        return _answered(await settle(info, outcome))

    @strawberry.mutation(
        description="Say how far an agent may go for you, on a surface or on all: watch, suggest, or adjust a view. "
        "Until you do, it only watches. Needs the scope report."
    )
    async def set_attention_mode(
        self,
        info: RecordInfo,
        mode: Mode,
        surface: Annotated[
            str | None,
            strawberry.argument(description="The component; all that have none of their own, when left out."),
        ] = None,
        reason: Annotated[str | None, strawberry.argument(description="Why.")] = None,
        command_id: CommandId = None,
    ) -> ModePayload:
        answers = service_of(info, AttentionAnswers)
        outcome = await answers.set_mode(viewer_of(info), surface, mode, reason, command_id=command_id)
        return record_payload(await settle(info, outcome), ModePayload)


@strawberry.type
class DirectiveSubscription:
    @strawberry.subscription(
        graphql_type=view_type(DirectiveRaised),
        description="Directives for you as they are raised or come back, each once. Subscribe again with the last "
        "cursor, and nothing is lost.",
    )
    async def attention_directives(self, info: RecordInfo, after: AfterOrNow = None) -> AsyncGenerator[Any]:
        source = service_of(info, RaisedDirectives).follow(viewer_now(info), after=after)
        async with aclosing(source) as found:
            async for one in found:
                yield shaped(info, one)
