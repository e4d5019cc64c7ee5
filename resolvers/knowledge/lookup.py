"""Looking things up: modules, settings, patterns, decisions, capabilities, models, graphs, documents."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import strawberry

from graph_schema.knowledge.words import DecisionFamily, PortKind
from graph_schema.library.words import ModuleFamily
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.engine.scalars import enum_type
from resolvers.generated.construction import optional
from resolvers.generated.inputs import input_type
from resolvers.generated.naming import with_matters
from resolvers.generated.payloads import CommandPayload, command_facts
from resolvers.generated.views import view_type
from resolvers.knowledge.preflights import Graph, Of, subject_of
from resolvers.records.commands import CommandId
from service.commands.errors import InputInvalid
from service.knowledge.lookup.graphs import GraphExplanation, GraphLookups, GraphValidation
from service.knowledge.lookup.models import ModelNeed
from service.knowledge.lookup.profile import AgentEducation, Education
from service.knowledge.lookup.read import KnowledgeAnswer, Lookups, ModuleWish
from service.knowledge.lookup.turn import Turn
from service.knowledge.preflight.simulate import Simulation
from service.knowledge.specs.commands import SpecDocumentInput, SpecDocuments
from service.knowledge.specs.read import SpecAnswer, SpecLookup, SpecObjectKind, SpecQuestion

MOST_ASKED = 50
Asked = Annotated[str, strawberry.argument(description="What is sought, in words; all when it is empty.")]
First = Annotated[int, strawberry.argument(description=f"How many at most, from 1 to {MOST_ASKED}.")]
ModuleType = Annotated[str, strawberry.argument(description="The type in the catalogue, such as step.judge.")]
Family = Annotated[
    ModuleFamily | None,
    strawberry.argument(description="Its family.", graphql_type=optional(enum_type(ModuleFamily))),
]
Accepts = Annotated[
    PortKind | None,
    strawberry.argument(description="What it must be able to take.", graphql_type=optional(enum_type(PortKind))),
]
Gives = Annotated[
    PortKind | None,
    strawberry.argument(description="What it must be able to give.", graphql_type=optional(enum_type(PortKind))),
]
Decision = Annotated[
    DecisionFamily, strawberry.argument(description="The decision.", graphql_type=enum_type(DecisionFamily))
]
Need = Annotated[
    ModelNeed,
    strawberry.argument(description="What the model is needed for.", graphql_type=input_type(ModelNeed)),
]
ObjectKind = Annotated[
    SpecObjectKind | None,
    strawberry.argument(
        description="What the section is expected to define.", graphql_type=optional(enum_type(SpecObjectKind))
    ),
]
Registered = Annotated[
    SpecDocumentInput,
    strawberry.argument(description="The document.", graphql_type=input_type(SpecDocumentInput)),
]


async def shared(info: RecordInfo, work: Callable[[Turn], Awaitable[Any]]) -> Any:
    """All lookups of a request take from one allowance, in the order in which the document asks for them."""
    turn = info.context.shared.setdefault(Turn, Turn())
    async with turn.lock:
        return shaped(info, await work(turn))


def _checked(first: int) -> int:
    if not 1 <= first <= MOST_ASKED:
        raise InputInvalid("first", f"it is from 1 to {MOST_ASKED}")
    return first


@strawberry.type
class LookupQuery:
    @strawberry.field(
        graphql_type=view_type(AgentEducation),
        description="What the Task Agent is taught from, how much of it at once, and what it is held to.",
    )
    async def agent_education(self, info: RecordInfo) -> Any:
        return shaped(info, await service_of(info, Education).now(viewer_of(info)))

    @strawberry.field(
        graphql_type=view_type(KnowledgeAnswer),
        description="Module types that fit, from the catalogue as it is now. This and the other lookups share, within "
        "one request, the cards and tokens that the education profile allows.",
    )
    async def find_modules(  # noqa: PLR0917 - arguments of a field
        self,
        info: RecordInfo,
        text: Asked = "",
        family: Family = None,
        accepts: Accepts = None,
        gives: Gives = None,
        first: First = 10,
    ) -> Any:
        wish = ModuleWish(family=family, accepts=accepts, gives=gives)
        lookups, most = service_of(info, Lookups), _checked(first)
        return await shared(info, lambda turn: lookups.modules(viewer_of(info), turn, text, wish, most))

    @strawberry.field(
        graphql_type=view_type(KnowledgeAnswer),
        description="All that is known of a module type: what it takes, gives and can be set to, why and when.",
    )
    async def module_guide(self, info: RecordInfo, module_type: ModuleType) -> Any:
        lookups = service_of(info, Lookups)
        return await shared(info, lambda turn: lookups.module(viewer_of(info), turn, module_type))

    @strawberry.field(
        graphql_type=view_type(KnowledgeAnswer),
        description="What can be set of a module type, or one setting of it, with why one would.",
    )
    async def config_guide(
        self,
        info: RecordInfo,
        module_type: ModuleType,
        field: Annotated[str | None, strawberry.argument(description="The setting; all of them when left out.")] = None,
    ) -> Any:
        lookups = service_of(info, Lookups)
        return await shared(info, lambda turn: lookups.setting(viewer_of(info), turn, module_type, field))

    @strawberry.field(
        graphql_type=view_type(KnowledgeAnswer), description="Patterns that fit, or anti-patterns, as they are now."
    )
    async def find_patterns(
        self,
        info: RecordInfo,
        text: Asked = "",
        anti: Annotated[bool, strawberry.argument(description="Whether what is to be avoided is sought.")] = False,
        first: First = 10,
    ) -> Any:
        lookups, most = service_of(info, Lookups), _checked(first)
        return await shared(info, lambda turn: lookups.patterns(viewer_of(info), turn, text, anti=anti, first=most))

    @strawberry.field(
        graphql_type=view_type(KnowledgeAnswer),
        description="The cards for a decision: its own, then doctrine and hints that bear on it.",
    )
    async def decision_guide(self, info: RecordInfo, family: Decision, text: Asked = "") -> Any:
        lookups = service_of(info, Lookups)
        return await shared(info, lambda turn: lookups.decision(viewer_of(info), turn, family, text))

    @strawberry.field(
        graphql_type=view_type(KnowledgeAnswer),
        description="Capabilities that could serve a need, with whether they can be used now.",
    )
    async def find_capabilities(
        self,
        info: RecordInfo,
        need: Annotated[str, strawberry.argument(description="What is needed, in words.")],
        first: First = 10,
    ) -> Any:
        lookups, most = service_of(info, Lookups), _checked(first)
        return await shared(info, lambda turn: lookups.capabilities(viewer_of(info), turn, need, most))

    @strawberry.field(
        graphql_type=view_type(KnowledgeAnswer),
        description="Which class of model the written policy asks for, and which models there are of it.",
    )
    async def recommend_model(self, info: RecordInfo, need: Need) -> Any:
        lookups = service_of(info, Lookups)
        return await shared(info, lambda turn: lookups.models(viewer_of(info), turn, need))

    @strawberry.field(
        graphql_type=view_type(SpecAnswer),
        description="What the registered documents say: the exact section first, cited. Our own are among them.",
    )
    async def spec_lookup(
        self,
        info: RecordInfo,
        query: Annotated[str, strawberry.argument(description="A heading, or words of what is sought.")],
        owner: Annotated[
            str | None, strawberry.argument(description="Only of documents about this part of the system.")
        ] = None,
        expected_object_kind: ObjectKind = None,
        first: First = 5,
    ) -> Any:
        specs, most = service_of(info, SpecLookup), _checked(first)
        asked = SpecQuestion(query, owner, expected_object_kind)
        return await shared(info, lambda turn: specs.look_up(viewer_of(info), turn, asked, most))


@strawberry.type
class GraphLookupQuery:
    @strawberry.field(
        graphql_type=view_type(GraphExplanation),
        description="What a graph does, module by module, in words made from the graph and the catalogue.",
    )
    async def explain_graph(self, info: RecordInfo, of: Of = None, graph: Graph = None) -> Any:
        subject = await subject_of(info, of, graph)
        return shaped(info, await service_of(info, GraphLookups).explain(viewer_of(info), subject))

    @strawberry.field(
        graphql_type=view_type(GraphValidation),
        description="Whether a graph can be run, by the catalogue alone. `preflight` looks at more.",
    )
    async def validate_graph(self, info: RecordInfo, of: Of = None, graph: Graph = None) -> Any:
        subject = await subject_of(info, of, graph)
        return shaped(info, await service_of(info, GraphLookups).validate(viewer_of(info), subject))

    @strawberry.field(
        graphql_type=view_type(Simulation),
        description="A dry walk of a graph on sample inputs: what would run in which order, where it waits, what is "
        "never reached. Nothing is executed.",
    )
    async def simulate_graph(
        self,
        info: RecordInfo,
        of: Of = None,
        graph: Graph = None,
        sample_inputs: Annotated[
            list[str] | None,
            strawberry.argument(description="Modules that bring something, of those that begin; all when left out."),
        ] = None,
        passed: Annotated[list[str] | None, strawberry.argument(description="Gates where a person has agreed.")] = None,
    ) -> Any:
        subject = await subject_of(info, of, graph)
        lookups = service_of(info, GraphLookups)
        return shaped(info, await lookups.simulate(viewer_of(info), subject, sample_inputs, passed or ()))


@strawberry.type(description="What became of a document.")
class SpecDocumentPayload(CommandPayload):
    sections: int = strawberry.field(default=0, description="Sections that it has now.")
    changed: bool = strawberry.field(default=False, description="Whether anything is otherwise than before.")


@strawberry.type
class SpecMutation:
    @strawberry.mutation(
        description="Register a document for exact look-up, or its new text: its sections take the place of those "
        "before. Needs curate."
    )
    async def register_spec_document(
        self,
        info: RecordInfo,
        input: Registered,  # noqa: A002 - as all commands call it
        command_id: CommandId = None,
    ) -> SpecDocumentPayload:
        outcome = await service_of(info, SpecDocuments).register(
            viewer_of(info), await with_matters(info, input), command_id=command_id
        )
        told = (await settle(info, outcome)).result
        return SpecDocumentPayload(**command_facts(outcome), sections=told["sections"], changed=told["changed"])
