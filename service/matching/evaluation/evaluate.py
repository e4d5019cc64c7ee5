"""Matching judged on labelled requests, whatever it is that matches.

An intent stands for a template, some of its training texts for the template's phrases, its test texts for requests. A
third of the intents is left out of the library: their requests are near ones for which nothing fits. The requests of a
second file are the far ones. Whatever can build a library and match against it can be judged.
"""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from service.matching.errors import DatasetInvalid
from service.matching.evaluation.figures import Figures, Judged, figures, mean_of

PHRASES = 10
MOST_REQUESTS = 800
# Which phrases are drawn, and which intents are left out.
DRAWS = ((0, 1), (1, 2), (0, 3))
_ORDER_OF_REQUESTS = 7


@dataclass(frozen=True, slots=True)
class Dataset:
    name: str
    train: Mapping[str, Sequence[str]]
    test: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, what kind it is of (in, near or far), and the intent that is right for it."""

    text: str
    scope: str
    intent: str | None


@dataclass(frozen=True, slots=True)
class Trial:
    library: Mapping[str, Sequence[str]]
    requests: Sequence[Asked]


@dataclass(frozen=True, slots=True)
class Found:
    """What a matcher says to a request: the first asset, by the name of its intent, and how sure it is of that one.

    `fits` is how sure it is that anything fits.
    """

    intent: str | None
    confidence: float
    fits: float


REFUSED = Found(None, 0.0, 0.0)
"""A request that is no request: too long, or not text. The others are judged all the same."""

Match: TypeAlias = Callable[[Sequence[str]], Sequence[Found]]
Build: TypeAlias = Callable[[Mapping[str, Sequence[str]]], Match]


def read(path: Path) -> Dataset:
    train: dict[str, list[str]] = {}
    test: list[tuple[str, str]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.strip():
            continue
        split, intent, text = _row(path, number, line)
        if split == "train":
            train.setdefault(intent, []).append(text)
        else:
            test.append((intent, text))
    if not train or not test:
        raise DatasetInvalid(str(path), 1, "the file has no texts to train with or none to test with")
    return Dataset(path.stem, dict(sorted(train.items())), sorted(test, key=lambda one: one[0]))


def trials(dataset: Dataset, far: Dataset | None, phrases: int = PHRASES, most: int = MOST_REQUESTS) -> Iterator[Trial]:
    outside = [Asked(text, "far", None) for _, text in requests(far, most)] if far else []
    for drawn, left_out in DRAWS:
        known = _kept(dataset, left_out)
        library = {intent: texts for intent, texts in draw(dataset, drawn, phrases).items() if intent in known}
        asked = [
            Asked(text, "in" if intent in known else "near", intent if intent in known else None)
            for intent, text in requests(dataset, most)
        ]
        yield Trial(library, [*asked, *outside])


def evaluate(trial: Trial, build: Build) -> list[Judged]:
    found = build(trial.library)([one.text for one in trial.requests])
    return [judged(one, answer) for one, answer in zip(trial.requests, found, strict=True)]


def judged(asked: Asked, found: Found) -> Judged:
    right = asked.intent is not None and asked.intent == found.intent
    return Judged(asked.scope, right, found.confidence, found.fits)


def report(dataset: Dataset, far: Dataset | None, build: Build, phrases: int, most: int) -> Figures:
    return mean_of([figures(evaluate(trial, build)) for trial in trials(dataset, far, phrases, most)])


def draw(dataset: Dataset, seed: int, phrases: int) -> dict[str, list[str]]:
    shuffle = random.Random(seed)  # noqa: S311 - a draw that can be repeated
    drawn: dict[str, list[str]] = {}
    for intent, texts in dataset.train.items():
        distinct = sorted(set(texts))
        shuffle.shuffle(distinct)
        drawn[intent] = distinct[:phrases]
    return drawn


def requests(dataset: Dataset, most: int) -> list[tuple[str, str]]:
    shuffled = list(dataset.test)
    random.Random(_ORDER_OF_REQUESTS).shuffle(shuffled)  # noqa: S311
    return shuffled[:most]


def card_of(intent: str) -> str:
    """What the card of a template says that is known by the name of its intent only."""
    return intent.replace("_", " ").replace("/", " ")


def _kept(dataset: Dataset, seed: int) -> frozenset[str]:
    shuffled = sorted(dataset.train)
    random.Random(seed).shuffle(shuffled)  # noqa: S311
    return frozenset(shuffled[len(shuffled) // 3 :])


def _row(path: Path, number: int, line: str) -> tuple[str, str, str]:
    try:
        row = json.loads(line)
        split, intent, text = row["split"], row["intent"], row["text"]
    except (ValueError, KeyError, TypeError) as error:
        raise DatasetInvalid(str(path), number, f"it is not such an object ({error})") from error
    if split not in ("train", "test") or not isinstance(intent, str) or not isinstance(text, str):
        raise DatasetInvalid(str(path), number, "split, intent or text has a value that is not allowed")
    return split, intent, text
