import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings.onnx import OnnxEmbedder
from embeddings.port import key_of
from tests.laws import law

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)
words = st.sampled_from(
    ["review", "draft", "contract", "invoice", "judge", "clause", "bug", "the", "a", "of", "Marex", "Narayanan"]
)
sentences = st.lists(words, max_size=12).map(" ".join)
on_both_models = law(15)


@pytest.mark.slow
@on_both_models
@given(batch=st.lists(texts | sentences, min_size=1, max_size=8), neighbours=st.lists(sentences, max_size=8))
def test_a_vector_never_depends_on_its_neighbours(
    embedder: OnnxEmbedder, batch: list[str], neighbours: list[str]
) -> None:
    alone = [embedder.embed_query(text) for text in batch]
    assert embedder.embed_texts(batch).tolist() == alone
    assert embedder.embed_texts([*neighbours, *batch])[len(neighbours) :].tolist() == alone
    assert embedder.embed_queries(batch[::-1]).tolist() == alone[::-1]


@on_both_models
@given(text=texts)
def test_every_vector_has_length_one(embedder: OnnxEmbedder, text: str) -> None:
    assert abs(float(np.linalg.norm(embedder.embed_query(text))) - 1) < 1e-5


@given(one=sentences, other=sentences)
def test_tokens_of_two_texts_add_up(minilm: OnnxEmbedder, one: str, other: str) -> None:
    assert minilm.count_tokens(f"{one} {other}") == minilm.count_tokens(one) + minilm.count_tokens(other)


@given(name=st.text(), version=st.text(st.sampled_from("0123456789abcdef"), min_size=1))
def test_a_key_is_always_an_identifier_that_ends_in_its_version(name: str, version: str) -> None:
    key = key_of(name, version)
    assert re.fullmatch(r"[a-z][a-z0-9_]*", key)
    assert key.endswith(version)
