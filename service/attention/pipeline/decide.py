"""The five steps, one after the other. The same facts give the same decision."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from graph_schema.attention.words import DirectiveState, InterventionClass, OperatingMode
from service.attention.pipeline.facts import WAITING_ON, Facts, Raised
from service.attention.pipeline.gates import Held, UserGates, passed, user_gates
from service.attention.pipeline.interventions import INTENSITY, Draft, choose
from service.attention.pipeline.moments import Moment, detect, next_look
from service.attention.pipeline.normalise import SESSION, TOOL, Context, normalise
from service.attention.pipeline.output import EMIT, Output, emit, told

MOST_TOLD = 200
"""Moments, and things that were held back, that are told one by one."""

_JUST_AFTER = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Decision:
    """`back`: directives whose time to come back has come. `over`: those that hold no longer."""

    context: Context
    mode: OperatingMode
    moments: tuple[Moment, ...]
    gates: UserGates
    outputs: tuple[Output, ...]
    held: tuple[Held, ...]
    rules_fired: tuple[str, ...]
    back: tuple[Raised, ...]
    over: tuple[Raised, ...]
    look_at: datetime | None

    @property
    def emitted(self) -> list[Output]:
        return [one for one in self.outputs if one.emitted]

    @property
    def withheld(self) -> list[Output]:
        return [one for one in self.outputs if not one.emitted]

    @property
    def intervention_class(self) -> InterventionClass:
        """The farthest that it goes, or would have gone."""
        classes = [one.draft.intervention_class for one in self.outputs]
        return max(classes, key=INTENSITY.__getitem__, default=InterventionClass.none)

    def answer(self) -> dict[str, Any]:
        """Step by step, as plain values."""
        context = self.context
        return {
            "normalise": {
                "event_count": len(context.events),
                "ended": context.ended,
                "active_component": context.component,
                "action_count": context.action_count,
                "undo_count": context.undo_count,
                "first_time": sorted(context.first_time),
            },
            "moments": [
                {"moment": one.kind.value, "component": one.component, "subject": one.subject, "rule_id": one.rule_id}
                for one in self.moments[:MOST_TOLD]
            ],
            "intervention_class": self.intervention_class.value,
            "gates": {
                "max_directives": self.gates.max_directives,
                "verbosity": self.gates.verbosity.value,
                "proactive_allowed": self.gates.proactive_allowed,
            },
            "suppressed": [
                {
                    "moment": one.draft.moment.kind.value,
                    "subject": one.draft.moment.subject,
                    "action": one.draft.action.value,
                    "reason": one.reason.value,
                }
                for one in self.held[:MOST_TOLD]
            ],
            "output": [told(one) for one in self.outputs],
        }


def decide(facts: Facts) -> Decision:
    context = normalise(facts)
    moments = detect(facts, context)
    drafts = [draft for one in moments if (draft := choose(facts, context, one)) is not None]
    gates = user_gates(facts.user, facts.rules.gates, context)
    taken, held = passed(facts, context, drafts, gates)
    outputs = tuple(emit(facts, one, gates.verbosity) for one in taken)
    return Decision(
        context=context,
        mode=facts.mode_of(context.component or ""),
        moments=tuple(moments),
        gates=gates,
        outputs=outputs,
        held=tuple(held),
        rules_fired=_fired(facts, context, moments, drafts),
        back=tuple(_back(facts, context)),
        over=tuple(_over(facts, context)),
        look_at=_look_at(facts, context, bool(outputs)),
    )


def _fired(facts: Facts, context: Context, moments: list[Moment], drafts: list[Draft]) -> tuple[str, ...]:
    if context.ended:
        return (SESSION,)
    rules = facts.rules
    told_by = [rules.gates.most_directives, rules.gates.verbosity, rules.gates.proactive]
    gates = [one["rule_id"] for one in told_by] if drafts else []
    chosen = [rules.interventions_rule] if drafts else []
    names = [SESSION, TOOL, *(one.rule_id for one in moments), *chosen, *gates, *(one.rule_id for one in drafts)]
    return tuple(dict.fromkeys([*names, *([EMIT] if drafts else [])]))


def _back(facts: Facts, context: Context) -> list[Raised]:
    if context.ended:
        return []
    return [
        one
        for one in facts.raised
        if one.id and one.state is DirectiveState.snoozed and one.expires_at > facts.at
        if one.snoozed_until is not None and one.snoozed_until <= facts.at
    ]


def _over(facts: Facts, context: Context) -> list[Raised]:
    """What holds no longer: its day is over, or its stretch of work, or what it is about waits no more."""
    waiting = [one for one in facts.raised if one.id and one.state in {DirectiveState.open, DirectiveState.snoozed}]
    start = context.started_at
    gone = [one for one in waiting if one.expires_at <= facts.at or context.ended or (start and one.at < start)]
    if facts.waits is None:
        return gone
    still = {one.about for one in facts.waits}
    return [one for one in waiting if one in gone or one.subject not in still]


def _look_at(facts: Facts, context: Context, raises: bool) -> datetime | None:
    """When time alone may change something."""
    if facts.waits is not None:
        return facts.at + facts.limits.inbox_look if _speaks(facts) else None
    if context.ended:
        return facts.to_come
    put_off = [one.snoozed_until for one in facts.raised if one.id and one.state is DirectiveState.snoozed]
    waiting = raises or any(one.id and one.state is DirectiveState.open for one in facts.raised)
    ends = context.events[-1].at + facts.limits.idle + _JUST_AFTER if waiting else None
    times = [next_look(facts, context), *put_off, ends, facts.to_come]
    return min((one for one in times if one is not None and one > facts.at), default=None)


def _speaks(facts: Facts) -> bool:
    """Whether the user lets anything in their inbox be told to them."""
    return any(facts.mode_of(one) is not OperatingMode.shadow for one in WAITING_ON)
