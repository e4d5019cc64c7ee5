"""Learning in other trades, through the API alone: a kitchen, a clinic and a bureau of translators."""

from typing import Any

from tests.api.conftest import Api, Caller

SAVE = "mutation ($i: TemplateInput!) { saveTemplate(input: $i) { recordId } }"
SIGNALS = """mutation ($s: [LearningSignal!]!) { reportLearningSignals(signals: $s)
  { report { accepted rejected answers { outcome code field remedy recordId } } } }"""
PROPOSE = """mutation ($i: ProposalInput!) { proposeChange(input: $i)
  { recordId record { statement risk approvalPolicy } } }"""
REPLAY = """mutation ($p: ID!) { replayProposal(proposalId: $p) { recordId record { statement lookedAt repaired
  regressed same changed missing controlTried
  hasCase(first: 50) { nodes { caseKind result reason recorded today candidate } } } } }"""
REVIEW = "mutation ($i: ReviewInput!) { reviewProposal(input: $i) { record { proposalState decidedAs } } }"
APPLY = """mutation ($p: ID!) { applyProposal(proposalId: $p) { record { proposalState promotions { nodes {
  approvedBy evalResultRef validationScoreSummary } } } } }"""
BACK = "mutation ($p: ID!) { rollBackProposal(proposalId: $p) { record { proposalState } } }"
QUEUE = """{ reviewQueue(first: 200) { waiting items { proposalId statement value reasons nextStep watch } } }"""
MATCH = "mutation ($r: MatchRequest!) { recordMatch(kind: template, request: $r) { recordId } }"
MODE = """mutation ($r: TaskModeRequest!) { recordTaskMode(request: $r)
  { recordId record { ... on ModeDecision { selectedMode } } } }"""


async def _template(caller: Caller, **values: Any) -> str:
    return (await caller.ask(SAVE, i=values))["saveTemplate"]["recordId"]


async def _signal(caller: Caller, key: str, kind: str, *about: str, **more: Any) -> str:
    told = {
        "source": "kitchen",
        "signalId": key,
        "signalType": "user_action",
        "signalKind": kind,
        "about": [{"id": one} for one in about],
        "patternPromotionEligible": True,
        **more,
    }
    [answer] = (await caller.ask(SIGNALS, s=[told]))["reportLearningSignals"]["report"]["answers"]
    assert answer["outcome"] == "accepted", answer
    return answer["recordId"]


async def _proposed(caller: Caller, target: str, step: dict[str, Any], **more: Any) -> dict[str, Any]:
    given = {
        "proposalKind": "template_semantic_card_update",
        "target": {"id": target},
        "rationale": "It was asked for so.",
        "steps": [step],
        **more,
    }
    return (await caller.ask(PROPOSE, i=given))["proposeChange"]


async def _item(caller: Caller, proposal: str) -> dict[str, Any] | None:
    items = (await caller.ask(QUEUE))["reviewQueue"]["items"]
    return next((one for one in items if one["proposalId"] == proposal), None)


async def test_a_kitchen_hears_that_a_change_did_not_keep_its_promise_and_goes_back(admin: Caller) -> None:
    template = await _template(admin, name="Allergen sheet", triggerPhrases=["allergen sheet of the menu"])
    said = "what may our guests with a nut allergy eat tonight"
    kept = await admin.ask(MATCH, r={"text": said})
    match = kept["recordMatch"]["recordId"]
    chosen = await _signal(admin, "took-1", "template_selected", template, match)
    step = {"operation": "add_to_list", "field": "trigger_phrases", "value": [said]}
    made = await _proposed(admin, template, step, supportedBy=[{"id": chosen}])
    proposal = made["recordId"]
    assert (made["record"]["risk"], made["record"]["approvalPolicy"]) == ("low", "auto_apply_low_risk")
    replay = (await admin.ask(REPLAY, p=proposal))["replayProposal"]["record"]
    [case] = replay["hasCase"]["nodes"]
    assert (case["caseKind"], replay["lookedAt"], replay["regressed"]) == ("match", 1, 0)
    assert case["recorded"] == case["today"]
    assert replay["controlTried"] == 1
    decided = await admin.ask(REVIEW, i={"proposalId": proposal, "decision": "approve"})
    assert decided["reviewProposal"]["record"] == {"proposalState": "approved", "decidedAs": "architect"}
    await admin.ask(APPLY, p=proposal)
    assert await _item(admin, proposal) is None
    for number in range(4):
        await _signal(admin, f"refused-{number}", "template_rejected", template)
    item = await _item(admin, proposal)
    assert item
    assert (item["watch"], item["nextStep"].split(" (")[0]) == ("worse", "Take it back")
    await admin.ask(BACK, p=proposal)
    assert await _item(admin, proposal) is None
    now = await admin.ask("query ($i: ID!) { node(id: $i) { ... on Template { triggerPhrases } } }", i=template)
    assert now["node"]["triggerPhrases"] == ["allergen sheet of the menu"]


