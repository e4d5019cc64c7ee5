"""Which way of counting a model has, and what is refused."""

from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer
from tokenizers.models import BPE, WordLevel
from tokenizers.pre_tokenizers import Whitespace

from embeddings.errors import TokenizerUnusable
from embeddings.tokens import CAUTIOUS, ESTIMATES, Counters, family_of

_UNKNOWN = "[UNK]"


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("gpt-4o-mini-2024-07-18", "o200k"),
        ("openai/gpt-4.1", "o200k"),
        ("GPT-5.1", "o200k"),
        ("o3-mini", "o200k"),
        ("openai/o1", "o200k"),
        ("azure:gpt-4-turbo", "cl100k"),
        ("gpt-3.5-turbo", "cl100k"),
        ("gpt-35-turbo", "cl100k"),
        ("meta-llama/Llama-3.1-8B-Instruct", "llama3"),
        ("llama3.2:3b", "llama3"),
        ("anthropic.claude-3-5-sonnet-20241022-v2:0", "claude"),
        ("llama-2-7b", None),
        ("mistral-large", None),
        ("pro3-mini", None),
        ("", None),
    ],
)
def test_the_name_of_a_model_tells_its_family(model: str, family: str | None) -> None:
    assert family_of(model) == family


def test_who_names_no_model_gets_nearly_the_highest_of_the_estimates() -> None:
    text = "Evaluate the complaint against the exhibits, and list what is missing in 14 days." * 9
    assert Counters().of(None) is CAUTIOUS
    highest = max(one.count(text) for one in ESTIMATES.values())
    assert 0.94 * highest < CAUTIOUS.count(text) < highest


def test_a_model_of_no_known_family_is_counted_as_if_nothing_were_named_and_said_to_be_unknown(tmp_path: Path) -> None:
    unknown = Counters(tmp_path).of("mistral-large")
    assert (unknown.name, unknown.known) == (CAUTIOUS.name, False)
    assert Counters(tmp_path).of("../gpt-4o").known


def test_a_models_own_tokenizer_counts_if_it_is_there(tmp_path: Path) -> None:
    _words().save(str(tmp_path / "house--words.json"))
    own = Counters(tmp_path).of("house/words")
    assert (own.name, own.known) == ("house/words", True)
    assert own.count("one two two") == 3
    assert not own.by_bytes("数字")


def _words() -> Tokenizer:
    tokenizer = Tokenizer(WordLevel({_UNKNOWN: 0, "one": 1, "two": 2}, unk_token=_UNKNOWN))
    tokenizer.pre_tokenizer = Whitespace()  # pyright: ignore[reportAttributeAccessIssue] - the stub has it read-only
    return tokenizer


@pytest.mark.parametrize("content", [b"", b"{", b"{}", b'{"model": {"type": "BPE"}}', b"\xff\xfe", b"[1, 2]"])
def test_a_broken_tokenizer_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "gpt-4o.json"
    file.write_bytes(content)
    with pytest.raises(TokenizerUnusable) as refused:
        Counters(tmp_path).of("gpt-4o")
    assert "gpt-4o" in refused.value.message
    assert str(file) in refused.value.message
    assert str(file) in refused.value.remedy


def test_a_tokenizer_that_cuts_pads_or_fails_is_refused_and_one_that_was_mended_is_taken(tmp_path: Path) -> None:
    counters, file = Counters(tmp_path), tmp_path / "house.json"
    cutting: Any = _words()
    padding: Any = _words()
    cutting.enable_truncation(512)
    padding.enable_padding(length=128)
    failing = Tokenizer(WordLevel({"one": 1}, unk_token=_UNKNOWN))
    for tokenizer, why in ((cutting, "cuts texts at 512"), (padding, "pads"), (failing, "broken")):
        tokenizer.save(str(file))
        with pytest.raises(TokenizerUnusable, match=why):
            counters.of("house")
    Tokenizer(BPE()).save(str(file))
    assert counters.of("house").name == "house"
