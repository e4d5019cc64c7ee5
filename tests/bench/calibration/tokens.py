"""The tables of token estimates, from texts and from tokenizers that cut them. In a folder of your own:

    python -m tests.bench.calibration.tokens packets FOLDER       # FOLDER/texts.jsonl into packets.jsonl
    node tests/bench/calibration/tokens.mjs FOLDER                # where four tokenizers cut them: cuts.jsonl
    python -m tests.bench.calibration.tokens fit FOLDER --write   # tables, and how far they are off

A line of `texts.jsonl` has `split` (`fit`, or any other: those are only reported), `kind`, `source` and `text`.
"""

import argparse
import base64
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embeddings import estimate, pairs
from embeddings.estimate import BY_BYTES, LEVELS, PER_TOKEN, SIZE, Estimate, pairs_of
from graph_schema.context.words import ContextLayer
from service.context.packets.receipts import ContextItem
from service.context.packets.rendering import markdown
from service.ids import new_id

Matrix = NDArray[np.float64]
FAMILIES = ("o200k", "cl100k", "llama3", "claude")
PACKETS = {"language": 40, "other": 120}
LABELS = ("Entity", "Preference", "Memory", "Restriction", "Procedure", "Capability", "Goal", "Run", "Template")
LENGTHS = (60, 120, 200, 350, 600)

LEAST, MOST, AIM = 0.02, 0.20, 0.10
"""An estimate that is less or more than this too high is pulled back hard; all are pulled to the aim."""
STEPS, STEP, HOLD = 3_000, 0.003, 2e-5
"""Of the fit; and how strongly a cell is held to how often tokenizers really cut there."""
FOREIGN = 0.35
"""What a language counts for in the fit, where a kind of English text or data counts for one."""


@dataclass(frozen=True)
class Corpus:
    """Packets, each as the counts of its pairs, with what the tokenizers made of it."""

    split: NDArray[np.str_]
    kind: NDArray[np.str_]
    met: Matrix
    made: dict[str, Matrix]
    cut: dict[str, Matrix]
    """How often each pair was cut, over the packets that are fitted on: a row for each kind of text."""
    of_kind: Matrix


def packets(folder: Path) -> None:
    """Packets as the service would write them, each of one source."""
    texts: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for line in (folder / "texts.jsonl").open():
        one = json.loads(line)
        texts[one["split"], one["kind"]][one["source"]].append(one["text"])
    with (folder / "packets.jsonl").open("w") as out:
        for (split, kind), sources in sorted(texts.items()):
            for number in range(PACKETS["language" if "-" in kind else "other"]):
                chance = random.Random(f"{split} {kind} {number}")  # noqa: S311
                text = packet(chance, sources[chance.choice(sorted(sources))])
                out.write(json.dumps({"split": split, "kind": kind, "text": text}) + "\n")


def packet(chance: random.Random, texts: Sequence[str]) -> str:
    layers = sorted(chance.sample([*ContextLayer], chance.randrange(2, 9)), key=[*ContextLayer].index)
    few, whole = chance.random() < 0.25, chance.random() < 0.3
    items = [_item(chance, texts, layer) for layer in layers for _ in range(chance.randrange(1, 3 if few else 7))]
    if whole:
        pages = "\n".join(_piece(chance, texts, 3_000) for _ in range(chance.randrange(1, 4)))
        items.append(_shown(layers[-1], "Entity", _name(chance, texts), f"document, 12 pages\np. 3-5:\n{pages}"))
    return markdown(items)


def _item(chance: random.Random, texts: Sequence[str], layer: ContextLayer) -> ContextItem:
    kept = f"document, application/pdf, kept at s3://archive/{chance.randrange(9_999)}\n"
    text = (kept if chance.random() < 0.15 else "") + _piece(chance, texts, chance.choice(LENGTHS))
    return _shown(layer, chance.choice(LABELS), _name(chance, texts), text)


def _shown(layer: ContextLayer, label: str, name: str, text: str) -> ContextItem:
    silent: dict[str, Any] = {"rank": 1, "tokens": 0, "trimmed_text_tokens": None, "via": "none", "score": None}
    return ContextItem(
        id=new_id(label[:4].lower()),
        record_kind=label,
        name=name,
        layer=layer,
        text=text,
        explanation="",
        version=1,
        **silent,
    )


def _piece(chance: random.Random, texts: Sequence[str], length: int) -> str:
    text = chance.choice(texts)
    if len(text) <= length:
        return text
    start = max(0, text.rfind(" ", 0, chance.randrange(len(text) - length)))
    return text[start : start + length].strip()


def _name(chance: random.Random, texts: Sequence[str]) -> str:
    words: list[str] = re.findall(r"\w[\w\-]*", _piece(chance, texts, 120)) or ["Note"]
    return " ".join(words[1 : chance.randrange(3, 7)] or words).capitalize()[:80]


def read(folder: Path) -> Corpus:
    rows = [json.loads(line) for line in (folder / "packets.jsonl").open()]
    cuts = [_lengths(line) for line in (folder / "cuts.jsonl").open()]
    split, kind = np.array([one["split"] for one in rows]), np.array([one["kind"] for one in rows])
    kinds = sorted({*kind[split == "fit"]})
    met = np.zeros((len(rows), SIZE * SIZE))
    cut = {family: np.zeros((len(kinds), SIZE * SIZE)) for family in FAMILIES}
    of_kind = np.zeros((len(kinds), SIZE * SIZE))
    for place, (one, lengths) in enumerate(zip(rows, cuts, strict=True)):
        found = pairs_of(one["text"])
        met[place] = np.bincount(found, minlength=SIZE * SIZE)
        if one["split"] == "fit":
            row = kinds.index(one["kind"])
            of_kind[row] += met[place]
            for family in FAMILIES:
                cut[family][row] += np.bincount(found, _starts(one["text"], lengths[family]), SIZE * SIZE)
    made = {family: np.array([float(len(one[family])) for one in cuts]) for family in FAMILIES}
    return Corpus(split, kind, met, made, cut, of_kind)


