"""From what is named to what is known of it: plain JSON, which the checks read and a kept preflight keeps."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import orjson

from graph_schema.memory.policies import EVERY_TASK, PolicyKind
from graph_schema.memory.words import ArtifactKind, MemoryMode, OutputClass
from service import clock
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.context.expansion.policy import CapabilityPolicy, barred, policy_in
from service.context.packets.planned import PlannedModule, PlannedPackets, PlannedRun, of_context
from service.graph.database import Database, Row
from service.knowledge.catalogue import cypher as catalogue
from service.knowledge.errors import PreflightSubject
from service.knowledge.preflight import cypher
from service.knowledge.preflight.capabilities import model_of, wishes
from service.knowledge.preflight.facts import NONE, STARTING, Facts, ModuleFacts, facts_of
from service.library.graphs import GraphInput, canonical, graph_hash, graph_of
from service.memory.intake import Policies
from service.memory.reporting import intake
from service.memory.reporting.policy import Rules, RunPolicy, settled
from service.views import OrNull

MOST_RUNS = 50
"""Runs that tell how modules did."""
MOST_COUNTED = 1_000
Raw = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightRequest:
    """How it would be run, as far as that is known before."""

    memory_mode: Annotated[MemoryMode, "How much of the run would be remembered."] = MemoryMode.standard
    inputs: Annotated[OrNull[tuple[str, ...]] | None, "What is on hand, by kind or name; unknown when left out."] = None
    max_cost_usd: Annotated[float | None, "What it may cost; what the cost policies say when left out."] = None


@dataclass(frozen=True, slots=True)
class Subject:
    """What is examined: a record, a graph that is not saved yet, or the one in place of the other's."""

    of: str | None = None
    graph: GraphInput | None = None

    def check(self) -> None:
        if self.of is None and self.graph is None:
            raise PreflightSubject("neither a record nor a graph was given")


