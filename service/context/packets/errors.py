"""Why there is no packet, each with what to do about it. Nothing is stored when one of these is raised."""

from embeddings.errors import TokenizerUnusable
from service.errors import TaskloreError


class EnvelopeRequired(TaskloreError):
    code = "validation.task_run_scope_envelope_required"

    def __init__(self, run: object) -> None:
        super().__init__(
            f"The run {run} has no scope: nobody said what it is about.",
            field="run",
            remedy="Call openRunScope for the run first.",
        )


class ModuleNotOfRun(TaskloreError):
    code = "not_found"

    def __init__(self, module_key: str, run: object) -> None:
        super().__init__(
            f"No module {module_key!r} is known in the run {run}.",
            field="module_key",
            remedy="Report the activation first, or save the graph that the run's task has.",
        )


class RunOver(TaskloreError):
    code = "run_is_finished"

    def __init__(self, run: object, status: str) -> None:
        super().__init__(
            f"The run {run} is {status}; its modules are given nothing more.",
            field="run",
            remedy="Fork the run, and ask for the packet of the fork's activation.",
            facts={"status": status},
        )


class PolicySnapshotMissing(TaskloreError):
    code = "validation.task_module_context_policy_snapshot_missing"

    def __init__(self, run: object) -> None:
        super().__init__(
            f"The scope of the run {run} does not say which policies held.",
            field="run",
            remedy="Open the run's scope with openRunScope, which keeps the policies that hold.",
        )


class DeniedCapability(TaskloreError):
    code = "validation.task_module_context_profile_overrides_denied_capability"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The capability “{name}” is asked for, but it is denied to this module.",
            field="capabilities",
            remedy="Leave it out, or have the policy changed that denies it.",
        )


class VisibilityViolation(TaskloreError):
    code = "validation.task_module_context_source_visibility_violation"

    def __init__(self, name: str, data_class: str, ceiling: str) -> None:
        super().__init__(
            f"Text of “{name}” was given, which is {data_class}; this run's modules see nothing above {ceiling}.",
            field="documents",
            remedy="Leave the text out, or open the run's scope with a higher `visibility_ceiling`.",
        )


class BudgetTooSmall(TaskloreError):
    code = "context_budget_too_small"

    def __init__(self, max_tokens: int, needed: int, hard: int) -> None:
        super().__init__(
            f"The {hard} hard rules of this module take {needed:,} tokens; {max_tokens:,} are allowed.",
            field="max_tokens",
            remedy=f"Ask for at least {needed:,} tokens. Hard rules are never left out.",
            facts={"limit": max_tokens, "size": needed},
        )


class TargetTokenizerUnusable(TaskloreError):
    """The tokenizer's error, which knows nothing of ours, as one that a user may see."""

    def __init__(self, cause: TokenizerUnusable) -> None:
        super().__init__(cause.message, field="target_model", remedy=cause.remedy)
        self.code = cause.code


class PacketDiffers(TaskloreError):
    code = "command_id_reused"

    def __init__(self, packet_id: str) -> None:
        super().__init__(
            f"This activation already has the packet {packet_id}, which was made for other inputs.",
            field="activation_seq",
            remedy="Ask with the same inputs to get it again, or ask for another `activation_seq`.",
            facts={"packet": packet_id},
        )
