"""The third step: how far to go for a moment, and what would be said. The most specific rule that fits says it."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from graph_schema.attention.directives import MOST_OPTIONS
from graph_schema.attention.words import AttentionAction, AttentionMoment, InterventionClass
from graph_schema.model.fields import KEY_LENGTH, TEXT_LENGTH
from service.attention.pipeline.facts import Facts
from service.attention.pipeline.moments import Moment
from service.attention.pipeline.normalise import Context
from service.attention.rules.language import Missing, Values, command, filled
from service.attention.rules.policies import Policy

ACTIONS: Mapping[InterventionClass, AttentionAction] = {
    InterventionClass.point: AttentionAction.inspect,
    InterventionClass.review: AttentionAction.review,
    InterventionClass.compare: AttentionAction.compare,
    InterventionClass.decide: AttentionAction.decide,
    InterventionClass.intervene: AttentionAction.intervene,
}
CLASS_CODES: Mapping[InterventionClass, str] = {
    one: f"I{place}_{one.name.upper()}" for place, one in enumerate(InterventionClass)
}
INTENSITY = {one: place for place, one in enumerate(InterventionClass)}

PROACTIVE = frozenset(
    {AttentionMoment.overload, AttentionMoment.finding, AttentionMoment.hesitation, AttentionMoment.first_signal}
)
"""Nobody has asked for these. What failed, and what a component waits for, is no suggestion."""


def moment_code(moment: AttentionMoment) -> str:
    return f"MOMENT_{moment.name.upper()}"


@dataclass(frozen=True, slots=True)
class Draft:
    """What would be said, and what would be done to the view."""

    moment: Moment
    rule_id: str
    intervention_class: InterventionClass
    action: AttentionAction
    summary: str
    detail: str
    hint: str
    why: str
    urgency: float
    confidence: float
    focus_type: str | None
    focus_id: str | None
    highlight_region: Any
    evidence_refs: tuple[str, ...]
    options: tuple[str, ...]
    options_left_out: int
    view_commands: tuple[Mapping[str, str], ...]

    @property
    def critical(self) -> bool:
        return self.intervention_class is InterventionClass.intervene

    @property
    def proactive(self) -> bool:
        """What is critical waits for nobody's liking."""
        return self.moment.kind in PROACTIVE and not self.critical


def choose(facts: Facts, context: Context, moment: Moment) -> Draft | None:
    """What the first rule says that fits and lacks nothing of what its summary speaks of."""
    values = _values(context, moment)
    for one in facts.rules.policies:
        if one.moment is moment.kind and one.fits(moment.component, values):
            with suppress(Missing):
                return _draft(facts, moment, one, {"confidence": one.confidence, **values})
    return None


def _values(context: Context, moment: Moment) -> dict[str, Any]:
    event = moment.event
    plain = {name: one for name, one in event.payload.items() if not isinstance(one, dict | list)}
    return {
        **context.values(),
        "component": moment.component,
        "first_time": moment.component in context.first_time,
        "finding_id": event.event_id,
        "decision_id": event.event_id,
        "event_id": event.event_id,
        **plain,
        **event.payload.get("values", {}),
    }


def _draft(facts: Facts, moment: Moment, rule: Policy, values: Values) -> Draft:
    payload = moment.event.payload
    focus: Mapping[str, Any] = payload.get("focus") or {}
    asked = rule.intervention_class or facts.rules.interventions.get(moment.kind, InterventionClass.none)
    options = tuple(str(one["label"]) for one in payload.get("options", ())) or rule.options
    return Draft(
        moment=moment,
        rule_id=rule.rule_id,
        intervention_class=asked,
        action=rule.action or ACTIONS.get(asked, AttentionAction.inspect),
        summary=filled(rule.summary, values)[:TEXT_LENGTH],
        detail=_text(rule.detail, values) or payload.get("detail", ""),
        hint=_text(rule.hint, values) or payload.get("hint", ""),
        why=_text(rule.why, values) or payload.get("why", ""),
        urgency=_urgency(rule, values, payload),
        confidence=float(values["confidence"]),
        focus_type=focus.get("target_type") or rule.focus_type,
        focus_id=(focus.get("target_id") or _text(rule.focus_id or "", values))[:KEY_LENGTH] or None,
        highlight_region=focus.get("highlight_region"),
        evidence_refs=(*payload.get("evidence_refs", ()), *_all(rule.evidence_refs, values, filled)),
        options=options[:MOST_OPTIONS],
        options_left_out=max(0, len(options) - MOST_OPTIONS),
        view_commands=_all([one.text for one in rule.view_commands if one.holds(values)], values, command),
    )


def _urgency(rule: Policy, values: Values, payload: Mapping[str, Any]) -> float:
    """The component's own word; else the rule's."""
    if "urgency" in payload:
        return float(payload["urgency"])
    return next((float(one.text) for one in rule.urgency if one.holds(values)), 0.5)


def _text(text: str, values: Values) -> str:
    """A sentence that speaks of something that was not told is left out."""
    try:
        return filled(text, values)[: KEY_LENGTH * 10]
    except Missing:
        return ""


def _all(texts: Any, values: Values, read: Callable[[str, Values], Any]) -> tuple[Any, ...]:
    found: list[Any] = []
    for one in texts:
        with suppress(Missing):
            found.append(read(one, values))
    return tuple(found)
