"""What the writers of a campaign do: a short story of every family of commands, told under its own number.

A story is the same each time but for its number, so that what a story leaves in a calm graph is what it has to leave in
any other.
"""

import json
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any, Protocol

from tests.chaos.deeds import LINES

SOURCE = "chaos"
MODULES = 6
START = datetime(2026, 1, 5, 9, tzinfo=UTC)
POLICY: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}
PHRASES = ("review a pleading", "compare two ledgers", "draft a letter", "collect filings", "audit a trading desk")

Values = dict[str, Any]


class Telling(Protocol):
    """Who tells a story: sends its calls, one after another, and gives what was answered."""

    number: int
    name: str

    async def do(self, mutation: str, /, **arguments: Any) -> Values: ...


Story = Callable[[Telling], Awaitable[None]]


def _own(told: Telling, what: str) -> Values:
    return {"name": f"{told.name} {what}", "source": SOURCE, "sourceKey": f"{told.name}-{what}"}


def _id(answer: Values) -> Values:
    return {"id": answer["recordId"]}


async def records(told: Telling) -> None:
    """Made, changed, linked, parted, put away and brought back."""
    goal = {**_own(told, "goal"), "goalType": "risk_control_goal", "goalStatement": "Survive."}
    made = _id(await told.do("saveGoal", input=goal))
    await told.do("saveGoal", input={**made, "goalStatement": "Survive again."})
    wish = _id(await told.do("savePreference", input={**_own(told, "wish"), "statement": "Calm."}))
    ends = {"tail": wish, "type": "CONSTRAINS_GOAL", "head": made}
    await told.do("linkRecords", **ends)
    await told.do("unlinkRecords", **ends)
    await told.do("linkRecords", **ends)
    await told.do("archiveRecord", record=wish)
    await told.do("restoreRecord", record=wish)


async def erased(told: Telling) -> None:
    """What is erased leaves nothing but that it was."""
    kept = {**_own(told, "memory"), "memoryKind": "directive", "statement": "It rained."}
    made = _id(await told.do("saveMemory", input=kept))
    await told.do("setLegalHold", record=made, hold=True)
    await told.do("setLegalHold", record=made, hold=False)
    await told.do("eraseRecord", record=made, reason="It was wrong.")


def _graph(*keys: str) -> Values:
    modules = [
        {"moduleKey": one, "moduleType": "step.agent_task", "inputPorts": ["in"], "outputPorts": ["out"]}
        for one in keys
    ]
    cables = [{"tail": a, "fromPort": "out", "head": b, "toPort": "in"} for a, b in pairwise(keys)]
    return {"modules": modules, "cables": cables}


async def library(told: Telling) -> None:
    """A template with its graph, twice, its blueprint, its states, and a segment."""
    said = PHRASES[told.number % len(PHRASES)]
    template = {**_own(told, "template"), "description": f"To {said}.", "triggerPhrases": [f"{said} {told.number}"]}
    made = _id(await told.do("saveTemplate", input=template))
    await told.do("saveGraph", of=made, graph=_graph("draft", "judge"))
    await told.do("saveGraph", of=made, graph=_graph("draft", "judge", "send"))
    steps = [{"stepKey": "one", "name": "One", "purpose": "Begin.", "boundModules": ["draft"]}]
    plan = {"name": f"{told.name} plan", "businessOrPersonalGoal": "Sound.", "taskType": "review", "steps": steps}
    await told.do("saveBlueprint", input=plan, of=made)
    await told.do("setLifecycle", record=made, state="deprecated", reason="Old.")
    await told.do("setLifecycle", record=made, state="active", reason="Not so old.")
    await told.do("saveSegment", input=_own(told, "segment"), **{"from": made, "modules": ["draft", "judge"]})


def _at(seconds: int) -> str:
    return (START + timedelta(seconds=seconds)).isoformat()


def _events(told: Telling, kinds: Sequence[tuple[str, Values]], first: int = 0) -> list[Values]:
    """Reports of the story's run, as JSON lines have them."""
    shared = {"run": {"source": SOURCE, "key": f"{told.name}-run"}, "policy": POLICY}
    return [
        {"event_id": f"{place}", "kind": kind, "occurred_at": _at(place), **shared, **values}
        for place, (kind, values) in enumerate(kinds, first)
    ]


