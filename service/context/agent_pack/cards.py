"""Compact cards of what an agent is told. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph_schema.library.words import CapabilityState
from graph_schema.memory.policies import PolicyKind
from service.context.agent_pack.records import Cards, CompactCard, PackCapabilityContext, PackConstraints
from service.context.comparison import Comparison
from service.context.expansion.policy import CapabilityPolicy, Standing, standing_in
from service.matching.answer import MatchAnswer
from service.search import ranker
from service.words import stems

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """The request, as what is told is held against it."""

    text: Comparison
    task_type: str | None
    domains: tuple[str, ...] = ()
    trigger_kind: str | None = None

    @property
    def work(self) -> dict[str, set[str]]:
        """What is known of the work, as rules are confined to it."""
        one = {"task_types": self.task_type, "trigger_kinds": self.trigger_kind}
        return {**{name: {value} if value else set() for name, value in one.items()}, "domains": {*self.domains}}

    def score(self, row: Row, said: str) -> float:
        return self.text.score(stems(row["name"]), stems(f"{row['name']}\n{said}"), row["near"])

    def fits(self, row: Row, said: str) -> bool:
        return self.score(row, said) >= ranker.THRESHOLD


_SECURITY = "Restriction"


def matched(found: MatchAnswer) -> Cards:
    """What matching recommends or would ask about, in a sentence; `explainMatch` tells all. Nothing fits: none."""
    return tuple(
        CompactCard(one.id, one.kind, one.name, one.explanation.partition(". ")[0], one.scores.overall_score)
        for one in found.recommended
    )


def directive(row: Row) -> CompactCard:
    return CompactCard(
        row["id"],
        "Directive",
        row["name"],
        f"{row['directive_kind']}: {row['phrase_or_condition']}",
        row.get("confidence"),
    )


def thing(row: Row) -> CompactCard:
    return CompactCard(row["id"], row["label"], row["name"], row.get("kind") or "")


def is_document(row: Row) -> bool:
    return row.get("kind") in {"document", "source_set"}


def run(row: Row) -> CompactCard:
    told = f"{row['status']}, started {row['started_at']}"
    summary = row.get("quality_summary")
    return CompactCard(row["id"], "Run", row["name"], f"{told}. {summary}" if summary else told)


def capabilities(policy: CapabilityPolicy, known: Sequence[Row], asked: Asked, most: int) -> PackCapabilityContext:
    """What is denied, and of the rest what somebody named for such work or fits the request; that best first."""
    standings = {one["id"]: standing_in(policy, one) for one in known}
    denied = [one for one in known if standings[one["id"]] is Standing.denied]
    allowed = [one for one in known if standings[one["id"]] is not Standing.denied]
    named = {one["id"] for one in allowed if one["wanted"] or standings[one["id"]] is not Standing.outside}
    fitting = [one for one in allowed if one["id"] in named or asked.fits(one, one.get("summary") or "")]
    rest = sorted(fitting, key=lambda one: (one["id"] not in named, -asked.score(one, one.get("summary") or "")))
    truncated, denied, rest = len(denied) > most or len(rest) > most, denied[:most], rest[:most]
    up = CapabilityState.up.value
    return PackCapabilityContext(
        available_capability_refs=tuple(_capability(one) for one in rest if one.get("state") == up),
        unavailable_capability_refs=tuple(_capability(one) for one in rest if one.get("state") not in {None, up}),
        policy_blocked_capability_refs=tuple(_capability(one) for one in denied),
        unreported_capability_refs=tuple(_capability(one) for one in rest if one.get("state") is None),
        truncated=truncated,
    )


def constraints(rules: Sequence[Row], policies: Iterable[Row], known: Collection[str], asked: Asked) -> PackConstraints:
    held = [one for one in rules if _holds(one, known, asked) and _concerns(one, asked)]
    artifact = (PolicyKind.artifact, PolicyKind.artifact_candidate)
    held_policies = [*policies]
    return PackConstraints(
        memory_directive_refs=tuple(_rule(one) for one in held if one["label"] != _SECURITY),
        security_policy_refs=tuple(_rule(one) for one in held if one["label"] == _SECURITY),
        artifact_policy_refs=_policies(held_policies, *artifact),
        cost_policy_refs=_policies(held_policies, PolicyKind.cost),
    )


def _policies(policies: Iterable[Row], *kinds: PolicyKind) -> tuple[CompactCard, ...]:
    return tuple(
        CompactCard(one["id"], "Policy", one["name"], one.get("rationale") or one["policy_kind"])
        for one in policies
        if one["policy_kind"] in kinds
    )


def _holds(rule: Row, known: Collection[str], asked: Asked) -> bool:
    """A restriction is left out only where it is confined to something else: in doubt it is told."""
    for name, ours in asked.work.items():
        meant: list[str] = rule.get(name) or []
        if meant and ours.isdisjoint(meant) and (ours or rule["label"] != _SECURITY):
            return False
    return bool(rule.get("global")) or not rule["applies_to"] or any(one in known for one in rule["applies_to"])


def _concerns(rule: Row, asked: Asked) -> bool:
    """Restrictions and what is meant for such work are told in any case, the rest where it fits the request."""
    confined = any(rule.get(name) for name in ("global", "matter_ids", *asked.work))
    return confined or bool(rule["applies_to"]) or rule["label"] == _SECURITY or asked.fits(rule, rule["statement"])


def _rule(row: Row) -> CompactCard:
    return CompactCard(row["id"], row["label"], row["name"], row["statement"])


def _capability(row: Row) -> CompactCard:
    return CompactCard(row["id"], "Capability", row["name"], row.get("summary") or row["capability_kind"])
