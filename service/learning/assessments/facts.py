"""What an assessment of a run looks at: the run's own facts, and what is around it. Its reader may see all of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from service import clock
from service.access.viewer import Viewer
from service.graph.database import Database, Row
from service.learning.assessments import cypher
from service.learning.assessments.prompt_facts import NO_PROMPTS, Instruction, Prompts, instructions_in, kept_prompts
from service.memory.views.facts import Activation, Artifact
from service.memory.views.index import RunIndex
from service.memory.views.load import load_run

V = TypeVar("V")
USUAL = 50
"""Earlier runs of the same task that it is compared with, the newest."""
MOST_BESIDE = 2_000
_FINAL = "final_output"
SECOND_LOOK = "second-pass"
"""What the name of the pattern begins with."""


@dataclass(frozen=True, slots=True)
class Named:
    """A record that the run names, with what the executor calls it."""

    id: str
    name: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class UsedTemplate:
    id: str
    name: str
    lifecycle_state: str
    task_type: str | None = None
    bound: tuple[tuple[str, str], ...] = ()
    """What it requires or allows: the relation, and the id of the capability."""
    outputs: tuple[str, ...] = ()
    """The shapes of what it makes by default."""
    keeps: str | None = None
    """What it says of what is remembered of its runs."""


@dataclass(frozen=True, slots=True)
class SavedFlow:
    """The graph of its task or template, as it is saved now."""

    id: str
    owner: str
    version: int
    modules: Mapping[str, str]
    """Ids of modules by their keys."""
    wires: tuple[tuple[str, str, str | None, str | None], ...] = ()
    """Its cables: from which module to which, and from which port to which."""

    @property
    def cables(self) -> frozenset[tuple[str, str]]:
        return frozenset((tail, head) for tail, head, _, _ in self.wires)


@dataclass(frozen=True, slots=True)
class Intent:
    """The blueprint behind the run, and what it says of what is kept."""

    id: str
    artifact_policy: str | None = None
    authored_by: str | None = None


@dataclass(frozen=True, slots=True)
class Designed:
    """The design session that its task came of: how it ended, and what people changed of what was proposed."""

    id: str
    outcome: str
    edits: tuple[tuple[str, int], ...] = ()
    """Traces of edits, each with how many single changes it has."""


@dataclass(frozen=True, slots=True)
class SecondPass:
    """The pattern of a second pass that looks deeper, where the library has one."""

    id: str
    name: str
    task_types: tuple[str, ...] = ()
    followed: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """What an artifact was made from."""

    id: str
    name: str
    is_document: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """What somebody thought of a piece of context."""

    id: str
    feedback: str
    target_kind: str
    module_key: str
    activation_seq: int


@dataclass(frozen=True, slots=True)
class NotTaken:
    """What was meant for a library, and did not get there."""

    id: str
    name: str
    status: str
    artifact: str
    failure_code: str | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """What a person decided about how far an output goes."""

    id: str
    artifact: str
    outcome: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class EarlierRun:
    id: str
    status: str
    cost_usd: float | None = None
    duration_ms: int | None = None


@dataclass(frozen=True)
class Assessed:
    """A run with what is around it. Rules ask this, and nothing else."""

    index: RunIndex
    template: UsedTemplate | None = None
    task: Named | None = None
    task_type: str | None = None
    graph: SavedFlow | None = None
    blueprint: Intent | None = None
    second_pass: SecondPass | None = None
    designed: Designed | None = None
    capabilities: Mapping[str, Named] = field(default_factory=dict[str, Named])
    presets: Mapping[str, Named] = field(default_factory=dict[str, Named])
    used_elsewhere: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Activations of other runs that worked from each artifact."""
    derived: Mapping[str, tuple[Source, ...]] = field(default_factory=dict[str, tuple[Source, ...]])
    feedback: tuple[Verdict, ...] = ()
    corrections: tuple[Named, ...] = ()
    usual: tuple[EarlierRun, ...] = ()
    passed_over: tuple[Named, ...] = ()
    """Templates in use for the same type of work, where it followed none."""
    not_taken: tuple[NotTaken, ...] = ()
    decided: tuple[Decided, ...] = ()
    prompts: Prompts = NO_PROMPTS

    def named(self, module_key: str) -> str:
        """What a step of this module is called."""
        step = next((one for one in self.index.steps if one.module_key == module_key), None)
        return self.index.label(step) if step else module_key

    @property
    def id(self) -> str:
        return self.index.run.id

    @cached_property
    def made(self) -> list[Artifact]:
        """What the run made, but for evaluation evidence, in an order that never changes."""
        found = [one for one in self.index.facts.artifacts if not one.stub and not self.index.is_evaluation(one)]
        return sorted(found, key=lambda one: one.id)

    @cached_property
    def finals(self) -> list[Artifact]:
        return [one for one in self.made if one.output_class == _FINAL]

    @cached_property
    def evaluations(self) -> list[Artifact]:
        """Evaluation evidence, the earliest first."""
        found = [one for one in self.index.facts.artifacts if not one.stub and self.index.is_evaluation(one)]
        return sorted(found, key=lambda one: (one.produced_at or "~", one.id))

    @cached_property
    def mounted(self) -> dict[str, list[str]]:
        """Keys of the capabilities that were mounted, each with the snapshots that say so."""
        return self._said_by_snapshots("mounted_capabilities")

    @cached_property
    def used(self) -> dict[str, tuple[int, int, tuple[str, ...]]]:
        """Calls, errors and steps of each capability, by its id."""
        found: dict[str, tuple[int, int, tuple[str, ...]]] = {}
        for one in sorted(self.index.facts.capabilities, key=lambda one: (one.id, one.activation_id)):
            calls, errors, steps = found.get(one.id, (0, 0, ()))
            found[one.id] = (calls + one.calls, errors + one.errors, (*steps, one.activation_id))
        return found

    def uses(self, artifact: Artifact) -> int:
        """How often it was taken up: opened, cited, bookmarked, or worked from by another run."""
        told = artifact.opened_count + artifact.cited_count + artifact.bookmarked_count
        return told + len(self.used_elsewhere.get(artifact.id, ()))

    def documents_of(self, artifact_id: str) -> dict[str, Source]:
        """The documents that it was made from, however many artifacts of the run are between."""
        found: dict[str, Source] = {}
        seen: set[str] = set()
        waiting = [artifact_id]
        while waiting:
            one = waiting.pop()
            if one in seen:
                continue
            seen.add(one)
            for source in self.derived.get(one, ()):
                found |= {source.id: source} if source.is_document else {}
                waiting += [] if source.is_document else [source.id]
        return found

    def snapshots_with(self, name: str) -> dict[str, list[str]]:
        return self._said_by_snapshots(name)

    def maker(self, artifact: Artifact) -> Activation | None:
        return self.index.step.get(artifact.activation_id or "")

    def _said_by_snapshots(self, name: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for one in sorted(self.index.facts.snapshots, key=lambda one: one.id):
            for key in getattr(one, name) if one.snapshot_kind == "capability" else ():
                found.setdefault(key, []).append(one.id)
        return found


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was read of a run for its assessment."""

    assessed: Assessed
    memory_mode: str


async def load(database: Database, viewer: Viewer, run_id: str) -> Loaded | None:
    """All that an assessment asks of a run, or None where the viewer does not see it."""
    facts = await load_run(database, viewer, run_id)
    if facts is None:
        return None
    index = RunIndex(facts, clock.now())
    row = await database.read_one(
        cypher.BESIDE,
        run_id=run_id,
        capabilities=_keys(facts.snapshots),
        presets=sorted({one.preset_key for one in facts.activations if one.preset_key}),
        most=MOST_BESIDE,
        usual=USUAL,
        second_pass=SECOND_LOOK,
        audiences=viewer.audiences,
    )
    if row is None:
        return None
    about = _assessed(index, row)
    homes = [one.id for one in (about.task, about.template) if one]
    prompts = Prompts(_instructions(index, row["graph"]), await kept_prompts(database, viewer, homes))
    return Loaded(replace(about, prompts=prompts), row["memory_mode"])


def _instructions(index: RunIndex, graph: Mapping[str, Any] | None) -> tuple[Instruction, ...]:
    """Of the modules that ran, as the graph is saved now. What they may use is in no instruction's favour here."""
    if graph is None:
        return ()
    ran = {one.module_key for one in index.steps}
    modules = [
        {"module_key": one["key"], "module_type": one["type"], "config": one["config"]} for one in graph["modules"]
    ]
    cables = [{"tail": one[0], "head": one[1]} for one in graph["cables"]]
    raw: dict[str, Any] = {"graph": {"modules": modules, "cables": cables}, "standing": {}, "capabilities": []}
    return tuple(one for one in instructions_in(raw) if one.module_key in ran)


def _keys(snapshots: Iterable[Any]) -> list[str]:
    names = ("mounted_capabilities", "required_capabilities")
    return sorted({key for one in snapshots for name in names for key in getattr(one, name)})


def _assessed(index: RunIndex, row: Row) -> Assessed:
    template, graph, task = row["template"], row["graph"], row["task"]
    blueprint, deeper = row["blueprint"], row["second_pass"]
    return Assessed(
        index,
        template=_template(template) if template else None,
        task=Named(task["id"], task["name"]) if task else None,
        task_type=next((one["task_type"] for one in (task, template) if one and one["task_type"]), None),
        graph=_flow(graph) if graph else None,
        blueprint=Intent(**blueprint) if blueprint else None,
        second_pass=_second_pass(deeper) if deeper else None,
        designed=_designed(row["designed"]) if row["designed"] else None,
        capabilities={one["key"]: Named(**one) for one in row["capabilities"]},
        presets={one["key"]: Named(**one) for one in row["presets"]},
        used_elsewhere=_grouped(row["used_elsewhere"], lambda one: str(one["by"])),
        derived=_grouped(row["derived"], lambda one: Source(one["of"], one["name"], bool(one["document"]))),
        feedback=tuple(Verdict(**one) for one in row["feedback"]),
        corrections=tuple(Named(**one) for one in row["corrections"]),
        usual=tuple(EarlierRun(**one) for one in row["usual"]),
        passed_over=tuple(Named(**one) for one in row["passed_over"]),
        not_taken=tuple(NotTaken(**one) for one in row["not_taken"]),
        decided=tuple(Decided(**one) for one in row["decided"]),
    )


def _template(row: Mapping[str, Any]) -> UsedTemplate:
    bound = tuple((one[0], one[1]) for one in row["bound"])
    return UsedTemplate(
        row["id"],
        row["name"],
        row["lifecycle_state"],
        row["task_type"],
        bound,
        outputs=tuple(row["default_output_archetypes"] or ()),
        keeps=row["memory_artifact_policy_summary"],
    )


def _designed(row: Mapping[str, Any]) -> Designed:
    return Designed(row["id"], row["outcome"], tuple((one[0], one[1]) for one in row["edits"]))


def _second_pass(row: Mapping[str, Any]) -> SecondPass:
    return SecondPass(row["id"], row["name"], tuple(row["task_types"] or ()), row["followed"])


def _flow(row: Mapping[str, Any]) -> SavedFlow:
    modules = {one["key"]: one["id"] for one in row["modules"]}
    wires = tuple((one[0], one[1], one[2], one[3]) for one in row["cables"])
    return SavedFlow(row["id"], row["owner"], row["version"], modules, wires)


def _grouped(rows: Sequence[Mapping[str, Any]], read: Callable[[Mapping[str, Any]], V]) -> dict[str, tuple[V, ...]]:
    found: dict[str, list[V]] = {}
    for one in rows:
        found.setdefault(one["artifact"], []).append(read(one))
    return {key: tuple(values) for key, values in found.items()}
