"""Which tests are slow, where a fixture is what takes the time."""

from pathlib import Path

import pytest


def mark_slow(items: list[pytest.Item], folder: Path, *fixtures: str) -> None:
    """Those of the folder that want one of these fixtures: whichever of them is run waits for it."""
    for item in items:
        if not isinstance(item, pytest.Function) or not item.path.is_relative_to(folder):
            continue
        if not {*fixtures}.isdisjoint(item.fixturenames):
            item.add_marker(pytest.mark.slow)
