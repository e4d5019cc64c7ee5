"""Reported, decided, answered: on the real server."""

from datetime import timedelta
from typing import Any

import pytest

from graph_schema.attention.words import AttentionMoment as Moment
from graph_schema.attention.words import DirectiveState, OperatingMode
from service import clock
from service.access.viewer import KeyScope
from service.attention.answers import AttentionAnswers
from service.attention.deciding.commands import Attention
from service.attention.pipeline.gates import SuppressionReason as Why
from service.commands import RecordRef
from service.errors import TaskloreError
from service.replay import ReplayOutcome
from tests.attention.desk import ANALYZER, SOURCE, Desk, ago, event, undos

pytestmark = pytest.mark.slow

ADVISORY, ACTUATED = OperatingMode.advisory, OperatingMode.actuated


async def _refused(work: Any) -> TaskloreError:
    with pytest.raises(TaskloreError) as error:
        await work
    assert error.value.remedy
    return error.value


async def test_shadow_keeps_a_trace_and_nothing_for_the_user(desk: Desk) -> None:
    session = await desk.tell(*undos())
    shadow = await desk.decide(session)
    assert (shadow.mode_code, shadow.directive_ids, shadow.class_code) == ("M0", (), "I2_REVIEW")
    [withheld] = shadow.outputs
    assert (withheld.emitted, withheld.summary, withheld.view_commands) == (False, "Let's simplify", ())
    assert await desk.count("AttentionDirective") == 0
    # What would have been raised counts as raised for what would be raised next.
    again = await desk.decide(session)
    assert [one.reason for one in again.suppressed] == [Why.already_open]
    assert (await desk.replay(again.trace_id)).outcome is ReplayOutcome.identical


async def test_a_directive_is_raised_answered_and_respected(desk: Desk) -> None:
    await desk.mode(ADVISORY)
    session = await desk.tell(*undos(), event("analysis_failed", 2, message="No signal", hint="Plug it in."))
    first = await desk.decide(session)
    assert [one.moment for one in first.moments] == [Moment.error, Moment.overload]
    error, overload = first.directive_ids
    stored = await desk.stored(error)
    assert (stored["summary"], stored["directive_state"]) == (f"{ANALYZER} failed: No signal", "open")
    assert stored["detail"].endswith("Try: Plug it in.")
    answers, viewer = desk.services[AttentionAnswers], await desk.viewer()
    await answers.dismiss(viewer, RecordRef(id=overload), "Not now.")
    await answers.act(viewer, RecordRef(id=error), None, None)
    more = await desk.tell(*undos(1), event("analysis_failed", 0, message="No signal"))
    second = await desk.decide(more)
    assert {one.moment: one.reason for one in second.suppressed} == {Moment.overload: Why.dismissed}
    assert [one.moment for one in second.outputs] == [Moment.error]  # another failure is new evidence
    settled = await _refused(answers.dismiss(viewer, RecordRef(id=overload), None))
    assert (settled.code, settled.field) == ("directive_settled", "directive")
    for trace in (first, second):
        assert (await desk.replay(trace.trace_id)).outcome is ReplayOutcome.identical


async def test_somebody_elses_directives_and_sessions_are_theirs(desk: Desk) -> None:
    await desk.mode(ADVISORY)
    session = await desk.tell(*undos())
    [directive] = (await desk.decide(session)).directive_ids
    other, answers = await desk.viewer("prin_other"), desk.services[AttentionAnswers]
    for work in (
        answers.dismiss(other, RecordRef(id=directive), None),
        answers.act(other, RecordRef(id=directive), None, None),
        answers.snooze(other, RecordRef(id=directive), None),
    ):
        error = await _refused(work)
        assert (error.code, error.field) == ("owner_needed", "directive")
    attention = desk.services[Attention]
    assert (await _refused(attention.decide(other, RecordRef(id=session)))).code == "owner_needed"
    unknown = await _refused(attention.decide(other, RecordRef(source=SOURCE, key="s1")))
    assert (unknown.code, unknown.field) == ("not_found", "session")
    assert (await _refused(attention.decide(other, RecordRef(id="atse_missing")))).code == "not_found"
    assert (await _refused(answers.dismiss(other, RecordRef(id="attn_missing"), None))).code == "not_found"
    wrong = await _refused(answers.act(await desk.viewer(), RecordRef(id=directive), "Nonsense", None))
    assert (wrong.code, wrong.field) == ("unknown_value", "option")
    late = await _refused(answers.snooze(await desk.viewer(), RecordRef(id=directive), ago(60)))
    assert (late.code, late.field) == ("invalid_input", "until")
    ahead = await _refused(attention.decide(await desk.viewer(), RecordRef(id=session), ago(-4000)))
    assert (ahead.code, ahead.field) == ("invalid_input", "at")
    agent = await desk.agent()
    for work in (answers.set_mode(agent, None, ACTUATED, None), attention.decide(agent, RecordRef(id=session))):
        assert (await _refused(work)).code in {"approval_required", "not_allowed"}
    reader = await desk.viewer(scopes=(KeyScope.read,))
    assert (await _refused(answers.dismiss(reader, RecordRef(id=directive), None))).code == "not_allowed"


