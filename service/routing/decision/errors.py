"""Decisions that cannot be kept."""

from service.errors import TaskloreError


class DecisionTooLarge(TaskloreError):
    code = "text_too_long"

    def __init__(self, part: str, limit: int, size: int) -> None:
        super().__init__(
            f"The {part} of the decision have {size:,} characters as JSON; at most {limit:,} are kept.",
            field="request",
            remedy="Name fewer attachments, entities and capabilities.",
            facts={"limit": limit, "size": size},
        )
