"""`run(id:)` with all its read models, of a run of 50 activations, against its statements by the bare driver."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from graphql import GraphQLInterfaceType, GraphQLObjectType, is_required_argument

from graph_schema.registry import REGISTRY
from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from resolvers.engine.graphql_core import named_type
from resolvers.schema import build_schema
from service import clock
from service.access.viewer import KeyScope
from service.memory.reporting.answers import ReportOutcome
from service.memory.reporting.commands import MOST_EVENTS, Reporting
from service.memory.views import Runs
from tests.bench.measure import in_turns
from tests.bench.reads import Statement, asking, bare
from tests.bench.report import Report
from tests.bench.setting import Setting

STEPS = 50
MOST_STATEMENTS = 5
ROUNDS = 80
SMALL, LARGE = 40, 30_000
MODULES = 20
FIRST_SCREEN = """{ run(id: "%s") {
  header { lines stepCount steps { status count } finalOutputs { name usedBy } delivered }
  status { oneLineStatus currentWorkSummary nextWorkSummary recentCompletionSummary currentModuleKeys }
  progress { knownSteps endedSteps active waiting completed activePaths { steps } }
  steps(first: 40) {
    total
    rows { displayOrder moduleLabel activationSeq loopIteration status startedAt durationMs costUsd after artifactIds }
    ancestors { moduleLabel } pageInfo { hasNextPage endCursor }
  } } }"""
START = datetime(2026, 1, 1, tzinfo=UTC)
POLICY: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}
Event = dict[str, Any]


async def measure(setting: Setting, report: Report) -> None:
    schema = build_schema()
    query = f'{{ run(id: "{await reported(setting, _run())}") {everything(schema)} }}'
    statements = await _statements(setting, schema, query)
    report.add("a run with all its read models: statements", len(statements), "statements", bar=MOST_STATEMENTS)
    works = {str(place): bare(setting, one) for place, one in enumerate(statements)}
    for work in works.values():  # planned first: the service does not keep a connection while nobody asks
        await work()
    times = await in_turns({**works, "service": await asking(setting, query, setting.key)}, rounds=ROUNDS)
    floor = sum(times[name].p50_ms for name in works)
    note = f"p50 {times['service'].p50_ms:.2f} ms against {floor:.2f} ms"
    report.add("a run with all its read models", times["service"].p50_ms / floor, "of the floor", bar=3.0, note=note)
    await _measure_first_screens(setting, report)


async def _measure_first_screens(setting: Setting, report: Report) -> None:
    """What somebody sees first of a run, of a small and of a large one in turns."""
    runs = {size: await reported(setting, line(size)) for size in (SMALL, LARGE)}
    works = {str(size): await asking(setting, FIRST_SCREEN % run, setting.key) for size, run in runs.items()}
    times = await in_turns(works, rounds=ROUNDS)
    small, large = times[str(SMALL)].p50_ms, times[str(LARGE)].p50_ms
    note = f"p50 {large:.2f} ms against {small:.2f} ms"
    report.add(f"first screen of a run of {LARGE:,} steps", large / small, f"of {SMALL}", bar=3.0, note=note)


def everything(schema: ReadSchema, name: str = "RunView") -> str:
    """Every field of every read model that needs no argument.

    Records beside them are compiled reads, which are measured for themselves.
    """
    core: Any = schema._schema  # pyright: ignore[reportPrivateUsage]
    parts: list[str] = []
    for field, declared in core.type_map[name].fields.items():
        inner = named_type(declared.type)
        if not (_is_record(inner) or any(is_required_argument(one) for one in declared.args.values())):
            parts.append(f"{field} {everything(schema, inner.name)}" if isinstance(inner, GraphQLObjectType) else field)
    return f"{{ {' '.join(parts)} }}"


def _is_record(kind: Any) -> bool:
    return isinstance(kind, GraphQLInterfaceType) or any(one.name == "Node" for one in getattr(kind, "interfaces", ()))


async def _statements(setting: Setting, schema: ReadSchema, query: str) -> list[Statement]:
    """Catch the statements on their way to the database."""
    caught: list[Statement] = []

    class Catching:
        async def read_one(self, text: Any, **parameters: Any) -> Any:
            caught.append(Statement(text, parameters))
            return await setting.database.read_one(text, **parameters)

    catching: Any = Catching()
    context = Context(await setting.viewer(setting.key), catching, "bench", {Runs: Runs(catching)})
    result = await schema.execute(query, {}, context)
    assert not result.errors, result.errors
    assert result.data
    assert len(result.data["run"]["steps"]["rows"]) == STEPS
    return caught


async def reported(setting: Setting, run: Iterable[Event]) -> str:
    """Report a run; its id."""
    viewer = replace(await setting.viewer(setting.key), scopes=frozenset(KeyScope))
    reporting = Reporting(setting.database, REGISTRY, lambda _new: None)
    events = list(run)
    batches = [events[place : place + MOST_EVENTS] for place in range(0, len(events), MOST_EVENTS)]
    answers = [one for batch in batches for one in await reporting.report(viewer, batch)]
    assert all(one.outcome is ReportOutcome.accepted for one in answers), answers[0]
    return str(answers[0].run_id)


def _run() -> Iterator[Event]:
    """Fifty steps in a row, each with spans, artifacts, snapshots and a session; some with gates and deliveries."""
    moments = (clock.stamp(START + timedelta(seconds=second)) for second in count())
    numbers = count()

    def event(kind: str, **values: Any) -> Event:
        shared = {"event_id": f"{next(numbers)}", "kind": kind, "occurred_at": next(moments)}
        return {**shared, "run": {"source": "bench-views", "key": "run"}, "policy": POLICY, **values}

    yield event("run_started", task_key="bench-views-task", task_name="Bench", trigger_kind="manual")
    for place in range(STEPS):
        yield from _step(event, place)
    yield event("run_completed")


def line(size: int) -> Iterator[Event]:
    """A run that goes on: rounds of twenty modules, one step after another; the last one works."""
    key = f"line-{size}"
    run = {"run": {"source": "bench-views", "key": key}, "policy": POLICY}
    start = clock.stamp(START)
    yield {"event_id": "start", "kind": "run_started", "occurred_at": start, "task_key": f"bench-{key}", **run}
    before: list[Event] = []
    for place in range(size):
        at = clock.stamp(START + timedelta(seconds=place + 1))
        step: Event = {"module_key": f"m{place % MODULES}", "activation_seq": place // MODULES + 1}
        kind = "activation_completed" if place < size - 1 else "activation_started"
        cost = {"cost_usd": 0.01} if place < size - 1 else {}
        shared = {"kind": kind, "occurred_at": at, "started_at": at, "triggered_by": before, **step, **cost, **run}
        yield {"event_id": f"{place}", **shared}
        before = [step]


def _step(event: Any, place: int) -> Iterator[Event]:
    step = {"module_key": f"m{place}", "activation_seq": 1}
    before = [{"module_key": f"m{place - 1}", "activation_seq": 1}] if place else []
    yield event("activation_started", **step, name=f"Module {place}", module_type="agent", triggered_by=before)
    prompt = {"redaction_mode": "redacted", "prompt_hash": "h", "context_packet_ref": f"ref://packet/{place}"}
    yield event("snapshot", **step, snapshot_key=f"p{place}", snapshot_kind="prompt", **prompt)
    yield event("snapshot", **step, snapshot_key=f"c{place}", snapshot_kind="capability", mounted_capabilities=["a"])
    outer, call = f"s{place}", {"cost_usd": 0.01, "input_tokens": 1000, "output_tokens": 100, "model_ref": "big"}
    yield event("span", **step, span_key=outer, span_kind="module_activation", status="success")
    for kind in ("llm_call", "tool_call"):
        more = call if kind == "llm_call" else {}
        yield event(
            "span", **step, span_key=f"{outer}-{kind}", span_kind=kind, status="success", parent_span_key=outer, **more
        )
    for artifact in range(2):
        name = f"bench-views-{place}-{artifact}"
        made = {"artifact_key": name, "artifact_kind": "text_output", "name": name, "summary": "What was made."}
        yield event("artifact_produced", **step, **made, storage_ref=f"file:///{name}")
    if place:
        yield event("artifact_consumed", **step, item={"kind": "Artifact", "key": f"bench-views-{place - 1}-0"})
    resumable = {"session_kind": "resumable_openclaw_session", "continuation_status": "available"}
    yield event("session", **step, session_key=f"session-{place}", **resumable)
    if place % 10 == 9:
        yield event("gate_opened", **step, gate_key=f"g{place}", gate_kind="approval", question="May it go out?")
        yield event("gate_decided", **step, gate_key=f"g{place}", status="approved")
        sent = {"delivery_kind": "email", "status": "delivered", "artifact_key": f"bench-views-{place}-0"}
        yield event("delivery", **step, idempotency_key=f"d{place}", **sent)
    yield event("activation_completed", **step, cost_usd=0.02, output_summary=["Done."])
