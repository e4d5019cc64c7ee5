"""Scenes of work without a graph: events by their seconds, and what a decision about them knows."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from graph_schema.attention.words import AgentEventType, OperatingMode, PreferenceDimension
from service.attention.pipeline.facts import Dimension, Facts, Heard, Raised, ViewRights
from service.attention.rules.policies import our_rules

START = datetime(2026, 2, 6, 12, tzinfo=UTC)
ANALYZER = "tap_tone_analyzer"
ADVISORY = {"*": OperatingMode.advisory}


def after(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def heard(
    kind: str, seconds: float = 0, component: str = ANALYZER, *, name: str = "", ends: bool = False, **said: Any
) -> Heard:
    event_id = name or f"{kind}-{seconds:g}"
    return Heard(f"agev_{event_id}", event_id, AgentEventType(kind), after(seconds), component, said, ends=ends)


def scene(events: Iterable[Heard], at: float, **more: Any) -> Facts:
    """What is known at so many seconds, in advisory mode unless said otherwise."""
    known: dict[str, Any] = {"modes": ADVISORY, "rules": our_rules(), **more}
    return Facts("atse_1", after(at), tuple(events), **known)


def user(**told: tuple[float, float]) -> Mapping[PreferenceDimension, Dimension]:
    """What is told of the dimensions: value and confidence."""
    return {one: Dimension(*told.get(one.value, (0.5, 0.0))) for one in PreferenceDimension}


def undos(count: int, component: str = ANALYZER) -> list[Heard]:
    return [heard("user_action", second, component, action="undo") for second in range(count)]


__all__ = ["ADVISORY", "ANALYZER", "START", "Raised", "ViewRights", "after", "heard", "scene", "undos", "user"]
