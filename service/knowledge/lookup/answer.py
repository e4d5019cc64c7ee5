"""What a lookup answers: cards, each with where it is from, and what was not given and why."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from graph_schema.knowledge.words import AuthorityLevel, CardFamily, MayAffect
from graph_schema.library.words import SourceKind
from service.knowledge.pack.cards import CardContent
from service.views import Id, Linked


@dataclass(frozen=True, slots=True, kw_only=True)
class LookupCard:
    """Something to know, with who says so. What is generated is made from what is live at this moment."""

    family: Annotated[CardFamily, "What kind of card it is."]
    subject: Annotated[str, "What it is about."]
    title: Annotated[str, "Its title."]
    body: Annotated[str, "What it says."]
    authority: Annotated[SourceKind, "Who or what says so."]
    authority_level: Annotated[AuthorityLevel, "How much weight it has."]
    may_affect: Annotated[tuple[MayAffect, ...], "What it may bear on."]
    source_ref: Annotated[str, "What it was made from."]
    live: Annotated[bool, "Whether it was made from what is there now, and not taken from the pack."]
    because: Annotated[str, "Why it is here."]
    score: Annotated[float | None, "How much of the question it has, from 0 to 1; null where nothing was compared."] = (
        None
    )
    state: Annotated[str | None, "Of a capability: whether it can be used, as was last reported."] = None
    tokens: Annotated[int, "Tokens of its title and its text."] = 0
    record_id: Annotated[Id | None, "The record that it is about."] = None
    card_id: Annotated[Id | None, "The card of the pack. Null for what is not in it."] = None
    record: ClassVar = Linked("record_id", "The record that it is about, as it is now.")
    card: ClassVar = Linked("card_id", "The card of the pack.", "KnowledgeCard")

    @property
    def key(self) -> tuple[str, str]:
        return (self.family.value, self.source_ref)


def made(content: CardContent, because: str, **more: object) -> LookupCard:
    """A card that was made just now."""
    return LookupCard(
        family=content.family,
        subject=content.subject,
        title=content.title,
        body=content.body,
        authority=content.authority,
        authority_level=content.level,
        may_affect=content.may_affect,
        source_ref=content.source_ref,
        live=True,
        because=because,
        **more,  # pyright: ignore[reportArgumentType]
    )