class PreflightFacts:
    def __init__(self, database: Database, packets: PlannedPackets | None = None) -> None:
        """`packets`: says what modules would be given; for whoever needs the whole report."""
        self._database = database
        self._packets = packets

    async def of(self, viewer: Viewer, subject: Subject, asked: PreflightRequest, at: str) -> Raw:
        """All that is known, for who asks."""
        subject.check()
        row = await self._subject(viewer, subject)
        graph = canonical(subject.graph) if subject.graph else _graph(row)
        if graph is None and row["blueprint"] is None:
            raise PreflightSubject("it has neither a graph nor a blueprint that you can see")
        raw = _begun(row, graph, asked, graph_given=subject.graph is not None)
        raw["types"] = await self._types(viewer, graph)
        control = await self._control(row)
        raw |= held(row["owner"], raw, control, asked, at)
        raw["capabilities"] = await self._capabilities(viewer, raw)
        raw["standing"] = with_barred(row["owner"], raw, control, asked, at)
        if self._packets is not None:
            planned = _planned(row, raw, control, asked, at)
            raw["context"] = await self._packets.of(viewer, planned) if planned.modules else []
        return raw | await self._past(viewer, row, raw)

    async def shape(self, viewer: Viewer, subject: Subject) -> Raw:
        """The graph and its types alone: no policies, no past."""
        subject.check()
        row = await self._subject(viewer, subject)
        graph = canonical(subject.graph) if subject.graph else _graph(row)
        if graph is None:
            raise PreflightSubject("it has no graph that you can see")
        begun = _begun(row, graph, PreflightRequest())
        return {**begun, "types": await self._types(viewer, graph)}

    async def standing(self, viewer: Viewer, subject: Subject, at: str | None = None) -> Raw:
        """The graph, its types, and what each module may use: no past."""
        row = await self._subject(viewer, subject)
        raw = await self.shape(viewer, subject)
        control = await self._control(row)
        asked, at = PreflightRequest(), at or clock.now()
        raw |= held(row["owner"], raw, control, asked, at)
        raw |= {"capabilities": await self._capabilities(viewer, raw)}
        return {**raw, "standing": with_barred(row["owner"], raw, control, asked, at)}

    async def _subject(self, viewer: Viewer, subject: Subject) -> Row:
        if subject.of is None:
            return _NOTHING
        row = await self._database.read_one(cypher.SUBJECT, id=subject.of, audiences=viewer.audiences)
        if row is None:
            raise RecordMissing(RecordRef(id=subject.of), "of")
        return row

    async def _types(self, viewer: Viewer, graph: GraphInput | None) -> list[Row]:
        names = sorted({one.module_type for one in graph.modules}) if graph else []
        row = await self._database.read_one(catalogue.TYPES, types=names, audiences=viewer.audiences)
        return sorted(row["found"], key=lambda one: one["module_type"]) if row else []

    async def _control(self, row: Row) -> Row:
        owner, template = row["owner"] or NONE, row["template"] or NONE
        found = await self._database.read_one(
            cypher.CONTROL,
            tasks=[EVERY_TASK, *([owner["source_key"]] if owner.get("source_key") else [])],
            assets=sorted({one["id"] for one in (owner, template) if one}),
            blueprint=(row["blueprint"] or NONE).get("id"),
            snapshot=(row["graph"] or NONE).get("id"),
        )
        return found or {"policies": [], "links": []}

    async def _capabilities(self, viewer: Viewer, raw: Raw) -> list[Row]:
        ids = {one for held in raw["standing"].values() for one in (*held["required"], *held["allowed"])}
        words = sorted({word.lower() for word in _wishes(facts_of(raw))})
        row = await self._database.read_one(
            cypher.CAPABILITIES, ids=sorted(ids), words=words, audiences=viewer.audiences
        )
        return row["found"] if row else []

    async def _past(self, viewer: Viewer, row: Row, raw: Raw) -> Raw:
        names = {"task": _named(row["owner"], "Task"), "template": _named(row["template"])}
        held = {"audiences": viewer.audiences}
        estimates = await self._database.read_one(
            cypher.ESTIMATES, graph_hash=(raw["graph"] or NONE).get("graph_hash"), most=MOST_COUNTED, **names, **held
        )
        recent = await self._database.read_one(cypher.RECENT_RUNS, most=MOST_RUNS, **names, **held)
        ids: list[str] = recent["ids"] if recent else []
        modules = [*facts_of(raw).modules]
        snapshot = (row["graph"] or NONE).get("id") if not raw["asked"]["graph_given"] else None
        past = await self._database.read_one(cypher.PAST, ids=ids, modules=modules, snapshot=snapshot, **held)
        return {
            "estimates": estimates,
            "recent_runs": len(ids),
            **_used(past or NONE),
            "packets": (past or NONE)["packets"],
        }


_NOTHING: Row = {
    **dict.fromkeys(("subject", "owner", "template", "graph", "blueprint")),
    "whole": None,
    "modules": [],
    "cables": [],
    "presets": [],
    "libraries": [],
}


def _graph(row: Row) -> GraphInput | None:
    return graph_of(row) if row["graph"] and row["modules"] else None


def _begun(row: Row, graph: GraphInput | None, asked: PreflightRequest, *, graph_given: bool = False) -> Raw:
    blueprint = row["blueprint"]
    return {
        "subject": row["subject"],
        "owner": row["owner"],
        "graph": {**asdict(graph), "graph_hash": graph_hash(graph)} if graph else None,
        "blueprint": {**blueprint, "steps": [_step(one) for one in blueprint["steps"]]} if blueprint else None,
        "presets": {one["module"]: one for one in row["presets"]},
        "libraries": row["libraries"],
        "memory_mode": asked.memory_mode.value,
        "inputs": list(asked.inputs) if asked.inputs is not None else None,
        "asked": {"max_cost_usd": asked.max_cost_usd, "graph_given": graph_given},
    }


def _step(one: Row) -> Raw:
    return {**one, "expected_output_refs": one.get("expected_output_refs") or []}


def _named(record: Row | None, kind: str | None = None) -> list[Raw]:
    if not record or not record.get("source_key") or (kind and record.get("kind") != kind):
        return []
    return [{"source": record["source"], "key": record["source_key"]}]


