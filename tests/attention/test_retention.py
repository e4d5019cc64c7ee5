"""Old sessions go with all that was heard and decided in them; what their owner told of themselves stays."""

from datetime import timedelta

import pytest

from graph_schema.attention.words import OperatingMode
from service import clock
from service.attention.retention.rules import AGED, OLD_SESSIONS
from service.commands import RecordRef
from service.memory.retention import due_aged, retain_aged
from service.records import Records
from service.settings import load_settings
from tests.attention.desk import ANALYZER, BASE, Desk, event, undos

pytestmark = pytest.mark.slow
LATER = BASE + timedelta(days=181)


async def test_a_session_goes_whole_and_what_its_owner_told_stays(desk: Desk) -> None:
    await desk.mode(OperatingMode.advisory, ANALYZER)
    plain = await desk.tell(*undos())
    await desk.decide(plain)
    told = await desk.tell(
        event("user_feedback", 9, key="s2", dimension="guidance_density", value=0.9), *undos(key="s2")
    )
    held = await desk.tell(*undos(key="s3"))
    await desk.services[Records].set_legal_hold(
        await desk.admin(), RecordRef(id=await _first_event(desk, held)), hold=True
    )
    settings = load_settings()
    assert await due_aged(desk.database, [OLD_SESSIONS], settings, BASE) == []
    [due] = await due_aged(desk.database, [OLD_SESSIONS], settings, LATER)
    assert (due.due, due.held, sorted(due.samples)) == (2, 1, ["s1", "s2"])
    gone = await retain_aged(desk.database, [OLD_SESSIONS], settings, now=LATER, budget=2)
    counts = gone["attention_sessions"]
    assert (counts["AttentionSession"], counts["AgentEvent"], counts["PolicyTrace"]) == (1, 6, 1)
    assert counts["AttentionDirective"] == 1
    left = await desk.database.read(
        "MATCH (n:AttentionSession) RETURN n.id AS id, COUNT { (n)<-[:HEARD_IN]-() } AS heard ORDER BY n.name"
    )
    assert [(row["id"], row["heard"]) for row in left] == [(told, 1), (held, 3)]
    assert [one.value for one in (await desk.model()).dimensions if one.confidence] == [0.9]
    assert await retain_aged(desk.database, [OLD_SESSIONS], settings, now=LATER) == {}


async def test_what_is_sensitive_goes_sooner_and_what_is_of_an_active_matter_stays(desk: Desk) -> None:
    """A hospital: what was heard of privileged notes goes after ninety days, and an inquiry keeps its sessions."""
    inquiry = await desk.new("Entity", kind="matter", name="Inquiry")
    notes = await desk.new("Entity", kind="project", name="Notes", data_class="privileged")
    await desk.tell(event("user_action", 3, action="open", key="plain"))
    await desk.tell(event("user_action", 3, action="open", key="closed", data_class="privileged"))
    await desk.tell(
        event("user_action", 3, action="open", key="mixed"),
        event("attention_requested", 2, key="mixed", summary="A note", records=[{"id": notes}]),
    )
    await desk.tell(event("user_action", 3, action="open", key="inquiry", matter_ids=[inquiry]))
    soon, settings = BASE + timedelta(days=91), load_settings()
    due = {one.kind: sorted(one.samples) for one in await due_aged(desk.database, AGED, settings, soon)}
    assert due == {"sensitive_attention_sessions": ["closed", "mixed"]}
    due = {one.kind: sorted(one.samples) for one in await due_aged(desk.database, AGED, settings, LATER)}
    assert due == {"sensitive_attention_sessions": ["closed", "mixed"], "attention_sessions": ["plain"]}
    await desk.database.run_alone("MATCH (m:Record {id: $id}) SET m.lifecycle_state = 'archived'", id=inquiry)
    await retain_aged(desk.database, AGED, settings, now=LATER)
    assert (await desk.count("AttentionSession"), await desk.count("AgentEvent")) == (0, 0)


async def test_an_inbox_goes_on_and_its_old_decisions_go(desk: Desk) -> None:
    await desk.principal()
    await desk.mode(OperatingMode.advisory)
    assert await desk.decide_due() == 1
    assert await desk.count("PolicyTrace") == 1
    await desk.database.run_alone("MATCH (s:AttentionSession) SET s.last_event_at = $at", at=clock.stamp(LATER))
    gone = await retain_aged(desk.database, AGED, load_settings(), now=LATER)
    assert {kind: dict(counts) for kind, counts in gone.items()} == {"inbox_decisions": {"PolicyTrace": 1}}
    assert await desk.count("AttentionSession") == 1


async def _first_event(desk: Desk, session: str) -> str:
    row = await desk.database.read_one(
        "MATCH (e:AgentEvent {session_id: $id}) RETURN e.id AS id ORDER BY e.seq LIMIT 1", id=session
    )
    assert row
    return row["id"]
