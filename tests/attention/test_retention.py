"""Old sessions go with all that was heard and decided in them; what their owner told of themselves stays."""

from datetime import timedelta

import pytest

from graph_schema.attention.words import OperatingMode
from service.attention.retention.rules import OLD_SESSIONS
from service.commands import RecordRef
from service.memory.retention import due_aged, retain_aged
from service.records import Records
from service.settings import load_settings
from tests.attention.desk import BASE, Desk, event, undos

pytestmark = pytest.mark.slow
LATER = BASE + timedelta(days=181)


async def test_a_session_goes_whole_and_what_its_owner_told_stays(desk: Desk) -> None:
    await desk.mode(OperatingMode.advisory)
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


async def _first_event(desk: Desk, session: str) -> str:
    row = await desk.database.read_one(
        "MATCH (e:AgentEvent {session_id: $id}) RETURN e.id AS id ORDER BY e.seq LIMIT 1", id=session
    )
    assert row
    return row["id"]