def _lengths(line: str) -> dict[str, NDArray[np.uint8]]:
    return {family: np.frombuffer(base64.b64decode(told), np.uint8) for family, told in json.loads(line).items()}


def _starts(text: str, lengths: NDArray[np.uint8]) -> Matrix:
    """For each character, how many tokens begin in it."""
    told = text.encode()
    begins = np.zeros(len(told))
    np.add.at(begins, np.cumsum(np.concatenate([[0], lengths[:-1]])), 1)
    first = np.flatnonzero((np.frombuffer(told, np.uint8) & 0xC0) != 0x80)
    return np.add.reduceat(begins, first)


def fitted(corpus: Corpus, family: str) -> Matrix:
    """How often the tokenizer cuts, moved until whole packets come out a little too high and none too low."""
    fit = corpus.split == "fit"
    shares = corpus.met[fit] / corpus.made[family][fit][:, None]
    weights = _weights(corpus.kind[fit])
    held = corpus.of_kind / corpus.of_kind.sum(1, keepdims=True)
    first, use = _frequencies(corpus, family), np.maximum(held.sum(0) / held.sum() * held.shape[1], 0.3)
    table, drift, spread = first.copy(), np.zeros_like(first), np.zeros_like(first)
    for step in range(1, STEPS + 1):
        error = shares @ table - 1
        pull = 12 * np.minimum(error - LEAST, 0) + 8 * np.maximum(error - MOST, 0) + 0.3 * (error - AIM)
        slope = shares.T @ (pull * weights) + 2 * HOLD * (table - first) * use
        drift, spread = 0.9 * drift + 0.1 * slope, 0.99 * spread + 0.01 * slope**2
        even = drift / (1 - 0.9**step) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-9)
        table = np.maximum(0, table - STEP * (1 - 0.9 * step / STEPS) * even)
    return table


def _weights(kinds: NDArray[np.str_]) -> Matrix:
    """Every kind of text counts the same, however many packets it has; a language for less."""
    return np.array([(FOREIGN if "-" in one else 1.0) / (kinds == one).sum() for one in kinds])


def _frequencies(corpus: Corpus, family: str) -> Matrix:
    """How often it cuts between two kinds; a pair that is hardly met is told by its second."""
    share = 1e6 / corpus.of_kind.sum(1, keepdims=True)
    cut = (corpus.cut[family] * share).sum(0).reshape(SIZE, SIZE)
    met = (corpus.of_kind * share).sum(0).reshape(SIZE, SIZE)
    usual = (cut.sum(0) + 1) / (met.sum(0) + 1)
    return ((cut + 30 * usual) / (met + 30)).ravel() * (1 + AIM / 2)


def rows_of(table: Matrix) -> str:
    """A table as it is written down. What is counted by bytes is one token, and ends the one before."""
    levels = np.clip(np.round(table.reshape(SIZE, SIZE) * PER_TOKEN), 0, len(LEVELS) - 1).astype(int)
    levels[BY_BYTES:, :] = levels[:, BY_BYTES:] = PER_TOKEN
    return "\n".join("".join(LEVELS[cell] for cell in row) for row in levels)


def report(folder: Path, tables: dict[str, str]) -> None:
    rows = [json.loads(line) for line in (folder / "packets.jsonl").open()]
    cuts = [_lengths(line) for line in (folder / "cuts.jsonl").open()]
    groups: dict[str, list[int]] = defaultdict(list)
    for place, one in enumerate(rows):
        groups[f"{one['split']}: {one['kind'].partition('-')[0]}"].append(place)
    for family, told in tables.items():
        count = Estimate(family, told).count
        error = np.array([count(x["text"]) / len(y[family]) - 1 for x, y in zip(rows, cuts, strict=True)])
        for group, places in sorted(groups.items()):
            found = error[places]
            low, middle, high = np.quantile(found, [0.005, 0.5, 0.995])
            within = np.mean((found >= -0.03) & (found <= 0.30))
            print(f"{family:8} {group:24} {len(places):5} {low:+7.1%} {middle:+7.1%} {high:+7.1%} {within:7.1%}")


def written(tables: dict[str, str]) -> Iterator[str]:
    yield f'"""{pairs.__doc__}"""\n\nPAIRS = {{\n'
    for family, told in tables.items():
        yield f'    "{family}": """\n{told}\n""",\n'
    yield "}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["packets", "fit", "report"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true", help=f"write {pairs.__file__}")
    given = parser.parse_args()
    if given.step == "packets":
        packets(given.folder)
        return
    tables = dict(pairs.PAIRS)
    if given.step == "fit":
        corpus = read(given.folder)
        tables = {family: rows_of(fitted(corpus, family)) for family in FAMILIES}
    report(given.folder, tables)
    if given.write:
        Path(pairs.__file__).write_text("".join(written(tables)))
        print(f"{pairs.__file__} is written; the estimates' version is {estimate.VERSION}: raise it if they changed")


if __name__ == "__main__":
    main()
