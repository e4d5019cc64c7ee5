"""The second engine: any model that sentence-transformers loads, by name or by path. Imported only when chosen."""

import copy
import hashlib
import importlib
import importlib.util
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from embeddings.errors import EngineNotInstalled, ModelUnusable
from embeddings.port import Vectors, checked, key_of, unit

_PACKAGE = "sentence_transformers"
_NO_LIMIT = 2**31 - 1


class SentenceEmbedder:
    """One text at a time: in a batch the shapes of the matrices change, and the last bits of a vector with them."""

    def __init__(self, model: str) -> None:
        self._model = _open(model)
        self._encoding = threading.Lock()
        # A tokenizer of its own: the model's is set anew by every encoding, and two threads may not share that.
        self._tokenizer = copy.deepcopy(self._model.tokenizer)
        self._counting = threading.Lock()
        self.name = Path(model).resolve().name if Path(model).exists() else model
        self.version = _fingerprint(self._model)
        self.key = key_of(self.name, self.version)
        self.max_tokens = int(self._model.max_seq_length or _NO_LIMIT)
        self.dimensions = len(self.embed_query(""))
        self.unrelated = _unrelated(self.embed_texts(_APART))

    def embed_query(self, text: str) -> list[float]:
        return self._embed(self._model.encode_query, text).tolist()

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed_all(self._model.encode_query, texts)

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        return self._embed_all(self._model.encode_document, texts)

    def count_tokens(self, text: str) -> int:
        with self._counting:
            tokens = self._tokenizer(checked(text), add_special_tokens=False, truncation=False, verbose=False)
        return len(tokens["input_ids"])

    def _embed_all(self, encode: Callable[..., Any], texts: Sequence[str]) -> Vectors:
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self._embed(encode, text)
        return vectors

    def _embed(self, encode: Callable[..., Any], text: str) -> Vectors:
        with self._encoding:
            found = encode(checked(text), convert_to_numpy=True, show_progress_bar=False)
        return unit(np.asarray(found, dtype=np.float32))


def _open(model: str) -> Any:
    if importlib.util.find_spec(_PACKAGE) is None:
        raise EngineNotInstalled(model)
    try:
        return importlib.import_module(_PACKAGE).SentenceTransformer(model)
    except Exception as error:  # hub, disk, formats: every layer below has errors of its own
        problem = str(error).partition("\n")[0].rstrip(".") or type(error).__name__
        raise ModelUnusable(model, problem, remedy=_CHECK_THE_NAME) from error


# Of fields so far apart that no model should see a likeness.
_APART = (
    "The river floods the lower meadows every spring.",
    "Please reset the password of my account.",
    "She plays the cello in a string quartet.",
    "The court dismissed the appeal with costs.",
    "Whisk the egg whites until they are stiff.",
    "Electrons in the outer shell form the bond.",
)


def _unrelated(vectors: Vectors) -> float:
    """The mean cosine of two of them, at least 0."""
    cosines = vectors @ vectors.T
    return max(0.0, float(cosines[np.triu_indices(len(vectors), 1)].mean()))


_CHECK_THE_NAME = (
    "Check TASKLORE_EMBEDDING_MODEL: a directory, or the name of a model that this machine can download or has cached."
)


def _fingerprint(model: Any) -> str:
    """Names and paths outlive the weights behind them; the weights themselves say when vectors would change."""
    bytes_of = importlib.import_module("torch").uint8
    digest = hashlib.sha256(f"{model.max_seq_length} {sorted(model.prompts.items())}".encode())
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.detach().cpu().contiguous().reshape(-1).view(bytes_of).numpy())
    return digest.hexdigest()[:12]
