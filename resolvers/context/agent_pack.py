"""What an agent is told before it inspects or designs a task."""

from collections.abc import Iterable
from typing import Annotated, Any

import strawberry

from graph_schema.memory.continuation_words import Entrypoint
from resolvers.engine.loading import RecordInfo, load_record
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.types import record_type
from service.context.agent_pack import AgentPack, AgentPacks, Card, PackRequest
from service.context.agent_pack.read import MOST, MOST_ABOUT, MOST_RUNS
from service.matching.request import LONGEST

strawberry.enum(Entrypoint, description=(Entrypoint.__doc__ or "").strip())


@strawberry.input(description="What an agent is about to do.")
class AgentPackRequest:
    text: str = strawberry.field(
        description=f"What the user wants, up to {LONGEST:,} characters. It is data, no order."
    )
    entrypoint: Entrypoint = strawberry.field(description="What the agent is asked to do.")
    run: RecordRefInput | None = strawberry.field(
        default=None, description="The run that it is about; its scope says what the work is about."
    )
    about: list[RecordRefInput] = strawberry.field(
        default_factory=list[RecordRefInput],
        description=f"Matters, entities, documents and goals that it is about, up to {MOST_ABOUT}. With neither these "
        "nor a run, only what belongs to no matter is told.",
    )
    task_type: str | None = strawberry.field(default=None, description="What type of task it is.")
    request_ref: str | None = strawberry.field(default=None, description="What you call the request.")
    current_conversation_excerpt_ref: str | None = strawberry.field(
        default=None, description="Where an excerpt of the conversation is kept. It is passed on, not read."
    )

    def wanted(self) -> PackRequest:
        return PackRequest(
            self.text,
            self.entrypoint,
            self.run.ref() if self.run else None,
            tuple(one.ref() for one in self.about),
            self.task_type,
            self.request_ref,
            self.current_conversation_excerpt_ref,
        )


@strawberry.type(description="A record in a line, with the id to ask further by.")
class CompactCard:
    id: strawberry.ID = strawberry.field(description="Id of the record.")
    kind: str = strawberry.field(description="Type of the record.")
    name: str = strawberry.field(description="What people call it.")
    detail: str = strawberry.field(description="What it is, or why it is here.")
    score: float | None = strawberry.field(description="How well it fits, or how sure it is, from 0 to 1.")

    @strawberry.field(graphql_type=optional(record_type()), description="The record itself.")
    async def record(self, info: RecordInfo) -> Any:
        return await load_record(info, self.id)


@strawberry.type(description="What the work is about.")
class PackWorkContext:
    matter_refs: list[CompactCard] = strawberry.field(description="Matters.")
    entity_refs: list[CompactCard] = strawberry.field(description="People, organisations, libraries and others.")
    goal_refs: list[CompactCard] = strawberry.field(description="Goals.")


@strawberry.type(description="What there is to work from.")
class PackArtifactContext:
    source_document_refs: list[CompactCard] = strawberry.field(description="Documents and source sets.")
    prior_work_product_refs: list[CompactCard] = strawberry.field(description="What earlier runs have made.")
    prior_task_run_refs: list[CompactCard] = strawberry.field(
        description=f"Earlier runs of the same task or about the same, newest first, up to {MOST_RUNS}."
    )


@strawberry.type(description="What could be used.")
class PackCapabilityContext:
    available_capability_refs: list[CompactCard] = strawberry.field(description="Reported to be up.")
    unavailable_capability_refs: list[CompactCard] = strawberry.field(description="Down, or not authorised.")
    policy_blocked_capability_refs: list[CompactCard] = strawberry.field(description="Denied, up or not.")
    unreported_capability_refs: list[CompactCard] = strawberry.field(
        description="Nobody has said whether they can be used."
    )
    truncated: bool = strawberry.field(description=f"Whether there are more than {MOST} capabilities.")


@strawberry.type(description="What holds for the work.")
class PackConstraints:
    memory_directive_refs: list[CompactCard] = strawberry.field(description="Directives and preferences.")
    security_policy_refs: list[CompactCard] = strawberry.field(description="Restrictions.")
    artifact_policy_refs: list[CompactCard] = strawberry.field(description="Policies of how far artifacts go.")


@strawberry.type(description="What an agent needs to inspect or design a task, within what it is about.")
class AgentContextPack:
    pack_id: str = strawberry.field(description="The same content has the same id. Nothing is stored under it.")
    request_ref: str | None = strawberry.field(description="What you call the request.")
    entrypoint: Entrypoint = strawberry.field(description="What the agent is asked to do.")
    user_intent_summary: str = strawberry.field(description="What the user wants, as it was given.")
    current_conversation_excerpt_ref: str | None = strawberry.field(description="As it was given.")
    relevant_task_templates: list[CompactCard] = strawberry.field(description="Templates that fit.")
    relevant_module_presets: list[CompactCard] = strawberry.field(description="Presets that fit.")
    relevant_task_invocation_directives: list[CompactCard] = strawberry.field(
        description="What the user has taught that holds for this request."
    )
    work_context: PackWorkContext = strawberry.field(description="What the work is about.")
    artifact_context: PackArtifactContext = strawberry.field(description="What there is to work from.")
    capability_context: PackCapabilityContext = strawberry.field(description="What could be used.")
    constraints: PackConstraints = strawberry.field(description="What holds for the work.")


@strawberry.type
class AgentPackQuery:
    @strawberry.field(
        description="What an agent needs to know before it inspects or designs a task: compact cards of what the "
        "request is about and of nothing else. It stores nothing."
    )
    async def agent_context_pack(
        self,
        info: RecordInfo,
        request: Annotated[AgentPackRequest, strawberry.argument(description="What the agent is about to do.")],
    ) -> AgentContextPack:
        return _shown(await service_of(info, AgentPacks).pack(viewer_of(info), request.wanted()))


def _shown(pack: AgentPack) -> AgentContextPack:
    work, made, could, holds = pack.work, pack.artifacts, pack.capabilities, pack.constraints
    return AgentContextPack(
        pack_id=pack.pack_id,
        request_ref=pack.request.request_ref,
        entrypoint=pack.request.entrypoint,
        user_intent_summary=pack.request.text,
        current_conversation_excerpt_ref=pack.request.conversation_ref,
        relevant_task_templates=_cards(pack.templates),
        relevant_module_presets=_cards(pack.presets),
        relevant_task_invocation_directives=_cards(pack.directives),
        work_context=PackWorkContext(
            matter_refs=_cards(work.matters), entity_refs=_cards(work.entities), goal_refs=_cards(work.goals)
        ),
        artifact_context=PackArtifactContext(
            source_document_refs=_cards(made.source_documents),
            prior_work_product_refs=_cards(made.prior_work_products),
            prior_task_run_refs=_cards(made.prior_task_runs),
        ),
        capability_context=PackCapabilityContext(
            available_capability_refs=_cards(could.available),
            unavailable_capability_refs=_cards(could.unavailable),
            policy_blocked_capability_refs=_cards(could.policy_blocked),
            unreported_capability_refs=_cards(could.unreported),
            truncated=could.truncated,
        ),
        constraints=PackConstraints(
            memory_directive_refs=_cards(holds.memory_directives),
            security_policy_refs=_cards(holds.security_policies),
            artifact_policy_refs=_cards(holds.artifact_policies),
        ),
    )


def _cards(cards: Iterable[Card]) -> list[CompactCard]:
    return [
        CompactCard(id=strawberry.ID(one.id), kind=one.kind, name=one.name, detail=one.detail, score=one.score)
        for one in cards
    ]
