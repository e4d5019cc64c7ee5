"""Which eligible items a packet holds: in one fixed order the longest prefix that fits, and hard rules always.

A larger budget never loses anything. That is why no item is skipped for a smaller one behind it, and why texts of
documents and what comes after them have rooms of their own: neither can push out the other.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from graph_schema.context.words import ContextLayer
from service.context.packets.errors import BudgetTooSmall
from service.context.packets.facts import Facts, Ground
from service.context.packets.kinds import HARD

_RANK: dict[str, int] = {layer: rank for rank, layer in enumerate(ContextLayer)}
_LAST_BEFORE_TEXTS = _RANK[ContextLayer.preferences]


@dataclass(frozen=True, slots=True)
class Fitted:
    """What is in, in its order, what was trimmed, and how many tokens were wanted and taken."""

    taken: tuple[Facts, ...]
    trimmed: tuple[Facts, ...]
    whole: frozenset[str]
    """Ids of what is in with the text that was supplied for it."""
    requested: int
    actual: int

    def tokens_of(self, one: Facts) -> int:
        return one.full_tokens if one.id in self.whole else one.tokens

    def hash_of(self, one: Facts) -> str:
        return one.full_hash if one.id in self.whole else one.text_hash

    def left_out(self, one: Facts) -> int | None:
        """Tokens of the text that was supplied for an item and did not fit."""
        return _extra(one) if one.full_tokens and one.id not in self.whole else None

    @property
    def references(self) -> tuple[str, ...]:
        """Ids of what came as its reference, because its text did not fit."""
        return tuple(one.id for one in self.taken if self.left_out(one) is not None)


def order_of(facts: Facts) -> tuple[object, ...]:
    """Layer by layer, in each what the module's policy prefers and then the most relevant first. Ties are settled by
    what is said, not by ids: the same records give the same packet in whatever order they were stored."""
    return (
        *(_RANK[facts.layer], not facts.preferred, -(facts.score or 0.0)),
        *(facts.name, facts.text_hash, facts.id),
    )


def is_hard(facts: Facts, ground: Ground) -> bool:
    """Whether a packet without it would let the module do what it must not. A restriction on side effects that the
    module is not known to have is told where there is room for it."""
    if facts.layer not in HARD:
        return False
    return facts.everywhere or not facts.side_effects or bool({*facts.side_effects} & {*ground.side_effects})


def fit(eligible: Sequence[Facts], ground: Ground) -> Fitted:
    ordered = sorted(eligible, key=lambda one: (*_urgency(one, ground), order_of(one)))
    _check(ordered, ground)
    room = ground.max_tokens - ground.frame_tokens
    before = [one for one in ordered if _before_texts(one)]
    taken, whole = _prefix(before, room), frozenset[str]()
    if len(taken) == len(before):
        room -= sum(one.tokens for one in taken)
        more, whole = _shared([one for one in before if one.full_tokens], ordered[len(before) :], room)
        taken += more
    kept = {one.id for one in taken}
    actual = ground.frame_tokens + sum(one.full_tokens if one.id in whole else one.tokens for one in taken)
    requested = ground.frame_tokens + sum(one.full_tokens or one.tokens for one in ordered)
    trimmed = tuple(one for one in ordered if one.id not in kept)
    return Fitted(tuple(sorted(taken, key=order_of)), trimmed, whole, requested, actual)


def _urgency(facts: Facts, ground: Ground) -> tuple[bool, bool, bool]:
    """Hard rules, then what the module cannot work without, then what comes before texts."""
    return not is_hard(facts, ground), facts.standing != "required", not _before_texts(facts)


def _before_texts(facts: Facts) -> bool:
    return _RANK[facts.layer] <= _LAST_BEFORE_TEXTS


def _check(ordered: Sequence[Facts], ground: Ground) -> None:
    hard = [one for one in ordered if is_hard(one, ground)]
    needed = ground.frame_tokens + sum(one.tokens for one in hard)
    if needed > ground.max_tokens:
        raise BudgetTooSmall(ground.max_tokens, needed, len(hard))


def _shared(with_text: Sequence[Facts], later: Sequence[Facts], room: int) -> tuple[list[Facts], frozenset[str]]:
    """What comes of the texts, and of the items after them: each have half of the room, and what the others do not
    want. The shortest text is first, so that one that is too long keeps out no other."""
    wanted = sum(map(_extra, with_text))
    taken = _prefix(later, max(room - wanted, room // 2))
    of_texts = max(room - sum(one.tokens for one in later), room // 2)
    shortest = sorted(with_text, key=lambda one: (_extra(one), order_of(one)))
    return taken, frozenset(one.id for one in _prefix(shortest, of_texts, _extra))


def _extra(facts: Facts) -> int:
    """What its text takes, beside its reference."""
    return max(0, facts.full_tokens - facts.tokens)


def _tokens(facts: Facts) -> int:
    return facts.tokens


def _prefix(ordered: Iterable[Facts], room: int, size: Callable[[Facts], int] = _tokens) -> list[Facts]:
    taken: list[Facts] = []
    for one in ordered:
        room -= size(one)
        if room < 0:
            break
        taken.append(one)
    return taken
