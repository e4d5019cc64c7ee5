"""Statistics of presets: from the activations that say which preset they used, and that the viewer may see."""

import statistics as reference
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.registry import REGISTRY
from service.access.viewer import Viewer
from service.commands import Commands, RecordRef
from service.errors import TaskloreError
from service.graph.database import Database
from service.library.commands import Library
from service.library.graphs import GraphInput, ModuleInput
from service.memory.reporting.answers import ReportOutcome
from service.memory.reporting.commands import Reporting
from service.memory.statistics import PresetsInOperation, PresetStatistics
from service.records import Records
from service.runtime.compose import hooks
from tests.laws import law
from tests.memory.history.conftest import CLOSED, MATTER, OPEN, priced, run_of
from tests.memory.stories import Event
from tests.viewers import viewer_of

JUDGE = RecordRef(kind="Preset", source="exec", key="judge")


def _judged(seq: int, cost: float | None, **values: Any) -> Event:
    step = {"module_key": "judge", "activation_seq": seq, "module_type": "step.judge", "preset_key": "judge"}
    told = {} if cost is None else {"cost_usd": cost}
    return {"kind": "activation_completed", **told, **step, **values}


def _events() -> list[Event]:
    follows = {"triggered_by": [{"module_key": "judge", "activation_seq": 1}]}
    step = {"module_key": "judge", "activation_seq": 1}
    return [
        *run_of("pa", 1, OPEN, _judged(1, 1.0, started_at="2026-01-01T10:00:00.000Z"),
                {"kind": "activation_completed", "module_key": "send", "activation_seq": 1, "module_type": "delivery",
                 **follows}, _judged(2, None), priced(3.0, module_key="judge", activation_seq=2),
                task_key="review", template_key="loop"),
        *run_of("pb", 2, OPEN, {"kind": "activation_failed", "error_code": "e", "preset_key": "judge", **step},
                {"kind": "activation_skipped", "module_key": "judge", "activation_seq": 2, "preset_key": "judge"},
                {"kind": "artifact_produced", "artifact_key": "pb-1", "artifact_kind": "document", **step},
                {"kind": "artifact_consumed", "item": {"key": "pb-1"}, "module_key": "read", "activation_seq": 1},
                task_key="other"),
        *run_of("pc", 3, CLOSED, _judged(1, 8.0), task_key="secret", template_key="hidden"),
    ]  # fmt: skip


@pytest.fixture
async def used(database: Database) -> Database:
    await database.run_alone(
        "CREATE (:Matter:Entity:Record {id: $id, kind: 'matter', audience: 'privileged|ent_matter'})", id=MATTER
    )
    answers = await Reporting(database, REGISTRY, lambda _new: None).report(await viewer_of(database), _events())
    assert {one.outcome for one in answers} == {ReportOutcome.accepted}
    return database


async def _outsider(database: Database) -> Viewer:
    return await viewer_of(database, "prin_out", matters=[], scopes=())


async def _saved(database: Database) -> tuple[Records, Library]:
    commands = Commands(database, REGISTRY, lambda _new: None)
    records = Records(commands, hooks())
    values = {"name": "Judge", "module_type": "step.judge", "source": "exec", "source_key": "judge"}
    await records.save(await viewer_of(database), "Preset", {**values, "known_strengths": ["It is fair."]})
    return records, Library(commands)


@pytest.mark.slow
async def test_a_preset_is_summed_up_from_its_uses(used: Database) -> None:
    found = await PresetsInOperation(used).of(await viewer_of(used), JUDGE)
    assert found
    assert (found.usage_count, found.failure_count) == (4, 1)
    assert (found.tasks_used_in, found.templates_used_in) == (3, 2)
    assert (found.avg_module_cost_usd, found.p50_module_cost_usd) == (4.0, 3.0)
    assert (found.avg_module_duration_ms, found.p90_module_duration_ms) == (60_000, 60_000)
    assert ((found.last_used_at or "")[:10], found.module_type) == ("2026-01-03", "step.judge")
    assert found.common_downstream_consumers == ("delivery", "read")


async def test_hidden_uses_do_not_count(used: Database) -> None:
    found = await PresetsInOperation(used).of(await _outsider(used), JUDGE)
    assert found
    assert (found.preset_id, found.display_name, found.usage_count, found.tasks_used_in) == (None, "judge", 3, 2)
    assert (found.templates_used_in, found.p90_module_cost_usd) == (1, pytest.approx(2.8))
    later = await PresetsInOperation(used).of(await _outsider(used), JUDGE, since="2026-01-03T00:00:00.000Z")
    assert later is None


async def test_what_nobody_saved_or_used_is_not_there(used: Database) -> None:
    [row] = await used.read("MATCH (n:Preset {source_key: 'judge'}) RETURN n.id AS id")
    hidden, missing = RecordRef(id=row["id"]), RecordRef(id="pre_missing")
    never = RecordRef(kind="Preset", source="exec", key="never")
    assert await PresetsInOperation(used).of(await viewer_of(used), hidden)
    for ref in (hidden, missing, never, RecordRef(source="exec", key="never")):
        assert await PresetsInOperation(used).of(await _outsider(used), ref) is None


