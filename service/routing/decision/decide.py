"""One decision: the mode, the level, what speaks for and against it, and why the others lost. Pure."""

from dataclasses import dataclass

from graph_schema.routing.decision_words import ConsultPolicy as Consult
from graph_schema.routing.decision_words import ExecutionMode as Mode
from graph_schema.routing.decision_words import OpportunityLevel as Level
from service.routing.decision.fits import Calibration, Fits, fits
from service.routing.decision.grounds import Grounds
from service.routing.decision.table import TABLE, LevelFrom, Row
from service.routing.decision.vetoes import Held, ruled_out, vetoes
from service.routing.evidence.kinds import EvidenceKind as Kind

ORDER = tuple(Level)


@dataclass(frozen=True, slots=True)
class Lost:
    mode: Mode
    because: str
    veto: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    mode: Mode
    level: Level
    row: Row
    fits: Fits
    held: tuple[Held, ...]
    lost: tuple[Lost, ...]


def decide(grounds: Grounds, fitted: Calibration) -> Verdict:
    held, found = vetoes(grounds), fits(grounds, fitted)
    out, reached = ruled_out(held), _reached(grounds, found, fitted)
    row = next(one for one in TABLE if _decides(one, grounds, reached) and one.mode not in out)
    return Verdict(row.mode, _level(row, grounds, reached), row, found, held, tuple(_lost(row, grounds, reached, out)))


def _reached(grounds: Grounds, found: Fits, fitted: Calibration) -> Level:
    """The level that the fit gives. A muted class has low at most, and so has one who wants a quick answer."""
    level = fitted.level(found.task)
    if grounds.muted or grounds.limited or grounds.has(Kind.quick, Kind.no_task, Kind.other_language):
        return min(level, Level.low, key=ORDER.index)
    return level


def _decides(row: Row, grounds: Grounds, reached: Level) -> bool:
    return row.holds(grounds) and (row.level is not LevelFrom.fit or ORDER.index(reached) >= ORDER.index(row.least))


def _level(row: Row, grounds: Grounds, reached: Level) -> Level:
    if row.level is LevelFrom.explicit:
        return Level.explicit
    if row.level is LevelFrom.fit:
        return reached
    most = Level.medium if row.level is LevelFrom.chip else Level.low
    return min(reached, most, key=ORDER.index)


def consult(mode: Mode, level: Level) -> Consult:
    """Whether the Task Agent is asked. Below medium never (§4A.1)."""
    if level in (Level.none, Level.low):
        return Consult.forbidden
    if mode in (Mode.invoke_task_agent_for_design, Mode.invoke_task_agent_for_review):
        return Consult.required
    if level is Level.medium:
        return Consult.allowed_if_user_accepts
    if mode in (Mode.suggest_existing_saved_task, Mode.background_or_recurring_saved_task):
        return Consult.recommended
    return Consult.not_needed


def _lost(won: Row, grounds: Grounds, reached: Level, out: dict[Mode, object]) -> list[Lost]:
    return [_why(mode, won, grounds, reached, out) for mode in Mode if mode is not won.mode]


def _why(mode: Mode, won: Row, grounds: Grounds, reached: Level, out: dict[Mode, object]) -> Lost:
    rows = [one for one in TABLE if one.mode is mode]
    held = next((one for one in rows if one.holds(grounds)), None)
    veto = out.get(mode)
    if veto is not None and held is not None:
        return Lost(mode, f"{held.because} But {veto} rules it out.", str(veto))
    if veto is not None:
        return Lost(mode, f"Nothing speaks for it, and {veto} rules it out.", str(veto))
    if held is None:
        return Lost(mode, "Nothing in the request speaks for it.")
    if not _decides(held, grounds, reached):
        return Lost(mode, f"{held.because} But the task fit reaches {reached} only, and it takes {held.least}.")
    return Lost(mode, f"{held.because} But what comes first decides: {won.because}")
