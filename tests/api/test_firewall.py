"""Not seen means not there: every root field and every relation, for everybody who must not see.

What follows the registry is walked here; fields with rules of their own have their tests in the files beside.
"""

import pytest
from graphql import GraphQLObjectType

from graph_schema.model.names import api_name
from graph_schema.registry import REGISTRY
from graph_schema.storage import BY_LABEL
from tests.api.conftest import Api, Caller
from tests.api.marked import BESIDES, CLASSED, HIDDEN, MATCHES, OF_MATTER, TIMES, marked_id, ref
from tests.api.schema import committed_schema
from tests.laws import some

# Fields with rules of their own, each with a test in these files. A new one has to be added, with its test.
WRITTEN_QUERIES = {
    "node",
    "nodes",
    "search",
    "events",
    "viewer",
    "lineage",
    "provenance",
    "impact",
    "artifactIntake",
    "taskHistory",
    "operationalStatistics",
    "presetStatistics",
    "savedPresets",
    "savedTasks",
    "searchArtifacts",
    "exportN8n",
    "run",
    "checkInsertion",
    "blueprintDiff",
    "runScope",
    "mountedCapabilities",
    "contextStatistics",
    "agentContextPack",
    "taskMode",
    "opportunityPacket",
    "ambientTaskCard",
    "compareTaskMode",
    "previewContextPacket",
    "contextPacket",
}
WRITTEN_SUBSCRIPTIONS = {
    "events",
    "runChanges",
    "attentionDirectives",
}
QUESTIONS = {
    "runQuestions",
    "taskQuestions",
    "permissionContract",
    "moduleQuickAccess",
}
MATCHING = MATCHES | {"reuseSearch", "explainMatch", "compareMatch", "replayMatch"}
ROUTING = {"routingState", "taskAgent", "matchInvocationDirectives"}
TOOLS = {"toolHealth", "toolPriorities", "knownTools"}
ATTENTION = {
    "attentionInbox",
    "attentionReport",
    "attentionDecision",
    "replayAttention",
    "attentionPolicy",
    "userModel",
}
ASKING = {"whyExcluded", "whyInjected", "diffPackets", "replayPacket", "contextBleed"}
# `tests/api/test_administration.py` shows that it answers administrators alone.
ADMINISTRATION = {"administration"}
ADMINISTERING = {
    *("createPrincipal", "changePrincipal", "disablePrincipal", "enablePrincipal"),
    *("grantMatters", "revokeMatters", "createKey", "revokeKey"),
}
WRITTEN_RECORD_FIELDS = {"history"}
# `tests/memory/storage` shows that no place is told of what is hidden.
WRITTEN_ON = {
    **{label: {"storage"} for label in (*BY_LABEL, "Snapshot")},
    "Run": {"retention"},
    "Task": {"statistics", "lastRun"},
    "Artifact": {"retention", "storage"},
    "Template": {"usage", "storage"},
    "Preset": {"usage", "storage"},
    "TemplateGroup": {"worth", "usageSummary"},
    "Segment": {"usage", "storage"},
    "ShareCapsule": {"subject", "storage", "recipients", "note", "revokedBecause", "emptied"},
}
SAVES = {f"save{kind.label}" for kind in REGISTRY.types.values() if kind.saved}
ON_RECORDS = {"archiveRecord", "restoreRecord", "setLifecycle", "eraseRecord", "setLegalHold"}
ON_PAIRS = {"linkRecords", "unlinkRecords", "mergeEntities"}
REPORTING = {"reportRunEvents"}
AUDITING = {"exportAudit"}
SECOND_LANE = {"requestExtraction", "takeExtraction", "settleExtraction"}
ON_ARTIFACTS = {"promoteArtifact", "reviewArtifact", "createLibraryIntent", "recordLibraryReceipt"}
KEEPING = {"recordTaskMode", "recordMatch", "recordPreflight"}
AFTER = {"requestFork", "recordFollowUp", "recordIntervention", "openThread", "recordConsult"}
LIBRARY = {"saveGraph", "saveBlueprint", "saveSegment", "reportCapabilityState"}
IMPORTS = {"importN8n"}
CONTEXT = {"openRunScope", "assembleContextPacket", "expandCapabilities", "recordContextFeedback"}
RESPONSES = {"recordInvocation", "recordSuggestionFeedback", "recordInvocationSignal", "liftSuppression"}
AGENT = {"recordModelFallback"}
ON_TOOLS = {"reportToolOutcomes", "reportAsks", "evaluateTools", "decideRecommendation"}
ON_ATTENTION = {
    *("reportAgentEvents", "decideAttention", "setAttentionMode"),
    *("dismissDirective", "actOnDirective", "snoozeDirective"),
}
DESIGN = {"designSession", "designBundle", "trackedTask", "proposalEditTrace", "extractionBundle"}
DESIGNING = {"startDesignSession", "updateDesignSession", "trackTask", "recordProposalEdit"}
LEARNING = {
    *("reportLearningSignals", "proposeChange", "reviewProposal", "reviewProposals", "applyProposal"),
    *("rollBackProposal", "replayProposal", "proposeFix"),
    *("assessRun", "assessTask", "assessPortfolio", "attachAssessorNote", "proposeAction"),
    "recordLearningReport",
    *("drawEvalDataset", "createEvalDataset", "addEvalExamples", "freezeEvalDataset", "recordEvalScores"),
}
PREFLIGHT = {"preflight", "replayPreflight", "comparePreflight", "knowledgeStatus"}
LOOKUP = {
    *("agentEducation", "findModules", "moduleGuide", "configGuide", "findPatterns", "decisionGuide"),
    *("findCapabilities", "recommendModel", "specLookup", "explainGraph", "validateGraph", "simulateGraph"),
    *("evalSuite", "scoreProposals", "replayEvalRun", "designGuidance", "diffGraphs"),
    *("promptCheck", "promptMethods"),
}
SHARING = {
    *("createShare", "revokeShare", "copySharedTask", "commentOnShare", "proposeUnderShare", "requestUnderShare"),
}
CATALOGUE = {
    *("saveModuleCatalogue", "compileKnowledge", "activateKnowledgePack", "checkKnowledge"),
    *("registerSpecDocument", "submitEvalRun", "saveEvalSuite"),
    *("recordPrompt", "recordPromptCheck", "recordPromptCandidates", "startPromptEvaluation"),
    *("completePromptEvaluation", "proposePrompt", "recordPromptEdit", "recordPromptFeedback"),
}


