"""A key may say by default how what is reported with it is remembered; never more than its principal could say."""

from typing import Any

import pytest

from graph_schema.memory.words import MemoryMode
from graph_schema.model.fields import DataClass
from service.access.errors import DefaultNotAllowed, MattersMissing
from service.access.viewer import OPERATOR, KeyDefaults
from service.principals import read
from tests.access.conftest import World

KEY: dict[str, Any] = {"principal": "ada", "name": "traces", "scopes": ["report"]}
DEFAULTS = {
    "default_memory_mode": "standard",
    "default_data_class": "internal",
    "default_matter_ids": ["ent_m"],
    "default_source": "crew",
}


async def test_the_viewer_of_a_key_has_its_defaults_and_the_list_shows_them(world: World) -> None:
    await world.matter("ent_m")
    await world.principal(matter_ids=["ent_m"])
    created = await world.principals.create_key(OPERATOR, {**KEY, **DEFAULTS})
    viewer = await world.viewers.of_key(created.text or "")
    assert viewer.defaults == KeyDefaults(MemoryMode.standard, DataClass.internal, ("ent_m",), "crew")
    [listed] = await read.keys(world.database, OPERATOR)
    assert {name: listed[name] for name in DEFAULTS} == {name: created.key[name] for name in DEFAULTS} == DEFAULTS
    plain, _ = await world.key()
    assert (await world.viewers.of_key(plain)).defaults == KeyDefaults()


@pytest.mark.parametrize(
    ("default", "error"),
    [
        ({"default_data_class": "privileged"}, DefaultNotAllowed),
        ({"default_matter_ids": ["ent_m"]}, DefaultNotAllowed),
        ({"default_matter_ids": ["ent_none"]}, MattersMissing),
    ],
)
async def test_a_default_beyond_the_principal_is_refused(
    world: World, default: dict[str, Any], error: type[Exception]
) -> None:
    await world.matter("ent_m")
    await world.principal(clearance="internal")
    with pytest.raises(error):
        await world.principals.create_key(OPERATOR, {**KEY, **default})
    assert await read.keys(world.database, OPERATOR) == []
