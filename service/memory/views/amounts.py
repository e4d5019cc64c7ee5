"""Money and tokens of steps and operations.

A step that tells its own cost is believed; of one that does not, the outermost spans that tell theirs are added up.
Each figure goes by itself: a call that tells its tokens alone does not hide what a call inside it cost.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from service.memory.outermost import above, total
from service.memory.views.facts import Activation, Span
from service.memory.views.words import MICROS, micros


@dataclass(frozen=True, slots=True)
class Amount:
    """Money in millionths of a dollar, and tokens. None is not the same as nought."""

    usd: int | None = None
    into: int | None = None
    out: int | None = None

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(_sum(self.usd, other.usd), _sum(self.into, other.into), _sum(self.out, other.out))

    def beyond(self, part: "Amount") -> "Amount":
        """What is left of it without a part."""
        return Amount(_rest(self.usd, part.usd), _rest(self.into, part.into), _rest(self.out, part.out))

    def filled(self, other: "Amount") -> "Amount":
        """With each figure that it lacks from another."""
        return Amount(_first(self.usd, other.usd), _first(self.into, other.into), _first(self.out, other.out))

    def __bool__(self) -> bool:
        return any(one is not None for one in (self.usd, self.into, self.out))

    @property
    def dollars(self) -> float | None:
        return None if self.usd is None else self.usd / MICROS


def _sum(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else one + other


def _first(one: int | None, other: int | None) -> int | None:
    return other if one is None else one


def _rest(whole: int | None, part: int | None) -> int | None:
    left = (whole or 0) - (part or 0)
    return left if left > 0 else None


def told_by(one: Activation | Span) -> Amount:
    usd = None if one.cost_usd is None else micros(one.cost_usd)
    return Amount(usd, one.input_tokens, one.output_tokens)


def step_amount(step: Activation, spans: Collection[Span]) -> Amount:
    """What a step says, each figure that it does not say from its spans."""
    own = told_by(step)
    is_whole = own.usd is not None and own.into is not None and own.out is not None
    return own if is_whole else own.filled(taken_by(spans))


def taken_by(spans: Collection[Span]) -> Amount:
    """What spans took together: each figure from the outermost that tell it."""
    parents = {one.id: one.parent_id for one in spans}
    told = {one.id: told_by(one) for one in spans}
    usd = {one: amount.usd for one, amount in told.items() if amount.usd is not None}
    into = {one: amount.into for one, amount in told.items() if amount.into is not None}
    out = {one: amount.out for one, amount in told.items() if amount.out is not None}
    return Amount(total(usd, parents), total(into, parents), total(out, parents))


def innermost(spans: Collection[Span]) -> list[Span]:
    """Spans that tell a cost and have none inside them that does: the calls themselves."""
    telling = {one.id: one for one in spans if told_by(one)}
    parents = {one.id: one.parent_id for one in spans}
    outer = {up for one in telling for up in above(one, parents)}
    return [one for one in telling.values() if one.id not in outer]


def added(amounts: Iterable[Amount]) -> Amount:
    return sum(amounts, Amount())
