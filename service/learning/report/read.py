"""The learning report as of a moment. A query: it stores nothing; `keep` does, so that moments can be compared."""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, ClassVar

import orjson

from graph_schema.learning.proposal_words import ProposalKind, Risk
from graph_schema.learning.report_words import FindingFamily, LearningLedger, ReportScope
from graph_schema.library.words import CrossModelApplicability
from graph_schema.model.times import TimeUnreadable, read_time
from service import clock
from service.access.viewer import Viewer
from service.commands.errors import TimeInvalid
from service.graph.database import Database
from service.learning.aggregates.read import MOST_TOLD, Aggregates, DesignAggregate, told_of
from service.learning.aggregates.rules import Sum, surfaced
from service.learning.errors import MomentAhead
from service.learning.report import cypher
from service.learning.report.ledgers import FAMILIES, LEDGERS, SCOPES, LedgerRule, Source
from service.memory.views.words import counted
from service.views import Id, Linked, Time

Closed = Sequence[str]
"""The class of something that is counted, and its matters."""
RULES = "learning_report 2"
MOST_ROWS = 100
SAMPLES = 5
MOST_PROPOSALS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningFinding:
    """How often something was so, in one ledger."""

    result: Annotated[str, "What was so, in the ledger's word."]
    count: Annotated[int, "How often."]
    context_class_key: Annotated[str | None, "The class of context."] = None
    record_id: Annotated[Id | None, "The record that it is about."] = None
    evidence_ids: Annotated[tuple[Id, ...], f"Some of what shows it, {SAMPLES} at most."] = ()
    record: ClassVar = Linked("record_id", "The record that it is about.")
    evidence: ClassVar = Linked("evidence_ids", "Some of what shows it.", many=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerReport:
    """One ledger: its counts, and what they say."""

    ledger: Annotated[LearningLedger, "Which one."]
    family: Annotated[FindingFamily, "Under what it is told."]
    title: Annotated[str, "What it tells."]
    statement: Annotated[str, "What it comes to, in a sentence."]
    counted: Annotated[int, "How much it counts."]
    for_count: Annotated[int, "Of that, what speaks for it."]
    against_count: Annotated[int, "Of that, what speaks against it."]
    findings: Annotated[tuple[LearningFinding, ...], "What it counts, the most first."]
    truncated: Annotated[bool, "Whether there is more than is told."]


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingUpdate:
    """A proposal that waited then."""

    proposal_id: Annotated[Id, "Its id."]
    proposal_kind: Annotated[ProposalKind, "What it would improve."]
    statement: Annotated[str, "What would change."]
    rationale: Annotated[str, "Why."]
    risk: Annotated[Risk, "What it puts at risk."]
    support_count: Annotated[int, "Evidence for it."]
    proposal: ClassVar = Linked("proposal_id", "The proposal.", "Proposal")


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningReport:
    """What was learned as of a moment, ledger by ledger."""

    scope: Annotated[ReportScope, "Which ledgers it tells."]
    at: Annotated[Time, "As of when."]
    ledgers: Annotated[tuple[LedgerReport, ...], "The ledgers, each counted by itself."]
    aggregates: Annotated[tuple[DesignAggregate, ...], "What signals on designs come to, beyond the thresholds."]
    recommended_updates: Annotated[tuple[WaitingUpdate, ...], "Proposals that waited then."]
    rules: Annotated[str, "Name and version of the rules."]
    content_hash: Annotated[str, "Hash of all of it: the same for the same moment, as long as nothing was erased."]


class LearningReports:
    def __init__(self, database: Database, aggregates: Aggregates) -> None:
        self._database = database
        self._aggregates = aggregates

    async def of(self, viewer: Viewer, scope: ReportScope, at: str | None = None) -> LearningReport:
        return (await self.with_access(viewer, scope, at))[0]

    async def with_access(
        self, viewer: Viewer, scope: ReportScope, at: str | None = None
    ) -> tuple[LearningReport, list[Closed]]:
        """The report, and how closed what it counts is."""
        moment = moment_of(at)
        ledgers = await asyncio.gather(*(self._ledger(viewer, one, moment) for one in SCOPES[scope]))
        beyond = await self._beyond(viewer, moment) if _tells_designs(scope) else []
        proposals = await self._proposals(viewer, moment)
        found = LearningReport(
            scope=scope,
            at=moment,
            ledgers=tuple(_told(one, LEDGERS[one], rows) for one, rows in zip(SCOPES[scope], ledgers, strict=True)),
            aggregates=tuple(told_of(one, holds) for one, holds in beyond),
            recommended_updates=tuple(_update(one) for one in proposals),
            rules=RULES,
            content_hash="",
        )
        closed = [each for rows in ledgers for row in rows for each in row["closed"]]
        closed += [[one.data_class, *one.matter_ids] for one, _ in beyond] + [one["closed"] for one in proposals]
        return replace(found, content_hash=_hash(found)), closed

    async def _beyond(self, viewer: Viewer, at: str) -> list[tuple[Sum, CrossModelApplicability]]:
        sums, _ = await self._aggregates.sums(viewer, at=at)
        return surfaced(sums, self._aggregates.thresholds)[:MOST_TOLD]

    async def _ledger(self, viewer: Viewer, ledger: LearningLedger, at: str) -> list[Mapping[str, Any]]:
        parts = await asyncio.gather(*(self._rows(viewer, one, at) for one in LEDGERS[ledger].sources))
        return sorted((row for part in parts for row in part), key=_place)

    async def _rows(self, viewer: Viewer, source: Source, at: str) -> list[Mapping[str, Any]]:
        signals = {
            "kinds": [one.value for one in source.kinds],
            "types": [one.value for one in source.types],
            "origins": [one.value for one in source.origins],
        }
        given = signals if source.statement is cypher.SIGNALS else {}
        row = await self._database.read_one(
            source.statement, at=at, most=MOST_ROWS + 1, samples=SAMPLES, audiences=viewer.audiences, **given
        )
        return list(row["found"]) if row else []

    async def _proposals(self, viewer: Viewer, at: str) -> list[Mapping[str, Any]]:
        row = await self._database.read_one(cypher.PROPOSALS, at=at, most=MOST_PROPOSALS, audiences=viewer.audiences)
        return list(row["found"]) if row else []


def moment_of(at: str | None) -> str:
    """As of when; of what is to come nothing is told."""
    now = clock.now()
    if at is None:
        return now
    try:
        moment = read_time(at)
    except TimeUnreadable as error:
        raise TimeInvalid("at", error) from error
    if moment > now:
        raise MomentAhead(moment)
    return moment


def _tells_designs(scope: ReportScope) -> bool:
    return LearningLedger.template_preset_utility in SCOPES[scope]


def _place(row: Mapping[str, Any]) -> tuple[object, ...]:
    return (-row["count"], row["result"] or "", row["context_class"] or "", row["subject_id"] or "")


def _told(ledger: LearningLedger, rule: LedgerRule, rows: Sequence[Mapping[str, Any]]) -> LedgerReport:
    good = sum(row["count"] for row in rows if row["result"] in rule.good)
    bad = sum(row["count"] for row in rows if row["result"] in rule.bad)
    total = sum(row["count"] for row in rows)
    return LedgerReport(
        ledger=ledger,
        family=FAMILIES[ledger],
        title=rule.title,
        statement=_statement(rows, total, good, bad),
        counted=total,
        for_count=good,
        against_count=bad,
        findings=tuple(_finding(row) for row in rows[:MOST_ROWS]),
        truncated=len(rows) > MOST_ROWS,
    )


def _statement(rows: Sequence[Mapping[str, Any]], total: int, good: int, bad: int) -> str:
    if not rows:
        return "Nothing was recorded by then."
    most = rows[0]
    about = f" ({most['subject']})" if most["subject"] else ""
    balance = f" {good:,} speak for it, {bad:,} against." if good or bad else ""
    said = str(most["result"]).replace("_", " ")
    return f"{counted(total, 'observation')}.{balance} Most often: {said}{about}, {counted(most['count'], 'time')}."


def _finding(row: Mapping[str, Any]) -> LearningFinding:
    return LearningFinding(
        result=row["result"] or "unknown",
        count=row["count"],
        context_class_key=row["context_class"],
        record_id=row["subject_id"],
        evidence_ids=tuple(row["evidence"]),
    )


def _update(row: Mapping[str, Any]) -> WaitingUpdate:
    return WaitingUpdate(
        proposal_id=row["id"],
        proposal_kind=ProposalKind(row["proposal_kind"]),
        statement=row["statement"],
        rationale=row["rationale"],
        risk=Risk(row["risk"]),
        support_count=row["support_count"],
    )


def _hash(found: LearningReport) -> str:
    return hashlib.sha256(orjson.dumps(asdict(found), option=orjson.OPT_SORT_KEYS, default=str)).hexdigest()
