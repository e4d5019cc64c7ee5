"""Kept preflights, examined again from the facts that they keep: by today's rules, and with the change in the facts.

What cannot be executed here is told as consequences: what a preflight would have found. Of capabilities only those are
known that the preflight knew; a change that brings in another cannot be examined from what it keeps. A patch of a graph
is done to the graph as it was examined; types of modules that it brings in are those of the catalogue of now.
"""

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from typing import Any

import orjson

from graph_schema.knowledge.words import PreflightStatus
from graph_schema.learning.proposal_words import CaseKind, Operation
from service.access.audience import Access
from service.access.viewer import Viewer
from service.errors import TaskloreError
from service.graph.database import Database, Row
from service.knowledge.catalogue import cypher as catalogue
from service.knowledge.preflight.examine import examine
from service.knowledge.preflight.issues import FixOp, FixOperation
from service.knowledge.preflight.report import PreflightReport
from service.learning.proposals.blueprint_patch import PartOp, PartOperation
from service.learning.proposals.blueprint_patch import operations_of as parts_in
from service.learning.proposals.graph_patch import graph_of, operations_of, patched_graph
from service.learning.proposals.steps import differing
from service.learning.replay import cypher
from service.learning.replay.cases import UNREADABLE, Case, Lane
from service.learning.replay.change import Target
from service.library.graphs import graph_hash

EXAMINED = frozenset({"Template", "Task", "Preset", "Blueprint"})
BOUND = frozenset({"REQUIRES", "ALLOWS", "DENIES"})
OUTPUTS = "expected_output_kinds"
_NAMING = frozenset({FixOp.add_module, FixOp.set_module_type})
Raw = dict[str, Any]


class PreflightReplays:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def cases(self, viewer: Viewer, target: Target, most: int) -> list[Case]:
        change = change_of(target) if target.kind.label in EXAMINED else None
        if change is None or change.touches_nothing:
            return []
        asked = {"id": target.id, "most": most, "audiences": viewer.audiences}
        if not change.patch:
            return [_case(row, change) for row in await self._database.read(cypher.PREFLIGHTS, **asked)]
        rows = await self._database.read(cypher.PREFLIGHTS_OF_GRAPH, **asked)
        types = await self._types(viewer, change.patch) if rows else []
        return [_case(row, replace(change, types=types)) for row in rows]

    async def _types(self, viewer: Viewer, patch: Iterable[FixOperation]) -> list[Raw]:
        """What is known of the types of modules that the patch brings in."""
        names = sorted({one.value for one in patch if one.op in _NAMING and one.value})
        row = await self._database.read_one(catalogue.TYPES, types=names, audiences=viewer.audiences)
        return row["found"] if row else []


Ends = tuple[tuple[str, str], ...]
"""Relations to capabilities: a type, and the id that it leads to."""


