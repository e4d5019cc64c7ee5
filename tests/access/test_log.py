"""What the access log tells whoever looks: its newest lines, of the file that all processes share or of its own."""

from pathlib import Path

import pytest

from service.access.log import REMEMBERED, AccessLog


def test_without_a_file_it_tells_what_the_process_wrote() -> None:
    log = AccessLog(stream=False)
    for number in range(REMEMBERED + 10):
        log.denied("rate_limited", f"192.0.2.{number}")
    told = log.last(3)
    assert [one["client"] for one in told] == [f"192.0.2.{REMEMBERED + 10 - one}" for one in (1, 2, 3)]
    assert len(log.last(10_000)) == REMEMBERED
    assert log.last(0) == log.last(-1) == []


def test_with_a_file_it_tells_what_all_processes_wrote(tmp_path: Path) -> None:
    file = tmp_path / "access.jsonl"
    one, other = AccessLog(file, stream=False), AccessLog(file, stream=False)
    one.denied("unauthenticated", "192.0.2.1")
    other.denied("rate_limited", "192.0.2.2")
    assert [line["code"] for line in one.last(5)] == ["rate_limited", "unauthenticated"]


@pytest.mark.parametrize("line", [b"{", b"[]", b"3", b'{"time": "now"}', b"\xff\xfe"])
def test_a_line_that_is_none_is_passed_over(tmp_path: Path, line: bytes) -> None:
    file = tmp_path / "access.jsonl"
    log = AccessLog(file, stream=False)
    assert log.last(5) == []
    log.denied("unauthenticated", "192.0.2.1")
    file.write_bytes(line + b"\n" + file.read_bytes())
    assert [one["code"] for one in log.last(5)] == ["unauthenticated"]