async def test_what_a_clinic_sees_of_a_patient_is_proposed_to_those_who_treat_them_alone(
    api: Api, admin: Caller, agent: Caller
) -> None:
    template = await _template(admin, name="Wound check", triggerPhrases=["check the wound"])
    patient = api.matters["Marex"]
    closed = await _signal(admin, "ward-1", "template_selected", template, source="clinic", matters=[{"id": patient}])
    more: dict[str, Any] = {"evidenceRefs": ["ward://chart/7", closed]}
    step = {"operation": "add_to_list", "field": "trigger_phrases", "value": ["look at the stitches"]}
    made = await _proposed(admin, template, step, **more)
    outsider = api.caller("outsider")
    async with outsider.client:
        assert await _item(outsider, made["recordId"]) is None
        assert (await outsider.refused(REPLAY, p=made["recordId"]))["code"] == "not_found"
        # What a template must be able to use bears on security: who proposes it cannot approve it, nor can a curator.
        scalpel = 'mutation { saveCapability(input: {name: "drug.dispense", capabilityKind: tool}) { recordId } }'
        drug = (await admin.ask(scalpel))["saveCapability"]["recordId"]
        needs = {"operation": "link", "relation": "REQUIRES", "head": {"id": drug}}
        wide = await _proposed(agent, template, needs, proposalKind="task_template_update")
        assert wide["record"]["approvalPolicy"] == "architect_review"
        replay = (await admin.ask(REPLAY, p=wide["recordId"]))["replayProposal"]["recordId"]
        approval = {"proposalId": wide["recordId"], "decision": "approve", "acknowledgedReplayId": replay}
        error = await outsider.refused(REVIEW, i=approval)
        assert (error["code"], error["field"], bool(error["remedy"])) == ("architect_review_required", "decision", True)
    assert (await agent.refused(REVIEW, i=approval))["code"] == "approval_required"
    never = {**approval, "decision": "never_again", "reason": "Never by itself."}
    await admin.ask(REVIEW, i=never)
    again = {"proposalKind": "task_template_update", "target": {"id": template}, "rationale": "x", "steps": [needs]}
    assert (await agent.refused(PROPOSE, i=again))["code"] == "proposal_not_wanted"


DATASET = "mutation ($i: EvalDatasetInput!) { createEvalDataset(input: $i) { recordId } }"
SCORE = """mutation ($d: RecordRefInput!, $c: String!, $s: [EvalScoreInput!]!) {
  recordEvalScores(dataset: $d, candidate: $c, scores: $s) { recordId } }"""
START = """mutation ($r: DesignRequest!) { startDesignSession(request: $r) { recordId state { readiness
  nextQuestion { slot required } notWorthAsking { slot because } statements { id statementKind } } } }"""
BUNDLE = """query ($s: RecordRefInput!) { extractionBundle(of: $s) { bundleId sourceKind userPreferenceIds signalIds
  templateUpdateIds confidence reviewRequired } }"""


