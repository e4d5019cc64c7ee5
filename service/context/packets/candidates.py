"""Everything that is considered for a packet, collected in one statement, with all that the gates ask about."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from embeddings.tokens import Counter
from graph_schema.context.words import Binding, BindingStatus, CapabilityMode
from graph_schema.memory.policies import PolicyKind
from graph_schema.model.fields import DataClass
from graph_schema.model.record import HIDDEN_STATES
from graph_schema.registry import REGISTRY
from service.access.audience import cleared
from service.access.viewer import Viewer
from service.context.comparison import Comparison
from service.context.expansion.policy import Standing, must_be_confirmed, standing_in
from service.context.matters import within
from service.context.packets import cypher
from service.context.packets.broad import MOST, Bounds, declared, seen_audiences
from service.context.packets.facts import Candidate, Facts
from service.context.packets.inputs import ContextPacketInput
from service.context.packets.kinds import STANDING, kind_and_layer
from service.context.packets.relevance import THRESHOLD
from service.context.packets.rules import PacketWarning
from service.context.packets.situation import Situation
from service.context.packets.texts import said_by, text_of
from service.graph.database import Database
from service.memory.reporting.fold import ENDED
from service.memory.reporting.policy import PRIVATE

Row = Mapping[str, Any]
PRIOR_RUNS = 5
PRIOR_ARTIFACTS = 3
LIBRARY_READ = 500
LIBRARY_DOCUMENTS = 20
"""Of a library in scope so many documents are looked at, and the nearest of them considered."""

PARTS_READ = 200
"""Of a source set so many parts are listed."""

_STANDING = {"standing"}
_AUTOMATIC = frozenset({CapabilityMode.auto, CapabilityMode.explicit_plus_auto_relevant})
_STRENGTH: dict[str, int] = {one: rank for rank, one in enumerate(Binding)}


@dataclass(frozen=True, slots=True)
class Compared:
    """What candidates are measured by: the text of the basis, and how tokens are counted."""

    text: Comparison
    counter: Counter


class Considered(NamedTuple):
    """What is considered, and codes of where more may be left that was not looked at."""

    candidates: list[Candidate]
    cuts: tuple[str, ...]


async def candidates(
    database: Database, viewer: Viewer, asked: ContextPacketInput, here: Situation, compared: Compared
) -> Considered:
    wanted = {**_wanted(here, compared), **_audiences(viewer, here)}
    ids: list[str] = []
    if here.bounds is not None:
        ids = await declared(database, viewer, here.bounds, here.run)
        wanted["named"] += [{"id": one, "way": "declared"} for one in ids]
    row = await database.read_one(cypher.CANDIDATES, audiences=viewer.audiences, asked=wanted)
    found: list[Row] = row["found"] if row else []
    making = _Making(asked, here, compared)
    rules, things = _apart(found)
    made = [one for one in map(making.candidate, things) if one is not None]
    # Rules bear on what the packet may give, so that comes first.
    making.in_scope = _scope_of((one.facts for one in made), here)
    every = [*made, *(one for one in map(making.candidate, rules) if one is not None)]
    return Considered(every, tuple(_cuts(found, len(ids))))


def _cuts(found: Sequence[Row], declared_ids: int) -> Iterator[str]:
    """Where as many were found as are looked at: there may be more."""
    ways = [(way["way"], "Run" in one["labels"]) for one in found for way in one["ways"]]
    if sum(way == "library" for way, _ in ways) >= LIBRARY_DOCUMENTS:
        yield PacketWarning.library_cut.value
    if declared_ids >= MOST:
        yield PacketWarning.broad_scope_cut.value
    if any(len(one["parts"]) >= PARTS_READ for one in found):
        yield PacketWarning.source_set_cut.value
    if any(ways.count((way, True)) >= PRIOR_RUNS for way in ("own", "of_matter")):
        yield PacketWarning.earlier_runs_cut.value


def _apart(found: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Standing rules, and all else."""
    rules: list[Row] = []
    things: list[Row] = []
    for one in found:
        (things if STANDING.isdisjoint(one["labels"]) else rules).append(one)
    return rules, things


def _audiences(viewer: Viewer, here: Situation) -> dict[str, list[str]]:
    """What is sought where. A run of broad scope looks further, but the rules that hold are its own."""
    inside = sorted(within(viewer, here.matter_ids).audiences)
    looked_at = inside if here.bounds is None else seen_audiences(viewer)
    return {
        "scope_audiences": inside,
        "matter_audiences": [one for one in inside if viewer.matters_of(one)],
        "library_audiences": looked_at,
        "forbidding": looked_at,
        "told_audiences": told_audiences(viewer, here),
    }


