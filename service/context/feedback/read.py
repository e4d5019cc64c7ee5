"""What packets held and kept out, over a span of time or of runs: counted by the database, of what may be seen."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from graph_schema.context.words import FeedbackVerdict
from service.access.viewer import Viewer
from service.commands.errors import InputInvalid
from service.context.feedback import cypher
from service.graph.database import Database, Row

MOST_PACKETS = 5_000
MOST_RUNS = 500
MOST_RECORDS = 100
UNHELPFUL = (
    FeedbackVerdict.not_helpful,
    FeedbackVerdict.wrong,
    FeedbackVerdict.too_much,
    FeedbackVerdict.should_have_been_excluded,
)
"""What is said of an item that should not have been there."""

_EVER = ("0000", "9999")


@dataclass(frozen=True, slots=True)
class Asked:
    """Packets made from `since` until before `until`; of these runs, when some are named."""

    since: str | None = None
    until: str | None = None
    module_type: str | None = None
    runs: Sequence[str] | None = None
    first: int = 20

    def check(self) -> None:
        if not 1 <= self.first <= MOST_RECORDS:
            raise InputInvalid("first", f"must be from 1 to {MOST_RECORDS}")
        if self.since and self.until and self.until <= self.since:
            raise InputInvalid("until", "must be later than since")
        if self.runs is not None and not 1 <= len(self.runs) <= MOST_RUNS:
            raise InputInvalid("runs", f"name from 1 to {MOST_RUNS} runs")


@dataclass(frozen=True, slots=True)
class Receipts:
    """How often packets of a type of module had one reason, or one layer."""

    module_type: str | None
    injected: bool
    reason: str | None
    layer: str | None
    receipts: int
    records: int


@dataclass(frozen=True, slots=True)
class Trimmed:
    id: str
    name: str
    times: int
    best_score: float | None


@dataclass(frozen=True, slots=True)
class Unhelpful:
    id: str
    name: str
    times: int
    injected: int
    verdicts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class ContextFigures:
    packets: int
    truncated: bool
    receipts: tuple[Receipts, ...]
    trimmed: tuple[Trimmed, ...]
    unhelpful: tuple[Unhelpful, ...]


async def context_statistics(database: Database, viewer: Viewer, asked: Asked) -> ContextFigures:
    asked.check()
    shared = {
        "since": asked.since or _EVER[0],
        "until": asked.until or _EVER[1],
        "module_type": asked.module_type,
        "first": asked.first,
        "limit": MOST_PACKETS,
        "unhelpful": [one.value for one in UNHELPFUL],
        "audiences": viewer.audiences,
    }
    if asked.runs is None:
        row = await database.read_one(cypher.STATISTICS_OF_TIME, **shared)
    else:
        row = await database.read_one(cypher.STATISTICS_OF_RUNS, **shared, runs=[*dict.fromkeys(asked.runs)])
    return _figures(row or {"packets": 0, "rows": [], "trimmed": [], "unhelpful": []})


def _figures(row: Row) -> ContextFigures:
    return ContextFigures(
        packets=row["packets"],
        truncated=row["packets"] == MOST_PACKETS,
        receipts=tuple(Receipts(**one) for one in row["rows"]),
        trimmed=tuple(Trimmed(**one) for one in row["trimmed"]),
        unhelpful=tuple(_unhelpful(one) for one in row["unhelpful"]),
    )


def _unhelpful(row: Row) -> Unhelpful:
    verdicts: list[str] = row["verdicts"]
    counted = Counter(verdicts)
    return Unhelpful(row["id"], row["name"], row["times"], row["injected"], tuple(sorted(counted.items())))
