"""Why something is not kept, proposed, approved or applied."""

from collections.abc import Sequence

from service.errors import TaskloreError


class TooManySignals(TaskloreError):
    code = "too_many_signals"

    def __init__(self, found: int, most: int) -> None:
        super().__init__(
            f"A report has at most {most:,} signals; this one has {found:,}.",
            field="signals",
            remedy=f"Send them in parts of {most:,}. What was sent before is known by its signal id, and counts once.",
        )


class PayloadInvalid(TaskloreError):
    code = "invalid_payload"

    def __init__(self, type_: str, field: str, problem: str) -> None:
        super().__init__(
            f"The payload is not that of {type_}: {field}: {problem}.",
            field=field,
            remedy="docs/learning.md shows the payload of each type of signal, field by field.",
        )


class PayloadMissing(TaskloreError):
    code = "invalid_payload"

    def __init__(self, type_: str) -> None:
        super().__init__(
            f"A signal of the type {type_} says what was seen: in a payload, or where its owner keeps it.",
            field="payload",
            remedy="Give the payload of the type, or a payload_ref.",
        )


class SignalReused(TaskloreError):
    code = "signal_reused"

    def __init__(self, signal_id: str) -> None:
        super().__init__(
            f"The signal {signal_id} was reported before, with other content.",
            field="signal_id",
            remedy="A signal is never changed: report what was seen since under an id of its own.",
        )


class SignalRunPrivate(TaskloreError):
    code = "validation.incognito_blocks_requested_memory"

    def __init__(self) -> None:
        super().__init__(
            "The run is private: nothing is learned from it, and its signals are not kept.",
            field="run",
            remedy="Do not report signals of runs in the modes memory_incognito and full_ephemeral_test.",
        )


class TargetUnfit(TaskloreError):
    code = "proposal_target_unfit"

    def __init__(self, kind: str, label: str, fit: tuple[str, ...]) -> None:
        super().__init__(
            f"A {kind} changes {' or '.join(fit)}, and no {label}.",
            field="target",
            remedy="Name a record of that kind, or propose another kind of change.",
        )


class StepInvalid(TaskloreError):
    code = "invalid_step"

    def __init__(self, number: int, problem: str, remedy: str) -> None:
        super().__init__(f"Step {number}: {problem}.", field=f"steps.{number - 1}", remedy=remedy)


class ChangesNothing(TaskloreError):
    code = "proposal_changes_nothing"

    def __init__(self) -> None:
        super().__init__(
            "The record already is as the steps would make it.",
            field="steps",
            remedy="Look at the record as it is now; propose what would be different.",
        )


class ProposedAlready(TaskloreError):
    code = "proposal_exists"

    def __init__(self, proposal_id: str, state: str) -> None:
        super().__init__(
            f"The same change is proposed already: {proposal_id}, which is {state}.",
            field="steps",
            remedy="Decide about that one (reviewQueue), or report what speaks for it as signals.",
            facts={"proposal_id": proposal_id},
        )


class RejectedBefore(TaskloreError):
    code = "proposal_rejected_before"

    def __init__(self, proposal_id: str) -> None:
        super().__init__(
            f"The same change was rejected ({proposal_id}), and there is no evidence that was not known then.",
            field="supported_by",
            remedy="Name evidence that has come since.",
            facts={"proposal_id": proposal_id},
        )


class NotWanted(TaskloreError):
    code = "proposal_not_wanted"

    def __init__(self, proposal_id: str, kind: str) -> None:
        super().__init__(
            f"No {kind} is wanted for this record any more: that was said of {proposal_id}.",
            field="proposal_kind",
            remedy="A person can still change the record with a save of their own.",
            facts={"proposal_id": proposal_id},
        )


class ProposalSettled(TaskloreError):
    code = "proposal_settled"

    def __init__(self, state: str, wanted: str) -> None:
        super().__init__(
            f"The proposal is {state}; only one that is {wanted} can be.",
            field="proposal_id",
            remedy="proposals lists them by state.",
        )


class NotReplayed(TaskloreError):
    code = "proposal_not_replayed"

    def __init__(self) -> None:
        super().__init__(
            "It was not replayed as it is now, so nobody knows what it would have done.",
            field="proposal_id",
            remedy="replayProposal runs it over the recorded past; then decide.",
        )


class OwnProposal(TaskloreError):
    code = "proposal_is_your_own"

    def __init__(self) -> None:
        super().__init__(
            "A change of high risk is approved by somebody other than whoever proposed it.",
            field="decision",
            remedy="Have another curator decide.",
        )


