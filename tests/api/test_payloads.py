"""What commands answer shows no more than a query would."""

from typing import Any

from graphql import GraphQLObjectType, build_schema

from graph_schema.registry import REGISTRY
from resolvers.generate import printed
from tests.api.conftest import Api, Caller
from tests.memory.stories import Story, step
from tests.names import api_keys

SAVE = """mutation ($i: GoalInput!, $c: String) { saveGoal(input: $i, commandId: $c) {
    recordId version replayed record { id name goalStatement supports { nodes { name } } } } }"""
GOAL = {"name": "Payload", "goalType": "output_quality_goal", "goalStatement": "Unread."}


async def test_a_key_without_read_gets_ids_and_versions_only(api: Api) -> None:
    caller = api.caller("curator")
    async with caller.client:
        told = (await caller.ask(SAVE, i=GOAL))["saveGoal"]
        assert (told["record"], told["version"]) == (None, 1)
        ends = {"tail": {"id": told["recordId"]}, "head": {"id": told["recordId"]}}
        link = """mutation ($tail: RecordRefInput!, $head: RecordRefInput!) {
            linkRecords(tail: $tail, type: "SUPPORTS", head: $head) { tailId tail { id } head { id } } }"""
        linked = (await caller.ask(link, **ends))["linkRecords"]
        assert (linked["tailId"], linked["tail"], linked["head"]) == (told["recordId"], None, None)
        hidden = "{ goals(first: 1) { nodes { id } } }"
        assert (await caller.refused(hidden))["code"] == "not_allowed"


async def test_a_record_that_its_writer_sees_no_more_is_not_shown(admin: Caller, outsider: Caller) -> None:
    made = (await outsider.ask(SAVE, i=GOAL, c="payload-1"))["saveGoal"]
    assert made["record"]["goalStatement"] == "Unread."
    await admin.ask(SAVE, i={"id": made["recordId"], "dataClass": "local_only"}, c=None)
    again = (await outsider.ask(SAVE, i=GOAL, c="payload-1"))["saveGoal"]
    assert (again["replayed"], again["recordId"], again["record"]) == (True, made["recordId"], None)


async def test_an_executor_that_may_not_read_is_given_no_packet_and_no_names(api: Api, admin: Caller) -> None:
    saved = "mutation ($i: CapabilityInput!) { saveCapability(input: $i) { recordId } }"
    tool = await admin.ask(saved, i={"name": "Unreadable tool", "capabilityKind": "tool"})
    run = {"kind": "Run", "source": "payloads", "key": "r"}
    at = {"run": run, "moduleKey": "A", "activationSeq": 1}
    story = Story({"source": "payloads", "key": "r"}).tell("run_started").tell("activation_started", **step("A"))
    report = "mutation ($e: [RunEventInput!]!) { reportRunEvents(events: $e) { rejected } }"
    scope = "mutation ($i: RunScopeInput!) { openRunScope(input: $i) { recordId record { name } } }"
    packet = "mutation ($i: ContextPacketInput!) { assembleContextPacket(input: $i) { recordId packet { id } } }"
    expand = """mutation ($i: ExpandCapabilitiesInput!) { expandCapabilities(input: $i) {
        recordId record { name } outcomes { result message remedy capability { name } } } }"""
    need = {"detectedNeed": "A tool.", "basis": "upstream_prompt_detected"}
    wish = {**at, **need, "capabilities": [{"id": tool["saveCapability"]["recordId"]}]}
    caller = api.caller("executor")
    async with caller.client:
        assert (await caller.ask(report, e=api_keys(story.events)))["reportRunEvents"] == {"rejected": 0}
        opened = (await caller.ask(scope, i={"run": run, "launchSurface": "manual_api"}))["openRunScope"]
        given = (await caller.ask(packet, i={**at, "moduleType": "step.agent_task"}))["assembleContextPacket"]
        told = (await caller.ask(expand, i=wish))["expandCapabilities"]
    assert opened["recordId"]
    assert given["recordId"]
    assert (opened["record"], given["packet"], told["record"]) == (None, None, None)
    assert "Unreadable" not in str(told)


PLAIN = {"commandId", "replayed", "version", "warnings"}
SAID = {
    "AnswerDirectivePayload": {"about", "answer"},  # what the caller themselves was asked about
    "AssessmentPayload": {"known", "refused"},  # nothing is told refused for a key that may not read
    "AssembleContextPacketPayload": {"packet"},  # null for a key that may not read
    "AttentionDecisionPayload": {"withheld", "decision"},  # null for a key that may not read
    "AuditExportPayload": {"decision", "reasonCodes", "download"},
    "CapabilityStatePayload": {"changed"},
    "DesignSessionPayload": {"state"},  # null for a key that may not read
    "ErasePayload": {"erased"},
    "ExpandCapabilitiesPayload": {"approvalRequired", "outcomes"},
    "EvaluateToolsPayload": {"found", "expired"},  # from what the caller may see
    "InvocationPayload": {"counted"},
    "KnowledgeCheckPayload": {"drift", "stale"},  # how many, of what a curator looks after
    "LiftPayload": {"tallies", "state"},  # null for a key that may not read
    "LinkPayload": {"type"},
    "N8nImportPayload": {"items"},
    "PromotionPayload": {"outcome"},
    "CreateKeyPayload": {"text", "key"},  # a key that was made, to the administrator who made it, once
    "KeyPayload": {"key"},  # without its text
    "KeptReportPayload": {"known"},  # of the reports that the caller may see
    "PrincipalPayload": {"principal"},  # an administrator's
    "CreateSharePayload": {"secret", "path"},  # of the link, to whoever made it, once
    "PromptSignalsPayload": {"editKinds"},  # what kinds of change the caller's own two texts show
    "ProposalEditPayload": {"known", "editKinds", "trace"},  # the trace is null for a key that may not read
    "RecordInterventionPayload": {"interventionKey"},
    "ReportAgentEventsPayload": {"accepted", "duplicates", "rejected", "answers"},
    "ReviewReport": {"accepted", "duplicates", "rejected", "answers"},
    "ReportPayload": {"accepted", "duplicates", "rejected", "answers"},
    "SaveBlueprintPayload": {"blueprintHash"},
    "SaveGraphPayload": {"graphHash", "changed"},
    "ModuleCataloguePayload": {"types", "changed", "putAway"},  # how many
    "SpecDocumentPayload": {"sections", "changed"},  # how many
    "SignalReportPayload": {"report"},  # what became of each signal of the caller's own
    "SuggestionFeedbackPayload": {"counted"},
    "TrackTaskPayload": {"receipt"},  # null for a key that may not read
    "ToolReportPayload": {"accepted", "duplicates", "rejected", "answers"},
}
"""What payloads tell beside ids and records: each was looked at for what it tells whoever may not read."""


def test_payloads_tell_ids_and_records_and_what_was_looked_at() -> None:
    schema = build_schema(printed())
    mutations = schema.mutation_type
    assert mutations
    for name, mutation in mutations.fields.items():
        payload = schema.type_map[_named(mutation)]
        assert isinstance(payload, GraphQLObjectType), name
        told = {one: _named(field) for one, field in payload.fields.items() if one not in PLAIN}
        more = {one for one, kind in told.items() if kind not in {"ID", "Node"} and kind not in REGISTRY.types}
        assert more == SAID.get(payload.name, set()), name


def _named(field: Any) -> str:
    return str(field.type).strip("[]!")
