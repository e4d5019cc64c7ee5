"""Names of files as people read them."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.search.ranker import EXACT_FLOOR, Names, asked, score
from service.titles import EXTENSIONS, apart, title
from service.words import spoken

WORDS = st.lists(st.sampled_from(["halvorsen", "deposition", "exhibit", "damages", "memo"]), min_size=2, max_size=4)
JOINTS: dict[str, Callable[[list[str]], str]] = {
    "underscores": "_".join,
    "hyphens": "-".join,
    "dots": ".".join,
    "spaces": " ".join,
    "capitals": lambda words: "".join(word.capitalize() for word in words),
    "camels": lambda words: words[0] + "".join(word.capitalize() for word in words[1:]),
}
VERSIONS = st.sampled_from(["", "_v2", "-v10", " v1.3", "_V2", ".v2", "_version_2", "_rev3", " (2)"])


@given(WORDS, st.sampled_from(sorted(JOINTS)), VERSIONS, st.sampled_from(sorted(EXTENSIONS)))
def test_a_file_is_named_by_its_words_however_they_are_joined(
    words: list[str], joint: str, version: str, extension: str
) -> None:
    name = f"{JOINTS[joint](words)}{version}.{extension}"
    request = " ".join(words)
    assert spoken(title(name) or "") == request
    read = apart(name)
    assert read
    assert {*words, extension} <= {*read.lower().split()}
    scored = score(asked(request), Names("ent_1", name), f"{name}\n{read}", None)
    assert scored.score >= EXACT_FLOOR
    assert scored.terms == tuple(dict.fromkeys(words))


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("Halvorsen_Deposition_v2.docx", "Halvorsen Deposition v2 version 2 docx"),
        ("HalvorsenDepositionV2.docx", "Halvorsen Deposition v2 version 2 docx"),
        ("Exhibit12.pdf", "Exhibit 12 pdf"),
        ("Q3Report_FINAL.xlsx", "Q3 Report FINAL xlsx"),
        ("PDFReport.pdf", "PDF Report pdf"),
        ("2026-01-12_Memo.pdf", "2026 01 12 Memo pdf"),
        ("ÄnderungsVertrag.pdf", "Änderungs Vertrag pdf"),
        ("halvorsen_deposition", "halvorsen deposition"),
        ("Damages memo.md", "Damages memo md"),
    ],
)
def test_words_of_a_name_stand_apart(name: str, read: str) -> None:
    assert apart(name) == read


@pytest.mark.parametrize(
    "name", ["GitHub", "PostgreSQL", "node.js", "Acme Corporation", "Doe v. Roe", "24-cv-0117", ""]
)
def test_what_is_no_file_keeps_its_name(name: str) -> None:
    assert apart(name) is None
    assert title(name) is None


def test_one_capital_is_enough_where_the_name_is_known_to_be_a_files() -> None:
    assert apart("halvorsenDeposition") is None
    assert apart("halvorsenDeposition", is_file=True) == "halvorsen Deposition"


def test_the_name_of_a_file_can_be_asked_for() -> None:
    assert [*asked("HalvorsenDepositionV2.docx").stems.values()] == [
        "halvorsen", "deposition", "v2", "version", "2", "docx"
    ]  # fmt: skip
    assert [*asked("the GitHub issue").stems.values()] == ["github", "issue"]
