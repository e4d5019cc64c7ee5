"""What an answer is: data, a sentence, the kind of evidence it comes from, and what was not there."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from graph_schema.model.fields import EvidenceLayer, Timestamp
from service.views import Id


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
class MissingFact:
    """A fact that would have made the answer better, and was not reported."""

    code: Annotated[str, "What is missing, as a code."]
    message: Annotated[str, "The same in a sentence."]


@dataclass(frozen=True, slots=True)
class AnswerStep:
    """An activation, as far as an answer speaks of it."""

    activation_id: Annotated[Id, "Id of the activation."]
    name: Annotated[str, "What people call it."]
    module_key: Annotated[str, "The module, as the executor calls it."]
    activation_seq: Annotated[int, "Which activation of that module."]
    status: Annotated[str, "Where it stands."]
    started_at: Annotated[Timestamp | None, "When it started."]
    waiting_since: Annotated[Timestamp | None, "Since when it waits, if it does."]


@dataclass(frozen=True, slots=True)
class AnswerWait:
    """An activation that waits: what for, as far as that was reported."""

    step: Annotated[AnswerStep, "The activation."]
    reason: Annotated[str | None, "The reason that was reported with the wait."]
    gate_id: Annotated[Id | None, "Id of the open gate that it waits on."] = None
    gate_kind: Annotated[str | None, "What the gate waits for."] = None
    question: Annotated[str | None, "What is asked at the gate."] = None
    deadline_at: Annotated[Timestamp | None, "Until when an answer is expected."] = None


@dataclass(frozen=True, slots=True)
class AnswerOutput:
    """An artifact, as far as an answer speaks of it. Its content stays with its owner."""

    artifact_id: Annotated[Id, "Id of the artifact."]
    display_name: Annotated[str, "What people call it."]
    artifact_kind: Annotated[str | None, "What it is."]
    output_class: Annotated[str | None, "What part it plays in its run."]
    module_key: Annotated[str | None, "The module that made it."]
    activation_seq: Annotated[int | None, "Which activation of that module."]
    port_name: Annotated[str | None, "The port that it came out of."]
    summary: Annotated[str | None, "What it says, if the run's policy lets that be kept."]
    storage_ref: Annotated[str | None, "Where its content is kept."]
    open_url: Annotated[str | None, "Where a delivery of it can be opened."]
    produced_at: Annotated[Timestamp | None, "When it was made."]
    artifact_state: Annotated[str, "Where it stands."]


@dataclass(frozen=True, slots=True)
class InspectorSection:
    """A section of the inspector: how much there is for whoever asks."""

    name: Annotated[str, "Its name."]
    count: Annotated[int, "Entries that were reported and that you may see."]
    available: Annotated[bool, "Whether there is anything to show."]
    reason: Annotated[str | None, "Why there is nothing."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer from what was reported, without a model."""

    question: Annotated[Question, "The question that is answered."]
    sentence: Annotated[str, "The answer in a sentence or two."]
    layers: Annotated[tuple[EvidenceLayer, ...], "The evidence layers that it comes from."]
    missing: Annotated[tuple[MissingFact, ...], "What was not there."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WhereAnswer(Answer):
    """Where a run stands."""

    status: Annotated[str, "Its status."]
    started_at: Annotated[Timestamp | None, "When it started."]
    completed_at: Annotated[Timestamp | None, "When it ended."]
    steps_done: Annotated[int, "Activations that have ended."]
    steps_known: Annotated[int, "Activations that were reported or named so far."]
    running: Annotated[tuple[AnswerStep, ...], "Activations that run now."]
    waiting: Annotated[tuple[AnswerStep, ...], "Activations that wait now."]
    failure_code: Annotated[str | None, "Why it failed."]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningAnswer(Answer):
    """What runs now."""

    steps: Annotated[tuple[AnswerStep, ...], "Activations that run now."]


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingAnswer(Answer):
    """Why a run waits."""

    waits: Annotated[tuple[AnswerWait, ...], "What waits, and what for."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleOutputAnswer(Answer):
    """What a module put out."""

    module_key: Annotated[str, "The module."]
    activation_seq: Annotated[int | None, "The activation that is spoken of."]
    status: Annotated[str, "Where it stands; not_run when it was never reported."]
    output_summary: Annotated[tuple[str, ...], "What came out, a line each."]
    output_bundle_ref: Annotated[str | None, "Where its outputs are kept."]
    outputs: Annotated[tuple[AnswerOutput, ...], "The artifacts that it made."]


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalOutputAnswer(Answer):
    """The final output of a run."""

    outputs: Annotated[tuple[AnswerOutput, ...], "Artifacts that were reported as final output."]


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectorAnswer(Answer):
    """What an inspector of the run would show."""

    run_id: Annotated[Id, "The run to open it on."]
    raw_run_ref: Annotated[str | None, "Where the executor keeps its own record of the run."]
    live: Annotated[bool, "Whether the run goes on, so that there is something to follow."]
    sections: Annotated[tuple[InspectorSection, ...], "The sections, with how much there is."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactsAnswer(Answer):
    """The artifacts of a run."""

    outputs: Annotated[tuple[AnswerOutput, ...], "All of them, in the order in which they were made."]
    truncated: Annotated[bool, "Whether there are more than are listed."]
