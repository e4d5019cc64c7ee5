"""A gap that was found, with the words that show it and what is missing."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.knowledge.prompt_words import GapSeverity, PromptGap


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptQuote:
    """Words of the prompt, and where they stand."""

    text: Annotated[str, "The words, as they stand there."]
    start: Annotated[int, "Where they begin, in characters from 0."]
    end: Annotated[int, "Where they end."]


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFinding:
    """Something that a prompt lacks or has too much of."""

    finding_kind: Annotated[PromptGap, "What it is."]
    severity: Annotated[GapSeverity, "How much it matters here."]
    explanation: Annotated[str, "Why it matters, in a sentence."]
    shown_by: Annotated[tuple[PromptQuote, ...], "The words that show it; none, where nothing of the kind is said."]
    missing: Annotated[tuple[str, ...], "What is missing, one thing an entry."]
    suggested_fix: Annotated[str, "What to write or change."]
    rule: Annotated[str, "Name of the rule that found it."]
