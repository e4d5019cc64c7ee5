"""Every mutation of the schema with an agent's key that has all it can have: what the table says comes of it."""

from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from graphql import build_schema

from graph_schema.model.names import api_name
from graph_schema.model.record import RecordType
from graph_schema.registry import REGISTRY
from resolvers.generate import printed
from service.access.agents import COMMANDS, KINDS, LINKS, May
from service.graph.database import Database
from tests.api.conftest import Api, Caller
from tests.api.marked import fitting, marked_id
from tests.memory.stories import Story, step
from tests.names import api_keys

SCHEMA = build_schema(printed())
CODES = {
    "approval_required",
    "validation.template_update_requires_approval",
    "validation.preset_update_requires_approval",
    "not_allowed",
}
LEFT = "agent-left"
"""The key of what the agent makes here, so that it can be taken away again."""

# All but what the service does by itself in the background: vectors of cards, numbers of events, uses of keys, and
# noting at its start and later that a knowledge pack is behind.
GRAPH = """
CALL () {
  MATCH (n:Record) WHERE NOT n:Card|Phrase|KnowledgePack|Drift RETURN collect(properties(n)) AS records
}
CALL () {
  MATCH (n:Command|Audience|Principal|Card|Phrase|Event)
  WHERE n.principal_id IS NULL OR n.principal_id <> 'knowledge'
  RETURN labels(n)[0] AS what, count(n) AS count
  UNION ALL
  MATCH (tail)-[r]->(head)
  WHERE NOT type(r) = 'KEY_OF' AND NOT tail:KnowledgePack|Drift AND NOT head:KnowledgePack|Drift
  RETURN type(r) AS what, count(r) AS count
}
RETURN records, collect({what: what, count: count}) AS counts
"""


# What the agent made, and the run that it was told of.
AWAY = """
MATCH (p:Principal {name: 'agent'})
MATCH (n:Record)
WHERE n.source IN [$left, 'n8n'] OR n.name STARTS WITH $left
  OR EXISTS { MATCH (:Event {about: n.id, principal_id: p.id}) }
  OR EXISTS { MATCH (n)-[:HEARD_IN]->(:AttentionSession {session_source: $left}) }
  OR EXISTS { MATCH (run:Run {source: $left}) WHERE run.id = n.run_id }
DETACH DELETE n
"""


@pytest.fixture(scope="module", autouse=True)
async def _nothing_left(marked: Api) -> AsyncGenerator[None]:
    yield
    await marked.database.run_alone(AWAY, left=LEFT)


@dataclass(frozen=True)
class Call:
    mutation: str
    arguments: dict[str, Any]
    returning: str = "replayed"
    codes: frozenset[str] = field(default_factory=lambda: frozenset(CODES))

    @property
    def document(self) -> str:
        mutations = SCHEMA.mutation_type
        assert mutations
        types = mutations.fields[self.mutation].args
        given = ", ".join(f"${name}: {types[name].type}" for name in self.arguments)
        passed = ", ".join(f"{name}: ${name}" for name in self.arguments)
        takes, passes = (f"({given})", f"({passed})") if self.arguments else ("", "")
        return f"mutation {takes} {{ {self.mutation}{passes} {{ {self.returning} }} }}"


def ref(label: str) -> dict[str, str]:
    """The record of a kind that is in use and for everybody to see."""
    return {"id": marked_id(REGISTRY.types[label], 0)}


def least(kind: RecordType) -> dict[str, Any]:
    """What a new record of a kind cannot do without."""
    needed = {name: fitting(one, 9) for name, one in kind.fields.items() if one.required and one.authored}
    return api_keys({**needed, "name": f"{LEFT} {kind.label}", "source": LEFT, "source_key": kind.label})


SAVED = [kind for kind in REGISTRY.types.values() if kind.saved]
FREE = [one for one in REGISTRY.relations if not one.managed]


