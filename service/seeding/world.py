"""Reads the sample world's files into plain values."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field

from graph_schema.attention.words import OperatingMode

SOURCE = "sample"

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The one in C, where there is one: ten times as fast."""


class SamplePlacement(BaseModel):
    """A segment in a graph, with the modules that are called otherwise there."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    segment: str
    modules: dict[str, str] = Field(default_factory=dict[str, str])


class SampleGraph(BaseModel):
    """The graph of a task or template: modules as key, type, purpose and what is set; cables as the keys of their ends,
    with the ports where they are told."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    of: str
    modules: list[tuple[str, str, str] | tuple[str, str, str, dict[str, Any]]]
    cables: list[tuple[str, str] | tuple[str, str, str, str]]
    presets: dict[str, str] = Field(default_factory=dict[str, str])
    segments: list[SamplePlacement] = Field(default_factory=list[SamplePlacement])


class SampleSegment(BaseModel):
    """A segment, taken from chosen modules of the graph of a template."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    key: str
    taken_from: str
    modules: list[str]
    values: dict[str, Any]


class SampleBlueprint(BaseModel):
    """The blueprint of a task or template, with its parts by kind, and its links by relation and key."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    key: str
    of: str
    values: dict[str, Any]
    parts: dict[str, list[dict[str, Any]]] = Field(default_factory=dict[str, list[dict[str, Any]]])
    links: dict[str, list[str]] = Field(default_factory=dict[str, list[str]])


class SampleInvocation(BaseModel):
    """How a request was met: what was said and decided, what had matched, and what the user did."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    key: str
    said: str
    means: str
    at: str
    context_class: str
    mode: str
    level: str
    templates: list[str] = Field(default_factory=list[str])
    shown: bool = False
    response: str
    edits: int = 0


class SampleTurn(BaseModel):
    """What happened in a design session at once: what was asked, answered, said, taken, proposed, saved."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    asks: dict[str, str] = Field(default_factory=dict[str, str])
    answers: dict[str, list[str]] = Field(default_factory=dict[str, list[str]])
    verdicts: dict[str, str] = Field(default_factory=dict[str, str])
    said: list[str] = Field(default_factory=list[str])
    accepts: list[str] = Field(default_factory=list[str])
    refuses: list[str] = Field(default_factory=list[str])
    blueprint: dict[str, Any] | None = None
    modules: list[tuple[str, str, str]] = Field(default_factory=list[tuple[str, str, str]])
    task: str | None = None
    description: str = ""
    edited: list[tuple[str, str, str]] = Field(default_factory=list[tuple[str, str, str]])
    outcome: str | None = None


class SampleDesign(BaseModel):
    """The design of a task: what was wanted, what was looked at (as what, and which), and what happened then."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    key: str
    said: str
    about: list[str] = Field(default_factory=list[str])
    task_type: str
    domain: str
    context_class: str
    adapts: str | None = None
    considered: list[tuple[str, str, str]] = Field(default_factory=list[tuple[str, str, str]])
    turns: list[SampleTurn]


class SampleAttention(BaseModel):
    """A session: its events, the modes of its surfaces, and the moments for which somebody decided."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    session: str
    modes: dict[str, OperatingMode] = Field(default_factory=dict[str, OperatingMode])
    events: list[dict[str, Any]]
    decide: list[str]

    @property
    def commands(self) -> int:
        return len(self.modes) + len(self.decide)


class SampleShare(BaseModel):
    """A run or a task that was shown to somebody: what was looked at, and why it was closed, if it was."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    key: str
    run: str | None = None
    task: str | None = None
    share_mode: str
    permission: str = "view_only"
    redaction_profile: str = "external_professional"
    note: str | None = None
    looks: list[str] = Field(default_factory=list[str])
    closed: str | None = None
    tries: int = 0


class Chapter(BaseModel):
    """One file: records by label, links between them by their keys; graphs, segments and blueprints of templates; how
    requests were met; how calls of tools ended, and what users asked; what was heard of users at work; what was shown
    to somebody outside; and the states of capabilities."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    data_class: str
    matter: str | None = None
    records: dict[str, list[dict[str, Any]]]
    links: list[list[Any]] = Field(default_factory=list[list[Any]])
    graphs: list[SampleGraph] = Field(default_factory=list[SampleGraph])
    segments: list[SampleSegment] = Field(default_factory=list[SampleSegment])
    blueprints: list[SampleBlueprint] = Field(default_factory=list[SampleBlueprint])
    invocations: list[SampleInvocation] = Field(default_factory=list[SampleInvocation])
    outcomes: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]])
    asks: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]])
    designs: list[SampleDesign] = Field(default_factory=list[SampleDesign])
    attention: list[SampleAttention] = Field(default_factory=list[SampleAttention])
    shares: list[SampleShare] = Field(default_factory=list[SampleShare])
    states: dict[str, str] = Field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class SampleRecord:
    label: str
    key: str
    matter: str | None
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class SampleLink:
    tail: str
    type: str
    head: str
    properties: dict[str, Any]


@dataclass(frozen=True, slots=True)
class World:
    records: list[SampleRecord]
    links: list[SampleLink]
    graphs: list[SampleGraph]
    segments: list[SampleSegment]
    blueprints: list[SampleBlueprint]
    invocations: list[SampleInvocation]
    outcomes: list[dict[str, Any]]
    asks: list[dict[str, Any]]
    designs: list[SampleDesign]
    attention: list[SampleAttention]
    shares: list[SampleShare]
    states: list[tuple[str, str]]

    def label_of(self, key: str) -> str:
        return next(one.label for one in self.records if one.key == key)


def read_world() -> World:
    """All chapters, in the order of their names."""
    chapters = [_read(entry.read_text("utf-8")) for entry in _files()]
    return World(
        [record for chapter in chapters for record in _records(chapter)],
        [_link(link) for chapter in chapters for link in chapter.links],
        [graph for chapter in chapters for graph in chapter.graphs],
        [segment for chapter in chapters for segment in chapter.segments],
        [blueprint for chapter in chapters for blueprint in chapter.blueprints],
        [invocation for chapter in chapters for invocation in chapter.invocations],
        [outcome for chapter in chapters for outcome in chapter.outcomes],
        [ask for chapter in chapters for ask in chapter.asks],
        [design for chapter in chapters for design in chapter.designs],
        [session for chapter in chapters for session in chapter.attention],
        [share for chapter in chapters for share in chapter.shares],
        [state for chapter in chapters for state in chapter.states.items()],
    )


def _files() -> list[Any]:
    folder = resources.files("seeds") / "world"
    return sorted((one for one in folder.iterdir() if one.name.endswith(".yaml")), key=lambda one: one.name)


def _read(text: str) -> Chapter:
    return Chapter.model_validate(yaml.load(text, Loader=_LOADER))  # noqa: S506 - both of them are safe


def _records(chapter: Chapter) -> Iterator[SampleRecord]:
    for label, records in chapter.records.items():
        for record in records:
            values = {"data_class": chapter.data_class, **record}
            key = values.pop("key")
            yield SampleRecord(label, key, None if key == chapter.matter else chapter.matter, values)


def _link(link: list[Any]) -> SampleLink:
    tail, kind, head, *properties = link
    return SampleLink(tail, kind, head, properties[0] if properties else {})
