"""What a rule finds, and what a rule is. Nothing is found without something that shows it."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import orjson

from graph_schema.learning.assessment_words import FindingKind, FindingSeverity, FindingTone, PortfolioIssue
from graph_schema.learning.words import DesignSignalKind
from graph_schema.library.words import CaseGround
from graph_schema.model.fields import TEXT_LENGTH
from service.learning.errors import FindingUnsupported
from service.learning.proposals.inputs import ProposalInput

S = TypeVar("S")
MOST_EVIDENCE = 50
"""Records that show one finding, at most; the first in the order in which the rule names them."""
MOST_ACTIONS = 20
"""Changes that one finding recommends, at most."""
MOST_OF_A_RULE = 20
"""Findings of one rule, at most; what is left over is counted in a last one."""

_TONES = {one: place for place, one in enumerate((FindingTone.problem, FindingTone.strength, FindingTone.observation))}
_SEVERITIES = {one: place for place, one in enumerate(FindingSeverity)}


@dataclass(frozen=True, slots=True)
class Shown:
    """What a finding shows of a design: it becomes a signal on these records."""

    kind: DesignSignalKind
    on: tuple[str, ...]
    subject: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Taught:
    """What a finding teaches about designing the next: a choice, why it was made, and what it brought."""

    choice: str
    because: str
    expected: str
    effect: str | None = None
    reuse: tuple[str, ...] = ()
    not_reuse: tuple[str, ...] = ()
    against: bool = False
    """Whether it is a lesson of what not to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One finding. `actions`: changes that it recommends. `shows`: the signal that it gives."""

    statement: str
    evidence: tuple[str, ...]
    tone: FindingTone = FindingTone.problem
    severity: FindingSeverity = FindingSeverity.minor
    better: str | None = None
    code: str | None = None
    issue: PortfolioIssue | None = None
    module_key: str | None = None
    activation_seq: int | None = None
    actions: tuple[ProposalInput, ...] = ()
    shows: Shown | None = None
    ground: CaseGround | None = None
    """The ground on which what was assessed is worth keeping as a case of design."""
    teaches: Taught | None = None
    """The lesson of such a case."""

    def __post_init__(self) -> None:
        if not self.evidence:
            raise FindingUnsupported(self.statement)


@dataclass(frozen=True, slots=True)
class Rule(Generic[S]):
    """A rule of one kind of finding. Whoever changes what it finds gives it another version."""

    name: str
    version: int
    kind: FindingKind
    find: Callable[[S], Iterable[Found]]

    @property
    def title(self) -> str:
        return f"{self.name} {self.version}"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found, and by which rule."""

    rule: str
    kind: FindingKind
    found: Found

    def place(self) -> tuple[object, ...]:
        """Problems first, the weightiest of them before the others; the rest is for an order that never changes."""
        one = self.found
        where = (one.module_key or "", one.activation_seq or 0, one.statement, one.evidence)
        return (_TONES[one.tone], _SEVERITIES[one.severity], self.kind.value, self.rule, *where)

    def content(self) -> list[object]:
        one = self.found
        said: list[object] = [self.rule, one.tone, one.severity, one.statement, one.better, sorted(one.evidence)]
        return [*said, *(_recommended(each) for each in one.actions)]


def _recommended(action: ProposalInput) -> list[object]:
    """A change that could not be recommended before, for want of a graph, is another finding."""
    steps = [[one.operation, one.field, one.value, one.relation, str(one.head)] for one in action.steps]
    return [str(action.target), steps]


def found_by(rules: Sequence[Rule[S]], about: S) -> list[Finding]:
    """All that the rules find, in one order whatever order the facts came in."""
    found = [Finding(rule.title, rule.kind, one) for rule in rules for one in _bounded(rule.find(about))]
    return sorted(found, key=Finding.place)


def evidence_hash(findings: Iterable[Finding], outcome: str) -> str:
    told = sorted((one.content() for one in findings), key=orjson.dumps)
    return hashlib.sha256(orjson.dumps([outcome, told])).hexdigest()


def _bounded(found: Iterable[Found]) -> list[Found]:
    each = sorted((_short(one) for one in found), key=lambda one: Finding("", FindingKind.execution, one).place())
    if len(each) <= MOST_OF_A_RULE:
        return each
    last = each[MOST_OF_A_RULE - 1]
    rest = len(each) - MOST_OF_A_RULE
    more = f"{last.statement} And {rest:,} more of the kind."[:TEXT_LENGTH]
    return [*each[: MOST_OF_A_RULE - 1], replace(last, statement=more)]


def _short(one: Found) -> Found:
    kept = tuple(dict.fromkeys(one.evidence))[:MOST_EVIDENCE]
    actions = one.actions[:MOST_ACTIONS]
    return replace(one, statement=one.statement[:TEXT_LENGTH], evidence=kept, actions=actions)


QUALITY = {FindingSeverity.critical: 0.5, FindingSeverity.major: 0.2, FindingSeverity.minor: 0.05}
"""What a problem takes off the score of what was assessed. Stated, so that it can be argued with."""


def quality(findings: Iterable[Finding]) -> float:
    """From 1, less what the problems weigh, and never below 0."""
    problems = [one.found.severity for one in findings if one.found.tone is FindingTone.problem]
    return round(max(0.0, 1.0 - sum(QUALITY.get(one, 0.0) for one in problems)), 4)
