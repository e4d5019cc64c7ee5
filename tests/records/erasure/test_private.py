"""What a run that is not to be remembered leaves behind: what the registry's table says, and nothing else."""

from typing import Any

import pytest

from graph_schema.model.fields import EvidenceLayer
from graph_schema.model.privacy import ephemeral_keeps, incognito_keeps
from graph_schema.registry import REGISTRY
from service.memory.reporting.kinds import KINDS
from tests.memory.conftest import Executor
from tests.records.erasure.marked import events, given, mark, places

_FOLLOWS = {"name", "source", "source_key", "stamps", "outcomes", "conflicts", "run_id"}
"""What every record has beside what it was told: names made from its keys, and from which events it is."""
_SYSTEM = {("Report", "event_id")}


async def test_incognito_leaves_run_truth_without_a_sentence_or_a_name_in_memory(executor: Executor) -> None:
    told = [one for one in events(mode="memory_incognito") if one["kind"] != "artifact_promoted"]
    assert set(await executor.told(told)) == {"accepted"}
    left = await places(executor.database) - _SYSTEM
    allowed = {(label, name) for label in _run_truth() for name in incognito_keeps(REGISTRY.types[label])}
    allowed |= {(label, name) for label in _run_truth() for name in _FOLLOWS}
    assert left - allowed - {("PRODUCED", "port")} == set()
    assert await executor.layers() == {"run_truth"}
    assert {label for label, _ in left} == {*_told_of(told), "Task", "Template", "Preset", "Module", "PRODUCED"}


async def test_incognito_keeps_all_else_of_what_happened(executor: Executor) -> None:
    told = [one for one in events(mode="memory_incognito") if one["kind"] != "artifact_promoted"]
    await executor.report(told)
    rows = await executor.database.read("MATCH (n:Record) UNWIND keys(n) AS k RETURN DISTINCT labels(n) AS l, k AS k")
    there = {(REGISTRY.label_of(row["l"]), row["k"]) for row in rows}
    for event in told:
        label = KINDS[event["kind"]].record
        wanted = incognito_keeps(REGISTRY.types[label]) & event.keys() - {"policy", "kind", "task_key"}
        assert {(label, name) for name in wanted if event[name] not in (None, [])} - there == set(), event["kind"]


@pytest.mark.parametrize("more", [{"capture_outputs": "redacted_summary"}, {"memory_write_scope": "task_run_only"}])
async def test_nothing_beside_the_mode_brings_a_sentence_back(executor: Executor, more: dict[str, Any]) -> None:
    told = [one for one in events(mode="memory_incognito", **more) if one["kind"] != "artifact_promoted"]
    await executor.report(told)
    names = {name for _, name in await places(executor.database)}
    assert [one for one in names if "summary" in one or one in {"key_points", "note", "question"}] == []


async def test_a_promotion_tells_where_the_artifact_is_kept_then(executor: Executor) -> None:
    await executor.report(events(mode="memory_incognito"))
    artifact = await executor.one("Artifact", source_key=mark("artifact_key"))
    wanted = given(KINDS["artifact_promoted"], "memory_ref")
    assert (artifact["memory_ref"], artifact["artifact_state"]) == (wanted, "promoted")
    assert "summary" not in artifact


async def test_an_ephemeral_run_leaves_receipts_alone(executor: Executor) -> None:
    told = [one for one in events(mode="full_ephemeral_test") if one["kind"] != "artifact_promoted"]
    assert set(await executor.told(told)) == {"accepted"}
    left = await places(executor.database) - _SYSTEM
    kept = {label: ephemeral_keeps(kind) for label, kind in REGISTRY.types.items() if kind.receipt}
    allowed = {(label, name) for label, names in kept.items() for name in {*names, *_FOLLOWS}}
    assert left - allowed == set()
    assert await executor.database.read("MATCH (:Record)-[r]->(:Record) RETURN type(r) AS type") == []


def _run_truth() -> list[str]:
    return [label for label, kind in REGISTRY.types.items() if kind.layer is EvidenceLayer.run_truth]


def _told_of(told: list[Any]) -> set[str]:
    return {KINDS[one["kind"]].record for one in told}
