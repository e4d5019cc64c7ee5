"""What a caller is told about each report."""

from dataclasses import asdict, dataclass, fields
from typing import Annotated, Any

from service.errors import TaskloreError
from service.memory.reporting.answers import ReportAnswer, ReportCounts, refusal
from service.notices import Notice
from service.views import Id


@dataclass(frozen=True, slots=True)
class AxisSaid:
    """An axis as it was said, beside what it is counted as."""

    said: Annotated[str, "As it was said."]
    counted: Annotated[str, "As it is counted."]
    known: Annotated[bool, "Whether that is an axis that is known."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReportAnswer(ReportAnswer):
    """What became of one report."""

    record_id: Annotated[Id | None, "Id of the record that keeps it, unless it was rejected."] = None
    warnings: Annotated[tuple[Notice, ...], "What to look at, though it was taken."] = ()
    axes: Annotated[tuple[AxisSaid, ...], "The axes that it names, beside what each is counted as."] = ()

    def shown(self) -> dict[str, Any]:
        told = [{name: said for name, said in asdict(one).items() if said is not None} for one in self.warnings]
        axes = [asdict(one) for one in self.axes]
        own = {one.name: getattr(self, one.name) for one in fields(self)}
        values = {**own, "warnings": told or None, "axes": axes or None}
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class ToolReportPayload(ReportCounts):
    """The answers to reports about tools or asks, in their order."""

    answers: Annotated[tuple[ToolReportAnswer, ...], "An answer for each."]


def refused(index: int, event_id: Any, error: TaskloreError) -> ToolReportAnswer:
    return ToolReportAnswer(**refusal(index, event_id, error))
