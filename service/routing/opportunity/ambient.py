"""The card that stands in every conversation, so that a model knows that saved tasks exist and when to leave them."""

from dataclasses import dataclass
from typing import Annotated

LEAST_TOKENS, MOST_TOKENS = 50, 160

WITHOUT_AGENT = (
    "Saved tasks are repeatable work that can be inspected: steps, progress, outputs, approvals and a history. "
    "Answer directly by default: quick questions, thinking along and single actions need no task. "
    "Turn to a saved task when the user asks for one, names a task, template, run or output, or when this turn "
    "carries a task opportunity. "
    "That a request is complex is no reason. Nothing runs without the user's word."
)
TEXT = (
    f"{WITHOUT_AGENT} "
    "Task Agent designs, adapts, explains, reviews and inspects saved tasks. Ask it only through a named entrypoint, "
    "when the user wants it or the opportunity is medium, high or explicit."
)


@dataclass(frozen=True, slots=True)
class AmbientTaskCard:
    """What every conversation may be told of saved tasks. It changes only with whether the Task Agent may be asked."""

    text: Annotated[str, "The card."]
    tokens: Annotated[int, "Tokens that it takes, by the tokenizer below."]
    tokenizer: Annotated[str, "The tokenizer that counted: your model's own, or an estimate for its family."]
