"""What must hold of assets and of what is taught, beyond their models."""

from collections.abc import Iterable, Mapping
from typing import Any

from graph_schema.library.words import DirectiveKind
from service.commands import Work
from service.commands.phrases import FIELDS
from service.commands.work import State
from service.library.cypher.assets import OPPOSITE_NEED
from service.library.errors import NeedContradicts, PhraseSaysNothing
from service.words import stems

Values = Mapping[str, Any]

OPPOSITES = {"REQUIRES": "DENIES", "DENIES": "REQUIRES"}
_BY_PHRASE = (DirectiveKind.prefer_when_phrase, DirectiveKind.avoid_when_phrase)


def check_phrases(before: Values | None, after: Values) -> None:
    """Phrases say something: a blank one, or one of common words alone, would be met by any request or by none."""
    for field in FIELDS:
        known = (before or {}).get(field) or ()
        for text in after.get(field) or ():
            if text not in known and not stems(text):
                raise PhraseSaysNothing(field, text)


def check_directive(before: Values | None, after: Values) -> None:
    """What is taught about a phrase names one; what is taught about a type of task or an output names that."""
    field, kind = "phrase_or_condition", after["directive_kind"]
    text: str = after[field]
    if before is not None and before.get(field) == text and before.get("directive_kind") == kind:
        return
    by_phrase = kind in _BY_PHRASE
    asks = kind == DirectiveKind.require_user_confirmation and not text.strip()
    if not asks and not (stems(text) if by_phrase else text.strip()):
        raise PhraseSaysNothing(field, text)


async def check_need(work: Work, tail: State, kind: str, head: State, remove: bool) -> State:
    """Nothing requires a capability and denies it."""
    if kind in OPPOSITES and not remove:
        row = await work.transaction.one(OPPOSITE_NEED, tail=tail.id, head=head.id, type=OPPOSITES[kind])
        if row is not None:
            raise NeedContradicts("type", head.properties["name"])
    return tail


def check_needs(requires: Iterable[str], denies: Iterable[str], field: str) -> None:
    for one in sorted({*requires} & {*denies}):
        raise NeedContradicts(field, one)
