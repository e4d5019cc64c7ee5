"""What a run cost: by module, by model and by subagent, in money and tokens."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Annotated

from graph_schema.model.fields import Long
from service.memory.views.amounts import Amount, added, innermost, taken_by, told_by
from service.memory.views.evidence import Evidence, costs_missing, evidence
from service.memory.views.facts import Span
from service.memory.views.index import RunIndex, once


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCostRow:
    """A share of what a run cost."""

    key: Annotated[str | None, "The module, model or subagent; null for what is attributed to none."]
    label: Annotated[str, "What people call it."]
    cost_usd: Annotated[float | None, "Money in dollars; null when none was reported."]
    input_tokens: Annotated[Long | None, "Tokens that went in; null when none were reported."]
    output_tokens: Annotated[Long | None, "Tokens that came out; null when none were reported."]
    count: Annotated[int, "Steps, calls or subagents that are added up here."]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCosts:
    """What a run cost, as far as it was reported and may be seen."""

    total_usd: Annotated[float | None, "The executor's own total, else the sum of what is known."]
    added_up_usd: Annotated[float | None, "The sum over modules; it may differ from the executor's total."]
    input_tokens: Annotated[Long | None, "Tokens that went in."]
    output_tokens: Annotated[Long | None, "Tokens that came out."]
    by_module: Annotated[tuple[RunCostRow, ...], "Each module, dearest first."]
    by_model: Annotated[
        tuple[RunCostRow, ...],
        "Each model, dearest first: by the calls that name one; what a step tells beyond them is its own model's.",
    ]
    by_subagent: Annotated[tuple[RunCostRow, ...], "Each subagent with all that it did. Part of the modules' costs."]
    evidence: Annotated[Evidence, "What the figures rest on."]


@once
def costs(index: RunIndex) -> RunCosts:
    whole = _whole(index)
    return RunCosts(
        total_usd=total_usd(index),
        added_up_usd=_added_up(index).dollars,
        input_tokens=whole.into,
        output_tokens=whole.out,
        by_module=_by_module(index),
        by_model=_by_model(index),
        by_subagent=_by_subagent(index),
        evidence=evidence(index, ("activations", "spans"), costs_missing(index)),
    )


def total_usd(index: RunIndex) -> float | None:
    """The executor's total, else what is known beside it."""
    reported = index.run.total_cost_usd
    return _whole(index).dollars if reported is None else reported


@once
def _whole(index: RunIndex) -> Amount:
    """The sum of all that is in it; a figure that nothing in it tells is what the span of the run itself says."""
    told = taken_by([one for one in _loose(index) if one.span_kind == "task_run"])
    return _added_up(index).filled(told)


def _added_up(index: RunIndex) -> Amount:
    return added((*index.amounts.values(), taken_by(_outside(index))))


def _loose(index: RunIndex) -> list[Span]:
    return [one for one in index.facts.spans if one.activation_id is None]


def _outside(index: RunIndex) -> list[Span]:
    """Operations outside any step. The span of the run itself tells the whole again, so it is left out."""
    return [one for one in _loose(index) if one.span_kind != "task_run"]


class _Shares:
    def __init__(self) -> None:
        self._shares: dict[str | None, tuple[str, Amount, int]] = {}

    def add(self, key: str | None, label: str, amount: Amount, count: int = 1) -> None:
        name, held, before = self._shares.get(key, (label, Amount(), 0))
        self._shares[key] = (name, held + amount, before + count)

    def rows(self) -> tuple[RunCostRow, ...]:
        order: Callable[[RunCostRow], tuple[float, str]] = lambda row: (-(row.cost_usd or 0), row.label)  # noqa: E731
        return tuple(sorted((_row(key, *share) for key, share in self._shares.items()), key=order))


def _row(key: str | None, label: str, amount: Amount, count: int) -> RunCostRow:
    return RunCostRow(
        key=key,
        label=label,
        cost_usd=amount.dollars,
        input_tokens=amount.into,
        output_tokens=amount.out,
        count=count,
    )


def _by_module(index: RunIndex) -> tuple[RunCostRow, ...]:
    shares = _Shares()
    for step in index.steps:
        if index.amounts[step.id]:
            shares.add(step.module_key, index.name(step), index.amounts[step.id])
    outside = taken_by(_outside(index))
    if outside:
        shares.add(None, "Outside any step", outside)
    return shares.rows()


def _by_model(index: RunIndex) -> tuple[RunCostRow, ...]:
    """Calls that name their model; what a step tells beyond them is its own model's."""
    shares = _Shares()
    for step in index.steps:
        _share(shares, index.spans.get(step.id, ()), index.amounts[step.id], step.model_ref)
    outside = _outside(index)
    _share(shares, outside, taken_by(outside), None)
    return shares.rows()


def _share(shares: _Shares, spans: Collection[Span], whole: Amount, model: str | None) -> None:
    calls = [one for one in innermost(spans) if one.model_ref]
    for call in calls:
        shares.add(call.model_ref, call.model_ref or "", told_by(call))
    rest = whole.beyond(added(told_by(one) for one in calls))
    if rest:
        shares.add(model, model or "Not attributed", rest, int(not calls))


def _by_subagent(index: RunIndex) -> tuple[RunCostRow, ...]:
    children: dict[str | None, list[Span]] = {}
    for span in index.facts.spans:
        children.setdefault(span.parent_id, []).append(span)
    shares = _Shares()
    for span in index.facts.spans:
        if is_subagent(span):
            amount = taken_by([span, *_below(span.id, children)])
            shares.add(span.agent_ref or span.span_key, span.agent_ref or span.name, amount)
    return shares.rows()


def is_subagent(span: Span) -> bool:
    return span.span_kind == "subagent_spawn" or span.subagent_trace_ref is not None


def _below(span_id: str, children: dict[str | None, list[Span]]) -> list[Span]:
    found: dict[str, Span] = {}
    waiting = list(children.get(span_id, ()))
    while waiting:
        one = waiting.pop()
        if one.id not in found and one.id != span_id:
            found[one.id] = one
            waiting.extend(children.get(one.id, ()))
    return list(found.values())
