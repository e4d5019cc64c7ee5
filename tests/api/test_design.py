"""Two stories of people who design tasks, through the API alone: a choir with an agent, an observatory without one."""

from itertools import pairwise
from typing import Any

from tests.api.conftest import Caller

STATE = """readiness say taskType contextClass
  nextQuestion { slot why required utility { score asked } }
  notWorthAsking { slot because }
  slots { slot matters filled by values }
  findings { code message } advice { code } unresolved { code }
  complexity { modulesCount overallComplexity }
  statements { id quote statementKind polarity condition because state madeIntoIds }
  outcome"""
START = f"mutation ($r: DesignRequest!) {{ startDesignSession(request: $r) {{ recordId state {{ {STATE} }} }} }}"
UPDATE = f"""mutation ($s: RecordRefInput!, $u: DesignUpdate!, $b: BlueprintInput, $g: TaskGraphInput) {{
  updateDesignSession(session: $s, update: $u, blueprint: $b, graph: $g) {{ recordId state {{ {STATE} }} }} }}"""
RECEIPT = "runnable notRunnableBecause riskySideEffects say controls { label operation } trace { designSessionId }"


async def started(caller: Caller, **request: Any) -> tuple[str, dict[str, Any]]:
    told = (await caller.ask(START, r=request))["startDesignSession"]
    return told["recordId"], told["state"]


async def told(caller: Caller, session: str, update: dict[str, Any], **more: Any) -> dict[str, Any]:
    answer = await caller.ask(UPDATE, s={"id": session}, u=update, **more)
    return answer["updateDesignSession"]["state"]


def chain(*modules: tuple[str, str, str]) -> dict[str, Any]:
    keys = [one[0] for one in modules]
    return {
        "modules": [{"moduleKey": key, "moduleType": kind, "purpose": purpose} for key, kind, purpose in modules],
        "cables": [{"tail": tail, "head": head} for tail, head in pairwise(keys)],
    }


NOTES = ("notes", "source.documents", "Brings the notes of the rehearsal.")
WRITE = ("write", "step.agent_task", "Writes the digest.")
SEND = ("send", "output.email", "Sends it to the singers.")


TRACK = f"mutation ($i: TrackedTaskInput!) {{ trackTask(input: $i) {{ taskId receipt {{ {RECEIPT} }} }} }}"
ACCEPT = "mutation ($t: RecordRefInput!) { setLifecycle(record: $t, state: active) { version } }"
DRAW = "mutation ($t: RecordRefInput!, $g: TaskGraphInput!) { saveGraph(of: $t, graph: $g) { graphHash } }"
KEEP = "mutation ($g: TaskGraphInput!) { recordPreflight(graph: $g) { recordId } }"
BUNDLE = """query ($s: RecordRefInput!) { designBundle(session: $s) { outcome editTraceIds receiptIds savedIds
  sideEffectReviewPlan { risky } capabilityPlan { requiresIds } records { id } } }"""
TRACE = """query ($t: RecordRefInput!) { proposalEditTrace(trace: $t) { editKinds edits { kind of detail }
  interpretedLearningSignals { signalKind rule summary } } }"""
PLAN: dict[str, Any] = {
    "name": "Digest of the choir",
    "businessOrPersonalGoal": "Every singer knows what to practise.",
    "taskType": "choir_digest",
    "contracts": [{"side": "output", "name": "digest", "kind": "message"}],
}


async def _choir(agent: Caller) -> tuple[str, dict[str, Any]]:
    """A design of which the outputs are known, and the task that would be made of it."""
    said = "Every Friday gather the rehearsal notes of our choir and mail the singers a digest"
    kept = await agent.ask(
        "mutation ($r: TaskModeRequest!) { recordTaskMode(request: $r) { recordId record { id } } }",
        r={"text": said, "userRequestRef": "choir-1"},
    )
    decision = {"id": kept["recordTaskMode"]["recordId"]}
    session, state = await started(agent, text=said, decision=decision, blank=True)
    assert state["readiness"] == "needs_answer"
    assert state["nextQuestion"]["slot"] == "expected_outputs"
    state = await told(agent, session, {"answers": [{"slot": "expected_outputs", "values": ["digest"]}]})
    assert state["readiness"] == "ready_to_propose"
    return session, {
        "creationMode": "task_agent_proposed",
        "name": "Choir digest",
        "session": {"id": session},
        "decision": decision,
        "requestRef": "choir-1",
        "reasonForTaskMode": "It comes again every week.",
        "userVisibleDescription": "It mails the singers a digest each Friday.",
    }


