"""Traces through the one door: what becomes of them in the graph."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.access.viewer import KeyScope
from service.commands.errors import NotAllowed
from service.memory.views import RunIndex
from service.memory.views.anomalies import anomalies
from service.memory.views.load import load_run
from service.memory.views.trace import trace
from tests.conftest import empty
from tests.laws import law
from tests.memory.telemetry.conftest import Traces
from tests.memory.telemetry.spans import POLICY, TRACE, agent_trace, request, span, span_id
from tests.viewers import viewer_of

EVERYTHING = "MATCH (n) WHERE NOT n:Migration RETURN collect(properties(n)) AS all"


async def test_a_trace_becomes_a_run_with_its_steps_and_spans(traces: Traces) -> None:
    taken = await traces.send(agent_trace())
    assert (taken.spans, taken.rejected, taken.message()) == (6, 0, "")
    assert dict(taken.outcomes) == {"accepted": 5, "native": 1}
    run = await traces.executor.one("Run")
    assert (run["source"], run["source_key"], run["status"]) == ("otel", TRACE, "completed")
    assert (run["name"], run["trace_id"]) == ("invoke_agent drafter", TRACE)
    step = await traces.executor.one("Activation")
    assert (step["module_key"], step["status"], step["cost_usd"]) == ("draft", "success", 0.5)
    tree = {row["span"]["name"]: row for row in await traces.tree()}
    call = tree["chat m"]
    assert (call["parents"], call["steps"]) == ([span_id(2)], ["draft"])
    assert (call["span"]["model_ref"], call["span"]["input_tokens"]) == ("m", 7)
    assert call["span"]["tags"] == ["conversation:c1"]
    tool = tree["execute_tool find"]["span"]
    assert (tool["status"], tool["error_code"], tool["error_message"]) == ("error", "LookupError", "no such thing")
    assert tree["POST"]["span"]["span_kind"] == "connector_call"
    native = await traces.executor.one("NativeEvent")
    assert (native["name"], native["mapping_status"]) == ("middleware", "degraded")
    assert (tree["middleware"]["parents"], tree["POST"]["parents"]) == ([span_id(3)], [span_id(5)])
    assert "span_kind" not in tree["middleware"]["span"]


async def test_a_span_of_no_known_kind_counts_and_its_failure_is_told(traces: Traces) -> None:
    """Unknown to us is not unknown: it has its place, its cost and its failure."""
    sent = [
        span(1, name="invoke_agent a", gen_ai__operation__name="invoke_agent"),
        span(2, 1, "guardrail", error="Not allowed", tasklore__cost_usd=0.25),
        span(3, 2, "chat m", gen_ai__operation__name="chat", gen_ai__request__model="m"),
    ]
    assert not (await traces.send(sent)).rejected
    found = await load_run(traces.executor.database, await viewer_of(traces.executor.database), await traces.run_id())
    assert found
    index = RunIndex(found, "2026-01-02T00:00:00.000Z")
    told = trace(index).spans
    assert [(one.name, one.depth, one.parent_missing) for one in told] == [
        ("invoke_agent a", 0, False), ("guardrail", 1, False), ("chat m", 2, False)
    ]  # fmt: skip
    assert (told[1].span_kind, told[1].status, told[1].error_message) == (None, "error", "Not allowed")
    assert [(one.code, one.message) for one in anomalies(index).items] == [
        ("operation_failed", "guardrail failed: Not allowed.")
    ]
    assert (await traces.executor.one("Run"))["cost_usd"] == 0.25


async def test_contents_are_nowhere_in_the_graph(traces: Traces) -> None:
    for mode in ("standard", "reference_only", "memory_incognito", "full_ephemeral_test"):
        await traces.send(agent_trace(), {**POLICY, "tasklore.run": mode, "tasklore.memory_mode": mode})
    rows = await traces.executor.database.read(EVERYTHING)
    assert "SECRET" not in repr(rows)
    assert await traces.executor.count("Run") == 4
    prompt = await traces.executor.database.read("MATCH (s:Span)-[:UNDER]->(p:Snapshot) RETURN p.prompt_hash AS hash")
    assert len({row["hash"] for row in prompt}) == 1


async def test_what_was_left_out_is_counted(traces: Traces) -> None:
    taken = await traces.send(agent_trace())
    assert dict(taken.left_out) == {"content": 3, "attribute": 1}
    shown = traces.metrics.exposition().decode()
    assert 'tasklore_otlp_left_out_total{what="content"} 3.0' in shown
    assert 'tasklore_otlp_spans_total{outcome="native"} 1.0' in shown


async def test_sent_again_nothing_changes(traces: Traces) -> None:
    await traces.send(agent_trace())
    before = await traces.executor.graph()
    again = await traces.send(agent_trace())
    assert dict(again.outcomes) == {"duplicate": 6}
    assert await traces.executor.graph() == before


async def test_a_run_that_nobody_says_how_to_remember_is_refused(traces: Traces) -> None:
    taken = await traces.send(agent_trace(), {})
    assert taken.rejected == 6
    assert "6 of 6 spans were rejected: 6 run_unknown" in taken.message()
    partly = await traces.send(agent_trace(), {"tasklore.memory_mode": "standard"})
    assert "data_class, matter_ids" in partly.message()
    assert await traces.executor.count("Run") == 0


async def test_a_known_run_needs_no_policy(traces: Traces) -> None:
    await traces.send(agent_trace()[:1])
    assert (await traces.send(agent_trace()[1:], {})).rejected == 0


async def test_policy_of_one_span_holds_for_its_request(traces: Traces) -> None:
    root, *rest = agent_trace()
    root.attributes.extend(request([], POLICY).resource_spans[0].resource.attributes)
    assert (await traces.send([*rest, root], {})).rejected == 0


async def test_a_matter_of_others_is_refused_and_the_rest_is_taken(traces: Traces) -> None:
    await traces.executor.database.run_alone("CREATE (:Record:Entity:Matter {id: 'ent_m', name: 'M'})")
    chat = {"gen_ai__operation__name": "chat"}
    spans = [span(1, 9, tasklore__run="a", tasklore__matters="ent_m", **chat), span(2, 9, tasklore__run="b", **chat)]
    taken = await traces.send(spans, matters=[])
    assert (taken.rejected, dict(taken.reasons)) == (1, {"matter_not_allowed": 1})
    assert (await traces.executor.one("Run"))["source_key"] == "b"


async def test_bad_spans_do_not_harm_the_others(traces: Traces) -> None:
    nameless = span(7, 1, gen_ai__operation__name="chat")
    nameless.span_id = b""
    backwards = span(8, 1, gen_ai__operation__name="chat")
    backwards.end_time_unix_nano = 1_000_000_000_000_000_000
    own = span(9, 9, gen_ai__operation__name="chat")
    made_up = span(10, 1, tasklore__span_kind="daydream")
    seqless = span(11, 1, gen_ai__operation__name="chat", tasklore__module="m")
    long = span(12, 1, gen_ai__operation__name="chat", tasklore__summary="x" * 2001)
    bad = [nameless, backwards, own, made_up, seqless, long]
    taken = await traces.send([*agent_trace(), *bad])
    assert taken.rejected == len(bad)
    assert {*taken.reasons} == {
        "invalid_span", "times_out_of_order", "span_self_parent", "unknown_value", "missing_field", "text_too_long"
    }  # fmt: skip


async def test_more_spans_than_a_report_takes(traces: Traces) -> None:
    many = [span(number, 1, gen_ai__operation__name="chat") for number in range(2, 602)]
    root = span(1, gen_ai__operation__name="invoke_agent")
    root.attributes.extend(request([], POLICY).resource_spans[0].resource.attributes)
    taken = await traces.send([*many, root], {})
    assert (taken.rejected, taken.spans) == (0, 601)
    assert await traces.executor.count("Span") == 601


async def test_reporting_needs_its_scope_even_for_nothing(traces: Traces) -> None:
    for spans in ([], agent_trace()):
        with pytest.raises(NotAllowed):
            await traces.send(spans, scopes=[KeyScope.read])


@law(3)
@given(order=st.permutations(range(6)), cuts=st.sets(st.integers(1, 5), max_size=3), again=st.integers(0, 5))
async def test_order_and_repetition_and_batches_do_not_matter(
    traces: Traces, order: Sequence[int], cuts: set[int], again: int
) -> None:
    spans = agent_trace()
    await empty(traces.executor.database)
    await traces.send(spans)
    usual = await traces.executor.graph()
    await empty(traces.executor.database)
    places = [0, *sorted(cuts), len(spans)]
    for begin, end in pairwise(places):
        await traces.send([spans[one] for one in order[begin:end]])
    await traces.send([spans[again]])
    assert await traces.executor.graph() == usual
