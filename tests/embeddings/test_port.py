from pathlib import Path

import pytest

from embeddings import EngineNotInstalled, load
from embeddings.loader import JarOf
from embeddings.onnx import OnnxEmbedder
from embeddings.port import key_of


@pytest.mark.parametrize(
    ("name", "version", "key"),
    [
        ("all-minilm-l6-v2", "q1", "all_minilm_l6_v2_q1"),
        ("BAAI/bge-base-en-v1.5", "0a1b", "baai_bge_base_en_v1_5_0a1b"),
        ("3rd model", "1", "model_3rd_model_1"),
        ("模型", "0a1b", "model_0a1b"),
        ("x" * 100, "v1", "x" * 48 + "_v1"),
        ("", "", "model"),
    ],
)
def test_a_key_is_an_identifier(name: str, version: str, key: str) -> None:
    assert key_of(name, version) == key


@pytest.mark.parametrize(
    ("model", "group"),
    [("all-minilm-l6-v2", "minilm"), ("bge-small-en-v1.5", "bge-small"), ("All-MiniLM-L6-v2", "minilm")],
)
def test_packaged_models_come_from_their_jar(model: str, group: str, jar_of: JarOf) -> None:
    asked: list[str] = []

    def recorded(name: str) -> Path:
        asked.append(name)
        return jar_of(name)

    embedder = load(model, recorded)
    assert isinstance(embedder, OnnxEmbedder)
    assert (embedder.name, asked) == (model.lower(), [group])


def test_any_other_model_needs_the_extra_and_says_how_to_get_it(jar_of: JarOf) -> None:
    with pytest.raises(EngineNotInstalled, match="sentence-transformers/all-mpnet-base-v2") as caught:
        load("sentence-transformers/all-mpnet-base-v2", jar_of)
    assert caught.value.code == "embedding_engine_missing"
    assert caught.value.remedy.endswith("-m uv pip install 'sentence-transformers>=5'")
