"""Proposals: a change of one record, step by step, with its evidence, its risk and what became of it."""

from types import MappingProxyType

from graph_schema.learning.proposal_words import (
    ApprovalPolicy,
    Operation,
    PromotedBy,
    PromotedKind,
    ProposalKind,
    ProposalOrigin,
    ProposalState,
    ProposalUpdate,
    Risk,
    WatchOutcome,
)
from graph_schema.model.fields import EvidenceLayer, Key, Keys, LongText, Opaque, Text, Timestamp, field
from graph_schema.model.record import Record


class Proposal(Record):
    """A change that somebody or a rule proposes. Nothing of it holds until it is applied."""

    label = "Proposal"
    plural = "proposals"
    prefix = "prop"
    layer = EvidenceLayer.learning
    colour = "#e67e9f"
    events = MappingProxyType({"created": "task.design_learning.proposal.created"})

    proposal_kind: ProposalKind = field("What it would improve.", filtered=True, authored=False)
    update_kind: ProposalUpdate = field("What it touches.", authored=False)
    target_id: Key = field("The record that it would change.", indexed=True, authored=False)
    target_kind: Key = field("The type of that record.", filtered=True, authored=False)
    statement: Text = field("What would change, in a sentence.", authored=False)
    rationale: Text = field("Why.", authored=False)
    expected_effect: Text | None = field("What it is hoped to bring about.", default=None, authored=False)
    origin: ProposalOrigin = field("Who made it.", authored=False)
    rule: Key | None = field("Name and version of the rule that made it.", default=None, authored=False)
    proposed_by: Key | None = field("Principal that proposed it.", default=None, authored=False)
    proposal_state: ProposalState = field("Where it stands.", filtered=True, authored=False)
    risk: Risk = field("What it puts at risk, from what it touches.", filtered=True, authored=False)
    risk_because: Text = field("What makes the risk.", authored=False)
    approval_policy: ApprovalPolicy = field("Whose approval it needs.", authored=False)
    prior_hash: Key = field("Hash of what it would change, as it was when it was proposed.", authored=False)
    candidate_hash: Key = field("Hash of the same after the change.", authored=False)
    support_count: int = field("Evidence for it.", default=0, authored=False, ge=0)
    counter_count: int = field("Evidence against it.", default=0, authored=False, ge=0)
    evidence_refs: Keys = field("Where more evidence is kept.", make=list, authored=False)
    evidence_key: Key = field("Hash of its evidence: the same is not proposed twice.", authored=False)
    idea_key: Key = field("Hash of its target and change.", indexed=True, authored=False)
    context_class_key: Key | None = field("The class of context that it is about.", default=None, filtered=True)
    requires_eval: bool = field("Whether results of an evaluation outside are asked for.", default=False)
    eval_suite_ref: Key | None = field("The suite of such an evaluation.", default=None)
    eval_result_ref: Key | None = field("Where its results are kept.", default=None)
    validation_dataset_id: Key | None = field("The frozen dataset that supports it.", default=None, authored=False)
    eval_candidate: Key | None = field("What that calls the change, where it was tried.", default=None, authored=False)
    eval_baseline: Key | None = field("What it calls what there is without it.", default=None, authored=False)
    cannot_be_replayed: Text | None = field("Why nothing of the past tells what it would do.", default=None)
    snoozed_until: Timestamp | None = field("Until when nobody wants to see it.", default=None, authored=False)
    decided_by: Key | None = field("Principal that approved or rejected it.", default=None, authored=False)
    decided_as: PromotedBy | None = field("As what: a curator or an administrator.", default=None, authored=False)
    decided_at: Timestamp | None = field("When that was.", default=None, authored=False)
    decision_reason: Text | None = field("Why.", default=None, authored=False)
    never_again: bool = field("Whether nothing of its kind is to be proposed here again.", default=False)
    acknowledged_by: Key | None = field("Principal that acknowledged its regressions.", default=None, authored=False)
    acknowledged_replay_id: Key | None = field("The replay that showed them.", default=None, authored=False)


class Change(Record):
    """One step of a proposal."""

    label = "Change"
    plural = "changes"
    prefix = "chg"
    layer = EvidenceLayer.learning
    colour = "#f2a7be"

    position: int = field("Its place in the proposal, from 1.", authored=False, ge=1)
    operation: Operation = field("What is done.", authored=False)
    changed_field: Key | None = field("The field that is changed.", default=None, authored=False)
    value: LongText | None = field("What it is set to, gains or loses, as JSON.", default=None, authored=False)
    before: LongText | None = field("What it was when this was proposed, as JSON.", default=None, authored=False)
    relation: Key | None = field("The relation that is made or taken away.", default=None, authored=False)
    head_id: Key | None = field("What that leads to.", default=None, authored=False)
    risk: Risk = field("What this step puts at risk.", authored=False)
    sentence: Text = field("The step, in words.", authored=False)


class Promotion(Record):
    """An entry of the ledger: a proposal was applied, on whose word, and how to go back."""

    label = "Promotion"
    plural = "promotions"
    prefix = "prom"
    layer = EvidenceLayer.learning
    colour = "#c2577a"

    target_kind: PromotedKind = field("What was promoted.", authored=False)
    target_id: Key = field("The record that was changed.", indexed=True, authored=False)
    prior_hash: Key = field("Hash of it before.", authored=False)
    candidate_hash: Key = field("Hash of it after.", authored=False)
    prior_version: int = field("Its version before.", authored=False, ge=1)
    applied_version: int = field("Its version after.", authored=False, ge=1)
    validation_dataset_id: Key | None = field("The data that it was tried on.", default=None, authored=False)
    validation_score_summary: Text = field("What the replay said, in a sentence.", authored=False)
    eval_result_ref: Key | None = field("Where the results of an evaluation are kept.", default=None, authored=False)
    replay_id: Key | None = field("That replay.", default=None, authored=False)
    approved_by: PromotedBy = field("On whose word.", authored=False)
    approved_by_id: Key | None = field("The principal that approved it.", default=None, authored=False)
    applied_by: Key | None = field("The principal that applied it.", default=None, authored=False)
    applied_at: Timestamp = field("When it was applied.", ordered=True, authored=False)
    rollback: Opaque = field("The steps that lead back, as JSON.", authored=False)
    watched_until: Timestamp = field("Until when what happens is compared with what was promised.", authored=False)
    watch_outcome: WatchOutcome | None = field(
        "What became of the promise, when it was last told.", default=None, authored=False
    )
    watch_sentence: Text | None = field("What happened, in a sentence.", default=None, authored=False)
    watched_at: Timestamp | None = field("When that was told.", default=None, authored=False)
    kept_by: Key | None = field(
        "The principal that kept it although it did not do as promised.", default=None, authored=False
    )
    kept_at: Timestamp | None = field("When that was.", default=None, authored=False)
    rolled_back_at: Timestamp | None = field("When it was taken back.", default=None, authored=False)
    rolled_back_by: Key | None = field("The principal that took it back.", default=None, authored=False)
    rollback_reason: Text | None = field("Why.", default=None, authored=False)
