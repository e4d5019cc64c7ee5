"""The constants of matching, from labelled requests: `python -m service.matching.evaluation.cli_fit --help`.

Those for assets with phrases are fitted on one set of intents and reported on the other, both ways; those in force are
fitted on both, since the sets that matching will meet are neither. Templates with 10, 3, 1 and no phrases count alike.
Those for described and for imported assets are fitted on half of the requests of a set, drawn by a seed, and reported
on the other half.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from service.matching.calibration import LINES, Bounds, Calibration, Judgement, KnownBy, Line, Models, Shape
from service.matching.evaluation.evaluate import PHRASES, Dataset, halves, trials
from service.matching.evaluation.figures import Judged, bins, figures, mean_of
from service.matching.evaluation.table import (
    Compared,
    Matrix,
    Table,
    compared,
    judge,
    only,
    table,
    unfitted,
    usual_cohesion,
)
from service.matching.evaluation.vectors import VectorStore
from service.matching.ranker import EVEN

BGE, MINILM = "bge-small-en-v1.5", "all-minilm-l6-v2"
SHAPES: Mapping[tuple[str, ...], Mapping[KnownBy, Shape]] = {
    (BGE,): {
        KnownBy.phrases: Shape(words_many=0.06, words_one=0.35, temperature=0.06),
        KnownBy.description: Shape(words_many=0.49, words_one=0.49, temperature=0.06),
        KnownBy.imported: Shape(words_many=0.35, words_one=0.35, temperature=0.06),
    },
    (BGE, MINILM): {
        KnownBy.phrases: Shape(words_many=0.06, words_one=0.35, temperature=0.06),
        KnownBy.description: Shape(words_many=0.49, words_one=0.49, temperature=0.08, second=0.35),
        KnownBy.imported: Shape(words_many=0.35, words_one=0.35, temperature=0.08, second=0.35),
    },
    (MINILM,): dict.fromkeys(KnownBy, Shape(words_many=0.15, words_one=0.6, temperature=0.1)),
}
"""By the model, or the two, and by what an asset is known."""

MEANS = {BGE: 0.85, MINILM: 0.7}
COUNTS = (0, 1, 3, PHRASES)
HARDEST = 8
SEED = 17
OUTSIDE = {KnownBy.phrases: 0.0075, KnownBy.description: 0.01, KnownBy.imported: 0.01}
"""So many of the requests that fit nothing may be called a match where it is fitted: on another set it is up to 2.5
times as many."""

NEARLY_ALWAYS = 0.92
"""So often what is called a match is right."""

FITTING_KEPT = 0.98
FEW_KEPT: Mapping[int, float] = {2: 0.995}
"""So many of the requests that fit something are not called nothing fits; by the number of members where it is another.

