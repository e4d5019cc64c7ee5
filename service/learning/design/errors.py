"""Why something is refused in a design session."""

from collections.abc import Iterable

from service.errors import TaskloreError


class SessionEnded(TaskloreError):
    code = "design_session_ended"

    def __init__(self, session_id: str, outcome: str) -> None:
        super().__init__(
            f"{session_id} has ended: {outcome}.",
            field="session",
            remedy="Start another session (startDesignSession); the ended one stays to be read.",
        )


class SlotInvalid(TaskloreError):
    code = "invalid_input"

    def __init__(self, field: str, slot: str, problem: str, allowed: Iterable[str] = ()) -> None:
        listed = ", ".join(allowed)
        super().__init__(
            f"{slot}: {problem}.",
            field=field,
            remedy=f"Give one of {listed}." if listed else "Give it as the slot takes it, and send the command again.",
        )


class QuestionUnknown(TaskloreError):
    code = "not_found"

    def __init__(self, question_id: str, field: str) -> None:
        super().__init__(
            f"The session has no question {question_id} that you can see.",
            field=field,
            remedy="designSession lists its questions with their ids.",
        )


class SuggestionUnknown(TaskloreError):
    code = "invalid_input"

    def __init__(self, ref: object) -> None:
        super().__init__(
            f"{ref} was not considered in this session, so it was not suggested.",
            field="suggestions",
            remedy="Name what designSession lists as considered, or tell it with lookedUp first.",
        )


class RepairLimit(TaskloreError):
    code = "design_repair_limit"

    def __init__(self, most: int) -> None:
        super().__init__(
            f"An agent may revise an invalid proposal {most} times, and it has.",
            field="session",
            remedy="Have a person look at what is unresolved (designSession), or end the session.",
        )


class NotPreflighted(TaskloreError):
    """A proposal that was never found valid is not saved."""

    code = "validation.graph_proposal_not_preflighted"

    def __init__(self, problems: Iterable[str]) -> None:
        told = "; ".join(problems)
        super().__init__(
            f"The proposed graph has not passed its checks: {told or 'none was proposed'}.",
            field="session",
            remedy="Propose a graph and a blueprint that pass (updateDesignSession), or have a person save the task.",
        )


class OutcomeDiffers(TaskloreError):
    code = "invalid_input"

    def __init__(self, said: str, found: str) -> None:
        super().__init__(
            f"The saved graph says {found}, not {said}.",
            field="outcome",
            remedy="Leave the outcome out: it is computed from what was proposed and what was saved.",
        )


class NothingProposed(TaskloreError):
    code = "nothing_proposed"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"There is nothing to compare: {what}.",
            field="session",
            remedy="Propose a graph in the session, and save one for the task, first.",
        )
