"""Which policies hold for an artifact: those in force when it was reported to have been made.

A policy holds since `valid_from`, else since it was saved, and each of its versions until the next. So what an event
comes to is settled by its own time, and not by when it arrives. A policy of a matter holds for runs of that matter.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graph_schema.memory.policies import EVERY_TASK, AppliesTo, PolicyKind
from graph_schema.memory.words import ArtifactKind, CaptureMode, IntakeLevel, IntakeRule
from service.access.audience import cleared
from service.memory.intake.errors import ConditionUnreadable
from service.memory.intake.language import read

State = Mapping[str, Any]
_ORDER = {level: rank for rank, level in enumerate(IntakeLevel)}
_SCOPE = ("port_name", "module_key", "module_type", "run_source")
LATER = frozenset({AppliesTo.user_opened_artifact, AppliesTo.downstream_used_artifact})
"""What an artifact becomes by its use, after it was reported."""


@dataclass(frozen=True, slots=True)
class Saying:
    """What a policy says in one place of the chain."""

    said: str
    policy: State


@dataclass(frozen=True, slots=True)
class Holding:
    """The policies that hold for one artifact, the most specific first."""

    policies: tuple[State, ...] = ()
    facts: State | None = None

    def says(self, rule: IntakeRule) -> Iterator[Saying]:
        for one in self._settings():
            said = _said(rule, one, (self.facts or {}).get("output_class"))
            if said is not None:
                yield Saying(said, one)

    def first(self, name: str) -> Saying | None:
        """What the most specific policy that speaks of it says."""
        return next((Saying(one[name], one) for one in self._settings() if one.get(name) is not None), None)

    def marks_high_value(self) -> bool:
        marked = self.first("high_value_candidate")
        if marked is None or not marked.said:
            return False
        hints = marked.policy.get("output_archetype_hints") or ()
        return not hints or (self.facts or {}).get("output_archetype") in hints

    def candidates(self, *, review: bool) -> list[State]:
        """Rules that this artifact meets, the most specific first, then the one that goes furthest."""
        facts = self.facts or {}
        found = [
            one
            for one in self.policies
            if one["policy_kind"] == PolicyKind.artifact_candidate
            and one.get("requires_user_review", True) is review
            and one["applies_to"] in parts_of(facts)
            and _meets(one, facts)
        ]
        return sorted(
            found, key=lambda one: (_narrowness(one), -_ORDER[IntakeLevel(one["suggested_level"])], one["id"])
        )

    def _settings(self) -> Iterator[State]:
        return (one for one in self.policies if one["policy_kind"] == PolicyKind.artifact)


NONE = Holding()


class Policies:
    """Policies with all their versions. The newest version that had begun is the one in force."""

    def __init__(self, histories: Iterable[list[dict[str, Any]]] = ()) -> None:
        self._histories = [sorted(states, key=lambda one: -one["version"]) for states in histories if states]

    def holding(self, source: str, run: State, event: State, at: str) -> Holding:
        """Those that hold at this time for an artifact of this run with these reported values."""
        if not self._histories:
            return NONE
        facts = facts_of(source, run, event)
        standing = (_in_force(states, at) for states in self._histories)
        found = [one for one in standing if one is not None and _fits(one, facts)]
        return Holding(tuple(sorted(found, key=lambda one: (_narrowness(one), one["id"]))), facts)


def facts_of(source: str, run: State, event: State) -> dict[str, Any]:
    """What conditions are asked of."""
    access = {name: run[name] for name in ("memory_mode", "data_class", "matter_ids")}
    return {**event, **access, "run_source": source}


def parts_of(facts: State) -> set[str]:
    """The classes of artifact that rules are about, of which this is one."""
    parts = {facts.get("output_class"), facts.get("output_archetype")} & {one.value for one in AppliesTo}
    parts -= LATER
    if facts.get("artifact_kind") in {ArtifactKind.judge_result, ArtifactKind.red_team_report}:
        parts.add(facts["artifact_kind"])
    if facts.get("opened_count"):
        parts.add(AppliesTo.user_opened_artifact)
    if facts.get("used_by_count"):
        parts.add(AppliesTo.downstream_used_artifact)
    return {str(one) for one in parts}


def may_be_named(policy: State, run: State) -> bool:
    """Whether all who may see the run may see the policy too."""
    return cleared(run["data_class"], policy["data_class"])


def _in_force(states: list[dict[str, Any]], at: str) -> State | None:
    for one in states:
        if (one.get("valid_from") or one["updated_at"]) <= at:
            ended = one.get("valid_to") is not None and one["valid_to"] <= at
            return None if ended or one["lifecycle_state"] != "active" or "policy_kind" not in one else one
    return None


def _fits(policy: State, facts: State) -> bool:
    if policy["task_key"] not in {EVERY_TASK, facts.get("task_key")}:
        return False
    if not {*policy["matter_ids"]} <= {*facts["matter_ids"]}:
        return False
    return all(policy.get(name) in {None, facts.get(name)} for name in _SCOPE)


def _narrowness(policy: State) -> tuple[bool, ...]:
    """Sorts the more specific before the more general."""
    return (*(policy.get(name) is None for name in _SCOPE[:3]), policy["task_key"] == EVERY_TASK)


def _said(rule: IntakeRule, policy: State, part: str | None) -> str | None:
    of_module = policy.get("module_key") is not None or policy.get("module_type") is not None
    match rule:
        case IntakeRule.module_port:
            return policy.get("port_level") if of_module else None
        case IntakeRule.task_port:
            return None if of_module else policy.get("port_level")
        case IntakeRule.capture_mode:
            return policy.get("capture_mode")
        case IntakeRule.output_class:
            return policy.get(f"{part}_default")
        case IntakeRule.task:
            return policy.get("task_default")
        case _:
            return None


def _meets(policy: State, facts: State) -> bool:
    """A condition that somebody broke in the database itself holds for nothing: a report must not fail by it."""
    try:
        return read(policy["condition"]).holds(facts)
    except ConditionUnreadable:
        return False


def levels_of(policy: State) -> set[str]:
    """Every level that a policy can give."""
    names = [name for name in policy if name.endswith("_default") or name in {"port_level", "suggested_level"}]
    found = {str(policy[name]) for name in names}
    if policy.get("capture_mode") == CaptureMode.process_documents:
        found.add(IntakeLevel.doc25_document_ingestion)
    return found
