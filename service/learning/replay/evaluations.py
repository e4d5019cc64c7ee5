"""What was tried outside, as it stands on the dataset or the run of the suite that a proposal names: nothing is tried
here. A case that nobody scored for both is told as lacking."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from graph_schema.learning.dataset_words import ScorerKind
from graph_schema.learning.proposal_words import CaseKind
from service.access.audience import Access
from service.access.viewer import Viewer
from service.graph.database import Database, Row
from service.learning.replay import cypher
from service.learning.replay.cases import Case, Lane
from service.memory.views.words import counted


class EvaluationReplays:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def cases(self, viewer: Viewer, proposal: Mapping[str, Any], most: int) -> list[Case]:
        """Each case of the dataset, as the change did and as what there is did; and the run of the suite."""
        tried, beside = proposal.get("eval_candidate"), proposal.get("eval_baseline")
        row = await self._database.read_one(
            cypher.EVALUATED,
            id=proposal["id"],
            result=proposal.get("eval_result_ref"),
            candidates=[one for one in (tried, beside) if one],
            most=most,
            audiences=viewer.audiences,
        )
        if row is None:
            return []
        examples = [_example(one, tried, beside) for one in row["examples"]] if tried else []
        return [*examples, *(_run(one) for one in row["runs"])]


def _example(row: Row, tried: str, beside: str | None) -> Case:
    case = Case(
        kind=CaseKind.evaluation,
        id=row["id"],
        name=row["name"],
        at=row["at"],
        access=Access.of(row),
        recorded=Lane(("nothing",), "Nothing was tried on it with what there is."),
    )
    if beside is None:
        return replace(case, why="It is not said what the dataset calls what there is (evalBaseline).")
    scores = [one for one in row["scores"] if one["score"] is not None]
    for kind in (ScorerKind.human, ScorerKind.judge):
        was, is_ = (_mean(scores, one, kind) for one in (beside, tried))
        if was is not None and is_ is not None:
            return _scored(case, was, is_, f"{'People' if kind is ScorerKind.human else 'Judges'} scored both.")
    return replace(case, why=f"Nobody scored both {tried} and {beside} on it.")


def _scored(case: Case, was: float, is_: float, by: str) -> Case:
    """People before judges: what the two gave is never added up."""
    recorded = Lane((was,), f"It was given {was:.2f}.")
    return replace(
        case,
        recorded=recorded,
        today=Lane((was,), recorded.said, was >= is_),
        candidate=Lane((is_,), f"It was given {is_:.2f}.", is_ >= was),
        why=by,
        judged_by=by,
    )


def _mean(scores: Sequence[Mapping[str, Any]], candidate: str, kind: ScorerKind) -> float | None:
    found = [one["score"] for one in scores if one["candidate"] == candidate and one["kind"] == kind]
    return round(sum(found) / len(found), 4) if found else None


def _run(row: Row) -> Case:
    run, baseline = row["run"], row["baseline"]
    before = _met(baseline) if baseline else "There is no run before it."
    met, was = run["met"], baseline["met"] if baseline else None
    worse = bool(run["regressions"])
    return Case(
        kind=CaseKind.evaluation,
        id=run["id"],
        name=run["name"],
        at=run["submitted_at"],
        access=Access.of(run),
        recorded=Lane((was,), before),
        today=Lane((was,), before, worse if was is not None else None),
        candidate=Lane((met, worse), _met(run), not worse) if worse or met != was else Lane((was,), _met(run)),
        why=f"{counted(len(run['regressions']), 'check')} that were met before are not met with it.",
        judged_by="The evaluation suite.",
    )


def _met(run: Mapping[str, Any]) -> str:
    return f"{run['met']} of {counted(run['checks'], 'check')} were met."
