"""Which outputs people want of a type of task, from what its runs made and what of that was taken up."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from service.access.viewer import Viewer
from service.commands.errors import InputInvalid
from service.graph.database import Database
from service.learning.aggregates.rules import wilson
from service.learning.utility import cypher
from service.memory.views.words import counted
from service.views import Id, Linked

RULES = "output_archetypes 1"
MOST_RUNS = 2_000
MOST = 200
SAMPLES = 5
Run = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputArchetype:
    """A shape of output that runs of one type of task make."""

    task_type: Annotated[str, "The type of task."]
    archetype: Annotated[str, "The shape of output."]
    statement: Annotated[str, "What it comes to, in a sentence."]
    is_default: Annotated[bool, "Whether it is worth proposing unasked: made by most of enough runs, or taken up."]
    runs: Annotated[int, "Completed runs of the type."]
    made: Annotated[int, "Of these, how many made it."]
    taken_up: Annotated[int, "Of these, in how many somebody opened, cited or kept it."]
    tasks: Annotated[int, "Different tasks or templates that these are of."]
    share: Annotated[float, "The share of runs that made it."]
    low: Annotated[float, "The lower end of where the true share lies, nine times in ten."]
    high: Annotated[float, "The upper end."]
    artifact_ids: Annotated[tuple[Id, ...], f"Some of what was made, {SAMPLES} at most."]
    artifacts: ClassVar = Linked("artifact_ids", "Some of what was made.", "Artifact", many=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputArchetypes:
    """What outputs people want, by type of task."""

    items: Annotated[tuple[OutputArchetype, ...], "By type of task, what was taken up most first."]
    runs: Annotated[int, f"Completed runs that were counted, the newest {MOST_RUNS:,} at most."]
    needed: Annotated[int, "Completed runs of a type below which nothing is told of it."]
    rules: Annotated[str, "Name and version of the rules."] = RULES


class OutputUtility:
    def __init__(self, database: Database, needed: int) -> None:
        self._database = database
        self._needed = needed

    async def of(self, viewer: Viewer, task_type: str | None = None, first: int = 50) -> OutputArchetypes:
        if not 1 <= first <= MOST:
            raise InputInvalid("first", f"it is from 1 to {MOST}")
        row = await self._database.read_one(
            cypher.OUTPUTS, task_type=task_type, most=MOST_RUNS, audiences=viewer.audiences
        )
        runs: list[Run] = list(row["found"]) if row else []
        items = archetypes(runs, self._needed)[:first]
        return OutputArchetypes(items=tuple(items), runs=len(runs), needed=self._needed)


def archetypes(runs: Iterable[Run], needed: int) -> list[OutputArchetype]:
    """The same runs, in any order, come to the same; types with too few of them are not told."""
    by_type: dict[str, list[Run]] = {}
    for run in runs:
        by_type.setdefault(run["task_type"], []).append(run)
    enough = {key: each for key, each in by_type.items() if len(each) >= needed}
    found = [one for key, each in sorted(enough.items()) for one in _of_type(key, each, needed)]
    return sorted(found, key=lambda one: (one.task_type, -one.taken_up, -one.made, one.archetype))


def _of_type(task_type: str, runs: Sequence[Run], needed: int) -> Iterable[OutputArchetype]:
    for shape in sorted({one["shape"] for run in runs for one in run["made"]}):
        made = [run for run in runs if any(one["shape"] == shape for one in run["made"])]
        taken = [run for run in made if any(one["shape"] == shape and one["taken"] for one in run["made"])]
        low, high = wilson(len(made), len(runs))
        ids = sorted(one["id"] for run in made for one in run["made"] if one["shape"] == shape)
        kind, what = task_type.replace("_", " "), shape.replace("_", " ")
        yield OutputArchetype(
            task_type=task_type,
            archetype=shape,
            statement=f"{len(made)} of {counted(len(runs), 'completed run')} of {kind} made {what}; in {len(taken)} "
            "somebody came back to it.",
            is_default=len(made) >= needed and (2 * len(made) > len(runs) or 2 * len(taken) >= len(made)),
            runs=len(runs),
            made=len(made),
            taken_up=len(taken),
            tasks=len({run["of"] for run in made}),
            share=round(len(made) / len(runs), 4),
            low=low,
            high=high,
            artifact_ids=tuple(ids[:SAMPLES]),
        )
