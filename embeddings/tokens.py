"""How many tokens a text takes: by the target model's own tokenizer where it is on hand, else at most so many."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Tokenizer

AT_MOST = "utf8_bytes"
"""No byte-level tokenizer makes more tokens of a text than it has bytes. So this never counts too few."""


@dataclass(frozen=True, slots=True)
class Counter:
    """A way of counting, by name."""

    name: str
    count: Callable[[str], int]


_BYTES = Counter(AT_MOST, lambda text: len(text.encode()))


class Counters:
    """Tokenizers of a directory: `<model>.json`, as Hugging Face's tokenizers write them, `/` in names as `--`."""

    def __init__(self, directory: Path | None = None) -> None:
        self._directory = directory
        self._known: dict[str, Counter] = {}

    def of(self, model: str | None) -> Counter:
        """The model's own counter, else the one that never counts too few."""
        if not model:
            return _BYTES
        if model not in self._known:
            # The listing decides, not the name: a model called `../x` finds nothing.
            files = {one.name: one for one in self._directory.glob("*.json")} if self._directory else {}
            file = files.get(f"{model.replace('/', '--')}.json")
            if file is None:
                return _BYTES
            self._known[model] = self._load(model, file)
        return self._known[model]

    @staticmethod
    def _load(model: str, file: Path) -> Counter:
        tokenizer = Tokenizer.from_file(str(file))
        return Counter(model, lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids))
