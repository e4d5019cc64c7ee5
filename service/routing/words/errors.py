"""Requests that cannot be read, and words that are none."""

from service.errors import SettingsInvalid, TaskloreError


class RequestTooLong(TaskloreError):
    code = "text_too_long"

    def __init__(self, limit: int, size: int) -> None:
        super().__init__(
            f"The request has {size:,} characters; a decision is made of at most {limit:,}.",
            field="request.text",
            remedy="Send what the user wrote, and name pasted documents among the attachments.",
            facts={"limit": limit, "size": size},
        )


class RequestInvalid(TaskloreError):
    code = "invalid_input"

    def __init__(self, position: int, problem: str) -> None:
        super().__init__(
            f"The request holds {problem} at position {position}.",
            field="request.text",
            remedy="Send the text as well-formed Unicode without control characters.",
            facts={"position": position},
        )


class WordsInvalid(SettingsInvalid):
    """The operator's words are read at the start, and refused there."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__("TASKLORE_ROUTING_WORDS", f"{path}: {problem}")
