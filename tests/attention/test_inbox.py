"""What waits for a user in one list, and how good decisions were, on the real server."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graph_schema.attention.words import AttentionMoment as Moment
from graph_schema.attention.words import DirectiveState, OperatingMode
from graph_schema.learning.proposal_words import Operation, ProposalKind
from service import clock
from service.access.viewer import Viewer
from service.attention import background
from service.attention.answers import AttentionAnswers
from service.attention.background import InboxStir
from service.attention.deciding.commands import Attention
from service.attention.deciding.replay import AttentionTraces
from service.attention.figures.read import AttentionReports
from service.attention.figures.rules import Done, Shown, is_right, missed
from service.attention.inbox.read import Inboxes
from service.attention.inbox.sources import InboxSource
from service.attention.pipeline.gates import SuppressionReason as Why
from service.attention.rules.policies import our_rules
from service.commands import RecordRef
from service.errors import TaskloreError
from service.events.head import Head
from service.learning.proposals.commands import Proposals
from service.learning.proposals.inputs import ProposalInput, ProposalStep
from service.learning.replay.commands import Replays
from service.memory.reporting.commands import Reporting
from service.replay import ReplayOutcome
from service.tools.reports import OutcomeReports
from tests.attention.desk import Desk, ago, based, event, undos
from tests.tools.workshop import outcome
from tests.viewers import viewer_of

pytestmark = pytest.mark.slow

POLICY: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}


def run_event(run: str, kind: str, seconds: float, **values: Any) -> dict[str, Any]:
    named = {"event_id": f"{run} {kind} {seconds}", "kind": kind, "occurred_at": based(seconds)}
    return {**named, "run": {"source": "x", "key": run}, "policy": POLICY, **values}


STEP = {"module_key": "review", "activation_seq": 1}


def waiting_run(run: str, **gate: Any) -> list[dict[str, Any]]:
    return [
        run_event(run, "run_started", 300, name=run, task_key=f"task {run}"),
        run_event(run, "activation_started", 200, **STEP),
        run_event(run, "gate_opened", 150, **STEP, gate_key="g", gate_kind="approval", **gate),
        run_event(run, "activation_waiting", 150, **STEP, gate_key="g"),
    ]


def failed_run(run: str, seconds: float = 100, task: str = "report") -> list[dict[str, Any]]:
    return [
        run_event(run, "run_started", seconds, name=run, task_key=task),
        run_event(run, "run_failed", seconds - 1, failure_code="timeout", failure_summary="The site did not answer."),
    ]


async def _told(desk: Desk, events: list[dict[str, Any]]) -> None:
    answers = await desk.services[Reporting].report(await desk.admin(), events)
    assert all(one.code is None for one in answers), answers


async def test_what_happens_in_runs_and_what_is_asked_stands_in_one_list(desk: Desk) -> None:
    overdue = {"question": "Send the brief?", "deadline_at": based(10)}
    delivery = {"idempotency_key": "d", "delivery_kind": "email", "status": "delivered", "name": "Memo"}
    await _told(
        desk,
        [
            *waiting_run("Brief", **overdue),
            *waiting_run("Filing"),
            *failed_run("Weekly report"),
            *failed_run("Mended", 200, "mended"),
            run_event("Again", "run_started", 50, name="Again", task_key="mended"),
            run_event("Again", "run_completed", 40),
            run_event("Memo", "run_started", 90, name="Memo run", task_key="memo"),
            run_event("Memo", "activation_started", 80, **STEP),
            run_event("Memo", "delivery", 70, **STEP, **delivery),
            run_event("Memo", "run_cancelled", 60),
        ],
    )
    await desk.mode(OperatingMode.advisory)
    [directive] = (await desk.decide(await desk.tell(*undos()))).directive_ids
    inbox = await desk.services[Inboxes].of(await desk.viewer())
    told = [(one.source, one.summary, one.action, one.urgency) for one in inbox.items]
    assert told == [
        (InboxSource.gate_waiting, "Send the brief?", "decide", 0.9),
        (InboxSource.run_anomaly, "Memo run: the run ended as cancelled, and yet delivered Memo", "review", 0.8),
        (InboxSource.gate_waiting, "Filing waits for a decision", "decide", 0.7),
        (InboxSource.run_failed, "Weekly report failed", "review", 0.6),
        (InboxSource.directive, "Let's simplify", "review", 0.6),
    ]
    assert (inbox.total_count, inbox.truncated) == (5, False)
    assert "It was due by" in inbox.items[0].reasons[1]
    assert (inbox.items[0].class_code, inbox.items[3].moment_code) == ("I4_DECIDE", "MOMENT_ERROR")
    await desk.services[AttentionAnswers].dismiss(await desk.viewer(), RecordRef(id=directive), None)
    mine = await desk.services[Inboxes].of(await desk.viewer(), [InboxSource.directive])
    others = await desk.services[Inboxes].of(await desk.viewer("prin_other"), first=1)
    assert (mine.items, others.total_count, len(others.items)) == ((), 4, 1)
    with pytest.raises(TaskloreError) as error:
        await desk.services[Inboxes].of(await desk.viewer(), first=0)
    assert (error.value.code, error.value.field) == ("invalid_input", "first")


async def _proposed(desk: Desk, author: str) -> str:
    """A change of high risk that was replayed and waits for somebody other than its author."""
    template = await desk.new("Template", name="Docket watch", trigger_phrases=["docket"])
    step = ProposalStep(operation=Operation.set_lifecycle, value="deprecated")
    given = ProposalInput(
        proposal_kind=ProposalKind.task_template_update, target=RecordRef(id=template), steps=(step,), rationale="Old."
    )
    who = await viewer_of(desk.database, author)
    made = await desk.services[Proposals].propose(who, given)
    await desk.services[Replays].replay(await viewer_of(desk.database, author), made.result["id"])
    return made.result["id"]


async def test_tools_of_little_use_and_proposals_wait_for_those_who_can_do_something_about_them(desk: Desk) -> None:
    calls = [outcome(str(one), "low_utility") for one in range(4)] + [outcome("good", tool={"key": "good"})]
    answers = await desk.services[OutcomeReports].report(await desk.admin(), calls)
    assert all(one.code is None for one in answers), answers
    proposal = await _proposed(desk, "prin_author")
    curator = await viewer_of(desk.database, "prin_curator")
    inbox = await desk.services[Inboxes].of(curator)
    told = [(one.source, one.summary, one.action, one.urgency) for one in inbox.items]
    assert told == [
        (InboxSource.proposal_for_review, "Docket watch: Make it deprecated, which was active.", "decide", 0.5),
        (InboxSource.tool_low_utility, "web_fetcher gives little of use", "review", 0.3),
    ]
    assert (inbox.items[0].record_id, inbox.items[0].rule_id) == (proposal, "POLICY_PROPOSAL_REVIEW_v1")
    assert inbox.items[0].reasons[0] == "A proposal of high risk is staged."
    assert "4 of 4 calls gave little" in inbox.items[1].reasons[0]
    for_others = [await viewer_of(desk.database, "prin_author"), await desk.viewer()]
    for viewer in for_others:
        mine = await desk.services[Inboxes].of(viewer, [InboxSource.proposal_for_review])
        assert mine.items == (), "its author decides nothing, and who reads cannot"


async def _inbox(desk: Desk, viewer: Viewer) -> dict[str, str | None]:
    """What waits for somebody, by its id, with the directive that asks about it."""
    found = await desk.services[Inboxes].of(viewer)
    assert found.total_count == len(found.items)
    return {one.record_id: one.directive_id for one in found.items}


async def _gate(desk: Desk) -> str:
    row = await desk.database.read_one("MATCH (n:Gate) RETURN n.id AS id")
    assert row
    return row["id"]


async def test_what_a_pharmacist_has_dealt_with_waits_no_more_and_for_nobody_else(desk: Desk) -> None:
    """A release that waits for a signature, and a failed stock count. Nothing was let speak: it is a list to look at.

    She dismisses the count, and puts the signature off: both are gone for her, and are there for her colleague. A count
    that fails anew is another thing. The signature comes back when its time has come. A gate of a matter that she does
    not know is nothing that she could answer.
    """
    await _told(desk, [*waiting_run("Release of batch 7"), *failed_run("Stock count", task="count")])
    pharmacist, colleague = await desk.viewer("prin_pharmacist"), await desk.viewer("prin_colleague")
    gate, count = await _gate(desk), (await _of_run(desk, "Stock count"))
    assert await _inbox(desk, pharmacist) == {gate: None, count: None}
    answers = desk.services[AttentionAnswers]
    told = await answers.dismiss(pharmacist, RecordRef(id=count), "Counted by hand.")
    assert told.result == {"about": count, "state": "dismissed"}
    await answers.snooze(pharmacist, RecordRef(id=gate), ago(-600))
    assert await _inbox(desk, pharmacist) == {}
    assert await _inbox(desk, colleague) == {gate: None, count: None}
    assert await desk.count("AttentionDirective") == 0, "nobody was asked for anything"
    await desk.database.run_alone(
        "MATCH (:AttentionSession)-[p:SET_ASIDE {answer: 'snoozed'}]->() SET p.until = $at", at=ago(1)
    )
    assert await _inbox(desk, pharmacist) == {gate: None}
    await answers.act(pharmacist, RecordRef(id=gate), None, None)
    await _told(desk, failed_run("Stock count again", -1, "count"))
    again = await _of_run(desk, "Stock count again")
    assert await _inbox(desk, pharmacist) == {again: None}
    figures = (await desk.services[AttentionReports].of(pharmacist)).inbox_answers
    assert {one.answer.value: one.count for one in figures} == {"acted": 1, "dismissed": 1}
    matter = await desk.new("Entity", kind="matter", name="Recall")
    closed = {**POLICY, "matter_ids": [matter]}
    await _told(desk, [{**one, "policy": closed} for one in waiting_run("Recall of batch 9")])
    outsider = await desk.viewer("prin_outsider", matters=[])
    hidden = await desk.database.read_one("MATCH (g:Gate) WHERE $m IN g.matter_ids RETURN g.id AS id", m=matter)
    assert hidden
    for work in (
        answers.dismiss(outsider, RecordRef(id=hidden["id"]), None),
        answers.act(pharmacist, RecordRef(id=gate), "Yes", None),
    ):
        with pytest.raises(TaskloreError) as error:
            await work
        assert (error.value.code, error.value.field) in {("not_found", "directive"), ("unknown_value", "option")}
    [refused] = await desk.report([event("user_action", 1, action="x", session={"source": "tasklore", "key": "inbox"})])
    assert (refused.code, refused.field) == ("invalid_input", "session")


async def _of_run(desk: Desk, name: str) -> str:
    row = await desk.database.read_one("MATCH (n:Run {name: $name}) RETURN n.id AS id", name=name)
    assert row
    return row["id"]


async def test_what_waits_in_runs_goes_through_modes_gates_and_limits_with_a_trace(desk: Desk) -> None:
    """An archivist of films lets tasks speak. Two of three things are told at once; the odd one is a suggestion.

    What is answered makes room for the next. Who leads herself is not told of the oddity at all. Nothing of it is
    decided twice as long as the same waits, and what waits no more is asked about no more.
    """
    await desk.principal("prin_archivist")
    await _told(desk, [*waiting_run("Scan of reel 3"), *waiting_run("Scan of reel 4"), *failed_run("Nitrate check")])
    archivist = await desk.viewer("prin_archivist")
    inbox = RecordRef(source="tasklore", key="inbox")
    attention, answers = desk.services[Attention], desk.services[AttentionAnswers]
    watched = await attention.decide(archivist, inbox)
    assert (watched.result["directives"], watched.result["withheld"]) == ([], 2)
    assert await desk.count("AttentionDirective") == 0
    await desk.mode(OperatingMode.advisory, "tasks", archivist)
    assert await desk.decide_due() == 1
    asked = {about: directive for about, directive in (await _inbox(desk, archivist)).items() if directive}
    assert len(asked) == 2
    [trace] = await desk.database.read("MATCH (t:PolicyTrace {emitted_count: 2}) RETURN t.id AS id")
    told = await desk.services[AttentionTraces].decision(await desk.admin(), trace["id"])
    assert told
    assert {one.moment for one in told.outputs} == {Moment.error, Moment.decision_required}
    assert [one.reason for one in told.suppressed] == [Why.too_many_at_once]
    assert (await desk.replay(trace["id"])).outcome is ReplayOutcome.identical
    await desk.database.run_alone("MATCH (s:AttentionSession) SET s.due_at = $at", at=ago(1))
    before = await desk.count("PolicyTrace")
    assert await desk.decide_due() == 1
    assert await desk.count("PolicyTrace") == before, "the same waits: nothing is decided anew"
    failed = await _of_run(desk, "Nitrate check")
    await answers.dismiss(archivist, RecordRef(id=str(asked[failed])), None)
    assert failed not in await _inbox(desk, archivist)
    assert await desk.decide_due() == 1
    asked = await _inbox(desk, archivist)
    assert len(asked) == 2
    assert all(asked.values())
    delivery = {"idempotency_key": "d", "delivery_kind": "email", "status": "delivered", "name": "Print"}
    odd = [run_event("Print", "run_started", 90, name="Print of reel 1", task_key="print")]
    odd += [
        run_event("Print", "activation_started", 80, **STEP),
        run_event("Print", "delivery", 70, **STEP, **delivery),
    ]
    await _told(desk, [*odd, run_event("Print", "run_cancelled", 60)])
    await desk.tell(
        event("user_feedback", 1, dimension="initiative_tolerance", value=0.1, confidence=0.9), viewer=archivist
    )
    for one in asked:
        await answers.act(archivist, RecordRef(id=one), None, None)
    states = await desk.database.read("MATCH (d:AttentionDirective) RETURN d.directive_state AS state")
    assert sorted(row["state"] for row in states) == ["acted", "acted", "dismissed"]
    led = await attention.decide(archivist, inbox)
    told = await desk.services[AttentionTraces].decision(await desk.admin(), led.result["id"])
    assert told
    assert (told.outputs, Why.not_proactive in [one.reason for one in told.suppressed]) == ((), True)
    with pytest.raises(TaskloreError) as error:
        await attention.decide(archivist, inbox, ago(60))
    assert (error.value.code, error.value.field) == ("invalid_input", "at")


async def test_an_inbox_is_looked_into_when_something_happens_in_runs(desk: Desk) -> None:
    """A brewery: the mash failed. Nobody has to wait for the next look, and who lets nothing speak is left alone."""
    await desk.principal()
    head, stir = Head(desk.database, lambda: None), InboxStir(desk.database)
    await desk.mode(OperatingMode.advisory, "tasks")
    assert await desk.decide_due() == 1
    assert await desk.decide_due() == 0
    await _numbered(head)
    assert await _looked(stir) == 0, "it begins with what happens from now on"
    await _told(desk, failed_run("Mash"))
    await _numbered(head)
    assert await _looked(stir) == 1
    assert await desk.decide_due() == 1
    assert list((await _inbox(desk, await desk.viewer())).values()) != [None]
    await _numbered(head)
    assert await _looked(stir) == 0
    await desk.mode(OperatingMode.shadow, "tasks")
    await desk.decide_due()
    await _told(desk, failed_run("Wort"))
    await _numbered(head)
    assert await _looked(stir) == 0


async def _numbered(head: Head) -> None:
    while await head.advance():
        pass


async def _looked(stir: InboxStir) -> int:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(background, "STIR_S", 0.0)
        return await stir.look()


async def test_what_waits_no_more_is_asked_about_no_more(desk: Desk) -> None:
    await desk.principal()
    await _told(desk, failed_run("Timetable", task="timetable"))
    await desk.mode(OperatingMode.advisory)
    assert await desk.decide_due() == 1
    [(_, directive)] = (await _inbox(desk, await desk.viewer())).items()
    await _told(
        desk,
        [
            run_event("Again", "run_started", 50, name="Again", task_key="timetable"),
            run_event("Again", "run_completed", 40),
        ],
    )
    await desk.database.run_alone("MATCH (s:AttentionSession) SET s.due_at = $at", at=ago(1))
    assert await desk.decide_due() == 1
    assert (await desk.stored(str(directive)))["directive_state"] == DirectiveState.expired
    assert await _inbox(desk, await desk.viewer()) == {}


async def test_shadow_is_held_against_what_users_did(desk: Desk) -> None:
    finding = event("attention_requested", 60, summary="Odd", finding_id="f1")
    session = await desk.tell(event("user_action", 61, action="open"), finding)
    await desk.decide(session, -59)
    await desk.tell(event("user_action", 40, action="open", target_id="f1"))
    other = await desk.tell(*(event("user_action", 30 + one, action="undo", key="s2") for one in range(3)))
    await desk.decide(other, -25)
    await desk.tell(event("user_action", 20, action="help", key="s3"))
    report = await desk.services[AttentionReports].of(await desk.viewer())
    figures = {one.moment: (one.raised, one.right, one.too_many, one.right_share) for one in report.figures}
    assert {one.mode for one in report.figures} == {OperatingMode.shadow}
    assert figures[Moment.finding] == (1, 1, 0, 1.0)
    assert figures[Moment.overload] == (1, 0, 1, 0.0)
    assert (report.sessions, report.decisions, report.missed, report.dismissed) == (3, 2, 1, 0)
    nothing = await desk.services[AttentionReports].of(await desk.viewer(), surface="camera")
    assert (nothing.sessions, nothing.figures) == (0, ())
    with pytest.raises(TaskloreError) as error:
        await desk.services[AttentionReports].of(await desk.viewer(), since=ago(0), until=ago(60))
    assert (error.value.code, error.value.field) == ("invalid_input", "since")


def test_what_was_right_is_the_users_word_and_else_what_they_did() -> None:
    start, rule = datetime(2026, 1, 1, tzinfo=UTC), our_rules().outcome
    shown = Shown(Moment.finding, OperatingMode.advisory, "c", start, frozenset({"f1"}), DirectiveState.open)

    def did(seconds: float, **said: Any) -> Done:
        return Done(start + timedelta(seconds=seconds), "c", said)

    def judged(state: DirectiveState | None, *done: Done) -> bool | None:
        return is_right(Shown(shown.moment, shown.mode, "c", start, shown.focus, state), done, rule)

    assert (judged(DirectiveState.acted), judged(DirectiveState.dismissed, did(1, action="help"))) == (True, False)
    assert (judged(DirectiveState.open), judged(None)) == (None, False)
    assert judged(None, did(1, action="look", target_id="f1")) is True
    assert judged(None, did(121, target_id="f1")) is False
    assert missed([shown], [did(10, action="ask"), did(200, feedback="needed_help")], rule) == [
        did(200, feedback="needed_help")
    ]
    assert clock.stamp(start)
