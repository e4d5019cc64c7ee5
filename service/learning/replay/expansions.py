"""Wishes of modules for more capabilities, decided again from what their receipts keep, and with the change.

What was wanted is known; which other capabilities a change would have given from the start is no part of a wish.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graph_schema.learning.proposal_words import CaseKind
from graph_schema.memory.policies import EVERY_TASK, PolicyKind
from graph_schema.memory.words import GateStatus
from service.access.audience import Access
from service.access.viewer import Viewer
from service.context.expansion.kept import Wish, wish_of
from service.context.expansion.receipts import gate_key
from service.context.expansion.rules import Decision, ExpansionResult
from service.graph.database import Database, Row
from service.learning.proposals.steps import differing
from service.learning.replay import cypher
from service.learning.replay.cases import UNREADABLE, Case, Lane
from service.learning.replay.change import Target

HOLDERS = frozenset({"Template", "Task", "Preset", "TemplateGroup", "Blueprint", "Policy"})
BOUND = frozenset({"REQUIRES", "ALLOWS", "DENIES"})
_SCOPE = frozenset({"task_key", "module_key", "module_type", "run_source", "valid_from", "valid_to", "policy_kind"})
"""What says for whom a policy holds: whether it would have held with another one is not known."""
_GIVEN = frozenset({ExpansionResult.added, ExpansionResult.already_mounted})


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a person said to the gates that a wish led to, by capability."""

    approved: frozenset[str]
    refused: frozenset[str]

    @property
    def said(self) -> str | None:
        if self.refused:
            return "A person refused what it asked for."
        return "A person approved what it asked for." if self.approved else None

    def right(self, decisions: Sequence[Decision]) -> bool | None:
        if not (self.approved or self.refused):
            return None
        results = {one.capability["id"]: one.result for one in decisions}
        withheld = {ExpansionResult.blocked, ExpansionResult.refused}
        return all(results.get(one) not in withheld for one in self.approved) and all(
            results.get(one) not in _GIVEN for one in self.refused
        )


class ExpansionReplays:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def cases(self, viewer: Viewer, target: Target, most: int) -> list[Case]:
        """The newest wishes in runs that the change is for."""
        if not touches(target):
            return []
        asked = {"id": target.id, "most": most, "audiences": viewer.audiences, "every": EVERY_TASK}
        rows = await self._database.read(cypher.EXPANSIONS, **asked)
        wishes = {row["receipt"]["id"]: _wish(row) for row in rows}
        ids = {each for one in wishes.values() if one for each in one.ids}
        seen = await self._database.read_one(cypher.SEEN, ids=sorted(ids), audiences=viewer.audiences)
        names = {one["id"]: one["name"] for one in seen["seen"]} if seen else {}
        found = [_case(row, wishes[row["receipt"]["id"]], names, target) for row in rows]
        return [one for one in found if one is not None]


def touches(target: Target) -> bool:
    contents = target.contents(target.version) if target.kind.label in HOLDERS else None
    if contents is None:
        return False
    if target.kind.label == "Policy" and target.states[target.version].get("policy_kind") != PolicyKind.capability:
        return False
    before, after = contents
    linked = any(kind in BOUND for kind, _ in before.links ^ after.links)
    return linked or (target.kind.label == "Policy" and bool(differing(before, after)))


def _wish(row: Row) -> Wish | None:
    """None: what decided is not kept, or in words that are no longer known."""
    try:
        return wish_of(row["receipt"]["facts"]) if row["receipt"]["facts"] else None
    except (ValueError, KeyError, TypeError):
        return None


def _case(row: Row, wish: Wish | None, names: Mapping[str, str], target: Target) -> Case | None:
    """None: it is not one that the target had a say in."""
    receipt: Mapping[str, Any] = row["receipt"]
    case = Case(
        kind=CaseKind.expansion,
        id=receipt["id"],
        name=receipt["name"],
        at=receipt["created_at"],
        access=Access.of(receipt),
        recorded=UNREADABLE,
    )
    if wish is None:
        return replace(case, why=UNREADABLE.said)
    if target.kind.label == "Policy" and target.id not in {one["id"] for one in wish.policies}:
        return None
    if wish.ids - names.keys():
        return replace(case, why="It rests on what you may not see, or on what was erased since.")
    return _decided(case, row, wish.named(names), target)


