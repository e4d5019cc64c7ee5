"""Replaying a proposal: its cases are worked out first, then kept in one transaction with what came of them."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from graph_schema.learning.proposal_words import CaseKind, CaseResult, ProposalState
from graph_schema.model.fields import LONG_TEXT_LENGTH, NAME_LENGTH, TEXT_LENGTH
from service.access.audience import Access
from service.access.viewer import KeyScope, Viewer
from service.capability import Services
from service.commands import Commands, Outcome, RecordRef, Request, State, Work
from service.commands.errors import RecordMissing
from service.context.packets.rules import RULES
from service.graph.database import Database
from service.learning.errors import ProposalStale
from service.learning.proposals.commands import Found, Proposals
from service.learning.proposals.propose import content, known
from service.learning.proposals.steps import Step
from service.learning.replay import cypher
from service.learning.replay.cases import Case, count, told
from service.learning.replay.change import Target, target_of
from service.learning.replay.evaluations import EvaluationReplays
from service.learning.replay.expansions import ExpansionReplays
from service.learning.replay.intake import IntakeReplays
from service.learning.replay.matches import MatchReplays
from service.learning.replay.modes import ModeReplays
from service.learning.replay.packets import PacketReplays
from service.learning.replay.pasts import OF, PASTS, is_replayable
from service.learning.replay.preflights import PreflightReplays
from service.learning.replay.runs import RunReplays
from service.matching.kept import RANKER


class Replays:
    def __init__(self, commands: Commands, database: Database, proposals: Proposals, services: Services) -> None:
        self._commands = commands
        self._database = database
        self._proposals = proposals
        self._services = services

    async def replay(self, viewer: Viewer, proposal_id: str, *, command_id: str | None = None) -> Outcome:
        """Run a proposal over the past that its asker may see, and keep every case. Told again, nothing is run: the
        past has more in it by then."""
        found = await self._proposals.find(viewer, proposal_id)
        target = await self.target(viewer, found.values["target_id"], found.steps)
        request = Request(
            "replayProposal",
            KeyScope.curate,
            {"proposal": proposal_id},
            reads=[RecordRef(id=target.id), *(RecordRef(id=one) for one in found.heads)],
            changes=[RecordRef(id=proposal_id)],
            command_id=command_id,
        )
        if done := await self._commands.answered(viewer, request):
            return done
        cases, truncated = await self.cases(viewer, target, found.values)
        beside = await self._beside(viewer, target)

        async def plan(work: Work) -> dict[str, Any]:
            return await _keep(work, found, target, _Report(cases, truncated, beside))

        return await self._commands.execute(viewer, request, plan)

    async def target(self, viewer: Viewer, target_id: str, steps: Sequence[Step]) -> Target:
        heads = [one.head_id for one in steps if one.head_id]
        row = await self._database.read_one(cypher.STATES, id=target_id, heads=heads, audiences=viewer.audiences)
        if row is None:
            raise RecordMissing(RecordRef(id=target_id), "target")
        return target_of(row, target_id, steps)

    async def cases(
        self, viewer: Viewer, target: Target, proposal: Mapping[str, Any] | None = None
    ) -> tuple[list[Case], bool]:
        """All that the change would have touched, and whether there is more than was looked at."""
        database = self._database
        asked = {
            CaseKind.match: MatchReplays(database, self._services.ground).cases,
            CaseKind.mode_decision: ModeReplays(database, self._services.ground).cases,
            CaseKind.context_packet: PacketReplays(database).cases,
            CaseKind.run: RunReplays(database).cases,
            CaseKind.intake: IntakeReplays(database).cases,
            CaseKind.preflight: PreflightReplays(database).cases,
            CaseKind.expansion: ExpansionReplays(database).cases,
        }
        label = target.kind.label
        pasts = [one for one in PASTS if one.kind in asked and label in one.targets]
        found = await asyncio.gather(*(asked[one.kind](viewer, target, one.most + 1) for one in pasts))
        limits = [one.most for one in pasts]
        if proposal is not None:
            most = OF[CaseKind.evaluation].most
            found.append(await EvaluationReplays(database).cases(viewer, proposal, most + 1))
            limits.append(most)
        truncated = any(len(one) > limit for one, limit in zip(found, limits, strict=True))
        return [case for one, limit in zip(found, limits, strict=True) for case in one[:limit]], truncated

    async def _beside(self, viewer: Viewer, target: Target) -> str:
        if not any(one.field for one in target.steps):
            return ""
        unweighed = await MatchReplays(self._database, self._services.ground).unweighed(viewer, target)
        if not unweighed:
            return ""
        return f" {unweighed:,} kept matches did not weigh it; whether it would have come into them is not known."


class _Report:
    def __init__(self, cases: Sequence[Case], truncated: bool, beside: str) -> None:
        self.cases = cases
        self.truncated = truncated
        self.count = count(cases)
        self.statement = told(self.count, truncated=truncated, beside=beside)[:TEXT_LENGTH]

    def values(self) -> dict[str, Any]:
        results, control = self.count.results, self.count.control
        return {
            "looked_at": self.count.looked_at,
            "repaired": results[CaseResult.repaired],
            "regressed": results[CaseResult.regressed],
            "changed": results[CaseResult.changed],
            "same": results[CaseResult.same],
            "missing": results[CaseResult.could_not_be_replayed],
            "drifted": self.count.drifted,
            "control_tried": sum(control.values()),
            "control_repaired": control[CaseResult.repaired],
            "control_regressed": control[CaseResult.regressed],
            "control_changed": control[CaseResult.changed],
            "truncated": self.truncated,
            "statement": self.statement,
        }


async def _keep(work: Work, found: Found, target: Target, report: _Report) -> dict[str, Any]:
    proposal = known(work, RecordRef(id=found.id), "proposal_id", ("Proposal",))
    state = work.existing(RecordRef(id=target.id), "target")
    if (await content(work, state, found.steps)).hash() != proposal.properties["prior_hash"]:
        raise ProposalStale(target.id)
    decided = {one.id: _decision(work, one) for one in report.cases}
    sources = [proposal, *{Access.of(one.properties): one for one in decided.values()}.values()]
    values = {
        **report.values(),
        "name": f"Replay: {proposal.properties['name']}"[:NAME_LENGTH],
        "proposal_id": proposal.id,
        "proposal_hash": proposal.properties["candidate_hash"],
        "target_version": state.version,
        "replayed_at": work.at,
        "rules": f"{RANKER}; {RULES}",
        "replayed_by": work.viewer.principal_id,
    }
    replay = work.create(work.registry.types["Replay"], values, sources)
    for one in report.cases:
        case = work.create(work.registry.types["ReplayCase"], _values(one), sources)
        work.link(replay, "HAS_CASE", case)
        work.link(case, "REDECIDES", decided[one.id])
    staged = _staged(work, proposal, target)
    work.link(replay, "REPLAYS", staged)
    return {"id": replay.id, "version": replay.version}


def _staged(work: Work, proposal: State, target: Target) -> State:
    """It was replayed; or it is stated why nothing of the past can tell."""
    if proposal.properties["proposal_state"] != ProposalState.candidate:
        return proposal
    why = None
    if not is_replayable(target.kind.label, target.states[target.version].get("policy_kind")):
        why = f"Nothing that is kept of the past tells what a change of this {target.kind.label} would have done."
    return work.update(
        proposal, {"proposal_state": ProposalState.staged.value, "cannot_be_replayed": why}, event="staged"
    )


def _decision(work: Work, case: Case) -> State:
    """The decision as far as a link to it asks."""
    kind = work.registry.type_of_id(case.id) or work.registry.types[OF[case.kind].label]
    return State(kind, (kind.label, "Record"), {"id": case.id, **case.access.values()})


def _values(case: Case) -> dict[str, Any]:
    lanes = {"recorded": case.recorded, "today": case.today, "candidate": case.candidate}
    told = {
        **{name: lane.said[:LONG_TEXT_LENGTH] for name, lane in lanes.items() if lane is not None},
        "name": case.name[:NAME_LENGTH],
        "case_kind": case.kind.value,
        "decided_id": case.id,
        "result": case.result.value,
        "verdict": case.verdict.value,
        "judged_by": case.judged_by,
        "drift": case.drift,
        "reason": case.why[:TEXT_LENGTH],
        "decided_at": case.at,
    }
    return {name: value for name, value in told.items() if value is not None}
