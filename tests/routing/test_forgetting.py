"""A kept decision tells of what it rests on, so it goes with that."""

import pytest

from service.commands import RecordRef
from service.records import Records
from service.routing.decision.keep import KeptModes
from service.routing.decision.request import TaskModeRequest
from tests.routing.office import Office


@pytest.mark.parametrize(("label", "link"), [("Template", "RESTED_ON"), ("Task", "MEANT")])
async def test_what_is_erased_leaves_no_word_in_decisions_about_it(office: Office, label: str, link: str) -> None:
    named = await office.new(label, name="Ravenscroft Intake Audit")
    request = TaskModeRequest(text="Run the Ravenscroft Intake Audit.")
    kept = await office.services[KeptModes].keep(await office.viewer(), request)
    assert await office.heads(kept.result["id"], link) == {named}
    await office.services[Records].erase(await office.viewer(), RecordRef(id=named), "asked to be forgotten")
    rows = await office.database.read("MATCH (n) RETURN labels(n) AS of, properties(n) AS said")
    assert [row for row in rows if "Ravenscroft" in str(row["said"])] == []
