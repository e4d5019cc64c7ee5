"""Every text in an answer that a user or a model can read, and the words that none of them may have.

Codes, ids, what people have called their own records and what the user has said are not ours to word.
"""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

BANNED = re.compile(
    r"\bDOC ?\d+|\bEC\b|OpenClaw|\bTKP\b|\bBDSM\b|\bElnor\b|\buse (?:the )?Task Agent|transferring you"
    r"|Workflow Designer|Prompt Agent",
    re.IGNORECASE,
)
_CODES = (
    "id record_id decision_id packet_ref user_request_ref opportunity_packet_ref name detail words code kind operation "
    "operations arguments schema_version created_at context_class tokenizer model version resolved_intent_summary"
)
_NOT_OURS = frozenset(_CODES.split())


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if not isinstance(value, Enum):
            yield value
    elif is_dataclass(value) and not isinstance(value, type):
        for one in fields(value):
            if one.name not in _NOT_OURS:
                yield from texts(getattr(value, one.name))
    elif isinstance(value, dict):
        for one in value.values():  # pyright: ignore[reportUnknownVariableType]
            yield from texts(one)
    elif isinstance(value, list | tuple | set | frozenset):
        for one in value:  # pyright: ignore[reportUnknownVariableType]
            yield from texts(one)


def banned(value: Any) -> list[tuple[str, str]]:
    """The words that may not be said, each with the text that says it."""
    return [(found[0], text) for text in texts(value) for found in BANNED.finditer(text)]
