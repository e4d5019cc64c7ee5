"""The API on a running service: its endpoint and, where it is wanted, its explorer."""

from starlette.requests import HTTPConnection
from starlette.routing import BaseRoute, Route, WebSocketRoute

from embeddings.tokens import Counters
from resolvers.engine.context import Context
from resolvers.engine.http import GraphQLApp
from resolvers.engine.limits import Limits
from resolvers.schema import build_schema
from resolvers.services import Services
from service.context.agent_pack import AgentPacks
from service.context.expansion import Expansions, Finding, MountedCapabilities
from service.context.feedback import ContextFeedback
from service.context.inspection import Asking
from service.context.packets import PacketReads, Packets
from service.context.scope import RunScopes, Scopes
from service.library.commands import Library
from service.library.n8n.commands import N8nWorkflows
from service.matching.keep import KeptMatches
from service.matching.read import Matching
from service.memory.artifact_search import ArtifactSearch
from service.memory.audit import AuditExports
from service.memory.audit.http import audit_routes
from service.memory.continuation import After
from service.memory.extraction.commands import SecondLane
from service.memory.intake.preview import Previews
from service.memory.intents import LibraryIntents
from service.memory.lineage import Lineage
from service.memory.promotion import Promotions
from service.memory.questions import Questions
from service.memory.reporting.door import Door
from service.memory.reporting.http import reporting_routes
from service.memory.retention.settings import ages_of
from service.memory.run_changes import Following
from service.memory.telemetry import Export, Telemetry
from service.memory.telemetry.http import telemetry_routes
from service.observe import current_request_id
from service.runtime.runtime import Runtime
from service.search import Search
from service.settings import Settings
from service.web.explorer import explorer_routes

GRAPHQL = "/graphql"


def api_routes(runtime: Runtime) -> list[BaseRoute]:
    matching = Matching(runtime.database, runtime.embeddings)
    counters = Counters(runtime.settings.home / "tokenizers")
    packet_reads = PacketReads(runtime.database, runtime.embeddings, counters)
    search = Search(runtime.database, runtime.embeddings, runtime.registry)
    audits = AuditExports(runtime.commands, runtime.database, runtime.settings.home)
    search = Search(runtime.database, runtime.embeddings, runtime.registry)
    services = Services(
        registry=runtime.registry,
        records=runtime.records,
        library=Library(runtime.commands),
        after=After(runtime.commands),
        questions=Questions(runtime.database),
        reporting=runtime.reporting,
        second_lane=SecondLane(runtime.commands),
        audits=audits,
        lineage=Lineage(runtime.database, runtime.registry),
        previews=Previews(runtime.database),
        promotions=Promotions(runtime.commands, runtime.registry),
        intents=LibraryIntents(runtime.commands, runtime.registry),
        following=Following(runtime.database, runtime.registry, runtime.events),
        search=search,
        artifact_search=ArtifactSearch(runtime.database, runtime.embeddings, runtime.registry),
        matching=matching,
        kept_matches=KeptMatches(runtime.commands, runtime.database, matching),
        n8n=N8nWorkflows(runtime.commands, runtime.database),
        packets=Packets(runtime.commands, packet_reads),
        expansions=Expansions(runtime.commands, Finding(runtime.database, search)),
        mounted=MountedCapabilities(runtime.database),
        feedback=ContextFeedback(runtime.commands),
        scopes=Scopes(runtime.commands, runtime.database, search),
        run_scopes=RunScopes(runtime.database),
        agent_packs=AgentPacks(runtime.database, matching),
        asking=Asking(runtime.database),
        head=runtime.events,
        ages=ages_of(runtime.settings),
    )

    async def context_for(connection: HTTPConnection) -> Context:
        return Context(
            viewer=connection.state.viewer,
            database=runtime.database,
            request_id=current_request_id() or "",
            services=services,
            # A WebSocket brings its key after it was opened: asked when it is needed, not before.
            renew=lambda: connection.state.current_viewer(),  # noqa: PLW0108
            lasting=connection.scope["type"] == "websocket",
            turns=runtime.access.turns,
            streams=runtime.access.streams,
            awaited=getattr(connection.state, "awaited", None),
        )

    settings = runtime.settings
    schema = build_schema(limits=limits_of(settings), introspection=settings.introspection)
    api = GraphQLApp(schema, context_for, allowed_origins=settings.allowed_origins)
    explorer = explorer_routes(runtime.web_files) if settings.explorer else []
    door = Door(runtime.access.turns, settings.max_body_bytes)
    telemetry = telemetry_routes(Telemetry(runtime.reporting, runtime.metrics), Export(runtime.database), door)
    written = [*reporting_routes(runtime.reporting, door), *telemetry, *audit_routes(audits)]
    return [Route(GRAPHQL, api), WebSocketRoute(GRAPHQL, api), *written, *explorer]


def limits_of(settings: Settings) -> Limits:
    return Limits(
        depth=settings.max_depth,
        aliases=settings.max_aliases,
        tokens=settings.max_tokens,
        page_size=settings.max_page_size,
        cost=settings.max_cost,
    )
