"""The rules in force, as the pipeline reads them: ours from `rules.yaml`, those of a domain from their records."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from graph_schema.attention.words import AttentionAction, AttentionMoment, AttentionRuleKind, InterventionClass
from service.attention.rules.language import Conditional, Term, Values, condition, conditional

_OURS = Path(__file__).parent / "rules.yaml"
MOST_RULES = 100
"""Rules of domains that a decision looks at."""


@dataclass(frozen=True, slots=True)
class Detection:
    """When a moment is one. What `seconds` and `least` bound, the moment's detector says."""

    rule_id: str
    moment: AttentionMoment
    seconds: float = 0.0
    least: int = 1
    components: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Policy:
    """How a moment is told."""

    rule_id: str
    moment: AttentionMoment
    summary: str
    components: frozenset[str] = frozenset()
    finding_kinds: frozenset[str] = frozenset()
    conditions: tuple[Term, ...] = ()
    intervention_class: InterventionClass | None = None
    action: AttentionAction | None = None
    detail: str = ""
    hint: str = ""
    why: str = ""
    urgency: tuple[Conditional, ...] = ()
    confidence: float = 0.5
    focus_type: str | None = None
    focus_id: str | None = None
    view_commands: tuple[Conditional, ...] = ()
    evidence_refs: tuple[str, ...] = ()
    options: tuple[str, ...] = ()

    @property
    def rank(self) -> tuple[bool, bool, int, str]:
        """The most specific first."""
        return not self.components, not self.finding_kinds, -len(self.conditions), self.rule_id

    def fits(self, component: str, values: Values) -> bool:
        named = not self.components or component in self.components
        kind = not self.finding_kinds or values.get("finding_kind") in self.finding_kinds
        return named and kind and all(one.holds(values) for one in self.conditions)


@dataclass(frozen=True, slots=True)
class Gates:
    most_directives: Mapping[str, Any]
    verbosity: Mapping[str, Any]
    proactive: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """When a directive was right, or would have been: the user came to it by themselves, or asked, soon after."""

    rule_id: str
    seconds: float
    came_to: Mapping[AttentionMoment, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Rules:
    """`domain`: the rules of records as they were taken over, so that a decision can be kept with them."""

    version: str
    detections: tuple[Detection, ...]
    policies: tuple[Policy, ...]
    interventions: Mapping[AttentionMoment, InterventionClass]
    interventions_rule: str
    gates: Gates
    outcome: Outcomes
    domain: tuple[Mapping[str, Any], ...] = ()

    def detection(self, moment: AttentionMoment, component: str | None) -> Detection:
        """The rule of the component, if a domain has one; else ours."""
        fitting = [one for one in self.detections if one.moment is moment]
        own = [one for one in fitting if component in one.components]
        return own[-1] if own else next(one for one in fitting if not one.components)

    def with_domain(self, records: Sequence[Mapping[str, Any]]) -> "Rules":
        """With the rules of a domain beside ours. Of rules of one name the last that was saved holds."""
        newest = {one["rule_id"]: one for one in sorted(records, key=lambda one: one["updated_at"])}
        taken = [newest[name] for name in sorted(newest)][:MOST_RULES]
        detects = [one for one in taken if one["rule_kind"] == AttentionRuleKind.detect]
        told = [one for one in taken if one["rule_kind"] == AttentionRuleKind.policy]
        ours = {one.moment: one for one in self.detections if not one.components}
        return Rules(
            version=self.version,
            detections=(*self.detections, *(_overlaid(ours[AttentionMoment(one["moment"])], one) for one in detects)),
            policies=_ranked((*self.policies, *(policy(one) for one in told))),
            interventions=self.interventions,
            interventions_rule=self.interventions_rule,
            gates=self.gates,
            outcome=self.outcome,
            domain=tuple(_kept(one) for one in taken),
        )


@cache
def our_rules() -> Rules:
    given = yaml.safe_load(_OURS.read_text(encoding="utf-8"))
    chosen = given["interventions"]
    return Rules(
        version=given["version"],
        detections=tuple(_detection(one) for one in given["detect"]),
        policies=_ranked(policy(one) for one in given["policies"]),
        interventions={AttentionMoment(name): InterventionClass(one) for name, one in chosen["of"].items()},
        interventions_rule=chosen["rule_id"],
        gates=Gates(**given["gates"]),
        outcome=_outcomes(given["figures"]),
    )


def _outcomes(given: Mapping[str, Any]) -> Outcomes:
    came_to = {AttentionMoment(name): frozenset(words) for name, words in given["came_to"].items()}
    return Outcomes(given["rule_id"], float(given["seconds"]), came_to)


def policy(given: Mapping[str, Any]) -> Policy:
    asked, action = given.get("intervention_class"), given.get("action")
    return Policy(
        rule_id=given["rule_id"],
        moment=AttentionMoment(given["moment"]),
        summary=given["summary"],
        components=frozenset(given.get("components", ())),
        finding_kinds=frozenset(given.get("finding_kinds", ())),
        conditions=tuple(term for one in given.get("conditions", ()) for term in condition(one)),
        intervention_class=InterventionClass(asked) if asked else None,
        action=AttentionAction(action) if action else None,
        detail=given.get("detail", ""),
        hint=given.get("hint", ""),
        why=given.get("why", ""),
        urgency=tuple(conditional(one) for one in given.get("urgency", ())),
        confidence=0.5 if given.get("confidence") is None else given["confidence"],
        focus_type=given.get("focus_type"),
        focus_id=given.get("focus_id"),
        view_commands=tuple(conditional(one) for one in given.get("view_commands", ())),
        evidence_refs=tuple(given.get("evidence_refs", ())),
        options=tuple(given.get("options", ())),
    )


def _detection(given: Mapping[str, Any]) -> Detection:
    return Detection(
        given["rule_id"], AttentionMoment(given["moment"]), float(given.get("seconds", 0)), given.get("least", 1)
    )


def _overlaid(ours: Detection, given: Mapping[str, Any]) -> Detection:
    seconds, least = given.get("seconds"), given.get("least")
    return Detection(
        given["rule_id"],
        ours.moment,
        ours.seconds if seconds is None else seconds,
        ours.least if least is None else least,
        frozenset(given["components"]),
    )


_KEPT = (
    *("rule_id", "rule_kind", "moment", "components", "finding_kinds", "seconds", "least", "conditions"),
    *("intervention_class", "action", "summary", "detail", "hint", "why", "urgency", "confidence", "focus_type"),
    *("focus_id", "view_commands", "evidence_refs", "options", "updated_at"),
)


def _kept(given: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: given[name] for name in _KEPT if given.get(name) not in (None, [], "")} | {
        "components": [*given.get("components", ())]
    }


def _ranked(policies: Iterable[Policy]) -> tuple[Policy, ...]:
    return tuple(sorted(policies, key=lambda one: one.rank))