@dataclass(frozen=True, slots=True)
class FactChange:
    """What a change makes of the facts: what its asset may use, and what a preset is expected to make."""

    label: str
    name: str
    made: Ends
    gone: Ends
    outputs: tuple[str, ...] | None = None
    """None: that stays as it is."""
    patch: tuple[FixOperation, ...] = ()
    types: Sequence[Raw] = ()
    plan: tuple[PartOperation, ...] = ()
    """What is done to the parts of a blueprint."""

    @property
    def touches_nothing(self) -> bool:
        return not (self.made or self.gone or self.patch or self.plan) and self.outputs is None

    def unknown(self, raw: Raw) -> list[str]:
        """Capabilities that the preflight knew nothing of."""
        known = {one["id"] for one in raw.get("capabilities") or ()}
        return sorted(head for kind, head in self.made if kind != "DENIES" and head not in known)

    def shuffled(self, raw: Raw) -> "FactChange | None":
        """The same of something else that the preflight knew: another capability, preset or module."""
        if self.plan:
            return None
        if self.patch:
            return self._of_another_module(raw)
        if self.outputs is not None:
            presets: dict[str, Raw] = raw.get("presets") or {}
            names = sorted({str(one["name"]) for one in presets.values() if one.get("name")} - {self.name})
            return replace(self, name=names[0]) if names else None
        named = {head for _, head in (*self.made, *self.gone)}
        spare = sorted({one["id"] for one in raw.get("capabilities") or ()} - named)
        if not spare:
            return None
        made, gone = (
            tuple((kind, spare[0]) for kind in dict.fromkeys(kind for kind, _ in ends))
            for ends in (self.made, self.gone)
        )
        return replace(self, made=made, gone=gone)

    def _of_another_module(self, raw: Raw) -> "FactChange | None":
        """A patch of what modules are; cables and new modules have no other end to be tried on."""
        keys: set[str] = {one["module_key"] for one in raw["graph"]["modules"]}
        touched = {one.module_key for one in self.patch}
        others = sorted(keys - touched)
        if not others or not touched <= keys or any(one.head_key for one in self.patch):
            return None
        return replace(self, patch=tuple(replace(one, module_key=others[0]) for one in self.patch))

    def on(self, raw: Raw) -> Raw:
        """The facts with the change: of a preset where it stands, of a task or template everywhere."""
        changed = deepcopy(raw)
        if self.patch:
            self._draw(changed)
        if self.plan:
            changed["blueprint"] = planned(changed["blueprint"], self.plan)
        presets: dict[str, Raw] = changed.get("presets") or {}
        of_preset = self.label == "Preset"
        modules = {key for key, one in presets.items() if of_preset and one.get("name") == self.name}
        standing: dict[str, Raw] = changed.get("standing") or {}
        for key, held in standing.items():
            if key in modules or not of_preset:
                # What a whole asset requires, one of its modules only may use.
                self._bind(held, "required" if of_preset or key == "*" else "allowed")
        for key in modules:
            if self.outputs is not None:
                presets[key]["expected_output_kinds"] = [*self.outputs]
        return changed

    def _draw(self, raw: Raw) -> None:
        """Another graph: nothing is known of what runs of it cost."""
        graph = patched_graph(graph_of(raw["graph"]), self.patch)
        raw["graph"] = {**asdict(graph), "graph_hash": graph_hash(graph)}
        known = {one["module_type"] for one in raw["types"]}
        raw["types"] += [one for one in self.types if one["module_type"] not in known]
        raw["estimates"] = {**(raw.get("estimates") or {}), "graph": None}

    def _bind(self, held: Raw, required: str) -> None:
        named = {"REQUIRES": required, "ALLOWS": "allowed"}
        denied: dict[str, Any] = held["denied"]
        for kind, head in self.gone:
            if kind == "DENIES":
                denied.pop(head, None)
            else:
                held[named[kind]] = [one for one in held[named[kind]] if one != head]
        for kind, head in self.made:
            if kind == "DENIES":
                denied[head] = [self.label]
            else:
                held[named[kind]] = sorted({*held[named[kind]], head})
        for name in ("required", "allowed"):
            held[name] = [one for one in held[name] if one not in denied]


def change_of(target: Target) -> FactChange | None:
    """None: what it changes is not known."""
    contents = target.contents(target.version)
    if contents is None:
        return None
    before, after = contents
    made, gone = (tuple(sorted(one for one in some if one[0] in BOUND)) for some in (
        after.links - before.links, before.links - after.links,
    ))  # fmt: skip
    values = differing(before, after) if target.kind.label == "Preset" else {}
    outputs = tuple(values[OUTPUTS] or ()) if OUTPUTS in values else None
    patch = tuple(
        each for one in target.steps if one.operation is Operation.patch_graph for each in operations_of(one.value)
    )
    plan = tuple(
        each for one in target.steps if one.operation is Operation.patch_blueprint for each in parts_in(one.value)
    )
    name = str(target.states[target.version]["name"])
    return FactChange(target.kind.label, name, made, gone, outputs, patch, plan=plan)