async def test_translators_try_a_glossary_outside_and_are_asked_little(admin: Caller) -> None:
    template = await _template(admin, name="Translate a manual", defaultOutputArchetypes=["translated manual"])
    cases = [{"exampleKey": one, "inputHash": f"sha256:{one}"} for one in ("pump", "valve", "motor")]
    given = {"name": "Manuals", "datasetSource": "manual", "examples": cases, "freeze": True}
    manuals = {"id": (await admin.ask(DATASET, i=given))["createEvalDataset"]["recordId"]}
    for candidate, scores in (("plain", (0.5, 0.9, 0.6)), ("glossary", (0.8, 0.4, 0.6))):
        told = [
            {"exampleKey": one["exampleKey"], "scorer": "i.weiss", "scorerKind": "human", "score": score}
            for one, score in zip(cases, scores, strict=True)
        ]
        await admin.ask(SCORE, d=manuals, c=candidate, s=told)
    step = {"operation": "add_to_list", "field": "known_strengths", "value": ["Keeps to the glossary."]}
    tried = {"validationDataset": manuals, "evalCandidate": "glossary", "evalBaseline": "plain"}
    made = await _proposed(admin, template, step, **tried)
    replay = (await admin.ask(REPLAY, p=made["recordId"]))["replayProposal"]["record"]
    results = {one["result"] for one in replay["hasCase"]["nodes"]}
    assert (results, {one["caseKind"] for one in replay["hasCase"]["nodes"]}) == (
        {"repaired", "regressed", "same"},
        {"evaluation"},
    )
    wish = "Please stop asking me so many questions."
    text = f"Translate the manual of the pump. {wish} When translating manuals, I always want units converted."
    known = [{"slot": "expected_outputs", "values": ["translated manual"]}]
    begun = (await admin.ask(START, r={"text": text, "known": known, "adapts": {"id": template}}))["startDesignSession"]
    state = begun["state"]
    assert state["nextQuestion"] is None, state["nextQuestion"]
    assert any(wish in one["because"] for one in state["notWorthAsking"])
    kinds = {one["statementKind"] for one in state["statements"]}
    assert kinds == {"task_agent_instruction_candidate", "preference_candidate"}
    drawn = (await admin.ask(BUNDLE, s={"id": begun["recordId"]}))["extractionBundle"]
    assert (drawn["sourceKind"], drawn["reviewRequired"]) == ("task_creation_session", True)
    assert {*drawn["userPreferenceIds"]} == {one["id"] for one in state["statements"]}


async def test_a_decision_of_a_bakery_is_replayed_from_what_it_keeps(admin: Caller) -> None:
    directive = """mutation ($i: InvocationDirectiveInput!) { saveInvocationDirective(input: $i) { recordId } }"""
    told = {"name": "Night bake", "triggerPhrases": ["the night bake drill"], "invocationPolicy": "suggest_task"}
    taught = (await admin.ask(directive, i=told))["saveInvocationDirective"]["recordId"]
    template = await _template(admin, name="Night bake plan", triggerPhrases=["plan of the night bake"])
    link = """mutation ($a: RecordRefInput!, $b: RecordRefInput!) { linkRecords(tail: $a, type: "TARGETS", head: $b)
      { commandId } }"""
    await admin.ask(link, a={"id": taught}, b={"id": template})
    kept = (await admin.ask(MODE, r={"text": "Do the night bake drill for Friday"}))["recordTaskMode"]
    given = {
        "proposalKind": "task_invocation_directive_update",
        "target": {"id": taught},
        "rationale": "Nobody bakes at night any more.",
        "steps": [{"operation": "set_lifecycle", "value": "archived"}],
    }
    made = (await admin.ask(PROPOSE, i=given))["proposeChange"]["recordId"]
    replay = (await admin.ask(REPLAY, p=made))["replayProposal"]["record"]
    [case] = replay["hasCase"]["nodes"]
    assert case["caseKind"] == "mode_decision"
    assert case["result"] != "could_not_be_replayed", case["reason"]
    assert case["recorded"] == case["today"]
    assert kept["record"]["selectedMode"].replace("_", " ") in case["recorded"]
