"""Why what is asked after a run is refused."""

from collections.abc import Iterable

from service.errors import TaskloreError


class SeqMissing(TaskloreError):
    code = "validation.task_run_fork_requires_activation_seq"

    def __init__(self) -> None:
        super().__init__(
            "A fork goes on from one activation; a module that ran in a loop has several.",
            field="activation_seq",
            remedy="Name the module and its `activation_seq`; the first activation is 1.",
        )


class ReplayNotAuthorised(TaskloreError):
    code = "validation.task_run_fork_side_effect_replay_policy_required"

    def __init__(self, policy: str, kind: str) -> None:
        who = "A person's key asks for this" if kind == "person" else f"The key belongs to an {kind}"
        super().__init__(
            f"{policy} lets a fork act on the outside world again. {who}, but side effects are not authorised by it.",
            field="side_effect_replay_policy",
            remedy="Use block_all_external_side_effects or draft_only; or a person says authoriseSideEffects: true.",
        )


class ForkNotPossible(TaskloreError):
    code = "fork_not_possible"

    def __init__(self, field: str, problem: str, remedy: str) -> None:
        super().__init__(problem, field=field, remedy=remedy)


class StepMissing(TaskloreError):
    code = "not_found"

    def __init__(self, module_key: str, activation_seq: int) -> None:
        super().__init__(
            f"The run has no activation {activation_seq} of the module {module_key!r} that you can see.",
            field="module_key",
            remedy="Read the run's activations for what there is.",
        )


class ContinuationNotAvailable(TaskloreError):
    code = "validation.module_session_continuation_phantom_control"

    def __init__(self, statuses: Iterable[str]) -> None:
        known = ", ".join(sorted(statuses))
        super().__init__(
            "The original session cannot be continued: "
            + (f"its runtime says {known}." if known else "its runtime has reported no session of this activation."),
            field="mode",
            remedy="Start a new session from the module's context, or ask the task agent about the module.",
            facts={"continuation_status": known or "unknown"},
        )


class RunIsFinished(TaskloreError):
    code = "run_is_finished"

    def __init__(self, run: str, status: str) -> None:
        super().__init__(
            f"The run {run} is {status}; a finished run is never changed.",
            field="run",
            remedy="Record a follow-up, or request a fork: both leave the run as it is.",
        )


class InterventionNotSupported(TaskloreError):
    code = "intervention_not_supported"

    def __init__(self, kind: str, supported: Iterable[str]) -> None:
        listed = ", ".join(sorted(supported)) or "none"
        super().__init__(
            f"The runtime has not reported that it takes {kind} from this activation now; it takes: {listed}.",
            field="intervention_kind",
            remedy="Leave a user_note_for_downstream, or wait for the module to end and fork.",
        )


class FollowUpNotLinked(TaskloreError):
    code = "validation.incognito_blocks_requested_memory"

    def __init__(self, mode: str) -> None:
        super().__init__(
            f"The policy of this run ({mode}) lets nothing of it become memory, so nothing is recorded.",
            field="run",
            remedy="Ask without recording it, or run the task again under a policy that allows it.",
        )


class LayerDiffers(TaskloreError):
    code = "evidence_layer_mismatch"

    def __init__(self, field: str, ref: str, layer: str, wanted: str) -> None:
        super().__init__(
            f"{ref} is evidence of the layer {layer}, not {wanted}.",
            field=field,
            remedy="Name it among the references of its own layer.",
        )


class ConsultNotAllowed(TaskloreError):
    """Whether a task fits is not asked of the Task Agent about every request."""

    code = "consult_not_allowed"

    def __init__(self, field: str, level: str | None) -> None:
        found = f"this one is of the level {level}" if level else "no decision says of which level this one is"
        super().__init__(
            f"consult_task_opportunity is for requests of the level medium or above; {found}.",
            field=field,
            remedy="Answer directly. Where the user asked whether a saved task fits, say so "
            "(`user_asked_whether_task_fits`).",
        )