def held(owner: Row | None, raw: Raw, control: Row, asked: PreflightRequest, at: str) -> Raw:
    """What policies come to for each module, for its outputs and for the cost of it all."""
    run = _run(owner, asked)
    facts = facts_of(raw)
    policies = Policies([one["states"] for one in control["policies"]])
    settings = policies.holding(str(run["source"]), run, {"task_key": run["task_key"]}, at).policies
    limits = [
        one["max_cost_usd"] for one in settings if one["policy_kind"] == PolicyKind.cost and "max_cost_usd" in one
    ]
    return {
        "standing": _standing(facts, control, run, at),
        "intake": [*_intake(facts, policies, run, at)],
        "endpoints": sorted({one["endpoint"] for one in settings if one.get("endpoint")}),
        "max_cost_usd": asked.max_cost_usd if asked.max_cost_usd is not None else min(limits, default=None),
    }


def _run(owner: Row | None, asked: PreflightRequest) -> Raw:
    """A run as it would be, for what policies ask about it."""
    owner = owner or {"data_class": "internal", "matter_ids": [], "source": None, "source_key": None}
    run = settled(RunPolicy(
        memory_mode=asked.memory_mode, data_class=owner["data_class"], matter_ids=owner["matter_ids"]
    ))  # fmt: skip
    return run | {"source": owner["source"], "task_key": owner["source_key"]}


def _planned(row: Row, raw: Raw, control: Row, asked: PreflightRequest, at: str) -> PlannedRun:
    """The run as it would begin now, with the modules that would be given a packet."""
    facts, run = facts_of(raw), _run(row["owner"], asked)
    policies = Policies([one["states"] for one in control["policies"]])

    def module(one: ModuleFacts) -> PlannedModule:
        step = {"module_key": one.key, "module_type": one.type_name}
        told = {"task_key": run["task_key"], **step}
        return PlannedModule(
            one.key,
            one.type_name,
            one.told.get("purpose"),
            one.told.get("config"),
            _capability_policy(control, run, one.key, one.type_name, at),
            of_context(policies.holding(str(run["source"]), run, told, at).policies),
        )

    others = (row["owner"] and (row["template"] or NONE).get("id"), (row["blueprint"] or NONE).get("id"))
    return PlannedRun(
        owner=row["owner"] or NONE,
        others=tuple(one for one in others if one),
        template_key=(row["template"] or NONE).get("source_key"),
        snapshot=(row["graph"] or NONE).get("id") if not raw["asked"]["graph_given"] else None,
        memory_mode=asked.memory_mode.value,
        at=at,
        modules=tuple(module(one) for one in facts.enabled if one.packet.applicable),
        triggers=tuple(module(one) for one in facts.enabled if one.family == "trigger"),
    )


def _capability_policy(control: Row, run: Raw, key: str, module_type: str | None, at: str) -> CapabilityPolicy:
    of_capability = [one for one in control["policies"] if one["states"][0].get("policy_kind") == PolicyKind.capability]
    told = [one for one in control["links"] if one["module"] in (None, key)]
    step = {"module_key": key, "module_type": module_type}
    return policy_in({"links": told, "policies": of_capability}, run, step, at)


def _standing(facts: Facts, control: Row, run: Raw, at: str) -> Raw:
    links: list[Row] = control["links"]
    found: Raw = {}
    for key, module_type in [("*", None), *((one.key, one.type_name) for one in facts.modules.values())]:
        policy = _capability_policy(control, run, key, module_type, at)
        # What the whole task needs is asked of the task; a module is asked for what it, its preset or its step needs.
        own = {one["capability"] for one in links if one["module"] == key} if key != "*" else set[str]()
        found[key] = _policy(policy, own if key != "*" else None)
    return found


def with_barred(owner: Row | None, raw: Raw, control: Row, asked: PreflightRequest, at: str) -> Raw:
    """What each module may use, where a policy also shuts out where something comes from, or what it does."""
    run, facts = _run(owner, asked), facts_of(raw)
    types = {"*": None, **{one.key: one.type_name for one in facts.modules.values()}}
    found: Raw = {}
    for key, standing in raw["standing"].items():
        policy = _capability_policy(control, run, key, types[key], at)
        shut = {one["id"]: ["Policy"] for one in raw["capabilities"] if barred(policy, one)}
        found[key] = {**standing, "denied": {**shut, **standing["denied"]}}
    return found


