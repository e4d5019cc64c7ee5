"""Matching: which asset of the library fits a request, why, and why not the others."""

from typing import Annotated, Any

import strawberry
from strawberry.types.field import StrawberryField

from graph_schema.memory.words import MemoryMode
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.engine.scalars import enum_type
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.naming import id_of
from resolvers.generated.payloads import RecordPayload, record_payload
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.matching.answer import DEFAULT_SHOWN, MOST_SHOWN, MatchAnswer, ReuseAnswer
from service.matching.assets import AssetKind
from service.matching.comparison import MatchComparison
from service.matching.keep import KeptMatches
from service.matching.read import Matching
from service.matching.replay import MatchReplay
from service.matching.request import LONGEST, MatchRequest

enum_type(AssetKind)


@strawberry.input(
    name="MatchRequest", description="What is asked for. What is left out counts neither for nor against any asset."
)
class MatchRequestInput:
    text: str = strawberry.field(description=f"What the user said, up to {LONGEST:,} characters. It is data, no order.")
    task_type: str | None = strawberry.field(default=None, description="What type of task it is.")
    inputs: list[str] | None = strawberry.field(default=None, description="What is on hand, by kind.")
    outputs: list[str] | None = strawberry.field(default=None, description="What is wanted, by kind.")
    capabilities: list[str] | None = strawberry.field(default=None, description="Capabilities that are available.")
    denied_capabilities: list[str] | None = strawberry.field(
        default=None, description="Capabilities that a policy denies: what needs one of them is ruled out."
    )
    forbidden_side_effects: list[str] | None = strawberry.field(
        default=None, description="Classes of side effect that must not happen."
    )
    entities: list[RecordRefInput] | None = strawberry.field(
        default=None, description="Entities, matters and goals that it is about."
    )
    memory_policy: MemoryMode | None = strawberry.field(
        default=None, description="The memory mode that the task runs under."
    )
    blank: bool = strawberry.field(default=False, description="Whether a blank task was asked for.")


Requested = Annotated[MatchRequestInput, strawberry.argument(description="What is asked for.")]
Shown = Annotated[int, strawberry.argument(description=f"At most so many losers are shown, up to {MOST_SHOWN}.")]
KeptMatch = Annotated[RecordRefInput, strawberry.argument(description="The kept match.")]
Kind = Annotated[AssetKind, strawberry.argument(description="What kind of asset is looked for.")]


def _match_field(kind: AssetKind) -> StrawberryField:
    async def match(self: Any, info: RecordInfo, request: Requested, first: Shown = DEFAULT_SHOWN) -> Any:
        del self
        wanted = await _request(info, request)
        found = await service_of(info, Matching).match(viewer_of(info), kind.label, wanted, first=first)
        return shaped(info, found)

    made: Any = strawberry.field(
        resolver=match,
        name=f"match{kind.label}s",
        graphql_type=view_type(MatchAnswer),
        description=f"Which {kind.value} fits a request, why, and why not the others. It stores nothing.",
    )
    return made


@strawberry.type
class MatchingQuery:
    match_templates = _match_field(AssetKind.template)
    match_presets = _match_field(AssetKind.preset)
    match_patterns = _match_field(AssetKind.pattern)
    match_cases = _match_field(AssetKind.case)
    match_blueprints = _match_field(AssetKind.blueprint)
    match_segments = _match_field(AssetKind.segment)

    @strawberry.field(
        graphql_type=view_type(ReuseAnswer),
        description="What can be used again: templates, presets, patterns, cases, blueprints, then segments.",
    )
    async def reuse_search(self, info: RecordInfo, request: Requested, first: Shown = DEFAULT_SHOWN) -> Any:
        wanted = await _request(info, request)
        return shaped(info, await service_of(info, Matching).reuse(viewer_of(info), wanted, first=first))

    @strawberry.field(
        graphql_type=view_type(MatchAnswer), description="How one asset does for a request, whatever else there is."
    )
    async def explain_match(
        self,
        info: RecordInfo,
        request: Requested,
        asset: Annotated[RecordRefInput, strawberry.argument(description="The asset.")],
    ) -> Any:
        wanted = await _request(info, request)
        return shaped(info, await service_of(info, Matching).explain(viewer_of(info), wanted, asset.ref()))

    @strawberry.field(
        graphql_type=view_type(MatchComparison),
        description="A kept match beside the same request, matched again as of its time, and why they differ.",
    )
    async def compare_match(self, info: RecordInfo, match: KeptMatch, first: Shown = DEFAULT_SHOWN) -> Any:
        match_id = await id_of(info, match.ref(), "match", "MatchDecision")
        return shaped(info, await service_of(info, KeptMatches).compare(viewer_of(info), match_id, first=first))

    @strawberry.field(
        graphql_type=view_type(MatchReplay),
        description="A kept match, decided again from the facts that it keeps, whatever has become of the library.",
    )
    async def replay_match(self, info: RecordInfo, match: KeptMatch, first: Shown = DEFAULT_SHOWN) -> Any:
        match_id = await id_of(info, match.ref(), "match", "MatchDecision")
        return shaped(info, await service_of(info, KeptMatches).replay(viewer_of(info), match_id, first=first))


@strawberry.type
class MatchingMutation:
    @strawberry.mutation(
        description="Match, and keep the answer with the facts of all that was weighed, for replays. Needs curate."
    )
    async def record_match(
        self, info: RecordInfo, kind: Kind, request: Requested, command_id: CommandId = None
    ) -> RecordPayload:
        wanted = await _request(info, request)
        outcome = await service_of(info, KeptMatches).keep(viewer_of(info), kind.label, wanted, command_id=command_id)
        return record_payload(await settle(info, outcome))


async def _request(info: RecordInfo, given: MatchRequestInput) -> MatchRequest:
    """What is asked for, with the ids of what it is about."""
    entities = None
    if given.entities is not None:
        refs = [one.ref() for one in given.entities]
        entities = await service_of(info, Matching).ids_of(viewer_of(info), refs)
    request = MatchRequest(
        text=given.text,
        task_type=given.task_type,
        inputs=_list(given.inputs),
        outputs=_list(given.outputs),
        capabilities=_list(given.capabilities),
        denied_capabilities=_list(given.denied_capabilities) or (),
        forbidden_side_effects=_list(given.forbidden_side_effects) or (),
        entities=entities,
        memory_policy=given.memory_policy.value if given.memory_policy else None,
        blank=given.blank,
    )
    await service_of(info, Matching).check_words(viewer_of(info), request)
    return request


def _list(given: list[str] | None) -> tuple[str, ...] | None:
    return None if given is None else tuple(given)
