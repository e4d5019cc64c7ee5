"""What callers say of a change that they propose, and of what they decide about one."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from graph_schema.learning.proposal_words import Operation, ProposalKind
from service.commands import RecordRef
from service.views import Id, OrNull, Time

JsonValue = Annotated[Any, "json"]
"""A text, a number, or a list of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalStep:
    """One step of a change."""

    operation: Annotated[Operation, "What is done."]
    field: Annotated[str | None, "The field that is changed, as docs/graph.md calls it."] = None
    value: Annotated[JsonValue | None, "What it is set to, gains or loses; of a life, the state."] = None
    relation: Annotated[str | None, "The relation that is made or taken away."] = None
    head: Annotated[RecordRef | None, "What that leads to."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalInput:
    """A change of one record, with its evidence."""

    proposal_kind: Annotated[ProposalKind, "What it would improve."]
    target: Annotated[RecordRef, "The record that it would change."]
    steps: Annotated[tuple[ProposalStep, ...], "The change, step by step."]
    rationale: Annotated[str, "Why."]
    expected_effect: Annotated[str | None, "What it is hoped to bring about."] = None
    supported_by: Annotated[OrNull[tuple[RecordRef, ...]], "Evidence for it."] = ()
    countered_by: Annotated[OrNull[tuple[RecordRef, ...]], "Evidence against it."] = ()
    evidence_refs: Annotated[OrNull[tuple[str, ...]], "Where more evidence is kept."] = ()
    context_class_key: Annotated[str | None, "The class of context that it is about."] = None
    requires_eval: Annotated[bool, "Whether results of an evaluation outside are asked for first."] = False
    eval_suite_ref: Annotated[str | None, "The suite of such an evaluation."] = None
    eval_result_ref: Annotated[str | None, "Where its results are kept."] = None
    validation_dataset: Annotated[RecordRef | None, "The frozen dataset that supports it."] = None
    eval_candidate: Annotated[str | None, "What that dataset calls the change, where it was tried."] = None
    eval_baseline: Annotated[str | None, "What it calls what there is without the change."] = None


class ReviewDecision(StrEnum):
    """What a reviewer decides about a proposal."""

    approve = "approve"
    reject = "reject"
    never_again = "never_again"
    snooze = "snooze"
    keep = "keep"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewInput:
    """A decision about a proposal."""

    proposal_id: Annotated[Id, "The proposal."]
    decision: Annotated[
        ReviewDecision,
        "What is decided. never_again: and nothing of its kind for this record. keep: one that was applied stays, "
        "although it does not do as promised.",
    ]
    reason: Annotated[str | None, "Why."] = None
    acknowledged_replay_id: Annotated[Id | None, "The replay whose regressions you have looked at."] = None
    eval_result_ref: Annotated[str | None, "Where the results of an evaluation outside are kept."] = None
    snooze_until: Annotated[Time | None, "Until when nobody wants to see it; a week, when left out."] = None