def told_audiences(viewer: Viewer, here: Situation) -> list[str]:
    """The audiences that everybody has who may see the run. Receipts name nothing else beside what they are about."""
    seen = within(viewer, here.run["matter_ids"]).audiences
    return sorted(one for one in seen if cleared(DataClass(here.run["data_class"]), one.partition("|")[0]))


def _wanted(here: Situation, compared: Compared) -> dict[str, Any]:
    policy = here.capabilities
    ways = {"offered": "offered", "capabilities": "capability"}
    artifact = [one["id"] for one in here.settings if one["policy_kind"] == PolicyKind.artifact]
    trigger = here.trigger["id"] if here.trigger else None
    bounds = here.bounds or Bounds("")
    return {
        "envelope": here.envelope["id"],
        "run_id": here.run["id"],
        "task_key": here.run.get("task_key"),
        "template_key": here.run.get("template_key"),
        "named": [
            *({"id": one["id"], "way": ways.get(one["field"], "named")} for one in here.named),
            *({"id": one, "way": "preferred"} for one in sorted(policy.preferred)),
            *here.planned,
        ],
        "own": [*here.own, *artifact, *([trigger] if trigger else []), *here.matter_ids],
        "trigger": trigger,
        "excluded": here.envelope["excluded"],
        "libraries": sorted({*here.libraries, *bounds.libraries}),
        "library_read": LIBRARY_READ,
        "library_documents": LIBRARY_DOCUMENTS,
        "reaches": sorted(bounds.reaches),
        "blueprints": list(here.blueprints),
        "capabilities": sorted(policy.required | policy.allowed | policy.denied | here.added),
        "automatic": policy.mode in _AUTOMATIC,
        "hidden_states": list(HIDDEN_STATES),
        "task_type": here.task_type,
        "domains": list(here.domains),
        "trigger_kind": here.trigger_kind,
        "prior_runs": PRIOR_RUNS,
        "prior_artifacts": PRIOR_ARTIFACTS,
        "parts_read": PARTS_READ,
        "began_at": here.run["began_at"],
        "ended": list(ENDED),
        "forgotten": list(PRIVATE),
        "classes": [one for one in DataClass if cleared(DataClass(here.envelope["visibility_ceiling"]), one)],
        **compared.text.asked(),
    }


def _scope_of(things: Iterable[Facts], here: Situation) -> frozenset[str]:
    """Ids of what a standing rule may bear on: what the run is bound to or belongs to, with all that its modules may
    be given of that."""
    inside = {*here.type_ids, *here.matter_ids, *here.envelope["sources"]}
    inside |= here.capabilities.required | here.capabilities.allowed
    return frozenset(inside - {*here.envelope["excluded"]} | {one.id for one in things if _reached(one, here)})


def _reached(facts: Facts, here: Situation) -> bool:
    if facts.excluded:
        return False
    fits = (facts.score or 0.0) >= THRESHOLD
    if facts.label == "Capability":
        automatic = facts.standing == Standing.outside and here.capabilities.mode in _AUTOMATIC
        return facts.standing in {Standing.required, Standing.allowed} or (automatic and fits)
    if facts.via or facts.own or facts.named:
        return True
    declared_open = facts.opened and here.bounds is not None and not here.bounds.by_text
    return declared_open or ((facts.opened or facts.in_library) and fits)


