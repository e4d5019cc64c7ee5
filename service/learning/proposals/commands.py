"""The commands on proposals: propose, review, apply, roll back. Each is one transaction, once, with an event."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import orjson

from graph_schema.learning.proposal_words import PromotedBy, ProposalKind, ProposalOrigin, ProposalState, WatchOutcome
from graph_schema.model.fields import NAME_LENGTH
from graph_schema.model.times import TimeUnreadable, read_time
from service import clock
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, State, Work
from service.commands.agents import check_command
from service.commands.engine import Plan
from service.commands.errors import InputInvalid, RecordMissing, TimeInvalid
from service.graph.database import Database
from service.learning.errors import ProposalSettled, ProposalStale, RollbackStale, not_approved
from service.learning.proposals import cypher
from service.learning.proposals.applying import Changing
from service.learning.proposals.blueprint_patch import BLUEPRINT, ids_of, read_parts
from service.learning.proposals.evaluated import check_evaluated
from service.learning.proposals.gates import Reviewer, check_approval, check_open
from service.learning.proposals.inputs import ProposalInput, ReviewDecision, ReviewInput
from service.learning.proposals.propose import (
    content,
    known,
    links_of,
    origin_of,
    own_refs,
    propose,
    refs_of,
    steps_of,
    validated_by,
    whole,
)
from service.learning.proposals.steps import Step, content_of, patched
from service.learning.proposals.targets import promoted
from service.library.commands import content_of as content_of_input
from service.records import Hooks

APPLIED = "task.design_learning.proposal.applied"
ROLLED_BACK = "task.design_learning.proposal.rolled_back"
WATCHED_EVENT = "task.design_learning.proposal.watched"
WATCHED = timedelta(days=30)
SNOOZED = timedelta(days=7)
"""Until then nobody sees what was put off, where nobody says until when."""


@dataclass(frozen=True, slots=True)
class Found:
    """A kept proposal as its reader sees it: the record, its steps, its last replay and its entry in the ledger."""

    values: Mapping[str, Any]
    steps: Sequence[Step]
    replay: Mapping[str, Any] | None
    promotion: Mapping[str, Any] | None

    @property
    def id(self) -> str:
        return self.values["id"]

    @property
    def heads(self) -> list[str]:
        return sorted({one.head_id for one in self.steps if one.head_id is not None})

    @property
    def reads(self) -> list[str]:
        """What its steps lead to; of an applied one also what a step of a blueprint led to before."""
        entry = self.promotion if self.values["proposal_state"] == ProposalState.applied else None
        back: dict[str, Any] = orjson.loads(entry["rollback"])["values"] if entry else {}
        parts = ids_of(read_parts(back[BLUEPRINT])) if back.get(BLUEPRINT) else set[str]()
        return sorted({*self.heads, *parts})


class Proposals:
    def __init__(self, commands: Commands, database: Database, hooks: Hooks) -> None:
        self._commands = commands
        self._database = database
        self._hooks = hooks

    async def propose(
        self,
        viewer: Viewer,
        given: ProposalInput,
        *,
        rule: str | None = None,
        command_id: str | None = None,
    ) -> Outcome:
        """Keep a proposal. `rule`: which rule of ours made it, when nobody did."""

        async def plan(work: Work) -> dict[str, Any]:
            origin = ProposalOrigin.rule if rule else origin_of(work)
            made = await propose(work, given, origin, rule)
            return {"id": made.id, "version": made.version}

        told = {"proposal": content_of_input(given), "rule": rule}
        request = Request("proposeChange", KeyScope.curate, told, reads=refs_of(given), command_id=command_id)
        return await self._commands.execute(viewer, request, plan)

    async def review(self, viewer: Viewer, given: ReviewInput, *, command_id: str | None = None) -> Outcome:
        """Approve, reject or put off. A decision is a person's."""
        found = await self.find(viewer, given.proposal_id)
        until = _until(given)
        if given.decision is ReviewDecision.keep:
            return await self._keep(viewer, found, given, command_id)

        async def plan(work: Work) -> dict[str, Any]:
            proposal = known(work, RecordRef(id=found.id), "proposal_id", ("Proposal",))
            if given.decision is ReviewDecision.approve:
                check_approval(
                    proposal.properties,
                    found.replay,
                    Reviewer(viewer.principal_id, KeyScope.admin in viewer.scopes),
                    given.acknowledged_replay_id,
                    given.eval_result_ref,
                )
                await check_evaluated(work, proposal.properties, given.eval_result_ref)
            else:
                check_open(proposal.properties)
            after = work.update(proposal, _decided(given, viewer, until, work.at), event=given.decision.value)
            for one in validated_by(work, given.eval_result_ref):
                work.link(after, "VALIDATED_BY", one)
            return {"id": after.id, "version": after.version}

        request = Request(
            "reviewProposal",
            KeyScope.curate,
            content_of_input(given),
            reads=own_refs(given.eval_result_ref),
            changes=[RecordRef(id=found.id)],
            command_id=command_id,
        )
        return await self._commands.execute(viewer, request, plan)

    async def _keep(self, viewer: Viewer, found: Found, given: ReviewInput, command_id: str | None) -> Outcome:
        """What was applied stays, whatever the watch says of it; the ledger keeps who said so."""
        check_command(viewer, "reviewProposal")
        state, entry = found.values["proposal_state"], found.promotion
        if state != ProposalState.applied or entry is None:
            raise ProposalSettled(state, "applied")

        async def plan(work: Work) -> dict[str, Any]:
            told = {"kept_by": work.viewer.principal_id, "kept_at": work.at}
            work.update(work.existing(RecordRef(id=entry["id"]), "proposal_id"), told, event="kept")
            return {"id": found.id, "version": found.values["version"]}

        request = Request(
            "reviewProposal",
            KeyScope.curate,
            content_of_input(given),
            reads=[RecordRef(id=found.id)],
            changes=[RecordRef(id=entry["id"])],
            command_id=command_id,
        )
        return await self._commands.execute(viewer, request, plan)

    async def watch(self, viewer: Viewer, promotion: str, outcome: WatchOutcome, sentence: str) -> Outcome:
        """Enter what became of the promise, and tell it; the same is told once."""

        async def plan(work: Work) -> dict[str, Any]:
            entry = work.existing(RecordRef(id=promotion), "promotion", ["Promotion"])
            told = {"watch_outcome": outcome.value, "watch_sentence": sentence, "watched_at": work.at}
            after = work.update(entry, told, event=WATCHED_EVENT)
            return {"id": after.id, "version": after.version}

        content = {"promotion": promotion, "outcome": outcome.value, "sentence": sentence}
        request = Request("watchProposal", KeyScope.curate, content, changes=[RecordRef(id=promotion)])
        return await self._commands.execute(viewer, request, plan)

    async def apply(
        self, viewer: Viewer, proposal_id: str, *, by_policy: bool = False, command_id: str | None = None
    ) -> Outcome:
        """Change the target as was approved; refused when it has moved since."""
        found = await self.find(viewer, proposal_id)

        async def plan(work: Work) -> dict[str, Any]:
            return await _apply(work, self._hooks, found, by_policy=by_policy)

        return await self._on_target(
            viewer, "applyProposal", found, {"by_policy": by_policy, "command_id": command_id}, plan
        )

    async def roll_back(
        self, viewer: Viewer, proposal_id: str, reason: str | None, *, command_id: str | None = None
    ) -> Outcome:
        """Bring the target back to exactly what it was before the proposal was applied."""
        found = await self.find(viewer, proposal_id)

        async def plan(work: Work) -> dict[str, Any]:
            return await _roll_back(work, self._hooks, found, reason)

        return await self._on_target(
            viewer, "rollBackProposal", found, {"reason": reason, "command_id": command_id}, plan
        )

    async def find(self, viewer: Viewer, proposal_id: str) -> Found:
        row = await self._database.read_one(cypher.PROPOSAL, id=proposal_id, audiences=viewer.audiences)
        if row is None:
            raise RecordMissing(RecordRef(id=proposal_id), "proposal_id")
        replay, promotion = (next(iter(row[name]), None) for name in ("replays", "promotions"))
        return Found(row["proposal"], steps_of(row["steps"]), replay, promotion)

    async def _on_target(self, viewer: Viewer, name: str, found: Found, told: Mapping[str, Any], plan: Plan) -> Outcome:
        changes = [RecordRef(id=found.id), RecordRef(id=found.values["target_id"])]
        if found.promotion:
            changes.append(RecordRef(id=found.promotion["id"]))
        request = Request(
            name,
            KeyScope.curate,
            {"proposal": found.id, **{name: one for name, one in told.items() if name != "command_id"}},
            reads=[RecordRef(id=one) for one in found.reads],
            changes=changes,
            command_id=told.get("command_id"),
        )
        return await self._commands.execute(viewer, request, plan)


