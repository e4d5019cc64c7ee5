"""The default engine: int8 ONNX models on onnxruntime, read straight from the jar that packages them.

Every text runs through the model by itself. These models choose the int8 scale of an activation from the whole
batch, so that in a shared batch a text's vector would change with its neighbours (measured: cosine 0.99 with
itself). Several texts run side by side on threads instead, which is as quick as a batch.
"""

import os
import zipfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from embeddings.errors import ModelUnusable
from embeddings.port import Vectors, checked, key_of, unit

MOST_THREADS = 4


@dataclass(frozen=True)
class Recipe:
    """How a packaged model is found and used. Whoever changes one that is in use gives it a new version."""

    name: str
    version: str
    jar: Literal["minilm", "bge-small"]
    stem: str
    weights_crc: int
    tokenizer_crc: int
    pooling: Literal["mean", "first"]
    dimensions: int
    max_tokens: int
    unrelated: float  # from tests/bench/calibration/search.json

    @property
    def weights_file(self) -> str:
        return f"{self.stem}.onnx"

    @property
    def tokenizer_file(self) -> str:
        return f"{self.stem}-tokenizer.json"


MINILM = Recipe(
    name="all-minilm-l6-v2",
    version="q1",
    jar="minilm",
    stem="all-minilm-l6-v2-q",
    weights_crc=0xDF4D1C08,
    tokenizer_crc=0xC3F77764,
    pooling="mean",
    dimensions=384,
    max_tokens=256,  # its authors' limit; the 128 in the packaged tokenizer is that of its training data
    unrelated=0.0,
)

# No instruction before queries: its authors advise one only for finding long passages with short questions, and
# say that v1.5 does nearly as well without. Requests are compared with cards and phrases of their own kind here.
BGE_SMALL = Recipe(
    name="bge-small-en-v1.5",
    version="q1",
    jar="bge-small",
    stem="bge-small-en-v1.5-q",
    weights_crc=0xFD1CAEFC,
    tokenizer_crc=0xFEC4E1BC,
    pooling="first",
    dimensions=384,
    max_tokens=512,
    unrelated=0.5,
)

PACKAGED = {recipe.name: recipe for recipe in (MINILM, BGE_SMALL)}


class OnnxEmbedder:
    def __init__(self, recipe: Recipe, jar: Path, *, threads: int | None = None) -> None:
        self.name = recipe.name
        self.version = recipe.version
        self.key = key_of(recipe.name, recipe.version)
        self.dimensions = recipe.dimensions
        self.max_tokens = recipe.max_tokens
        self.unrelated = recipe.unrelated
        self._pooling = recipe.pooling
        self._tokenizer, self._session = _open(recipe, jar)
        self._first, self._last = (self._mark(mark) for mark in ("[CLS]", "[SEP]"))
        self._inputs = {given.name for given in self._session.get_inputs()}
        self._pool = ThreadPoolExecutor(threads or _default_threads(), thread_name_prefix="embed")

    def embed_query(self, text: str) -> list[float]:
        return self._embed(text).tolist()

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.embed_texts(texts)

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for row, vector in enumerate(self._pool.map(self._embed, texts)):
            vectors[row] = vector
        return vectors

    def count_tokens(self, text: str) -> int:
        return len(self._tokens(text))

    def _mark(self, mark: str) -> int:
        found = self._tokenizer.token_to_id(mark)
        if found is None:
            raise ModelUnusable(self.name, f"its tokenizer knows no {mark}", remedy=_FETCH_AGAIN)
        return found

    def _tokens(self, text: str) -> list[int]:
        return self._tokenizer.encode(checked(text), add_special_tokens=False).ids

    def _embed(self, text: str) -> Vectors:
        kept = self._tokens(text)[: self.max_tokens - 2]
        ids = np.array([[self._first, *kept, self._last]], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        given = {name: values for name, values in feed.items() if name in self._inputs}
        states = cast("Vectors", self._session.run(None, given)[0])[0]
        return unit(states.mean(axis=0) if self._pooling == "mean" else states[0])


_FETCH_AGAIN = "Delete that file; the next start fetches it again."


def _default_threads() -> int:
    return min(MOST_THREADS, os.cpu_count() or 1)


def _open(recipe: Recipe, jar: Path) -> tuple[Tokenizer, Any]:
    try:
        with zipfile.ZipFile(jar) as archive:
            _check(archive, recipe.weights_file, recipe.weights_crc)
            _check(archive, recipe.tokenizer_file, recipe.tokenizer_crc)
            tokenizer = Tokenizer.from_str(archive.read(recipe.tokenizer_file).decode())
            weights = archive.read(recipe.weights_file)
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise ModelUnusable(recipe.name, f"{jar} is not its package ({error})", remedy=_FETCH_AGAIN) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer, onnxruntime.InferenceSession(weights, _options(), providers=["CPUExecutionProvider"])


def _check(archive: zipfile.ZipFile, file: str, crc: int) -> None:
    """Other weights under the same version would mix two models' vectors in one index."""
    found = archive.getinfo(file).CRC
    if found != crc:
        raise ValueError(f"{file} has checksum {found:08x} instead of {crc:08x}")


def _options() -> Any:
    options: Any = cast("Any", onnxruntime).SessionOptions()  # the package has no type for it
    options.intra_op_num_threads = 1  # texts run side by side; threads inside one text would spin between its steps
    options.enable_cpu_mem_arena = False  # an arena keeps the memory of the longest text ever seen
    options.log_severity_level = 3
    return options
