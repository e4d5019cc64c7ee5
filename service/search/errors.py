"""Requests that cannot be searched for, each with what to do about it."""

from collections.abc import Iterable

from embeddings import EmbeddingError
from service.errors import TaskloreError


class SearchTextTooLong(TaskloreError):
    code = "text_too_long"

    def __init__(self, limit: int, size: int) -> None:
        super().__init__(
            f"The search text has {size:,} characters; at most {limit:,} are searched for.",
            field="text",
            remedy="Search for the sentence or the names that matter most.",
            facts={"limit": limit, "size": size},
        )


class SearchTextInvalid(TaskloreError):
    code = "invalid_input"

    def __init__(self, position: int, problem: str) -> None:
        super().__init__(
            f"The search text holds {problem} at position {position}.",
            field="text",
            remedy="Send the text as well-formed Unicode without control characters.",
            facts={"position": position},
        )


class SearchSizeInvalid(TaskloreError):
    code = "invalid_input"

    def __init__(self, first: int, most: int) -> None:
        super().__init__(
            f"first is {first}; a search gives 1 to {most} hits.",
            field="first",
            remedy=f"Ask for 1 to {most} hits.",
            facts={"limit": most, "size": first},
        )


class SearchKindUnknown(TaskloreError):
    code = "invalid_input"

    def __init__(self, kind: str, known: Iterable[str]) -> None:
        super().__init__(
            f"{kind!r} is no kind of record that can be searched for.",
            field="kinds",
            remedy=f"Use some of {', '.join(known)}, or leave kinds out to search them all.",
        )


class SearchModelUnavailable(TaskloreError):
    """The embedding engine's error, which knows nothing of ours, as one that a user may see."""

    def __init__(self, cause: EmbeddingError) -> None:
        super().__init__(cause.message, field="text", remedy=cause.remedy)
        self.code = cause.code
