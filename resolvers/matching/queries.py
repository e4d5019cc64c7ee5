"""Matching: which asset of the library fits a request, why, and why not the others."""

from typing import Annotated, Any

import strawberry
from strawberry.types.field import StrawberryField

from graph_schema.memory.words import MemoryMode
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.naming import id_of
from resolvers.generated.payloads import RecordPayload, record_payload
from resolvers.matching.answers import (
    AssetKind,
    MatchAnswer,
    MatchComparison,
    ReuseAnswer,
    shown_comparison,
    shown_match,
    shown_reuse,
)
from resolvers.records.commands import CommandId
from service.commands.errors import InputInvalid
from service.matching.keep import KeptMatches
from service.matching.matched import DEFAULT_SHOWN, MOST_SHOWN, Wanted
from service.matching.read import Matching
from service.matching.request import LONGEST


@strawberry.input(description="What is asked for. What is left out counts neither for nor against any asset.")
class MatchRequest:
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


Requested = Annotated[MatchRequest, strawberry.argument(description="What is asked for.")]
Shown = Annotated[int, strawberry.argument(description=f"At most so many losers are shown, up to {MOST_SHOWN}.")]
Kind = Annotated[AssetKind, strawberry.argument(description="What kind of asset is looked for.")]


def _match_field(kind: AssetKind) -> StrawberryField:
    async def match(self: Any, info: RecordInfo, request: Requested, first: Shown = DEFAULT_SHOWN) -> MatchAnswer:
        del self
        _check(first)
        wanted = await _wanted(info, request)
        matched = await service_of(info, Matching).match(viewer_of(info), kind.label, wanted)
        return shaped(info, shown_match(matched, first))

    made: Any = strawberry.field(
        resolver=match,
        name=f"match{kind.label}s",
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
        description="What can be used again: templates, presets, patterns, cases, blueprints, then segments."
    )
    async def reuse_search(self, info: RecordInfo, request: Requested, first: Shown = DEFAULT_SHOWN) -> ReuseAnswer:
        _check(first)
        wanted = await _wanted(info, request)
        return shaped(info, shown_reuse(await service_of(info, Matching).reuse(viewer_of(info), wanted), first))

    @strawberry.field(description="How one asset does for a request, whatever else there is.")
    async def explain_match(
        self,
        info: RecordInfo,
        request: Requested,
        asset: Annotated[RecordRefInput, strawberry.argument(description="The asset.")],
    ) -> MatchAnswer:
        wanted = await _wanted(info, request)
        found = await service_of(info, Matching).explain(viewer_of(info), wanted, asset.ref())
        return shaped(info, shown_match(found, MOST_SHOWN))

    @strawberry.field(description="A kept match beside the same request, matched again as of the time of the first.")
    async def compare_match(
        self,
        info: RecordInfo,
        match: Annotated[RecordRefInput, strawberry.argument(description="The kept match.")],
        first: Shown = DEFAULT_SHOWN,
    ) -> MatchComparison:
        _check(first)
        match_id = await id_of(info, match.ref(), "match", "MatchDecision")
        compared = await service_of(info, KeptMatches).compare(viewer_of(info), match_id)
        return shaped(info, shown_comparison(compared, first))


@strawberry.type
class MatchingMutation:
    @strawberry.mutation(
        description="Match, and keep the answer with all that was weighed, so that it can be compared. Needs curate."
    )
    async def record_match(
        self, info: RecordInfo, kind: Kind, request: Requested, command_id: CommandId = None
    ) -> RecordPayload:
        wanted = await _wanted(info, request)
        outcome = await service_of(info, KeptMatches).keep(viewer_of(info), kind.label, wanted, command_id=command_id)
        return record_payload(await settle(info, outcome))


def _check(first: int) -> None:
    if not 0 <= first <= MOST_SHOWN:
        raise InputInvalid("first", f"must be from 0 to {MOST_SHOWN}")


async def _wanted(info: RecordInfo, request: MatchRequest) -> Wanted:
    entities = None
    if request.entities is not None:
        refs = [one.ref() for one in request.entities]
        entities = await service_of(info, Matching).ids_of(viewer_of(info), refs)
    return Wanted(
        text=request.text,
        task_type=request.task_type,
        inputs=_list(request.inputs),
        outputs=_list(request.outputs),
        capabilities=_list(request.capabilities),
        denied_capabilities=_list(request.denied_capabilities) or (),
        forbidden_side_effects=_list(request.forbidden_side_effects) or (),
        entities=entities,
        memory_policy=request.memory_policy.value if request.memory_policy else None,
        blank=request.blank,
    )


def _list(given: list[str] | None) -> tuple[str, ...] | None:
    return None if given is None else tuple(given)
