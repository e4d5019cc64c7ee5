"""What modules would be given in a run that nobody has begun: the scope that it would have from what is saved, and the
same gates and the same budget as any packet. What comes in at ports is not known yet, and what a user picks is not."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph_schema.context.words import BACKGROUND, Binding, LaunchSurface, TriggerKind
from graph_schema.memory.policies import PolicyKind
from graph_schema.model.fields import LIST_LENGTH, DataClass
from graph_schema.model.record import HIDDEN_STATES
from service.access.audience import audience_of
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.context.expansion.policy import CapabilityPolicy
from service.context.packets.basis import basis_of
from service.context.packets.broad import bounds_of
from service.context.packets.candidates import told_audiences
from service.context.packets.facts import Facts
from service.context.packets.inputs import ContextPacketInput, ModuleConfigInput
from service.context.packets.packet import Computed
from service.context.packets.profiles import applies
from service.context.packets.read import PacketReads, values_of
from service.context.packets.situation import Situation
from service.context.scope import cypher, rules
from service.context.scope.binding import Tie, explicit, matters_of, parts_of, settled, source_sets
from service.context.scope.inputs import RunScopeInput
from service.graph.database import Database

Row = Mapping[str, Any]
MOST_TOLD = 50
"""So many of what is given and of what is kept out are named, the first ones; all are counted."""
AT_ONCE = 4
"""So many modules are looked at at once, so that one report does not keep everybody else waiting."""
NO_RUN = "run_planned"


@dataclass(frozen=True, slots=True)
class PlannedModule:
    """A module of a graph, with the policies that would hold for it."""

    key: str
    type_name: str
    purpose: str | None
    config: str | None
    capabilities: CapabilityPolicy
    settings: tuple[Row, ...]
    """Context and artifact policies that hold, the most specific first."""

    @property
    def says(self) -> tuple[Any, ...]:
        """Modules that say the same are given the same."""
        policies = tuple((one["id"], one["version"]) for one in self.settings)
        return self.type_name, self.purpose, self.config, self.capabilities, policies


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """A run as it would begin now."""

    owner: Row
    """Task or template that it would be of: id, name, source and key, class and matters."""
    others: tuple[str, ...]
    """Its template and blueprint."""
    template_key: str | None
    snapshot: str | None
    memory_mode: str
    at: str
    modules: tuple[PlannedModule, ...]
    triggers: tuple[PlannedModule, ...]


class PlannedPackets:
    def __init__(self, reads: PacketReads, database: Database | None = None) -> None:
        self._reads = reads
        self._database = database or reads.database

    async def of(self, viewer: Viewer, planned: PlannedRun) -> list[dict[str, Any]]:
        """What each of the modules would hold, as plain values."""
        gathered = await self._database.read_one(
            cypher.PLANNED,
            asked={
                "owners": sorted({one for one in (planned.owner.get("id"), *planned.others) if one}),
                "run": NO_RUN,
                "snapshot": planned.snapshot,
                "triggers": [one.key for one in planned.triggers],
                "types": sorted({one.type_name for one in planned.modules}),
            },
            hidden_states=list(HIDDEN_STATES),
            audiences=viewer.audiences,
        )
        scope = await self._scope(viewer, planned, {**(gathered or {}), "named": [], "prior": []})
        made_from: dict[str, list[str]] = {}
        for one in scope.gathered["made_from"]:
            made_from.setdefault(one["module"], []).append(one["preset"])
        groups: dict[tuple[Any, ...], list[PlannedModule]] = {}
        for module in planned.modules:
            groups.setdefault((module.says, *made_from.get(module.key, ())), []).append(module)
        at_once = asyncio.Semaphore(AT_ONCE)

        async def told(some: Sequence[PlannedModule]) -> dict[str, Any]:
            async with at_once:
                return await self._told(viewer, scope, some[0], made_from.get(some[0].key, []))

        found = await asyncio.gather(*map(told, groups.values()))
        by_key = {one.key: each for some, each in zip(groups.values(), found, strict=True) for one in some}
        return [{"module_key": one.key, **by_key[one.key]} for one in planned.modules]

    async def _scope(self, viewer: Viewer, planned: PlannedRun, gathered: Row) -> "_Scope":
        asked = RunScopeInput(RecordRef(id=NO_RUN))
        ties = settled(explicit(asked, gathered), ())
        if sets := source_sets(ties):
            row = await self._database.read_one(
                cypher.PARTS, ids=sets, most=LIST_LENGTH, hidden_states=list(HIDDEN_STATES), audiences=viewer.audiences
            )
            ties = settled([*ties, *parts_of(ties, row["found"] if row else ())], ())
        return _Scope(viewer, planned, gathered, asked, ties)

    async def _told(self, viewer: Viewer, scope: "_Scope", module: PlannedModule, presets: list[str]) -> dict[str, Any]:
        here = scope.situation(module, presets)
        asked = ContextPacketInput(RecordRef(id=NO_RUN), module.key, module_type=module.type_name)
        computed = await self._reads.computed(viewer, asked, here)
        return _plain(computed, frozenset(told_audiences(viewer, here)))


@dataclass(frozen=True)
class _Scope:
    """The scope that the run would have."""

    viewer: Viewer
    planned: PlannedRun
    gathered: Row
    asked: RunScopeInput
    ties: Sequence[Tie]

    def situation(self, module: PlannedModule, presets: Sequence[str]) -> Situation:
        types = [one for one in self.gathered["types"] if one["module_type"] == module.type_name]
        envelope, templates = self._envelope(module), [one["id"] for one in self.gathered["templates"]]
        blueprints = [one["id"] for one in self.gathered["blueprints"]]
        name = next((one["name"] for one in self.gathered["tasks"]), None)
        return Situation(
            run=self._run(),
            envelope=envelope,
            trigger=None,
            step=None,
            packet=None,
            module_type=module.type_name,
            purpose="\n".join(one for one in (name, module.purpose) if one),
            basis=basis_of(module.type_name, ModuleConfigInput.of_json(module.config), ()),
            applies=applies(module.type_name, model_facing=any(one["model_facing"] for one in types), asked=None),
            capabilities=module.capabilities,
            added=frozenset(),
            settings=module.settings,
            own=tuple(sorted({*templates, *presets, *blueprints})),
            blueprints=tuple(blueprints),
            type_ids=tuple(one["id"] for one in types),
            side_effects=tuple(sorted({each for one in types for each in one["side_effect_classes"] or ()})),
            task_type=envelope["task_type"],
            domains=tuple(sorted({*envelope["domains"]})),
            named=(),
            bounds=bounds_of(envelope),
            planned=tuple(_way(one) for one in self.ties),
        )

    def _run(self) -> dict[str, Any]:
        planned, owner = self.planned, self.planned.owner
        return {
            "id": NO_RUN,
            "source": owner.get("source"),
            "source_key": None,
            "data_class": owner.get("data_class") or DataClass.internal.value,
            "matter_ids": list(owner.get("matter_ids") or ()),
            "memory_mode": planned.memory_mode,
            "trigger_kind": self._trigger(),
            "began_at": planned.at,
            "task_key": owner.get("source_key"),
            "template_key": planned.template_key,
        }

    def _envelope(self, module: PlannedModule) -> dict[str, Any]:
        run, bound = self._run(), [one for one in self.ties if one.is_bound]
        return {
            "id": None,
            "task_type": self._task_type(),
            "domains": self._domains(),
            "surface_context_policy": self._surface(module),
            "broad_scope": rules.broad_scope(self.asked, self.gathered["blueprints"]),
            "broad_kinds": [],
            "broad_since": None,
            "broad_until": None,
            "visibility_ceiling": rules.ceiling(self.asked, self.viewer, run, bound).value,
            "scope_matter_ids": sorted({*run["matter_ids"], *matters_of(self.ties)}),
            "warnings": [],
            "excluded": [],
            "sources": [one.record["id"] for one in bound if one.role == "source"],
            "libraries": [one.record["id"] for one in bound if "Library" in one.record["labels"]],
            "reaches": [],
        }

    def _surface(self, module: PlannedModule) -> str:
        kind = self._trigger()
        launched = rules.LAUNCHES.get(TriggerKind(kind), ()) if kind else ()
        surface = launched[0] if launched else LaunchSurface.unknown
        forbids = any(one.get("surface_context_forbidden") for one in module.settings)
        mapped = surface in BACKGROUND and any(one["part"] == "module" for one in self.gathered["saved"])
        return rules.surface_policy(self.asked, surface, mapped=mapped, forbidden=forbids)[0].value

    def _trigger(self) -> str | None:
        """What would begin it: the graph's only trigger, where it is of a kind that is known."""
        kinds = {_OF_TYPE.get(one.type_name, one.type_name.partition(".")[2]) for one in self.planned.triggers}
        known = kinds & {one.value for one in TriggerKind}
        return known.pop() if len(kinds) == len(known) == 1 else None

    def _task_type(self) -> str | None:
        found = (one for name in ("tasks", "templates", "blueprints") for one in self.gathered[name])
        return next((one["task_type"] for one in found if one.get("task_type")), None)

    def _domains(self) -> list[str]:
        tags = [tag for one in self.gathered["templates"] for tag in one["domains"] or ()]
        return list(
            dict.fromkeys([*tags, *(one["domain"] for one in self.gathered["blueprints"] if one.get("domain"))])
        )


