"""From signals that agree to proposals. Pure: the same signals, in any order, give the same proposals.

Signals of one circle of readers are counted by themselves. So what one matter teaches is seen there alone, and taking
its signals away changes nothing for others.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph_schema.learning.proposal_words import Operation, ProposalKind
from graph_schema.learning.words import DesignSignalKind as Kind
from graph_schema.model.fields import NAME_LENGTH
from service.commands import RecordRef
from service.learning.proposals.inputs import ProposalInput, ProposalStep

MOST_PHRASES = 3
MOST_EVIDENCE = 100


@dataclass(frozen=True, slots=True)
class Seen:
    """A signal, as rules read it: what it shows, on what, and the request that it was seen with."""

    id: str
    kind: Kind
    audience: str
    on: Mapping[str, str]
    """What it was seen on: an id for each kind of record."""
    subject: str | None = None
    request: str | None = None
    context_class: str | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A proposal that a rule makes, for one circle of readers."""

    rule: str
    audience: str
    given: ProposalInput

    def key(self) -> tuple[str, str, str]:
        return self.rule, self.audience, str(self.given)


@dataclass(frozen=True, slots=True)
class Rule:
    """`on`: the kind of record that is changed. `by`: what signals have to have in common beside it."""

    name: str
    kind: ProposalKind
    on: str
    speaks_for: frozenset[Kind]
    speaks_against: frozenset[Kind]
    by: Callable[[Seen], str | None]
    steps: Callable[[Sequence[Seen], str], tuple[ProposalStep, ...]]
    rationale: str


def _phrases(field: str) -> Callable[[Sequence[Seen], str], tuple[ProposalStep, ...]]:
    def steps(seen: Sequence[Seen], _by: str) -> tuple[ProposalStep, ...]:
        said = sorted({" ".join(one.request.split()) for one in seen if one.request})
        short = [one for one in said if len(one) <= NAME_LENGTH]
        found = sorted(sorted(short, key=len)[:MOST_PHRASES])
        return (ProposalStep(operation=Operation.add_to_list, field=field, value=found),) if found else ()

    return steps


def _allow(_seen: Sequence[Seen], by: str) -> tuple[ProposalStep, ...]:
    return (ProposalStep(operation=Operation.link, relation="ALLOWS", head=RecordRef(id=by)),)


def _archetype(_seen: Sequence[Seen], by: str) -> tuple[ProposalStep, ...]:
    return (ProposalStep(operation=Operation.add_to_list, field="default_output_archetypes", value=[by]),)


def _deprecate(_seen: Sequence[Seen], _by: str) -> tuple[ProposalStep, ...]:
    return (ProposalStep(operation=Operation.set_lifecycle, value="deprecated"),)


RULES = (
    Rule(
        "phrases_of_choices 1",
        ProposalKind.template_semantic_card_update,
        "Template",
        frozenset({Kind.template_selected}),
        frozenset({Kind.template_rejected}),
        lambda one: "said" if one.request else None,
        _phrases("trigger_phrases"),
        "People chose it {count} times for requests that are worded so.",
    ),
    Rule(
        "conditions_of_refusals 1",
        ProposalKind.template_semantic_card_update,
        "Template",
        frozenset({Kind.template_rejected}),
        frozenset({Kind.template_selected}),
        lambda one: "said" if one.request else None,
        _phrases("non_use_conditions"),
        "People refused it {count} times for requests that are worded so.",
    ),
    Rule(
        "capability_needed 1",
        ProposalKind.task_template_update,
        "Template",
        frozenset({Kind.capability_needed}),
        frozenset({Kind.capability_unused}),
        lambda one: one.on.get("Capability"),
        _allow,
        "It was needed and lacking {count} times.",
    ),
    Rule(
        "output_preference 1",
        ProposalKind.output_archetype_default_update,
        "Template",
        frozenset({Kind.output_preference_confirmed}),
        frozenset(),
        lambda one: one.subject,
        _archetype,
        "People confirmed {count} times that they want this output.",
    ),
    Rule(
        "design_that_fails 1",
        ProposalKind.task_template_update,
        "Template",
        frozenset({Kind.graph_pattern_failure}),
        frozenset({Kind.graph_pattern_success}),
        lambda _one: "failed",
        _deprecate,
        "Its design failed {count} times.",
    ),
)
KINDS = frozenset(kind for rule in RULES for kind in rule.speaks_for | rule.speaks_against)


def drafts(signals: Iterable[Seen], often: int) -> list[Draft]:
    """What the rules propose: at least so many signals that agree, and more for it than against it."""
    known = {one.id: one for one in signals}
    found = [draft for rule in RULES for draft in _of(rule, sorted(known.values(), key=_by_id), often)]
    return sorted(found, key=Draft.key)


def _by_id(one: Seen) -> str:
    return one.id


def _of(rule: Rule, signals: Sequence[Seen], often: int) -> Iterator[Draft]:
    groups: dict[tuple[str, str, str], list[Seen]] = {}
    against: dict[tuple[str, str], list[Seen]] = {}
    for one in signals:
        target = one.on.get(rule.on)
        if target is None:
            continue
        by = rule.by(one)
        if one.kind in rule.speaks_for and by is not None:
            groups.setdefault((one.audience, target, by), []).append(one)
        elif one.kind in rule.speaks_against:
            against.setdefault((one.audience, target), []).append(one)
    for (audience, target, by), seen in groups.items():
        contrary = against.get((audience, target), [])
        steps = rule.steps(seen, by)
        if len(seen) >= often and len(seen) > len(contrary) and steps:
            yield Draft(rule.name, audience, _given(rule, target, steps, seen, contrary))


def _given(
    rule: Rule, target: str, steps: tuple[ProposalStep, ...], seen: Sequence[Seen], contrary: Sequence[Seen]
) -> ProposalInput:
    classes = {one.context_class for one in seen}
    told: dict[str, Any] = {"context_class_key": classes.pop()} if len(classes) == 1 else {}
    return ProposalInput(
        proposal_kind=rule.kind,
        target=RecordRef(id=target),
        steps=steps,
        rationale=rule.rationale.format(count=len(seen)),
        expected_effect="What was recorded so would come out as people wanted it.",
        supported_by=tuple(RecordRef(id=one.id) for one in seen[:MOST_EVIDENCE]),
        countered_by=tuple(RecordRef(id=one.id) for one in contrary[:MOST_EVIDENCE]),
        **told,
    )
