"""One decision: the mode, the level, what speaks for and against it, and why the others lost. Pure."""

from dataclasses import dataclass

from graph_schema.routing.decision_words import ConsultPolicy as Consult
from graph_schema.routing.decision_words import ExecutionMode as Mode
from graph_schema.routing.decision_words import OpportunityLevel as Level
from graph_schema.routing.decision_words import TaskVeto as Veto
from graph_schema.routing.words import InvocationPolicy as Policy
from service.routing.decision.answer import LosingMode
from service.routing.decision.fits import Calibration, Fits, fits
from service.routing.decision.grounds import Grounds
from service.routing.decision.table import TABLE, LevelFrom, Row
from service.routing.decision.vetoes import TOLD, Held, ruled_out, vetoes
from service.routing.evidence.kinds import EvidenceKind as Kind

ORDER = tuple(Level)
_LOW = (Kind.refused_before, Kind.quick, Kind.no_task, Kind.other_language, Kind.directive_against)
"""With one of these nothing but what was asked for outright is offered."""

_ASKED_FOR = frozenset({Mode.background_or_recurring_saved_task})
"""Work that comes again or goes on by itself is asked for: how much was suggested today says nothing about it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    mode: Mode
    level: Level
    row: Row
    fits: Fits
    held: tuple[Held, ...]
    lost: tuple[LosingMode, ...]


@dataclass(frozen=True, slots=True)
class _Reached:
    """The level that the fit gives: for what is asked for, and for what is suggested unasked."""

    asked: Level
    unasked: Level

    def by(self, row: Row) -> Level:
        return self.asked if row.mode in _ASKED_FOR else self.unasked


def decide(grounds: Grounds, fitted: Calibration) -> Verdict:
    held, found = vetoes(grounds), fits(grounds, fitted)
    level = _reached(grounds, found, fitted)
    often = grounds.has(Kind.asked_often)
    out, reached = ruled_out(held), _Reached(level, min(level, Level.low, key=ORDER.index) if often else level)
    row = next(one for one in TABLE if _decides(one, grounds, reached.by(one)) and one.mode not in out)
    lost = tuple(_lost(row, grounds, reached, out))
    return Verdict(row.mode, _level(row, reached.by(row)), row, found, held, lost)


def _reached(grounds: Grounds, found: Fits, fitted: Calibration) -> Level:
    """The level that the fit gives. A muted class has low at most, and so has who wants a quick answer."""
    level = fitted.level(found.task)
    if grounds.has(*_LOW):
        return min(level, Level.low, key=ORDER.index)
    if grounds.policy is Policy.answer_direct_but_offer_task_chip:
        return max(level, Level.medium, key=ORDER.index)
    return level


def _decides(row: Row, grounds: Grounds, reached: Level) -> bool:
    return row.holds(grounds) and (row.level is not LevelFrom.fit or ORDER.index(reached) >= ORDER.index(row.least))


def _level(row: Row, reached: Level) -> Level:
    if row.level is LevelFrom.explicit:
        return Level.explicit
    if row.level is LevelFrom.fit:
        return reached
    most = Level.medium if row.level is LevelFrom.chip else Level.low
    return min(reached, most, key=ORDER.index)


SUGGESTS = frozenset({Mode.suggest_existing_saved_task, Mode.background_or_recurring_saved_task})
"""The modes in which a saved task is offered, and the Task Agent can help to find or make one."""


def consult(mode: Mode, level: Level) -> Consult:
    """Whether the Task Agent is asked. Below medium never (§4A.1)."""
    if level in (Level.none, Level.low):
        return Consult.forbidden
    if mode in (Mode.invoke_task_agent_for_design, Mode.invoke_task_agent_for_review):
        return Consult.required
    if level is Level.medium:
        return Consult.allowed_if_user_accepts
    if mode in SUGGESTS:
        return Consult.recommended
    return Consult.not_needed


def _lost(won: Row, grounds: Grounds, reached: _Reached, out: dict[Mode, Veto]) -> list[LosingMode]:
    return [_why(mode, won, grounds, reached, out) for mode in Mode if mode is not won.mode]


def _why(mode: Mode, won: Row, grounds: Grounds, reached: _Reached, out: dict[Mode, Veto]) -> LosingMode:
    rows = [one for one in TABLE if one.mode is mode]
    held = next((one for one in rows if one.holds(grounds)), None)
    veto = out.get(mode)
    if veto is not None and held is not None:
        return LosingMode(mode, f"{held.because} But {TOLD[veto]}.", veto)
    if veto is not None:
        return LosingMode(mode, f"Nothing speaks for it, and {TOLD[veto]}.", veto)
    if held is None:
        return LosingMode(mode, "Nothing in the request speaks for it.", None)
    if not _decides(held, grounds, reached.by(held)):
        return LosingMode(mode, f"{held.because} But {_too_little(held, grounds, reached)}.", None)
    return LosingMode(mode, f"{held.because} But what comes first decides: {won.because}", None)


def _too_little(row: Row, grounds: Grounds, reached: _Reached) -> str:
    if grounds.has(Kind.asked_often) and _decides(row, grounds, reached.asked):
        return "enough was suggested for a day"
    return f"the task fit is {reached.by(row)} only, and it takes {row.least}"
