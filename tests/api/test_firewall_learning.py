"""Not seen means not there: signals, proposals, their replays and what became of them."""

from graph_schema.registry import REGISTRY
from tests.api.conftest import Caller
from tests.api.marked import BESIDES, CLASSED, OF_MATTER, marked_id, ref

PROPOSAL = REGISTRY.types["Proposal"]
HIDDEN = [marked_id(PROPOSAL, CLASSED), marked_id(PROPOSAL, OF_MATTER), "prop_missing"]
DOCUMENTS = (
    "mutation ($p: ID!) { reviewProposal(input: {proposalId: $p, decision: reject}) { recordId } }",
    "mutation ($p: ID!) { applyProposal(proposalId: $p) { recordId } }",
    "mutation ($p: ID!) { rollBackProposal(proposalId: $p) { recordId } }",
    "mutation ($p: ID!) { replayProposal(proposalId: $p) { recordId } }",
    "query ($p: ID!) { proposalWatch(proposalId: $p) { sentence } }",
)
MANY = """mutation ($i: [ReviewInput!]!) { reviewProposals(inputs: $i) { accepted
    answers { code message proposal { id } } } }"""
CHANGE = """mutation ($r: RecordRefInput!) { proposeChange(input: {
    proposalKind: template_semantic_card_update, target: $r, rationale: "-",
    steps: [{operation: add_to_list, field: "trigger_phrases", value: ["x"]}]}) { recordId } }"""
SIGNAL = """mutation ($r: RecordRefInput!) { reportLearningSignals(signals: [{source: "x", signalId: "y", run: $r,
    signalType: user_action, payload: {action: "z"}}]) { report { answers { code message } } } }"""


async def test_a_hidden_proposal_is_answered_about_as_a_missing_one(stranger: Caller) -> None:
    for document in DOCUMENTS:
        for hidden in HIDDEN:
            error = await stranger.refused(document, p=hidden)
            assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")


async def test_of_many_decisions_those_on_hidden_proposals_are_refused_as_on_missing_ones(stranger: Caller) -> None:
    inputs = [{"proposalId": hidden, "decision": "reject"} for hidden in HIDDEN]
    told = (await stranger.ask(MANY, i=inputs))["reviewProposals"]
    said = [(one["code"], one["message"], one["proposal"]) for one in told["answers"]]
    assert said == [("not_found", f"There is no record {one} that you can see.", None) for one in HIDDEN]
    assert told["accepted"] == 0


async def test_nothing_is_proposed_for_or_told_of_what_is_hidden(stranger: Caller) -> None:
    template, run = REGISTRY.types["Template"], REGISTRY.types["Run"]
    for number in (CLASSED, OF_MATTER):
        error = await stranger.refused(CHANGE, r=ref(marked_id(template, number)))
        assert error["code"] == "not_found"
        told = (await stranger.ask(SIGNAL, r=ref(marked_id(run, number))))["reportLearningSignals"]["report"]
        assert [one["code"] for one in told["answers"]] == ["not_found"]


async def test_the_queue_holds_what_may_be_seen(stranger: Caller) -> None:
    found = (await stranger.ask("{ reviewQueue(first: 500, snoozed: true) { waiting items { proposalId } } }"))[
        "reviewQueue"
    ]
    seen = {one["proposalId"] for one in found["items"]}
    assert seen.isdisjoint(HIDDEN)
    assert marked_id(PROPOSAL, BESIDES) in seen or found["waiting"] == len(seen)