def _until(given: ReviewInput) -> str | None:
    if given.decision is not ReviewDecision.snooze:
        return None
    if given.snooze_until is None:
        return clock.stamp(clock.parse(clock.now()) + SNOOZED)
    until = _time_to_come(given.snooze_until)
    if until <= clock.now():
        raise InputInvalid("snooze_until", "lies in the past")
    return until


def _time_to_come(given: str) -> str:
    """A time to come, as any time is read."""
    try:
        return read_time(given)
    except TimeUnreadable as error:
        raise TimeInvalid("snooze_until", error) from None


_STATES = {
    ReviewDecision.approve: ProposalState.approved,
    ReviewDecision.reject: ProposalState.rejected,
    ReviewDecision.never_again: ProposalState.rejected,
}


def _decided(given: ReviewInput, viewer: Viewer, until: str | None, at: str) -> dict[str, Any]:
    if given.decision is ReviewDecision.snooze:
        return {"snoozed_until": until}
    told: dict[str, Any] = {
        "proposal_state": _STATES[given.decision].value,
        "decided_by": viewer.principal_id,
        "decided_as": _standing(viewer).value,
        "decided_at": at,
        "decision_reason": given.reason,
        "never_again": given.decision is ReviewDecision.never_again,
        "snoozed_until": None,
    }
    if given.eval_result_ref:
        told["eval_result_ref"] = given.eval_result_ref
    if given.decision is ReviewDecision.approve and given.acknowledged_replay_id:
        told |= {"acknowledged_by": viewer.principal_id, "acknowledged_replay_id": given.acknowledged_replay_id}
    return told


