"""Why a scope is not opened."""

from service.errors import TaskloreError


class RunNotReported(TaskloreError):
    code = "run_unknown"

    def __init__(self, run: object) -> None:
        super().__init__(
            f"Nothing that you can see is known of the run {run}.",
            field="run",
            remedy="Report its start first, with its policy: that says how it is remembered and who may see it.",
        )


class RunHasEnded(TaskloreError):
    code = "run_is_finished"

    def __init__(self, run: str, status: str) -> None:
        super().__init__(
            f"The run {run} is {status}; its scope is settled when it starts.",
            field="run",
            remedy="Open the scope of a run before its first module needs it.",
        )


class ScopeReused(TaskloreError):
    code = "run_scope_reused"

    def __init__(self, run: str) -> None:
        super().__init__(
            f"The scope of the run {run} was opened before with other content.",
            field="run",
            remedy="A run has one scope. Ask again with the same content, or start another run.",
        )


class SurfaceUnjustified(TaskloreError):
    code = "validation.task_module_context_surface_context_unjustified"

    def __init__(self, field: str, problem: str, remedy: str) -> None:
        super().__init__(problem, field=field, remedy=remedy)


class TriggerScopeMissing(TaskloreError):
    code = "validation.task_module_context_trigger_scope_missing"

    def __init__(self, field: str, surface: str, missing: str) -> None:
        super().__init__(
            f"A run that is launched by {surface} takes its scope from its trigger, and {missing}.",
            field=field,
            remedy="Give the evidence of the trigger, or name the surface that the run was really launched from.",
        )


class TriggerNoEvent(TaskloreError):
    """A run that somebody began: there is no event whose evidence could be given."""

    code = "trigger_no_event"

    def __init__(self, kind: str) -> None:
        super().__init__(
            f"A run that is begun by {kind} has no event that set it going.",
            field="trigger.kind",
            remedy="Leave `trigger` out and say the `launch_surface`: chat, task_ui, task_canvas or run_inspector. The "
            "run itself says what began it (`trigger_kind` of its run_started).",
        )