def changes() -> Iterator[Call]:
    """To all that is in use."""
    for kind in [*SAVED, REGISTRY.types["Blueprint"], REGISTRY.types["Segment"]]:
        yield Call(f"save{kind.label}", {"input": {**ref(kind.label), "name": "Another name"}})
        yield Call(f"save{kind.label}", {"input": {**ref(kind.label), "dataClass": "public"}})
    for kind in REGISTRY.types.values():
        yield Call("archiveRecord", {"record": ref(kind.label)})
        yield Call("restoreRecord", {"record": ref(kind.label)})
        state = next(one.value for one in kind.states if one != "active")
        yield Call("setLifecycle", {"record": ref(kind.label), "state": state})
    for one in FREE:
        for tail in one.tails:
            ends = {"tail": ref(tail), "type": one.type, "head": ref(one.heads[0])}
            codes = frozenset({*CODES, "need_contradicts", *({"relation_managed"} if tail in one.saved_with else ())})
            yield Call("linkRecords", ends, "replayed", codes)
            yield Call("unlinkRecords", ends, "replayed", codes)


def news() -> Iterator[Call]:
    """Of kinds that hold as soon as they are there."""
    for kind in SAVED:
        if KINDS[kind.label].may is not May.propose:
            yield Call(f"save{kind.label}", {"input": least(kind)})


FALLBACK = {
    "taskAgentRequestId": LEFT,
    "primaryModelRef": "large",
    "fallbackModelRef": "small",
    "fallbackReason": "timeout",
}
TRACKED = {
    "creationMode": "scratch_draft_not_run",
    "reasonForTaskMode": "It is to be looked at.",
    "userVisibleDescription": "It reviews.",
    "requestRef": LEFT,
    "decision": ref("ModeDecision"),
}
GRAPH_INPUT = {"modules": [{"moduleKey": "a", "moduleType": "step.agent_task", "outputPorts": ["out"]}]}


def decisions(run: dict[str, Any]) -> Iterator[Call]:
    """What is somebody's approval by itself."""
    for label in ("Task", "Template"):
        yield Call("saveGraph", {"of": ref(label), "graph": GRAPH_INPUT})
        values = {"name": "B", "businessOrPersonalGoal": "Sound.", "taskType": "review"}
        yield Call("saveBlueprint", {"input": values, "of": ref(label)})
    yield Call("mergeEntities", {"keep": ref("Entity"), "merge": ref("Entity")})
    yield Call("setLegalHold", {"record": ref("Run"), "hold": True})
    yield Call("eraseRecord", {"record": ref("Run")})
    yield Call("decideRecommendation", {"recommendation": ref("Recommendation"), "accept": True})
    yield Call("liftSuppression", {"contextClass": "code_review/review/engineering"})
    yield Call("setAttentionMode", {"mode": "actuated"})
    yield Call("decideAttention", {"session": ref("AttentionSession")})
    for answer in ("dismissDirective", "actOnDirective", "snoozeDirective"):
        yield Call(answer, {"directive": ref("AttentionDirective")})
    yield Call("reviewArtifact", {"artifact": ref("Artifact"), "approve": True})
    proposal = ref("Proposal")["id"]
    yield Call("reviewProposal", {"input": {"proposalId": proposal, "decision": "approve"}})
    yield Call("reviewProposals", {"inputs": [{"proposalId": proposal, "decision": "approve"}]}, "rejected")
    yield Call("applyProposal", {"proposalId": proposal})
    yield Call("rollBackProposal", {"proposalId": proposal})
    yield Call("createLibraryIntent", {"artifact": ref("Artifact"), "library": ref("Entity")})
    catalogue = {"source": LEFT, "types": [{"moduleType": "step.x", "family": "step", "name": "X"}]}
    yield Call("saveModuleCatalogue", {"input": catalogue})
    yield Call("compileKnowledge", {"activate": True})
    yield Call("activateKnowledgePack", {"pack": ref("KnowledgePack")})
    yield Call("checkKnowledge", {}, "stale")
    yield Call("registerSpecDocument", {"input": {"key": LEFT, "title": "X", "text": "# A\n\nB."}})
    suite = "{name: own, version: 1, examples: [{key: a, request: b, expect: {gated: true}}]}"
    yield Call("saveEvalSuite", {"input": {"text": suite}})
    # A fix is proposed as any change is; of a kept preflight that knows none there is nothing to propose.
    fixes = frozenset({*CODES, "fix_unknown"})
    yield Call("proposeFix", {"preflight": ref("Preflight"), "fix": "x"}, codes=fixes)
    unread = frozenset({*CODES, "action_unreadable"})
    yield Call("proposeAction", {"action": ref("AssessmentAction")}, codes=unread)
    share = {"run": ref("Run"), "shareMode": "specific_run_summary"}
    yield Call("createShare", {"input": share})
    yield Call("revokeShare", {"share": ref("ShareCapsule")})
    link = {"secret": "A" * 43}
    closed = frozenset({*CODES, "share_not_found"})
    yield Call("copySharedTask", {"input": link}, codes=closed)
    yield Call("commentOnShare", {"input": {**link, "comment": "Well done."}}, codes=closed)
    steps = [{"operation": "set_value", "field": "description", "value": "X"}]
    yield Call("proposeUnderShare", {"input": {**link, "steps": steps, "rationale": "So."}}, codes=closed)
    yield Call("requestUnderShare", {**link, "request": "run_task"}, codes=closed)
    yield Call("createPrincipal", {"name": LEFT})
    yield Call("changePrincipal", {"principal": "agent", "allMatters": True})
    for change in ("disablePrincipal", "enablePrincipal"):
        yield Call(change, {"principal": "agent"})
    for change in ("grantMatters", "revokeMatters"):
        yield Call(change, {"principal": "agent", "matterIds": [ref("Entity")["id"]]})
    yield Call("createKey", {"principal": "agent", "name": LEFT, "scopes": ["admin"]})
    yield Call("revokeKey", {"key": "key_none"})
    fork = {"rerunScope": "selected_module_and_downstream", "sideEffectReplayPolicy": "allow_with_confirmation"}
    yield Call(
        "requestFork",
        {"run": run, "moduleKey": "B", "activationSeq": 1, "input": fork, "authoriseSideEffects": True},
        codes=frozenset({"validation.task_run_fork_side_effect_replay_policy_required"}),
    )


