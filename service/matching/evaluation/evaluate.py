"""Matching judged on labelled requests, whatever it is that matches.

Three kinds of set, and several of them together as one library. Intents: an intent stands for a template, some of its
training texts for the template's phrases, its test texts for requests. Described: assets with name and description, and
requests with the assets that fit. Imported: requests with the workflows that fit, and the folder of these. A third of
the assets is left out of the library in some draws: their requests are near ones for which nothing fits. The requests
of a further file are the far ones.
"""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, cast

from graph_schema.library.words import MatchOutcome
from service.matching.calibration import KnownBy
from service.matching.errors import DatasetInvalid
from service.matching.evaluation.figures import Figures, Judged, figures, mean_of

PHRASES = 10
MOST_REQUESTS = 800
FIVE = 5
# Which phrases are drawn, and by which seed a third is left out; None: nothing is.
DRAWS: Mapping[KnownBy | None, Sequence[tuple[int, int | None]]] = {
    None: ((0, None), (0, 1)),
    KnownBy.phrases: ((0, 1), (1, 2), (0, 3)),
    KnownBy.description: ((0, None), (0, 1)),
    KnownBy.imported: ((0, None), (0, 1), (0, 2), (0, 3)),
}
_ORDER_OF_REQUESTS = 7
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Known:
    """An asset as it is known. `workflow` is the file that it is imported from, `card` what its card says."""

    name: str
    card: str
    description: str | None = None
    phrases: tuple[str, ...] = ()
    workflow: Path | None = None

    @property
    def known_by(self) -> KnownBy:
        if self.workflow is not None:
            return KnownBy.imported
        return KnownBy.phrases if self.phrases else KnownBy.description

    @property
    def texts(self) -> list[str]:
        return [self.card, *self.phrases]


