"""Vectors of many texts for fitting and judging: each text alone, as the service does, and once."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import typer

from embeddings import Embedder, Vectors, load
from service.artifacts import ensure
from service.settings import load_settings

_AT_ONCE = 500


class VectorStore:
    """Keeps what it has embedded in a folder, when it is given one, so that the next run need not."""

    def __init__(self, model: str, folder: Path | None = None) -> None:
        settings = load_settings()
        self._embedder: Embedder = load(model, lambda group: ensure(group, settings.cache, typer.echo)[0])
        self.key = self._embedder.key
        self._files = (folder / f"{self.key}.npy", folder / f"{self.key}.json") if folder else None
        self._rows: dict[str, int] = {}
        self._vectors: Vectors = np.empty((0, self._embedder.dimensions), dtype=np.float32)
        if self._files and self._files[0].exists():
            self._vectors = np.load(self._files[0])
            self._rows = {text: row for row, text in enumerate(json.loads(self._files[1].read_text(encoding="utf-8")))}

    def of(self, texts: Sequence[str]) -> Vectors:
        missing = [text for text in dict.fromkeys(texts) if text not in self._rows]
        for start in range(0, len(missing), _AT_ONCE):
            self._add(missing[start : start + _AT_ONCE])
        return self._vectors[[self._rows[text] for text in texts]]

    def _add(self, texts: list[str]) -> None:
        self._vectors = np.concatenate([self._vectors, self._embedder.embed_texts(texts)])
        self._rows |= {text: len(self._rows) + place for place, text in enumerate(texts)}
        if self._files:
            np.save(self._files[0], self._vectors)
            self._files[1].write_text(json.dumps(list(self._rows)), encoding="utf-8")
