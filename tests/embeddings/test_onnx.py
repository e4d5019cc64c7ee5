import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from embeddings import Embedder, EmbeddingError, ModelUnusable, TextNotUnicode
from embeddings.loader import JarOf
from embeddings.onnx import BGE_SMALL, MINILM, OnnxEmbedder

AWKWARD = {
    "empty": "",
    "blank": " \t\n",
    "NUL": "before\0after",
    "japanese": "契約を見直して、解除条項を要約する",
    "arabic": "راجع العقد ولخص شروط الإنهاء",
    "emoji": "👩🏽‍⚖️ signs ✍️",
    "combining": "e\u0301" * 50,
    "special tokens": "[CLS] [SEP] [PAD] [MASK]",
    "one long word": "x" * 50_000,
    "long": "the duty of care in contract law " * 1_516,
}


def port(embedder: OnnxEmbedder) -> Embedder:
    """Type-checked: the engine is what the port asks for."""
    return embedder


@pytest.mark.slow
@pytest.mark.parametrize("text", AWKWARD.values(), ids=AWKWARD.keys())
def test_every_text_has_a_unit_vector_that_stays_the_same(embedder: OnnxEmbedder, text: str) -> None:
    vectors = port(embedder).embed_texts([text, "something else", text])
    assert vectors.dtype == np.float32
    assert vectors.shape == (3, 384) == (3, embedder.dimensions)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-6)
    assert vectors[0].tolist() == vectors[2].tolist() == embedder.embed_query(text)


def test_no_texts_make_no_vectors(embedder: OnnxEmbedder) -> None:
    assert embedder.embed_texts([]).shape == (0, 384)


@pytest.mark.parametrize("text", ["ab\ud800cd", "ab\udfff"])
def test_half_a_surrogate_pair_is_refused_with_its_position(embedder: OnnxEmbedder, text: str) -> None:
    for call in (embedder.embed_query, embedder.count_tokens):
        with pytest.raises(TextNotUnicode, match="position 2") as caught:
            call(text)
        assert caught.value.code == "embedding_text_invalid"
    with pytest.raises(TextNotUnicode, match="position 2"):
        embedder.embed_texts(["fine", text])


@pytest.mark.slow
def test_text_beyond_the_limit_counts_but_does_not_change_the_vector(embedder: OnnxEmbedder) -> None:
    full = " ".join(["contract"] * (embedder.max_tokens - 2))
    assert embedder.count_tokens(full) == embedder.max_tokens - 2
    assert embedder.count_tokens(full + " banana banana") == embedder.max_tokens
    assert embedder.embed_query(full + " banana") == embedder.embed_query(full)
    assert embedder.embed_query("banana " + full) != embedder.embed_query(full)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("hello", 1), ("Hello, world!", 4), ("embeddings", 4), ("[SEP]", 1), ("契約", 2), ("a\0b", 1)],
)
def test_tokens_are_counted(embedder: OnnxEmbedder, text: str, tokens: int) -> None:
    assert embedder.count_tokens(text) == tokens


@pytest.mark.parametrize(
    ("request_text", "near", "far"),
    [
        ("summarise the contract", "give me a short overview of the agreement", "book a flight to Lisbon"),
        ("remind the client of the unpaid invoice", "payment reminder for an overdue bill", "review a pull request"),
        ("find bugs in this function", "code review of a Python module", "draft a witness statement"),
        ("what did the judge decide", "outcome of the court hearing", "recipe for lentil soup"),
    ],
)
def test_near_meanings_are_near(embedder: OnnxEmbedder, request_text: str, near: str, far: str) -> None:
    wanted, close, distant = embedder.embed_texts([request_text, near, far])
    assert wanted @ close > wanted @ distant + 0.1


def test_the_models_have_keys_of_their_own(minilm: OnnxEmbedder, bge_small: OnnxEmbedder) -> None:
    assert (minilm.name, minilm.key) == ("all-minilm-l6-v2", "all_minilm_l6_v2_q1")
    assert (bge_small.name, bge_small.key) == ("bge-small-en-v1.5", "bge_small_en_v1_5_q1")
    assert (minilm.max_tokens, bge_small.max_tokens) == (256, 512)


def test_threads_do_not_change_a_vector(jar_of: JarOf, minilm: OnnxEmbedder) -> None:
    texts = [f"clause {number} of the agreement" for number in range(20)]
    alone = OnnxEmbedder(MINILM, jar_of("minilm"), threads=1)
    assert np.array_equal(alone.embed_texts(texts), minilm.embed_texts(texts))


def test_a_jar_of_another_model_is_refused(jar_of: JarOf) -> None:
    with pytest.raises(ModelUnusable, match=r"all-minilm-l6-v2-q\.onnx"):
        OnnxEmbedder(MINILM, jar_of("bge-small"))


def test_a_damaged_jar_is_refused(jar_of: JarOf, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.jar"
    content = bytearray(jar_of("bge-small").read_bytes())
    middle = len(content) // 2
    content[middle : middle + 64] = bytes(64)
    for broken in (bytes(content), bytes(content[:middle]), b""):
        damaged.write_bytes(broken)
        with pytest.raises(EmbeddingError, match=r"damaged\.jar") as caught:
            OnnxEmbedder(BGE_SMALL, damaged)
        assert caught.value.code == "embedding_model_unusable"
        assert caught.value.remedy


def test_a_missing_jar_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelUnusable, match=r"absent\.jar"):
        OnnxEmbedder(MINILM, tmp_path / "absent.jar")


MEMORY = """
import sys, psutil
import embeddings
assert not any(name.startswith(("onnxruntime", "service", "graph_schema")) for name in sys.modules)
embedder = embeddings.load("all-minilm-l6-v2", lambda group: sys.argv[1])
embedder.embed_texts(["a word", "the duty of care " * 500] * 8)
assert not any(name.split(".")[0] in ("torch", "service", "graph_schema") for name in sys.modules)
print(psutil.Process().memory_info().rss)
"""


@pytest.mark.slow
def test_a_process_with_the_default_model_stays_small(jar_of: JarOf) -> None:
    child = subprocess.run(
        [sys.executable, "-c", MEMORY, str(jar_of("minilm"))], capture_output=True, text=True, check=True
    )
    assert int(child.stdout) < 250e6