_OF_TYPE = {"trigger.file_watch": TriggerKind.file_watcher.value}


def _way(tie: Tie) -> dict[str, Any]:
    """As the envelope of a scope would bind it."""
    told = tie.properties()
    return {"id": tie.record["id"], "way": "bound", **{name: told.get(name) for name in _TOLD}}


_TOLD = ("via", "evidence", "status", "role")


def of_context(policies: Iterable[Row]) -> tuple[Row, ...]:
    """Those of the policies that hold which bear on a packet beside its capabilities."""
    return tuple(one for one in policies if one["policy_kind"] in (PolicyKind.context, PolicyKind.artifact))


def _plain(computed: Computed, everybody: frozenset[str]) -> dict[str, Any]:
    """What is given and kept out, in all, by name, and as far as everybody may know who sees what it is planned for."""
    decided = computed.decided
    values = values_of(computed)
    shared = [one for one in computed.items if _is_shared(computed.candidates[one.id].facts, everybody)]
    return {
        "profile": computed.ground.profile,
        "binding": Binding(values["task_context_binding"]).value,
        "max_tokens": computed.ground.max_tokens,
        "warnings": list(values["warnings"]),
        "tokens": decided.fitted.actual,
        "injected": _counted("layer", (one.layer for one in decided.taken)),
        "excluded": _counted("reason", (one.refusal.reason for one in decided.excluded)),
        "items": [
            {"id": one.id, "name": one.name, "kind": one.record_kind, "layer": one.layer.value, "tokens": one.tokens,
             "why": one.explanation}
            for one in computed.items[:MOST_TOLD]
        ],
        "kept_out": [
            {"id": one.id, "name": one.name, "kind": one.record_kind, "reason": one.code.value, "why": one.message}
            for one in computed.kept_out[:MOST_TOLD]
        ],
        "shared": {
            "tokens": computed.ground.frame_tokens + sum(one.tokens for one in shared),
            "injected": _counted("layer", (one.layer.value for one in shared)),
            "excluded": _counted(
                "reason", (one.refusal.reason for one in decided.excluded if _is_shared(one.facts, everybody))
            ),
        },
    }  # fmt: skip


def _is_shared(facts: Facts, everybody: frozenset[str]) -> bool:
    return audience_of(DataClass(facts.data_class), facts.matter_ids) in everybody


def _counted(name: str, words: Iterable[str]) -> list[dict[str, Any]]:
    counted = Counter(str(one) for one in words)
    return [{name: word, "count": counted[word]} for word in sorted(counted)]
