"""Replays: what a proposal would have done to what was decided in the past, case by case."""

from graph_schema.learning.proposal_words import CaseKind, CaseResult, CaseVerdict
from graph_schema.model.fields import EvidenceLayer, Key, LongText, Text, Timestamp, field
from graph_schema.model.record import Record


class Replay(Record):
    """A proposal, run over the recorded decisions that it would have touched."""

    label = "Replay"
    plural = "replays"
    prefix = "repl"
    layer = EvidenceLayer.learning
    colour = "#6fb3b8"

    proposal_id: Key = field("The proposal.", indexed=True, authored=False)
    proposal_hash: Key = field("Hash of the change that was replayed.", authored=False)
    target_version: int = field("Version of its target at the time.", authored=False, ge=1)
    replayed_at: Timestamp = field("When.", ordered=True, authored=False)
    rules: Key = field("Names and versions of the rules of the second lane.", authored=False)
    looked_at: int = field("Recorded decisions that were looked at.", authored=False, ge=0)
    repaired: int = field("Cases that were wrong and would be right.", authored=False, ge=0)
    regressed: int = field("Cases that were right and would be wrong.", authored=False, ge=0)
    changed: int = field("Cases that would come out otherwise, and nobody said which was right.", authored=False, ge=0)
    same: int = field("Cases that would come out the same.", authored=False, ge=0)
    missing: int = field("Cases that could not be replayed.", authored=False, ge=0)
    drifted: int = field(
        "Cases that today's rules decide otherwise than was recorded, without the change.", authored=False, ge=0
    )
    control_tried: int = field(
        "Cases on which the same change of something else was tried.", default=0, authored=False, ge=0
    )
    control_repaired: int = field("Cases that the same change of something else would repair.", authored=False, ge=0)
    control_regressed: int = field("Cases that it would spoil.", authored=False, ge=0)
    control_changed: int = field("Cases that it would change.", authored=False, ge=0)
    truncated: bool = field("Whether there were more cases than were looked at.", authored=False)
    statement: Text = field("What came of it, in sentences.", authored=False)
    replayed_by: Key | None = field("Principal that asked for it.", default=None, authored=False)


class ReplayCase(Record):
    """One recorded decision in three lanes: as it was recorded, by today's rules, and with the change."""

    label = "ReplayCase"
    plural = "replay_cases"
    prefix = "rcase"
    layer = EvidenceLayer.learning
    colour = "#9ccdd1"

    case_kind: CaseKind = field("What was decided.", authored=False)
    decided_id: Key = field("The recorded decision.", filtered=True, authored=False)
    result: CaseResult = field("What the change would have done.", filtered=True, authored=False)
    verdict: CaseVerdict = field("What people made of the decision then.", authored=False)
    judged_by: Text | None = field("How that is known.", default=None, authored=False)
    recorded: LongText = field("What was recorded.", authored=False)
    today: LongText | None = field("What today's rules say of the same facts.", default=None, authored=False)
    candidate: LongText | None = field("What they say with the change.", default=None, authored=False)
    drift: bool = field("Whether the first two differ: that is not the change's doing.", filtered=True, authored=False)
    reason: Text = field("Why it comes out so, in a sentence.", authored=False)
    decided_at: Timestamp = field("When the decision was recorded.", authored=False)
