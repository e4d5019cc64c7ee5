"""The learning report and what signals come to, on the real server."""

from typing import Any

import pytest

from graph_schema.knowledge.prompt_words import PromptFeedbackKind, PromptSurface
from graph_schema.learning.report_words import LearningLedger, ReportScope
from graph_schema.learning.words import DesignSignalKind, SignalOrigin
from graph_schema.model.fields import DataClass
from service.commands import RecordRef
from service.knowledge.prompts.inputs import PromptInput
from service.knowledge.prompts.keep import KeptPrompts
from service.knowledge.prompts.load import PromptRequest
from service.learning.aggregates.correlate import correlate
from service.learning.aggregates.read import Aggregates
from service.learning.prompts.inputs import PromptEditInput, PromptFeedbackInput
from service.learning.prompts.telling import PromptTelling
from service.learning.report.keep import KeptReports
from service.learning.report.ledgers import SCOPES
from service.learning.report.read import LearningReports
from service.learning.signals.commands import LearningSignals
from tests.learning.assessments.told import drafted, reported
from tests.learning.world import acted, refused, report
from tests.routing.office import ACCEPTED, Office

pytestmark = pytest.mark.slow
VAGUE = "Review the attached lease. It should be thorough."
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


async def test_a_report_is_kept_once_and_comes_out_the_same_again(office: Office) -> None:
    matter = await office.matter()
    await reported(office, drafted("inside", {"data_class": "privileged", "matter_ids": [matter]}))
    prompts, template = office.services[KeptPrompts], await office.new("Template", name="Draft")
    given = PromptInput(
        name="Drafting", lives_in=RecordRef(id=template), surface=PromptSurface.task_template_prompt, text=VAGUE
    )
    viewer = await office.viewer()
    prompt = RecordRef(id=(await prompts.record(viewer, given)).result["id"])
    await prompts.assess(viewer, prompt, PromptRequest(text=VAGUE), ())
    telling = office.services[PromptTelling]
    await telling.edited(viewer, PromptEditInput(about=prompt, before=VAGUE, after=f"{VAGUE} Return a table."))
    for word in (PromptFeedbackKind.rewrite_accepted, PromptFeedbackKind.judge_found_prompt_weak):
        await telling.feedback(viewer, PromptFeedbackInput(about=prompt, feedback=word))
    reports, viewer = office.services[KeptReports], await office.viewer()
    made = (await reports.keep(viewer, ReportScope.all)).result
    kept = await office.stored(made["id"])
    assert (kept["data_class"], kept["matter_ids"]) == ("privileged", [matter])
    assert len(kept["statements"]) == len(LearningLedger)
    again = await reports.keep(viewer, ReportScope.all, kept["as_of"])
    assert (again.result["id"], again.result["known"]) == (made["id"], True)
    told = await reports.replay(viewer, made["id"])
    assert (told.outcome, told.now.content_hash) == ("identical", kept["content_hash"])
    ledgers = {one.ledger: one for one in told.now.ledgers}
    quality = ledgers[LearningLedger.prompt_quality]
    assert {"rewrite_accepted", "judge_found_prompt_weak", "added_output_contract", "missing_output_contract"} <= {
        one.result for one in quality.findings
    }
    assert quality.for_count >= 1
    assert quality.against_count >= 2
    stranger = await office.viewer(principal_id="prin_out", clearance=DataClass.internal, matters=[])
    assert (await refused(reports.replay(stranger, made["id"]))).code == "not_found"


async def test_what_a_matter_did_changes_no_report_outside_of_it(office: Office) -> None:
    matter = await office.matter()
    await reported(office, drafted())
    outside: dict[str, Any] = {"principal_id": "prin_out", "clearance": DataClass.internal, "matters": []}
    reports = office.services[LearningReports]
    before = await reports.of(await office.viewer(**outside), ReportScope.all)
    await reported(office, drafted("inside", {"matter_ids": [matter]}))
    after = await reports.of(await office.viewer(**outside), ReportScope.all)
    assert [one.counted for one in after.ledgers] == [one.counted for one in before.ledgers]
