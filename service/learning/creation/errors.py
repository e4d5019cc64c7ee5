"""Why a task is not made, or not changed, without being seen."""

from service.errors import TaskloreError


class ReceiptRequired(TaskloreError):
    """A task of an agent that nobody would see."""

    code = "validation.task_receipt_required"

    def __init__(self, task: object) -> None:
        super().__init__(
            f"An agent makes and changes no task without a receipt, and {task} has none: no task is hidden.",
            field="task",
            remedy="Make the task with trackTask, which keeps its receipt and the way to the request and the decision; "
            "or give your own draft a receipt with trackTask(task: …).",
        )


class CreationModeNotAllowed(TaskloreError):
    code = "invalid_input"

    def __init__(self, mode: str, problem: str, remedy: str) -> None:
        super().__init__(f"{mode}: {problem}.", field="creation_mode", remedy=remedy)


class TraceIncomplete(TaskloreError):
    """A task of an agent that leads nowhere."""

    code = "validation.task_semantic_trace_required"

    def __init__(self, field: str, what: str) -> None:
        super().__init__(
            f"The task would lead to no {what}: what an agent makes leads to the request and the decision behind it.",
            field=field,
            remedy="Keep the decision with recordTaskMode and name it; say where the request is kept.",
        )
