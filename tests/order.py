"""Which tests stay together, in one process and next to each other; and another order of the tests, to find out whether
one of them needs another."""

from collections.abc import Callable
from pathlib import Path, PurePosixPath
from random import Random

import pytest


def kept_together(nodeid: str, root: Path) -> str:
    """Those of a file. Those of a package too: they share a service and what is in its graph."""
    file = PurePosixPath(nodeid.split("::", 1)[0])
    in_package = (root / file.parent / "__init__.py").exists()
    return str(file.parent if in_package else file)


_LONG = ("tests/cli", "tests/graph/local", "tests/api")
"""Those that start services and databases of their own, for minutes."""


def longest_first(items: list[pytest.Item]) -> list[pytest.Item]:
    """So that no process is left with them at the end while the others wait."""
    return sorted(items, key=lambda item: not item.nodeid.startswith(_LONG))


def shuffled(items: list[pytest.Item], seed: str, root: Path) -> list[pytest.Item]:
    """In another order: packages and files, files of a package, tests of a file."""
    random = Random(seed)  # noqa: S311 - any order will do

    def mixed(some: list[pytest.Item], *levels: Callable[[pytest.Item], str]) -> list[pytest.Item]:
        if not levels:
            return random.sample(some, len(some))
        groups = _groups(some, levels[0])
        return [item for group in random.sample(groups, len(groups)) for item in mixed(group, *levels[1:])]

    return mixed(items, lambda item: kept_together(item.nodeid, root), lambda item: item.nodeid.split("::", 1)[0])


def _groups(some: list[pytest.Item], key: Callable[[pytest.Item], str]) -> list[list[pytest.Item]]:
    groups: dict[str, list[pytest.Item]] = {}
    for item in some:
        groups.setdefault(key(item), []).append(item)
    return [*groups.values()]