@pytest.mark.slow
async def test_a_saved_preset_takes_over_its_stub_and_counts_graphs_that_have_it(used: Database) -> None:
    records, library = await _saved(used)
    viewer = await viewer_of(used)
    [preset] = await used.read("MATCH (n:Preset) RETURN n.id AS id")
    for source_key in ("review", "fresh"):
        values = {"name": source_key, "source": "exec", "source_key": source_key}
        task = (await records.save(viewer, "Task", values)).result["id"]
        graph = GraphInput([ModuleInput(f"m-{source_key}", "step.judge")], [])
        await library.save_graph(viewer, RecordRef(id=task), graph)
    for row in await used.read("MATCH (:GraphSnapshot)-[:HAS_MODULE]->(m:Module) RETURN m.id AS id"):
        await records.link(viewer, RecordRef(id=row["id"]), "USES_PRESET", RecordRef(id=preset["id"]), {})
    found = await PresetsInOperation(used).of(viewer, RecordRef(id=preset["id"]))
    assert found
    assert (found.display_name, found.known_strengths, found.usage_count) == ("Judge", ("It is fair.",), 4)
    assert found.tasks_used_in == 4, "the task of a run and of a graph is one"


async def test_an_activation_keeps_the_preset_that_it_used(used: Database) -> None:
    later = run_of("pa", 1, OPEN, {}, {}, {}, {}, _judged(3, 1.0, preset_key="judge-2"), task_key="review")[-1:]
    [answer] = await Reporting(used, REGISTRY, lambda _new: None).report(await viewer_of(used), later)
    assert answer.outcome is ReportOutcome.accepted
    rows = await used.read(
        "MATCH (:Run {source_key: 'pa'})-[:ACTIVATED]->(a:Activation)-[:USED_PRESET]->(p:Preset) "
        "RETURN a.activation_seq AS seq, a.preset_key AS key, p.source_key AS linked ORDER BY seq"
    )
    assert [tuple(row.values()) for row in rows] == [
        (1, "judge", "judge"),
        (2, "judge", "judge"),
        (3, *["judge-2"] * 2),
    ]


async def test_a_key_of_something_else_is_refused(used: Database) -> None:
    wrong = run_of("pd", 4, OPEN, _judged(1, 1.0, preset_key="review"))[-1:]
    [answer] = await Reporting(used, REGISTRY, lambda _new: None).report(await viewer_of(used), wrong)
    assert answer.code == "wrong_kind"


async def test_saved_presets_are_listed_by_name(used: Database) -> None:
    records, _ = await _saved(used)
    viewer = await viewer_of(used)
    for name, more in (("Alpha", {}), ("Zeta", {"matter_ids": [MATTER]})):
        await records.save(viewer, "Preset", {"name": name, "module_type": "step.agent_task", **more})
    viewer = await viewer_of(used)
    first = await PresetsInOperation(used).saved(viewer, first=2)
    second = await PresetsInOperation(used).saved(viewer, first=2, after=first.edges[-1].cursor)
    listed = [one.node for one in (*first.edges, *second.edges)]
    assert [(one.display_name, one.usage_count) for one in listed] == [("Alpha", 0), ("Judge", 4), ("Zeta", 0)]
    assert (first.page_info.has_next_page, second.page_info.has_next_page) == (True, False)
    assert [one.node.display_name for one in (await PresetsInOperation(used).saved(await _outsider(used))).edges] == [
        "Alpha",
        "Judge",
    ]
    typed = await PresetsInOperation(used).saved(viewer, module_type="step.judge")
    assert [one.node.display_name for one in typed.edges] == ["Judge"]
    with pytest.raises(TaskloreError) as refused:
        await PresetsInOperation(used).saved(viewer, first=101)
    assert refused.value.code == "limit_exceeded"


@law(4)
@given(costs=st.lists(st.integers(0, 10_000), min_size=2, max_size=30))
async def test_percentiles_are_those_of_the_textbook(used: Database, costs: list[int]) -> None:
    viewer = await viewer_of(used)
    await used.run_alone(
        "MATCH (n) WHERE n.id STARTS WITH 'law_' DETACH DELETE n "
        "WITH count(*) AS gone CREATE (:Run:Record {id: 'law_run', source: 'law', audience: $audience}) "
        "WITH gone UNWIND range(0, size($costs) - 1) AS i CREATE (:Activation:Record {id: 'law_' + i, "
        "run_id: 'law_run', module_key: 'm', activation_seq: i, preset_key: 'law', status: 'success', "
        "audience: $audience, cost_usd: toFloat($costs[i]), duration_ms: $costs[i]})",
        costs=costs,
        audience=viewer.audiences[0],
    )
    found = await PresetsInOperation(used).of(viewer, RecordRef(kind="Preset", source="law", key="law"))
    assert found
    assert _figures(found) == pytest.approx(
        (reference.fmean(costs), reference.median(costs), reference.quantiles(costs, n=10, method="inclusive")[8])
    )


def _figures(found: PresetStatistics) -> tuple[float | None, ...]:
    return found.avg_module_cost_usd, found.p50_module_duration_ms, found.p90_module_cost_usd
