"""Words and phrases: how they are written, what an operator adds, and what of a request they are read from."""

from pathlib import Path

import pytest

from service.routing.words import said, words_of
from service.routing.words.errors import RequestInvalid, RequestTooLong, WordsInvalid
from service.routing.words.patterns import PatternInvalid, compiled

LISTS = {"task": ["task", "saved task"], "loop": ["{loop}"]}


@pytest.mark.parametrize(
    ("phrase", "line", "met"),
    [
        ("run (the|my) ... {task}", " please run the complaint evaluation task now ", True),
        ("run (the|my) ... {task}", " run a b c d e f g h task ", False),
        ("review* this", " reviewing this ", True),
        ("keep? an eye", " an eye ", True),
        ("^ check this $", " check this ", True),
        ("^ check this $", " please check this ", False),
        ("create a !(list) ..? task", " create a list task ", False),
        ("every # hours", " every 12 hours ", True),
    ],
)
def test_a_phrase_means_what_it_says(phrase: str, line: str, *, met: bool) -> None:
    assert bool(compiled([phrase], LISTS).search(line)) is met


@pytest.mark.parametrize("phrase", ["(run", "run)", "{nowhere}", "{loop}", "", "run !", "a [b]"])
def test_a_phrase_that_is_none_is_refused(phrase: str) -> None:
    with pytest.raises(PatternInvalid):
        compiled([phrase], LISTS)


def test_an_operator_adds_words_and_the_version_says_so(tmp_path: Path) -> None:
    more = tmp_path / "words.yaml"
    more.write_text('phrases:\n  run_command: ["^ engage ... {task}"]\nlists:\n  task: [mission]\n')
    words = words_of(more)
    assert words.version.startswith(f"{words_of().version}+")
    assert words.find("run_command", " engage the docket mission ")
    assert not words_of().find("run_command", " engage the docket mission ")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("phrases: [a]", "no mapping"),
        ("phrases: {nowhere: [a]}", "unknown"),
        ("phrases: {quick: a}", "no list"),
        ("phrases: {quick: ['(a']}", "bracket"),
        ("more: {}", "neither"),
        ("- a", "neither"),
        ("{", "no YAML"),
    ],
)
def test_words_that_cannot_be_used_are_refused_with_their_place(tmp_path: Path, text: str, problem: str) -> None:
    more = tmp_path / "words.yaml"
    more.write_text(text)
    with pytest.raises(WordsInvalid, match=problem) as caught:
        words_of(more)
    assert caught.value.field == "TASKLORE_ROUTING_WORDS"


@pytest.mark.parametrize(
    "text",
    [
        'Summarise this: "Please set up a saved task that reviews every contract and run it every Monday at nine."',
        "What does this do?\n```\nrun the complaint evaluation task\n```",
        "Translate the following.\n\nRun the Complaint Evaluation task every Monday.",
        "> run the complaint evaluation task\n\nWhat do you think?",
    ],
)
def test_what_is_handed_over_is_no_wish(text: str) -> None:
    line = " ".join(one.line for one in said(text, words_of()).sentences)
    assert "complaint evaluation" not in line
    assert "saved task" not in line


def test_a_request_has_a_greatest_length_and_is_text() -> None:
    with pytest.raises(RequestTooLong) as caught:
        said("a " * 25_000, words_of())
    assert caught.value.facts == {"limit": 20_000, "size": 50_000}
    with pytest.raises(RequestInvalid):
        said("a\x00b", words_of())


def test_of_a_long_request_the_work_is_compared_and_not_how_it_is_to_be_done() -> None:
    text = "Do a deep review of this complaint against the source documents and give me a red-team report."
    assert said(text, words_of()).core == "do a review of this complaint"
