"""A former state is for who could see it then and may see the record now; former links name nothing hidden."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from service.access.audience import cleared
from service.records.read import Histories, RecordHistory
from tests.laws import law
from tests.records.erasure.conftest import Officer
from tests.viewers import viewer_of

CLASSES = ["public", "internal", "privileged"]


async def _seen(officer: Officer, record: str, **viewer: Any) -> RecordHistory:
    histories = Histories(officer.database, REGISTRY)
    return await histories.history(await viewer_of(officer.database, **viewer), record, 50)


async def test_what_was_privileged_stays_so_when_the_record_is_redacted(officer: Officer) -> None:
    goal = await officer.save("Goal", name="G", goal_type="risk_control_goal", goal_statement="The secret",
                              data_class="privileged")  # fmt: skip
    await officer.save("Goal", record_id=goal, goal_statement="Redacted", data_class="internal")
    await officer.save("Goal", record_id=goal, goal_statement="Redacted again")
    low = await _seen(officer, goal, clearance=DataClass.internal)
    assert [(one.version, one.values["goalStatement"]) for one in low.states] == [(2, "Redacted")]
    high = await _seen(officer, goal)
    assert [one.values["goalStatement"] for one in high.states] == ["Redacted", "The secret"]


async def test_a_class_that_was_raised_for_a_text_holds_for_the_text(officer: Officer) -> None:
    goal = await officer.save("Goal", name="G", goal_type="risk_control_goal", goal_statement="The secret")
    await officer.save("Goal", record_id=goal, data_class="privileged")
    await officer.save("Goal", record_id=goal, goal_statement="Redacted", data_class="internal")
    [first] = (await _seen(officer, goal, clearance=DataClass.internal)).states
    assert first.version == 1
    assert "goalStatement" not in first.values
    assert first.values["name"] == "G"


async def test_former_links_name_no_hidden_record_and_no_hidden_time(officer: Officer) -> None:
    one = await officer.save("Entity", name="One", kind="person")
    shut = await officer.save("Entity", name="Shut", kind="project", data_class="privileged")
    free = await officer.save("Entity", name="Free", kind="project")
    for other in (shut, free):
        await officer.link(one, "INVOLVED_IN", other, role="r")
        await officer.link(one, "INVOLVED_IN", other, remove=True)
    assert {link.head_id for link in (await _seen(officer, one)).links} == {shut, free}
    assert [link.head_id for link in (await _seen(officer, one, clearance=DataClass.internal)).links] == [free]
    await officer.save("Entity", record_id=one, data_class="privileged")
    await officer.link(one, "INVOLVED_IN", free, role="what was secret then")
    await officer.link(one, "INVOLVED_IN", free, remove=True)
    await officer.save("Entity", record_id=one, data_class="internal")
    low = await _seen(officer, one, clearance=DataClass.internal)
    assert [(link.head_id, link.values) for link in low.links] == [(free, {"role": "r"})]


@law(4)
@given(steps=st.lists(st.tuples(st.sampled_from(CLASSES), st.booleans()), min_size=2, max_size=5))
async def test_no_state_is_shown_above_the_clearance_or_outside_the_matters(
    officer: Officer, steps: list[tuple[str, bool]]
) -> None:
    matter = await officer.save("Entity", name="M", kind="matter")
    goal = await officer.save("Goal", name="0", goal_type="risk_control_goal", goal_statement="0")
    access = [("internal", False)]
    for place, (data_class, inside) in enumerate(steps, start=1):
        matters = [matter] if inside else []
        await officer.save("Goal", record_id=goal, goal_statement=f"{place}", data_class=data_class, matter_ids=matters)
        access.append((data_class, inside))
    for clearance in DataClass:
        for member in (True, False):
            seen = await _seen(officer, goal, clearance=clearance, matters=[matter] if member else [])
            may = [cleared(clearance, one) and (member or not inside) for one, inside in access]
            wanted = [f"{place}" for place, one in enumerate(may[:-1]) if one and may[-1]]
            assert [one.values["goalStatement"] for one in reversed(seen.states)] == wanted
