"""What callers say when they take up a run again."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graph_schema.registry import REGISTRY
from service.commands import RecordRef
from service.records.rules import own_ref

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StepName:
    """An activation: its run, its module, and which activation of it."""

    run: RecordRef
    module_key: str | None = None
    activation_seq: int | None = None


@dataclass(frozen=True, slots=True)
class ForkInput:
    """`values` are fields of the fork. `takes` is an output of the parent, such as one variant of an experiment."""

    step: StepName
    values: Values
    takes: RecordRef | None = None
    authorise_side_effects: bool = False
    source: str | None = None
    source_key: str | None = None

    def own_ref(self) -> RecordRef | None:
        """What the outside calls the fork, if it has a name for it."""
        return own_ref(REGISTRY.types["Fork"], None, {"source": self.source, "source_key": self.source_key})


@dataclass(frozen=True, slots=True)
class FollowUpArtifact:
    """Something that a follow-up made: one that is known, or the values of a new one."""

    ref: RecordRef | None = None
    values: Values = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class FollowUpInput:
    step: StepName
    values: Values
    artifacts: tuple[FollowUpArtifact, ...] = ()
    conversation: RecordRef | None = None
    thread: RecordRef | None = None
    fork: RecordRef | None = None


@dataclass(frozen=True, slots=True)
class InterventionInput:
    step: StepName
    values: Values


@dataclass(frozen=True, slots=True)
class ThreadInput:
    values: Values
    task: RecordRef | None = None
    step: StepName | None = None
    artifact: RecordRef | None = None


@dataclass(frozen=True, slots=True)
class ConsultInput:
    """`decision`: what was decided of the request. Whether a task fits is asked only where it leaves room for one, or
    where the user asked that themselves (`user_asked`)."""

    values: Values
    task: RecordRef | None = None
    step: StepName | None = None
    thread: RecordRef | None = None
    decision: RecordRef | None = None
    user_asked: bool = False
