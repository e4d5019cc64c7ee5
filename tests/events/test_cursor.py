"""Cursors: read back what was written, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.events.cursor import Cursors, new_secret
from service.events.errors import CursorInvalid

numbers = st.integers(0, 2**63 - 1)


@given(numbers)
def test_a_cursor_is_read_back(seq: int) -> None:
    cursors = Cursors(new_secret())
    assert cursors.read(cursors.of(seq)) == seq
    assert cursors.read(cursors.of_head(seq)) == seq


@given(st.text(max_size=40) | st.binary(min_size=16, max_size=16).map(lambda some: some.hex()[:22]))
def test_what_was_not_written_is_refused(text: str) -> None:
    with pytest.raises(CursorInvalid):
        Cursors(new_secret()).read(text)


@given(numbers)
def test_a_cursor_of_another_log_is_refused(seq: int) -> None:
    with pytest.raises(CursorInvalid):
        Cursors(new_secret()).read(Cursors(new_secret()).of(seq))


@given(numbers, st.integers(0, 21), st.sampled_from("AZaz09-_"))
def test_a_changed_character_is_noticed(seq: int, place: int, character: str) -> None:
    cursors = Cursors(new_secret())
    cursor = cursors.of(seq)
    changed = cursor[:place] + character + cursor[place + 1 :]
    if changed != cursor and place != 21:
        with pytest.raises(CursorInvalid):
            cursors.read(changed)


def test_cursors_of_the_head_do_not_show_whether_it_moved() -> None:
    cursors = Cursors(new_secret())
    assert cursors.of_head(7) != cursors.of_head(7)
    assert cursors.of(7) == cursors.of(7)
