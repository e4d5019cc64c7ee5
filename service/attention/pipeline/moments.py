"""The second step: moments, which are patterns over events. One function each, with windows that the rules say."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from graph_schema.attention.words import AgentEventType as Type
from graph_schema.attention.words import AttentionMoment, DirectiveState
from graph_schema.model.fields import KEY_LENGTH
from service.attention.pipeline.facts import Facts, Heard, Waits
from service.attention.pipeline.normalise import UNDO, Context
from service.attention.rules.policies import Detection

TOO_MUCH = frozenset({"too_much", "overwhelmed", "confusing"})
"""What users say when it is too much."""

DECIDED = "decided"
HOVER = "hover"
_FIRST_OF = 5


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment, what it is about, and what shows it. `since`, `put`: as of what waits."""

    kind: AttentionMoment
    rule_id: str
    component: str
    about: str
    evidence: tuple[Heard, ...]
    since: datetime | None = None
    put: DirectiveState | None = None

    @property
    def subject(self) -> str:
        """What it is about, as long as a key may be."""
        return self.about[:KEY_LENGTH]

    @property
    def event(self) -> Heard:
        return self.evidence[-1]

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(one.event_id for one in self.evidence)


Detector = Callable[[Context, Detection], Iterator[Moment]]


def detect(facts: Facts, context: Context) -> list[Moment]:
    """All moments, in the order in which they are taken."""
    if context.ended:
        return []
    if facts.waits is not None:
        order = [*AttentionMoment]
        return [
            waiting(facts, one)
            for one in sorted(facts.waits, key=lambda one: (order.index(one.moment), one.since, one.about))
        ]
    return [
        one
        for moment in AttentionMoment
        for one in _DETECTORS[moment](context, facts.rules.detection(moment, context.component))
    ]


def waiting(facts: Facts, one: Waits) -> Moment:
    """What waits beside the events is a moment as it is."""
    rule = facts.rules.detection(one.moment, one.component)
    return Moment(one.moment, rule.rule_id, one.component, one.about, (one.heard,), since=one.since, put=one.put)


def next_look(facts: Facts, context: Context) -> datetime | None:
    """When time alone may bring a moment."""
    if context.ended or context.last_active_at is None:
        return None
    rule = facts.rules.detection(AttentionMoment.hesitation, context.component)
    due = context.last_active_at + timedelta(seconds=rule.seconds)
    return due if due > context.at else None


def _errors(context: Context, rule: Detection) -> Iterator[Moment]:
    """The last failure of a component, unless it has worked since."""
    last = {one.component: one for one in context.events if one.type in (Type.analysis_failed, Type.analysis_completed)}
    for component, one in sorted(last.items()):
        if one.type is Type.analysis_failed:
            subject = f"{component} {one.payload.get('error_code', '')}".strip()
            yield Moment(AttentionMoment.error, rule.rule_id, component, subject, (one,))


def _decisions(context: Context, rule: Detection) -> Iterator[Moment]:
    """What a component asks, until it is decided."""
    actions = [one for one in context.events if one.type is Type.user_action]
    decided = {one.payload.get("decision_id") for one in actions if one.payload.get("action") == DECIDED}
    asked = {_subject(one, "decision_id"): one for one in context.events if one.type is Type.decision_required}
    for subject, one in asked.items():
        if subject not in decided:
            yield Moment(AttentionMoment.decision_required, rule.rule_id, one.component, subject, (one,))


def _overload(context: Context, rule: Detection) -> Iterator[Moment]:
    recent = [one for one in context.events if context.at - one.at <= timedelta(seconds=rule.seconds)]
    undone = [one for one in recent if one.payload.get("action") == UNDO]
    said = [one for one in recent if one.type is Type.user_feedback and one.payload.get("feedback") in TOO_MUCH]
    shown = said or (undone if len(undone) >= rule.least else [])
    if shown:
        yield Moment(AttentionMoment.overload, rule.rule_id, shown[-1].component, "session", tuple(shown))


def _findings(context: Context, rule: Detection) -> Iterator[Moment]:
    """What a component wants seen, among the last events or lately: a long report must not hide what is in it."""
    last = {one.id for one in context.events[-rule.least :]}
    recent = timedelta(seconds=rule.seconds)
    found = [one for one in context.events if _is_finding(one) and (one.id in last or context.at - one.at <= recent)]
    for one in sorted(found, key=lambda one: (-one.payload.get("confidence", 0.0), one.order)):
        yield Moment(AttentionMoment.finding, rule.rule_id, one.component, _subject(one, "finding_id"), (one,))


def _hesitation(context: Context, rule: Detection) -> Iterator[Moment]:
    """Nothing for a while, or the same thing hovered over again and again."""
    last, active = context.last_action, context.last_active_at
    if last is None or active is None:
        return
    hovers = _hovers(context, rule)
    if context.at - active >= timedelta(seconds=rule.seconds) or len(hovers) >= rule.least:
        component = context.component or last.component
        evidence = tuple(hovers) if len(hovers) >= rule.least else (last,)
        yield Moment(AttentionMoment.hesitation, rule.rule_id, component, "session", evidence)


def _hovers(context: Context, rule: Detection) -> list[Heard]:
    """The last actions, as long as they are hovers over one thing within the window."""
    found: list[Heard] = []
    for one in reversed([one for one in context.events if one.type is Type.user_action]):
        same = not found or one.payload.get("target_id") == found[0].payload.get("target_id")
        late = context.at - one.at <= timedelta(seconds=rule.seconds)
        if one.payload.get("action") != HOVER or not same or not late:
            break
        found.append(one)
    return found[::-1]


def _first_signal(context: Context, rule: Detection) -> Iterator[Moment]:
    """The first result, while the session is young."""
    if len(context.events) > rule.least:
        return
    if any(one.type is Type.analysis_completed for one in context.events[-_FIRST_OF:]):
        first = next(one for one in context.events if one.type is Type.analysis_completed)
        yield Moment(AttentionMoment.first_signal, rule.rule_id, first.component, first.component, (first,))


def _is_finding(one: Heard) -> bool:
    return one.type is Type.attention_requested or (
        one.type is Type.artifact_created and bool(one.payload.get("attention_worthy"))
    )


def _subject(one: Heard, name: str) -> str:
    return str(one.payload.get(name) or one.event_id)


_DETECTORS: Mapping[AttentionMoment, Detector] = {
    AttentionMoment.error: _errors,
    AttentionMoment.decision_required: _decisions,
    AttentionMoment.overload: _overload,
    AttentionMoment.finding: _findings,
    AttentionMoment.hesitation: _hesitation,
    AttentionMoment.first_signal: _first_signal,
}
