"""Which eligible items a packet holds: in one fixed order the longest prefix that fits, and hard rules always."""

from collections.abc import Sequence
from dataclasses import dataclass

from graph_schema.context.words import ContextLayer
from service.context.packets.errors import BudgetTooSmall
from service.context.packets.facts import Facts, Ground
from service.context.packets.kinds import HARD

_RANK: dict[str, int] = {layer: rank for rank, layer in enumerate(ContextLayer)}


@dataclass(frozen=True, slots=True)
class Fitted:
    """What is in, in its order, what was trimmed, and how many tokens were wanted and taken."""

    taken: tuple[Facts, ...]
    trimmed: tuple[Facts, ...]
    requested: int
    actual: int


def order_of(facts: Facts) -> tuple[object, ...]:
    """Hard rules, then layer by layer, in each what the module's policy prefers and then the most relevant first. Ties
    are settled by what is said, not by ids: the same records give the same packet in whatever order they were stored.
    """
    hard = facts.layer in HARD
    return (
        *(not hard, _RANK[facts.layer], not facts.preferred, -(facts.score or 0.0)),
        *(facts.name, facts.text_hash, facts.id),
    )


def fit(eligible: Sequence[Facts], ground: Ground) -> Fitted:
    ordered = sorted(eligible, key=order_of)
    hard = [one for one in ordered if one.layer in HARD]
    needed = ground.frame_tokens + sum(one.tokens for one in hard)
    if needed > ground.max_tokens:
        raise BudgetTooSmall(ground.max_tokens, needed, len(hard))
    spent, place = needed, len(hard)
    while place < len(ordered) and spent + ordered[place].tokens <= ground.max_tokens:
        spent += ordered[place].tokens
        place += 1
    requested = ground.frame_tokens + sum(one.tokens for one in ordered)
    return Fitted(tuple(ordered[:place]), tuple(ordered[place:]), requested, spent)
