"""Who may approve what, and after which replay. Plain functions over facts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graph_schema.learning.proposal_words import ApprovalPolicy, ProposalState, Risk
from service.learning.errors import (
    ArchitectRequired,
    CasesMissing,
    EvaluationMissing,
    NotReplayed,
    OwnProposal,
    ProposalSettled,
    RegressionsOpen,
)

Values = Mapping[str, Any]
WAITING = frozenset({ProposalState.candidate.value, ProposalState.staged.value})


def check_open(proposal: Values) -> None:
    if proposal["proposal_state"] not in WAITING:
        raise ProposalSettled(proposal["proposal_state"], "candidate or staged")


@dataclass(frozen=True, slots=True)
class Reviewer:
    """Who decides, and whether they administer."""

    id: str
    administers: bool


def check_approval(
    proposal: Values, replay: Values | None, reviewer: Reviewer, acknowledged: str | None, result: str | None
) -> None:
    """Low and medium risk: a curator who knows the replay. High: another than its author, and nothing left open; where
    it bears on security, an administrator."""
    check_open(proposal)
    if proposal["approval_policy"] == ApprovalPolicy.architect_review and not reviewer.administers:
        raise ArchitectRequired(proposal["risk_because"])
    if proposal["requires_eval"] and not (result or proposal.get("eval_result_ref")):
        raise EvaluationMissing
    if replay is None or replay["proposal_hash"] != proposal["candidate_hash"]:
        raise NotReplayed
    if proposal["risk"] != Risk.high:
        return
    if proposal.get("proposed_by") == reviewer.id:
        raise OwnProposal
    if replay["missing"] or replay["truncated"] or proposal.get("cannot_be_replayed"):
        raise CasesMissing(replay["id"], replay["missing"])
    if replay["regressed"] and acknowledged != replay["id"]:
        raise RegressionsOpen(replay["id"], replay["regressed"])


def may_apply_by_itself(proposal: Values, replay: Values | None, *, allowed: bool) -> bool:
    """Low risk, where the operator allows it: replayed in full, and nothing got worse."""
    if not allowed or proposal["risk"] != Risk.low or proposal["proposal_state"] != ProposalState.staged:
        return False
    whole = replay is not None and not replay["truncated"] and not replay["missing"]
    return bool(replay) and whole and not replay["regressed"] and not proposal["requires_eval"]
