"""What is mounted for a module at work, by both passes: what it had from the start, and what was added since."""

from dataclasses import dataclass
from enum import StrEnum

from service import clock
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.context.expansion import cypher, rules
from service.context.expansion.errors import ModuleMissing
from service.context.expansion.policy import CapabilityPolicy, Standing, policy_in, standing_of
from service.graph.database import Database, Row


class MountedBy(StrEnum):
    """How a module comes to have a capability."""

    required = "required"
    allowed = "allowed"
    added = "added"


@dataclass(frozen=True, slots=True)
class Mounted:
    capability_id: str
    name: str
    by: MountedBy
    state: str | None


@dataclass(frozen=True, slots=True)
class ModuleCapabilities:
    """`unavailable` are required, and known to be down. `denied` and `allowed` name what the viewer may see."""

    policy: CapabilityPolicy
    mounted: tuple[Mounted, ...]
    unavailable: tuple[str, ...]
    allowed: tuple[str, ...]
    denied: tuple[str, ...]
    added_count: int


class MountedCapabilities:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, viewer: Viewer, run: RecordRef, module_key: str, activation_seq: int) -> ModuleCapabilities:
        run.check("run", "Run")
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
    standing = {one["id"]: standing_of(policy, one["id"]) for one in known}
    return ModuleCapabilities(
        policy=policy,
        mounted=tuple(
            Mounted(one["id"], one["name"], _by(standing[one["id"]], one["id"] in at_start), one.get("state"))
            for one in known
            if one["id"] in now
        ),
        unavailable=tuple(one["id"] for one in known if one["id"] in now and rules.is_down(one)),
        allowed=tuple(one["id"] for one in known if standing[one["id"]] is Standing.allowed),
        denied=tuple(one["id"] for one in known if one["id"] in policy.denied),
        added_count=len({*row["added"]} & standing.keys()),
    )


def _by(standing: Standing, at_start: bool) -> MountedBy:
    if not at_start:
        return MountedBy.added
    return MountedBy.required if standing is Standing.required else MountedBy.allowed
