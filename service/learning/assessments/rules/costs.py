"""What a run took, beside what runs of its task usually take."""

from collections.abc import Iterator, Sequence
from statistics import median

from graph_schema.learning.assessment_words import FindingKind, FindingSeverity, FindingTone
from service.learning.assessments.facts import Assessed
from service.learning.assessments.found import Found, Rule
from service.memory.views.words import between, duration, money

ENOUGH = 3
"""Earlier runs without which nothing is usual."""
MUCH_MORE = 2.0
"""How many times the median counts as much more."""
MOST_OF_IT = 0.5
WAITED_MS = 3_600_000


def _beside(usual: Sequence[tuple[str, float]], now: float | None) -> tuple[float, tuple[str, ...]] | None:
    """The median and the runs that it is of, where this one is far above it."""
    if now is None or len(usual) < ENOUGH:
        return None
    middle = median(value for _, value in usual)
    return (middle, tuple(run for run, _ in usual)) if middle > 0 and now >= MUCH_MORE * middle else None


def dearer(about: Assessed) -> Iterator[Found]:
    cost = about.index.run.total_cost_usd
    cost = about.index.tally.cost_usd if cost is None else cost
    found = _beside([(one.id, one.cost_usd) for one in about.usual if one.cost_usd is not None], cost)
    if found is not None:
        yield Found(
            statement=f"It cost {money(cost or 0)}; the median of {len(found[1])} runs before is {money(found[0])}.",
            evidence=(about.id, *found[1]),
            severity=FindingSeverity.minor,
            better="Look at the step that cost most, and whether a smaller model does it as well.",
        )


def slower(about: Assessed) -> Iterator[Found]:
    took = about.index.run.duration_ms
    found = _beside([(one.id, one.duration_ms) for one in about.usual if one.duration_ms is not None], took)
    if found is not None:
        before = f"the median of {len(found[1])} runs before is {duration(round(found[0]))}"
        yield Found(
            statement=f"It took {duration(took or 0)}; {before}.",
            evidence=(about.id, *found[1]),
            severity=FindingSeverity.note,
            better="See where it waited.",
        )


def waited(about: Assessed) -> Iterator[Found]:
    """Hours that a run stood still for a person."""
    for gate in sorted(about.index.facts.gates, key=lambda one: one.id):
        wait = between(gate.opened_at, gate.decided_at)
        whole = about.index.run.duration_ms
        if wait is None or not whole or wait < WAITED_MS or wait / whole < MOST_OF_IT:
            continue
        yield Found(
            statement=f"It waited {duration(wait)} of {duration(whole)} for {gate.name}.",
            evidence=(gate.id, *sorted(gate.activation_ids)),
            tone=FindingTone.observation,
            severity=FindingSeverity.note,
            better="Tell the person when the gate opens, or let what needs no approval go on meanwhile.",
            module_key=gate.module_key,
            activation_seq=gate.activation_seq,
        )


def one_step(about: Assessed) -> Iterator[Found]:
    """The step that took most of the money."""
    known = [(one.cost_usd, one) for one in about.index.steps if one.cost_usd]
    whole = sum(cost for cost, _ in known)
    for cost, step in known:
        if len(known) >= ENOUGH and cost > MOST_OF_IT * whole:
            yield Found(
                statement=f"{about.index.label(step)} cost {money(cost)} of {money(whole)}.",
                evidence=(step.id,),
                tone=FindingTone.observation,
                severity=FindingSeverity.note,
                better="Try it with a smaller model or less context first.",
                module_key=step.module_key,
                activation_seq=step.activation_seq,
            )


_C = FindingKind.cost_latency
RULES = (
    Rule("dearer_than_usual", 1, _C, dearer),
    Rule("slower_than_usual", 1, _C, slower),
    Rule("waited_for_a_person", 1, _C, waited),
    Rule("one_step_costs_most", 1, _C, one_step),
)
