"""What a caller is told about each report."""

from dataclasses import asdict, dataclass, fields
from typing import Annotated, Any

from service.errors import TaskloreError
from service.memory.reporting.answers import ReportAnswer, ReportCounts, refusal
from service.notices import Notice
from service.views import Id


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReportAnswer(ReportAnswer):
    """What became of one report."""

    record_id: Annotated[Id | None, "Id of the record that keeps it, unless it was rejected."] = None
    warnings: Annotated[tuple[Notice, ...], "What to look at, though it was taken."] = ()

    def shown(self) -> dict[str, Any]:
        told = [asdict(one) for one in self.warnings]
        values = {**{one.name: getattr(self, one.name) for one in fields(self)}, "warnings": told or None}
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class ToolReportPayload(ReportCounts):
    """The answers to reports about tools or asks, in their order."""

    answers: Annotated[tuple[ToolReportAnswer, ...], "An answer for each."]


def refused(index: int, event_id: Any, error: TaskloreError) -> ToolReportAnswer:
    return ToolReportAnswer(**refusal(index, event_id, error))