def _decided(case: Case, row: Row, wish: Wish, target: Target) -> Case:
    judged = _judgement(row, wish)
    today = _lane(wish.decided(), judged)
    recorded = replace(_recorded(row, wish), right=today.right)
    case = replace(case, recorded=recorded, judged_by=judged.said)
    changed = _changed(target)
    if unknown := sorted(changed.keys() & _SCOPE):
        return replace(case, why=f"Whether it would have held with another {', '.join(unknown)} is not known.")
    candidate = _lane(_with(target, wish).decided(), judged)
    other = _shuffled(target, wish)
    control = _lane(other.decided(), judged) if other else None
    same = today.key == candidate.key
    why = "The change makes no difference to it." if same else f"Without it: {today.said} With it: {candidate.said}"
    return replace(case, today=today, candidate=candidate, control=control, why=why)


def _changed(target: Target) -> dict[str, Any]:
    contents = target.contents(target.version)
    return differing(*contents) if contents else {}


def _with(target: Target, wish: Wish) -> Wish:
    """The links as they would be, and the policy as the change would have made it at the version that held."""
    contents = target.contents(target.version)
    if contents is None:
        return wish
    before, after = contents
    gone = before.links - after.links
    kept = [one for one in wish.links if one["holder"] != target.id or (one["type"], one["capability"]) not in gone]
    made = [
        {"type": kind, "capability": head, "holder": target.id, "kind": target.kind.label}
        for kind, head in sorted(after.links - before.links)
        if kind in BOUND
    ]
    policies = [_patched(target, one) if one["id"] == target.id else one for one in wish.policies]
    return replace(wish, links=[*kept, *made], policies=policies)


def _shuffled(target: Target, wish: Wish) -> Wish | None:
    """The same links to another capability that the wish knows of, or the same change of another policy that held."""
    contents = target.contents(target.version)
    if contents is None:
        return None
    before, after = contents
    others = [one for one in wish.policies if one["id"] != target.id]
    if target.kind.label == "Policy" and differing(before, after):
        changed = differing(before, after)
        first = others[0]["id"] if others else None
        return (
            replace(wish, policies=[{**one, **changed} if one["id"] == first else one for one in wish.policies])
            if first
            else None
        )
    named = {head for _, head in before.links ^ after.links}
    spare = sorted(one["id"] for one in wish.capabilities if one["id"] not in named)
    if not spare:
        return None
    made = [
        {"type": kind, "capability": spare[0], "holder": target.id, "kind": target.kind.label}
        for kind, _ in sorted(after.links - before.links)
        if kind in BOUND
    ]
    gone = {kind for kind, _ in before.links - after.links}
    kept = [
        one
        for one in wish.links
        if (one["holder"], one["capability"]) != (target.id, spare[0]) or one["type"] not in gone
    ]
    return replace(wish, links=[*kept, *made])


def _patched(target: Target, held: Mapping[str, Any]) -> dict[str, Any]:
    contents = target.contents(held["version"]) or target.contents(target.version)
    return {**held, **(differing(*contents) if contents else {})}


def _judgement(row: Row, wish: Wish) -> Judgement:
    receipt, said = row["receipt"], {one["key"]: one["status"] for one in row["gates"]}
    keys = {one: gate_key(receipt["module_key"], receipt["activation_seq"], one) for one in wish.wanted}
    approved, refused = (
        frozenset(one for one, key in keys.items() if said.get(key) == status)
        for status in (GateStatus.approved, GateStatus.rejected)
    )
    return Judgement(approved, refused)


_LINKED = {
    "ADDED": frozenset({ExpansionResult.added}),
    "BLOCKED": frozenset({ExpansionResult.blocked, ExpansionResult.refused}),
    "ASKED_FOR": frozenset({ExpansionResult.approval_required}),
}


def _recorded(row: Row, wish: Wish) -> Lane:
    """As the receipt's links say it; what was mounted already has none."""
    links = {one["capability"]: one["type"] for one in row["links"]}
    return _told([(one, links.get(one, "MOUNTED")) for one in wish.wanted], _names(wish))


def _names(wish: Wish) -> dict[str, str]:
    return {one["id"]: one["name"] for one in wish.capabilities}


def _lane(decisions: Sequence[Decision], judged: Judgement) -> Lane:
    kinds = [(one.capability["id"], _kind(one.result)) for one in decisions]
    lane = _told(kinds, {one.capability["id"]: one.capability["name"] for one in decisions})
    return replace(lane, right=judged.right(decisions))


def _kind(result: ExpansionResult) -> str:
    return next((kind for kind, results in _LINKED.items() if result in results), "MOUNTED")


_WORDS = {"ADDED": "is added", "BLOCKED": "is refused", "ASKED_FOR": "waits for a person", "MOUNTED": "is mounted"}


def _told(kinds: Sequence[tuple[str, str]], names: Mapping[str, str]) -> Lane:
    said = "; ".join(f"{names[one]} {_WORDS[kind]}" for one, kind in kinds)
    return Lane(tuple(sorted(kinds)), f"{said}.")
