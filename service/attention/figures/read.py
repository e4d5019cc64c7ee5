"""The report: how many directives were right, too many or missed; in shadow mode, how many would have been."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any

import orjson

from graph_schema.attention.words import AttentionMoment, DirectiveState, OperatingMode
from graph_schema.model.times import TimeUnreadable, read_time
from service import clock
from service.access.viewer import Viewer
from service.attention.deciding.read import answer_of
from service.attention.figures import cypher
from service.attention.figures.rules import Done, Shown, is_right, missed
from service.attention.follow import state_of
from service.attention.rules.policies import our_rules
from service.commands.errors import InputInvalid, TimeInvalid
from service.graph.database import Database
from service.views import Time

MOST_SESSIONS = 500
DAYS = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionFigures:
    """What became of one kind of moment in one mode."""

    mode: Annotated[OperatingMode, "The mode. In shadow mode nothing was raised: it is what would have been."]
    moment: Annotated[AttentionMoment, "The moment."]
    raised: Annotated[int, "How many were raised, or would have been."]
    right: Annotated[int, "Acted on, or the user came to it by themselves or asked soon after."]
    too_many: Annotated[int, "Dismissed; in shadow mode, the user never came to it."]
    unanswered: Annotated[int, "Neither answered nor come to."]
    snoozed: Annotated[int, "Put off."]
    right_share: Annotated[float | None, "Of those that are known, how many were right. Null where none is known."]


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxAnswers:
    """Things in inboxes that were answered in one way, whether or not a directive asked about them."""

    answer: Annotated[DirectiveState, "What was answered."]
    count: Annotated[int, "How many."]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionReport:
    """How good decisions about attention were, held against what users did."""

    since: Annotated[Time, "From when."]
    until: Annotated[Time, "Until when."]
    surface: Annotated[str | None, "The component that it is about; null for all."]
    sessions: Annotated[int, "Sessions that were looked at."]
    decisions: Annotated[int, "Decisions that were taken in them, also to do nothing."]
    figures: Annotated[tuple[AttentionFigures, ...], "By mode and moment."]
    right: Annotated[int, "How many of all that were raised, or would have been, were right."]
    too_many: Annotated[int, "How many of them were too many."]
    missed: Annotated[int, "Times that a user asked, and nothing had been raised or would have been."]
    dismissed: Annotated[int, "Directives that were dismissed."]
    inbox_answers: Annotated[tuple[InboxAnswers, ...], "What users made of what waited in their inboxes."]
    window_seconds: Annotated[float, "Within how many seconds a user has to come to it."]
    rule_id: Annotated[str, "The rule that says what is right."]
    truncated: Annotated[bool, "Whether there were more sessions than were looked at."]


class AttentionReports:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(
        self, viewer: Viewer, since: str | None = None, until: str | None = None, surface: str | None = None
    ) -> AttentionReport:
        first, last = _span(since, until)
        row = await self._database.read_one(
            cypher.SESSIONS,
            since=first,
            until=last,
            surface=surface,
            most=MOST_SESSIONS,
            audiences=viewer.audiences,
        )
        sessions: list[dict[str, Any]] = row["sessions"] if row else []
        return _report(sessions, first, last, surface)


def _span(since: str | None, until: str | None) -> tuple[str, str]:
    last = _time(until, "until") or clock.now()
    first = _time(since, "since") or clock.stamp(clock.parse(last) - timedelta(days=DAYS))
    if first > last:
        raise InputInvalid("since", "lies after until")
    return first, last


def _time(given: str | None, field: str) -> str | None:
    try:
        return read_time(given) if given is not None else None
    except TimeUnreadable as error:
        raise TimeInvalid(field, error) from None


def _report(sessions: Sequence[Mapping[str, Any]], since: str, until: str, surface: str | None) -> AttentionReport:
    rule = our_rules().outcome
    judged: list[tuple[Shown, bool | None]] = []
    overlooked = 0
    for one in sessions:
        shown, done = _shown(one, surface), _done(one)
        judged += [(each, is_right(each, done, rule)) for each in shown]
        overlooked += len(missed(shown, [each for each in done if surface in (None, each.component)], rule))
    kinds = sorted(
        {(one.mode, one.moment) for one, _ in judged}, key=lambda one: (one[0], [*AttentionMoment].index(one[1]))
    )
    return AttentionReport(
        since=since,
        until=until,
        surface=surface,
        sessions=len(sessions),
        decisions=sum(one["decisions"] for one in sessions),
        figures=tuple(_figures(*kind, judged) for kind in kinds),
        right=sum(right is True for _, right in judged),
        too_many=sum(right is False for _, right in judged),
        missed=overlooked,
        dismissed=sum(one.state is DirectiveState.dismissed for one, _ in judged),
        inbox_answers=_inbox_answers(sessions),
        window_seconds=rule.seconds,
        rule_id=rule.rule_id,
        truncated=len(sessions) >= MOST_SESSIONS,
    )


def _inbox_answers(sessions: Sequence[Mapping[str, Any]]) -> tuple[InboxAnswers, ...]:
    counted = Counter(answer for session in sessions for _, answer, _ in session["aside"])
    return tuple(InboxAnswers(answer=one, count=counted[one]) for one in DirectiveState if counted[one])


def _figures(
    mode: OperatingMode, moment: AttentionMoment, judged: Sequence[tuple[Shown, bool | None]]
) -> AttentionFigures:
    own = [(one, right) for one, right in judged if one.mode is mode and one.moment is moment]
    right, wrong = (sum(found is wanted for _, found in own) for wanted in (True, False))
    return AttentionFigures(
        mode=mode,
        moment=moment,
        raised=len(own),
        right=right,
        too_many=wrong,
        unanswered=sum(found is None for _, found in own),
        snoozed=sum(one.state is DirectiveState.snoozed for one, _ in own),
        right_share=right / (right + wrong) if right + wrong else None,
    )


def _shown(session: Mapping[str, Any], surface: str | None) -> list[Shown]:
    found = [_thought_of(at, one) for at, answer in session["withheld"] for one in _withheld(answer)]
    found += [
        Shown(
            AttentionMoment(one["moment"]),
            OperatingMode(one["mode"]),
            one["surface"],
            clock.parse(one["raised_at"]),
            state=state_of(one),
        )
        for one in session["directives"]
    ]
    return [one for one in found if surface in (None, one.component)]


def _withheld(answer: str) -> list[Mapping[str, Any]]:
    return [one for one in answer_of(answer).get("output", ()) if one["mode"] == OperatingMode.shadow]


def _thought_of(at: str, one: Mapping[str, Any]) -> Shown:
    focus = frozenset(each for each in (one["focus_id"], one["subject"]) if each and each != one["component"])
    return Shown(AttentionMoment(one["moment"]), OperatingMode.shadow, one["component"], clock.parse(at), focus)


def _done(session: Mapping[str, Any]) -> list[Done]:
    """What its user did, and what in their inbox they say they did."""
    done = [Done(clock.parse(at), component, orjson.loads(said)) for at, component, said in session["done"]]
    acted = [one for one in session["aside"] if one[1] == DirectiveState.acted]
    return [*done, *(Done(clock.parse(at), "", {"target_id": about}) for at, _, about in acted)]