async def graph_of(database: Database) -> set[str]:
    """What is in it, as lines: what differs can be read."""
    row = await database.read_one(GRAPH)
    assert row
    records = {repr(sorted(one.items())) for one in row["records"]}
    return records | {f"{one['what']}: {one['count']}" for one in row["counts"]}


async def told_of(admin: Caller) -> dict[str, Any]:
    """A run at work that the agent may speak of, with an output."""
    story = Story({"source": LEFT, "key": "run"}, task_key=f"{LEFT}-task")
    story.tell("run_started").tell("activation_started", **step("A")).tell(
        "artifact_produced", artifact_key=f"{LEFT}-said", artifact_kind="document", name="Said", **step("A")
    )
    story.tell("activation_completed", input_summary=["A letter."], **step("A")).tell("activation_started", **step("B"))
    story.tell("session", session_key="s", session_kind="forked_session", continuation_status="available",
               supported_interventions=["pause_after_module"], **step("B"))  # fmt: skip
    story.tell("gate_opened", gate_key="g", gate_kind="approval", question="Good?", **step("B"))
    report = "mutation ($e: [RunEventInput!]!) { reportRunEvents(events: $e) { rejected answers { message } } }"
    told = (await admin.ask(report, e=api_keys(story.events)))["reportRunEvents"]
    assert told["rejected"] == 0, told
    return {"kind": "Run", "source": LEFT, "key": "run"}


async def test_an_agent_approves_nothing_and_changes_nothing_in_use(marked: Api, admin: Caller, agent: Caller) -> None:
    run = await told_of(admin)
    before = await graph_of(marked.database)
    for call in (*changes(), *news(), *decisions(run)):
        error = (await agent.post(call.document, **call.arguments)).json().get("errors")
        assert error, call
        code = error[0]["extensions"]["code"]
        assert code in call.codes, (call, error[0])
    assert (await graph_of(marked.database)) ^ before == set()


def proposals() -> dict[str, dict[str, Any]]:
    """But for tasks, which an agent makes with a receipt."""
    return {kind.label: least(kind) for kind in SAVED if KINDS[kind.label].may is May.propose and kind.label != "Task"}


