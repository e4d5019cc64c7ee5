"""What a run that is not to be remembered leaves of its records, field by field."""

from graph_schema.model.fields import OPAQUE_LENGTH, TEXT_LENGTH, Field, Kind
from graph_schema.model.record import RecordType

IN_MEMORY = frozenset({"memory_ref", "document_ingestion_ref", "library_ref"})
"""What the memory, the documents and the libraries call an artifact: known of it once it was promoted."""


def is_free_text(one: Field) -> bool:
    """Whether people or models write sentences there: summaries, notes, questions, messages."""
    length = one.max_length or 0
    return one.kind is Kind.string and length >= (OPAQUE_LENGTH if one.hidden else TEXT_LENGTH)


def incognito_keeps(kind: RecordType) -> frozenset[str]:
    """All that can be counted, timed, looked up and answered for; no sentence, and no name in any memory."""
    return frozenset(name for name, one in kind.fields.items() if not is_free_text(one) and name not in IN_MEMORY)


def ephemeral_keeps(kind: RecordType) -> frozenset[str]:
    """The least that safety asks for: that it was there, how it ended, and its side effects."""
    return frozenset(kind.receipt)
