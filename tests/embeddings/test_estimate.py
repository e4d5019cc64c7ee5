"""Estimates: how far they are from what tokenizers make of whole packets, and what always holds of them."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings.tokens import CAUTIOUS, ESTIMATES

SAMPLE = Path(__file__).with_name("counted_packets.json")
PACKETS: list[dict[str, Any]] = json.loads(SAMPLE.read_text())
"""Packets of texts of our own, and what the families' tokenizers made of them: `tests/bench/calibration/tokens.mjs`."""

lines = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), max_size=60)
families = st.sampled_from(sorted(ESTIMATES))


@pytest.mark.parametrize("family", sorted(ESTIMATES))
def test_whole_packets_are_estimated_between_3_percent_too_low_and_30_too_high(family: str) -> None:
    count = ESTIMATES[family].count
    errors = {one["name"]: count(one["text"]) / one[family] - 1 for one in PACKETS}
    assert len(errors) >= 30
    assert {name: f"{error:+.1%}" for name, error in errors.items() if not -0.03 <= error <= 0.30} == {}
    assert 0.03 < sum(errors.values()) / len(errors) < 0.17


@pytest.mark.parametrize("family", sorted(ESTIMATES))
def test_without_a_model_the_same_holds_in_english_and_no_packet_is_estimated_too_low(family: str) -> None:
    errors = {one["name"]: CAUTIOUS.count(one["text"]) / one[family] - 1 for one in PACKETS}
    assert min(errors.values()) >= -0.03
    english = {name: error for name, error in errors.items() if name.startswith(("docs", "seeds", "code"))}
    assert max(english.values()) <= 0.30


@given(family=families, text=st.lists(lines, min_size=1, max_size=6))
def test_lines_take_no_less_one_by_one_than_together(family: str, text: list[str]) -> None:
    count = ESTIMATES[family].count
    whole = count("".join(f"{line}\n" for line in text))
    apart = sum(count(f"{line}\n") for line in text)
    assert whole <= apart <= whole + len(text)


@given(family=families, text=lines, more=lines)
def test_more_text_never_takes_less(family: str, text: str, more: str) -> None:
    count = ESTIMATES[family].count
    assert count(text) <= count(text + more)


@pytest.mark.parametrize("text", ["法院提前关门", "المحكمة", "Суд", "δικαστήριο", "법원", "裁判所は早く閉まる", "ศาล"])
def test_other_scripts_are_counted_by_their_bytes_and_said_to_be(text: str) -> None:
    for counter in ESTIMATES.values():
        assert counter.count(text) == len(text.encode())
        assert counter.by_bytes(f"The court said {text}.")


@pytest.mark.parametrize("text", ["", "Plain.", "naïve “quotes” — §5", "Łódź, Žižek, Nguyễn", "→ ✓ 🎉", "a\x00b"])
def test_latin_letters_signs_and_symbols_are_not_said_to_be_counted_by_bytes(text: str) -> None:
    for counter in ESTIMATES.values():
        assert not counter.by_bytes(text)
        assert counter.count(text) <= len(text.encode()) + 1


def test_half_of_a_surrogate_pair_is_counted_too() -> None:
    assert all(counter.count("a\ud800b") >= 3 for counter in ESTIMATES.values())
