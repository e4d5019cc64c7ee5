"""Context packets, made again from what they keep: by today's rules, and with the change."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from graph_schema.context.words import FeedbackVerdict
from graph_schema.learning.proposal_words import CaseKind
from graph_schema.model.record import HIDDEN_STATES
from service.access.audience import Access
from service.access.viewer import Viewer
from service.context.inspection import cypher as inspection
from service.context.inspection.errors import PacketNotKept
from service.context.inspection.kept import Kept, kept_of
from service.context.packets.errors import BudgetTooSmall
from service.context.packets.facts import Facts
from service.context.packets.rules import decide
from service.graph.database import Database, Row
from service.learning.proposals.steps import differing
from service.learning.replay import cypher
from service.learning.replay.cases import UNREADABLE, Case, Lane
from service.learning.replay.change import Target

IN_PACKETS = frozenset({"Preference", "Procedure", "Memory", "Pattern", "Template"})
_LISTS = {
    "task_types": "task_types",
    "domains": "domains",
    "trigger_kinds": "trigger_kinds",
    "side_effect_classes": "side_effects",
}
_WITHOUT_EFFECT = frozenset({"rationale", "evidence_refs", "learned_from_refs", "known_strengths", "lifecycle_state"})
_WANTED = frozenset({
    FeedbackVerdict.helpful, FeedbackVerdict.missing, FeedbackVerdict.should_have_been_included,
})  # fmt: skip
_HIDDEN = frozenset(one.value for one in HIDDEN_STATES)


class PacketReplays:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def cases(self, viewer: Viewer, target: Target, most: int) -> list[Case]:
        if target.kind.label not in IN_PACKETS:
            return []
        found = await self._database.read(cypher.PACKETS, id=target.id, most=most, audiences=viewer.audiences)
        packets = {row["id"]: row for row in found}
        if not packets:
            return []
        [row] = await self._database.read(inspection.KEPT, ids=[*packets], audiences=viewer.audiences)
        return [_case(one, packets[one["packet"]["id"]], target) for one in row["found"]]


def _case(row: Row, found: Row, target: Target) -> Case:
    packet, said = row["packet"], next(iter(found["said"]), None)
    told = f"Somebody called it {said.replace('_', ' ')} there." if said else None
    injected = [one["id"] for one in sorted(row["receipts"], key=lambda one: one["rank"] or 0) if one["injected"]]
    case = Case(
        kind=CaseKind.context_packet,
        id=packet["id"],
        name=packet["name"],
        at=packet["created_at"],
        access=Access.of(found),
        recorded=_lane(injected, target.id, said),
        judged_by=told,
    )
    try:
        kept = kept_of(row)
    except PacketNotKept as error:
        return replace(case, why=error.message)
    except (ValueError, KeyError, TypeError):
        return replace(case, why=UNREADABLE.said)
    if kept.withheld or kept.erased:
        return replace(case, why="It holds what you may not see, or what was erased since.")
    version = kept.receipts[target.id].version
    contents = target.contents(version)
    if contents is None:
        return replace(case, why="What the record said at the time is not kept.")
    changed = differing(*contents)
    if unknown := sorted(name for name in changed if name not in _LISTS and name not in _WITHOUT_EFFECT):
        return replace(case, why=f"How {', '.join(unknown)} would have compared is not known from what it keeps.")
    return _decided(case, kept, target.id, changed, said)


def _decided(case: Case, kept: Kept, target_id: str, changed: dict[str, Any], said: str | None) -> Case:
    others = sorted(one.id for one in kept.facts if one.id != target_id)
    chosen = next((one for one in others if one > target_id), others[0] if others else None)
    try:
        today = _taken(kept, kept.facts)
        candidate = _taken(kept, _patched(kept.facts, target_id, changed))
        control = _taken(kept, _patched(kept.facts, chosen, changed)) if chosen else None
    except BudgetTooSmall as error:
        return replace(case, why=f"The rules of today refuse it: {error.message}")
    lanes = [_lane(one, target_id, said) if one is not None else None for one in (today, candidate, control)]
    differs = today != candidate
    return replace(
        case,
        today=lanes[0],
        candidate=lanes[1],
        control=lanes[2],
        why="What the module is given differs." if differs else "The change makes no difference to it.",
    )


def _taken(kept: Kept, facts: Sequence[Facts]) -> list[str]:
    return [one.id for one in decide([*facts], kept.ground).taken]


def _patched(facts: Sequence[Facts], target_id: str, changed: dict[str, Any]) -> list[Facts]:
    gone = changed.get("lifecycle_state") in _HIDDEN
    return [_one(one, changed) if one.id == target_id else one for one in facts if not (gone and one.id == target_id)]


def _one(facts: Facts, changed: dict[str, Any]) -> Facts:
    lists = {_LISTS[name]: tuple(value or ()) for name, value in changed.items() if name in _LISTS}
    return replace(facts, **lists)


def _lane(taken: Sequence[str], target_id: str, said: str | None) -> Lane:
    injected = target_id in taken
    right = None if said is None else injected == (said in _WANTED)
    where = f"injected at place {taken.index(target_id) + 1} of {len(taken)}" if injected else "kept out"
    return Lane(tuple(taken), f"It was {where}.", right)