async def _checked(agent: Caller, session: str, wish: dict[str, Any]) -> None:
    """What acts on the outside world is asked about and declared before anything is made."""
    state = await told(agent, session, {"rationale": "Three steps."}, b=PLAN, g=chain(NOTES, WRITE, SEND))
    assert [one["code"] for one in state["findings"]] == ["validation.blueprint_side_effect_undeclared"]
    assert "warning.human_gate_recommended_before_side_effect" in {one["code"] for one in state["advice"]}
    assert state["nextQuestion"]["slot"] == "side_effects_allowed"
    assert (await agent.refused(TRACK, i=wish))["code"] == "validation.graph_proposal_not_preflighted"
    allowed = {"answers": [{"slot": "side_effects_allowed", "values": ["external_send"]}]}
    declared = {**PLAN, "sideEffects": [{"sideEffectClass": "external_send", "description": "A mail to the singers."}]}
    state = await told(agent, session, allowed, b=declared)
    assert (state["readiness"], state["findings"]) == ("proposed", [])


async def test_a_choir_gets_a_digest_that_is_sent_only_after_somebody_looked(agent: Caller, admin: Caller) -> None:
    session, wish = await _choir(agent)
    await _checked(agent, session, wish)
    # Its findings are settled; the very graph that is saved has to have been examined, and that was kept.
    unseen = await agent.refused(TRACK, i=wish)
    assert (unseen["code"], unseen["field"]) == ("validation.graph_proposal_not_preflighted", "graph")
    await agent.ask(KEEP, g=chain(NOTES, WRITE, SEND))
    made = (await agent.ask(TRACK, i=wish))["trackTask"]
    assert made["receipt"]["runnable"] is False
    assert made["receipt"]["riskySideEffects"] == ["external_send"]
    assert made["receipt"]["trace"] == {"designSessionId": session}
    task = {"id": made["taskId"]}
    look = ("look", "step.agent_review_gate", "The conductor reads it first.")
    await admin.ask(DRAW, t=task, g=chain(NOTES, WRITE, look, SEND))
    assert (await agent.refused(ACCEPT, t=task))["code"] == "approval_required"
    await admin.ask(ACCEPT, t=task)
    state = await told(admin, session, {"saved": task})
    assert state["outcome"] == "saved_with_user_edits"
    seen = await admin.ask(f"query ($t: RecordRefInput!) {{ trackedTask(task: $t) {{ {RECEIPT} }} }}", t=task)
    assert seen["trackedTask"][0]["runnable"] is True
    bundle = (await admin.ask(BUNDLE, s={"id": session}))["designBundle"]
    assert bundle["sideEffectReviewPlan"] == {"risky": ["external_send"]}
    assert {session, made["taskId"], *bundle["editTraceIds"]} <= {one["id"] for one in bundle["records"]}
    trace = (await admin.ask(TRACE, t={"id": bundle["editTraceIds"][0]}))["proposalEditTrace"]
    assert trace["editKinds"] == ["module_added", "human_gate_added"]
    [signal] = trace["interpretedLearningSignals"]
    assert signal["signalKind"] == "user_manual_edit_after_proposal"


async def test_an_observatory_adapts_its_template_and_its_words_are_kept(admin: Caller) -> None:
    save = "mutation ($i: TemplateInput!) { saveTemplate(input: $i) { recordId } }"
    given = {"name": "Night of observation", "taskType": "observation", "defaultOutputArchetypes": ["night log"]}
    template = {"id": (await admin.ask(save, i=given))["saveTemplate"]["recordId"]}
    draw = "mutation ($t: RecordRefInput!, $g: TaskGraphInput!) { saveGraph(of: $t, graph: $g) { graphHash } }"
    night = chain(("plan", "step.agent_task", "Plans the targets."), ("log", "step.agent_task", "Writes the log."))
    await admin.ask(draw, t=template, g=night)
    words = "For faint objects, I always want a second exposure because clouds ruin the first."
    session, state = await started(admin, text=f"Observe the comet tonight. {words}", adapts=template)
    assert state["taskType"] == "observation"
    assert state["readiness"] == "ready_to_propose"
    outputs = next(one for one in state["slots"] if one["slot"] == "expected_outputs")
    assert (outputs["by"], outputs["values"]) == ("template", ["night log"])
    [statement] = state["statements"]
    assert statement["quote"] == words
    assert (statement["condition"], statement["because"]) == ("faint objects", "clouds ruin the first")
    accept = "mutation ($t: RecordRefInput!) { setLifecycle(record: $t, state: active) { version } }"
    await admin.ask(accept, t={"id": statement["id"]})
    track = "mutation ($i: TrackedTaskInput!) { trackTask(input: $i) { taskId receipt { runnable } } }"
    made = await admin.ask(
        track,
        i={
            "creationMode": "template_instantiated",
            "name": "Comet tonight",
            "session": {"id": session},
            "reasonForTaskMode": "It follows the template.",
            "userVisibleDescription": "It plans the night and writes its log.",
        },
    )
    assert made["trackTask"]["receipt"] == {"runnable": True}
    state = await told(admin, session, {"saved": {"id": made["trackTask"]["taskId"]}})
    assert state["outcome"] == "saved_as_is"
    [preference] = state["statements"][0]["madeIntoIds"]
    shown = await admin.ask("query ($i: ID!) { node(id: $i) { ... on Preference { statement } } }", i=preference)
    assert shown["node"] == {"statement": words}
