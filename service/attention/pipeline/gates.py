"""The fourth step: what the user model, dismissals and limits let through. The first reason against it is told."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from graph_schema.attention.words import DirectiveState as State
from graph_schema.attention.words import DirectiveVerbosity, InterventionClass
from graph_schema.attention.words import PreferenceDimension as Dim
from service.attention.pipeline.facts import Facts, Raised, UserState
from service.attention.pipeline.interventions import Draft
from service.attention.pipeline.modes import MODES, AttentionConduct
from service.attention.pipeline.normalise import Context
from service.attention.rules.policies import Gates


class SuppressionReason(StrEnum):
    """Why something is not raised."""

    no_intervention = "no_intervention"
    dismissed = "dismissed"
    already_open = "already_open"
    snoozed = "snoozed"
    no_new_evidence = "no_new_evidence"
    not_proactive = "not_proactive"
    one_critical_at_a_time = "one_critical_at_a_time"
    session_limit = "session_limit"
    too_many_at_once = "too_many_at_once"


@dataclass(frozen=True, slots=True, kw_only=True)
class UserGates:
    """What the user model lets through."""

    max_directives: Annotated[int, "Directives that may be open at once."]
    verbosity: Annotated[DirectiveVerbosity, "How much a directive says."]
    proactive_allowed: Annotated[bool, "Whether suggestions that nobody asked for are raised."]


@dataclass(frozen=True, slots=True)
class Held:
    """A draft that is not raised, and why."""

    draft: Draft
    reason: SuppressionReason


@dataclass(frozen=True, slots=True)
class Lane:
    """What was raised. What is only thought of in shadow mode stands in a lane of its own.

    `start`: since when it counts for the limits. Of what waits beside the events, what was raised before is known too.
    """

    raised: tuple[Raised, ...]
    at: datetime
    start: datetime | None

    @property
    def counted(self) -> list[Raised]:
        return [one for one in self.raised if self.start is not None and one.at >= self.start]

    @property
    def open(self) -> list[Raised]:
        return [one for one in self.counted if is_open(one, self.at)]

    def same(self, draft: Draft) -> list[Raised]:
        """What was raised of the same: in this stretch, or since it began to wait."""
        since = draft.moment.since or self.start
        subject = draft.moment.subject
        known = [one for one in self.raised if one.subject == subject and one.moment is draft.moment.kind]
        return [one for one in known if since is not None and one.at >= since]


def user_gates(user: UserState, gates: Gates, context: Context) -> UserGates:
    return UserGates(
        max_directives=_most(user, gates),
        verbosity=verbosity(user, gates),
        proactive_allowed=_proactive(user, gates) or _asked(context, gates),
    )


def _most(user: UserState, gates: Gates) -> int:
    rule, sensitivity = gates.most_directives, user[Dim.cognitive_load_sensitivity]
    high = sensitivity.value >= rule["from_value"] and sensitivity.confidence >= rule["from_confidence"]
    return rule["then"] if high else rule["else"]


def verbosity(user: UserState, gates: Gates) -> DirectiveVerbosity:
    density = user[Dim.guidance_density].value
    if density <= gates.verbosity["summary_only"]:
        return DirectiveVerbosity.summary_only
    if density <= gates.verbosity["summary_plus_hint"]:
        return DirectiveVerbosity.summary_plus_hint
    return DirectiveVerbosity.full_explanation


def _proactive(user: UserState, gates: Gates) -> bool:
    rule, tolerance = gates.proactive, user[Dim.initiative_tolerance]
    return tolerance.value >= rule["from_value"] or tolerance.confidence < rule["below_confidence"]


def _asked(context: Context, gates: Gates) -> bool:
    """Whoever asks is answered, whatever they think of suggestions."""
    lately = timedelta(seconds=gates.proactive["asked_seconds"])
    return context.asked_at is not None and context.at - context.asked_at <= lately


def is_open(one: Raised, at: datetime) -> bool:
    """Whether it takes the user's attention now. What is put off comes back when its time has come."""
    if one.expires_at <= at:
        return False
    back = one.state is State.snoozed and one.snoozed_until is not None and one.snoozed_until <= at
    return one.state is State.open or back


def passed(facts: Facts, context: Context, drafts: Iterable[Draft], gates: UserGates) -> tuple[list[Draft], list[Held]]:
    """What is raised and what is held back. What is critical comes first."""
    lanes = {shadow: _lane(facts, context, shadow=shadow) for shadow in (False, True)}
    taken: list[Draft] = []
    held: list[Held] = []
    for draft in sorted(drafts, key=lambda one: not one.critical):
        shadow = not MODES[facts.mode_of(draft.moment.component)].allows(AttentionConduct.emit_directives)
        reason = against(draft, lanes[shadow], gates, facts.limits.directives)
        if reason is not None:
            held.append(Held(draft, reason))
            continue
        taken.append(draft)
        lanes[shadow] = replace(lanes[shadow], raised=(*lanes[shadow].raised, _as_raised(draft, facts)))
    return taken, held


def against(draft: Draft, lane: Lane, gates: UserGates, limit: int) -> SuppressionReason | None:
    if (known := _known(draft, lane)) is not None:
        return known
    if draft.proactive and not gates.proactive_allowed:
        return SuppressionReason.not_proactive
    if draft.critical and any(one.critical for one in lane.open):
        return SuppressionReason.one_critical_at_a_time
    if len(lane.counted) >= limit:
        return SuppressionReason.session_limit
    if len(lane.open) >= gates.max_directives and not draft.critical:
        return SuppressionReason.too_many_at_once
    return None


def _known(draft: Draft, lane: Lane) -> SuppressionReason | None:
    """What was said of the same before. A dismissal holds; else it is raised again for new evidence alone."""
    if draft.intervention_class is InterventionClass.none:
        return SuppressionReason.no_intervention
    if draft.moment.put is not None:
        return _PUT[draft.moment.put]
    return _raised_before(draft, lane)


def _raised_before(draft: Draft, lane: Lane) -> SuppressionReason | None:
    same = lane.same(draft)
    if any(one.state is State.dismissed for one in same):
        return SuppressionReason.dismissed
    if any(is_open(one, lane.at) for one in same):
        return SuppressionReason.already_open
    if any(one.state is State.snoozed and one.expires_at > lane.at for one in same):
        return SuppressionReason.snoozed
    if any(one.evidence >= draft.moment.ids for one in same) or (same and draft.moment.since is not None):
        return SuppressionReason.no_new_evidence
    return None


_PUT = {
    State.dismissed: SuppressionReason.dismissed,
    State.snoozed: SuppressionReason.snoozed,
    State.acted: SuppressionReason.no_new_evidence,
}


def _lane(facts: Facts, context: Context, *, shadow: bool) -> Lane:
    mine = tuple(one for one in facts.raised if one.is_shadow is shadow)
    return Lane(mine, context.at, context.started_at)


def _as_raised(draft: Draft, facts: Facts) -> Raised:
    moment = draft.moment
    return Raised(
        moment.kind, moment.subject, moment.ids, facts.at, facts.at + facts.limits.life, critical=draft.critical
    )
