"""Opening up is an act of its own: whatever shows a record to more people needs more than the scope curate."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from service.access.audience import ADMINISTRATION, rank_of
from service.access.log import AccessLog
from service.access.viewer import KeyScope, PrincipalKind, Viewer
from service.commands import Commands, RecordRef
from service.commands.errors import OpeningHeld, OpeningNotAllowed
from service.graph.database import Database
from service.library.blueprints import BlueprintInput
from service.library.commands import Library
from service.records import Records
from service.runtime.compose import hooks
from tests.conftest import empty
from tests.laws import law
from tests.records.conftest import Desk
from tests.viewers import viewer_of

WORKING = (KeyScope.read, KeyScope.report, KeyScope.curate)
TRUSTED = (*WORKING, KeyScope.declassify)
OPENED = """
MATCH (e:Event {kind: 'access.opened'})
RETURN e.about AS about, e.changed AS changed, e.audience AS audience, e.principal_id AS by
"""


async def _viewer(desk: Desk, scopes: Iterable[KeyScope] = WORKING, **more: Any) -> Viewer:
    return await viewer_of(desk.database, "prin_other", scopes=scopes, **more)


async def _matter(desk: Desk, name: str = "Marex") -> str:
    return await desk.new("Entity", name=name, kind="matter")


async def _secret(desk: Desk, matter: str) -> str:
    return await desk.new(
        "Goal",
        name="Secret",
        goal_type="output_quality_goal",
        goal_statement="Quiet.",
        data_class="privileged",
        matter_ids=[matter],
    )


async def _change(desk: Desk, viewer: Viewer, record: str, label: str = "Goal", **values: Any) -> None:
    await desk.records.save(viewer, label, values, record_id=record)


LOWER: list[dict[str, Any]] = [
    {"data_class": "internal"},
    {"matter_ids": []},
    {"data_class": "public", "matter_ids": []},
]


@pytest.mark.parametrize("lower", LOWER)
async def test_a_curator_opens_nothing(desk: Desk, lower: dict[str, Any]) -> None:
    matter = await _matter(desk)
    secret = await _secret(desk, matter)
    before = await desk.stored(secret)
    agent = await _viewer(desk, tuple(KeyScope), kind=PrincipalKind.agent)
    for viewer in (await _viewer(desk), await _viewer(desk, TRUSTED, kind=PrincipalKind.executor)):
        with pytest.raises(OpeningNotAllowed):
            await _change(desk, viewer, secret, **lower)
    with pytest.raises(Exception, match=r"approval|agent"):
        await _change(desk, agent, secret, **lower)
    assert await desk.stored(secret) == before
    await _change(desk, await _viewer(desk), secret, data_class="local_only")


@pytest.mark.parametrize("scopes", [TRUSTED, (*WORKING, KeyScope.admin)])
async def test_who_is_trusted_opens_and_it_is_told(desk: Desk, tmp_path: Path, scopes: tuple[KeyScope, ...]) -> None:
    matter = await _matter(desk)
    secret = await _secret(desk, matter)
    told = Records(
        Commands(desk.database, REGISTRY, lambda _new: None, AccessLog(tmp_path / "log", stream=False)), hooks()
    )
    viewer = await _viewer(desk, scopes, matters=[matter])
    await told.save(viewer, "Goal", {"data_class": "internal", "matter_ids": []}, record_id=secret)
    assert (await desk.stored(secret))["audience"] == "internal|"
    [event] = await desk.database.read(OPENED)
    assert (event["about"], event["changed"]) == (secret, ["data_class", "matter_ids"])
    assert (event["audience"], event["by"]) == (ADMINISTRATION, "prin_other")
    await _change(desk, await viewer_of(desk.database), secret, data_class="privileged")
    assert await desk.database.read(OPENED) == [event]
    line = orjson.loads((tmp_path / "log").read_bytes())
    assert (line["event"], line["kind"], line["about"]) == ("administered", "access.opened", secret)


async def test_nothing_is_opened_under_a_legal_hold(desk: Desk) -> None:
    matter = await _matter(desk)
    secret = await _secret(desk, matter)
    for held in (secret, matter):
        for hold in (True, False):
            await desk.records.set_legal_hold(await viewer_of(desk.database), RecordRef(id=held), hold=hold)
            if hold:
                for lower in LOWER:
                    with pytest.raises(OpeningHeld):
                        await _change(desk, await viewer_of(desk.database), secret, **lower)
    await _change(desk, await viewer_of(desk.database), secret, matter_ids=[])


async def test_what_was_made_from_a_run_is_kept_by_the_runs_hold(desk: Desk) -> None:
    matter = await _matter(desk)
    document = await desk.new("Entity", name="Contract", kind="document", data_class="privileged", matter_ids=[matter])
    await desk.database.run_alone(
        """
        MATCH (d:Record {id: $document})
        CREATE (r:Run:Record {id: 'run_1', legal_hold: true, data_class: 'internal', matter_ids: [],
          own_data_class: 'internal', own_matter_ids: [], audience: 'internal|'})
        CREATE (a:Artifact:Record {id: 'art_1', run_id: 'run_1', name: 'A', version: 1, matter_ids: [$matter],
          data_class: 'privileged', audience: d.audience, own_data_class: 'public', own_matter_ids: []})
        CREATE (a)-[:DERIVED_FROM]->(d)
        """,
        document=document,
        matter=matter,
    )
    with pytest.raises(OpeningHeld):
        await _change(desk, await viewer_of(desk.database), document, "Entity", matter_ids=[])
    await desk.database.run_alone("MATCH (r:Run) SET r.legal_hold = false")
    await _change(desk, await viewer_of(desk.database), document, "Entity", matter_ids=[])


async def test_a_matter_stays_one_unless_somebody_is_trusted(desk: Desk) -> None:
    matter = await _matter(desk)
    with pytest.raises(OpeningNotAllowed) as error:
        await _change(desk, await _viewer(desk), matter, "Entity", kind="organisation")
    assert error.value.field == "kind"
    assert "Matter" in (await desk.stored(matter))["labels"]
    await _change(desk, await _viewer(desk, TRUSTED), matter, "Entity", kind="organisation")
    assert "Matter" not in (await desk.stored(matter))["labels"]


async def test_taking_a_source_away_opens_what_was_made_from_it(desk: Desk) -> None:
    matter = await _matter(desk)
    library = Library(Commands(desk.database, REGISTRY, lambda _new: None))
    template = await desk.new("Template", name="T", matter_ids=[matter])
    values = {"name": "B", "business_or_personal_goal": "A sound one.", "task_type": "review"}
    saved = await library.save_blueprint(await viewer_of(desk.database), BlueprintInput(values))
    blueprint = saved.result["id"]
    await desk.link(template, "HAS_BLUEPRINT", blueprint)
    assert (await desk.stored(blueprint))["matter_ids"] == [matter]
    ends: tuple[RecordRef, str, RecordRef, dict[str, Any]]
    ends = (RecordRef(id=template), "HAS_BLUEPRINT", RecordRef(id=blueprint), {})
    with pytest.raises(OpeningNotAllowed):
        await desk.records.link(await _viewer(desk), *ends, remove=True)
    assert (await desk.stored(blueprint))["matter_ids"] == [matter]
    await desk.records.link(await _viewer(desk, TRUSTED), *ends, remove=True)
    assert (await desk.stored(blueprint))["matter_ids"] == []


async def test_whoever_opens_has_the_matters_of_all_that_opens_with_it(desk: Desk) -> None:
    one, other = await _matter(desk, "One"), await _matter(desk, "Other")
    library = Library(Commands(desk.database, REGISTRY, lambda _new: None))
    template = await desk.new("Template", name="T", data_class="privileged", matter_ids=[one])
    values: dict[str, Any] = {"name": "B", "business_or_personal_goal": "A sound one.", "task_type": "review"}
    values |= {"data_class": "internal", "matter_ids": [other]}
    asked = BlueprintInput(values, of=RecordRef(id=template))
    await library.save_blueprint(await viewer_of(desk.database), asked)
    with pytest.raises(OpeningNotAllowed):
        await _change(desk, await _viewer(desk, TRUSTED, matters=[one]), template, "Template", data_class="internal")
    await _change(desk, await _viewer(desk, TRUSTED, matters=[one, other]), template, "Template", data_class="internal")


CLASSES = st.sampled_from([*DataClass])
MATTERS = st.sets(st.sampled_from([0, 1, 2]))


@law(4)
@given(before=st.tuples(CLASSES, MATTERS), after=st.tuples(CLASSES, MATTERS))
async def test_only_what_opens_is_refused(
    migrated: Database, before: tuple[DataClass, set[int]], after: tuple[DataClass, set[int]]
) -> None:
    await empty(migrated)
    desk = Desk(migrated, Records(Commands(migrated, REGISTRY, lambda _new: None), hooks()))
    matters = [await _matter(desk, str(number)) for number in range(3)]

    def access(of: tuple[DataClass, set[int]]) -> dict[str, Any]:
        return {"data_class": of[0].value, "matter_ids": [matters[one] for one in sorted(of[1])]}

    record = await desk.new("Goal", name="G", goal_type="output_quality_goal", goal_statement="Deep.", **access(before))
    opens = rank_of(after[0]) < rank_of(before[0]) or not before[1] <= after[1]
    if opens:
        with pytest.raises(OpeningNotAllowed):
            await _change(desk, await _viewer(desk), record, "Goal", **access(after))
        assert (await desk.stored(record))["data_class"] == before[0]
    else:
        await _change(desk, await _viewer(desk), record, "Goal", **access(after))
    await _change(desk, await _viewer(desk, TRUSTED), record, "Goal", **access(after))
    stored = await desk.stored(record)
    assert (stored["data_class"], {*stored["matter_ids"]}) == (after[0], {matters[one] for one in after[1]})