async def test_what_an_agent_proposes_waits_and_is_its_own_to_change(marked: Api, agent: Caller, admin: Caller) -> None:
    for label, values in proposals().items():
        save = f"mutation ($i: {label}Input!) {{ save{label}(input: $i) {{ record {{ id lifecycleState }} }} }}"
        made = (await agent.ask(save, i=values))[f"save{label}"]["record"]
        assert made["lifecycleState"] == KINDS[label].first, label
        changed = {"id": made["id"], "name": "Changed"}
        assert (await agent.ask(save, i=changed))[f"save{label}"]["record"]["lifecycleState"] == KINDS[label].first
        opened = await agent.refused(save, i={"id": made["id"], "dataClass": "public"})
        assert opened["code"] == "opening_not_allowed"
        state = (
            "mutation ($r: RecordRefInput!, $s: LifecycleState!) { setLifecycle(record: $r, state: $s) { version } }"
        )
        assert (await agent.refused(state, r={"id": made["id"]}, s="active"))["code"] in CODES
        await agent.ask(state, r={"id": made["id"]}, s="archived")
        assert (await agent.refused(state, r={"id": made["id"]}, s="active"))["code"] in CODES
    other = (await admin.ask('mutation { saveTemplate(input: {name: "agent-left other"}) { recordId } }'))[
        "saveTemplate"
    ]
    draft = "mutation ($r: RecordRefInput!) { setLifecycle(record: $r, state: draft) { version } }"
    await admin.ask(draft, r={"id": other["recordId"]})
    save = "mutation ($i: TemplateInput!) { saveTemplate(input: $i) { recordId } }"
    somebodys = await agent.refused(save, i={"id": other["recordId"], "name": "Mine now"})
    assert somebodys["code"] == "validation.template_update_requires_approval"


async def test_an_agent_reports_no_approval(admin: Caller, agent: Caller) -> None:
    await told_of(admin)
    story = Story({"source": LEFT, "key": "run"})
    story.tell("gate_decided", gate_key="g", status="approved", decided_by="ada", **step("B"))
    story.tell("gate_decided", gate_key="g", status="released", **step("B"))
    story.tell("artifact_promoted", artifact_key=f"{LEFT}-said", promoted_by="ada", promoted_level="doc72_reference")
    story.tell("gate_decided", gate_key="g", status="timed_out", **step("B"))
    events = [{**one, "event_id": f"{LEFT}-{place}"} for place, one in enumerate(story.events)]
    report = "mutation ($e: [RunEventInput!]!) { reportRunEvents(events: $e) { answers { outcome code } } }"
    told = (await agent.ask(report, e=api_keys(events)))["reportRunEvents"]["answers"]
    assert [one["code"] for one in told] == [*["approval_required"] * 3, None]


async def test_what_an_agent_describes_for_the_first_time_waits_as_well(agent: Caller) -> None:
    client = {"kind": "Entity", "source": LEFT, "key": f"{LEFT}-client"}
    story = Story({"source": LEFT, "key": "own"}, task_key=f"{LEFT}-own").tell("run_started", about=[client])
    report = "mutation ($e: [RunEventInput!]!) { reportRunEvents(events: $e) { rejected } }"
    assert (await agent.ask(report, e=api_keys(story.events)))["reportRunEvents"] == {"rejected": 0}
    save = "mutation ($i: TaskInput!) { saveTask(input: $i) { record { lifecycleState } } }"
    given = {"source": LEFT, "sourceKey": f"{LEFT}-own", "name": f"{LEFT} told"}
    assert (await agent.refused(save, i=given))["code"] == "validation.task_receipt_required"
    track = "mutation ($i: TrackedTaskInput!) { trackTask(input: $i) { receipt { runnable } } }"
    seen = {**TRACKED, "task": {"source": LEFT, "key": f"{LEFT}-own"}}
    assert (await agent.ask(track, i=seen))["trackTask"]["receipt"] == {"runnable": False}
    assert (await agent.ask(save, i=given))["saveTask"]["record"] == {"lifecycleState": "draft"}
    entity = "mutation ($i: EntityInput!) { saveEntity(input: $i) { recordId } }"
    known = {"source": LEFT, "sourceKey": f"{LEFT}-client", "name": "Client", "kind": "person"}
    assert (await agent.refused(entity, i=known))["code"] == "approval_required"


