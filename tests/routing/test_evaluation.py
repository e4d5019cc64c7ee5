"""Files of labelled requests: what they may say, and where one is wrong."""

from pathlib import Path

import pytest

from graph_schema.routing.decision_words import ExecutionMode as Mode
from service.routing.evaluation.errors import RowsInvalid
from service.routing.evaluation.rows import read


def written(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "requests.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_facts_come_in_either_spelling_and_a_row_without_modes_wants_a_direct_answer(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '{"text": "hello"}',
        "",
        '{"text": "is it done", "facts": {"openRun": true, "conversation_turns": 9, "surface": "chat"}, '
        '"modes": ["inspect_saved_task_run"], "explicit": true}',
        '{"text": "check", "facts": {"attachments": ["a.pdf", {"name": "b.pdf", "kind": "contract"}]}}',
    )
    plain, asked, attached = read(path)
    assert (plain.modes, plain.direct, plain.wants_task) == ((Mode.direct_chat,), True, False)
    assert (asked.line, asked.request.work_open, asked.request.conversation_turns, asked.explicit) == (3, True, 9, True)
    assert [(one.name, one.kind) for one in attached.request.attachments] == [("a.pdf", None), ("b.pdf", "contract")]


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"text": "a", "modes": ["nowhere"]}', '{"text": "a", "facts": 3}'])
def test_a_row_that_is_none_is_named_by_its_line(tmp_path: Path, line: str) -> None:
    with pytest.raises(RowsInvalid, match="2") as refused:
        read(written(tmp_path, '{"text": "hello"}', line))
    assert refused.value.remedy


def test_a_file_without_requests_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RowsInvalid, match="no requests"):
        read(written(tmp_path, ""))
