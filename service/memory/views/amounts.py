"""Money and tokens of steps and operations.

A step that tells its own cost is believed; of one that does not, the outermost spans that tell theirs are added up.
"""

from collections.abc import Iterable
from dataclasses import dataclass

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

    def __bool__(self) -> bool:
        return any(one is not None for one in (self.usd, self.into, self.out))

    @property
    def dollars(self) -> float | None:
        return None if self.usd is None else self.usd / MICROS


def _sum(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else one + other


def _rest(whole: int | None, part: int | None) -> int | None:
    left = (whole or 0) - (part or 0)
    return left if left > 0 else None


def told_by(one: Activation | Span) -> Amount:
    usd = None if one.cost_usd is None else micros(one.cost_usd)
    return Amount(usd, one.input_tokens, one.output_tokens)


def step_amount(step: Activation, spans: Iterable[Span]) -> Amount:
    """What a step says, each figure that it does not say from its spans."""
    own = told_by(step)
    if own.usd is not None and own.into is not None and own.out is not None:
        return own
    inside = added(told_by(one) for one in outermost(spans))
    return Amount(
        inside.usd if own.usd is None else own.usd,
        inside.into if own.into is None else own.into,
        inside.out if own.out is None else own.out,
    )


def outermost(spans: Iterable[Span]) -> list[Span]:
    """Spans that tell a cost, and are inside no other of these that does: what an outer one tells is the whole."""
    telling = {one.id: one for one in spans if told_by(one)}
    parents = {one.id: one.parent_id for one in spans}
    return [one for one in telling.values() if not any(up in telling for up in _above(one.id, parents))]


def innermost(spans: Iterable[Span]) -> list[Span]:
    """Spans that tell a cost and have none inside them that does: the calls themselves."""
    telling = {one.id: one for one in spans if told_by(one)}
    parents = {one.id: one.parent_id for one in spans}
    outer = {up for one in telling for up in _above(one, parents)}
    return [one for one in telling.values() if one.id not in outer]


def _above(span_id: str, parents: dict[str, str | None]) -> list[str]:
    found: list[str] = []
    up = parents.get(span_id)
    while up is not None and up not in found and up != span_id:
        found.append(up)
        up = parents.get(up)
    return found


def added(amounts: Iterable[Amount]) -> Amount:
    return sum(amounts, Amount())
