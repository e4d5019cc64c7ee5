"""What is mounted for a module at work, by both passes: what it had from the start, and what was added since."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar

from graph_schema.context.words import CapabilityMode, ExpansionBasis, SideEffectPolicy
from graph_schema.library.words import CapabilityState
from service import clock
from service.access.viewer import Viewer
from service.commands import RecordRef, check_activation
from service.commands.errors import RecordMissing
from service.context.expansion import cypher, rules
from service.context.expansion.errors import ModuleMissing
from service.context.expansion.policy import CapabilityPolicy, Standing, barred, policy_in, standing_in
from service.graph.database import Database, Row
from service.views import Id, Linked, word


class MountedBy(StrEnum):
    """How a module comes to have a capability."""

    required = "required"
    allowed = "allowed"
    added = "added"


@dataclass(frozen=True, slots=True, kw_only=True)
class MountedCapability:
    """A capability that a module has."""

    capability_id: Annotated[Id, "Id of the capability."]
    name: Annotated[str, "What people call it."]
    by: Annotated[MountedBy, "How the module comes to have it."]
    state: Annotated[CapabilityState | None, "Whether it can be used, as last reported."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleCapabilities:
    """What a module may use at one activation, as far as you see."""

    mounted: Annotated[
        tuple[MountedCapability, ...],
        "What it requires, what it may use that was up when the run began, and what was added since.",
    ]
    unavailable: Annotated[tuple[Id, ...], "Of these, what is known to be down."]
    allowed: Annotated[tuple[Id, ...], "What it may use."]
    denied: Annotated[tuple[Id, ...], "What it is never given, whatever asks for it."]
    mode: Annotated[CapabilityMode, "How it comes by its capabilities."]
    expansion_enabled: Annotated[bool, "Whether more may be added while it runs."]
    expansion_bases: Annotated[tuple[ExpansionBasis, ...], "On what ground."]
    max_added_capabilities: Annotated[int | None, "How many at most; null for no limit."]
    added_count: Annotated[int, "How many were added so far."]
    capabilities_outside_allowlist_require_approval: Annotated[
        bool, "Whether a person is asked about what is neither allowed nor denied; else it is refused."
    ]
    external_side_effects_require_approval: Annotated[
        bool, "Whether a person is asked before something that acts on the outside world is added."
    ]
    emit_expansion_receipt: Annotated[bool, "Whether each wish for more leaves a receipt with its words."]
    allowed_mcp_servers: Annotated[
        tuple[str, ...] | None, "The only servers whose capabilities it may use; null for any."
    ]
    connector_refs: Annotated[tuple[str, ...] | None, "The only connectors that it may go through; null for any."]
    side_effect_policy: Annotated[SideEffectPolicy, "What it may do to the outside world."]
    snapshot_required: Annotated[bool, "Whether what held is kept with each packet and receipt."]
    preferred_procedure_ids: Annotated[tuple[Id, ...], "Ids of the procedures that it follows before others."]
    preferred_procedures: ClassVar = Linked(
        "preferred_procedure_ids", "The procedures that it follows before others.", "Procedure", many=True
    )


class MountedCapabilities:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, viewer: Viewer, run: RecordRef, module_key: str, activation_seq: int) -> ModuleCapabilities:
        run.check("run", "Run")
        check_activation(activation_seq)
        found = await self._database.read_one(
            cypher.RUN_ID, id=run.id, source=run.source, key=run.key, audiences=viewer.audiences
        )
        if found is None:
            raise RecordMissing(run, "run")
        row = await self._database.read_one(
            cypher.MODULE_IN_RUN,
            run_id=found["id"],
            module_key=module_key,
            activation_seq=activation_seq,
            wanted=[],
            gates=[],
            audiences=viewer.audiences,
        )
        if row is None or not row["known"]:
            raise ModuleMissing(module_key)
        step = {"module_key": module_key, "module_type": row["module_type"]}
        return _capabilities(policy_in(row, row["run"], step, clock.now()), row)


def _capabilities(policy: CapabilityPolicy, row: Row) -> ModuleCapabilities:
    known: list[Row] = row["capabilities"]
    at_start = rules.bound_at_start(policy, known)
    now = rules.mounted(policy, known, frozenset(row["added"]))
    standing = {one["id"]: standing_in(policy, one) for one in known}
    return ModuleCapabilities(
        mounted=tuple(
            _mounted(one, _by(standing[one["id"]], one["id"] in at_start)) for one in known if one["id"] in now
        ),
        unavailable=tuple(one["id"] for one in known if one["id"] in now and rules.is_down(one)),
        allowed=tuple(one["id"] for one in known if standing[one["id"]] is Standing.allowed),
        denied=tuple(one["id"] for one in known if one["id"] in policy.denied or barred(policy, one)),
        mode=policy.mode,
        expansion_enabled=policy.expansion_enabled,
        expansion_bases=tuple(sorted(policy.bases)),
        max_added_capabilities=policy.max_added,
        added_count=len({*row["added"]} & standing.keys()),
        capabilities_outside_allowlist_require_approval=policy.ask_outside,
        external_side_effects_require_approval=policy.ask_external,
        emit_expansion_receipt=policy.emits_receipt,
        allowed_mcp_servers=_listed(policy.servers),
        connector_refs=_listed(policy.connectors),
        side_effect_policy=policy.side_effects,
        snapshot_required=policy.snapshot_required,
        preferred_procedure_ids=tuple(one for one in row["procedures"] if one in policy.preferred),
    )


def _listed(named: frozenset[str] | None) -> tuple[str, ...] | None:
    return None if named is None else tuple(sorted(named))


def _mounted(row: Row, by: MountedBy) -> MountedCapability:
    state = word(CapabilityState, row.get("state"))
    return MountedCapability(capability_id=row["id"], name=row["name"], by=by, state=state)


def _by(standing: Standing, at_start: bool) -> MountedBy:
    if not at_start:
        return MountedBy.added
    return MountedBy.required if standing is Standing.required else MountedBy.allowed
