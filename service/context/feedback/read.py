"""What packets held and kept out, over a span of time or of runs: counted by the database, of what may be seen."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from graph_schema.context.words import ContextLayer, ExclusionReason, FeedbackVerdict
from service.access.viewer import Viewer
from service.commands.errors import InputInvalid
from service.context.feedback import cypher
from service.graph.database import Database, Row
from service.views import Id, word

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


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextReceiptCount:
    """How often packets of a type of module had something in a layer, or kept it out."""

    module_type: Annotated[str | None, "Type of the module; null where none was told."]
    injected: Annotated[bool, "Whether it was given to the module, or kept from it."]
    code: Annotated[ExclusionReason | None, "Why it was kept out."]
    layer: Annotated[ContextLayer | None, "The layer that it was in."]
    receipts: Annotated[int, "Receipts that say so."]
    records: Annotated[int, "Records that these stand for: one receipt may stand for many."]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrimmedRecord:
    """A record that budgets kept out."""

    id: Annotated[Id, "Id of the record."]
    name: Annotated[str, "What people call it."]
    times: Annotated[int, "Packets that had no room for it."]
    best_score: Annotated[float | None, "How relevant it was at best."]


@dataclass(frozen=True, slots=True)
class VerdictCount:
    """How often one thing was said."""

    feedback: Annotated[FeedbackVerdict, "What was said."]
    times: Annotated[int, "How often."]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnhelpfulRecord:
    """A record that modules were given, and people did not find helpful."""

    id: Annotated[Id, "Id of the record."]
    name: Annotated[str, "What people call it."]
    times: Annotated[int, "How often it was said."]
    injected: Annotated[int, "Packets of those looked at that held it."]
    verdicts: Annotated[tuple[VerdictCount, ...], "What was said."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextStatistics:
    """What packets held and kept out, counted over what you may see."""

    packets: Annotated[int, "Packets that were looked at."]
    truncated: Annotated[bool, f"Whether only the newest {MOST_PACKETS:,} were."]
    receipts: Annotated[
        tuple[ContextReceiptCount, ...], "Counts by type of module and reason or layer, the most first."
    ]
    trimmed: Annotated[tuple[TrimmedRecord, ...], "What budgets kept out most."]
    unhelpful: Annotated[tuple[UnhelpfulRecord, ...], "What was injected and marked unhelpful most."]


class ContextFigures:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, viewer: Viewer, asked: Asked) -> ContextStatistics:
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
            row = await self._database.read_one(cypher.STATISTICS_OF_TIME, **shared)
        else:
            runs = [*dict.fromkeys(asked.runs)]
            row = await self._database.read_one(cypher.STATISTICS_OF_RUNS, **shared, runs=runs)
        return _statistics(row or {"packets": 0, "rows": [], "trimmed": [], "unhelpful": []})


def _statistics(row: Row) -> ContextStatistics:
    return ContextStatistics(
        packets=row["packets"],
        truncated=row["packets"] == MOST_PACKETS,
        receipts=tuple(_receipts(one) for one in row["rows"]),
        trimmed=tuple(TrimmedRecord(**one) for one in row["trimmed"]),
        unhelpful=tuple(_unhelpful(one) for one in row["unhelpful"]),
    )


def _receipts(row: Row) -> ContextReceiptCount:
    words: Row = {"code": word(ExclusionReason, row["code"]), "layer": word(ContextLayer, row["layer"])}
    return ContextReceiptCount(**{**row, **words})


def _unhelpful(row: Row) -> UnhelpfulRecord:
    said: list[str] = row["verdicts"]
    verdicts = tuple(VerdictCount(FeedbackVerdict(one), times) for one, times in sorted(Counter(said).items()))
    told: Row = {**row, "verdicts": verdicts}
    return UnhelpfulRecord(**told)