@dataclass(frozen=True, slots=True)
class Dataset:
    """`known_by`: what all of its assets are known by; None when they differ."""

    name: str
    known_by: KnownBy | None
    assets: Mapping[str, Known]
    requests: Sequence[tuple[str, frozenset[str]]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, what kind it is of (in, near or far), and the keys of what is right for it."""

    text: str
    scope: str
    fits: frozenset[str]


@dataclass(frozen=True, slots=True)
class Trial:
    known_by: KnownBy | None
    library: Mapping[str, Known]
    requests: Sequence[Asked]

    def kind_of(self, asked: Asked) -> KnownBy | None:
        """By what the assets are known that fit."""
        return next((self.library[one].known_by for one in sorted(asked.fits)), None)


@dataclass(frozen=True, slots=True)
class Found:
    """What a matcher says to a request: the assets by their keys, best first, and how sure it is of the first.

    `fits` is how sure it is that anything fits.
    """

    ranked: Sequence[str]
    outcome: MatchOutcome
    confidence: float
    fits: float


REFUSED = Found((), MatchOutcome.nothing_fits, 0.0, 0.0)
"""A request that is no request: too long, or not text. The others are judged all the same."""

Match: TypeAlias = Callable[[Sequence[str]], Sequence[Found]]
Build: TypeAlias = Callable[[Trial], Match]


def read(path: Path, imported: Mapping[str, Known] | None = None) -> Dataset:
    """A set of intents or of described assets; with workflows that are imported, of requests for these."""
    rows = _rows(path)
    if "split" in rows[0][1]:
        return _intents(path, rows)
    if imported is not None and not any("tool" in row for _, row in rows):
        return _imported(path, rows, imported)
    return _described(path, rows)


def together(several: Sequence[Dataset], most: int) -> Dataset:
    """One library of all of them, asked up to so many requests of each."""
    if len(several) == 1:
        return several[0]
    assets = {f"{at}/{key}": one for at, each in enumerate(several) for key, one in each.assets.items()}
    requests = [
        (text, frozenset(f"{at}/{key}" for key in fits))
        for at, each in enumerate(several)
        for text, fits in shuffled(each.requests, most)
    ]
    kinds = {one.known_by for one in several}
    return Dataset(
        " and ".join(one.name for one in several), kinds.pop() if len(kinds) == 1 else None, assets, requests
    )


def read_texts(path: Path) -> list[str]:
    """The requests of any such file, as texts for which nothing fits elsewhere."""
    rows = [row for _, row in _rows(path) if row.get("split") != "train"]
    return [str(row.get("text", row.get("request"))) for row in rows if "text" in row or "request" in row]


def trials(
    dataset: Dataset, far: Sequence[str] | None, phrases: int = PHRASES, most: int = MOST_REQUESTS
) -> Iterator[Trial]:
    # No more far requests than others: how probable it is that something fits is taken from the mix.
    outside = [Asked(text, "far", frozenset()) for text in shuffled(far or (), min(most, len(dataset.requests)))]
    for drawn, left_out in DRAWS[dataset.known_by]:
        library = draw(dataset, drawn, left_out, phrases)
        # Of several sets so many of each were taken already.
        taken = shuffled(dataset.requests, most if dataset.known_by else len(dataset.requests))
        asked = [_asked(text, fits & library.keys()) for text, fits in taken]
        yield Trial(dataset.known_by, library, [*asked, *outside])


def evaluate(trial: Trial, build: Build) -> list[Judged]:
    found = build(trial)([one.text for one in trial.requests])
    return [judged(trial, one, answer) for one, answer in zip(trial.requests, found, strict=True)]


def judged(trial: Trial, asked: Asked, found: Found) -> Judged:
    first, five = placed(trial, asked, found.ranked)
    return Judged(asked.scope, first, found.confidence, found.fits, five, found.outcome, trial.kind_of(asked))


def placed(trial: Trial, asked: Asked, ranked: Sequence[str]) -> tuple[bool, bool]:
    """Whether the first is right, and whether one of the first five is. Assets of one name are one."""
    names = list(dict.fromkeys(trial.library[key].name for key in ranked))[:FIVE]
    right = {trial.library[key].name for key in asked.fits}
    return bool(names) and names[0] in right, any(name in right for name in names)


def report(dataset: Dataset, far: Sequence[str] | None, build: Build, phrases: int, most: int) -> Figures:
    return mean_of([figures(evaluate(trial, build)) for trial in trials(dataset, far, phrases, most)])


def draw(dataset: Dataset, seed: int, left_out: int | None, phrases: int) -> dict[str, Known]:
    """The library, with so many phrases of each asset. What has one name is left out together."""
    shuffle = random.Random(seed)  # noqa: S311 - a draw that can be repeated
    drawn: dict[str, Known] = {}
    names = list(dict.fromkeys(one.name for one in dataset.assets.values()))
    if left_out is not None:
        random.Random(left_out).shuffle(names)  # noqa: S311
        names = names[len(names) // 3 :]
    kept = {*names}
    for key, one in dataset.assets.items():
        distinct = sorted({*one.phrases})
        shuffle.shuffle(distinct)
        if one.name in kept:
            drawn[key] = Known(one.name, one.card, one.description, tuple(distinct[:phrases]), one.workflow)
    return drawn


Item: TypeAlias = Any


def shuffled(several: Sequence[Item], most: int) -> list[Item]:
    found = list(several)
    random.Random(_ORDER_OF_REQUESTS).shuffle(found)  # noqa: S311
    return found[:most]


def halves(dataset: Dataset, seed: int) -> tuple[Dataset, Dataset]:
    """The same assets with half of the requests each: one to fit on, one to report."""
    mixed = list(dataset.requests)
    random.Random(seed).shuffle(mixed)  # noqa: S311
    middle = len(mixed) // 2
    first, second = mixed[:middle], mixed[middle:]
    return (
        Dataset(dataset.name, dataset.known_by, dataset.assets, first),
        Dataset(dataset.name, dataset.known_by, dataset.assets, second),
    )


def card_of(name: str) -> str:
    """What the card of a template says that is known by the name of its intent only."""
    return name.replace("_", " ").replace("/", " ")


def _asked(text: str, fits: frozenset[str]) -> Asked:
    return Asked(text, "in" if fits else "near", fits)


def _intents(path: Path, rows: Sequence[tuple[int, dict[str, Any]]]) -> Dataset:
    train: dict[str, list[str]] = {}
    test: list[tuple[str, frozenset[str]]] = []
    for number, row in rows:
        split, intent, text = (_text(path, number, row, name) for name in ("split", "intent", "text"))
        if split == "train":
            train.setdefault(intent, []).append(text)
        elif split == "test":
            test.append((text, frozenset((intent,))))
        else:
            raise DatasetInvalid(str(path), number, "split is neither train nor test")
    if not train or not test:
        raise DatasetInvalid(str(path), 1, "the file has no texts to train with or none to test with")
    assets = {key: Known(card_of(key), card_of(key), None, tuple(train[key])) for key in sorted(train)}
    return Dataset(path.stem, KnownBy.phrases, assets, sorted(test, key=lambda one: min(one[1])))


def _described(path: Path, rows: Sequence[tuple[int, dict[str, Any]]]) -> Dataset:
    assets: dict[str, Known] = {}
    for number, row in rows:
        if "tool" in row:
            name, said = _text(path, number, row, "name"), str(row.get("description") or "")
            assets[str(row["tool"])] = Known(name, f"{name}\n{said}" if said else name, said[:_LONGEST] or None)
    named: dict[str, list[str]] = {}
    for key, one in assets.items():
        named.setdefault(one.name, []).append(key)
    requests = [(text, frozenset(_same(assets, named, fits))) for text, fits in _requests(path, rows)]
    if not assets or not requests:
        raise DatasetInvalid(str(path), 1, "the file has no described assets or no requests")
    return Dataset(path.stem, KnownBy.description, assets, requests)


def _same(assets: Mapping[str, Known], named: Mapping[str, Sequence[str]], fits: Sequence[str]) -> Iterator[str]:
    for key in fits:
        yield from named[assets[key].name] if key in assets else ()


def _imported(path: Path, rows: Sequence[tuple[int, dict[str, Any]]], assets: Mapping[str, Known]) -> Dataset:
    requests = [(text, frozenset(fits) & assets.keys()) for text, fits in _requests(path, rows)]
    return Dataset(path.stem, KnownBy.imported, assets, [one for one in requests if one[1]])


def _requests(path: Path, rows: Sequence[tuple[int, dict[str, Any]]]) -> Iterator[tuple[str, list[str]]]:
    for number, row in rows:
        if "request" in row:
            fits = row.get("fits")
            if not isinstance(fits, list):
                raise DatasetInvalid(str(path), number, "fits is not a list")
            yield _text(path, number, row, "request")[:_LONGEST], [str(one) for one in cast("list[Any]", fits)]


def _rows(path: Path) -> list[tuple[int, dict[str, Any]]]:
    found: list[tuple[int, dict[str, Any]]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise DatasetInvalid(str(path), number, f"it is not such an object ({error})") from error
        if not isinstance(row, dict):
            raise DatasetInvalid(str(path), number, "it is not such an object")
        found.append((number, cast("dict[str, Any]", row)))
    if not found:
        raise DatasetInvalid(str(path), 1, "the file is empty")
    return found


def _text(path: Path, number: int, row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str):
        raise DatasetInvalid(str(path), number, f"{name} is not there, or is no text")
    return value
