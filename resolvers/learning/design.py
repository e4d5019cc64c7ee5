"""Design sessions: starting one, telling what happened in it, and reading where it stands."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, may_read, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput, input_type
from resolvers.generated.naming import with_matters
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.generated.views import view_type
from resolvers.library.blueprints import BLUEPRINT_INPUT, asked_blueprint
from resolvers.library.graphs import TaskGraph
from resolvers.records.commands import CommandId
from service.commands import RecordRef
from service.learning.design.answer import DesignSessionState, TaskDesignIntakeBundle
from service.learning.design.drafts import GraphDraft
from service.learning.design.inputs import DesignRequest, DesignUpdate
from service.learning.design.read import DesignReader
from service.learning.design.start import StartDesign
from service.learning.design.update import Brought, UpdateDesign

DESIGN = 300
"""What a session costs with what hangs on it, and what became of earlier questions."""

Session = Annotated[RecordRefInput, strawberry.argument(description="The DesignSession.")]
Wanted = Annotated[
    DesignRequest,
    strawberry.argument(
        description="What is wanted, and what you know beside.", graphql_type=input_type(DesignRequest)
    ),
]
Happened = Annotated[
    DesignUpdate, strawberry.argument(description="What happened.", graphql_type=input_type(DesignUpdate))
]

if TYPE_CHECKING:
    OfSession = RecordPayload
    Proposed = Any
else:
    OfSession = payload_of("DesignSession", "OfDesignSession", "The session after the command.")
    Proposed = Annotated[
        optional(BLUEPRINT_INPUT),
        strawberry.argument(description="A blueprint that is proposed: a draft, whoever proposes it."),
    ]


@strawberry.type(description="The session after the command, and where it stands.")
class DesignSessionPayload(OfSession):
    @strawberry.field(
        graphql_type=optional(view_type(DesignSessionState)),
        description="Where the session stands. Null for a key that may not read.",
    )
    async def state(self, info: RecordInfo) -> Any:
        if not may_read(info) or self.record_id is None:
            return None
        return shaped(info, await service_of(info, DesignReader).state(viewer_of(info), RecordRef(id=self.record_id)))


@strawberry.type
class DesignQuery:
    @strawberry.field(
        graphql_type=view_type(DesignSessionState),
        description="Where a design session stands: what is known, which question is worth asking, what is proposed "
        "and what is wrong with it. It stores nothing.",
    )
    async def design_session(self, info: RecordInfo, session: Session) -> Any:
        return shaped(info, await service_of(info, DesignReader).state(viewer_of(info), session.ref()))

    @strawberry.field(
        graphql_type=view_type(TaskDesignIntakeBundle),
        description="All that a design leaves, as one bundle: what was looked at, proposed, said and saved.",
    )
    async def design_bundle(self, info: RecordInfo, session: Session) -> Any:
        return shaped(info, await service_of(info, DesignReader).bundle(viewer_of(info), session.ref()))


@strawberry.type
class DesignMutation:
    @strawberry.mutation(
        description="Begin the design of a task: what it is about, what can be reused, which capabilities, preferences "
        "and shapes hold are looked up and kept. Nothing is proposed yet. Needs curate."
    )
    async def start_design_session(
        self, info: RecordInfo, request: Wanted, command_id: CommandId = None
    ) -> DesignSessionPayload:
        outcome = await service_of(info, StartDesign).start(
            viewer_of(info), await with_matters(info, request), command_id=command_id
        )
        return record_payload(await settle(info, outcome), DesignSessionPayload)

    @strawberry.mutation(
        description="Tell what happened in a design session: questions, answers, what the user said and took, "
        "proposals of a blueprint and a graph, its end. Proposals are checked and wait; nothing is put into use. Needs "
        "curate."
    )
    async def update_design_session(  # noqa: PLR0917 - arguments of a field
        self,
        info: RecordInfo,
        session: Session,
        update: Happened,
        blueprint: Proposed = None,
        graph: Annotated[
            TaskGraph | None, strawberry.argument(description="A graph that is proposed: a draft that no task has.")
        ] = None,
        command_id: CommandId = None,
    ) -> DesignSessionPayload:
        brought = Brought(
            update,
            await asked_blueprint(info, blueprint) if blueprint else None,
            GraphDraft(graph.graph(), graph.ties()) if graph else None,
        )
        outcome = await service_of(info, UpdateDesign).update(
            viewer_of(info), session.ref(), brought, command_id=command_id
        )
        return record_payload(await settle(info, outcome), DesignSessionPayload)
