"""The constants of matching, from labelled requests: `python -m service.matching.evaluation.fit FILE FILE [--write]`.

Constants are fitted on one set and reported on the other, both ways. Those in force are fitted on both, since the sets
that matching will meet are neither. Templates with 10, 3, 1 and no phrases count alike.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from service.matching.calibration import FILE, LINES, Calibration, Line, Shape
from service.matching.evaluation.evaluate import PHRASES, Dataset, read, trials
from service.matching.evaluation.figures import KEPT, Judged, bins, figures, mean_of
from service.matching.evaluation.reliability import plot
from service.matching.evaluation.table import (
    Compared,
    Matrix,
    Table,
    compared,
    judge,
    table,
    told,
    unfitted,
    usual_cohesion,
)
from service.matching.evaluation.vectors import VectorStore
from service.matching.ranker import EVEN, NAME, VERSION

SHAPES = {
    "bge-small-en-v1.5": Shape(lexical_rank=0.08, temperature=0.06),
    "all-minilm-l6-v2": Shape(lexical_rank=0.2, temperature=0.1),
}
COUNTS = (0, 1, 3, PHRASES)
HARDEST = 8
_DECIMALS = 4


def fit(of: Sequence[Compared], shape: Shape) -> Calibration:
    usual = usual_cohesion(of)
    tables = [table(one, shape, usual) for one in of]
    first = np.concatenate([one.right == one.best for one in tables])
    some = np.concatenate([one.right >= 0 for one in tables])
    lines = {
        "alone": _line(tables, first, with_lead=False),
        "decision": _line(tables, first, with_lead=True),
        "any": _line(tables, some, with_lead=True),
    }
    fitted = replace(unfitted(shape, usual), semantic=_semantic(tables), guess=_guess(of), **lines)
    full = [one for one in tables if one.thin == min(each.thin for each in tables)]
    inside = [one.fits for each in full for one in judge(each, fitted) if one.scope == "in"]
    return replace(fitted, nothing=round(float(np.quantile(inside, 1 - KEPT)), _DECIMALS), match=EVEN)


def logistic_line(features: Matrix, right: Matrix) -> Line:
    """Newton's method on the likelihood; the ridge only keeps the matrix invertible."""
    x = np.column_stack([features, np.ones(len(features))])
    at = np.zeros(x.shape[1])
    ridge = np.diag([1e-6 * len(x)] * features.shape[1] + [1e-9])
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(x @ at, -30, 30)))
        step = np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + ridge, x.T @ (p - right) + ridge @ at)
        at = at - step
        if np.abs(step).max() < 1e-9:
            break
    *weights, offset = (round(float(value), _DECIMALS) for value in at)
    return Line(tuple(weights), offset)


def _semantic(tables: Sequence[Table]) -> Line:
    """Whether an asset is the right one, from its rank: the right ones against the hardest wrong ones."""
    features: list[Matrix] = []
    right: list[Matrix] = []
    for one in tables:
        hardest = np.argsort(-one.rank, axis=1)[:, :HARDEST]
        ranks = np.take_along_axis(one.rank, hardest, axis=1).ravel()
        features.append(np.column_stack([ranks, np.full(len(ranks), one.thin)]))
        right.append((hardest == one.right[:, None]).ravel().astype(np.float64))
    return logistic_line(np.concatenate(features), np.concatenate(right))


def _line(tables: Sequence[Table], right: NDArray[np.bool_], *, with_lead: bool) -> Line:
    """What is right (the first asset, or any) from the evidence of the first, and its lead if that is to count."""
    features: list[Matrix] = []
    for one in tables:
        thin = np.full(len(one.first), one.thin)
        ahead = [one.lead] if with_lead else []
        features.append(np.column_stack([one.first, *ahead, thin, one.first * thin]))
    return logistic_line(np.concatenate(features), right.astype(np.float64))


