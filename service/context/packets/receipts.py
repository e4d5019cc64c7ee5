"""What a module is given and what was kept from it, one receipt each: as they are answered, and as they are stored.

They are not frozen, though nothing changes them: a packet has thousands, and frozen ones take four times as long to
make.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from graph_schema.context.words import CandidateKind, ContextLayer, ContextUse, ExclusionReason, Stage
from service.views import Id


@dataclass(slots=True, kw_only=True)
class ContextItem:
    """Something that a module is given."""

    id: Annotated[Id, "Id of the record."]
    record_kind: Annotated[str, "Type of the record."]
    name: Annotated[str, "What people call it."]
    layer: Annotated[ContextLayer, "The layer that it is in."]
    use: Annotated[ContextUse, "Whether the module acts by it, or only knows it."]
    rank: Annotated[int, "Its place in the packet, from 1."]
    text: Annotated[str, "What the module is given to read."]
    tokens: Annotated[int, "Tokens that it takes."]
    trimmed_text_tokens: Annotated[int | None, "Tokens of its text, where that did not fit: this is its reference."]
    via: Annotated[str, "How it is bound to the run."]
    score: Annotated[float | None, "How relevant it is, from 0 to 1."]
    explanation: Annotated[str, "Why it is in, in a sentence."]
    version: Annotated[int, "The record's version at the time."]
    storage_ref: Annotated[str | None, "Where its content is kept."] = None


@dataclass(slots=True, kw_only=True)
class ContextListing:
    """How to list the records that one receipt stands for."""

    document: Annotated[str, "The document to send here: it lists what you may see."]
    cypher: Annotated[str, "The same for Neo4j Browser, where everything is seen."]


@dataclass(slots=True, kw_only=True)
class ContextExclusion:
    """The receipt of something that was kept from a module."""

    id: Annotated[Id, "Id of the record."]
    record_kind: Annotated[str, "Type of the record."]
    name: Annotated[str, "What people call it."]
    candidate_kind: Annotated[CandidateKind, "What kind of candidate it was."]
    code: Annotated[ExclusionReason, "Why it was kept out."]
    message: Annotated[str, "The same in a sentence."]
    stage: Annotated[Stage, "The gate that decided."]
    score: Annotated[float | None, "How relevant it is, from 0 to 1."]
    threshold: Annotated[float | None, "What was asked of it."]
    count: Annotated[int, "How many records this receipt stands for."]
    listing: Annotated[ContextListing | None, "How to list them, where it stands for many."]
    version: Annotated[int, "The record's version at the time."]


def without_names(receipt: Mapping[str, Any], hidden: Iterable[str]) -> Mapping[str, Any]:
    """A receipt as it is told to somebody who may not see records of these names: it keeps who they are."""
    told = {name: receipt[name] for name in ("explanation", "facts") if receipt.get(name)}
    for name in sorted(hidden, key=len, reverse=True):
        for field, (begin, end) in _QUOTES.items():
            if field in told:
                told[field] = told[field].replace(f"{begin}{name}{end}", f"{begin}{_ANOTHER}{end}")
    return {**receipt, **told}


_ANOTHER = "another record"
_QUOTES = {"explanation": "“”", "facts": '""'}
"""How a name stands there: in a sentence, and in JSON."""