async def test_a_view_is_adjusted_only_where_the_capability_allows_it(desk: Desk) -> None:
    await desk.mode(ACTUATED, ANALYZER)
    session = await desk.tell(*undos())
    fallen = (await desk.decide(session)).outputs[0]
    assert (fallen.mode, fallen.fell_back, fallen.view_commands) == (ADVISORY, True, ())
    await desk.new(
        "Capability",
        name="Analyzer",
        capability_kind="tool",
        source=SOURCE,
        source_key=ANALYZER,
        require_confirmation=False,
        automation_limits=["reset_view"],
    )
    other = await desk.tell(*undos(key="s2"))
    decision = await desk.decide(other)
    [acts] = decision.outputs
    assert (acts.mode, [one.command for one in acts.view_commands]) == (ACTUATED, ["reset_view"])
    stored = await desk.stored(decision.directive_ids[0])
    assert stored["view_commands"] == ['{"command":"reset_view"}']


async def test_it_decides_by_itself_after_events_and_as_time_passes(desk: Desk) -> None:
    await desk.principal()
    await desk.mode(ADVISORY, ANALYZER)
    slow = {"rule_id": "DETECT_HESITATION_SLOW_v1", "rule_kind": "detect", "moment": "hesitation", "seconds": 600.0}
    await desk.new("AttentionRule", components=[ANALYZER], **slow)
    *_, last = events = [{**one, "occurred_at": ago(5)} for one in undos()]
    session = await desk.tell(*events)
    assert await desk.decide_due() == 1
    assert await desk.count("AttentionDirective") == 1
    # Nothing to do until time alone may bring a moment: ten minutes after the last action, for this component.
    expected = clock.stamp(clock.parse(last["occurred_at"]) + timedelta(seconds=600))
    assert (await desk.stored(session))["due_at"] == expected
    assert await desk.decide_due() == 0
    await desk.database.run_alone("MATCH (s:AttentionSession) SET s.due_at = $at", at=ago(1))
    assert await desk.decide_due() == 1
    [directive] = await desk.database.read("MATCH (d:AttentionDirective) RETURN d.id AS id")
    await desk.services[AttentionAnswers].snooze(await desk.viewer(), RecordRef(id=directive["id"]), ago(-60))
    assert await desk.decide_due() == 1  # the user has answered
    put_off = await desk.stored(directive["id"])
    assert put_off["directive_state"] == DirectiveState.snoozed
    await desk.database.run_alone(
        "MATCH (d:AttentionDirective), (s:AttentionSession) SET d.snoozed_until = $at, s.due_at = $at",
        at=ago(0.01),
    )
    assert await desk.decide_due() == 1
    assert (await desk.stored(directive["id"]))["directive_state"] == DirectiveState.open
    await desk.tell(event("user_action", action="close", ends_session=True, occurred_at=ago(0)))
    assert await desk.decide_due() == 1
    assert (await desk.stored(directive["id"]))["directive_state"] == DirectiveState.expired
    assert await desk.decide_due() == 0
    traces = await desk.database.read("MATCH (t:PolicyTrace) RETURN DISTINCT t.by_itself AS itself")
    assert traces == [{"itself": True}]


async def test_sessions_of_those_who_are_gone_are_left_alone(desk: Desk) -> None:
    session = await desk.tell(*undos())
    assert await desk.decide_due() == 1
    assert "due_at" not in await desk.stored(session)
    assert await desk.count("PolicyTrace") == 0


