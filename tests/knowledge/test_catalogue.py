"""The catalogue: saved whole, replaced whole, and nothing of it twice."""

from dataclasses import replace

import pytest

from service.commands.approval import PersonNeeded
from service.knowledge.catalogue import cypher
from service.knowledge.catalogue.commands import Catalogues
from service.knowledge.catalogue.inputs import ModuleCatalogueInput
from service.knowledge.catalogue.reading import read_catalogue, sample_catalogue
from service.knowledge.errors import CatalogueAmbiguous, CatalogueUnreadable
from tests.knowledge.desk import Desk


async def _types(desk: Desk, *names: str) -> list[dict[str, object]]:
    viewer = await desk.viewer()
    row = await desk.database.read_one(cypher.TYPES, types=list(names), audiences=viewer.audiences)
    assert row is not None
    return row["found"]


async def test_a_catalogue_is_saved_whole_and_the_same_again_changes_nothing(desk: Desk) -> None:
    [judge] = await _types(desk, "step.judge")
    told = next(one for one in sample_catalogue().types if one.module_type == "step.judge")
    assert [one["port_name"] for one in judge["ports"]] == [one.name for one in told.ports]  # pyright: ignore
    assert [one["field_name"] for one in judge["fields"]] == [one.name for one in told.config]  # pyright: ignore
    again = await desk.catalogue()
    assert again.result == {"types": len(sample_catalogue().types), "put_away": [], "changed": False}


async def test_what_a_catalogue_names_no_more_is_put_away_and_comes_back_as_it_was(desk: Desk) -> None:
    whole, service, viewer = sample_catalogue(), desk.services[Catalogues], await desk.viewer()
    judge = next(one for one in whole.types if one.module_type == "step.judge")
    others = tuple(one for one in whole.types if one.module_type not in ("step.judge", "utility.delay"))
    less = replace(whole, types=(*others, replace(judge, ports=judge.ports[1:])))
    outcome = await service.save(viewer, less)
    assert outcome.result["put_away"] == ["utility.delay"]
    assert await _types(desk, "utility.delay") == []
    [changed] = await _types(desk, "step.judge")
    assert "candidate_in" not in [one["port_name"] for one in changed["ports"]]  # pyright: ignore
    await service.save(viewer, whole)
    [back] = await _types(desk, "step.judge")
    assert back["ports"][0]["port_name"] == "candidate_in"  # pyright: ignore
    rows = await desk.database.read("MATCH (t:ModuleType {module_type: 'step.judge'}) RETURN count(t) AS n")
    assert rows[0]["n"] == 1


async def test_a_catalogue_that_names_something_twice_is_refused(desk: Desk) -> None:
    whole = sample_catalogue()
    twice = replace(whole, types=(*whole.types, whole.types[0]))
    with pytest.raises(CatalogueAmbiguous) as refused:
        await desk.services[Catalogues].save(await desk.viewer(), twice)
    assert (refused.value.code, refused.value.field) == ("catalogue_ambiguous", "types.module_type")
    assert refused.value.remedy
    doubled = replace(whole.types[4], ports=(*whole.types[4].ports, whole.types[4].ports[0]))
    with pytest.raises(CatalogueAmbiguous):
        replace(whole, types=(doubled,)).check()


async def test_a_catalogue_is_a_persons_to_say(desk: Desk) -> None:
    with pytest.raises(PersonNeeded):
        await desk.services[Catalogues].save(await desk.agent(), sample_catalogue())


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("types: [", "file"),
        ("[]", "types"),
        ("types: [{type: odd.thing, name: Odd}]", "types[odd.thing]"),
        ("types: [{type: step.x, name: X, in: {a: plasma Hot.}}]", "types[step.x].a"),
        ("types: [{type: step.x, name: X, config: {a: {type: colour}}}]", "types[step.x].a"),
        ("types: [{type: step.x, nom: X}]", "types[step.x]"),
    ],
)
def test_a_file_that_is_no_catalogue_says_where(text: str, field: str) -> None:
    with pytest.raises(CatalogueUnreadable) as refused:
        read_catalogue(text)
    assert refused.value.field == field
    assert refused.value.remedy


def test_a_catalogue_has_at_least_one_type() -> None:
    with pytest.raises(Exception, match="at least one"):
        ModuleCatalogueInput("here", ()).check()