def _fields(name: str) -> set[str]:
    found = committed_schema().type_map[name]
    assert isinstance(found, GraphQLObjectType)
    return set(found.fields)


def test_every_field_of_the_schema_is_covered_here() -> None:
    written = WRITTEN_QUERIES | QUESTIONS | MATCHING | ASKING | ROUTING | TOOLS | ATTENTION | DESIGN | PREFLIGHT
    written |= {"reviewQueue", "proposalWatch", "sharedManifest"}
    written |= {"learningReport", "replayLearningReport", "designAggregates", "evalResults"} | LOOKUP | ADMINISTRATION
    written |= {"outputArchetypes", "goalLearning", "questionUtility"}
    assert _fields("Query") == written | {api_name(kind.plural) for kind in REGISTRY.types.values()}
    commands = SAVES | ON_RECORDS | ON_PAIRS | REPORTING | AUDITING | SECOND_LANE | ON_ARTIFACTS | AFTER | LIBRARY
    commands |= KEEPING | IMPORTS | CONTEXT | RESPONSES | AGENT | ON_TOOLS | ON_ATTENTION | LEARNING | DESIGNING
    commands |= CATALOGUE | SHARING | ADMINISTERING
    assert _fields("Mutation") == commands
    assert _fields("Subscription") == WRITTEN_SUBSCRIPTIONS
    for label, kind in REGISTRY.types.items():
        shown = {api_name(name) for name, one in kind.fields.items() if not one.hidden}
        written = WRITTEN_RECORD_FIELDS | WRITTEN_ON.get(label, set())
        assert _fields(label) == shown | {api_name(one) for one in REGISTRY.relation_fields(label)} | written


async def test_lists_and_counts_show_only_what_may_be_seen(stranger: Caller) -> None:
    for kind in REGISTRY.types.values():
        plural = api_name(kind.plural)
        query = f"""query ($times: [Timestamp!]!) {{ {plural}(filter: {{createdAt: {{in: $times}}}}) {{
            totalCount nodes {{ id }} edges {{ cursor }} pageInfo {{ hasNextPage }} }} }}"""
        page = (await stranger.ask(query, times=TIMES))[plural]
        assert [one["id"] for one in page["nodes"]] == [marked_id(kind, BESIDES)]
        assert (page["totalCount"], len(page["edges"]), page["pageInfo"]) == (1, 1, {"hasNextPage": False})


