"""What a reviewer looks at first: what helps most, then what has waited longest. Pure; the rule has a name."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graph_schema.learning.proposal_words import ApprovalPolicy, ProposalState, Risk
from service import clock

RULE = "review 1"
REPAIRED, REGRESSED, AGE_HALVES = 2.0, 3.0, 14.0
"""A repaired case is worth two pieces of evidence; a spoiled one costs three. A fortnight of waiting is worth one."""

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Ranked:
    """How far up a proposal stands, with the reasons."""

    value: float
    reasons: tuple[str, ...]


def ranked(proposal: Values, replay: Values | None, now: str) -> Ranked:
    days = max(0.0, (clock.parse(now) - clock.parse(proposal["created_at"])).total_seconds() / 86_400)
    support, counter = proposal["support_count"], proposal["counter_count"]
    repaired, regressed = (replay["repaired"], replay["regressed"]) if replay else (0, 0)
    value = support - counter + REPAIRED * repaired - REGRESSED * regressed + days / AGE_HALVES
    reasons = [f"{support:,} for it, {counter:,} against it"]
    if replay is not None:
        reasons.append(f"replayed: {repaired:,} repaired, {regressed:,} worse, {replay['missing']:,} not replayable")
    elif proposal["proposal_state"] == ProposalState.candidate:
        reasons.append("not replayed yet")
    reasons.append(f"waiting for {math.floor(days):,} days")
    return Ranked(round(value, 4), tuple(reasons))


def next_step(proposal: Values, replay: Values | None) -> str:
    """What somebody has to do with it."""
    state = proposal["proposal_state"]
    if state == ProposalState.candidate:
        return "Replay it (replayProposal)."
    if state == ProposalState.approved:
        return "Apply it (applyProposal)."
    who = "An administrator" if proposal["approval_policy"] == ApprovalPolicy.architect_review else "Somebody"
    if proposal["risk"] == Risk.high and replay and replay["regressed"]:
        looks = "looks at the cases that get worse, and acknowledges them or rejects it"
        return f"{who} other than its author {looks} (reviewProposal)."
    if proposal["risk"] == Risk.high:
        return f"{who} other than its author decides (reviewProposal)."
    return "Decide (reviewProposal)."
