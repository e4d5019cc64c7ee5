"""Old signals go: by their class, not while their matter is active or their run is whole, never as evidence."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from service.commands import RecordRef
from service.learning.signals.retention import OLD_SENSITIVE_SIGNALS, OLD_SIGNALS
from service.memory.retention import due_aged, retain_aged
from service.settings import load_settings
from tests.learning.world import acted, added, propose, report
from tests.routing.office import Office, ago

pytestmark = pytest.mark.slow
KINDS = (OLD_SIGNALS, OLD_SENSITIVE_SIGNALS)


async def _left(office: Office) -> list[str]:
    rows = await office.database.read("MATCH (s:Signal) RETURN s.source_key AS key ORDER BY key")
    return [row["key"] for row in rows]


async def test_signals_go_by_class_matter_and_evidence(office: Office) -> None:
    matter, template = await office.matter(), await office.new("Template", name="Memo")
    old: dict[str, Any] = {"emitted_at": ago(200), "about": (RecordRef(id=template),)}
    await report(office, acted("plain", **old), acted("evidence", **old, pattern_promotion_eligible=True))
    await report(office, acted("of a matter", **old, matter_ids=(matter,)))
    await report(office, acted("sensitive", **old, data_class="privileged"))
    support = RecordRef(kind="Signal", source="tests", key="evidence")
    await propose(office, template, added("trigger_phrases", "memo"), supported_by=(support,))
    settings = load_settings()
    [due] = await due_aged(office.database, KINDS, settings)
    assert (due.kind, due.due, due.held) == ("sensitive_signals", 1, 0)
    gone = await retain_aged(office.database, KINDS, settings)
    assert {kind: dict(counts) for kind, counts in gone.items()} == {"sensitive_signals": {"Signal": 1}}
    later = datetime.now(UTC) + timedelta(days=600)
    await retain_aged(office.database, KINDS, settings, now=later)
    assert await _left(office) == ["evidence", "of a matter"]
    await office.become(matter, "archived")
    await retain_aged(office.database, KINDS, settings, now=later)
    assert await _left(office) == ["evidence"]
