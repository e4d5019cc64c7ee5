"""Feedback on context: on what a packet holds or keeps out, kept to learn from, changing nothing."""

from typing import Any

import pytest

from graph_schema.context.words import FeedbackTarget, FeedbackVerdict
from service.commands import RecordRef
from service.context.feedback.read import VerdictCount
from service.errors import TaskloreError
from tests.context.feedback.conftest import Reader

pytestmark = pytest.mark.slow

KIND = FeedbackTarget
SAYS = FeedbackVerdict
OTHER: dict[str, Any] = {"principal_id": "prin_other", "matters": [], "clearance": "internal"}
BEFORE = """
MATCH (n:Record) WHERE NOT n:Feedback
RETURN n.id AS id, properties(n) AS p, COLLECT { MATCH (n)-[r]->(m:Record) RETURN [type(r), m.id] } AS links ORDER BY id
"""


async def _world(reader: Reader, **policy: Any) -> tuple[str, str, str]:
    run = await reader.run(**policy)
    memory = await reader.new("Memory", name="Issue matrix", statement="Use one.")
    library = await reader.new("Entity", name="CSA research", kind="library")
    packet = await reader.packet(
        run,
        ("INJECTED", memory, {"kind": "memory_directive"}),
        ("EXCLUDED", library, {"kind": "library", "reason": "wrong_library"}),
    )
    return packet, memory, library


async def test_feedback_is_linked_to_what_it_is_about_and_changes_nothing_else(reader: Reader) -> None:
    packet, memory, library = await _world(reader)
    before = await reader.database.read(BEFORE)
    await reader.say(packet, KIND.injected_memory, SAYS.helpful, memory, user_comment="Good.")
    await reader.say(packet, KIND.excluded_candidate, SAYS.should_have_been_included, library)
    await reader.say(packet, KIND.context_packet, SAYS.too_much)
    await reader.say(packet, KIND.prompt_layer, SAYS.missing, "chain_history")
    rows = await reader.database.read(
        "MATCH (p:ContextPacket)<-[:GIVEN_IN]-(f:Feedback)-[r:FEEDBACK_ON]->(n) "
        "RETURN f.feedback AS said, r.target_kind AS kind, n.id AS id, f.target_ref AS ref"
    )
    assert sorted((row["said"], row["kind"], row["id"], row["ref"]) for row in rows) == [
        ("helpful", "injected_memory", memory, memory),
        ("missing", "prompt_layer", packet, "chain_history"),
        ("should_have_been_included", "excluded_candidate", library, library),
        ("too_much", "context_packet", packet, packet),
    ]
    assert await reader.database.read(BEFORE) == before


async def test_a_packet_is_named_by_its_activation_too_and_told_once(reader: Reader) -> None:
    _, memory, _ = await _world(reader)
    step: dict[str, Any] = {"run": RecordRef(kind="Run", source="exec", key="run-1"), "module_key": "B"}
    step["activation_seq"] = 1
    said = [await reader.say(None, KIND.injected_memory, SAYS.wrong, memory, command_id="c", **step) for _ in range(2)]
    assert [one.replayed for one in said] == [False, True]
    assert await reader.executor.count("Feedback") == 1


async def test_only_what_the_packet_holds_or_keeps_out_can_be_spoken_of(reader: Reader) -> None:
    packet, memory, library = await _world(reader)
    elsewhere = await reader.new("Memory", name="Other", statement="Other.")
    wrong = (
        (KIND.injected_memory, elsewhere),
        (KIND.injected_library, library),
        (KIND.excluded_candidate, memory),
        (KIND.prompt_layer, "nonsense"),
        (KIND.context_packet, memory),
    )
    for kind, ref in wrong:
        with pytest.raises(TaskloreError) as refused:
            await reader.say(packet, kind, SAYS.wrong, ref)
        assert refused.value.code == "validation.task_context_feedback_target_missing"
        assert (refused.value.field, bool(refused.value.remedy)) == ("target_ref", True)
    with pytest.raises(TaskloreError) as refused:
        await reader.say(packet, KIND.injected_tool, SAYS.wrong, memory)
    assert (refused.value.code, refused.value.field) == ("wrong_kind", "target_kind")
    assert await reader.executor.count("Feedback") == 0


