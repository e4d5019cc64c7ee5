"""Events bear the specification's names: the table in docs/operations.md is what the service tells."""

import re
from pathlib import Path
from typing import Any

import pytest

from graph_schema.registry import REGISTRY
from service.commands import Commands, RecordRef
from service.graph.database import Database
from service.library.commands import Library
from service.library.graphs import GraphInput, ModuleInput
from service.library.segment_saving import SegmentInput
from service.library.ties import Placement, Ties
from service.memory.audit import AuditExports
from service.memory.audit.rules import read
from service.memory.reporting.commands import Reporting
from service.records import Records
from service.runtime.compose import hooks
from tests.memory.stories import Story, step, whole_run
from tests.viewers import viewer_of

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| (21\.4|21A\.2|21B\.4) \| (.+?) \| (.+) \|$", re.MULTILINE)
NAME = re.compile(r"`(task\.[a-z_.]+)`")


def _table() -> dict[str, bool]:
    """Each event of the specification, and whether it is told here."""
    text = (ROOT / "docs" / "operations.md").read_text()
    return {
        name: not told.startswith(("open:", "never:"))
        for _, names, told in ROW.findall(text)
        for name in NAME.findall(names)
    }


def test_events_are_made_in_one_place() -> None:
    """What an event says is written by `event_row` alone, whoever writes it; and no statement makes one up."""
    rows: list[str] = []
    statements: list[str] = []
    for path in (ROOT / "service").rglob("*.py"):
        text, place = path.read_text(), str(path.relative_to(ROOT / "service"))
        rows += [place] if re.search(r"""['"]about_version['"]:""", text) else []
        statements += [place] * len(re.findall(r"(?:CREATE|MERGE) \([^)]*:Event\b[^)]*\)(?! SET e = )", text))
    assert (rows, statements) == (["commands/ground.py"], [])


def _in_code() -> set[str]:
    files = [*(ROOT / "service").rglob("*.py"), *(ROOT / "graph_schema").rglob("*.py")]
    return {name for file in files for name in re.findall(r'"(task\.[a-z_]+(?:\.[a-z_]+)*)"', file.read_text())}


def test_the_table_has_every_event_once_and_code_tells_those_that_it_says() -> None:
    table = _table()
    assert len(table) == 15 + 19 + 25 - 1, "all of §21.4, §21A.2 and §21B.4, which have one in common"
    told = {name for name, is_told in table.items() if is_told}
    assert told <= _in_code()
    assert not {name for name, is_told in table.items() if not is_told} & _in_code()


def test_of_every_event_of_an_agents_work_a_test_says_that_it_is_told() -> None:
    text = (ROOT / "docs" / "operations.md").read_text()
    rows = [(names, told) for section, names, told in ROW.findall(text) if section != "21B.4"]
    told = {name for names, said in rows if not said.startswith("never:") for name in NAME.findall(names)}
    files = (ROOT / "tests").rglob("*.py")
    asserted = {name for file in files for name in re.findall(r'"(task\.[a-z_]+(?:\.[a-z_]+)*)"', file.read_text())}
    assert sorted(told - asserted) == []


async def _kinds(database: Database) -> set[str]:
    rows = await database.read("MATCH (e:Event) RETURN DISTINCT e.kind AS kind")
    return {row["kind"] for row in rows}


@pytest.mark.slow
async def test_what_happens_is_told_by_the_specifications_names(database: Database, tmp_path: Path) -> None:
    viewer = await viewer_of(database)
    commands = Commands(database, REGISTRY, lambda _new: None)
    records, library = Records(commands, hooks()), Library(commands)
    await Reporting(database, REGISTRY, lambda _new: None).report(viewer, whole_run())
    viewer = await viewer_of(database)
    run = (await database.read("MATCH (r:Run) RETURN r.id AS id"))[0]["id"]
    exports = AuditExports(commands, database, tmp_path)
    await exports.export(viewer, RecordRef(id=run), read("summary_only", ["folder"], None))
    task = RecordRef(id=(await records.save(viewer, "Task", {"name": "T"})).result["id"])
    other = RecordRef(id=(await records.save(viewer, "Task", {"name": "O"})).result["id"])
    graph = GraphInput([ModuleInput("a", "x.y", input_ports=["in"], output_ports=["out"])])
    await library.save_graph(viewer, task, graph)
    saved = await library.save_segment(viewer, SegmentInput({"name": "S"}, source=task, modules=["a"]))
    segment = RecordRef(id=saved.result["id"])
    await library.save_segment(viewer, SegmentInput({"name": "S2"}, record_id=segment.id))
    bigger = GraphInput([*graph.modules, ModuleInput("b", "x.y")])
    await library.save_graph(viewer, other, bigger, ties=Ties(segments=[Placement(segment)]))
    kinds = await _kinds(database)
    assert {
        "task.agent.run_lens.updated", "task.module.quick_access_updated", "task.deliverables.updated",
        "task.saved_task.stats_updated", "task.preset.stats_updated", "task.audit_export.started",
        "task.audit_export.completed", "task.segment.created", "task.segment.updated", "task.segment.inserted",
    } <= kinds  # fmt: skip
    assert not {"segment.created", "segment.updated", "auditexport.created"} & kinds
    [inserted] = await database.read(
        "MATCH (e:Event {kind: 'task.segment.inserted'}) RETURN e.about AS about, e.other AS other"
    )
    assert inserted == {"about": other.id, "other": segment.id}


async def test_statistics_are_others_when_runs_begin_and_end_and_steps_are_done(database: Database) -> None:
    reporting = Reporting(database, REGISTRY, lambda _new: None)
    story = Story().tell("run_started", task_key="t").tell("activation_started", preset_key="p", **step("m"))
    story.tell("span", span_key="s", span_kind="llm_call", status="success", **step("m"))
    story.tell("activation_completed", **step("m")).tell("run_completed")
    heard: list[Any] = []
    for event in story.events:
        await reporting.report(await viewer_of(database), [event])
        rows = await database.read("MATCH (e:Event) WHERE e.kind ENDS WITH 'stats_updated' RETURN e.kind AS kind")
        heard.append(sorted(row["kind"].split(".")[1] for row in rows))
    assert heard == [
        ["saved_task"], ["saved_task"], ["saved_task"], ["preset", "saved_task"], ["preset", "saved_task", "saved_task"]
    ]  # fmt: skip
