"""Weights and threshold of search, from labelled requests: `python -m bench.calibration.search FOLDER [--write]`.

An intent stands for a record: its name, and three of its training texts as the statement. Test texts are requests. A
third of the intents is left out, so that their requests have no record that fits (near); the other set's requests are
the far ones. Constants are chosen on one set and reported on the other. FOLDER holds `banking77.jsonl` and
`hwu64.jsonl`, with `split`, `intent` and `text` on each line.
"""

import argparse
import itertools
import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embeddings import Embedder, load
from graph_schema import REGISTRY
from service.artifacts import ensure
from service.cards.text import card_text
from service.search import ranker
from service.search.ranker import Guess, Weights
from service.search.words import stems
from service.settings import load_settings

RESULT = Path(__file__).with_suffix(".json")
FIT_ON, REPORT_ON = "hwu64", "banking77"
MODEL = "all-minilm-l6-v2"
SEEDS = (1, 2, 3)
PHRASES = 3
REQUESTS = 400
KEPT = 0.95

Matrix = NDArray[np.float64]
Line = dict[str, str]


@dataclass(frozen=True)
class Features:
    """The three parts of every request (rows) with every record (columns)."""

    semantic: Matrix
    words: Matrix
    name: Matrix

    def scores(self, weights: Weights) -> Matrix:
        return weights.semantic * self.semantic + weights.words * self.words + weights.name * self.name


@dataclass(frozen=True)
class Trial:
    """One draw of records and requests from a set. `right` is the column of the record that each request is for."""

    inside: Features
    near: Features
    far: Features
    right: NDArray[np.int64]


