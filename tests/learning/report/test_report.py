"""The learning report and what signals come to, on the real server."""

from typing import Any

import pytest

from graph_schema.learning.words import DesignSignalKind, SignalOrigin
from graph_schema.model.fields import DataClass
from service.commands import RecordRef
from service.learning.aggregates.correlate import correlate
from service.learning.aggregates.read import Aggregates
from service.learning.report.ledgers import SCOPES, LearningLedger, ReportScope
from service.learning.report.read import LearningReports
from service.learning.signals.commands import LearningSignals
from tests.learning.assessments.told import drafted, reported
from tests.learning.world import acted, refused, report
from tests.routing.office import ACCEPTED, Office

pytestmark = pytest.mark.slow
EARLY = "2026-01-05T00:00:00.000Z"


async def _chosen(office: Office, template: str, number: int, **more: Any) -> None:
    """A template that is chosen in so many runs of three tasks."""
    runs = [await reported(office, drafted(f"{more.get('key', 'r')}-{one}")[:3]) for one in range(number)]
    tasks = [await office.new("Task", name=f"{template}-{more.get('key', 'r')}-{one}") for one in range(3)]
    for place, run in enumerate(runs):
        signal = acted(
            f"{template}-{more.get('key', 'r')}-{place}",
            signal_kind=DesignSignalKind.template_selected,
            payload=None,
            run=RecordRef(id=run),
            task=RecordRef(id=tasks[place % 3]),
            about=(RecordRef(id=template),),
            pattern_promotion_eligible=True,
            context_class_key="complaint/review/legal",
            **{name: value for name, value in more.items() if name != "key"},
        )
        told = await report(office, signal)
        assert told.accepted == 1, told


async def test_signals_are_told_beyond_the_thresholds_alone_and_become_a_correlation_once(office: Office) -> None:
    template = await office.new("Template", name="Complaint evaluation")
    await _chosen(office, template, 9)
    aggregates, viewer = office.services[Aggregates], await office.viewer()
    assert (await aggregates.of(viewer)).items == ()
    await _chosen(office, template, 3, key="more")
    viewer = await office.viewer()
    [one] = (await aggregates.of(viewer)).items
    assert (one.record_id, one.question, one.runs, one.cross_model_applicability) == (
        template, "chosen", 12, "requires_validation",
    )  # fmt: skip
    assert "12 of 12 signals" in one.statement
    signals = office.services[LearningSignals]
    assert (await correlate(aggregates, signals, viewer), await correlate(aggregates, signals, viewer)) == (1, 0)
    rows = await office.database.read("MATCH (s:Signal {origin: $origin}) RETURN s", origin=SignalOrigin.aggregate)
    assert [row["s"]["signal_type"] for row in rows] == ["task_design_correlation"]
    stranger = await office.viewer(principal_id="prin_out", clearance=DataClass.public, matters=[])
    assert (await aggregates.of(stranger)).items == ()


async def test_a_report_tells_each_ledger_by_itself_and_the_same_for_the_same_moment(office: Office) -> None:
    await reported(office, drafted())
    await office.say(ACCEPTED)
    reports = office.services[LearningReports]
    first = await reports.of(await office.viewer(), ReportScope.all)
    assert [one.ledger for one in first.ledgers] == [*LearningLedger]
    counts = {one.ledger: (one.counted, one.for_count) for one in first.ledgers}
    assert counts[LearningLedger.execution] == (1, 1)
    assert counts[LearningLedger.task_suggestion_feedback] == (1, 1)
    assert counts[LearningLedger.judge_experiment_quality][0] == 1
    assert counts[LearningLedger.prompt_quality] == (0, 0)
    await reported(office, drafted("later"))
    await office.say(ACCEPTED)
    again = await reports.of(await office.viewer(), ReportScope.all, first.at)
    assert again == first
    now = await reports.of(await office.viewer(), ReportScope.all)
    assert now.content_hash != first.content_hash
    some = await reports.of(await office.viewer(), ReportScope.task_invocation)
    assert tuple(one.ledger for one in some.ledgers) == SCOPES[ReportScope.task_invocation]
    long_ago = await reports.of(await office.viewer(), ReportScope.all, EARLY)
    assert all(one.counted == 0 for one in long_ago.ledgers if one.ledger is not LearningLedger.execution)
    assert (
        await refused(reports.of(await office.viewer(), ReportScope.all, "2999-01-01T00:00:00Z"))
    ).code == "moment_ahead"
    assert (await refused(reports.of(await office.viewer(), ReportScope.all, "soon"))).field == "at"


async def test_what_a_matter_did_changes_no_report_outside_of_it(office: Office) -> None:
    matter = await office.matter()
    await reported(office, drafted())
    outside: dict[str, Any] = {"principal_id": "prin_out", "clearance": DataClass.internal, "matters": []}
    reports = office.services[LearningReports]
    before = await reports.of(await office.viewer(**outside), ReportScope.all)
    await reported(office, drafted("inside", {"matter_ids": [matter]}))
    after = await reports.of(await office.viewer(**outside), ReportScope.all)
    assert [one.counted for one in after.ledgers] == [one.counted for one in before.ledgers]
