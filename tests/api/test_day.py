"""After a day of a shipyard in which everything newer was used, and some erased, the doctor has nothing to say."""

import asyncio
from typing import Any

import pytest

from graph_schema.registry import REGISTRY
from service.doctor import examine
from tests.api.conftest import Api, Caller
from tests.api.test_attention import DECIDE, REPORT, undone
from tests.api.test_design import TRACK, UPDATE, chain, started
from tests.api.test_learning import APPLY, APPROVE, BACK, PROPOSE, REPLAY, SIGNAL
from tests.api.test_sharing import CREATE, REVOKE
from tests.memory.stories import Story, step

YARD = {"source": "yard", "key": "keel-laying-7"}
SAVE = "mutation ($i: %sInput!) { save%s(input: $i) { recordId } }"
DRAW = "mutation ($t: RecordRefInput!, $g: TaskGraphInput!) { saveGraph(of: $t, graph: $g) { graphHash } }"
KEEP = {
    "recordPreflight": "mutation ($r: RecordRefInput!) { recordPreflight(of: $r) { recordId } }",
    "recordPrompt": """mutation ($r: RecordRefInput!) { recordPrompt(input: {name: "Weld report", livesIn: $r,
      surface: overlay, text: "Write the weld report."}) { recordId } }""",
    "recordPromptCheck": """mutation ($r: RecordRefInput!) { recordPromptCheck(of: $r,
      prompt: {text: "Write the weld report and make it good."}) { recordId } }""",
    "assessRun": "mutation ($r: RecordRefInput!) { assessRun(run: $r) { recordId } }",
    "assessTask": "mutation ($r: RecordRefInput!) { assessTask(task: $r) { recordId } }",
    "assessPortfolio": """mutation ($r: RecordRefInput!) {
      assessPortfolio(tasks: [$r], scope: selected_tasks) { recordId } }""",
    "compileKnowledge": "mutation { compileKnowledge { recordId } }",
}
ERASE = "mutation ($r: RecordRefInput!) { eraseRecord(record: $r) { erased } }"
SETTLED = 60
"""Seconds: vectors and numbers of events come a little later than what they are of."""


async def _found(api: Api) -> set[str]:
    return {f"{one.check} {one.subject} {one.samples}" for one in await examine(api.database, REGISTRY)}


async def _silent(api: Api, before: set[str], when: str) -> None:
    try:
        async with asyncio.timeout(SETTLED):
            while await _found(api) - before:
                pass
    except TimeoutError:
        pytest.fail(f"{when}: {sorted(await _found(api) - before)}")


async def _kept(caller: Caller, what: str, record: str | None = None) -> str:
    told = await caller.ask(KEEP[what], **({"r": {"id": record}} if record else {}))
    return told[what]["recordId"]


async def _saved(caller: Caller, label: str, **values: Any) -> str:
    return (await caller.ask(SAVE % (label, label), i=values))[f"save{label}"]["recordId"]


async def _designed(caller: Caller, template: str) -> tuple[str, str]:
    session, _ = await started(caller, text="Lay the keel of hull seven and report the welds", adapts={"id": template})
    wish = {
        "creationMode": "template_instantiated",
        "name": "Keel of hull seven",
        "session": {"id": session},
        "reasonForTaskMode": "It follows the template.",
        "userVisibleDescription": "It lays the keel and reports the welds.",
    }
    task = (await caller.ask(TRACK, i=wish))["trackTask"]["taskId"]
    await caller.ask(UPDATE, s={"id": session}, u={"saved": {"id": task}}, b=None, g=None)
    return session, task


async def _worked(caller: Caller, matter: str) -> str:
    story = Story(YARD, {"memory_mode": "standard", "data_class": "internal", "matter_ids": [matter]})
    story.tell("run_started", task_key="keel", task_name="Keel").tell("activation_started", **step("weld"))
    story.tell("artifact_produced", artifact_key="report", artifact_kind="document", **step("weld"))
    story.tell("activation_failed", **step("weld"), error_code="arc_lost").tell("run_failed", failure_code="arc_lost")
    reported = await caller.client.post("/v1/events", json=story.events)
    assert reported.status_code == 200, reported.text
    return (
        await caller.ask(
            "query ($s: String!, $k: String!) { run(source: $s, key: $k) { id } }", s=YARD["source"], k=YARD["key"]
        )
    )["run"]["id"]


async def _proposed(caller: Caller, template: str) -> None:
    """A change that is applied and taken back, and one that stays applied."""
    ref = {"id": template}
    [answer] = (await caller.ask(SIGNAL.replace('"walk"', '"yard"'), t=ref))["reportLearningSignals"]["report"][
        "answers"
    ]
    for back in (True, False):
        made = await caller.ask(
            PROPOSE.replace("walk through the code", f"lay a keel {back}"), t=ref, s={"id": answer["recordId"]}
        )
        proposal = made["proposeChange"]["recordId"]
        for document in (REPLAY, APPROVE, APPLY, *((BACK,) if back else ())):
            await caller.ask(document, p=proposal)


async def test_the_doctor_is_silent_after_a_day_of_everything_newer(api: Api, admin: Caller, nobody: Caller) -> None:
    before = await _found(api)
    matter = await _saved(admin, "Entity", name="Hull seven", kind="matter")
    template = await _saved(
        admin,
        "Template",
        name="Keel laying",
        taskType="keel",
        matterIds=[matter],
        defaultOutputArchetypes=["weld report"],
    )
    await admin.ask(
        DRAW, t={"id": template}, g=chain(("weld", "step.agent_task", "Welds."), ("log", "step.agent_task", "Logs."))
    )
    session, task = await _designed(admin, template)
    run = await _worked(admin, matter)
    kept = [await _kept(admin, one, template) for one in ("recordPreflight", "recordPrompt", "recordPromptCheck")]
    kept += [await _kept(admin, "assessRun", run), await _kept(admin, "assessTask", task)]
    kept.append(await _kept(admin, "assessPortfolio", task))
    await _proposed(admin, template)
    kept.append(await _kept(admin, "compileKnowledge"))
    shared = (await admin.ask(CREATE, input={"run": {"id": run}, "shareMode": "specific_run_summary"}))["createShare"]
    assert (await nobody.client.get(f"/v1/shares/{shared['secret']}")).status_code == 200
    heard = (await admin.ask(REPORT, events=undone("yard")))["reportAgentEvents"]
    await admin.ask(DECIDE, s=heard["answers"][0]["sessionId"])
    await _silent(api, before, "after the work")

    await admin.ask(REVOKE, id=shared["record"]["id"])
    for one in (run, task, session, *kept, template, matter):
        if (await admin.ask("query ($i: ID!) { node(id: $i) { id } }", i=one))["node"]:  # it may have gone with another
            await admin.ask(ERASE, r={"id": one})
    await _silent(api, before, "after erasure")