class Bench:
    def __init__(self, folder: Path, embedder: Embedder) -> None:
        self._embedder = embedder
        self._sets = {name: _lines(folder / f"{name}.jsonl") for name in (FIT_ON, REPORT_ON)}
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def trial(self, name: str, seed: int) -> Trial:
        draw = random.Random(seed)  # noqa: S311 - draws samples, keeps no secrets
        lines = self._sets[name]
        intents = sorted({line["intent"] for line in lines})
        draw.shuffle(intents)
        left_out = {*intents[: len(intents) // 3]}
        library = [intent for intent in intents if intent not in left_out]
        cards = [self._card(lines, intent, draw) for intent in library]
        tests = [line for line in lines if line["split"] == "test"]
        other = [line for one, lines in self._sets.items() if one != name for line in lines if line["split"] == "test"]
        inside = draw.sample([line for line in tests if line["intent"] not in left_out], REQUESTS)
        near = draw.sample([line for line in tests if line["intent"] in left_out], REQUESTS // 2)
        far = draw.sample(other, REQUESTS // 2)
        right = np.array([library.index(line["intent"]) for line in inside])
        return Trial(self._features(inside, cards), self._features(near, cards), self._features(far, cards), right)

    def _card(self, lines: Sequence[Line], intent: str, draw: random.Random) -> tuple[str, str]:
        phrases = [line["text"] for line in lines if line["intent"] == intent and line["split"] == "train"]
        name = intent.replace("_", " ")
        statement = ". ".join(draw.sample(phrases, min(PHRASES, len(phrases))))
        return name, card_text(REGISTRY.types["Procedure"], {"name": name, "statement": statement})

    def _features(self, requests: Sequence[Line], cards: Sequence[tuple[str, str]]) -> Features:
        texts = [line["text"] for line in requests]
        cosines = self._embed(texts) @ self._embed([text for _, text in cards]).T
        asked = [ranker.asked(text) for text in texts]
        names, contents = ([stems(part) for part in parts] for parts in zip(*cards, strict=True))
        words = [[ranker.words_value(one, len(one.stems.keys() & content)) for content in contents] for one in asked]
        name = [[ranker.name_value(one, called) for called in names] for one in asked]
        return Features(np.clip(cosines.astype(np.float64), 0, 1), np.array(words), np.array(name))

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        fresh = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        self._vectors |= dict(zip(fresh, self._embedder.embed_texts(fresh), strict=True))
        return np.stack([self._vectors[text] for text in texts])


def choose(trials: Sequence[Trial]) -> tuple[Weights, float, Guess]:
    """The weights with the best mean of accuracy and both AUROCs, and the threshold and guess that go with them."""
    weights = max(grid(), key=lambda one: float(np.mean([_quality(trial, one) for trial in trials])))
    return weights, threshold_of(trials, weights), _guess(trials, weights)


def threshold_of(trials: Sequence[Trial], weights: Weights) -> float:
    """What the best hit of 95 % of the in-scope requests reaches."""
    tops = [np.quantile(trial.inside.scores(weights).max(axis=1), 1 - KEPT) for trial in trials]
    return round(float(np.mean(tops)), 2)


def grid() -> Iterator[Weights]:
    for semantic, share in itertools.product((0.5, 0.6, 0.7, 0.8, 0.9), (0.25, 0.5, 0.75)):
        rest = 1 - semantic
        yield Weights(semantic, round(rest * (1 - share), 3), round(rest * share, 3))


def figures(trials: Sequence[Trial], weights: Weights, threshold: float) -> dict[str, float]:
    """Means over the trials."""
    each = [_figures(trial, weights, threshold) for trial in trials]
    return {name: round(float(np.mean([one[name] for one in each])), 3) for name in each[0]}


def _figures(trial: Trial, weights: Weights, threshold: float) -> dict[str, float]:
    inside, near, far = (part.scores(weights) for part in (trial.inside, trial.near, trial.far))
    right = inside[np.arange(len(inside)), trial.right]
    rank = (inside >= right[:, None]).sum(axis=1)
    return {
        "right_first": float((rank <= 1).mean()),
        "right_in_five": float((rank <= 5).mean()),
        "auroc_near": _auroc(inside.max(axis=1), near.max(axis=1)),
        "auroc_far": _auroc(inside.max(axis=1), far.max(axis=1)),
        "inside_kept": float((inside.max(axis=1) >= threshold).mean()),
        "right_shown": float((right >= threshold).mean()),
        "nothing_near": float((near.max(axis=1) < threshold).mean()),
        "nothing_far": float((far.max(axis=1) < threshold).mean()),
        "hits_shown": float((inside >= threshold).sum(axis=1).mean()),
        "hits_shown_far": float((far >= threshold).sum(axis=1).mean()),
    }


def _quality(trial: Trial, weights: Weights) -> float:
    found = _figures(trial, weights, 0.0)
    return (found["right_first"] + found["auroc_near"] + found["auroc_far"]) / 3


def _guess(trials: Sequence[Trial], weights: Weights) -> Guess:
    """The line through the cosines of all pairs by their lexical value."""
    cosines = np.concatenate([trial.inside.semantic.ravel() for trial in trials])
    parts = [(one.inside.words.ravel().tolist(), one.inside.name.ravel().tolist()) for one in trials]
    lexical = [ranker.lexical(words, name, weights) for both in parts for words, name in zip(*both, strict=True)]
    slope, intercept = np.polyfit(lexical, cosines, 1)
    return Guess(round(float(intercept), 2), round(float(slope), 2))


def _auroc(positive: Matrix, negative: Matrix) -> float:
    """The chance that a request with a fitting record scores higher than one without."""
    higher = (positive[:, None] > negative[None, :]).mean()
    return float(higher + (positive[:, None] == negative[None, :]).mean() / 2)


def calibrate(folder: Path) -> dict[str, Any]:
    cache = load_settings().cache
    embedder = load(MODEL, lambda group: ensure(group, cache, print)[0])
    bench = Bench(folder, embedder)
    trials = {name: [bench.trial(name, seed) for seed in SEEDS] for name in (FIT_ON, REPORT_ON)}
    weights, threshold, guess = choose(trials[FIT_ON])
    other = choose(trials[REPORT_ON])
    meaning = Weights(1, 0, 0)
    meaning_threshold = threshold_of(trials[FIT_ON], meaning)
    return {
        "ranker": ranker.NAME,
        "version": ranker.VERSION,
        "model": embedder.key,
        "fitted_on": FIT_ON,
        "draws": {"seeds": SEEDS, "requests": REQUESTS, "phrases": PHRASES, "kept": KEPT},
        "constants": {"weights": asdict(weights), "threshold": threshold, "guess": asdict(guess)},
        "figures": {name: figures(trials[name], weights, threshold) for name in trials},
        "meaning_alone": {
            "threshold": meaning_threshold,
            "figures": {name: figures(trials[name], meaning, meaning_threshold) for name in trials},
        },
        "fitted_the_other_way": {
            "constants": {"weights": asdict(other[0]), "threshold": other[1], "guess": asdict(other[2])},
            "figures": {name: figures(trials[name], other[0], other[1]) for name in trials},
        },
    }


def _lines(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the two sets are")
    parser.add_argument("--write", action="store_true", help=f"keep the result in {RESULT.name}")
    arguments = parser.parse_args()
    started = time.perf_counter()
    result = json.dumps(calibrate(arguments.folder), indent=2) + "\n"
    print(result, end="")
    if arguments.write:
        RESULT.write_text(result)
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
