"""A year of learning in the sample world: what was seen and said, what was proposed, and what became of it."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from importlib import resources
from typing import Any, LiteralString

import yaml
from pydantic import BaseModel, ConfigDict, Field

from graph_schema.context.words import FeedbackTarget, FeedbackVerdict
from graph_schema.knowledge.prompt_words import PromptPromotionState, PromptSurface
from graph_schema.learning.proposal_words import Operation, ProposalKind
from graph_schema.learning.words import DesignSignalKind, SignalType
from service.access.viewer import Viewer
from service.capability import Services
from service.commands import Outcome, RecordRef
from service.context.feedback.commands import ContextFeedback, ContextFeedbackInput
from service.graph.visibility import visible
from service.knowledge.prompts.inputs import PromptInput
from service.knowledge.prompts.keep import KeptPrompts
from service.knowledge.prompts.load import PromptRequest
from service.learning.proposals.commands import Proposals
from service.learning.proposals.inputs import ProposalInput, ProposalStep, ReviewDecision, ReviewInput
from service.learning.replay.commands import Replays
from service.learning.signals.commands import LearningSignals
from service.learning.signals.inputs import LearningSignal

Refer = Callable[[str], RecordRef]
Named = Callable[..., str]
SIGNALS = "sample-signals"
CALLED: LiteralString = (
    "MATCH (n:Record {source: $source, source_key: $key}) WHERE " + visible("n") + " RETURN n.id AS id"
)


class _Told(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SampleFeedback(_Told):
    run: str
    module: str
    target: str
    target_kind: FeedbackTarget
    verdict: FeedbackVerdict
    comment: str


class SampleSignal(_Told):
    key: str
    at: str
    kind: DesignSignalKind
    seen_on: list[str]
    summary: str
    subject: str | None = None
    context_class: str | None = None


class SampleStep(_Told):
    operation: Operation
    field: str | None = None
    value: Any = None
    relation: str | None = None
    head: str | None = None


class SampleProposal(_Told):
    """`then`: what happened to it, in order."""

    key: str
    kind: ProposalKind
    target: str
    steps: list[SampleStep]
    rationale: str
    support: list[str]
    then: list[str]
    reason: str | None = None


class SamplePrompt(_Told):
    """A prompt that lives somewhere, with what its check found. Of its text the hash alone is kept."""

    name: str
    lives_in: str
    surface: PromptSurface
    text: str


class Year(_Told):
    feedback: list[SampleFeedback] = Field(default_factory=list[SampleFeedback])
    signals: list[SampleSignal] = Field(default_factory=list[SampleSignal])
    proposals: list[SampleProposal] = Field(default_factory=list[SampleProposal])
    prompts: list[SamplePrompt] = Field(default_factory=list[SamplePrompt])


def read_year() -> Year:
    folder = resources.files("seeds") / "world" / "learning"
    return Year.model_validate(yaml.safe_load((folder / "10-year.yaml").read_text("utf-8")))


async def id_called(services: Services, viewer: Viewer, ref: RecordRef) -> str:
    database = services.ground.database
    row = await database.read_one(CALLED, source=ref.source, key=ref.key, audiences=viewer.audiences)
    return row["id"] if row else str(ref.key)


class Teaching:
    """Tells the year by commands, with ids made from their content: told again, it changes nothing."""

    def __init__(
        self, services: Services, viewer_now: Callable[[], Awaitable[Viewer]], refer: Refer, named: Named, source: str
    ) -> None:
        self._services = services
        self._viewer_now = viewer_now
        self._refer = refer
        self._named = named
        self._source = source

    async def tell(self, year: Year) -> list[Outcome]:
        told = [await self._feedback(one) for one in year.feedback]
        told.append(await self._signals(year.signals))
        for one in year.proposals:
            told += await self._proposal(one)
        for each in year.prompts:
            told += await self._prompt(each)
        return told

    async def _prompt(self, one: SamplePrompt) -> list[Outcome]:
        prompts, named = self._services[KeptPrompts], one.model_dump(mode="json")
        given = PromptInput(
            name=one.name,
            lives_in=self._refer(one.lives_in),
            surface=one.surface,
            text=one.text,
            promotion_state=PromptPromotionState.active,
        )
        made = await prompts.record(await self._viewer_now(), given, command_id=self._named("prompt", named))
        asked = PromptRequest(text=one.text, surface=one.surface)
        of, command = RecordRef(id=made.result["id"]), self._named("prompt check", named)
        return [made, await prompts.assess(await self._viewer_now(), of, asked, (), command_id=command)]

    async def _feedback(self, one: SampleFeedback) -> Outcome:
        viewer = await self._viewer_now()
        ref = self._refer(one.target)
        given = ContextFeedbackInput(
            run=RecordRef(kind="Run", source=self._source, key=one.run),
            module_key=one.module,
            activation_seq=1,
            target_kind=one.target_kind,
            target_ref=await id_called(self._services, viewer, ref),
            feedback=one.verdict,
            user_comment=one.comment,
        )
        command = self._named("feedback", one.model_dump(mode="json"))
        return await self._services[ContextFeedback].record(viewer, given, command_id=command)

    async def _signals(self, signals: list[SampleSignal]) -> Outcome:
        given = [
            LearningSignal(
                source=SIGNALS,
                signal_id=one.key,
                signal_type=SignalType.user_action,
                signal_kind=one.kind,
                payload={"action": one.kind.value} if one.subject is None else {"action": one.subject},
                about=tuple(self._refer(key) for key in one.seen_on),
                pattern_promotion_eligible=True,
                context_class_key=one.context_class,
                summary=one.summary,
                emitted_at=one.at,
            )
            for one in signals
        ]
        command = self._named("signals", [one.model_dump(mode="json") for one in signals])
        return await self._services[LearningSignals].report(await self._viewer_now(), given, command_id=command)

    async def _proposal(self, one: SampleProposal) -> list[Outcome]:
        proposals, named = self._services[Proposals], one.model_dump(mode="json")
        given = ProposalInput(
            proposal_kind=one.kind,
            target=self._refer(one.target),
            steps=tuple(self._step(step) for step in one.steps),
            rationale=one.rationale,
            supported_by=tuple(RecordRef(kind="Signal", source=SIGNALS, key=key) for key in one.support),
        )
        made = await proposals.propose(await self._viewer_now(), given, command_id=self._named("propose", named))
        proposal: str = made.result["id"]
        return [made, *[await self._then(what, proposal, one.reason, self._named(what, named)) for what in one.then]]

    async def _then(self, what: str, proposal: str, reason: str | None, command: str) -> Outcome:
        proposals, viewer = self._services[Proposals], await self._viewer_now()
        curator = replace(viewer, principal_id=f"{viewer.principal_id} curator")
        if what == "replay":
            return await self._services[Replays].replay(viewer, proposal, command_id=command)
        if what == "apply":
            return await proposals.apply(curator, proposal, command_id=command)
        if what == "roll_back":
            return await proposals.roll_back(curator, proposal, reason, command_id=command)
        review = ReviewInput(proposal_id=proposal, decision=ReviewDecision(what), reason=reason)
        return await proposals.review(curator, review, command_id=command)

    def _step(self, one: SampleStep) -> ProposalStep:
        head = self._refer(one.head) if one.head else None
        return ProposalStep(operation=one.operation, field=one.field, value=one.value, relation=one.relation, head=head)