class RegressionsOpen(TaskloreError):
    code = "replay_not_acknowledged"

    def __init__(self, replay_id: str, regressed: int) -> None:
        super().__init__(
            f"The replay shows {regressed:,} that would get worse, and nobody has acknowledged them.",
            field="acknowledged_replay_id",
            remedy=f"Look at the cases of {replay_id}, and name it in acknowledgedReplayId if they are to be accepted.",
            facts={"replay_id": replay_id, "regressed": regressed},
        )


class CasesMissing(TaskloreError):
    code = "replay_incomplete"

    def __init__(self, replay_id: str, missing: int) -> None:
        super().__init__(
            f"The past was not replayed in full: of {missing:,} of its cases nothing can be told. "
            "A change of high risk waits.",
            field="proposal_id",
            remedy=f"The cases of {replay_id} say why. Have somebody replay it who may see what is missing.",
            facts={"replay_id": replay_id, "missing": missing},
        )


class EvaluationMissing(TaskloreError):
    code = "evaluation_required"

    def __init__(self) -> None:
        super().__init__(
            "It asks for the results of an evaluation, and there are none.",
            field="eval_result_ref",
            remedy="Say where the results are kept (evalResultRef), or reject it.",
        )


class ProposalStale(TaskloreError):
    code = "proposal_stale"

    def __init__(self, target_id: str) -> None:
        super().__init__(
            f"{target_id} has changed since this was proposed, so what was replayed and approved is not what would be.",
            field="proposal_id",
            remedy="Propose the change anew for the record as it is now.",
            facts={"target_id": target_id},
        )


class RollbackStale(TaskloreError):
    code = "rollback_stale"

    def __init__(self, target_id: str) -> None:
        super().__init__(
            f"{target_id} has changed since the proposal was applied: going back would undo more than that.",
            field="proposal_id",
            remedy="Change it with a save of your own; its history has every former state.",
            facts={"target_id": target_id},
        )


class ChangeNotApproved(TaskloreError):
    """The refusal to apply what nobody has approved, by what it would change."""

    code = "approval_required"

    def __init__(self, state: str) -> None:
        super().__init__(
            f"The proposal is {state}: nobody has approved it.",
            field="proposal_id",
            remedy="Have it replayed and approved (replayProposal, reviewProposal).",
        )


class TemplateChangeNotApproved(ChangeNotApproved):
    code = "validation.template_update_requires_approval"


class PresetChangeNotApproved(ChangeNotApproved):
    code = "validation.preset_update_requires_approval"


def not_approved(label: str, state: str) -> ChangeNotApproved:
    kinds = {"Template": TemplateChangeNotApproved, "Preset": PresetChangeNotApproved}
    return kinds.get(label, ChangeNotApproved)(state)


class FixUnknown(TaskloreError):
    code = "fix_unknown"

    def __init__(self, title: str, known: Sequence[str]) -> None:
        super().__init__(
            f"The preflight has no fix {title!r}.",
            field="fix",
            remedy=f"It has {', '.join(known)}." if known else "It found nothing that it knows a fix for.",
        )


class FixNotProposable(TaskloreError):
    code = "fix_not_proposable"

    def __init__(self, title: str, problem: str) -> None:
        super().__init__(
            f"{title!r} cannot be proposed: {problem}.",
            field="fix",
            remedy="A person makes the change: of a blueprint by saveBlueprint, of a policy by savePolicy.",
        )


class EvaluationNotPassed(TaskloreError):
    code = "evaluation_not_passed"

    def __init__(self, result: str | None, problem: str) -> None:
        super().__init__(
            f"What an agent is held to changes after a run of the evaluation suite that passes: {problem}.",
            field="eval_result_ref",
            remedy="Have the agent try the change, submit the run (submitEvalRun), and name it in eval_result_ref.",
            facts={"eval_result_ref": result} if result else None,
        )


class PromptNotTested(TaskloreError):
    code = "prompt_not_tested"

    def __init__(self, result: str | None) -> None:
        super().__init__(
            "A prompt is replaced only by the candidate that won a test of it, on data that is named.",
            field="eval_result_ref",
            remedy="Test it (startPromptEvaluation, completePromptEvaluation), and propose the winner (proposePrompt).",
            facts={"eval_result_ref": result} if result else None,
        )


class PromptTextNotKept(TaskloreError):
    code = "prompt_text_not_kept"

    def __init__(self) -> None:
        super().__init__(
            "The text of this prompt may not be kept, nor what would replace it.",
            field="steps",
            remedy="Change its hash and its reference; proposePrompt does.",
        )


class ArchitectRequired(TaskloreError):
    code = "architect_review_required"

    def __init__(self, because: str) -> None:
        super().__init__(
            f"It takes an administrator's approval: {because}",
            field="decision",
            remedy="Ask somebody whose key has the scope admin to decide.",
        )