def asked(run: dict[str, Any], made: dict[str, str]) -> Iterator[Call]:
    """Whatever else an agent may send, as it would."""
    at = {"run": run, "moduleKey": "B", "activationSeq": 1}
    artifact = {"source": LEFT, "key": f"{LEFT}-said"}
    task = {"id": made["Task"]}
    yield Call("openRunScope", {"input": {"run": run, "launchSurface": "manual_api"}})
    yield Call("assembleContextPacket", {"input": {**at, "moduleType": "step.agent_task"}})
    need = {"detectedNeed": "A tool.", "basis": "upstream_prompt_detected", "capabilities": [ref("Capability")]}
    yield Call("expandCapabilities", {"input": {**at, **need}})
    yield Call("recordContextFeedback", {"input": {**at, "targetKind": "context_packet", "feedback": "helpful"}})
    yield Call("recordMatch", {"kind": "template", "request": {"text": "Review the complaint."}}, "recordId replayed")
    yield Call(
        "reportCapabilityState", {"capability": ref("Capability"), "state": "down", "asOf": "2026-01-01T00:00:00Z"}
    )
    fork = {"rerunScope": "selected_module_and_downstream"}
    yield Call("requestFork", {"run": run, "moduleKey": "A", "activationSeq": 1, "input": fork})
    question = {"mode": "ask_task_agent_about_module", "userQuestion": "Why?"}
    yield Call("recordFollowUp", {"run": run, "moduleKey": "A", "activationSeq": 1, "input": question})
    yield Call("recordIntervention", {**at, "input": {"interventionKind": "pause_after_module"}})
    yield Call("openThread", {"input": {"scope": "task_run_inspection"}, "run": run})
    consult = {"entrypoint": "inspect_task_run", "userRequestRef": "chat://1", "responseKind": "status_answer"}
    yield Call("recordConsult", {"input": consult, "run": run})
    yield Call("recordModelFallback", {"input": FALLBACK})
    yield Call("recordTaskMode", {"request": {"text": "Review the complaint."}})
    yield Call("recordPreflight", {"graph": {"modules": [{"moduleKey": "a", "moduleType": "step.agent_task"}]}})
    answered = [{"example": "plain_question", "mode": "direct_chat"}]
    yield Call("submitEvalRun", {"agentVersion": LEFT, "proposals": answered})
    met = {"userRequestRef": LEFT, "selectedMode": "direct_chat", "taskOpportunityLevel": "low"}
    yield Call("recordInvocation", {"input": {**met, "contextClass": LEFT, "userResponse": "accepted"}})
    about = {"userRequestRef": LEFT, "contextClassKey": LEFT}
    said = {"suggestionKind": "task_suggested", "userResponse": "rejected"}
    yield Call("recordSuggestionFeedback", {"input": {**about, **said}})
    yield Call("recordInvocationSignal", {"input": {**about, "signalKind": "task_overused"}})
    call = {"eventId": LEFT, "source": LEFT, "tool": {"key": f"{LEFT}-tool"}, "outcomeType": "success"}
    yield Call("reportToolOutcomes", {"outcomes": [{**call, "occurredAt": "2026-01-01T00:00:00Z"}]}, "accepted")
    asks = {"eventId": LEFT, "source": LEFT, "user": "u", "session": "s", "askedAt": "2026-01-01T00:00:00Z"}
    yield Call("reportAsks", {"asks": [asks]}, "accepted")
    yield Call("evaluateTools", {"dryRun": False})
    seen = {"source": LEFT, "signalId": "1", "signalType": "user_action", "payload": {"action": "opened"}, "run": run}
    yield Call("reportLearningSignals", {"signals": [seen]})
    phrase = {"operation": "add_to_list", "field": "trigger_phrases", "value": [f"{LEFT} phrase"]}
    change = {"proposalKind": "template_semantic_card_update", "target": ref("Template"), "rationale": "Said often."}
    yield Call("proposeChange", {"input": {**change, "steps": [phrase]}}, "recordId replayed")
    yield Call("assessRun", {"run": run}, "recordId known refused")
    yield Call("assessTask", {"task": task, "proposing": False})
    yield Call("assessPortfolio", {"scope": "selected_tasks", "tasks": [task]})
    example = {"exampleKey": "a", "inputHash": "b"}
    dataset = {"name": LEFT, "datasetSource": "manual", "examples": [example]}
    yield Call("drawEvalDataset", {"input": {"name": LEFT, "datasetSource": "production_trace"}})
    yield Call("recordLearningReport", {"scope": "task_execution"})
    yield Call("createEvalDataset", {"input": dataset}, "recordId replayed")
    yield Call("promoteArtifact", {"artifact": artifact, "level": "doc72_reference"}, "outcome")
    yield Call("requestExtraction", {"record": artifact, "reason": "flagged_high_value"}, "recordId replayed")
    yield Call("exportAudit", {"run": run, "profile": "full_local_audit"}, "decision")
    yield Call(
        "saveBlueprint",
        {"input": {"name": f"{LEFT} blueprint", "businessOrPersonalGoal": "Sound.", "taskType": "review"}, "of": task},
    )
    design = {"session": {"id": made["DesignSession"]}}
    said = {"said": ["I always want a table."], "answers": [{"slot": "task_goal", "values": ["A sound review."]}]}
    yield Call("updateDesignSession", {**design, "update": said, "graph": GRAPH_INPUT})
    yield Call("reportAgentEvents", {"events": [heard()]}, "accepted rejected")
    yield Call("recordLibraryReceipt", {"intent": ref("LibraryIntent"), "status": "cancelled"})
    workflow = '{"name": "agent-left", "nodes": [{"name": "a", "type": "b.c"}]}'
    yield Call("importN8n", {"workflows": [{"fileName": "f.json", "content": workflow}]})


