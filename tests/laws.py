"""How many examples a law is tried with: few in every run, many with `--thorough`, which a release runs.

The few are the same in every run, so that a change is judged by what it changed; the many are drawn anew each time.
"""

from collections.abc import Iterable
from typing import Any
from zlib import crc32

from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

EXAMPLES = 25
"""Of a law that says nothing else, in a quick run."""
TIMES = 20
"""As many times the examples in a thorough run."""

# A law that runs on a graph empties or names apart what it needs itself, and the machine may be slow.
UNHEEDED = (HealthCheck.function_scoped_fixture, HealthCheck.too_slow)

settings.register_profile(
    "quick", max_examples=EXAMPLES, deadline=None, print_blob=True, derandomize=True, suppress_health_check=UNHEEDED
)
settings.register_profile(
    "thorough",
    settings.get_profile("quick"),
    max_examples=EXAMPLES * TIMES,
    derandomize=False,
    database=DirectoryBasedExampleDatabase(".hypothesis"),
)


def load(*, thorough: bool) -> None:
    settings.load_profile("thorough" if thorough else "quick")


def some(kinds: Iterable[str], one_in: int) -> list[str]:
    """Of many that are alike some, the same in every run; all of them in a thorough one."""
    every = settings.get_current_profile_name() == "thorough"
    return [one for one in kinds if every or crc32(one.encode()) % one_in == 0]


def law(examples: int = EXAMPLES, **more: Any) -> settings:
    """`@law(4)`: a law with four examples in a quick run and eighty in a thorough one."""
    times = TIMES if settings.get_current_profile_name() == "thorough" else 1
    return settings(max_examples=examples * times, **more)
