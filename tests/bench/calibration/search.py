"""Weights and threshold of search, from labelled requests: `python -m tests.bench.calibration.search FOLDER [--write]`.

An intent stands for a record: its name, and three of its training texts as the statement. Test texts are requests. A
third of the intents is left out, so that their requests have no record that fits (near); the other set's requests are
the far ones. Constants are chosen on one set and reported on the other. They are the same for all models: what differs
is the cosine of unrelated texts, from which each model's likeness is counted. FOLDER holds `banking77.jsonl` and
`hwu64.jsonl`, with `split`, `intent` and `text` on each line.
"""

import argparse
import itertools
import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embeddings import Embedder, load
from graph_schema.registry import REGISTRY
from service.artifacts import ensure
from service.commands.card_text import card_text
from service.search import ranker
from service.search.ranker import Guess, Weights
from service.settings import load_settings
from service.words import stems

RESULT = Path(__file__).with_suffix(".json")
FIT_ON, REPORT_ON = "hwu64", "banking77"
CHOSEN_WITH, ALSO = "all-minilm-l6-v2", "bge-small-en-v1.5"
SEEDS = (1, 2, 3)
PHRASES = 3
REQUESTS = 400
KEPT = 0.95

Matrix = NDArray[np.float64]
Line = dict[str, str]


@dataclass(frozen=True)
class Features:
    """The three parts of every request (rows) with every record (columns). `semantic` is the cosine, or counted."""

    semantic: Matrix
    words: Matrix
    name: Matrix

    def counted_from(self, unrelated: float) -> "Features":
        return replace(self, semantic=np.clip((self.semantic - unrelated) / (1 - unrelated), 0, 1))

    def scores(self, weights: Weights) -> Matrix:
        return weights.semantic * self.semantic + weights.words * self.words + weights.name * self.name


@dataclass(frozen=True)
class Trial:
    """One draw of records and requests from a set. `right` is the column of the record that each request is for."""

    inside: Features
    near: Features
    far: Features
    right: NDArray[np.int64]

    def counted_from(self, unrelated: float) -> "Trial":
        inside, near, far = (part.counted_from(unrelated) for part in (self.inside, self.near, self.far))
        return Trial(inside, near, far, self.right)


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
        words = [[ranker.words_value(one, content) for content in contents] for one in asked]
        name = [[ranker.name_value(one, called) for called in names] for one in asked]
        return Features(cosines.astype(np.float64), np.array(words), np.array(name))

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        fresh = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        self._vectors |= dict(zip(fresh, self._embedder.embed_texts(fresh), strict=True))
        return np.stack([self._vectors[text] for text in texts])


def choose(trials: Sequence[Trial]) -> tuple[Weights, float]:
    """The weights with the best mean of accuracy and both AUROCs, and the threshold that goes with them."""
    weights = max(grid(), key=lambda one: float(np.mean([_quality(trial, one) for trial in trials])))
    return weights, threshold_of(trials, weights)


def unrelated_of(trials: Sequence[Trial], weights: Weights, threshold: float) -> float:
    """From where another model's cosines must be counted for the same threshold to keep as many requests."""
    steps = [round(step / 100, 2) for step in range(100)]

    def off(unrelated: float) -> float:
        return abs(_threshold([trial.counted_from(unrelated) for trial in trials], weights) - threshold)

    return min(steps, key=off)


def threshold_of(trials: Sequence[Trial], weights: Weights) -> float:
    """What the best hit of 95 % of the in-scope requests reaches."""
    return round(_threshold(trials, weights), 2)


def _threshold(trials: Sequence[Trial], weights: Weights) -> float:
    return float(np.mean([np.quantile(trial.inside.scores(weights).max(axis=1), 1 - KEPT) for trial in trials]))


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


def guess(trials: Sequence[Trial], weights: Weights) -> Guess:
    """The line through the likeness of all pairs by their lexical value."""
    likeness = np.concatenate([trial.inside.semantic.ravel() for trial in trials])
    parts = [(one.inside.words.ravel().tolist(), one.inside.name.ravel().tolist()) for one in trials]
    lexical = [ranker.lexical(words, name, weights) for both in parts for words, name in zip(*both, strict=True)]
    slope, intercept = np.polyfit(lexical, likeness, 1)
    return Guess(round(float(intercept), 2), round(float(slope), 2))


def _auroc(positive: Matrix, negative: Matrix) -> float:
    """The chance that a request with a fitting record scores higher than one without."""
    higher = (positive[:, None] > negative[None, :]).mean()
    return float(higher + (positive[:, None] == negative[None, :]).mean() / 2)


def calibrate(folder: Path) -> dict[str, Any]:
    raw = {model: _trials(folder, model) for model in (CHOSEN_WITH, ALSO)}
    chosen = {name: [one.counted_from(0) for one in trials] for name, trials in raw[CHOSEN_WITH].items()}
    weights, threshold = choose(chosen[FIT_ON])
    unrelated = {CHOSEN_WITH: 0.0, ALSO: unrelated_of(raw[ALSO][FIT_ON], weights, threshold)}
    counted = {
        model: {name: [one.counted_from(unrelated[model]) for one in trials] for name, trials in of.items()}
        for model, of in raw.items()
    }
    other = choose(chosen[REPORT_ON])
    return {
        "ranker": ranker.NAME,
        "version": ranker.VERSION,
        "fitted_on": FIT_ON,
        "draws": {"seeds": SEEDS, "requests": REQUESTS, "phrases": PHRASES, "kept": KEPT},
        "constants": {
            "weights": asdict(weights),
            "threshold": threshold,
            "guess": asdict(guess([one for of in counted.values() for one in of[FIT_ON]], weights)),
        },
        "models": {
            model: {"unrelated": unrelated[model], **_told(counted[model], weights, threshold)} for model in raw
        },
        "fitted_the_other_way": {
            "constants": {"weights": asdict(other[0]), "threshold": other[1]},
            "figures": {name: figures(chosen[name], *other) for name in chosen},
        },
    }


def _trials(folder: Path, model: str) -> dict[str, list[Trial]]:
    cache = load_settings().cache
    bench = Bench(folder, load(model, lambda group: ensure(group, cache, print)[0]))
    return {name: [bench.trial(name, seed) for seed in SEEDS] for name in (FIT_ON, REPORT_ON)}


def _told(trials: dict[str, list[Trial]], weights: Weights, threshold: float) -> dict[str, Any]:
    """A model's figures with the constants, and with meaning alone."""
    meaning = Weights(1, 0, 0)
    own = threshold_of(trials[FIT_ON], meaning)
    return {
        "figures": {name: figures(trials[name], weights, threshold) for name in trials},
        "meaning_alone": {
            "threshold": own,
            "figures": {name: figures(trials[name], meaning, own) for name in trials},
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
