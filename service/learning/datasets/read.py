"""What was given on a dataset, candidate by candidate. A query: it stores nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from graph_schema.learning.dataset_words import ScorerKind
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.graph.database import Database
from service.learning.datasets import cypher
from service.views import Id, Linked, Time


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateResult:
    """What one candidate was given by judges, or by people. The two are never added up."""

    candidate: Annotated[str, "What was tried."]
    scorer_kind: Annotated[ScorerKind, "Whether judges or people gave it."]
    examples: Annotated[int, "Cases that were scored."]
    scores: Annotated[int, "Scores that were given."]
    mean_score: Annotated[float | None, "Their mean, each case counted once; null where only verdicts were given."]
    verdicts: Annotated[tuple[str, ...], "Verdicts, each with how often."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceResult:
    """What was given on one group of cases: a candidate may be better on all of them and worse on some."""

    slice: Annotated[str | None, "The group; null of cases that belong to none."]
    examples: Annotated[int, "Cases of it that were scored."]
    candidates: Annotated[tuple[CandidateResult, ...], "What each candidate was given on them, best first."]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalResults:
    """What was given on a dataset."""

    dataset_id: Annotated[Id, "The dataset."]
    frozen_at: Annotated[Time | None, "When it was frozen."]
    input_fingerprint_hash: Annotated[str | None, "Hash of its cases."]
    example_count: Annotated[int, "Cases in it."]
    candidates: Annotated[tuple[CandidateResult, ...], "What each candidate was given, best first."]
    slices: Annotated[tuple[SliceResult, ...], "The same by groups of cases; none where no case belongs to one."]
    dataset: ClassVar = Linked("dataset_id", "The dataset itself.", "EvalDataset")


class DatasetResults:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, viewer: Viewer, dataset_id: str) -> EvalResults:
        row = await self._database.read_one(cypher.SCORED, id=dataset_id, audiences=viewer.audiences)
        if row is None:
            raise RecordMissing(RecordRef(id=dataset_id), "dataset")
        found = row["dataset"]
        return EvalResults(
            dataset_id=found["id"],
            frozen_at=found["frozen_at"],
            input_fingerprint_hash=found["input_fingerprint_hash"],
            example_count=found["example_count"],
            candidates=_results(row["scores"]),
            slices=_slices(row["scores"]),
        )


def _slices(rows: Sequence[Mapping[str, Any]]) -> tuple[SliceResult, ...]:
    """Those that have a name first, by it."""
    names = {one["slice"] for one in rows}
    if names <= {None}:
        return ()
    return tuple(_slice(name, rows) for name in sorted(names, key=lambda one: (one is None, one or "")))


def _slice(name: str | None, rows: Sequence[Mapping[str, Any]]) -> SliceResult:
    own = [one for one in rows if one["slice"] == name]
    return SliceResult(slice=name, examples=len({one["example"] for one in own}), candidates=_results(own))


def _results(rows: Sequence[Mapping[str, Any]]) -> tuple[CandidateResult, ...]:
    grouped: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for one in rows:
        grouped.setdefault((one["candidate"], one["kind"]), []).append(one)
    found = [_result(candidate, kind, each) for (candidate, kind), each in sorted(grouped.items())]
    return tuple(sorted(found, key=lambda one: -(one.mean_score or 0)))


def _result(candidate: str, kind: str, rows: Sequence[Mapping[str, Any]]) -> CandidateResult:
    of_cases: dict[str, list[float]] = {}
    verdicts: dict[str, int] = {}
    for one in rows:
        if one["score"] is not None:
            of_cases.setdefault(one["example"], []).append(one["score"])
        if one["verdict"] is not None:
            verdicts[one["verdict"]] = verdicts.get(one["verdict"], 0) + 1
    means = [sum(each) / len(each) for each in of_cases.values()]
    return CandidateResult(
        candidate=candidate,
        scorer_kind=ScorerKind(kind),
        examples=len({one["example"] for one in rows}),
        scores=len(rows),
        mean_score=round(sum(means) / len(means), 4) if means else None,
        verdicts=tuple(f"{word}: {count}" for word, count in sorted(verdicts.items())),
    )
