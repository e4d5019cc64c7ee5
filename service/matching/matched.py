"""What is asked of matching from outside, and what comes back with how long it took."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any, cast

from service.matching.records import Answer, Note, Request
from service.matching.request import understood
from service.search.answer import StageTime

MOST_SHOWN = 64
DEFAULT_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request as it is sent. A list that is None was not given; an empty one says that there is none."""

    text: str
    task_type: str | None = None
    inputs: tuple[str, ...] | None = None
    outputs: tuple[str, ...] | None = None
    capabilities: tuple[str, ...] | None = None
    denied_capabilities: tuple[str, ...] = ()
    forbidden_side_effects: tuple[str, ...] = ()
    entities: tuple[str, ...] | None = None
    memory_policy: str | None = None
    blank: bool = False

    def request(self, now: datetime, viewer_id: str) -> Request:
        return Request(
            said=understood(self.text),
            now=now,
            viewer_id=viewer_id,
            task_type=self.task_type,
            inputs=self.inputs,
            outputs=self.outputs,
            capabilities=self.capabilities,
            denied_capabilities=self.denied_capabilities,
            forbidden_side_effects=self.forbidden_side_effects,
            entity_ids=self.entities,
            memory_mode=self.memory_policy,
            blank=self.blank,
        )

    def details(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of_details(cls, given: Mapping[str, Any]) -> "Wanted":
        known = {one.name for one in fields(cls)}
        return cls(**{name: _frozen(value) for name, value in given.items() if name in known})


@dataclass(frozen=True, slots=True)
class Matched:
    """The answer for one kind of asset."""

    kind: str
    answer: Answer
    timings: tuple[StageTime, ...]


@dataclass(frozen=True, slots=True)
class Reuse:
    """What can be used again, kind by kind in the order in which it is to be looked for."""

    sections: tuple[Matched, ...]
    best: Matched | None
    skipped: bool
    passed_over: Note | None
    explanation: str


def _frozen(value: Any) -> Any:
    return tuple(cast("list[str]", value)) if isinstance(value, list) else value
