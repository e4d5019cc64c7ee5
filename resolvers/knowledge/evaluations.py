"""The evaluation suite: scoring what an agent proposed, and keeping a run of it."""

from typing import Annotated, Any

import strawberry

from graph_schema.knowledge.words import PreflightStatus
from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.memory.words import IntakeLevel
from graph_schema.routing.decision_words import ExecutionMode
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.engine.scalars import enum_type
from resolvers.generated.inputs import RecordRefInput, input_type
from resolvers.generated.naming import id_of
from resolvers.generated.payloads import RecordPayload, record_payload
from resolvers.generated.views import view_type
from resolvers.library.graphs import TaskGraph
from resolvers.records.commands import CommandId
from service.commands import RecordRef
from service.commands.errors import InputInvalid
from service.knowledge.evaluation.commands import EvalRunReplay, Evaluations
from service.knowledge.evaluation.evaluate import EvalReport
from service.knowledge.evaluation.proposals import EvalProposal
from service.knowledge.evaluation.suites import EvalSuiteInput, EvalSuites

MOST_PROPOSALS = 100

for _words in (ExecutionMode, Entrypoint, IntakeLevel, PreflightStatus):
    enum_type(_words)


@strawberry.input(name="EvalProposalInput", description="What an agent did with the request of an example.")
class EvalProposalGiven:
    example: str = strawberry.field(description="The example.")
    mode: ExecutionMode | None = strawberry.field(default=None, description="What the request became.")
    entrypoint: Entrypoint | None = strawberry.field(default=None, description="By what the agent was asked.")
    template: str | None = strawberry.field(default=None, description="The template that it reuses, by name.")
    graph: TaskGraph | None = strawberry.field(default=None, description="The graph that it drew.")
    capabilities: list[str] = strawberry.field(default_factory=list, description="Capabilities that it binds, by name.")
    artifact_level: IntakeLevel | None = strawberry.field(default=None, description="How far its final output goes.")
    questions: list[str] = strawberry.field(default_factory=list, description="What it asked the user.")
    explanation: str = strawberry.field(default="", description="What it told the user of its design.")
    preflight_graph_hash: str | None = strawberry.field(default=None, description="Hash of the graph that it examined.")
    preflight_status: PreflightStatus | None = strawberry.field(default=None, description="What that came to.")
    context_tokens: int | None = strawberry.field(default=None, description="Tokens that it was given to know.")
    degraded_reasons: list[str] = strawberry.field(default_factory=list, description="What it said was missing.")

    def proposal(self) -> EvalProposal:
        told = {name: value for name, value in vars(self).items() if name != "graph"}
        return EvalProposal(**told, graph=self.graph.graph() if self.graph else None)


Proposals = Annotated[
    list[EvalProposalGiven], strawberry.argument(description="What was proposed, one for each example.")
]


OfSuite = Annotated[
    RecordRefInput | None,
    strawberry.argument(
        description="An EvalSuite that was brought; the one that comes with the service when left out."
    ),
]
Brought = Annotated[
    EvalSuiteInput,
    strawberry.argument(description="The suite.", graphql_type=input_type(EvalSuiteInput)),
]


@strawberry.type(description="An example of the evaluation suite: a request to an agent.")
class EvalRequest:
    example: str = strawberry.field(description="What it is called.")
    request: str = strawberry.field(description="What the user says.")


@strawberry.type
class EvaluationQuery:
    @strawberry.field(description="The requests of the evaluation suite, without what is expected of the answers.")
    async def eval_suite(self, info: RecordInfo, suite: OfSuite = None) -> list[EvalRequest]:
        found = await service_of(info, EvalSuites).of(viewer_of(info), await _suite(info, suite))
        return [EvalRequest(example=one.key, request=one.request) for one in found.examples]

    @strawberry.field(
        graphql_type=view_type(EvalReport),
        description="What the evaluation suite says of proposals, check by check. It stores nothing.",
    )
    async def score_proposals(self, info: RecordInfo, proposals: Proposals, suite: OfSuite = None) -> Any:
        named = await _suite(info, suite)
        return shaped(info, await service_of(info, Evaluations).score(viewer_of(info), _given(proposals), named))

    @strawberry.field(
        graphql_type=view_type(EvalRunReplay),
        description="A kept run of the evaluation suite, scored again by the suite and the catalogue of now.",
    )
    async def replay_eval_run(
        self,
        info: RecordInfo,
        run: Annotated[RecordRefInput, strawberry.argument(description="The EvalRun.")],
    ) -> Any:
        kept = await id_of(info, run.ref(), "run", "EvalRun")
        return shaped(info, await service_of(info, Evaluations).replay(viewer_of(info), kept))


@strawberry.type
class EvaluationMutation:
    @strawberry.mutation(
        description="Keep a run of the evaluation suite: what an agent proposed, what it met, and what it met less "
        "than the latest run on the pack in use. Needs curate."
    )
    async def submit_eval_run(  # noqa: PLR0917 - arguments of a field
        self,
        info: RecordInfo,
        agent_version: Annotated[str, strawberry.argument(description="Which agent proposed, in which version.")],
        proposals: Proposals,
        pack: Annotated[
            RecordRefInput | None,
            strawberry.argument(description="The pack that it was taught from; the one in use when left out."),
        ] = None,
        suite: OfSuite = None,
        command_id: CommandId = None,
    ) -> RecordPayload:
        taught = RecordRef(id=await id_of(info, pack.ref(), "pack", "KnowledgePack")) if pack else None
        outcome = await service_of(info, Evaluations).submit(
            viewer_of(info),
            agent_version,
            _given(proposals),
            taught,
            suite_id=await _suite(info, suite),
            command_id=command_id,
        )
        return record_payload(await settle(info, outcome))

    @strawberry.mutation(
        description="Keep a suite of your own: requests, each with what a good answer has. The same again is the same; "
        "what asks otherwise has another version. Needs curate."
    )
    async def save_eval_suite(
        self,
        info: RecordInfo,
        input: Brought,  # noqa: A002 - as all commands call it
        command_id: CommandId = None,
    ) -> RecordPayload:
        outcome = await service_of(info, EvalSuites).save(viewer_of(info), input, command_id=command_id)
        return record_payload(await settle(info, outcome))


async def _suite(info: RecordInfo, suite: RecordRefInput | None) -> str | None:
    return await id_of(info, suite.ref(), "suite", "EvalSuite") if suite else None


def _given(proposals: list[EvalProposalGiven]) -> list[EvalProposal]:
    if not 1 <= len(proposals) <= MOST_PROPOSALS:
        raise InputInvalid("proposals", f"there are from 1 to {MOST_PROPOSALS}")
    return [one.proposal() for one in proposals]
