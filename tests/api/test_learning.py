"""The walk of docs/learning.md through the API: from a signal to a rollback."""

from typing import Any

from tests.api.conftest import Api, Caller

SIGNAL = """mutation ($t: RecordRefInput!) { reportLearningSignals(signals: [{source: "walk", signalId: "1",
  signalType: user_action, signalKind: template_selected, about: [$t], patternPromotionEligible: true}])
  { report { accepted heldBack answers { outcome recordId } } } }"""
PROPOSE = """mutation ($t: RecordRefInput!, $s: RecordRefInput!) { proposeChange(input: {
  proposalKind: template_semantic_card_update, target: $t, supportedBy: [$s], rationale: "It was asked for so.",
  steps: [{operation: add_to_list, field: "trigger_phrases", value: ["walk through the code"]}]})
  { recordId record { statement risk riskBecause approvalPolicy proposalState hasChange { nodes { sentence } } } } }"""
REPLAY = """mutation ($p: ID!) { replayProposal(proposalId: $p) { record { statement lookedAt repaired regressed
  changed same missing drifted controlRepaired controlRegressed } } }"""
APPROVE = """mutation ($p: ID!) { reviewProposal(input: {proposalId: $p, decision: approve, reason: "Yes."})
  { record { proposalState decidedAt } } }"""
APPLY = """mutation ($p: ID!) { applyProposal(proposalId: $p) { record { proposalState promotions { nodes {
  targetKind priorVersion appliedVersion approvedBy validationScoreSummary } } } } }"""
WATCH = "query ($p: ID!) { proposalWatch(proposalId: $p) { outcome promised sentence } }"
BACK = """mutation ($p: ID!) { rollBackProposal(proposalId: $p, reason: "It misled people.")
  { record { proposalState } } }"""
TEMPLATE = 'query { templates(filter: {name: {eq: "Code Review"}}) { nodes { id triggerPhrases } } }'


async def test_a_walk_from_a_signal_to_a_rollback(api: Api, admin: Caller) -> None:
    assert api
    [template] = (await admin.ask(TEMPLATE))["templates"]["nodes"]
    ref = {"id": template["id"]}
    told = await _said(admin, SIGNAL, t=ref)
    [answer] = told["reportLearningSignals"]["report"]["answers"]
    made = await _said(admin, PROPOSE, t=ref, s={"id": answer["recordId"]})
    proposal = made["proposeChange"]["recordId"]
    assert made["proposeChange"]["record"]["risk"] == "low"
    replay = (await _said(admin, REPLAY, p=proposal))["replayProposal"]["record"]
    assert replay["regressed"] == 0
    queue = await _said(admin, "{ reviewQueue(first: 3) { waiting rule items { statement value reasons nextStep } } }")
    assert queue["reviewQueue"]["waiting"] >= 3
    assert (await _said(admin, APPROVE, p=proposal))["reviewProposal"]["record"]["proposalState"] == "approved"
    applied = (await _said(admin, APPLY, p=proposal))["applyProposal"]["record"]
    assert applied["proposalState"] == "applied"
    [now] = (await admin.ask(TEMPLATE))["templates"]["nodes"]
    assert now["triggerPhrases"] == [*template["triggerPhrases"], "walk through the code"]
    assert (await _said(admin, WATCH, p=proposal))["proposalWatch"]["outcome"] in {"too_early", "as_promised"}
    back = await _said(admin, BACK, p=proposal)
    assert back["rollBackProposal"]["record"]["proposalState"] == "rolled_back"
    assert (await admin.ask(TEMPLATE))["templates"]["nodes"] == [template]


async def _said(caller: Caller, document: str, **variables: Any) -> Any:
    answer = await caller.ask(document, **variables)
    print(answer)  # noqa: T201 - what docs/learning.md shows
    return answer
