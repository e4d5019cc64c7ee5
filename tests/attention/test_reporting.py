"""Events arrive: once each, in any order, each for itself."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.attention.words import OperatingMode
from service.access.viewer import KeyScope
from service.attention.answers import AttentionAnswers
from service.attention.deciding import commands, read
from service.commands import RecordRef
from service.errors import TaskloreError
from tests.attention.desk import Desk, event, undos
from tests.conftest import empty
from tests.laws import law

pytestmark = pytest.mark.slow


async def test_each_event_is_taken_once_and_answered_for_itself(desk: Desk) -> None:
    first = event("user_action", 1, action="open")
    answers = await desk.report([first, first, {**first, "payload": {"action": "close"}}, event("user_action", 1)])
    assert [one.outcome.value for one in answers] == ["accepted", "duplicate", "rejected", "rejected"]
    assert [one.code for one in answers] == [None, None, "event_id_reused", "missing_field"]
    assert [one.outcome.value for one in await desk.report([first])] == ["duplicate"]
    assert await desk.count("AgentEvent") == 1


_LONG = {f"n{one}": "x" * 500 for one in range(30)}
BAD: list[tuple[str, str, dict[str, Any]]] = [
    ("out_of_range", "payload.confidence", event("attention_requested", 1, summary="x", confidence=7)),
    ("out_of_range", "payload.value", event("user_feedback", 1, dimension="guidance_density", value=2)),
    ("missing_field", "payload.value", event("user_feedback", 1, dimension="guidance_density")),
    ("unknown_value", "payload.dimension", event("user_feedback", 1, dimension="mood", value=0.5)),
    ("unknown_value", "event_type", {**event("user_action", 1, action="x"), "event_type": "dream"}),
    ("unknown_field", "payload.colour", event("user_action", 1, action="x", colour="red")),
    ("missing_field", "payload.question", event("decision_required", 1)),
    ("invalid_input", "session", event("user_action", 1, action="x", session={"key": "s"})),
    ("not_found", "session", event("user_action", 1, action="x", session={"id": "atse_missing"})),
    ("not_found", "user", event("user_action", 1, action="x", user="prin_missing")),
    ("not_found", "records", event("user_action", 1, action="x", records=[{"id": "run_missing"}])),
    ("invalid_time", "occurred_at", event("user_action", 1, action="x", occurred_at="soon")),
    ("time_out_of_range", "occurred_at", event("user_action", -200_000, action="x")),
    ("text_too_long", "payload", event("system_health", 1, status="x", values=_LONG)),
    ("invalid_input", "matter_ids", event("user_action", 1, action="x", matter_ids=["ent_missing"])),
]  # fmt: skip


async def test_what_is_wrong_with_an_event_is_told_with_a_remedy(desk: Desk) -> None:
    answers = await desk.report([one for *_, one in BAD] + ["nonsense"])
    told = [(one.code, one.field) for one in answers]
    assert told == [*((code, field) for code, field, _ in BAD), ("invalid_input", "event")]
    assert all(one.remedy and one.message for one in answers)
    assert await desk.count("AttentionSession") == 0
    with pytest.raises(TaskloreError) as error:
        await desk.report([event("user_action")] * 501)
    assert error.value.code == "too_many_events"
    with pytest.raises(TaskloreError) as error:
        await desk.report([event("user_action")], await desk.viewer(scopes=(KeyScope.read,)))
    assert error.value.code == "not_allowed"


async def test_a_session_has_one_access_from_its_first_event_on(desk: Desk) -> None:
    matter = await desk.new("Entity", kind="matter", name="Marex")
    closed = event("user_action", 2, action="x", matter_ids=[matter], data_class="privileged")
    session = await desk.tell(closed)
    assert (await desk.stored(session))["matter_ids"] == [matter]
    open_ = event("user_action", 1, action="x", matter_ids=[])
    same = event("user_action", 1, action="x")
    answers = await desk.report([open_, same])
    assert [(one.code, one.field) for one in answers] == [("session_access_conflict", "matter_ids"), (None, None)]
    outsider = await desk.viewer(matters=[])
    [hidden] = await desk.report([event("user_action", 1, action="x")], outsider)
    assert (hidden.code, hidden.field) == ("not_found", "session")
    [kept_out] = await desk.report([{**closed, "session": {"source": "a", "key": "b"}}], outsider)
    assert kept_out.code == "matter_not_allowed"


async def test_two_users_may_call_their_sessions_the_same(desk: Desk) -> None:
    one = await desk.tell(event("user_action", 1, action="x"))
    other = await desk.tell(event("user_action", 1, action="x"), viewer=await desk.viewer("prin_other"))
    assert one != other


def scene() -> list[dict[str, Any]]:
    told = [event("user_feedback", 20 - one, dimension="guidance_density", value=one / 10) for one in range(3)]
    finding = event("attention_requested", 3, summary="Odd", confidence=0.9)
    return [*undos(), *told, finding, event("analysis_failed", 2, message="No signal"), event("analysis_completed", 9)]


@law(2)
@given(st.randoms(use_true_random=False))
async def test_any_order_and_repetition_gives_the_same_moments_directives_and_model(desk: Desk, random: Random) -> None:
    await empty(desk.database)
    events, at = scene(), 2.0
    answers: list[Any] = []
    for place in range(2):
        who = await desk.viewer(f"prin_{place}")
        mixed = random.sample([*events, *random.choices(events, k=4)], len(events) + 4) if place else events
        cut = random.randrange(len(mixed))
        for part in (mixed[:cut], mixed[cut:]):
            found = await desk.report(part, who) if part else []
            assert all(one.code is None for one in found)
        session = await desk.database.read_one(
            "MATCH (s:AttentionSession {owner_id: $who}) RETURN s.id AS id", who=who.principal_id
        )
        assert session
        now = await desk.viewer(who.principal_id)
        decision = await desk.decide(session["id"], at, now)
        model = await desk.model(now)
        answers.append(
            (
                [(one.moment, one.component) for one in decision.moments],
                [(one.summary, one.detail, one.rule_id, one.urgency) for one in decision.outputs],
                decision.suppressed,
                [(one.value, one.confidence) for one in model.dimensions],
            )
        )
    assert answers[0] == answers[1]


@law(2)
@given(st.randoms(use_true_random=False))
async def test_beyond_the_events_that_are_looked_at_it_is_their_own_time_that_counts(
    desk: Desk, random: Random
) -> None:
    """A long session at a kiln: the last five are looked at, whenever they arrive; a dismissal of before holds."""
    await empty(desk.database)
    begun = [event("user_action", 94 - one, action="look") for one in range(3)]
    finding = event("attention_requested", 90, summary="It is too hot", finding_id="hot")
    later = [event("user_action", 80 - one, action=("look", "undo")[one > 6]) for one in range(10)]
    again = event("attention_requested", 60, summary="It is too hot", finding_id="hot")
    answers: list[Any] = []
    with pytest.MonkeyPatch.context() as patch:
        for module in (commands, read):
            patch.setattr(module, "MOST_EVENTS", 5)
        for place in range(2):
            who = await desk.viewer(f"prin_{place}")
            await desk.mode(OperatingMode.advisory, viewer=who)
            first = [*begun, finding]
            session = await desk.tell(*(random.sample(first, 4) if place else first), viewer=who)
            who = await desk.viewer(who.principal_id)
            [directive] = (await desk.decide(session, -89, who)).directive_ids
            await desk.services[AttentionAnswers].dismiss(who, RecordRef(id=directive), None)
            rest = [*later, again]
            mixed = random.sample(rest, len(rest)) if place else rest
            await desk.tell(*mixed[:4], viewer=who)
            await desk.tell(*mixed[4:], viewer=who)
            decision = await desk.decide(session, -59, who)
            told = [(one.moment.value, one.reason.value) for one in decision.suppressed]
            answers.append((decision.events_count, [one.moment.value for one in decision.moments], told))
            assert (await desk.replay(decision.trace_id)).outcome.value == "identical"
    assert answers[0] == answers[1]
    assert answers[0][0] == 5
    assert ("finding", "dismissed") in answers[0][2]


async def test_who_has_worked_with_a_component_is_not_new_to_it_however_many_sessions_they_had(desk: Desk) -> None:
    """A projectionist had two hundred sessions elsewhere, and then three with the scanner, new at the second."""
    old = [event("user_action", 5000 - one, key=f"old{one}", component="projector", action="x") for one in range(205)]
    await desk.tell(*old)
    sessions = [
        await desk.tell(event("analysis_completed", 300 - 100 * one, key=f"new{one}", component="scanner"))
        for one in range(3)
    ]
    second, third = await desk.decide(sessions[1], -199), await desk.decide(sessions[2], -99)
    assert (second.first_time_with, third.first_time_with) == (("scanner",), ())
    other = await desk.tell(event("user_action", 1, key="more", component="projector", action="x"))
    assert (await desk.decide(other)).first_time_with == ()