def _states(work: Work, found: Found) -> tuple[State, State, dict[str, State]]:
    proposal = known(work, RecordRef(id=found.id), "proposal_id", ("Proposal",))
    target = work.existing(RecordRef(id=found.values["target_id"]), "target")
    heads = {one: state for one in found.heads if (state := work.find(RecordRef(id=one), "steps"))}
    for one in found.heads:
        if one not in heads:
            raise RecordMissing(RecordRef(id=one), "steps")
    return proposal, target, heads


async def _apply(work: Work, hooks: Hooks, found: Found, *, by_policy: bool) -> dict[str, Any]:
    proposal, target, heads = _states(work, found)
    state = proposal.properties["proposal_state"]
    wanted = ProposalState.staged if by_policy else ProposalState.approved
    if state != wanted:
        raise not_approved(target.type.label, state)
    held = await links_of(work, target, found.steps)
    told = content_of(target.type, target.properties, ((one["type"], one["head"]) for one in held))
    before = await whole(work, target, found.steps, told)
    if before.hash() != proposal.properties["prior_hash"]:
        raise ProposalStale(target.id)
    after = patched(before, found.steps)
    applied = await Changing(work, hooks, target, heads).apply(before, after, found.steps, held)
    settled = work.update(proposal, {"proposal_state": ProposalState.applied.value}, event=APPLIED)
    for step in hooks.after_save:
        await step(work, proposal, settled)
    entered = {
        **_entry(work, found, by_policy=by_policy),
        "prior_version": target.version,
        "applied_version": applied.after.version,
        "rollback": orjson.dumps(applied.back).decode(),
    }
    entry = work.create(work.registry.types["Promotion"], entered, [settled, *applied.named])
    work.link(entry, "APPLIED", settled)
    return {"id": settled.id, "version": settled.version, "promotion": entry.id, "target": target.id}


def _entry(work: Work, found: Found, *, by_policy: bool) -> dict[str, Any]:
    values, replay = found.values, found.replay or {}
    return {
        key: value
        for key, value in {
            "name": f"Applied: {values['name']}"[:NAME_LENGTH],
            "target_kind": promoted(ProposalKind(values["proposal_kind"]), values["target_kind"]).value,
            "target_id": values["target_id"],
            "prior_hash": values["prior_hash"],
            "candidate_hash": values["candidate_hash"],
            "validation_dataset_id": values.get("validation_dataset_id") or values.get("eval_suite_ref"),
            "validation_score_summary": replay.get("statement") or values.get("cannot_be_replayed") or "Not replayed.",
            "eval_result_ref": values.get("eval_result_ref"),
            "replay_id": replay.get("id"),
            "approved_by": PromotedBy.policy_auto.value if by_policy else _approver(values),
            "approved_by_id": values.get("decided_by") or work.viewer.principal_id,
            "applied_by": work.viewer.principal_id,
            "applied_at": work.at,
            "watched_until": clock.stamp(clock.parse(work.at) + WATCHED),
        }.items()
        if value is not None
    }


def _approver(values: Mapping[str, Any]) -> str:
    """As what it was approved; of what was approved before that was kept, a curator's word is known."""
    return values.get("decided_as") or PromotedBy.user.value


def _standing(viewer: Viewer) -> PromotedBy:
    return PromotedBy.architect if KeyScope.admin in viewer.scopes else PromotedBy.user


async def _roll_back(work: Work, hooks: Hooks, found: Found, reason: str | None) -> dict[str, Any]:
    proposal, target, heads = _states(work, found)
    state = proposal.properties["proposal_state"]
    entry = work.find(RecordRef(id=found.promotion["id"]), "proposal_id") if found.promotion else None
    if state != ProposalState.applied or entry is None:
        raise ProposalSettled(state, "applied")
    if (await content(work, target, found.steps)).hash() != proposal.properties["candidate_hash"]:
        raise RollbackStale(target.id)
    await Changing(work, hooks, target, heads).roll_back(orjson.loads(entry.properties["rollback"]))
    back = {"rolled_back_at": work.at, "rolled_back_by": work.viewer.principal_id, "rollback_reason": reason}
    work.update(entry, back, event="rolled_back")
    after = work.update(proposal, {"proposal_state": ProposalState.rolled_back.value}, event=ROLLED_BACK)
    return {"id": after.id, "version": after.version, "target": target.id}
