"""Capabilities of a module at work: what is mounted, and asking for more."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from graph_schema.context.words import CapabilityMode, ExpansionBasis
from graph_schema.library.words import CapabilityState
from resolvers.engine.loading import RecordInfo, load_record, may_read
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.generated.types import record_type
from resolvers.records.commands import CommandId
from service.context.expansion import (
    Expansions,
    ModuleCapabilities,
    Mounted,
    MountedBy,
    MountedCapabilities,
    Result,
    Wish,
)
from service.context.expansion.commands import MOST_WANTED

for _words in (ExpansionBasis, CapabilityMode, CapabilityState):
    strawberry.enum(_words, description=(_words.__doc__ or "").strip())
strawberry.enum(Result, name="ExpansionResult", description=(Result.__doc__ or "").strip())
strawberry.enum(MountedBy, description=(MountedBy.__doc__ or "").strip())


@strawberry.input(description="What a module needs that it was not given, and why.")
class ExpandCapabilitiesInput:
    run: RecordRefInput = strawberry.field(description="The run.")
    module_key: str = strawberry.field(description="The module, as the executor calls it.")
    activation_seq: int = strawberry.field(description="Which activation of that module, from 1.")
    detected_need: str = strawberry.field(description="What it needs, in a sentence.")
    basis: ExpansionBasis = strawberry.field(description="Why it needs it.")
    capabilities: list[RecordRefInput] = strawberry.field(
        default_factory=list,
        description=f"What it asks for, the most needed first, up to {MOST_WANTED}. Without it, what the need names, "
        "else what fits it best, among what you may see in the matters of the run.",
    )
    because_of: RecordRefInput | None = strawberry.field(
        default=None, description="The artifact of the run that brought the need up."
    )

    def wish(self) -> Wish:
        return Wish(
            self.run.ref(),
            self.module_key,
            self.activation_seq,
            self.detected_need,
            self.basis,
            tuple(one.ref() for one in self.capabilities),
            self.because_of.ref() if self.because_of else None,
        )


Need = Annotated[ExpandCapabilitiesInput, strawberry.argument(description="The need.")]


@strawberry.type(description="What became of the wish for one capability.")
class ExpansionOutcome:
    capability_id: strawberry.ID = strawberry.field(description="Id of the capability.")
    result: Result = strawberry.field(description="What became of it.")
    message: str = strawberry.field(description="Why, in a sentence.")
    code: str | None = strawberry.field(description="Why it was not added, as a code.")
    remedy: str | None = strawberry.field(description="What to do about it.")
    gate_id: strawberry.ID | None = strawberry.field(description="The gate that asks a person, or asked one.")
    gate_key: str | None = strawberry.field(description="The key to report its decision under, while it waits.")

    @strawberry.field(graphql_type=optional(record_type("Capability")), description="The capability as it is now.")
    async def capability(self, info: RecordInfo) -> Any:
        return await load_record(info, self.capability_id)


if TYPE_CHECKING:
    OfReceipt = RecordPayload
else:
    OfReceipt = payload_of("ExpansionReceipt")


@strawberry.type(description="The receipt of a wish for more capabilities.")
class ExpandCapabilitiesPayload(OfReceipt):
    approval_required: bool = strawberry.field(default=False, description="Whether a person is asked about some of it.")
    outcomes: list[ExpansionOutcome] = strawberry.field(
        default_factory=list, description="What became of each, in the order of the wish."
    )
    mounted: list[strawberry.ID] = strawberry.field(default_factory=list, description="Ids of what the module has now.")


@strawberry.type(description="A capability that a module has.")
class MountedCapability:
    capability_id: strawberry.ID = strawberry.field(description="Id of the capability.")
    name: str = strawberry.field(description="What people call it.")
    by: MountedBy = strawberry.field(description="How the module comes to have it.")
    state: CapabilityState | None = strawberry.field(description="Whether it can be used, as last reported.")


@strawberry.type(name="ModuleCapabilities", description="What a module may use at one activation, as far as you see.")
class ModuleCapabilitiesInfo:
    mounted: list[MountedCapability] = strawberry.field(
        description="What it requires, what it may use that was up when the run began, and what was added since."
    )
    unavailable: list[strawberry.ID] = strawberry.field(description="Of these, what is known to be down.")
    allowed: list[strawberry.ID] = strawberry.field(description="What it may use.")
    denied: list[strawberry.ID] = strawberry.field(description="What it is never given, whatever asks for it.")
    mode: CapabilityMode = strawberry.field(description="How it comes by its capabilities.")
    expansion_enabled: bool = strawberry.field(description="Whether more may be added while it runs.")
    expansion_bases: list[ExpansionBasis] = strawberry.field(description="On what ground.")
    max_added_capabilities: int | None = strawberry.field(description="How many at most; null for no limit.")
    added_count: int = strawberry.field(description="How many were added so far.")
    capabilities_outside_allowlist_require_approval: bool = strawberry.field(
        description="Whether a person is asked about what is neither allowed nor denied; else it is refused."
    )
    external_side_effects_require_approval: bool = strawberry.field(
        description="Whether a person is asked about what acts on the outside world."
    )


@strawberry.type
class ExpansionQuery:
    @strawberry.field(description="What a module of a run may use at one activation, and by what policy.")
    async def mounted_capabilities(
        self,
        info: RecordInfo,
        run: Annotated[RecordRefInput, strawberry.argument(description="The run.")],
        module_key: Annotated[str, strawberry.argument(description="The module, as the executor calls it.")],
        activation_seq: Annotated[int, strawberry.argument(description="Which activation of it, from 1.")],
    ) -> ModuleCapabilitiesInfo:
        found = await service_of(info, MountedCapabilities).of(viewer_of(info), run.ref(), module_key, activation_seq)
        return _shown(found)


@strawberry.type
class ExpansionMutation:
    @strawberry.mutation(
        description="Ask for more capabilities for a module at work. Its policy decides for each; what came of it is "
        "kept as a receipt. Needs report."
    )
    async def expand_capabilities(
        self,
        info: RecordInfo,
        input: Need,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> ExpandCapabilitiesPayload:
        outcome = await service_of(info, Expansions).expand(viewer_of(info), input.wish(), command_id=command_id)
        await settle(info, outcome)
        result = outcome.result
        return record_payload(
            outcome,
            ExpandCapabilitiesPayload,
            approval_required=result["approval_required"],
            outcomes=[_outcome(one, told=may_read(info)) for one in result["outcomes"]],
            mounted=[strawberry.ID(one) for one in result["mounted"]],
        )


def _outcome(one: dict[str, Any], *, told: bool) -> ExpansionOutcome:
    """Why names the capability, which a key without the scope `read` may not know."""
    result, rest = Result(one["result"]), _rest(one)
    if not told:
        rest["remedy"] = None
    message = one["explanation"] if told else f"It is {result.value.replace('_', ' ')}; the scope read tells why."
    return ExpansionOutcome(result=result, message=message, **rest)


def _rest(one: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in one.items() if name not in {"result", "explanation"}}


def _shown(found: ModuleCapabilities) -> ModuleCapabilitiesInfo:
    policy = found.policy
    return ModuleCapabilitiesInfo(
        mounted=[_mounted(one) for one in found.mounted],
        unavailable=[strawberry.ID(one) for one in found.unavailable],
        allowed=[strawberry.ID(one) for one in found.allowed],
        denied=[strawberry.ID(one) for one in found.denied],
        mode=policy.mode,
        expansion_enabled=policy.expansion_enabled,
        expansion_bases=sorted(policy.bases),
        max_added_capabilities=policy.max_added,
        added_count=found.added_count,
        capabilities_outside_allowlist_require_approval=policy.ask_outside,
        external_side_effects_require_approval=policy.ask_external,
    )


def _mounted(one: Mounted) -> MountedCapability:
    state = CapabilityState(one.state) if one.state else None
    return MountedCapability(capability_id=strawberry.ID(one.capability_id), name=one.name, by=one.by, state=state)