def heard() -> dict[str, Any]:
    return {
        "eventId": LEFT,
        "eventType": "user_action",
        "occurredAt": "2026-01-01T00:00:00Z",
        "session": {"source": LEFT, "key": "s"},
        "component": "c",
        "payload": {"action": "open"},
    }


@dataclass(frozen=True)
class Sender:
    """Sends calls with the agent's key and remembers which commands they were."""

    agent: Caller
    sent: set[str] = field(default_factory=set[str])

    async def send(self, call: Call) -> dict[str, Any]:
        self.sent.add(call.mutation)
        return (await self.agent.ask(call.document, **call.arguments))[call.mutation]


async def drafts(by: Sender) -> dict[str, str]:
    """A task that is seen, and a design of one: by their kinds."""
    task = (await by.send(Call("trackTask", {"input": {**TRACKED, "name": f"{LEFT} task"}}, "taskId")))["taskId"]
    saved = await by.send(Call("saveTask", {"input": {"id": task, "description": "Said."}}, "recordId"))
    assert saved["recordId"] == task
    begin = Call("startDesignSession", {"request": {"text": "Review the complaint."}}, "recordId")
    return {"Task": task, "DesignSession": (await by.send(begin))["recordId"]}


async def after_a_search(by: Sender, task: str, search: str) -> None:
    """The graph of its own draft, a part of it, and what it is linked to."""
    await by.send(Call("saveGraph", {"of": {"id": task}, "graph": GRAPH_INPUT, "searched": {"id": search}}))
    segment = {"input": {"name": f"{LEFT} segment"}, "from": {"id": task}, "modules": ["a"]}
    cut = await by.send(Call("saveSegment", segment, "record { lifecycleState }"))
    assert cut["record"] == {"lifecycleState": "draft"}
    ends = {"tail": {"id": task}, "type": "INSTANTIATES", "head": ref("Template")}
    for way in ("linkRecords", "unlinkRecords"):
        await by.send(Call(way, ends))


async def a_prompt(by: Sender, task: str) -> None:
    """From a prompt of its own to the proposal that another takes its place, which a person decides on."""
    prompt = {"name": f"{LEFT} prompt", "livesIn": {"id": task}, "surface": "task_template_prompt", "text": "Do it."}
    kept = await by.send(Call("recordPrompt", {"input": prompt}, "recordId"))
    about = {"id": kept["recordId"]}
    await by.send(Call("recordPromptCheck", {"of": about, "prompt": {"text": "Do it."}}))
    other = {"label": "B", "generationMethod": "manual_variant", "promptHash": "b" * 64}
    listed = "record { ... on PromptBundle { bundles { nodes { id } } } }"
    bundle = await by.send(Call("recordPromptCandidates", {"input": {"prompt": about, "candidates": [other]}}, listed))
    candidate = {"id": bundle["record"]["bundles"]["nodes"][0]["id"]}
    variants = [
        {"variant": "A", "source": "same_as_baseline"},
        {"variant": "B", "source": "manual", "candidate": candidate},
    ]
    test = {"prompt": about, "promptKind": "module_prompt", "evaluationGoal": "Better?", "variants": variants}
    plan = {"experimentMode": "manual_variants_only", "evalDatasetRef": "data://x"}
    begun = await by.send(Call("startPromptEvaluation", {"input": {**test, **plan}}, "recordId"))
    evaluation = {"id": begun["recordId"]}
    results = [{"examples": 20, "meanScore": 0.4}, {"candidate": candidate, "examples": 20, "meanScore": 0.9}]
    await by.send(Call("completePromptEvaluation", {"input": {"evaluation": evaluation, "results": results}}))
    await by.send(Call("proposePrompt", {"input": {"evaluation": evaluation, "rationale": "It won."}}))
    await by.send(Call("recordPromptEdit", {"input": {"about": about, "before": "Do it.", "after": "Return a table."}}))
    await by.send(Call("recordPromptFeedback", {"input": {"about": about, "feedback": "viewed"}}))


