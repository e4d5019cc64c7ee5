"""Makes `service/english.txt`, how common English words are: `python -m tests.bench.calibration.english FOLDER`.

FOLDER is where the wheel of `wordfreq` (3.1.1 was used) is unpacked; its list is read as it is, so that the package and
what it needs are not installed here. The table is made once, and is part of the version of every ranker that reads it.
"""

import gzip
import math
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from service.words import STOP_WORDS, fold, stem

RAREST = 3.0
"""The Zipf value of a word that is said once in a million: rarer ones are not listed."""

HEAD = """\
# How common English words are: the Zipf value (log10 of how often in 10^9 words) in tenths, then stems that have it.
# Made from the large English list of wordfreq 3.1.1 (Robyn Speer and others), CC BY-SA 4.0,
# https://github.com/rspeer/wordfreq. This table is under the same licence.
"""


def table(listed: list[Any]) -> dict[int, list[str]]:
    """wordfreq keeps words in bins of a hundredth of a decade, the commonest first."""
    shares: dict[str, float] = defaultdict(float)
    for centibels, words in enumerate(listed[1:]):
        for word in words:
            if fold(word).isalnum() and word not in STOP_WORDS:
                shares[stem(fold(word))] += 10 ** (-centibels / 100)
    found: dict[int, list[str]] = defaultdict(list)
    for one, share in shares.items():
        zipf = 9 + math.log10(share)
        if zipf >= RAREST:
            found[round(10 * zipf)].append(one)
    return found


def main(folder: Annotated[Path, typer.Argument(help="Where the wheel is unpacked.", exists=True)]) -> None:
    packed = gzip.decompress((folder / "wordfreq/data/large_en.msgpack.gz").read_bytes())
    listed = import_module("msgpack").loads(packed, raw=False)
    lines = [f"{tenths} {' '.join(sorted(stems))}\n" for tenths, stems in sorted(table(listed).items(), reverse=True)]
    Path("service/english.txt").write_text(HEAD + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
