"""Whether a directive was right, or would have been. Plain functions over what was raised and what the user did."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from graph_schema.attention.words import AttentionMoment, DirectiveState, OperatingMode
from service.attention.pipeline.normalise import ASKING
from service.attention.rules.policies import Outcomes

NEEDED = frozenset({"needed_help", "missed"})
"""What users say when something should have been told."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What was raised, or would have been. `state` is None for what only would have been."""

    moment: AttentionMoment
    mode: OperatingMode
    component: str
    at: datetime
    focus: frozenset[str] = frozenset()
    state: DirectiveState | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """What a user did or said."""

    at: datetime
    component: str
    said: Mapping[str, Any]

    @property
    def asks(self) -> bool:
        return self.said.get("action") in ASKING or self.said.get("feedback") in NEEDED


def is_right(one: Shown, done: Iterable[Done], rule: Outcomes) -> bool | None:
    """The user's own answer; else whether they came to it, or asked, within the window. None: unanswered."""
    if one.state is DirectiveState.acted:
        return True
    if one.state is DirectiveState.dismissed:
        return False
    came = any(_came_to(one, each, rule) for each in done)
    return came if one.state is None else (True if came else None)


def missed(shown: Sequence[Shown], done: Iterable[Done], rule: Outcomes) -> list[Done]:
    """Where a user asked, and nothing had been raised, or would have been, within the window before."""
    window = timedelta(seconds=rule.seconds)
    return [one for one in done if one.asks and not any(timedelta(0) <= one.at - each.at <= window for each in shown)]


def _came_to(one: Shown, done: Done, rule: Outcomes) -> bool:
    if not timedelta(0) < done.at - one.at <= timedelta(seconds=rule.seconds):
        return False
    named = {done.said.get("target_id"), done.said.get("decision_id")} & one.focus
    return bool(named) or done.asks or done.said.get("action") in rule.came_to[one.moment]
