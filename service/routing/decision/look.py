"""What the graph knows of a request: what it calls by name, what its facts name, and which runs it may mean. What is
known of the Task Agent comes along, since every request needs both and a statement costs more than what it finds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graph_schema.context.words import SurfaceKind
from graph_schema.model.record import HIDDEN_STATES
from graph_schema.output.ddl import CALLED_INDEX, FULLTEXT_INDEX, NAMES_INDEX
from service.access.viewer import Viewer
from service.commands.errors import RecordMissing
from service.context.scope.evidence import Texts, queries
from service.graph.database import Database, Row
from service.memory.reporting.fold import ENDED
from service.routing.agent.read import ASKED, TaskAgentNow, agent_now
from service.routing.decision import cypher
from service.routing.decision.request import TaskModeRequest
from service.routing.directives.rules import Asked
from service.routing.evidence.names import Name, called, slips_allowed
from service.routing.evidence.scene import Target
from service.routing.words import Said, Words
from service.search.request import HIDDEN_STATES as HIDDEN_ARTIFACTS
from service.words import STOP_WORDS, content_words, stems_of

DEPTH = 60
DEEPEST = 2_000
MOST_WORDS = 40
MOST_NAMES = 60
MOST_RUNS = 60
LATEST = 5
"""So many of the latest runs of a task, a template or a matter are looked at."""

MOST_OUTPUTS = 50
AT_WORK = frozenset({SurfaceKind.task_editor, SurfaceKind.run_inspector})
"""On these surfaces a task or run is open, whether the caller says which or not."""

_WEIGHTS = (1.0, 0.9, 0.8, 0.7)
"""What a word of the question is worth in a run's own name, its task's, those of its matters and what it is about."""


@dataclass(frozen=True, slots=True)
class Known:
    """What was found. `facts` are by their place in the request."""

    targets: tuple[Target, ...]
    rows: Mapping[str, Row]
    facts: Mapping[str, Row]
    agent: TaskAgentNow
    work_open: bool = False
    names: tuple[Name, ...] = ()
    """What the targets were found among."""

    @property
    def open_task(self) -> Target | None:
        return self._open("open_task", "Task")

    @property
    def open_run(self) -> Target | None:
        return self._open("open_run", "Run")

    @property
    def entities(self) -> tuple[str, ...]:
        return tuple(row["id"] for place, row in self.facts.items() if place.startswith("entities"))

    def called(self, more: Iterable[Name], rows: Mapping[str, Row], said: Said, words: Words) -> "Known":
        """The same where more is known by name."""
        further = tuple(more)
        if not further:
            return self
        names = tuple(_merged((*self.names, *further)))
        return replace(self, targets=tuple(called(said, names, words)), rows={**rows, **self.rows}, names=names)

    def _open(self, place: str, kind: str) -> Target | None:
        row = self.facts.get(place)
        return Target(row["id"], kind, row["name"], whole=True, share=1.0) if row else None

    def inputs_of(self, record_id: str) -> tuple[str, ...]:
        """What a task or template works on, by kind."""
        return tuple((self.rows.get(record_id) or {}).get("inputs") or ())

    @property
    def is_open(self) -> bool:
        return self.work_open or bool(self.open_task or self.open_run)


class Looking:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def known(self, viewer: Viewer, request: TaskModeRequest, said: Said, words: Words) -> Known:
        row = await self._named(viewer, request, said, words)
        facts = {one["place"]: one for one in row["facts"]}
        for place in ("open_task", "open_run"):
            ref = getattr(request, place)
            if ref is not None and place not in facts:
                raise RecordMissing(ref, f"request.{place}")
        assets = {one["id"]: one for one in (*row["taught"], *row["found"])}
        phrases = {one["id"]: tuple(one["phrases"]) for one in row["taught"]}
        names = tuple(_name(one, phrases.get(one["id"], ())) for one in assets.values())
        return Known(
            tuple(called(said, names, words)),
            assets,
            facts,
            agent_now(row),
            request.work_open or request.surface in AT_WORK,
            names,
        )

    async def made(self, viewer: Viewer, said: Said) -> dict[str, Row]:
        """Runs and outputs that the request may call by their own names, by id; the latest first."""
        lucene = _names_like(_looked(said))
        if not lucene:
            return {}
        row = await self._database.read_one(
            cypher.MADE,
            lucene=lucene,
            text_index=FULLTEXT_INDEX,
            depth=DEPTH * 6,
            most=MOST_RUNS,
            hidden_states=list(HIDDEN_ARTIFACTS),
            audiences=viewer.audiences,
        )
        return {one["id"]: one for one in sorted(row["found"] if row else (), key=_when, reverse=True)}

    async def _named(self, viewer: Viewer, request: TaskModeRequest, said: Said, words: Words) -> Row:
        looked = _looked(said)
        taught = Asked(said.instruction).said if _calls(said, words) else []
        asked = {"lucene": _fuzzy(looked), "words": looked, "said": taught, "refs": _refs(request)}
        shared = {"asked": asked, "audiences": viewer.audiences, "hidden_states": list(HIDDEN_STATES), **ASKED}
        depth = DEPTH
        while depth <= DEEPEST:
            [row] = await self._database.read(cypher.NAMES, **shared, called_index=CALLED_INDEX, depth=depth)
            # What is hidden can fill the answer of an index. What is left is enough when it gave all it has.
            if row["proposed"] < depth or len(row["found"]) >= DEPTH // 2:
                return row
            depth *= 6
        [row] = await self._database.read(cypher.ALL_NAMES, **shared, most=MOST_NAMES)
        return row

    async def runs(self, viewer: Viewer, known: Known, said: Said) -> tuple[Target, ...]:
        """The runs that a question may mean, best first."""
        if known.open_run and not known.targets:
            return (known.open_run,)
        if named := named_runs(known):
            return named
        row = await self._database.read_one(
            cypher.RUNS,
            asked={
                "tasks": _keys(known, "Task"),
                "templates": _keys(known, "Template"),
                "queries": queries(Texts(said=(said.instruction,))),
                "entities": list(known.entities),
                "lucene": _names_with(content_words(said.instruction)[:MOST_WORDS]),
            },
            names_index=NAMES_INDEX,
            text_index=FULLTEXT_INDEX,
            each=LATEST,
            most=MOST_RUNS,
            depth=DEPTH * 6,
            audiences=viewer.audiences,
        )
        ranked = _ranked(row["runs"] if row else (), said)
        return ranked or ((known.open_run,) if known.open_run else ())

    async def outputs(self, viewer: Viewer, run: Target, said: Said) -> tuple[Target, ...]:
        """What the run has made that is asked for: what is called by its words, else its final outputs."""
        row = await self._database.read_one(
            cypher.OUTPUTS,
            run_id=run.id,
            most=MOST_OUTPUTS,
            hidden_states=list(HIDDEN_ARTIFACTS),
            audiences=viewer.audiences,
        )
        made: Sequence[Row] = row["outputs"] if row else ()
        asked = {*stems_of(content_words(said.instruction))} - {*stems_of(content_words(run.name))}
        scored = [(len(asked & {*stems_of(content_words(one["name"]))}), one) for one in made]
        best = max((score for score, _ in scored), default=0)
        chosen = [one for score, one in scored if score == best] if best else _final(made)
        return tuple(Target(one["id"], "Artifact", one["name"], share=1.0) for one in chosen)


def named_runs(known: Known) -> tuple[Target, ...]:
    """The runs that are called by their own names: those that go on first, then the latest."""
    found = [one for one in known.targets if one.kind == "Run" and one.whole]
    return tuple(sorted(found, key=lambda one: (one.going_on, one.started_at or "", one.id), reverse=True))


def named_outputs(known: Known) -> tuple[tuple[Target, ...], tuple[Target, ...]]:
    """The outputs that are called by their own names, the latest first, and the run that made the first."""
    found = [one for one in known.targets if one.kind == "Artifact" and one.whole]
    found.sort(key=lambda one: (one.started_at or "", one.id), reverse=True)
    made_by = known.rows[found[0].id]["run"] if found else None
    return tuple(found), (_made_by(made_by),) if made_by else ()


def _made_by(run: Row) -> Target:
    return Target(
        id=run["id"],
        kind="Run",
        name=run["name"],
        share=1.0,
        task_name=run["task_name"] or "",
        started_at=run["started_at"],
        going_on=run["status"] not in ENDED,
    )


def name_of_made(one: Row) -> Name:
    run = one if one["kind"] == "Run" else one["run"]
    return Name(
        one["id"],
        one["kind"],
        (one["name"],),
        task_name=(run["task_name"] if run else None) or "",
        started_at=_when(one),
        going_on=one["kind"] == "Run" and one["status"] not in ENDED,
    )


def _merged(several: Iterable[Name]) -> Iterable[Name]:
    """Each record once, with all that it is called."""
    found: dict[str, Name] = {}
    for one in several:
        known = found.get(one.id)
        more = replace(known, phrases=(*known.phrases, *one.phrases)) if known else one
        found[one.id] = more
    return found.values()


def _name(one: Row, phrases: tuple[str, ...]) -> Name:
    return Name(one["id"], one["kind"], (one["name"], *one["aliases"]), one["recurring"], phrases)


def _when(one: Row) -> str:
    return one["started_at"] or one["produced_at"] or ""


def _looked(said: Said) -> list[str]:
    return list(dict.fromkeys(word for word in said.spoken if word not in STOP_WORDS))[:MOST_WORDS]


def _calls(said: Said, words: Words) -> bool:
    """Whether anything is called as a task is: only there a phrase that was taught stands for a name."""
    return any(words.find("calls_by_phrase", one.full) for one in said.sentences)


def _final(made: Sequence[Row]) -> list[Row]:
    return [one for one in made if one["output_class"] == "final_output"] or list(made[:1])


def _ranked(rows: Sequence[Row], said: Said) -> tuple[Target, ...]:
    """By how much of what is asked stands in the run's own name, its task's and those of what it is about."""
    asked = {*stems_of(content_words(said.instruction))}
    found = [_run(row, asked) for row in rows]
    best = max((one.share for one in found), default=0.0)
    meant = [one for one in found if one.share == best and best > 0]
    return tuple(sorted(meant, key=lambda one: (one.going_on, one.started_at or "", one.id), reverse=True))


def _run(row: Row, asked: set[str]) -> Target:
    shared, left = 0.0, asked
    for weight, text in zip(_WEIGHTS, (row["name"], row["task_name"] or "", *_around(row)), strict=True):
        met = left & {*stems_of(content_words(text))}
        shared, left = shared + weight * len(met), left - met
    return Target(
        id=row["id"],
        kind="Run",
        name=row["name"],
        share=shared / max(1, len(asked)),
        task_name=row["task_name"] or "",
        started_at=row["started_at"],
        going_on=row["status"] not in ENDED,
    )


def _around(row: Row) -> tuple[str, str]:
    return " ".join(row["matters"]), " ".join(row["about"])


def _refs(request: TaskModeRequest) -> list[dict[str, Any]]:
    named = [("open_task", "Task", request.open_task), ("open_run", "Run", request.open_run)]
    named += [(f"entities.{at}", None, one) for at, one in enumerate(request.entities)]
    return [
        {"place": place, "kind": kind, "id": ref.id, "source": ref.source, "key": ref.key}
        for place, kind, ref in named
        if ref is not None
    ]


def _fuzzy(words: Sequence[str]) -> str:
    """Each word as it is, and with as many letters wrong as a name may have."""
    return " ".join(f"{word} {word}~{slips_allowed(word)}" if slips_allowed(word) else word for word in words)


def _names_like(words: Sequence[str]) -> str:
    return f"name:({_fuzzy(words)})" if words else ""


def _names_with(words: Sequence[str]) -> str:
    listed = " ".join(f'"{word}"' for word in words)
    return f"name:({listed})" if listed else ""


def _keys(known: Known, kind: str) -> list[dict[str, Any]]:
    rows = (known.rows[one.id] for one in known.targets if one.kind == kind and one.id in known.rows)
    keyed = [{"source": one["source"], "key": one["source_key"]} for one in rows if one["source_key"]]
    if kind == "Task" and (opened := known.facts.get("open_task")) and opened["source_key"]:
        keyed.append({"source": opened["source"], "key": opened["source_key"]})
    return keyed
