"""Reads what happened in the sample world: stories of runs, as the events that executors report.

A story says once what its events share. `at: 2m10s` counts from its beginning, and so does every other time;
`step: [draft, 2]` is a module and its activation. A story with `repeat` is told several times, `{n}` being the number
of the telling; `only` and `except` name the tellings in which an event happens.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from importlib import resources
from typing import Any, cast

import orjson
import yaml
from pydantic import BaseModel, ConfigDict, Field

from service import clock
from service.seeding.world import SOURCE

_SPAN = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")
_STRETCHED = frozenset({"cost_usd", "input_tokens", "output_tokens"})
_CENTS = 4


class Repeat(BaseModel):
    """How often a story is told, how far apart, and how much slower and dearer each telling is, in turn."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    times: int = 1
    every: str = "1d"
    pace: list[float] = [1.0]


class Story(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    run: str
    task: str
    begins: str
    policy: dict[str, Any]
    events: list[dict[str, Any]]
    repeat: Repeat = Repeat()


class Afterwards(BaseModel):
    """What somebody did about a finished run: asked for a fork of it, or took it up in a later conversation."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    run: str
    step: tuple[str, int]
    values: dict[str, Any]
    fork: str | None = None
    conversation: str | None = None


class LateLink(BaseModel):
    """A link that can be made only once runs were told of: one of its ends is something that they made."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    tail: str
    type: str
    kind: str
    head: str
    properties: dict[str, Any] = {}


class SampleScope(BaseModel):
    """The scope of a run that goes on, opened for the email that began it. Attachments are records of the world."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    run: str
    module: str
    payload_ref: str
    payload_summary: str
    email: dict[str, Any]
    attachments: list[str]


class SamplePacket(BaseModel):
    """What a module of a run that goes on is given, while other tasks are offered to it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    run: str
    module: str
    instruction: str
    output_contract: str
    offered_tasks: list[str]


class Chapter(BaseModel):
    """One file: stories of one matter, or of none, what was done about their runs, and what those are about."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    data_class: str
    matter: str | None = None
    stories: list[Story] = Field(min_length=1)
    afterwards: list[Afterwards] = Field(default_factory=list[Afterwards])
    links: list[LateLink] = Field(default_factory=list[LateLink])
    scopes: list[SampleScope] = Field(default_factory=list[SampleScope])
    packets: list[SamplePacket] = Field(default_factory=list[SamplePacket])


@dataclass(frozen=True, slots=True)
class SampleEvent:
    """An event, whole but for the id of its matter, which the graph gives."""

    matter: str | None
    event: dict[str, Any]

    def of(self, matter_id: str | None) -> dict[str, Any]:
        policy = {**self.event["policy"], "matter_ids": [matter_id] if matter_id else []}
        return {**self.event, "policy": policy}


def read_stories() -> list[SampleEvent]:
    """All events, in the order in which the stories are told."""
    return [
        SampleEvent(chapter.matter, event)
        for chapter in _chapters()
        for story in chapter.stories
        for number in range(1, story.repeat.times + 1)
        for event in _Telling(chapter, story, number).events()
    ]


def read_afterwards() -> list[Afterwards]:
    return [one for chapter in _chapters() for one in chapter.afterwards]


def read_late_links() -> list[LateLink]:
    return [one for chapter in _chapters() for one in chapter.links]


def read_scopes() -> list[SampleScope]:
    return [one for chapter in _chapters() for one in chapter.scopes]


def read_packets() -> list[SamplePacket]:
    return [one for chapter in _chapters() for one in chapter.packets]


@cache
def _chapters() -> tuple[Chapter, ...]:
    folder = resources.files("seeds") / "world" / "runs"
    files = sorted((one for one in folder.iterdir() if one.name.endswith(".yaml")), key=lambda one: one.name)
    return tuple(Chapter.model_validate(yaml.safe_load(one.read_text("utf-8"))) for one in files)


def span_of(text: str) -> timedelta:
    """The time that `1d2h3m4s` stands for."""
    found = _SPAN.fullmatch(text)
    if not text or found is None:
        raise ValueError(f"{text!r} is no span of time such as 2m10s")
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)


class _Telling:
    """A story, told for the nth time."""

    def __init__(self, chapter: Chapter, story: Story, number: int) -> None:
        repeat = story.repeat
        self._story = story
        self._number = number
        self._pace = repeat.pace[(number - 1) % len(repeat.pace)]
        self._begins = datetime.fromisoformat(story.begins) + (number - 1) * span_of(repeat.every)
        self._shared = {
            "run": {"source": SOURCE, "key": self._numbered(story.run)},
            "task_key": story.task,
            "policy": {"data_class": chapter.data_class, **story.policy},
        }

    def events(self) -> Iterator[dict[str, Any]]:
        for told in self._story.events:
            if self._happens(told):
                event = {**self._shared, **self._event(told)}
                yield {"event_id": _event_id(event), **event}

    def _happens(self, told: dict[str, Any]) -> bool:
        return self._number in told.get("only", (self._number,)) and self._number not in told.get("except", ())

    def _event(self, told: dict[str, Any]) -> dict[str, Any]:
        event = {name: self._value(name, one) for name, one in told.items() if name not in {"only", "except"}}
        event["occurred_at"] = self._at(event.pop("at"))
        if "step" in event:
            event |= _step(event.pop("step"))
        if "triggered_by" in event:
            event["triggered_by"] = [_step(one) for one in event["triggered_by"]]
        return event

    def _value(self, name: str, value: Any) -> Any:
        if name.endswith("_at"):
            return self._at(value)
        if name in _STRETCHED:
            return round(value * self._pace, _CENTS) if isinstance(value, float) else round(value * self._pace)
        return self._numbered(value)

    def _at(self, span: str) -> str:
        return clock.stamp(self._begins + span_of(span) * self._pace)

    def _numbered(self, value: Any) -> Any:
        if isinstance(value, str):
            return value.replace("{n}", str(self._number))
        if isinstance(value, list):
            return [self._numbered(one) for one in cast("list[Any]", value)]
        if isinstance(value, dict):
            return {name: self._numbered(one) for name, one in cast("dict[str, Any]", value).items()}
        return value


def _step(step: list[Any]) -> dict[str, Any]:
    module, seq = step
    return {"module_key": module, "activation_seq": seq}


def _event_id(event: dict[str, Any]) -> str:
    """Made from the content, so that loading again finds each event known."""
    return "sample:" + hashlib.sha256(orjson.dumps(event, option=orjson.OPT_SORT_KEYS)).hexdigest()[:32]
