"""Keeping a learning report, and holding one that was kept against what is told of the same moment now."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, ClassVar

import orjson

from graph_schema.learning.report_words import ReportScope
from graph_schema.model.fields import OPAQUE_LENGTH, TEXT_LENGTH, DataClass
from service.access.audience import strictest
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.errors import RecordMissing
from service.graph.database import Database
from service.learning.report import cypher
from service.learning.report.read import Closed, LearningReport, LearningReports
from service.replay import ReplayOutcome
from service.views import Id, Linked

MOST_KEPT = 30
"""Findings of each ledger that stay in what is kept; the hash is of all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningReportReplay:
    """A kept report beside what is told of the same moment now."""

    report_id: Annotated[Id, "The kept report."]
    outcome: Annotated[ReplayOutcome, "Whether it comes out the same; other where something was erased, or told late."]
    kept_hash: Annotated[str, "Its hash then."]
    now: Annotated[LearningReport, "What is told now."]
    report: ClassVar = Linked("report_id", "The kept report.", "KeptReport")


class KeptReports:
    def __init__(self, commands: Commands, database: Database, reports: LearningReports) -> None:
        self._commands = commands
        self._database = database
        self._reports = reports

    async def keep(
        self, viewer: Viewer, scope: ReportScope, at: str | None = None, *, command_id: str | None = None
    ) -> Outcome:
        """The same report of the same moment is kept once."""
        report, closed = await self._reports.with_access(viewer, scope, at)

        async def plan(work: Work) -> dict[str, Any]:
            known = await work.transaction.one(
                cypher.KEPT_ALIKE, hash=report.content_hash, audiences=work.viewer.audiences
            )
            if known is not None:
                return {"id": known["id"], "version": known["version"], "known": True}
            made = work.create(work.registry.types["KeptReport"], _values(report, closed, viewer))
            return {"id": made.id, "version": made.version, "known": False}

        content = {"scope": scope.value, "at": at}
        request = Request("recordLearningReport", KeyScope.curate, content, command_id=command_id)
        return await self._commands.execute(viewer, request, plan)

    async def replay(self, viewer: Viewer, report_id: str) -> LearningReportReplay:
        row = await self._database.read_one(cypher.KEPT, id=report_id, audiences=viewer.audiences)
        if row is None:
            raise RecordMissing(RecordRef(id=report_id), "report")
        now = await self._reports.of(viewer, ReportScope(row["scope"]), row["at"])
        same = now.content_hash == row["hash"]
        outcome = ReplayOutcome.identical if same else ReplayOutcome.different
        return LearningReportReplay(report_id=report_id, outcome=outcome, kept_hash=row["hash"], now=now)


def _values(report: LearningReport, closed: Sequence[Closed], viewer: Viewer) -> dict[str, Any]:
    return {
        "name": f"Learning report: {report.scope.value.replace('_', ' ')}, {report.at[:10]}",
        "report_scope": report.scope.value,
        "as_of": report.at,
        "rules": report.rules,
        "content_hash": report.content_hash,
        "statements": [f"{one.title}: {one.statement}"[:TEXT_LENGTH] for one in report.ledgers],
        "counted": sum(one.counted for one in report.ledgers),
        "waiting": len(report.recommended_updates),
        "content": _content(report),
        "made_by": viewer.principal_id,
        # Its own, not inherited: no link leads to what it counts, and it tells of all of that.
        "data_class": strictest([DataClass.internal, *(one[0] for one in closed)]).value,
        "matter_ids": sorted({matter for one in closed for matter in one[1:]}),
    }


def _content(report: LearningReport) -> str:
    """As much of each ledger as there is room for."""
    for most in (MOST_KEPT, MOST_KEPT // 3, 0):
        ledgers = tuple(
            replace(one, findings=one.findings[:most], truncated=one.truncated or len(one.findings) > most)
            for one in report.ledgers
        )
        text = orjson.dumps(asdict(replace(report, ledgers=ledgers))).decode()
        if len(text) <= OPAQUE_LENGTH:
            return text
    return orjson.dumps({"scope": report.scope, "at": report.at, "content_hash": report.content_hash}).decode()