async def test_a_private_run_is_not_learned_from(reader: Reader) -> None:
    packet, memory, _ = await _world(reader, memory_mode="memory_incognito")
    with pytest.raises(TaskloreError) as refused:
        await reader.say(packet, KIND.injected_memory, SAYS.wrong, memory)
    assert refused.value.code == "validation.incognito_blocks_requested_memory"
    assert await reader.executor.count("Feedback") == 0


async def test_what_is_hidden_is_not_there_to_speak_of(reader: Reader) -> None:
    run = await reader.run()
    hidden = await reader.new("Memory", name="Secret", statement="Secret.", data_class="local_only")
    packet = await reader.packet(run, ("INJECTED", hidden, {"kind": "memory_directive"}))
    for ref in (hidden, "mem_missing"):
        with pytest.raises(TaskloreError) as refused:
            await reader.say(packet, KIND.injected_memory, SAYS.wrong, ref, viewer=OTHER)
        assert refused.value.message == f"The packet has no injected_memory {ref!r} that you can see."
    private = await reader.packet(
        await reader.run("run-2", data_class="privileged"), ("INJECTED", hidden, {"kind": "memory_directive"})
    )
    for one in (private, "pack_missing"):
        with pytest.raises(TaskloreError) as refused:
            await reader.say(one, KIND.context_packet, SAYS.wrong, viewer=OTHER)
        assert (refused.value.code, one in refused.value.message) == ("not_found", True)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({}, "packet"),
        ({"module_key": "B", "activation_seq": 1}, "packet"),
        ({"run": RecordRef(id="run_1"), "module_key": "B", "activation_seq": 1}, "target_ref"),
        ({"run": RecordRef(id="run_1"), "module_key": "B", "activation_seq": 0}, "activation_seq"),
    ],
)
async def test_incomplete_feedback_is_refused(reader: Reader, given: dict[str, Any], field: str) -> None:
    with pytest.raises(TaskloreError) as refused:
        await reader.say(None, KIND.injected_memory, SAYS.wrong, **given)
    assert (refused.value.code, refused.value.field) == ("invalid_input", field)


async def test_figures_of_packets_count_reasons_trimmed_and_unhelpful(reader: Reader) -> None:
    first, second = await reader.run(), await reader.run("run-2")
    good, bad, cut = [await reader.new("Memory", name=one, statement=one) for one in ("good", "bad", "cut")]
    hidden = await reader.new("Memory", name="hidden", statement="x", data_class="local_only")
    memory = {"kind": "memory_directive"}
    trimmed = {**memory, "reason": "budget_trimmed", "score": 0.7}
    held = (("INJECTED", bad, memory), ("INJECTED", good, memory), ("INJECTED", hidden, memory))
    one = await reader.packet(first, *held, ("EXCLUDED", cut, trimmed), module_type="step.judge")
    two = await reader.packet(second, *held, ("EXCLUDED", cut, {**trimmed, "count": 5}), module_type="step.judge")
    await reader.packet(second, ("INJECTED", good, memory), module_type="step.coding", module_key="C")
    for packet in (one, two):
        await reader.say(packet, KIND.injected_memory, SAYS.not_helpful, bad)
    await reader.say(one, KIND.injected_memory, SAYS.helpful, good)
    figures = await reader.figures(OTHER)
    told = {(row.module_type, row.code or row.layer): (row.receipts, row.records) for row in figures.receipts}
    assert told == {
        ("step.judge", "memory_excerpts"): (4, 4),
        ("step.judge", "budget_trimmed"): (2, 6),
        ("step.coding", "memory_excerpts"): (1, 1),
    }
    assert (figures.packets, figures.truncated) == (3, False)
    assert [(row.name, row.times, row.best_score) for row in figures.trimmed] == [("cut", 2, 0.7)]
    assert [(row.name, row.times, row.injected, row.verdicts) for row in figures.unhelpful] == [
        ("bad", 2, 2, (VerdictCount(SAYS.not_helpful, 2),))
    ]
    of_run = await reader.figures(runs=[first])
    assert (of_run.packets, [row.times for row in of_run.unhelpful]) == (1, [1])
    assert (await reader.figures(module_type="step.coding")).packets == 1
    assert (await reader.figures(until="2020-01-01T00:00:00.000Z")).packets == 0
    with pytest.raises(TaskloreError):
        await reader.figures(first=0)