def _guess(of: Sequence[Compared]) -> Line:
    """The cosine that assets with such words have on average."""
    words = np.concatenate([one.lexical.ravel() for one in of])
    cosines = np.concatenate([one.cosine.ravel() for one in of])
    slope = float(((words - words.mean()) * (cosines - cosines.mean())).mean() / words.var())
    offset = float(cosines.mean()) - slope * float(words.mean())
    return Line((round(slope, _DECIMALS),), round(offset, _DECIMALS))


def compare_all(dataset: Dataset, far: Dataset, store: VectorStore) -> list[Compared]:
    return [compared(trial, count, store) for trial in trials(dataset, far) for count in COUNTS]


def reported(of: Sequence[Compared], fitted: Calibration) -> tuple[dict[str, Any], list[Judged]]:
    """Figures by the number of phrases, means of the draws, and the judgements with all phrases."""
    found: dict[str, Any] = {}
    full: list[Judged] = []
    for count in COUNTS:
        tables = [table(one, fitted.shape, fitted.usual_cohesion) for one in of if one.members == count + 1]
        several = [judge(one, fitted) for one in tables]
        means = asdict(mean_of(list(map(figures, several))))
        found[str(count)] = {name: _rounded(value) for name, value in means.items()}
        if count == PHRASES:
            full = [one for each in several for one in each]
            found[str(count)] |= {f"told_{scope}": shares for scope, shares in _told(tables, fitted).items()}
    return found, full


def _told(tables: Sequence[Table], fitted: Calibration) -> dict[str, list[float]]:
    drawn = [told(one, fitted) for one in tables]
    return {scope: np.mean([one[scope] for one in drawn], axis=0).round(2).tolist() for scope in drawn[0]}


def constants(fitted: Calibration) -> dict[str, Any]:
    given = asdict(fitted)
    kept = {"shape": given["shape"], "usual_cohesion": round(fitted.usual_cohesion, _DECIMALS)}
    kept |= {name: given[name] for name in LINES} | {"nothing": fitted.nothing, "match": fitted.match}
    return kept


def fit_model(model: str, sets: Sequence[Dataset], folder: Path | None) -> tuple[str, dict[str, Any], str]:
    """The model's key, its constants with their figures, and the reliability plot."""
    store = VectorStore(model, folder)
    one, other = sets
    rows = {one.name: compare_all(one, other, store), other.name: compare_all(other, one, store)}
    shape = SHAPES[model]
    across: dict[str, Any] = {}
    series: list[tuple[str, Any]] = []
    for fitted_on, told_on in ((one.name, other.name), (other.name, one.name)):
        across[told_on], judged = reported(rows[told_on], fit(rows[fitted_on], shape))
        series.append((f"{told_on}, fitted on {fitted_on}", bins(judged)))
    kept = constants(fit([*rows[one.name], *rows[other.name]], shape))
    return store.key, kept | {"figures": across}, plot(series)


def main(
    first: Annotated[Path, typer.Argument(help="A set of labelled requests, as JSON lines.")],
    second: Annotated[Path, typer.Argument(help="Another one.")],
    write: Annotated[bool, typer.Option(help="Write the constants that matching uses.")] = False,
    vectors: Annotated[Path | None, typer.Option(help="A folder to keep vectors in.")] = None,
    pictures: Annotated[Path | None, typer.Option(help="A folder for the reliability plot of each model.")] = None,
) -> None:
    sets = (read(first), read(second))
    models: dict[str, Any] = {}
    for model in SHAPES:
        key, kept, drawing = fit_model(model, sets, vectors)
        models[key] = kept
        typer.echo(f"{key}\n{_printed(kept['figures'])}")
        if pictures:
            (pictures / f"matching-{key.replace('_', '-')}.svg").write_text(drawing, encoding="utf-8")
    if write:
        result = {"ranker": NAME, "version": VERSION, "models": models}
        (Path(__file__).parents[1] / FILE).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def _printed(across: dict[str, Any]) -> str:
    lines: list[str] = []
    for told_on, by_count in across.items():
        for count, found in by_count.items():
            values = " ".join(f"{name}={value}" for name, value in found.items())
            lines.append(f"  {told_on:10s} phrases={count:>2s} {values}")
    return "\n".join(lines)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


if __name__ == "__main__":
    typer.run(main)
