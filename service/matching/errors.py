"""Requests that cannot be matched, each with what to do about it."""

from collections.abc import Iterable, Sequence

from service.errors import TaskloreError


class RequestTooLong(TaskloreError):
    code = "text_too_long"

    def __init__(self, limit: int, size: int) -> None:
        super().__init__(
            f"The request has {size:,} characters; at most {limit:,} are matched.",
            field="request",
            remedy="Say in a sentence or two what is to be done; documents belong to the inputs.",
            facts={"limit": limit, "size": size},
        )


class RequestInvalid(TaskloreError):
    code = "invalid_input"

    def __init__(self, position: int, problem: str) -> None:
        super().__init__(
            f"The request holds {problem} at position {position}.",
            field="request",
            remedy="Send the text as well-formed Unicode without control characters.",
            facts={"position": position},
        )


MOST_LISTED = 20


class WordUnknown(TaskloreError):
    code = "matching_word_unknown"

    def __init__(self, field: str, word: str, known: Sequence[str]) -> None:
        more = f" and {len(known) - MOST_LISTED} more" if len(known) > MOST_LISTED else ""
        super().__init__(
            f"{field}: {word!r} is not known here.",
            field=field,
            remedy=f"Use one that is: {', '.join(known[:MOST_LISTED])}{more}.",
            facts={"word": word, "known": list(known[:MOST_LISTED])},
        )


class CapabilityContradicts(TaskloreError):
    code = "need_contradicts"

    def __init__(self, capability: str) -> None:
        super().__init__(
            f"{capability} is said to be available and to be denied.",
            field="denied_capabilities",
            remedy="Name it in one of the two lists.",
            facts={"capability": capability},
        )


class ModelNotCalibrated(TaskloreError):
    code = "matching_model_not_calibrated"

    def __init__(self, model: str, known: Iterable[str]) -> None:
        super().__init__(
            f"Matching has no calibration for the embedding model {model}; it has one for {', '.join(known)}.",
            field="TASKLORE_EMBEDDING_MODEL",
            remedy="Use one of these models, or fit this one: python -m service.matching.evaluation.cli_fit.",
        )


class DatasetInvalid(TaskloreError):
    code = "invalid_input"

    def __init__(self, path: str, line: int, problem: str) -> None:
        super().__init__(
            f"{path}, line {line}: {problem}.",
            field="dataset",
            remedy="A line is a JSON object: split, intent, text; or tool, name, description; or request and fits.",
            facts={"line": line},
        )


class MatchTooLarge(TaskloreError):
    code = "text_too_long"

    def __init__(self, limit: int, size: int) -> None:
        super().__init__(
            f"What was asked has {size:,} characters as JSON; a match is kept of at most {limit:,}.",
            field="request",
            remedy="Name fewer inputs, outputs, capabilities and entities.",
            facts={"limit": limit, "size": size},
        )


class GraphNotEmpty(TaskloreError):
    code = "graph_not_empty"

    def __init__(self, records: int) -> None:
        super().__init__(
            f"The graph holds {records:,} records; matching is judged in an empty one.",
            field="TASKLORE_HOME",
            remedy="Name an empty graph: TASKLORE_HOME=/tmp/evaluation, or a server by TASKLORE_NEO4J_URI.",
            facts={"records": records},
        )
