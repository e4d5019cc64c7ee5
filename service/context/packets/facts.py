"""What the gates know: of the module's situation (the ground), and of each candidate (its facts).

Both are plain values that go into JSON and come back the same. A packet keeps the one, each receipt the other, so
that a replay decides from what was known at the time, whatever has become of the records since. Words are plain text
here: the specification's vocabularies are text too, so that the two compare as they are.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, NamedTuple, cast

import orjson


@dataclass(frozen=True, slots=True)
class Ground:
    """The situation of one module at one activation, as far as gates ask about it."""

    matter_ids: tuple[str, ...] = ()
    broad: bool = False
    broad_by_text: bool = False
    ceiling: str = "internal"
    surface_policy: str = "not_applicable"
    surface_forbidden: bool = False
    task_type: str | None = None
    domains: tuple[str, ...] = ()
    trigger_kind: str | None = None
    side_effects: tuple[str, ...] = ()
    profile: str = "task_scoped"
    denied_layers: tuple[str, ...] = ()
    capability_mode: str = "explicit"
    full_text: bool = False
    max_tokens: int = 0
    frame_tokens: int = 0
    threshold: float = 0.0


@dataclass(slots=True)
class Facts:
    """What the gates know of one candidate. Absent facts are left out of what is stored.

    Not frozen, though nothing changes it: a packet makes thousands, and a frozen one takes four times as long to make.
    """

    id: str
    label: str
    kind: str
    layer: str
    name: str
    version: int = 1
    data_class: str = "internal"
    matter_ids: tuple[str, ...] = ()
    via: str | None = None
    evidence: str | None = None
    doubtful: bool = False
    excluded: bool = False
    own: bool = False
    of_matter: bool = False
    in_library: bool = False
    opened: bool = False
    named: bool = False
    offered: bool = False
    surface: str | None = None
    forbidden_by: str | None = None
    everywhere: bool = False
    linked: bool = False
    link: str | None = None
    task_types: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    trigger_kinds: tuple[str, ...] = ()
    side_effects: tuple[str, ...] = ()
    standing: str | None = None
    preferred: bool = False
    state: str | None = None
    memory_mode: str | None = None
    score: float | None = None
    behind: bool = False
    tokens: int = 0
    text_hash: str = ""
    full_tokens: int = 0
    """Tokens with the text that the caller supplied; 0 where it supplied none that may go in."""
    full_hash: str = ""
    by_bytes: bool = False
    """Whether the estimate of its tokens counts bytes, because it is written in another script."""
    count: int = 1
    query: str | None = None

    def told(self) -> str:
        """As JSON without what is absent. Id and version stand on the receipt itself."""
        kept = {
            name: value
            for name, default, value in zip(_NAMES, _DEFAULTS, _VALUES(self), strict=True)
            if value is not default and value != default
        }
        return orjson.dumps(kept).decode()


_NAMES = tuple(one.name for one in fields(Facts))
_DEFAULTS = tuple(one.default for one in fields(Facts))
"""A field without a default has one that no value equals."""

_VALUES = attrgetter(*_NAMES)


def facts_of(told: str) -> Facts:
    return Facts(**_tuples(orjson.loads(told)))


def ground_of(told: Mapping[str, Any]) -> Ground:
    return Ground(**_tuples(told))


def _tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(cast("list[Any]", one)) if isinstance(one, list) else one for name, one in values.items()}


class Candidate(NamedTuple):
    """Something that was considered, with the text that the module would read."""

    facts: Facts
    text: str = ""
    full_text: str = ""
    """The same with the text that the caller supplied, where it may go in."""
    storage_ref: str | None = None