def _step(key: str, **values: Any) -> Values:
    return {"module_key": key, "activation_seq": 1, **values}


def _made(told: Telling, key: str, **values: Any) -> tuple[str, Values]:
    name = f"{told.name}-{key}"
    more = {"artifact_key": name, "artifact_kind": "text_output", "name": name, "summary": "What was made."}
    return "artifact_produced", _step(key, **more, storage_ref=f"file:///{name}", **values)


def _begun(told: Telling) -> list[Values]:
    return _events(told, [("run_started", {"task_key": f"{told.name}-task", "trigger_kind": "manual"})])


async def runs(told: Telling) -> None:
    """A long report in one call, and another which tells a part of it again."""
    kinds: list[tuple[str, Values]] = []
    for module in range(MODULES):
        key = f"m{module}"
        kinds += [
            ("activation_started", _step(key, module_type="agent")),
            _made(told, key),
            ("span", _step(key, span_key=f"s{module}", span_kind="llm_call", status="success", cost_usd=0.01)),
            ("activation_completed", _step(key, cost_usd=0.01, output_summary=["Done."])),
        ]
    lines = _begun(told) + _events(told, kinds, 1)
    await told.do(LINES, events=lines)
    sent = _step("m0", idempotency_key=f"{told.name}-sent", delivery_kind="email", status="delivered")
    end = _events(told, [("delivery", sent), ("run_completed", {"quality_summary": "Fine."})], len(lines))
    await told.do(LINES, events=lines[-3:] + end)


async def packets(told: Telling) -> None:
    """An executor: a run, its scope, a module at work, what it may know, and what came of it."""
    await told.do(LINES, events=_begun(told))
    run = {"source": SOURCE, "key": f"{told.name}-run"}
    await told.do("openRunScope", input={"run": run, "launchSurface": "manual_api"})
    await told.do(LINES, events=_events(told, [("activation_started", _step("write", module_type="agent"))], 1))
    at = {"run": run, "moduleKey": "write", "activationSeq": 1}
    config = {"instruction": f"Write note {told.number}."}
    asked = {**at, "moduleType": "step.agent_task", "config": config, "maxTokens": 2000}
    await told.do("assembleContextPacket", input=asked)
    await told.do("recordContextFeedback", input={**at, "targetKind": "context_packet", "feedback": "helpful"})
    kinds = [_made(told, "write", output_class="final_output"), ("activation_completed", _step("write"))]
    await told.do(LINES, events=_events(told, [*kinds, ("run_completed", {})], 2))


async def afterwards(told: Telling) -> None:
    """What people do with a run that is over: keep, ask, fork, extract, share."""
    kinds = [("activation_started", _step("write")), _made(told, "write"), ("activation_completed", _step("write"))]
    await told.do(LINES, events=_begun(told) + _events(told, [*kinds, ("run_completed", {})], 1))
    run = {"kind": "Run", "source": SOURCE, "key": f"{told.name}-run"}
    artifact = {"source": SOURCE, "key": f"{told.name}-write"}
    await told.do("promoteArtifact", artifact=artifact, level="doc72_reference")
    at = {"run": run, "moduleKey": "write", "activationSeq": 1}
    question = {"mode": "ask_task_agent_about_module", "userQuestion": "Why?"}
    await told.do("recordFollowUp", **at, input=question)
    await told.do("requestFork", **at, input={"rerunScope": "selected_module_and_downstream"})
    await told.do("openThread", input={"scope": "task_run_inspection"}, run=run)
    wanted = _id(await told.do("requestExtraction", record=artifact, reason="flagged_high_value"))
    await told.do("takeExtraction", extraction=wanted)
    await told.do("settleExtraction", extraction=wanted, done=True)
    share = _id(await told.do("createShare", input={"run": run, "shareMode": "specific_run_summary"}))
    await told.do("revokeShare", share=share, reason="Enough.")


async def matches(told: Telling) -> None:
    """What was asked of the library, and kept."""
    said = PHRASES[told.number % len(PHRASES)]
    await told.do("recordMatch", kind="template", request={"text": f"Please {said}."})