async def test_only_its_owner_changes_a_user_model(desk: Desk) -> None:
    assert (await desk.model()).model_id is None
    told: dict[str, Any] = {"dimension": "cognitive_load_sensitivity", "confidence": 0.9}
    late, early = (event("user_feedback", one, value=0.9 if one == 1 else 0.2, **told) for one in (1, 60))
    await desk.tell(late)
    await desk.tell(early)
    model = await desk.model()
    [load, *_] = model.dimensions
    assert (load.value, load.confidence, load.band, model.max_directives) == (0.9, 0.9, "high", 1)
    assert [one.value for one in load.history] == [0.9, 0.2]
    tool = await desk.agent()
    await desk.principal()
    [answer] = await desk.report([event("user_feedback", 0, value=0.1, user="prin_luthier", **told)], tool)
    assert (answer.code, answer.field) == ("owner_needed", "payload.dimension")
    assert (await desk.model()).dimensions[0].value == 0.9
    await desk.tell(event("user_feedback", 0, value=0.4, **told))
    assert (await desk.model()).max_directives == 2
    former = await desk.database.read(
        "MATCH (:UserModel)-[:PREVIOUS]->(v) RETURN v.cognitive_load_sensitivity AS value"
    )
    assert former == [{"value": 0.9}]


async def test_a_tool_reports_into_a_users_session_and_points_at_records(desk: Desk) -> None:
    await desk.principal()
    await desk.mode(ADVISORY)
    matter = await desk.new("Entity", kind="matter", name="Marex")
    goal = await desk.new("Entity", kind="project", name="Finish", matter_ids=[matter])
    session = await desk.tell(event("user_action", 5, action="open"))
    seen = event("attention_requested", 1, summary="Look", user="prin_luthier", records=[{"id": goal}])
    assert await desk.tell(seen, viewer=await desk.viewer("prin_tool")) == session
    decision = await desk.decide(session)
    [directive] = decision.directive_ids
    stored = await desk.stored(directive)
    assert stored["matter_ids"] == [matter]
    heads = await desk.database.read("MATCH (:AttentionDirective)-[:POINTS_AT]->(n) RETURN n.id AS id")
    assert heads == [{"id": goal}]
    # Who is not of the matter is asked for nothing because of it, and their decision tells nothing of it.
    outsider = await desk.viewer(matters=[])
    outside = await desk.decide(session, viewer=outsider)
    assert (outside.moments, outside.suppressed, outside.events_count) == ((), (), 1)
    assert (await desk.replay(outside.trace_id)).outcome is ReplayOutcome.identical
    hidden = await desk.report([event("attention_requested", 0, summary="Look", records=[{"id": goal}])], outsider)
    assert (hidden[0].code, hidden[0].field) == ("not_found", "records")


async def test_saved_rules_speak_for_their_components(desk: Desk) -> None:
    await desk.mode(ADVISORY)
    await desk.new(
        "AttentionRule",
        name="Low stock",
        rule_id="POLICY_LOW_STOCK_v1",
        moment="finding",
        components=["warehouse"],
        finding_kinds=["stock"],
        summary="{item} runs out in {days:.0f} days",
        urgency=["0.9 if days < 3", "0.4"],
    )
    finding = event(
        "attention_requested", 1, component="warehouse", finding_kind="stock", values={"item": "Nails", "days": 2}
    )
    decision = await desk.decide(await desk.tell(finding))
    [output] = decision.outputs
    assert (output.summary, output.urgency, output.rule_id) == ("Nails runs out in 2 days", 0.9, "POLICY_LOW_STOCK_v1")
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("rule_id", {"rule_id": "low stock"}),
        ("rule_id", {"rule_id": "POLICY_FINDING_v1"}),
        ("summary", {"summary": "{0.__class__}"}),
        ("conditions", {"conditions": ["import os"]}),
        ("view_commands", {"view_commands": ["start_acquisition()"]}),
        ("view_commands", {"view_commands": ["focus_trace()"]}),
        ("urgency", {"urgency": ["7"]}),
        ("components", {"rule_kind": "detect", "seconds": 5.0}),
    ]
    for field, given in wrong:
        values = {"rule_id": "POLICY_X_v1", "moment": "finding", "summary": "x", **given}
        error = await _refused(desk.new("AttentionRule", **values))
        assert (error.code, error.field) == ("attention_rule_invalid", field), given
