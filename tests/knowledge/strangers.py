"""Test data of people who have not read the rules: how much is found, and how often there is an alarm for nothing.

`python -m tests.knowledge.strangers` prints it, with what was missed and what was said in vain.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.knowledge.graphs.reading import codes_of, graphs, report_of
from tests.knowledge.known_gaps import Labelled, labelled

HERE = Path(__file__).parent
LEAST_RECALL = 0.85
MOST_ALARMS = 0.1


@dataclass(frozen=True, slots=True)
class Judged:
    """One piece of test data: what its writer says is wrong with it, and what the rules say."""

    name: str
    expected: frozenset[str]
    said: frozenset[str]


@dataclass(frozen=True, slots=True)
class Measured:
    judged: tuple[Judged, ...]

    @property
    def recall(self) -> float:
        """The share of the faults that are found."""
        expected = sum(len(one.expected) for one in self.judged)
        return sum(len(one.expected & one.said) for one in self.judged) / expected if expected else 1.0

    @property
    def alarms(self) -> float:
        """The share of what is sound that something is said of."""
        sound = [one for one in self.judged if not one.expected]
        return sum(bool(one.said) for one in sound) / len(sound) if sound else 0.0

    def lines(self) -> Iterator[str]:
        yield f"{len(self.judged)} judged, recall {self.recall:.0%}, alarms for nothing {self.alarms:.0%}"
        for one in self.judged:
            missed, vain = sorted(one.expected - one.said), sorted(one.said - one.expected)
            if missed or vain:
                yield f"  {one.name}: missed {', '.join(missed) or 'nothing'}; in vain {', '.join(vain) or 'nothing'}"


def files(kind: str) -> list[str]:
    """Files of strangers, as the readers of `kind` (graphs, prompts) name them."""
    return sorted(f"strangers/{one.stem}" for one in (HERE / kind / "strangers").glob("*.yaml"))


def graphs_of(names: Iterable[str]) -> Measured:
    told = [one for name in names for one in graphs(name)]
    return Measured(
        tuple(Judged(one["name"], frozenset(one["expect"]), frozenset(codes_of(report_of(one)))) for one in told)
    )


def prompts_of(names: Iterable[str]) -> Measured:
    return _judged(one for name in names for one in labelled(name))


def prompts_by_half() -> tuple[Measured, Measured]:
    """Strangers' prompts that were looked at while the rules were widened, and those that nobody looked at."""
    told = [(name, one) for name in files("prompts") for one in labelled(name)]
    looked_at = [one for name, one in told if is_looked_at(name, one.key)]
    return _judged(looked_at), _judged(one for name, one in told if not is_looked_at(name, one.key))


def is_looked_at(name: str, key: str) -> bool:
    """All of one file was, and half of another: the entries whose key has an even hash."""
    return name == "strangers/third" or (
        name == "strangers/varied" and int(hashlib.sha256(key.encode()).hexdigest(), 16) % 2 == 0
    )


def _judged(told: Iterable[Labelled]) -> Measured:
    return Measured(tuple(Judged(one.key, frozenset(one.gaps), frozenset(one.found)) for one in told))


if __name__ == "__main__":
    looked_at, unread = prompts_by_half()
    for title, found in (
        ("graphs", graphs_of(files("graphs"))),
        ("prompts that were looked at", looked_at),
        ("prompts that nobody looked at", unread),
    ):
        print(title, *found.lines(), sep="\n")  # noqa: T201 - it is for a person