async def routing(told: Telling) -> None:
    """A decision about a request, and what its user made of it."""
    about = {"userRequestRef": told.name, "contextClassKey": "general/review/general"}
    kept = await told.do("recordTaskMode", request={"text": "Review the complaint.", "userRequestRef": told.name})
    trace = {"decision": _id(kept), "userResponse": "accepted"}
    await told.do("recordInvocation", input=trace)
    said = {"suggestionKind": "task_suggested", "userResponse": "accepted"}
    await told.do("recordSuggestionFeedback", input={**about, **said})
    await told.do("recordInvocationSignal", input={**about, "signalKind": "task_used_successfully"})
    models = {"primaryModelRef": "large", "fallbackModelRef": "small", "fallbackReason": "timeout"}
    await told.do("recordModelFallback", input={"taskAgentRequestId": told.name, **models})


async def tools(told: Telling) -> None:
    """How calls of a tool ended, and whether it is still the right one."""
    tool = {"key": f"{told.name}-tool"}
    calls = [
        {"eventId": f"{told.name}-{one}", "source": SOURCE, "tool": tool, "occurredAt": _at(one), "outcomeType": kind}
        for one, kind in enumerate(("success", "low_utility", "success"))
    ]
    await told.do("reportToolOutcomes", outcomes=calls)
    asks = {"eventId": f"{told.name}-ask", "source": SOURCE, "user": told.name, "session": told.name}
    await told.do("reportAsks", asks=[{**asks, "askedAt": _at(9)}])
    await told.do("reportToolOutcomes", outcomes=[calls[0], {**calls[1], "eventId": f"{told.name}-last"}])
    await told.do("evaluateTools", tool={"source": SOURCE, "key": tool["key"]})


async def attention(told: Telling) -> None:
    """What an agent tells of itself; the service decides about it in the background."""
    shared = {"component": "ledger_reader", "dataClass": "internal", "session": {"source": SOURCE, "key": told.name}}
    failed = {"eventType": "analysis_failed", "payload": {"errorCode": "timeout", "message": "It did not load."}}
    events = [{"eventId": f"e{one}", "occurredAt": _at(one), **shared, **failed} for one in range(3)]
    await told.do("reportAgentEvents", events=events[:2])
    await told.do("reportAgentEvents", events=[events[1], {**events[2], "endsSession": True}])


async def learning(told: Telling) -> None:
    """A signal, a proposal that rests on it, approved, applied and taken back."""
    template = {**_own(told, "template"), "description": "It is learned about."}
    made = _id(await told.do("saveTemplate", input=template))
    seen = {"source": SOURCE, "signalId": told.name, "signalType": "user_action", "signalKind": "template_selected"}
    told_of = {"about": [made], "patternPromotionEligible": True}
    answered = await told.do("reportLearningSignals", signals=[{**seen, **told_of}])
    signal = {"id": answered["report"]["answers"][0]["recordId"]}
    phrase = {"operation": "add_to_list", "field": "trigger_phrases", "value": [f"phrase of {told.name}"]}
    change = {"proposalKind": "template_semantic_card_update", "rationale": "Said often.", "steps": [phrase]}
    asked = {**change, "target": made, "supportedBy": [signal]}
    proposal = (await told.do("proposeChange", input=asked))["recordId"]
    await told.do("replayProposal", proposalId=proposal)
    await told.do("reviewProposal", input={"proposalId": proposal, "decision": "approve"})
    await told.do("applyProposal", proposalId=proposal)
    await told.do("rollBackProposal", proposalId=proposal, reason="No better.")


async def design(told: Telling) -> None:
    """A task that is thought of, tracked, and a prompt and data to judge it by."""
    said = {"text": "Review the complaint and write a digest.", "blank": True, "userRequestRef": told.name}
    session = _id(await told.do("startDesignSession", request=said))
    answers = {"answers": [{"slot": "expected_outputs", "values": ["digest"]}]}
    await told.do("updateDesignSession", session=session, update=answers, graph=_graph("draft"))
    tracked = {"creationMode": "scratch_draft_not_run", "reasonForTaskMode": "To be looked at."}
    seen = {"userVisibleDescription": "It reviews.", "requestRef": told.name, "name": told.name}
    await told.do("trackTask", input={**tracked, **seen})
    task = _id(await told.do("saveTask", input=_own(told, "task")))
    await told.do("saveGraph", of=task, graph=_graph("draft", "judge"))
    await told.do("recordProposalEdit", session=session, saved=task)
    data = {"name": told.name, "datasetSource": "manual", "examples": [{"exampleKey": "a", "inputHash": "b"}]}
    dataset = _id(await told.do("createEvalDataset", input=data))
    await told.do("addEvalExamples", dataset=dataset, examples=[{"exampleKey": "c", "inputHash": "d"}])
    await told.do("freezeEvalDataset", dataset=dataset)