async def follow_ups(by: Sender, own: dict[str, str], made: dict[str, str]) -> None:
    """What it may send once others of its commands were carried out, by what those made."""
    task = own["Task"]
    await after_a_search(by, task, made["recordMatch"])
    await a_prompt(by, task)
    await by.send(Call("recordProposalEdit", {"session": {"id": own["DesignSession"]}, "saved": {"id": task}}))
    await by.send(Call("replayProposal", {"proposalId": made["proposeChange"]}))
    note = {"assessor": LEFT, "text": "Sound."}
    await by.send(Call("attachAssessorNote", {"assessment": {"id": made["assessRun"]}, "note": note}))
    dataset = {"dataset": {"id": made["createEvalDataset"]}}
    await by.send(Call("addEvalExamples", {**dataset, "examples": [{"exampleKey": "b", "inputHash": "c"}]}))
    await by.send(Call("freezeEvalDataset", dataset))
    score = {"exampleKey": "b", "scorer": LEFT, "scorerKind": "judge", "score": 0.5}
    await by.send(Call("recordEvalScores", {**dataset, "candidate": LEFT, "scores": [score]}))
    extraction = {"extraction": {"id": made["requestExtraction"]}}
    await by.send(Call("takeExtraction", extraction))
    await by.send(Call("settleExtraction", {**extraction, "done": True}))
    await by.send(Call("archiveRecord", {"record": {"id": task}}))


async def test_an_agent_asks_reports_and_drafts(marked: Api, admin: Caller, agent: Caller) -> None:
    # There is no catalogue here that a graph could be examined by; what a preflight asks is in `tests/knowledge`.
    profile = {"name": f"{LEFT} profile", "source": LEFT, "sourceKey": "profile", "requirePreflightBeforeSave": False}
    waive = "mutation ($i: EducationProfileInput!) { saveEducationProfile(input: $i) { recordId } }"
    await admin.ask(waive, i=profile)
    run, by = await told_of(admin), Sender(agent)
    own = await drafts(by)
    made: dict[str, str] = {}
    for call in asked(run, own):
        answer = await by.send(call)
        assert answer.get("outcome") in {None, "requested"}, "what it promotes a person decides"
        assert answer.get("decision") in {None, "blocked"}, "all of a run is for administrators"
        made |= {call.mutation: answer["recordId"]} if "recordId" in answer else {}
    await follow_ups(by, own, made)
    proposed = {f"save{label}" for label in proposals()} | {"setLifecycle"}
    assert {*COMMANDS} <= by.sent | proposed
    refused = {call.mutation for call in (*changes(), *news(), *decisions(run))}
    mutations = SCHEMA.mutation_type
    assert mutations
    assert by.sent | proposed | refused | {"reportRunEvents"} == {*mutations.fields}, "each is sent by a test here"


async def test_an_agent_says_what_it_heard_and_whom_to_ask_is_no_matter_of_it(marked: Api, agent: Caller) -> None:
    """Sessions and user models of others are theirs."""
    somebody = (await marked.database.read("MATCH (p:Principal {name: 'admin'}) RETURN p.id AS id"))[0]["id"]
    liking = {"dimension": "guidance_density", "value": 1.0}
    told = {**heard(), "eventType": "user_feedback", "payload": liking, "user": somebody}
    report = Call("reportAgentEvents", {"events": [told]}, "answers { outcome code }")
    assert (await Sender(agent).send(report))["answers"] == [{"outcome": "rejected", "code": "owner_needed"}]


def test_links_that_agents_may_make_have_a_name_in_the_api() -> None:
    assert all(api_name(one) for one in LINKS)
