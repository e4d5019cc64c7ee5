"""The situation of a module that asks: its run and scope, what it is configured to do, and the policies that hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph_schema.context.words import Profile
from graph_schema.memory.policies import PolicyKind
from graph_schema.memory.words import MemoryMode
from service import clock
from service.access.audience import cleared
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.context.expansion.policy import CapabilityPolicy, policy_in
from service.context.packets import cypher
from service.context.packets.basis import Basis, basis_of
from service.context.packets.broad import Bounds, bounds_of
from service.context.packets.errors import (
    DeniedCapability,
    EnvelopeRequired,
    ModuleNotOfRun,
    PolicySnapshotMissing,
    RunOver,
    VisibilityViolation,
)
from service.context.packets.inputs import ContextPacketInput, ModuleConfigInput
from service.context.packets.profiles import Applies, applies, layers_of
from service.context.scope import BY_BLUEPRINT
from service.graph.database import Database
from service.memory.intake import Policies
from service.memory.reporting.fold import ENDED

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Situation:
    run: Row
    envelope: Row
    trigger: Row | None
    step: Row | None
    packet: Row | None
    module_type: str | None
    purpose: str
    """What the task is called and what the module is for: compared with candidates, beside the basis."""
    basis: Basis
    applies: Applies
    capabilities: CapabilityPolicy
    added: frozenset[str]
    settings: tuple[Row, ...]
    """Context and artifact policies that hold, the most specific first."""
    own: tuple[str, ...]
    blueprints: tuple[str, ...]
    type_ids: tuple[str, ...]
    side_effects: tuple[str, ...]
    task_type: str | None
    domains: tuple[str, ...]
    named: tuple[Row, ...]
    bounds: Bounds | None = None
    """What a broad scope declares to look at."""
    planned: tuple[Row, ...] = ()
    """Of a run that nobody has begun: what its scope would bind, as ways of candidates."""

    @property
    def ids(self) -> dict[str, str]:
        """From what the request calls a record to its id."""
        run = str(RecordRef(source=self.run["source"], key=self.run["source_key"]))
        return {run: self.run["id"], **{one["ref"]: one["id"] for one in self.named}}

    @property
    def libraries(self) -> set[str]:
        """Libraries that the scope binds or an input of the module names."""
        named = {one["id"] for one in self.named if one["library"] and one["field"] == "ports.refs"}
        return named.union(self.envelope["libraries"])

    @property
    def matter_ids(self) -> tuple[str, ...]:
        """The matters that the run is about: those of its scope, and its own."""
        return tuple(sorted({*(self.envelope.get("scope_matter_ids") or ()), *self.run["matter_ids"]}))

    @property
    def trigger_kind(self) -> str | None:
        """What began the run: by its trigger, else as it was reported."""
        return (self.trigger or {}).get("trigger_kind") or self.run.get("trigger_kind")

    @property
    def ephemeral(self) -> bool:
        return self.run["memory_mode"] == MemoryMode.full_ephemeral_test

    def of_context(self, name: str) -> list[Any]:
        """What every context policy that holds says of something."""
        speaking = (one for one in self.settings if one["policy_kind"] == PolicyKind.context)
        return [one[name] for one in speaking if one.get(name) not in (None, [])]

    @property
    def denied_layers(self) -> tuple[str, ...]:
        """What any context policy denies, and what the profile that one of them sets as the bound does not have."""
        denied = {layer for one in self.of_context("denied_layers") for layer in one}
        for profile in self.of_context("injection_profile"):
            denied |= {layer for layer in layers_of(Profile.domain_aware) if layer not in layers_of(profile)}
        return tuple(sorted(denied))


async def situation_of(database: Database, viewer: Viewer, asked: ContextPacketInput) -> Situation:
    refs = [
        {"ref": str(ref), "field": field, "id": ref.id, "source": ref.source, "key": ref.key}
        for field, ref in asked.refs()
    ]
    row = await database.read_one(
        cypher.SITUATION,
        audiences=viewer.audiences,
        run={"id": asked.run.id, "source": asked.run.source, "key": asked.run.key},
        module_key=asked.module_key,
        activation_seq=asked.activation_seq,
        module_type=asked.module_type,
        refs=refs,
    )
    if row is None:
        raise RecordMissing(asked.run, "run")
    _check(asked, row)
    found = _situation(asked, row)
    _check_named(asked, found)
    return found


def _check(asked: ContextPacketInput, row: Row) -> None:
    if row["envelope"] is None:
        raise EnvelopeRequired(asked.run)
    if not row["has_policies"]:
        raise PolicySnapshotMissing(asked.run)
    # Of an ephemeral run no activation is kept that could be asked for.
    kept = row["run"]["memory_mode"] != MemoryMode.full_ephemeral_test
    if kept and row["step"] is None and not row["modules"]:
        raise ModuleNotOfRun(asked.module_key, asked.run)
    if row["packet"] is None and row["run"]["status"] in ENDED:
        raise RunOver(asked.run, row["run"]["status"])


def _check_named(asked: ContextPacketInput, found: Situation) -> None:
    known = {one["ref"] for one in found.named}
    for field, ref in asked.refs():
        if str(ref) not in known:
            raise RecordMissing(ref, field)
    for one in found.named:
        if one["field"] == "capabilities" and one["id"] in found.capabilities.denied:
            raise DeniedCapability(one["name"])
        if one["field"] == "documents.document" and not cleared(
            found.envelope["visibility_ceiling"], one["data_class"]
        ):
            raise VisibilityViolation(one["name"], one["data_class"], found.envelope["visibility_ceiling"])


def _situation(asked: ContextPacketInput, row: Row) -> Situation:
    run, envelope = row["run"], row["envelope"]
    modules: Sequence[Row] = row["modules"]
    reported = row["step"]["module_type"] if row["step"] else None
    module_type = _first([asked.module_type, reported, *_each(modules, "module_type")])
    types = [one for one in row["types"] if one["module_type"] == module_type]
    step = {"task_key": run.get("task_key"), "module_key": asked.module_key, "module_type": module_type}
    stored = ModuleConfigInput.of_json(_first(_each(modules, "config")))
    effects = {*([asked.side_effect_class] if asked.side_effect_class else [])}
    effects |= {effect for one in types for effect in one["side_effect_classes"] or ()}
    assets: Sequence[Row] = row["assets"]
    at = clock.now()
    bounds = bounds_of(envelope)
    return Situation(
        run=run,
        envelope=envelope,
        trigger=row["trigger"],
        step=row["step"],
        packet=row["packet"],
        module_type=module_type,
        purpose="\n".join(
            one for one in (run.get("task_name"), _first(_each(modules, "purpose")), _told(bounds)) if one
        ),
        basis=basis_of(module_type, asked.config.over(stored), asked.ports, asked.side_effect_class),
        applies=applies(module_type, model_facing=any(one["model_facing"] for one in types), asked=asked.profile),
        capabilities=policy_in({"links": row["links"], "policies": row["policies"]}, run, step, at),
        added=frozenset(row["added"]),
        settings=Policies(row["settings"]).holding(str(run.get("source")), run, step, at).policies,
        own=tuple(sorted({*_each(assets, "id", template=True), *row["presets"], *row["blueprints"]})),
        blueprints=tuple(row["blueprints"]),
        type_ids=tuple(one["id"] for one in types),
        side_effects=tuple(sorted(effects)),
        task_type=envelope.get("task_type") or _first(_each(assets, "task_type")),
        domains=tuple(sorted({*(envelope.get("domains") or ()), *_all(assets, "domain_tags")})),
        named=tuple(row["named"]),
        bounds=bounds,
    )


def _told(bounds: Bounds | None) -> str | None:
    """What a broad scope says it looks at, unless it is only said that there is one."""
    return bounds.text if bounds and bounds.text != BY_BLUEPRINT else None


def _each(rows: Sequence[Row], name: str, **only: Any) -> list[Any]:
    return [one.get(name) for one in rows if all(one.get(key) == value for key, value in only.items())]


def _all(rows: Sequence[Row], name: str) -> set[str]:
    return {word for one in rows for word in one.get(name) or ()}


def _first(values: Sequence[Any]) -> Any:
    return next((one for one in values if one), None)