async def test_a_hidden_record_is_the_same_null_as_a_missing_one(stranger: Caller) -> None:
    for hidden in [*HIDDEN, "goal_missing", "nonsense"]:
        answer = await stranger.post("query ($id: ID!) { node(id: $id) { id name } }", id=hidden)
        assert answer.json()["data"] == {"node": None}
    found = await stranger.ask("query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", ids=[*HIDDEN, "goal_missing"])
    assert found["nodes"] == [None] * (len(HIDDEN) + 1)


# Compiled alike for all kinds, which `tests/resolvers/test_guarded_reads.py` looks at; here they are run.
@pytest.mark.parametrize("label", some(REGISTRY.types, 4))
async def test_relations_lead_only_to_what_may_be_seen(strangers: list[Caller], label: str) -> None:
    relations = {api_name(name): one for name, one in REGISTRY.relation_fields(label).items()}
    page = "(first: 500) { totalCount edges { node { ... on Node { id } } } }"
    query = f"""query ($id: ID!) {{ node(id: $id) {{ ... on {label} {{
        id {" ".join(f"{name}{page}" for name in relations)} }} }} }}"""
    for stranger in strangers:
        found = (await stranger.ask(query, id=marked_id(REGISTRY.types[label], BESIDES)))["node"]
        for name, relation in relations.items():
            ids = {one["node"]["id"] for one in found[name]["edges"]}
            assert ids == {marked_id(REGISTRY.types[one], BESIDES) for one in REGISTRY.members(relation.targets)}
            assert found[name]["totalCount"] == len(ids)


FILTERS = {
    label: [api_name(name) for name, one in REGISTRY.relation_fields(label).items() if len(one.targets) == 1]
    for label in REGISTRY.types
}


@pytest.mark.parametrize("label", some([label for label, relations in FILTERS.items() if relations], 4))
async def test_filters_through_relations_do_not_tell_what_is_hidden(strangers: list[Caller], label: str) -> None:
    plural = api_name(REGISTRY.types[label].plural)
    for start in range(0, len(FILTERS[label]), AT_ONCE):
        await _told_nothing(strangers, plural, FILTERS[label][start : start + AT_ONCE])


AT_ONCE = 25
"""A document has so many tests of lists at most, and some room."""


async def _told_nothing(strangers: list[Caller], plural: str, relations: list[str]) -> None:
    lists = [f"{name}: {plural}(filter: {{{name}: {{createdAt: {{eq: $at}}}}}}) {{ totalCount }}" for name in relations]
    query = f"query ($at: Timestamp!) {{ {' '.join(lists)} }}"
    for stranger in strangers:
        for hidden in (CLASSED, OF_MATTER):
            found = await stranger.ask(query, at=TIMES[hidden])
            assert {name: found[name]["totalCount"] for name in relations} == dict.fromkeys(relations, 0)


async def test_administration_needs_its_scope_whatever_the_record(stranger: Caller) -> None:
    for hidden in (HIDDEN[0], "ent_missing"):
        erase = "mutation ($r: RecordRefInput!) { eraseRecord(record: $r) { erased } }"
        assert (await stranger.refused(erase, r=ref(hidden)))["code"] == "not_allowed"
        hold = "mutation ($r: RecordRefInput!) { setLegalHold(record: $r, hold: true) { version } }"
        assert (await stranger.refused(hold, r=ref(hidden)))["code"] == "not_allowed"


async def test_a_key_does_only_what_its_scopes_say(api: Api) -> None:
    executor, reader = api.caller("executor"), api.caller("reader")
    async with executor.client, reader.client:
        for query in ("{ goals { totalCount } }", '{ search(text: "x") { truncated } }', "{ events { head } }"):
            assert (await executor.refused(query))["code"] == "not_allowed"
        save = 'mutation { savePreference(input: {name: "x", statement: "y"}) { version } }'
        assert (await reader.refused(save))["code"] == "not_allowed"
        assert (await reader.ask("{ viewer { name } }"))["viewer"]["name"] == "reader"


async def test_without_a_key_everything_is_refused(nobody: Caller) -> None:
    for query in ("{ viewer { name } }", "{ goals { totalCount } }", "mutation { x }", "nonsense"):
        answer = await nobody.post(query)
        assert answer.status_code == 401
        assert answer.json()["errors"][0]["extensions"]["code"] == "unauthenticated"
    for path in ("/explorer", "/graphql", "/v1/anything"):
        assert (await nobody.client.get(path)).status_code == 401
    for path in ("/", "/health/live", "/health/ready", "/signin"):
        assert (await nobody.client.get(path)).status_code == 200