class FindingUnsupported(TaskloreError):
    code = "finding_without_evidence"

    def __init__(self, statement: str) -> None:
        super().__init__(
            f"Nothing shows this finding: {statement[:200]}",
            field="evidence",
            remedy="A finding names the records that show it.",
        )


class ActionUnreadable(TaskloreError):
    code = "action_unreadable"

    def __init__(self, action_id: str) -> None:
        super().__init__(
            f"The change that {action_id} recommends was kept in words that are no longer known.",
            field="action",
            remedy="Have it assessed again, or propose the change yourself (proposeChange).",
        )


class NothingToAssess(TaskloreError):
    code = "validation.task_assessment_input_trace_missing"

    def __init__(self, run_id: str) -> None:
        super().__init__(
            f"Nothing is known of what {run_id} did: neither steps nor operations, as far as you can see.",
            field="run",
            remedy="Report its events (reportRunEvents, or traces), then have it assessed.",
        )


class RunNotRemembered(TaskloreError):
    code = "validation.incognito_blocks_requested_memory"

    def __init__(self, mode: str) -> None:
        super().__init__(
            f"The run is {mode}: nothing is learned from it, and no assessment of it is kept.",
            field="run",
            remedy="Assess runs that are remembered; its own views tell what is known of this one.",
        )


class PortfolioEmpty(TaskloreError):
    code = "portfolio_empty"

    def __init__(self, scope: str) -> None:
        super().__init__(
            f"There is nothing in {scope} that you can see.",
            field="scope",
            remedy="Name another scope, or report runs and save tasks first.",
        )


class SelectionMissing(TaskloreError):
    code = "selection_missing"

    def __init__(self, scope: str) -> None:
        super().__init__(
            "Tasks are named for selected_tasks, and for no other scope.",
            field="tasks",
            remedy=f"Name tasks, or leave them out ({scope} was asked for).",
        )


class MomentAhead(TaskloreError):
    code = "moment_ahead"

    def __init__(self, moment: str) -> None:
        super().__init__(
            f"{moment} is still to come: nothing can be told as of then.",
            field="at",
            remedy="Name a moment that has passed, or none for now.",
        )


class DatasetFrozen(TaskloreError):
    code = "dataset_frozen"

    def __init__(self, dataset_id: str, frozen_at: str) -> None:
        super().__init__(
            f"{dataset_id} was frozen at {frozen_at}: nothing of it changes any more.",
            field="dataset",
            remedy="Make another dataset (createEvalDataset) with the cases that are to be in it.",
            facts={"dataset_id": dataset_id, "frozen_at": frozen_at},
        )


class DatasetNotFrozen(TaskloreError):
    code = "dataset_not_frozen"

    def __init__(self, dataset_id: str, field: str = "dataset") -> None:
        super().__init__(
            f"{dataset_id} is not frozen, so what it is tried on could still change.",
            field=field,
            remedy="Freeze it first (freezeEvalDataset).",
        )


class DatasetEmpty(TaskloreError):
    code = "dataset_empty"

    def __init__(self) -> None:
        super().__init__(
            "The dataset has no cases, so there is nothing to freeze.",
            field="examples",
            remedy="Add cases (addEvalExamples).",
        )


class SourceByHand(TaskloreError):
    code = "source_by_hand"

    def __init__(self, source: str) -> None:
        super().__init__(
            f"Cases of the source {source} are somebody's own: there is nothing to draw them from.",
            field="dataset_source",
            remedy="Write the cases (createEvalDataset), or name a source that was recorded.",
        )


class NothingToDraw(TaskloreError):
    code = "nothing_to_draw"

    def __init__(self, source: str) -> None:
        super().__init__(
            f"Nothing of the source {source} that you can see was recorded there, so there is no case to draw.",
            field="dataset_source",
            remedy="Name another task, template, module or time, or another source.",
        )


class ExampleReused(TaskloreError):
    code = "example_reused"

    def __init__(self, key: str) -> None:
        super().__init__(
            f"The case {key} is in the dataset already, with other content.",
            field="examples.example_key",
            remedy="Give the new case a key of its own.",
        )


class ExampleUnknown(TaskloreError):
    code = "example_unknown"

    def __init__(self, key: str, dataset: str) -> None:
        super().__init__(
            f"{dataset} has no case {key}.",
            field="scores.example_key",
            remedy="hasExample of the dataset lists its cases.",
            facts={"example_key": key},
        )


class TooManyExamples(TaskloreError):
    code = "too_many_examples"

    def __init__(self, count: int, limit: int) -> None:
        super().__init__(
            f"A dataset has at most {limit:,} cases; these would be {count:,}.",
            field="examples",
            remedy="Make several datasets.",
            facts={"limit": limit},
        )
