"""Where records are kept by default, what kind of truth they are, and that prompts lead to their packets."""

import re
from typing import Any

from graph_schema.registry import REGISTRY
from graph_schema.storage import BY_LABEL, CLASSES, OF_NO_RECORD, OWN_REFS, PATHS, SNAPSHOTS, filled
from service.commands import Commands
from service.memory.storage import Storages
from service.records import Records
from service.runtime.compose import hooks
from tests.memory.conftest import Executor
from tests.memory.stories import Story, step, whole_run
from tests.viewers import viewer_of


def test_the_table_is_whole_and_every_kind_in_it_is_a_record() -> None:
    assert (len(PATHS), len(CLASSES)) == (40, 13)
    assert all(path.startswith("ELNOR_MEMORY/") for path in PATHS.values())
    assert PATHS["task_trace_spans"] == "ELNOR_MEMORY/tasks/{task_id}/runs/{run_id}/trace_spans.jsonl"
    assert {*BY_LABEL, *OWN_REFS} - {"Snapshot"} <= {*REGISTRY.types}
    for place in (*BY_LABEL.values(), *SNAPSHOTS.values()):
        assert place.path in PATHS
        assert place.storage_class is None or place.storage_class in CLASSES
        names = {*re.findall(r"{(\w+)}", PATHS[place.path])}
        assert names <= {"task_id", "run_id", "module_id", "activation_seq", place.own}
        assert filled(place.path, dict.fromkeys(names, "x"))
    placed = {place.path for place in (*BY_LABEL.values(), *SNAPSHOTS.values())}
    assert placed.isdisjoint(OF_NO_RECORD)
    assert placed | {*OF_NO_RECORD} == {*PATHS}
    classes = {place.storage_class for place in BY_LABEL.values() if place.storage_class}
    assert {*CLASSES} - classes == {"learning_signal"}  # signals have a class and no path
    for label, name in OWN_REFS.items():
        assert name in REGISTRY.types[label].fields


async def _stored(executor: Executor, label: str, **viewer: Any) -> list[tuple[str, bool, str | None]]:
    rows = await executor.database.read("MATCH (n:$($label)) RETURN n.id AS id ORDER BY id", label=label)
    storages = Storages(executor.database, REGISTRY)
    found = await storages.of(await viewer_of(executor.database, **viewer), [row["id"] for row in rows])
    return [(one.ref, one.derived, one.classification) for one in found if one]


async def test_what_nobody_placed_has_its_default_place_and_says_so(executor: Executor) -> None:
    await executor.report(whole_run())
    made = Story().tell("artifact_produced", artifact_key="x", artifact_kind="document", storage_ref="file:///x",
                        **step("m")).events  # fmt: skip
    await executor.report([{**made[0], "event_id": "x"}])
    run = (await executor.one("Run"))["id"]
    home = f"ELNOR_MEMORY/tasks/draft-complaint/runs/{run}"
    assert {*await _stored(executor, "Span")} == {(f"{home}/trace_spans.jsonl", True, "operational truth, a log")}
    artifacts = await _stored(executor, "Artifact")
    assert ("file:///x", False, "run read model") in artifacts
    assert (f"{home}/artifact_index.json", True, "run read model") in artifacts
    assert await _stored(executor, "Snapshot") == [(f"{home}/prompt_snapshots/", True, None)]
    assert await _stored(executor, "Session") == [
        (f"{home}/module_sessions/draft/3.json", True, "bridge to runtime truth")
    ]
    assert await _stored(executor, "Run") == []


async def test_of_what_is_hidden_no_place_is_told(executor: Executor) -> None:
    events = whole_run(policy={"memory_mode": "standard", "data_class": "privileged", "matter_ids": []})
    await executor.report(events)
    assert await _stored(executor, "Delivery")
    assert await _stored(executor, "Delivery", clearance="public", principal_id="low", scopes=()) == []


async def test_a_servers_capability_has_its_schema_hash_and_tool_pack_policy(executor: Executor) -> None:
    records = Records(Commands(executor.database, REGISTRY, lambda _new: None), hooks())
    told = {"schema_hash": "sha256:ab12", "tool_pack_policy": "search_docket and retrieve_filing; nothing that writes."}
    values = {"name": "PACER", "capability_kind": "mcp_server", "side_effect_classes": ["external_read"], **told}
    await records.save(await viewer_of(executor.database), "Capability", values)
    stored = await executor.one("Capability")
    assert {name: stored[name] for name in told} == told


HELD = "MATCH (n)-[:HOLDS]->(:ContextPacket) RETURN n:Span AS span, coalesce(n.snapshot_key, n.span_key) AS key"
PACKET = """
MATCH (r:Run)-[:ACTIVATED]->(a:Activation {module_key: 'm'})
CREATE (:ContextPacket:Record {id: 'pack_1', run_id: r.id, module_key: 'm', activation_seq: 1, audience: r.audience,
  data_class: 'internal', matter_ids: []})
"""


async def test_prompts_and_their_calls_hold_the_packet_of_their_step(executor: Executor) -> None:
    story = Story().tell("activation_started", **step("m"))
    story.tell("snapshot", snapshot_key="p", snapshot_kind="prompt", prompt_hash="h", **step("m"))
    story.tell("snapshot", snapshot_key="c", snapshot_kind="capability", **step("m"))
    story.tell("span", span_key="call", span_kind="llm_call", status="success", **step("m"))
    story.tell("span", span_key="tool", span_kind="tool_call", status="success", **step("m"))
    story.tell("span", span_key="other", span_kind="llm_call", status="success", **step("n"))
    assert await executor.told(story.events[:1]) == ["accepted"]
    await executor.database.run_alone(PACKET)
    assert set(await executor.told(story.events[1:])) == {"accepted"}
    rows = await executor.database.read(HELD)
    assert sorted((row["span"], row["key"]) for row in rows) == [(False, "p"), (True, "call")]
