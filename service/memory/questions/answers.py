"""What an answer is: data, a sentence, the kind of evidence it comes from, and what was not there."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from graph_schema.fields import Layer

if TYPE_CHECKING:
    from service.memory.questions.rules import RunQuestions


class Question(StrEnum):
    """The questions that are answered from what was reported, without a model."""

    where_is_this_run = "where_is_this_run"
    what_module_is_running_now = "what_module_is_running_now"
    why_is_it_waiting = "why_is_it_waiting"
    what_did_module_output = "what_did_module_output"
    retrieve_final_output = "retrieve_final_output"
    open_run_inspector = "open_run_inspector"
    list_artifacts_from_run = "list_artifacts_from_run"


@dataclass(frozen=True, slots=True)
class Missing:
    """Evidence that would have made the answer better, and is not there."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class StepLine:
    """An activation, as far as an answer speaks of it."""

    activation_id: str
    name: str
    module_key: str
    activation_seq: int
    status: str
    started_at: str | None
    waiting_since: str | None


@dataclass(frozen=True, slots=True)
class Wait:
    """An activation that waits: what for, as far as that was reported."""

    step: StepLine
    reason: str | None
    gate_id: str | None = None
    gate_kind: str | None = None
    question: str | None = None
    deadline_at: str | None = None


@dataclass(frozen=True, slots=True)
class Output:
    """An artifact, as far as an answer speaks of it. Its content stays with its owner."""

    artifact_id: str
    display_name: str
    artifact_kind: str | None
    output_class: str | None
    module_key: str | None
    activation_seq: int | None
    port_name: str | None
    summary: str | None
    storage_ref: str | None
    open_url: str | None
    produced_at: str | None
    artifact_state: str


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the inspector: how much there is for whoever asks."""

    name: str
    count: int
    available: bool
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    question: Question
    sentence: str
    layers: tuple[Layer, ...]
    missing: tuple[Missing, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WhereAnswer(Answer):
    status: str
    started_at: str | None
    completed_at: str | None
    steps_done: int
    steps_known: int
    running: tuple[StepLine, ...]
    waiting: tuple[StepLine, ...]
    failure_code: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningAnswer(Answer):
    steps: tuple[StepLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingAnswer(Answer):
    waits: tuple[Wait, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleOutputAnswer(Answer):
    module_key: str
    activation_seq: int | None
    status: str
    output_summary: tuple[str, ...]
    output_bundle_ref: str | None
    outputs: tuple[Output, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalOutputAnswer(Answer):
    outputs: tuple[Output, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectorAnswer(Answer):
    run_id: str
    raw_run_ref: str | None
    live: bool
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactsAnswer(Answer):
    outputs: tuple[Output, ...]
    truncated: bool


@dataclass(frozen=True, slots=True)
class TaskRun:
    id: str
    name: str
    status: str
    started_at: str | None
    completed_at: str | None


@dataclass(frozen=True, slots=True)
class TaskAnswer:
    """The same questions asked of a task. `current` is the run that they are about now, and why it is that one."""

    task_source: str
    task_key: str
    sentence: str
    runs: tuple[TaskRun, ...]
    run_count: int
    current: "RunQuestions | None"
    last_completed: "RunQuestions | None"