async def knowledge(told: Telling) -> None:
    """A document of rules, and a look whether the pack is behind."""
    text = f"# Rule {told.number}\n\nNever {told.name}.\n\n## Why\n\nBecause of {told.name}."
    await told.do("registerSpecDocument", input={"key": told.name, "title": told.name, "text": text})
    await told.do("recordPreflight", graph=_graph("draft", "judge"))


async def entities(told: Telling) -> None:
    """Two that turn out to be one, and a tool that goes down."""
    kept = _id(await told.do("saveEntity", input={**_own(told, "kept"), "kind": "person"}))
    other = _id(await told.do("saveEntity", input={**_own(told, "other"), "kind": "person"}))
    await told.do("mergeEntities", keep=kept, merge=other, reason="The same person.")
    tool = {**_own(told, "tool"), "capabilityKind": "tool", "summary": "It fetches."}
    capability = _id(await told.do("saveCapability", input=tool))
    for generation, state in enumerate(("up", "down"), 1):
        known = {"state": state, "asOf": _at(generation), "generation": generation}
        await told.do("reportCapabilityState", capability=capability, **known)


async def principals(told: Telling) -> None:
    """Somebody who comes, gets a key, loses it and goes."""
    await told.do("createPrincipal", name=told.name, kind="executor", clearance="internal")
    key = await told.do("createKey", principal=told.name, name="on a machine", scopes=["report"])
    await told.do("revokeKey", key=key["key"]["id"])
    await told.do("changePrincipal", principal=told.name, clearance="public")
    matter = _id(await told.do("saveEntity", input={**_own(told, "matter"), "kind": "matter"}))
    for change in ("grantMatters", "revokeMatters"):
        await told.do(change, principal=told.name, matterIds=[matter["id"]])
    await told.do("disablePrincipal", principal=told.name)
    await told.do("enablePrincipal", principal=told.name)


async def audits(told: Telling) -> None:
    """What leaves the house of a run that is over, and what was done to it meanwhile."""
    session = {"session_key": "s", "session_kind": "forked_session", "continuation_status": "available"}
    at_work = ("session", _step("write", **session, supported_interventions=["user_note_for_downstream"]))
    kinds = [("activation_started", _step("write")), at_work, _made(told, "write")]
    await told.do(LINES, events=_begun(told) + _events(told, kinds, 1))
    run = {"kind": "Run", "source": SOURCE, "key": f"{told.name}-run"}
    note = {"interventionKind": "user_note_for_downstream", "note": "Mind the date."}
    await told.do("recordIntervention", run=run, moduleKey="write", activationSeq=1, input=note)
    ended: list[tuple[str, Values]] = [("activation_completed", _step("write")), ("run_completed", {})]
    await told.do(LINES, events=_events(told, ended, 9))
    consult = {"entrypoint": "retrieve_task_output", "responseKind": "output_retrieval"}
    consult["userRequestRef"] = told.name
    await told.do("recordConsult", run=run, input=consult, userAskedWhetherTaskFits=False)
    await told.do("exportAudit", run=run, profile="summary_only", formats=["markdown"])


async def assessments(told: Telling) -> None:
    """How a run did, what somebody outside says of it, and how a candidate did on cases."""
    failed = ("activation_failed", _step("write", error_code="too_long", error_message="It did not fit."))
    kinds = [("activation_started", _step("write")), failed, ("run_failed", {"failure_code": "too_long"})]
    await told.do(LINES, events=_begun(told) + _events(told, kinds, 1))
    run = {"kind": "Run", "source": SOURCE, "key": f"{told.name}-run"}
    assessment = _id(await told.do("assessRun", run=run, proposing=False))
    task = {"source": SOURCE, "key": f"{told.name}-task"}
    await told.do("assessTask", task=task, proposing=False)
    await told.do("assessPortfolio", scope="selected_tasks", tasks=[{"kind": "Task", **task}])
    await told.do("attachAssessorNote", assessment=assessment, note={"assessor": "a reader", "text": "Split it."})
    drawn = {"name": f"{told.name} drawn", "datasetSource": "task_assessment", "task": {"kind": "Task", **task}}
    await told.do("drawEvalDataset", input=drawn)
    data = {"name": told.name, "datasetSource": "manual", "examples": [{"exampleKey": "a", "inputHash": "b"}]}
    dataset = _id(await told.do("createEvalDataset", input=data))
    await told.do("freezeEvalDataset", dataset=dataset)
    score = {"exampleKey": "a", "scorer": "a judge", "scorerKind": "judge", "score": 0.5}
    await told.do("recordEvalScores", dataset=dataset, candidate="today", scores=[score])


