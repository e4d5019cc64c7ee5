"""What a decision knows: the events, the user, the modes, the capabilities, what was raised before. Nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from graph_schema.attention.users import UNKNOWN
from graph_schema.attention.words import (
    AgentEventType,
    AttentionMoment,
    DirectiveState,
    OperatingMode,
    PreferenceDimension,
    ViewCommand,
)
from service.attention.rules.policies import Rules
from service.settings import Settings

EVERY_SURFACE = "*"
TASKS, TOOLS, LEARNING = WAITING_ON = ("tasks", "tools", "learning")
"""The surfaces of what waits beside the events: runs, tools of little use, proposals. Their rules are for these."""


@dataclass(frozen=True, slots=True)
class Heard:
    """An event. `id` is the record's, `event_id` what its reporter calls it."""

    id: str
    event_id: str
    type: AgentEventType
    at: datetime
    component: str
    payload: Mapping[str, Any]
    ends: bool = False

    @property
    def order(self) -> tuple[datetime, str]:
        """The same whatever the order of arrival."""
        return self.at, self.event_id


@dataclass(frozen=True, slots=True)
class Dimension:
    value: float = UNKNOWN
    confidence: float = 0.0


UserState = Mapping[PreferenceDimension, Dimension]
NOBODY: UserState = dict.fromkeys(PreferenceDimension, Dimension())


@dataclass(frozen=True, slots=True)
class ViewRights:
    """What a component's capability says of agents. One that is not known to be there gives no right."""

    require_confirmation: bool = True
    allowed: frozenset[ViewCommand] = frozenset()
    usable: bool = True


@dataclass(frozen=True, slots=True)
class Raised:
    """What was raised before; in shadow mode, what would have been. `id` is the directive's, if there is one."""

    moment: AttentionMoment
    subject: str
    evidence: frozenset[str]
    at: datetime
    expires_at: datetime
    state: DirectiveState = DirectiveState.open
    snoozed_until: datetime | None = None
    answered_at: datetime | None = None
    critical: bool = False
    id: str | None = None

    @property
    def is_shadow(self) -> bool:
        return self.id is None


@dataclass(frozen=True, slots=True)
class Waits:
    """Something that waits for the user beside all events, such as a gate of a run. `about` is the record's id.

    `put`: what the user has made of it since it began to wait; what was put off until now is not put any more.
    """

    moment: AttentionMoment
    component: str
    about: str
    since: datetime
    type: AgentEventType
    payload: Mapping[str, Any]
    put: DirectiveState | None = None

    @property
    def heard(self) -> Heard:
        """The event that it would be."""
        name = f"{self.about} {self.since.isoformat()}"
        return Heard(self.about, name, self.type, self.since, self.component, self.payload)


@dataclass(frozen=True, slots=True)
class AttentionLimits:
    """What the settings say."""

    idle: timedelta = timedelta(minutes=30)
    directives: int = 10
    first_time_sessions: int = 3
    life: timedelta = timedelta(hours=24)
    inbox_look: timedelta = timedelta(seconds=30)

    @classmethod
    def of(cls, settings: Settings) -> "AttentionLimits":
        return cls(
            idle=timedelta(minutes=settings.attention_idle_minutes),
            directives=settings.attention_directives_a_session,
            first_time_sessions=settings.attention_first_time_sessions,
            life=timedelta(hours=settings.attention_directive_hours),
            inbox_look=timedelta(seconds=settings.attention_inbox_seconds),
        )


@dataclass(frozen=True, slots=True)
class Facts:
    """All of it.

    `sessions`: how many sessions the user has had with each component, this one included; nobody counts beyond what
    makes a component known. `began`: when the session did, where there are more events than are looked at. `waits`:
    what waits for the user; only their inbox has such, and it never ends. `to_come`: the next event after this moment.
    """

    session_id: str
    at: datetime
    events: tuple[Heard, ...]
    rules: Rules
    user: UserState = field(default_factory=lambda: NOBODY)
    modes: Mapping[str, OperatingMode] = field(default_factory=dict[str, OperatingMode])
    capabilities: Mapping[str, ViewRights] = field(default_factory=dict[str, ViewRights])
    raised: tuple[Raised, ...] = ()
    sessions: Mapping[str, int] = field(default_factory=dict[str, int])
    limits: AttentionLimits = AttentionLimits()
    began: datetime | None = None
    waits: tuple[Waits, ...] | None = None
    to_come: datetime | None = None

    def mode_of(self, surface: str) -> OperatingMode:
        return self.modes.get(surface) or self.modes.get(EVERY_SURFACE) or OperatingMode.shadow