class _Making:
    """Candidates from rows, for one module."""

    def __init__(self, asked: ContextPacketInput, here: Situation, compared: Compared) -> None:
        self._here = here
        self._compared = compared
        self.in_scope: frozenset[str] = frozenset()
        """Ids of what a rule may bear on. Known once all else is."""
        self._texts = {
            one["id"]: given
            for one in here.named
            for given in asked.documents
            if one["field"] == "documents.document" and one["ref"] == str(given.document)
        }
        self._full = any(here.of_context("full_text_required"))

    def candidate(self, row: Row) -> Candidate | None:
        values: Row = row["properties"]
        label = REGISTRY.label_of(row["labels"])
        roles, named = {one.get("role") for one in row["ways"]}, any(one["way"] == "named" for one in row["ways"])
        placed = kind_and_layer(label, values, roles, of_input=named)
        if placed is None or values["id"] == self._here.run["id"]:
            return None
        more = {name: row[name] for name in ("parts", "reviews") if row[name]}
        text = text_of(label, {**values, **more} if more else values)
        name = str(values["name"])
        said = said_by(self._compared.counter, label, name, values["id"], text)
        full_text = self._full_text(values["id"], text)
        bounds = self._here.bounds
        facts = Facts(
            id=values["id"],
            label=label,
            kind=placed[0].value,
            layer=placed[1].value,
            name=name,
            version=values["version"],
            data_class=values["data_class"],
            matter_ids=tuple(sorted(values["matter_ids"] or ())),
            **self._ways(label, row),
            opened=bounds is not None and bounds.holds(label, row),
            **self._rules(label, row),
            **_container(label, values, row["members"]),
            score=self._compared.text.score(said.of_name, said.of_text, row["embedded"]),
            behind=row["carded"] and row["embedded"] is None and self._compared.text.vector is not None,
            tokens=said.tokens,
            text_hash=said.text_hash,
            by_bytes=self._compared.counter.by_bytes(full_text or text),
            **self._whole(label, name, values["id"], full_text),
        )
        return Candidate(facts, text, full_text, values.get("storage_ref"))

    def _full_text(self, record_id: str, text: str) -> str:
        """Full text only where the module's contract asks for it and the caller supplied it with its markers."""
        given = self._texts.get(record_id)
        if given is None or not self._full or not given.markers.strip():
            return ""
        return f"{text}\n{given.markers.strip()}:\n{given.text}"

    def _whole(self, label: str, name: str, record_id: str, full_text: str) -> dict[str, Any]:
        if not full_text:
            return {}
        said = said_by(self._compared.counter, label, name, record_id, full_text)
        return {"full_tokens": said.tokens, "full_hash": said.text_hash}

    def _ways(self, label: str, row: Row) -> dict[str, Any]:
        ways: Sequence[Row] = row["ways"]
        came = {one["way"] for one in ways}
        # What began the run is no part of the matters that it belongs to.
        kept_out = bool(row["kept_out"]) and label != "Trigger"
        if came == _STANDING:
            return {"excluded": kept_out}
        bound = [one for one in ways if one["way"] == "bound"]
        holding = min((one for one in bound if one["status"] == BindingStatus.bound), key=_strength, default=None)
        doubt = min((one["evidence"] for one in bound if one["status"] != BindingStatus.bound), default=None)
        return {
            "via": holding["via"] if holding else None,
            "evidence": holding["evidence"] if holding else doubt,
            "doubtful": doubt is not None,
            "excluded": kept_out or "excluded" in came,
            "own": "own" in came,
            "of_matter": "of_matter" in came,
            "in_library": row["in_library"],
            "named": "named" in came or (label == "Capability" and "capability" in came),
            "preferred": "preferred" in came,
            "offered": "offered" in came,
            "surface": min((one["surface"] for one in ways if one["way"] == "shown"), default=None),
        }

    def _rules(self, label: str, row: Row) -> dict[str, Any]:
        values: Row = row["properties"]
        return {
            "forbidden_by": row["forbidden"][0] if row["forbidden"] else None,
            "everywhere": bool(values.get("global")),
            "linked": row["linked"],
            "link": self._link(row["applies"]) if row["linked"] else None,
            "task_types": tuple(values.get("task_types") or ()),
            "domains": tuple(values.get("domains") or ()),
            "trigger_kinds": tuple(values.get("trigger_kinds") or ()),
            "side_effects": tuple(values.get("side_effect_classes") or ()),
            "standing": self._standing(values) if label == "Capability" else None,
            "state": values.get("state") if label == "Capability" else None,
            "memory_mode": row["memory_mode"],
        }

    def _link(self, applies: Sequence[Sequence[str]]) -> str | None:
        """The name of something in scope that the record applies to."""
        return min((name for target, name in applies if target in self.in_scope), default=None)

    def _standing(self, capability: Row) -> str:
        policy, added = self._here.capabilities, capability["id"] in self._here.added
        standing = standing_in(policy, capability)
        if standing is Standing.denied:
            return standing.value
        if must_be_confirmed(policy, capability) and not added:
            return "unconfirmed"
        return Standing.allowed.value if standing is Standing.outside and added else standing.value


def _strength(bound: Row) -> tuple[int, str]:
    return _STRENGTH[bound["via"]], bound["evidence"]


def _container(label: str, values: Row, members: int) -> dict[str, Any]:
    """A library, a matter or a task stands for what it holds: one receipt, with the count and how to list them."""
    if members <= 1:
        return {}
    listed = f"MATCH (n:Record)-[:{holding(label)}]->(:Record {{id: '{values['id']}'}}) RETURN n"
    return {"count": members, "query": listed}


def holding(label: str) -> str:
    """The relation that leads from what a container holds to it."""
    return "RUN_OF" if label == "Task" else "PART_OF"
