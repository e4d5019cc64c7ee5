"""What the service answers, as frozen classes: the part of the API that most callers need. `query` asks for more."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Notice:
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class MatchPart:
    name: str
    score: float | None
    evidence: str


@dataclass(frozen=True, slots=True)
class Copy:
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Candidate:
    id: str
    kind: str
    name: str
    confidence: float
    """How likely it is what was asked for, beside all others; from 0 to 1."""
    explanation: str
    recommended_action: str
    parts: tuple[MatchPart, ...]
    apart: tuple[str, ...] = ()
    """What it has that not all others have that come into question with it."""
    copies: tuple[Copy, ...] = ()
    """Others that are nearly the same."""


@dataclass(frozen=True, slots=True)
class Loser:
    candidate: Candidate
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Match:
    outcome: str
    """match, ask, several or nothing_fits."""
    confidence: float
    explanation: str
    recommended_action: str
    recommended: tuple[Candidate, ...]
    losers: tuple[Loser, ...]
    warnings: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    record_id: str | None
    replayed: bool
    """Whether it had been opened before, with the same content."""
    warnings: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class PacketItem:
    id: str
    record_kind: str
    name: str
    layer: str
    use: str
    tokens: int
    score: float | None
    explanation: str


@dataclass(frozen=True, slots=True)
class Exclusion:
    id: str
    record_kind: str
    name: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Budget:
    actual_tokens: int
    max_tokens: int
    tokenizer: str


@dataclass(frozen=True, slots=True)
class Packet:
    id: str | None
    applicable: bool
    """Whether such a module gets context at all."""
    explanation: str
    markdown: str
    """What goes into the prompt."""
    items: tuple[PacketItem, ...]
    excluded_candidates: tuple[Exclusion, ...]
    withheld: bool
    token_budget: Budget | None
    warnings: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class LineageItem:
    id: str
    kind: str
    what: str
    name: str


@dataclass(frozen=True, slots=True)
class LineageStep:
    sentence: str


@dataclass(frozen=True, slots=True)
class LineageNode:
    id: str
    kind: str
    what: str
    name: str
    depth: int
    side: str


@dataclass(frozen=True, slots=True)
class LineageEdge:
    upstream: str
    from_: str
    to: str
    type: str
    reason: str


@dataclass(frozen=True, slots=True)
class Cut:
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Lineage:
    of: LineageItem
    nodes: tuple[LineageNode, ...]
    edges: tuple[LineageEdge, ...]
    cuts: tuple[Cut, ...]
    truncated: bool


@dataclass(frozen=True, slots=True)
class Event:
    cursor: str
    """Follow again after it, and nothing is lost."""
    event_id: str
    kind: str
    at: datetime
    about: str
    about_kind: str
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EventAnswer:
    index: int
    outcome: str
    """accepted, duplicate or rejected."""
    event_id: str | None = None
    run_id: str | None = None
    code: str | None = None
    field: str | None = None
    message: str | None = None
    remedy: str | None = None