async def prompts(told: Telling) -> None:
    """A prompt that is checked, varied, tried and edited; not a word of it is kept."""
    home = _id(await told.do("saveTask", input=_own(told, "home")))
    text = f"Summarise the ledger for {told.name}."
    where = {"livesIn": home, "surface": "task_template_prompt", "promptRole": "instruction"}
    named = {"name": told.name, "text": text, "capturePrompts": "never", "promotionState": "draft"}
    prompt = _id(await told.do("recordPrompt", input={**where, **named}))
    await told.do("recordPromptCheck", of=prompt, prompt={"text": text, "mode": "rewrite"})
    made = {"prompt": prompt, "generate": ["template_based_variant"], "text": text, "madeBy": "task_agent"}
    kept = {"preserveConstraints": True, "preserveOutputContract": True, "preserveToolPolicy": True}
    await told.do("recordPromptCandidates", input={**made, **kept})
    variants = [{"variant": "today", "source": "same_as_baseline"}, {"variant": "mine", "source": "manual"}]
    plan = {"promptKind": "module_prompt", "evaluationGoal": "Shorter.", "experimentMode": "manual_variants_only"}
    tried = _id(await told.do("startPromptEvaluation", input={"prompt": prompt, "variants": variants, **plan}))
    results = [{"examples": 12, "meanScore": 0.5}]
    await told.do("completePromptEvaluation", input={"evaluation": tried, "results": results})
    await told.do("recordPromptEdit", input={"about": prompt, "before": text, "after": f"{text} In one page."})
    await told.do("recordPromptFeedback", input={"about": prompt, "feedback": "viewed"})


async def expansions(told: Telling) -> None:
    """A module that wishes for a tool while it works."""
    tool = {**_own(told, "tool"), "capabilityKind": "tool", "summary": "It looks things up."}
    capability = _id(await told.do("saveCapability", input=tool))
    await told.do(LINES, events=_begun(told))
    run = {"source": SOURCE, "key": f"{told.name}-run"}
    await told.do("openRunScope", input={"run": run, "launchSurface": "manual_api"})
    await told.do(LINES, events=_events(told, [("activation_started", _step("write", module_type="agent"))], 1))
    need = {"detectedNeed": "A citation is missing.", "basis": "missing_required_capability"}
    wish = {"run": run, "moduleKey": "write", "activationSeq": 1, "capabilities": [capability]}
    await told.do("expandCapabilities", input={**need, **wish})


async def imports(told: Telling) -> None:
    """A workflow of another house, twice: what is the same changes nothing."""
    nodes = [{"name": "Fetch", "type": "n8n-nodes-base.httpRequest"}, {"name": "Tell", "type": "n8n-nodes-base.slack"}]
    cables = {"Fetch": {"main": [[{"node": "Tell", "type": "main", "index": 0}]]}}
    workflow = {"id": told.name, "name": f"Tell of {told.name}", "nodes": nodes, "connections": cables}
    files = [{"fileName": f"{told.name}.json", "content": json.dumps(workflow)}]
    await told.do("importN8n", workflows=files)
    await told.do("importN8n", workflows=files)


async def shared(told: Telling) -> None:
    """A record that many change at once."""
    key = f"shared-{told.number % 3}"
    goal = {"name": told.name, "source": SOURCE, "sourceKey": key, "goalType": "risk_control_goal"}
    await told.do("saveGoal", input={**goal, "goalStatement": told.name})


STORIES: dict[str, Story] = {
    one.__name__: one
    for one in (
        *(records, erased, library, runs, packets, afterwards, matches, routing),
        *(tools, attention, learning, design, knowledge, shared),
        *(entities, principals, audits, assessments, prompts, expansions, imports),
    )
}
