"""Why something is not kept, or not allowed, about requests and the Task Agent."""

from service.errors import TaskloreError


class DecisionNeeded(TaskloreError):
    code = "invalid_input"

    def __init__(self, field: str) -> None:
        super().__init__(
            f"Without a kept decision, {field} has to be told.",
            field=field,
            remedy="Name the decision that was kept by recordTaskMode, or tell what it says.",
        )


class DecisionDiffers(TaskloreError):
    code = "invalid_input"

    def __init__(self, field: str, said: object, kept: object) -> None:
        super().__init__(
            f"The kept decision has {kept} as its {field}, not {said}.",
            field=field,
            remedy=f"Leave {field} out, or name the decision that it belongs to.",
        )


class PrivateRun(TaskloreError):
    code = "validation.incognito_blocks_requested_memory"

    def __init__(self) -> None:
        super().__init__(
            "The run is private: it leaves run truth only, and what is told of requests is memory.",
            field="resulting_run",
            remedy="Record it without the run, or not at all.",
        )


class ResponseSettled(TaskloreError):
    code = "invalid_input"

    def __init__(self, known: str) -> None:
        super().__init__(
            f"The trace has a response already: {known}.",
            field="user_response",
            remedy="Give what the user said since as feedback (recordSuggestionFeedback).",
        )


class NothingToLift(TaskloreError):
    code = "not_found"

    def __init__(self, context_class: str) -> None:
        super().__init__(
            f"Nothing was counted for the class of context {context_class!r} that you can see.",
            field="context_class",
            remedy="routingState shows what holds for a class; suggestionTallies lists all.",
        )


class AutoRunNotVouched(TaskloreError):
    code = "invalid_input"

    def __init__(self, authority: str) -> None:
        super().__init__(
            f"A directive that stands on {authority} runs nothing by itself.",
            field="confirmation_policy",
            remedy="Use confirm_before_run or never_auto_run; or have a person vouch for it (user_taught or "
            "user_confirmed).",
        )


class ProfileContradicts(TaskloreError):
    """Two settings of the Task Agent that cannot both hold."""

    code = "invalid_input"

    def __init__(self, field: str, problem: str, remedy: str) -> None:
        super().__init__(f"{field}: {problem}.", field=field, remedy=remedy)
