"""How much a lookup may give: one allowance for a whole request, whatever it asks. Pure, but for what was given."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated

from embeddings.tokens import CAUTIOUS
from graph_schema.knowledge.words import CardFamily, ResourceKind, StalePackBehavior
from graph_schema.library.words import SourceKind
from service.knowledge.lookup.answer import LookupCard
from service.knowledge.lookup.profile import EducationProfileHeld

LEARNED = frozenset({
    SourceKind.learned_from_trace,
    SourceKind.learned_from_assessment,
    SourceKind.llm_inferred_candidate,
})  # fmt: skip
GENERATED = frozenset({SourceKind.generated_from_doc23_schema, SourceKind.generated_from_doc24_registry})
_KINDS = {
    CardFamily.config_rationale_card: ResourceKind.rationale_card,
    CardFamily.invocation_card: ResourceKind.doctrine_card,
}
"""What a family counts as, where the profile has no word of its own for it."""


class WithheldReason(StrEnum):
    """Why something that fits is not given."""

    kind_not_allowed = "kind_not_allowed"
    learned_not_allowed = "learned_not_allowed"
    doctrine_not_allowed = "doctrine_not_allowed"
    cases_not_allowed = "cases_not_allowed"
    pack_behind = "pack_behind"
    cards_used_up = "cards_used_up"
    tokens_used_up = "tokens_used_up"


@dataclass(frozen=True, slots=True, kw_only=True)
class WithheldCards:
    """Cards that fit and are not given."""

    reason: Annotated[WithheldReason, "Why."]
    count: Annotated[int, "How many."]


def kind_of(family: CardFamily) -> ResourceKind:
    return _KINDS[family] if family in _KINDS else ResourceKind(family.value)


def refusal(profile: EducationProfileHeld, card: LookupCard, *, behind: bool) -> WithheldReason | None:
    """Why the profile does not allow a card at all."""
    if kind_of(card.family) not in profile.allowed_resource_kinds:
        return WithheldReason.kind_not_allowed
    if card.authority in LEARNED and not profile.allow_learned_heuristic_injection:
        return WithheldReason.learned_not_allowed
    if card.family is CardFamily.doctrine_card and not profile.allow_architect_doctrine_injection:
        return WithheldReason.doctrine_not_allowed
    if card.family is CardFamily.design_case and not profile.allow_prior_task_case_retrieval:
        return WithheldReason.cases_not_allowed
    degraded = behind and profile.stale_pack_behavior is StalePackBehavior.degraded_lookup_only
    return WithheldReason.pack_behind if degraded and card.authority not in GENERATED else None


@dataclass(slots=True)
class Allowance:
    """What is left of a request's cards and tokens. All lookups of a request take from the same."""

    profile: EducationProfileHeld
    behind: bool = False
    cards: int = 0
    tokens: int = 0
    seen: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])

    def take(self, found: Iterable[LookupCard]) -> tuple[tuple[LookupCard, ...], tuple[WithheldCards, ...]]:
        """The longest prefix of what is allowed that fits; what was given already in this request is given free."""
        given: list[LookupCard] = []
        kept: Counter[WithheldReason] = Counter()
        full: WithheldReason | None = None
        for one in found:
            why = refusal(self.profile, one, behind=self.behind)
            if why is None:
                card = replace(one, tokens=CAUTIOUS.count(f"{one.title}\n{one.body}"))
                full = full or self.spend(card.key, card.tokens)
                why = full
                if why is None:
                    given.append(card)
            if why is not None:
                kept[why] += 1
        return tuple(given), tuple(WithheldCards(reason=one, count=kept[one]) for one in WithheldReason if kept[one])

    def spend(self, key: tuple[str, str], tokens: int) -> WithheldReason | None:
        """Count something as given, or say why it does not fit. What was given already costs nothing."""
        if key in self.seen:
            return None
        if self.cards + 1 > self.profile.max_cards_per_design_turn:
            return WithheldReason.cards_used_up
        if self.tokens + tokens > self.profile.max_tokens_per_design_turn:
            return WithheldReason.tokens_used_up
        self.seen.add(key)
        self.cards += 1
        self.tokens += tokens
        return None


def within(cards: Sequence[LookupCard], profile: EducationProfileHeld) -> bool:
    """Whether these are what one request may be given."""
    whole = {one.key: one for one in cards}
    return (
        len(whole) <= profile.max_cards_per_design_turn
        and sum(one.tokens for one in whole.values()) <= profile.max_tokens_per_design_turn
        and all(refusal(profile, one, behind=False) is None for one in cards)
    )
