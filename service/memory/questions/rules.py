"""The seven questions, as pure functions over the facts of a run that the asker may see."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

from graph_schema.memory.words import GateStatus, MemoryMode, OutputClass, StepStatus
from graph_schema.model.fields import EvidenceLayer
from graph_schema.registry import REGISTRY
from service.commands import check_activation
from service.memory.questions.answers import (
    AnswerOutput,
    AnswerStep,
    AnswerWait,
    ArtifactsAnswer,
    FinalOutputAnswer,
    InspectorAnswer,
    InspectorSection,
    MissingFact,
    ModuleOutputAnswer,
    Question,
    RunningAnswer,
    WaitingAnswer,
    WhereAnswer,
)
from service.memory.reporting.fold import ENDED
from service.memory.views.facts import Activation, Artifact, RunFacts
from service.memory.views.index import RunIndex
from service.memory.views.status import decided_gate

_DONE = frozenset({StepStatus.success, StepStatus.skipped, StepStatus.cancelled, StepStatus.error})
_TOLD = 3
"""So many names are told in a sentence; of more, their number."""

NO_QUICK_ACCESS = "validation.module_run_quick_access_missing"
NOT_RUN = "not_run"


@dataclass(frozen=True, slots=True)
class RunQuestions:
    """The questions about a run that are answered without a model."""

    facts: RunFacts

    @property
    def _index(self) -> RunIndex:
        """What people call the run and its steps, as everywhere else."""
        return RunIndex(self.facts, "")

    @property
    def where(self) -> Annotated[WhereAnswer, "Where is this run?"]:
        run, steps = self.facts.run, self.facts.activations
        running, waiting = self._in(StepStatus.running), self._in(StepStatus.waiting)
        done = sum(one.status in _DONE for one in steps)
        parts = [f"{self._index.title} is {run.status}", f"{done} of the {len(steps)} steps reported so far have ended"]
        parts += [f"running: {self._steps(running)}"] if running else []
        parts += [f"waiting: {self._steps(waiting)}"] if waiting else []
        parts += [f"it failed with {run.failure_code}"] if run.failure_code else []
        return WhereAnswer(
            question=Question.where_is_this_run,
            sentence="; ".join(parts) + ".",
            layers=layers_of("Run", *(["Activation"] if steps else [])),
            missing=(*self._missing(), *self._missing_steps()),
            status=run.status,
            started_at=run.started_at,
            completed_at=run.completed_at,
            steps_done=done,
            steps_known=len(steps),
            running=self._lines(running),
            waiting=self._lines(waiting),
            failure_code=run.failure_code,
        )

    @property
    def running_now(self) -> Annotated[RunningAnswer, "What module is running now?"]:
        running, run = self._in(StepStatus.running), self.facts.run
        if running:
            sentence = f"Running now: {self._steps(running)}."
        elif run.status in ENDED:
            sentence = f"Nothing is running: the run is {run.status}."
        else:
            sentence = f"No module is reported as running; the run is {run.status}."
        return RunningAnswer(
            question=Question.what_module_is_running_now,
            sentence=sentence,
            layers=layers_of("Run", "Activation"),
            missing=(*self._missing(), *self._missing_steps()),
            steps=self._lines(running),
        )

    @property
    def why_waiting(self) -> Annotated[WaitingAnswer, "Why is it waiting?"]:
        waits = tuple(self._wait(one) for one in self._in(StepStatus.waiting))
        silent = [one for one in waits if one.reason is None and one.gate_id is None]
        missing = [
            MissingFact("wait_reason_not_reported", f"{one.step.name} waits; nobody said for what.") for one in silent
        ]
        return WaitingAnswer(
            question=Question.why_is_it_waiting,
            sentence=" ".join(_told(one) for one in waits[:_TOLD]) or "Nothing in this run waits.",
            layers=layers_of("Run", "Activation", *(["Gate"] if any(one.gate_id for one in waits) else [])),
            missing=(*self._missing(), *missing),
            waits=waits,
        )

    def module_output(
        self,
        module_key: Annotated[str, "The module, as the executor calls it."],
        activation_seq: Annotated[int | None, "Which activation of the module; without it, the last."] = None,
    ) -> Annotated[ModuleOutputAnswer, "What did module X output?"]:
        check_activation(activation_seq)
        steps = [one for one in self.facts.activations if one.module_key == module_key]
        wanted = [one for one in steps if activation_seq in (None, one.activation_seq)]
        step = max(wanted, key=lambda one: one.activation_seq, default=None)
        made = [one for one in self.facts.artifacts if step and one.activation_id == step.id]
        name = self._index.label(step) if step else module_key
        if step is None:
            sentence = f"No such activation of {module_key} was reported."
        elif made:
            sentence = f"{name} is {step.status} and put out {_listed(made)}."
        else:
            sentence = f"{name} is {step.status}; no output of it that you can see was reported."
        return ModuleOutputAnswer(
            question=Question.what_did_module_output,
            sentence=sentence,
            layers=layers_of("Activation", *(["Artifact"] if made else [])),
            missing=(*self._missing(), *_missing_output(step, made), *_missing_refs(made)),
            module_key=module_key,
            activation_seq=step.activation_seq if step else activation_seq,
            status=step.status if step else NOT_RUN,
            output_summary=tuple(step.output_summary) if step else (),
            output_bundle_ref=step.output_bundle_ref if step else None,
            outputs=self._outputs(made),
        )

    @property
    def final_output(self) -> Annotated[FinalOutputAnswer, "Retrieve the final output."]:
        final = [one for one in self.facts.artifacts if one.output_class == OutputClass.final_output]
        run, missing = self.facts.run, list(self._missing())
        if final:
            sentence = f"The final output is {_listed(final)}."
        elif run.status in ENDED:
            sentence = f"The run is {run.status}; none of its artifacts was reported as its final output."
            missing.append(MissingFact("final_output_not_reported", "No artifact has the output class final_output."))
        else:
            sentence = f"There is no final output yet: the run is {run.status}."
        return FinalOutputAnswer(
            question=Question.retrieve_final_output,
            sentence=sentence,
            layers=self._layers_of_artifacts(final),
            missing=(*missing, *_missing_refs(final)),
            outputs=self._outputs(final),
        )

    @property
    def inspector(self) -> Annotated[InspectorAnswer, "Open the run inspector."]:
        run, sections = self.facts.run, tuple(self._sections())
        there = [one.name for one in sections if one.available]
        live = run.status not in ENDED
        told = f"{len(there)} of {len(sections)} sections of the inspector have something to show: {', '.join(there)}."
        return InspectorAnswer(
            question=Question.open_run_inspector,
            sentence=told if there else "Nothing was reported that the inspector could show beside the run itself.",
            layers=layers_of("Run"),
            missing=self._missing(),
            run_id=run.id,
            raw_run_ref=run.raw_run_ref,
            live=live,
            sections=sections,
        )

    @property
    def artifacts(self) -> Annotated[ArtifactsAnswer, "List the artifacts of the run."]:
        made = self.facts.artifacts
        count = f"at least {len(made)}" if "artifacts" in self.facts.cut else str(len(made))
        return ArtifactsAnswer(
            question=Question.list_artifacts_from_run,
            sentence=f"{count} artifacts of this run were reported that you can see."
            if made
            else "No artifact of it that you can see was reported.",
            layers=self._layers_of_artifacts(made),
            missing=(*self._missing(), *_missing_refs(made)),
            outputs=self._outputs(made),
            truncated="artifacts" in self.facts.cut,
        )

    def _in(self, status: StepStatus) -> list[Activation]:
        found = [one for one in self.facts.activations if one.status == status]
        return sorted(found, key=lambda one: (one.started_at or "~", one.module_key, one.activation_seq))

    def _wait(self, step: Activation) -> AnswerWait:
        gates = [one for one in self.facts.gates if step.id in one.activation_ids and one.status == GateStatus.open]
        gate = min(gates, key=lambda one: (one.opened_at or "~", one.gate_key), default=None)
        index = self._index
        line, decided = _line(step, index.label(step)), decided_gate(index, step)
        if decided is not None:
            reason = f"Its gate was {decided.status.replace('_', ' ')}; it has not been reported to go on."
            return AnswerWait(line, reason)
        if gate is None:
            return AnswerWait(line, step.waiting_reason)
        return AnswerWait(line, step.waiting_reason, gate.id, gate.gate_kind, gate.question, gate.deadline_at)

    def _outputs(self, made: Iterable[Artifact]) -> tuple[AnswerOutput, ...]:
        urls = {one.artifact_id: one.open_url for one in self.facts.deliveries if one.artifact_id and one.open_url}
        ordered = sorted(made, key=lambda one: (one.produced_at or "~", one.name, one.id))
        return tuple(_output(one, urls.get(one.id)) for one in ordered)

    def _layers_of_artifacts(self, made: Sequence[Artifact]) -> tuple[EvidenceLayer, ...]:
        kept = any(one.became for one in made)
        return layers_of("Run", *(["Artifact"] if made else []), *(["WorkProduct"] if kept else []))

    def _sections(self) -> Iterable[InspectorSection]:
        facts = self.facts
        counted = {
            "run_flow_steps": len(facts.activations),
            "artifacts_deliveries": len(facts.artifacts) + len(facts.deliveries),
            "context_audit": len(facts.snapshots),
            "gates": len(facts.gates),
            "sessions": len(facts.sessions),
            "interventions": len(facts.interventions),
            "checkpoints": len(facts.checkpoints),
        }
        for name, count in counted.items():
            yield InspectorSection(name, count, count > 0, None if count else "nothing_reported")

    def _steps(self, steps: Iterable[Activation]) -> str:
        index = self._index
        return _some([index.label(one) for one in steps])

    def _lines(self, steps: Iterable[Activation]) -> tuple[AnswerStep, ...]:
        index = self._index
        return tuple(_line(one, index.label(one)) for one in steps)

    def _missing(self) -> tuple[MissingFact, ...]:
        run, found = self.facts.run, list[MissingFact]()
        if run.memory_mode == MemoryMode.full_ephemeral_test:
            found.append(
                MissingFact("mode_keeps_receipts_only", "This run keeps its status, its times and its receipts.")
            )
        elif run.started_at is None:
            found.append(MissingFact("run_start_not_reported", "The start of the run was not reported."))
        found += [
            MissingFact("list_cut", f"There are more {name} than were looked at.") for name in sorted(self.facts.cut)
        ]
        return tuple(found)

    def _missing_steps(self) -> tuple[MissingFact, ...]:
        if self.facts.run.memory_mode == MemoryMode.full_ephemeral_test:
            return ()
        if not self.facts.activations:
            return (MissingFact("no_steps_reported", "No module activation of this run was reported."),)
        named = sorted((one for one in self.facts.activations if one.stub), key=lambda one: one.name)
        told = f"Only named by others, and not reported themselves: {self._steps(named)}."
        return (MissingFact("step_not_reported", told),) if named else ()


def layers_of(*labels: str) -> tuple[EvidenceLayer, ...]:
    """The layers of evidence that records of these labels are of, as the registry says."""
    found = {REGISTRY.types[label].layer for label in labels}
    return tuple(layer for layer in EvidenceLayer if layer in found)


def _missing_output(step: Activation | None, made: Sequence[Artifact]) -> list[MissingFact]:
    if step is None:
        return [MissingFact(NO_QUICK_ACCESS, "No activation of the module was reported.")]
    if step.status == StepStatus.success and not made and not step.output_summary:
        return [
            MissingFact(
                "warning.module_output_link_missing", "It succeeded, and no output of it that you can see was reported."
            )
        ]
    return []


def _missing_refs(made: Iterable[Artifact]) -> list[MissingFact]:
    lost = [one.name for one in made if one.storage_ref is None and one.memory_ref is None]
    return [
        MissingFact("warning.module_output_link_missing", f"{name} has no reference to its content.") for name in lost
    ]


def _listed(found: Sequence[Artifact]) -> str:
    return _some([one.name for one in found])


def _some(names: Sequence[str]) -> str:
    more = len(names) - _TOLD
    return ", ".join(names[:_TOLD]) + (f" and {more} more" if more > 0 else "")


def _line(step: Activation, name: str) -> AnswerStep:
    return AnswerStep(
        step.id,
        name,
        step.module_key,
        step.activation_seq,
        step.status,
        step.started_at,
        step.waiting_since if step.status == StepStatus.waiting else None,
    )


def _output(one: Artifact, open_url: str | None) -> AnswerOutput:
    return AnswerOutput(
        one.id,
        one.name,
        one.artifact_kind,
        one.output_class,
        one.module_key,
        one.activation_seq,
        one.port_name,
        one.summary,
        one.storage_ref,
        open_url,
        one.produced_at,
        one.artifact_state,
    )


def _told(wait: AnswerWait) -> str:
    what = wait.reason or wait.question
    gate = f" at a gate ({wait.gate_kind})" if wait.gate_kind else ""
    since = f" since {wait.step.waiting_since}" if wait.step.waiting_since else ""
    return f"{wait.step.name} waits{gate}{since}" + (f": {what}" if what else "; nobody said for what.")
