"""How many tokens a text takes: by the target model's own tokenizer where it is on hand, else by an estimate."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from embeddings.errors import TokenizerUnusable
from embeddings.estimate import Estimate
from embeddings.pairs import PAIRS


@dataclass(frozen=True, slots=True)
class Counter:
    """A way of counting, by name."""

    name: str
    count: Callable[[str], int]
    by_bytes: Callable[[str], bool]
    """Whether part of a text is counted by its bytes, which is always too much."""
    known: bool = True
    """Whether anything is known of how the model makes tokens."""


def _counter(estimate: Estimate) -> Counter:
    return Counter(estimate.name, estimate.count, estimate.by_bytes)


ESTIMATES = {family: _counter(Estimate(family, table)) for family, table in PAIRS.items()}
CAUTIOUS = _counter(Estimate("any", *PAIRS.values()))
"""Not too few for any family: for whoever names no model."""

_FAMILIES = (
    ("o200k", re.compile(r"gpt-?(4o|4\.1|4\.5|5|oss)|(^|[/.:])o[134]\b")),
    ("cl100k", re.compile(r"gpt-?(4|3\.?5)|text-embedding-(3|ada-002)")),
    ("llama3", re.compile(r"llama-?3")),
    ("claude", re.compile(r"claude")),
)
"""How names of models tell the family: the first that is found in the name, whatever stands around it."""


def family_of(model: str) -> str | None:
    name = model.lower()
    return next((family for family, pattern in _FAMILIES if pattern.search(name)), None)


class Counters:
    """Tokenizers of a directory: `<model>.json`, as Hugging Face's tokenizers write them, `/` in names as `--`."""

    def __init__(self, directory: Path | None = None) -> None:
        self._directory = directory
        self._known: dict[str, Counter] = {}

    def of(self, model: str | None) -> Counter:
        """The model's own counter, else its family's estimate, else what any family would take."""
        if not model:
            return CAUTIOUS
        if model not in self._known:
            file = self._file(model)
            if file is None:
                return _estimate(model)
            self._known[model] = _load(model, file)
        return self._known[model]

    def _file(self, model: str) -> Path | None:
        # The listing decides, not the name: a model called `../x` finds nothing.
        files = {one.name: one for one in self._directory.glob("*.json")} if self._directory else {}
        return files.get(f"{model.replace('/', '--')}.json")


def _estimate(model: str) -> Counter:
    family = family_of(model)
    return ESTIMATES[family] if family else _UNKNOWN


_UNKNOWN = replace(CAUTIOUS, known=False)

_PROBE = "Every counter has to count: 12 words, naïve ones, 数字, “quotes”\n\tand\x00whatever else there is."


def _load(model: str, file: Path) -> Counter:
    try:
        tokenizer: Any = Tokenizer.from_file(str(file))  # its stubs leave half of the types out
        tokenizer.encode(_PROBE, add_special_tokens=False)
    except Exception as error:  # the library raises nothing more specific
        raise TokenizerUnusable(model, str(file), f"is broken ({error})") from error
    if tokenizer.truncation is not None:
        most = tokenizer.truncation["max_length"]
        raise TokenizerUnusable(model, str(file), f"cuts texts at {most} tokens, so that it would count too few")
    if tokenizer.padding is not None:
        raise TokenizerUnusable(model, str(file), "pads texts, so that it would count what is not there")
    return Counter(model, lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids), lambda _text: False)
