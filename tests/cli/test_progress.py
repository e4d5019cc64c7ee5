"""Long work tells how far it has got: a bar where there is a terminal, few lines where there is none."""

import io
import os
import pty
import subprocess
import sys

import pytest

from service.cli.output import Progress, progressing
from service.progress import Part

SCRIPT = """
from service.cli.output import progressing
from service.progress import Part
with progressing() as progress:
    progress("Connecting")
    for done in range(1, 48):
        progress(Part("Schema", done, 47, f"index_{done}"))
    progress("Loading the sample world")
"""


def test_a_part_is_a_line_that_knows_its_numbers() -> None:
    part = Part("Schema", 3, 1_200, "index_run")
    assert part == "Schema: 3 of 1,200, index_run"
    assert (part.what, part.done, part.total) == ("Schema", 3, 1_200)


def test_without_a_terminal_its_first_and_last_lines_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told = io.StringIO()
    monkeypatch.setattr(sys, "stderr", told)
    with progressing() as progress:
        progress("Connecting")
        for done in range(1, 48):
            progress(Part("Schema", done, 47))
        for done in range(1, 4):
            progress(Part("Building indexes", done, 3))
    lines = [one.split("s  ", 1)[1] for one in told.getvalue().splitlines()]
    assert lines == [
        "Connecting",
        "Schema: 1 of 47",
        "Schema: 47 of 47",
        "Building indexes: 1 of 3",
        "Building indexes: 3 of 3",
    ]


def test_what_was_handed_over_is_told_by_the_other() -> None:
    told: list[str] = []
    progress = Progress()
    progress.hand_over(told.append)
    progress(Part("Schema", 1, 2))
    assert told == ["Schema: 1 of 2"]


@pytest.mark.slow
def test_on_a_terminal_it_is_one_bar() -> None:
    ours, theirs = pty.openpty()
    environ = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    process = subprocess.Popen([sys.executable, "-c", SCRIPT], stderr=theirs, env=environ)
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 4096):
            shown += part
    except OSError:  # how a terminal ends
        pass
    os.close(ours)
    assert process.wait(30) == 0
    text = shown.decode()
    assert "━" in text
    assert "47/47" in text
    assert "index_" not in text, "the bar stands for all of its lines"
    assert [word for word in ("Connecting", "Loading the sample world") if text.count(word) != 1] == []
