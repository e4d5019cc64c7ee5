"""Not seen means not there: what is examined, and what was kept of it."""

from graph_schema.registry import REGISTRY
from tests.api.conftest import Caller
from tests.api.marked import CLASSED, HIDDEN, OF_MATTER, marked_id, ref

_OF = "query ($r: RecordRefInput!) { preflight(of: $r) { status } }"
_KEEP = "mutation ($r: RecordRefInput!) { recordPreflight(of: $r) { recordId } }"
NAMED = {
    **{f"{_OF} # {label}": label for label in ("Task", "Template", "Blueprint", "GraphSnapshot")},
    **{f"{_KEEP} # {label}": label for label in ("Task", "Template", "Blueprint", "GraphSnapshot")},
    **{
        f'query ($r: RecordRefInput!) {{ promptCheck(of: $r, prompt: {{text: "x"}}) {{ text }} }} # {label}': label
        for label in ("Task", "Template", "Blueprint", "GraphSnapshot", "Module", "Preset", "Prompt", "Run")
    },
    """mutation ($r: RecordRefInput!) { recordPrompt(input: {name: "x", livesIn: $r, surface: overlay, text: "x"})
        { recordId } }""": "Module",
    'mutation ($r: RecordRefInput!) { recordPromptCheck(of: $r, prompt: {text: "x"}) { recordId } }': "Prompt",
    """mutation ($r: RecordRefInput!) { recordPromptCandidates(input: {prompt: $r, candidates: [{label: "x",
        generationMethod: manual_variant,
        promptHash: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}]}) { recordId } }""": "Prompt",
    """mutation ($r: RecordRefInput!) { startPromptEvaluation(input: {prompt: $r, promptKind: module_prompt,
        evaluationGoal: "x", experimentMode: manual_variants_only, variants: [{variant: "a", source: manual}]})
        { recordId } }""": "Prompt",
    """mutation ($r: RecordRefInput!) { completePromptEvaluation(input: {evaluation: $r, results: []})
        { recordId } }""": "PromptEvaluation",
    """mutation ($r: RecordRefInput!) { proposePrompt(input: {evaluation: $r, rationale: "x"})
        { recordId } }""": "PromptEvaluation",
    """mutation ($r: RecordRefInput!) { recordPromptEdit(input: {about: $r, before: "x", after: "y"})
        { signalIds } }""": "Prompt",
    """mutation ($r: RecordRefInput!) { recordPromptFeedback(input: {about: $r, feedback: viewed})
        { signalIds } }""": "PromptCandidate",
    "mutation ($r: RecordRefInput!) { activateKnowledgePack(pack: $r) { recordId } }": "KnowledgePack",
    "query ($r: RecordRefInput!) { replayPreflight(preflight: $r) { outcome } }": "Preflight",
    "query ($r: RecordRefInput!) { comparePreflight(preflight: $r) { outcome } }": "Preflight",
    "query ($r: RecordRefInput!) { replayEvalRun(run: $r) { outcome } }": "EvalRun",
    "query ($r: RecordRefInput!) { knowledgeStatus(pack: $r) { packState } }": "KnowledgePack",
    "query ($r: RecordRefInput!) { evalSuite(suite: $r) { request } }": "EvalSuite",
    'query ($r: RecordRefInput!) { scoreProposals(suite: $r, proposals: [{example: "x"}]) { met } }': "EvalSuite",
    "query ($r: RecordRefInput!) { explainGraph(of: $r) { text } }": "Task",
    "query ($r: RecordRefInput!) { validateGraph(of: $r) { valid } }": "Template",
    "query ($r: RecordRefInput!) { simulateGraph(of: $r) { finished } }": "GraphSnapshot",
    "query ($r: RecordRefInput!) { diffGraphs(oldOf: $r, newOf: $r) { same } }": "Task",
    "query ($r: RecordRefInput!) { designGuidance(session: $r) { says } }": "DesignSession",
    'mutation ($r: RecordRefInput!) { proposeFix(preflight: $r, fix: "x") { recordId } }': "Preflight",
    """mutation ($r: RecordRefInput!) { submitEvalRun(pack: $r, agentVersion: "x",
        proposals: [{example: "plain_question"}]) { recordId } }""": "KnowledgePack",
}


async def test_questions_about_hidden_records_are_answered_as_about_missing_ones(stranger: Caller) -> None:
    for query, label in NAMED.items():
        kind = REGISTRY.types[label]
        for hidden in (marked_id(kind, CLASSED), marked_id(kind, OF_MATTER), f"{kind.prefix}_missing"):
            error = await stranger.refused(query, r=ref(hidden))
            assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")


async def test_the_pack_in_use_is_told_from_what_may_be_seen(stranger: Caller) -> None:
    asked = "{ knowledgeStatus { packId pack { id } drift { sourceRef affectedCards } } }"
    told = (await stranger.ask(asked))["knowledgeStatus"]
    assert told["packId"] not in HIDDEN
    assert not {id_ for one in told["drift"] for id_ in one["affectedCards"]} & {*HIDDEN}


async def test_lookups_are_told_from_what_may_be_seen(stranger: Caller) -> None:
    asked = """{ findModules(first: 50) { cards { record { id } card { id } recordId cardId } }
        findPatterns(first: 50) { cards { recordId cardId } } anti: findPatterns(anti: true) { cards { recordId } }
        findCapabilities(need: "", first: 50) { cards { recordId cardId } }
        recommendModel(need: {}) { packId cards { recordId cardId } }
        decisionGuide(family: iteration) { packId cards { cardId } }
        agentEducation { recordIds } specLookup(query: "record", first: 50) { sections { sectionId } } }"""
    told = await stranger.ask(asked)
    assert not {one for one in HIDDEN if one in str(told)}


async def test_a_document_of_a_class_above_ones_clearance_is_refused(stranger: Caller) -> None:
    save = """mutation { registerSpecDocument(input: {key: "x", title: "X", text: "# A\\n\\nB.",
        dataClass: local_only}) { sections } }"""
    assert (await stranger.refused(save))["code"] == "class_not_allowed"


async def test_a_catalogue_of_a_class_above_ones_clearance_is_refused(stranger: Caller) -> None:
    save = """mutation { saveModuleCatalogue(input: {source: "x", dataClass: local_only,
        types: [{moduleType: "step.x", family: step, name: "X"}]}) { types } }"""
    assert (await stranger.refused(save))["code"] == "class_not_allowed"