def _policy(policy: CapabilityPolicy, own: set[str] | None) -> Raw:
    required = policy.required if own is None else policy.required & own
    allowed = policy.allowed if own is None else (policy.allowed | policy.required) - required
    return {
        "mode": policy.mode.value,
        "required": sorted(required),
        "allowed": sorted(allowed),
        "denied": {one: policy.said_by("DENIES", one) for one in sorted(policy.denied)},
        "own": sorted(own or ()),
    }


def _wishes(facts: Facts) -> list[str]:
    return [word for one in facts.enabled for word in (*wishes(facts, one), model_of(one)) if word]


def _intake(facts: Facts, policies: Policies, run: Raw, at: str) -> list[Raw]:
    blueprint = facts.blueprint or NONE
    substantial = blueprint.get("output_stakes") in ("client_facing", "filing_or_binding")
    found: list[Raw] = []
    for module in facts.enabled:
        if (
            module.passive
            or module.family in STARTING | {"output"}
            or module.waits
            or not (module.type and module.type.outputs)
        ):
            continue
        part = OutputClass.final_output if is_last(facts, module) else OutputClass.intermediate_output
        final = part is OutputClass.final_output
        told = {
            "task_key": run["task_key"],
            "module_key": module.key,
            "module_type": module.type_name,
            "output_class": part.value,
            "artifact_kind": (ArtifactKind.document if substantial and final else ArtifactKind.text_output).value,
            "step_intent_level": _override(facts, module),
            "task_level": blueprint.get("artifact_policy") if final else None,
        }
        decided = intake.decide(Rules(run), told, policies.holding(str(run["source"]), run, told, at))
        found.append({
            "module_key": module.key,
            "output_class": part.value,
            "level": decided.level.value,
            "rule": decided.rule.value,
            "endpoint": decided.endpoint.value if decided.endpoint else None,
        })  # fmt: skip
    return found


def is_last(facts: Facts, module: ModuleFacts) -> bool:
    """Whether no model works on what it makes."""
    behind = facts.reached(one.head.key for one in facts.leaving.get(module.key, ())) - {module.key}
    return not any((known := facts.modules[one].type) and known.says("model_facing") for one in behind)


def _override(facts: Facts, module: ModuleFacts) -> str | None:
    told = (one.get("artifact_policy_override") for one in facts.steps() if module.key in one["modules"])
    return next((one for one in told if one), None)


def _used(past: Mapping[str, Any]) -> Raw:
    """Per module and capability; what a module had and never used is told with no calls."""
    rows: Sequence[Row] = past.get("used", ())
    return {
        "module_runs": {one["module_key"]: one["runs"] for one in rows},
        "use": [{**each, "module_key": one["module_key"], "runs": one["runs"]} for one in rows for each in one["used"]],
        "outputs": past.get("outputs", []),
        "tests": [*_tried(rows), *past.get("evaluated", ()), *past.get("prompt_tests", ())],
        "checkpoints": past.get("checkpoints", []),
    }


def _tried(rows: Sequence[Row]) -> list[Raw]:
    """What running it shows: how often it ran, and how often that failed."""
    return [
        {"module_key": one["module_key"], "test": "earlier_runs", "times": one["steps"], "failed": one["failed"]}
        for one in rows
    ]


def keepable(raw: Raw) -> Raw:
    """As much of it as whoever sees the record may know: of what modules would be given, counts of what all of them
    see."""
    told = [{**{name: one[name] for name in _SHARED}, **one["shared"]} for one in raw.get("context") or ()]
    return {**raw, "context": told}


_SHARED = ("module_key", "profile", "binding", "max_tokens", "warnings")


def plain(raw: Raw) -> Raw:
    """As it is kept, and read again."""
    return orjson.loads(orjson.dumps(raw, option=orjson.OPT_SORT_KEYS))
