"""The history of runs: twelve filters, pages that neither repeat nor skip, and honest empty answers."""

from dataclasses import replace
from typing import Any

import pytest

from service.commands import RecordRef
from service.errors import TaskloreError
from service.memory.history import ArtifactsKept, HistoryEmptyReason, HistoryFilter, HistoryRequest, TaskHistory, read
from tests.memory.history.conftest import Past

SALES = RecordRef(kind="Entity", source="exec", key="sales")
TOOL = RecordRef(kind="Capability", source="exec", key="search-tool")
REPORT = RecordRef(kind="Task", source="exec", key="report")
WEEKLY = RecordRef(kind="Template", source="exec", key="weekly")

CASES: list[tuple[dict[str, Any], str]] = [
    ({}, "dcba"),
    ({"tasks": [REPORT]}, "dba"),
    ({"templates": [WEEKLY]}, "ba"),
    ({"about": [SALES]}, "a"),
    ({"statuses": ["completed", "failed"]}, "dba"),
    ({"started_from": "2026-01-02T00:00:00.000Z", "started_before": "2026-01-04T00:00:00.000Z"}, "cb"),
    ({"trigger_kinds": ["manual"]}, "dc"),
    ({"output_kinds": ["email", "tool_result"]}, "cb"),
    ({"artifacts_kept": ArtifactsKept.saved}, "da"),
    ({"artifacts_kept": ArtifactsKept.promoted}, "d"),
    ({"artifacts_kept": ArtifactsKept.neither}, "cb"),
    ({"max_score": 0.5}, "c"),
    ({"min_score": 0.5}, ""),
    ({"failure_codes": ["timeout"]}, "b"),
    ({"capabilities": [TOOL]}, "a"),
    ({"min_cost_usd": 2.0, "max_cost_usd": 4.0}, "d"),
    ({"with_errors": True}, "b"),
    ({"assessed": False}, "dcba"),
    ({"assessed": True}, ""),
    ({"min_quality": 0.1}, ""),
    ({"tasks": [REPORT], "statuses": ["completed"], "trigger_kinds": ["schedule"]}, "a"),
    ({"about": [SALES], "capabilities": [TOOL], "templates": [WEEKLY]}, "a"),
]
_NAMES = [",".join(wanted) or "none" for wanted, _ in CASES]


async def _found(past: Past, wanted: dict[str, Any], viewer: Any = None, **request: Any) -> str:
    page = await TaskHistory(past.database).page(
        viewer or past.everybody, HistoryRequest(HistoryFilter(**wanted), **request)
    )
    return "".join(past.names(page.run_ids))


@pytest.mark.slow
@pytest.mark.parametrize(("wanted", "names"), CASES, ids=_NAMES)
async def test_each_filter_finds_what_it_names(past: Past, wanted: dict[str, Any], names: str) -> None:
    assert await _found(past, wanted) == names
    assert await _found(past, wanted, past.outsider) == names.replace("d", "")


@pytest.mark.parametrize(("wanted", "names"), CASES, ids=_NAMES)
async def test_who_has_many_audiences_finds_the_same(
    past: Past, wanted: dict[str, Any], names: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read, "MOST_SEEKS", 0)
    assert await _found(past, wanted) == names


async def test_records_may_be_named_by_their_ids(past: Past) -> None:
    rows = await past.database.read("MATCH (n:Record) WHERE n.source_key IN ['report', 'sales'] RETURN n.id AS id")
    ids = {row["id"].split("_")[0]: RecordRef(id=row["id"]) for row in rows}
    assert await _found(past, {"tasks": [ids["task"]]}) == "dba"
    assert await _found(past, {"about": [ids["ent"]]}) == "a"


async def test_pages_neither_repeat_nor_skip(past: Past) -> None:
    seen, after = "", None
    for more in (True, True, True, False):
        request = HistoryRequest(HistoryFilter(), 1, after)
        page = await TaskHistory(past.database).page(past.everybody, request)
        seen += "".join(past.names(page.run_ids))
        after = page.edges[-1].cursor
        assert page.page_info.has_next_page is more
    assert seen == "dcba"


async def test_nothing_there_and_nothing_for_you_read_the_same(past: Past) -> None:
    nobody = HistoryRequest(HistoryFilter(tasks=[REPORT]))

    page = await TaskHistory(past.database).page(replace(past.everybody, audiences=()), nobody)
    assert (page.empty_reason, page.explanation) == (
        HistoryEmptyReason.no_data,
        "There is no run yet that you may see.",
    )


async def test_an_empty_answer_names_the_filter_that_lets_nothing_pass(past: Past) -> None:
    wanted = HistoryFilter(tasks=[REPORT], failure_codes=["never"])
    page = await TaskHistory(past.database).page(past.everybody, HistoryRequest(wanted))
    assert page.empty_reason is HistoryEmptyReason.all_filtered
    assert page.explanation == "No run that you may see passes the filter failureCodes."
    wanted = HistoryFilter(trigger_kinds=["manual"], failure_codes=["timeout"])
    page = await TaskHistory(past.database).page(past.everybody, HistoryRequest(wanted))
    assert (
        page.explanation
        == "Some runs pass each of the filters triggerKinds, failureCodes, but none passes all of them."
    )


async def test_a_hidden_subject_and_a_missing_one_read_the_same(past: Past) -> None:
    hidden = RecordRef(id="ent_matter")
    missing = RecordRef(id="ent_missing")
    pages = [
        await TaskHistory(past.database).page(past.outsider, HistoryRequest(HistoryFilter(about=[one])))
        for one in (hidden, missing)
    ]
    assert pages[0] == pages[1]
    assert await _found(past, {"about": [hidden]}) == "d"


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (HistoryRequest(HistoryFilter(), 0), "invalid_paging"),
        (HistoryRequest(HistoryFilter(), 501), "limit_exceeded"),
        (HistoryRequest(HistoryFilter(), 5, "nonsense"), "invalid_cursor"),
        (HistoryRequest(HistoryFilter(min_cost_usd=2, max_cost_usd=1)), "invalid_filter"),
        (HistoryRequest(HistoryFilter(tasks=[RecordRef(key="x")])), "invalid_input"),
    ],
)
async def test_what_cannot_be_asked_is_refused(past: Past, request_: HistoryRequest, code: str) -> None:
    with pytest.raises(TaskloreError) as refused:
        await TaskHistory(past.database).page(past.everybody, request_)
    assert refused.value.code == code
