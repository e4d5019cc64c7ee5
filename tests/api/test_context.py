"""Capabilities, feedback and the agent's pack over HTTP, as docs/context-capabilities.md tells them."""

from typing import Any

from tests.api.conftest import Caller
from tests.memory.stories import Story, step
from tests.names import api_keys

EXPAND = """mutation ($i: ExpandCapabilitiesInput!) { expandCapabilities(input: $i) {
    approvalRequired outcomes { result message code gateKey capability { name } }
    record { basis detectedNeed becauseOf { nodes { name } } added { nodes { name } } } } }"""
MOUNTED = """query ($run: RecordRefInput!) { mountedCapabilities(run: $run, moduleKey: "B", activationSeq: 1) {
    mounted { name by state } denied mode addedCount } }"""
RUN = {"kind": "Run", "source": "docs", "key": "r1"}


async def _id(admin: Caller, save: str, given: dict[str, Any]) -> str:
    query = f"mutation ($i: {save}Input!) {{ save{save}(input: $i) {{ recordId }} }}"
    return (await admin.ask(query, i=given))[f"save{save}"]["recordId"]


async def _report(admin: Caller, events: list[Any]) -> None:
    query = "mutation ($e: [RunEventInput!]!) { reportRunEvents(events: $e) { rejected answers { message } } }"
    told = (await admin.ask(query, e=api_keys(events)))["reportRunEvents"]
    assert told["rejected"] == 0, told


async def test_the_pacer_story_over_http(admin: Caller) -> None:
    story = Story({"source": "docs", "key": "r1"}, task_key="docs-research")
    story.tell("run_started").tell("artifact_produced", artifact_key="r1/said", artifact_kind="text_output",
               name="What A said", **step("A")).tell("activation_started", **step("B"))  # fmt: skip
    await _report(admin, story.events)
    tools = {
        name: await _id(admin, "Capability", {"name": name, "capabilityKind": "connector"})
        for name in ("Docket probe", "Filing fetcher", "Mail gun")
    }
    policy = await _id(admin, "Policy", {"name": "Research", "policyKind": "capability", "taskKey": "docs-research",
                       "moduleKey": "B", "validFrom": "2020-01-01T00:00:00.000Z"})  # fmt: skip
    link = (
        "mutation ($t: RecordRefInput!, $h: RecordRefInput!) {{ linkRecords(tail: $t, type: {}, head: $h) {{ type }} }}"
    )
    for kind, name in (("ALLOWS", "Docket probe"), ("DENIES", "Mail gun")):
        await admin.ask(link.format(f'"{kind}"'), t={"id": policy}, h={"id": tools[name]})
    wish = {"run": RUN, "moduleKey": "B", "activationSeq": 1, "basis": "upstream_prompt_detected",
            "detectedNeed": "Use the docket probe, then the filing fetcher, and mail gun the result."}  # fmt: skip
    asked = await admin.ask(EXPAND, i={**wish, "becauseOf": {"kind": "Artifact", "source": "docs", "key": "r1/said"}})
    told = asked["expandCapabilities"]
    assert [(one["capability"]["name"], one["result"]) for one in told["outcomes"]] == [
        ("Docket probe", "added"),
        ("Filing fetcher", "approval_required"),
        ("Mail gun", "blocked"),
    ]
    assert told["record"]["becauseOf"]["nodes"] == [{"name": "What A said"}]
    decided = {**story.events[-1], "event_id": "g", "kind": "gate_decided", "status": "approved",
               "gate_key": told["outcomes"][1]["gateKey"]}  # fmt: skip
    await _report(admin, [decided])
    again = await admin.ask(EXPAND, i={**wish, "capabilities": [{"id": tools["Filing fetcher"]}]})
    assert again["expandCapabilities"]["outcomes"][0]["result"] == "added"
    has = (await admin.ask(MOUNTED, run=RUN))["mountedCapabilities"]
    assert [(one["name"], one["by"]) for one in has["mounted"]] == [
        ("Docket probe", "added"),
        ("Filing fetcher", "added"),
    ]
    assert (has["denied"], has["mode"], has["addedCount"]) == ([tools["Mail gun"]], "explicit", 2)
