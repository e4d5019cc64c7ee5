"""Calls and asks for laws that need no graph."""

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as some

from graph_schema.model.fields import DataClass
from graph_schema.tools.words import ToolErrorClass, ToolOutcomeType
from service.access.audience import Access
from service.tools.health.facts import Call, Corrected, ToolFacts
from service.tools.reports.corrections import Asked

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
T = ToolOutcomeType
ACCESSES = (Access(DataClass.internal), Access(DataClass.internal, frozenset({"a"})), Access(DataClass.privileged))


def call(number: int, outcome: ToolOutcomeType = T.success, *, hours: float = 1, **more: object) -> Call:
    error = ToolErrorClass.tool if outcome is T.execution_error else None
    axes = ("extraction", "transport") if outcome is T.wrong_tool_boundary else ()
    given = {"error_class": error, "axes": axes, "access": ACCESSES[0], **more}
    return Call(id=f"c{number}", at=NOW - timedelta(hours=hours), key=f"{number:04d}", outcome=outcome, **given)  # pyright: ignore[reportArgumentType]


def facts(*calls: Call, days: float = 1) -> ToolFacts:
    last = max((one.at for one in calls), default=None)
    return ToolFacts("tool_1", "web_fetcher", NOW - timedelta(days=days), tuple(calls), last, ACCESSES[0])


@some.composite
def calls(draw: some.DrawFn, most: int = 40) -> list[Call]:
    """Calls of three weeks, some of one moment."""
    found: list[Call] = []
    for number in range(draw(some.integers(0, most))):
        outcome = draw(some.sampled_from(ToolOutcomeType))
        axes = draw(some.sets(some.sampled_from(("transport", "extraction", "format")), min_size=1, max_size=2))
        corrected = draw(some.sampled_from((0, 0, 0, 1)))
        found.append(
            call(
                number,
                outcome,
                hours=draw(some.integers(0, 21 * 24)),
                method=draw(some.sampled_from((None, "fetch", "fetch_url"))),
                axes=tuple(sorted(axes)) if outcome is T.wrong_tool_boundary else (),
                error_class=draw(some.sampled_from(ToolErrorClass)) if outcome is T.execution_error else None,
                corrections=tuple(Corrected(f"u{number}", draw(some.sampled_from(ACCESSES))) for _ in range(corrected)),
                access=draw(some.sampled_from(ACCESSES)),
            )
        )
    return found


@some.composite
def asks(draw: some.DrawFn, most: int = 14) -> list[Asked]:
    count = draw(some.integers(0, most))
    return [
        Asked(
            id=f"ask_{number}",
            key=f"shop ask/{number}",
            session=draw(some.sampled_from(("s1", "s2"))),
            at=NOW + timedelta(minutes=draw(some.integers(0, 40))),
            pattern=frozenset(draw(some.sets(some.sampled_from(("fetch", "extract", "sum")), max_size=3))),
            shape=draw(some.sampled_from(("list", "poem", None))),
            top_level=draw(some.sampled_from((True, True, False))),
            access=draw(some.sampled_from(ACCESSES)),
        )
        for number in range(count)
    ]