On another set it is up to five times as many, and most where an asset has one phrase only: so fewer are let go there.
"""

_DECIMALS = 4


def fit(of: Sequence[Compared], shape: Shape, usual: float) -> Judgement:
    tables = [table(one, shape, usual) for one in of]
    first = np.concatenate([one.right for one in tables])
    some = np.concatenate([one.fits.any(axis=1) for one in tables])
    lines = {
        "semantic": _semantic(tables),
        "alone": _line(tables, first, with_lead=False),
        "decision": _line(tables, first, with_lead=True),
        "any": _line(tables, some, with_lead=True),
    }
    fitted = Judgement(shape, **lines, nothing=Bounds(((1.0, 0.0),)), match=EVEN)
    full = [one for one in tables if one.thin == min(each.thin for each in tables)]
    kind = tables[0].known_by
    given = unfitted(shape, usual)
    trained = replace(given, kinds={**given.kinds, kind: fitted})
    told = [one for each in full for one in judge(each, trained)]
    match = round(_surest(told, OUTSIDE[kind]), _DECIMALS)
    return replace(fitted, nothing=_nothing(tables, trained), match=match)


def _nothing(tables: Sequence[Table], fitted: Calibration) -> Bounds:
    """What nearly all requests reach that fit something, by the number of members. What is known by a name alone, and
    is to have phrases, is judged as what has a description."""
    told: dict[float, list[float]] = {}
    known = [one for one in tables if one.thin < 1 or len({each.thin for each in tables}) == 1]
    for one in known:
        told.setdefault(one.thin, []).extend(each.fits for each in judge(one, fitted) if each.scope == "in")
    kept = {thin: FEW_KEPT.get(round(1 / thin), FITTING_KEPT) for thin in told}
    bounds = ((thin, float(np.quantile(told[thin], 1 - kept[thin]))) for thin in sorted(told))
    return Bounds(tuple((round(thin, _DECIMALS), round(bound, _DECIMALS)) for thin, bound in bounds))


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


def _surest(told: Sequence[Judged], may: float) -> float:
    """The confidence above which the first is nearly always right, and next to no request is that fits nothing."""
    outside = [one.confidence for one in told if one.scope != "in"]
    least = max(EVEN, float(np.quantile(outside, 1 - may))) if outside else EVEN
    ordered = sorted(told, key=lambda one: -one.confidence)
    right = np.cumsum([one.right for one in ordered]) / np.arange(1, len(ordered) + 1)
    enough = np.flatnonzero(right >= NEARLY_ALWAYS)
    return max(least, ordered[int(enough[-1])].confidence) if len(enough) else max(least, ordered[0].confidence)


def _semantic(tables: Sequence[Table]) -> Line:
    """Whether an asset is the right one, from its rank: the right ones against the hardest wrong ones."""
    features: list[Matrix] = []
    right: list[Matrix] = []
    for one in tables:
        hardest = np.argsort(-one.rank, axis=1)[:, :HARDEST]
        ranks = np.take_along_axis(one.rank, hardest, axis=1).ravel()
        features.append(np.column_stack([ranks, np.full(len(ranks), one.thin)]))
        right.append(np.take_along_axis(one.fits, hardest, axis=1).ravel().astype(np.float64))
    return logistic_line(np.concatenate(features), np.concatenate(right))


def _line(tables: Sequence[Table], right: NDArray[np.bool_], *, with_lead: bool) -> Line:
    """What is right (the first asset, or any) from the evidence of the first, and its lead if that is to count."""
    features = np.concatenate([one.features(with_lead=with_lead) for one in tables])
    return logistic_line(features, right.astype(np.float64))


def _guess(of: Sequence[Compared]) -> Line:
    """The cosine that assets with such words have on average."""
    return _straight([(one.lexical, one.cosine) for one in of])


def _seconds(of: Sequence[Compared]) -> Line:
    """The second model's cosine beside one of the first's, on average over those that the first finds nearest."""
    pairs: list[tuple[Matrix, Matrix]] = []
    for one in of:
        if one.second is not None:
            nearest = np.argsort(-one.cosine, axis=1)[:, :HARDEST]
            pairs.append((np.take_along_axis(one.cosine, nearest, 1), np.take_along_axis(one.second, nearest, 1)))
    return _straight(pairs) if pairs else Line((1.0,), 0.0)


def _straight(pairs: Sequence[tuple[Matrix, Matrix]]) -> Line:
    known = np.concatenate([one.ravel() for one, _ in pairs])
    wanted = np.concatenate([one.ravel() for _, one in pairs])
    slope = float(((known - known.mean()) * (wanted - wanted.mean())).mean() / known.var())
    offset = float(wanted.mean()) - slope * float(known.mean())
    return Line((round(slope, _DECIMALS),), round(offset, _DECIMALS))


def reported(of: Sequence[Compared], fitted: Calibration) -> tuple[dict[str, Any], list[Judged]]:
    """Figures by the number of phrases, means of the draws, and the judgements with most phrases."""
    found: dict[str, Any] = {}
    full: list[Judged] = []
    for members in sorted({one.members for one in of}):
        several = [
            judge(table(one, fitted.kinds[one.known_by].shape, fitted.usual_cohesion), fitted)
            for one in of
            if one.members == members
        ]
        means = asdict(mean_of(list(map(figures, several))))
        found[str(members - 1)] = {name: _rounded(value) for name, value in means.items()}
        full = [one for each in several for one in each]
    return found, full


def constants(fitted: Calibration) -> dict[str, Any]:
    """As the file has them."""
    return {
        "usual_cohesion": round(fitted.usual_cohesion, _DECIMALS),
        "guess": asdict(fitted.guess),
        "second": asdict(fitted.second),
        "means": fitted.means,
        "kinds": {
            kind.value: {name: asdict(getattr(one, name)) for name in ("shape", *LINES)}
            | {"nothing": [list(each) for each in one.nothing.known], "match": one.match}
            for kind, one in fitted.kinds.items()
        },
    }


class Fitting:
    """The constants of one model, or of two together."""

    def __init__(
        self, models: tuple[str, ...], intents: Sequence[Dataset], chat: Sequence[str], folder: Path | None
    ) -> None:
        stores = [VectorStore(model, folder) for model in models]
        self._store, self._second = stores[0], stores[1] if len(stores) > 1 else None
        self.key = Models(self._store.key, self._second.key if self._second else None).key
        self._shapes, self._means, self._chat = SHAPES[models], MEANS[models[0]], chat
        self._intents = intents
        texts = {one.name: [text for text, _ in one.requests] for one in intents}
        pairs = ((intents[0], intents[1]), (intents[1], intents[0]))
        self._rows = {one.name: self._compared(one, texts[other.name], COUNTS) for one, other in pairs}
        self._asked = {
            one.name: [
                [each.text for each in trial.requests] for trial in trials(one, texts[other.name]) for _ in COUNTS
            ]
            for one, other in pairs
        }
        self.figures: dict[str, Any] = {}
        self.series: list[tuple[str, Any]] = []

    def fitted(self, described: Sequence[Dataset]) -> Calibration:
        one, other = (each.name for each in self._intents)
        for fitted_on, told_on in ((one, other), (other, one)):
            trained = self._with_phrases(self._rows[fitted_on])
            self._report(f"{told_on}, fitted on {fitted_on}", self._rows[told_on], trained)
        trained, told = self._halved()
        of_half = self._with_phrases([*trained[one], *trained[other]])
        for name in (one, other):
            self._report(f"{name}, fitted on half of both", told[name], of_half)
        now = self._with_phrases([*self._rows[one], *self._rows[other]])
        halved: list[Compared] = []
        for each in described:
            trained, told = halves(each, SEED)
            rows = self._described(trained)
            kind = each.known_by or KnownBy.description
            made = fit(rows, self._shapes[kind], now.usual_cohesion)
            now = replace(now, kinds={**now.kinds, kind: made})
            self._report(f"{each.name}, the half not fitted on", self._described(told), now)
            halved += rows
        return replace(now, second=_seconds(halved))

    def _halved(self) -> tuple[dict[str, list[Compared]], dict[str, list[Compared]]]:
        """The same libraries with half of the requests of each set, drawn by their texts: to fit on, and to report."""
        drawn = {one.name: self._asked[one.name] for one in self._intents}
        kept = {name: [_drawn(texts) for texts in asked] for name, asked in drawn.items()}
        rows = {name: list(zip(self._rows[name], kept[name], strict=True)) for name in drawn}
        first = {name: [only(one, mine) for one, mine in several] for name, several in rows.items()}
        second = {name: [only(one, ~mine) for one, mine in several] for name, several in rows.items()}
        return first, second

    def _with_phrases(self, rows: Sequence[Compared]) -> Calibration:
        usual, shape = usual_cohesion(rows), self._shapes[KnownBy.phrases]
        made = fit(rows, shape, usual)
        given = unfitted(shape, usual)
        return replace(given, guess=_guess(rows), means=self._means, kinds=dict.fromkeys(KnownBy, made))

    def _described(self, dataset: Dataset) -> list[Compared]:
        return self._compared(dataset, self._chat, (0,))

    def _compared(self, dataset: Dataset, far: Sequence[str], counts: Sequence[int]) -> list[Compared]:
        second = self._second.of if self._second else None
        return [compared(trial, count, self._store.of, second) for trial in trials(dataset, far) for count in counts]

    def _report(self, name: str, rows: Sequence[Compared], fitted: Calibration) -> None:
        self.figures[name], judged = reported(rows, fitted)
        self.series.append((name, bins(judged)))


def _drawn(texts: Sequence[str]) -> NDArray[np.bool_]:
    """Half of the texts: the same text is always on the same side."""
    return np.array([random.Random(f"{SEED}{text}").random() < EVEN for text in texts])  # noqa: S311 - a draw


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