def planned(blueprint: Mapping[str, Any], plan: Iterable[PartOperation]) -> Raw:
    """What a preflight knows of a blueprint, after the patch. KeyError: it has no such part."""
    changed = deepcopy(dict(blueprint))
    for one in plan:
        if one.part == "criteria":
            continue  # a preflight knows nothing of them
        rows: list[Raw] = changed[one.part]
        known = _EMPTY.get(one.part, {})
        values = {("modules" if name == "bound_modules" else name): value for name, value in one.values.items()}
        if one.op is PartOp.add_part:
            rows.append({**deepcopy(known), **values})
            continue
        held = [each for each in rows if _is_part(one, each)]
        if not held:
            raise KeyError(one.key)
        if one.op is PartOp.remove_part:
            rows.remove(held[0])
        else:
            held[0].update(values)
    return changed


_EMPTY: Mapping[str, Raw] = {
    "steps": {"modules": [], "expected_output_refs": [], "optional_capabilities": []},
    "contracts": {"required": True},
    "side_effects": {"review_required": True},
}


def _is_part(one: PartOperation, row: Mapping[str, Any]) -> bool:
    """Of side effects a preflight keeps the class alone."""
    known = [str(row[name]) for name in one.kind.keys if row.get(name)]
    return str(one.key).split(" / ")[: len(known)] == known


def _case(row: Row, change: FactChange) -> Case:
    kept: Mapping[str, Any] = row["kept"]
    case = Case(
        kind=CaseKind.preflight,
        id=kept["id"],
        name=kept["name"],
        at=kept["examined_at"],
        access=Access.of(kept),
        recorded=UNREADABLE,
    )
    try:
        raw, answer = orjson.loads(kept["facts"]), orjson.loads(kept["answer"])
        case = replace(case, recorded=_lane(answer["status"], answer["found"]))
        unknown = change.unknown(raw)
        if unknown:
            return replace(case, why=f"It knew nothing of {', '.join(unknown)}.")
        if change.patch and not raw.get("graph"):
            return replace(case, why="It examined no graph.")
        if change.plan and not raw.get("blueprint"):
            return replace(case, why="It examined no blueprint.")
        today, candidate = (_examined(one, case.at) for one in (raw, _with(change, raw)))
        control = _control(change, raw, case.at)
    except GraphUnfit as error:
        return replace(case, why=str(error))
    except (ValueError, KeyError, TypeError):
        return replace(case, why=UNREADABLE.said)
    same = today.key == candidate.key
    why = "The change makes no difference to it." if same else f"Without it: {today.said} With it: {candidate.said}"
    return replace(case, today=today, candidate=candidate, control=control, why=why)


def _control(change: FactChange, raw: Raw, at: str) -> Lane | None:
    other = change.shuffled(raw)
    try:
        return _examined(_with(other, raw), at) if other else None
    except (GraphUnfit, ValueError, KeyError, TypeError):
        return None


class GraphUnfit(Exception):
    """The graph or blueprint that was examined is another than the one that the patch is for."""


def _with(change: FactChange, raw: Raw) -> Raw:
    if not (change.patch or change.plan):
        return change.on(raw)
    try:
        return change.on(raw)
    except KeyError as error:
        what = "blueprint that it examined has no" if change.plan else "graph that it examined has no module"
        raise GraphUnfit(f"The {what} {error}.") from None
    except TaskloreError as error:
        raise GraphUnfit(f"The graph that it examined is another one: {error.message}") from None


def _examined(raw: Raw, at: str) -> Lane:
    """Nobody says afterwards whether a preflight was right; but what cannot be run is worse than what can."""
    report = examine(raw, at)
    told = _lane(report.status.value, _places(report))
    return replace(told, right=report.status is not PreflightStatus.blocked)


def _places(report: PreflightReport) -> list[str]:
    """The code of each issue, with its module, its step or its record, as a kept preflight has them."""
    found = (*report.blocking_issues, *report.warnings)
    places = ((one, one.module_key or one.step_key or one.record_id) for one in found)
    return [f"{one.code} ({where})" if where else one.code for one, where in places]


def _lane(status: str, found: Iterable[str]) -> Lane:
    told = sorted({*found})
    shown = f": {', '.join(told)}" if told else ""
    return Lane((status, tuple(told)), f"It is {status.replace('_', ' ')}{shown}.")
