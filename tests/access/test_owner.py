"""The owner of a local service: there after the first start, and again after every loss."""

import asyncio
import stat
from pathlib import Path

import pytest

from service.access.errors import Unauthenticated
from service.access.viewer import OPERATOR, KeyScope
from service.graph.database import Database
from service.principals import read
from service.principals.owner import ensure_owner, owner_key
from tests.access.conftest import World


async def live_keys(database: Database) -> list[str]:
    return [one["id"] for one in await read.keys(database, OPERATOR, "owner")]


async def test_the_first_start_makes_an_owner_who_may_do_everything(world: World, tmp_path: Path) -> None:
    await ensure_owner(world.database, tmp_path)
    key = owner_key(tmp_path) or ""
    viewer = await world.viewers.of_key(key)
    assert viewer.name == "owner"
    assert viewer.scopes == {*KeyScope}
    assert viewer.clearance == "local_only"
    assert viewer.all_matters
    assert stat.S_IMODE((tmp_path / "owner.key").stat().st_mode) == 0o600
    assert key not in await world.all_properties()


async def test_the_next_start_changes_nothing(world: World, tmp_path: Path) -> None:
    await ensure_owner(world.database, tmp_path)
    key, keys = owner_key(tmp_path), await live_keys(world.database)
    await ensure_owner(world.database, tmp_path)
    assert owner_key(tmp_path) == key
    assert await live_keys(world.database) == keys


async def test_a_lost_key_is_replaced_and_the_old_one_dies(world: World, tmp_path: Path) -> None:
    await ensure_owner(world.database, tmp_path)
    lost = owner_key(tmp_path) or ""
    (tmp_path / "owner.key").unlink()
    await ensure_owner(world.database, tmp_path)
    assert (await world.viewers.of_key(owner_key(tmp_path) or "")).name == "owner"
    with pytest.raises(Unauthenticated):
        await world.viewers.of_key(lost)


async def test_a_key_that_runs_out_soon_or_that_the_graph_does_not_know_is_replaced(
    world: World, tmp_path: Path
) -> None:
    await ensure_owner(world.database, tmp_path)
    first = owner_key(tmp_path)
    (key_id,) = await live_keys(world.database)
    await world.expire(key_id)
    await ensure_owner(world.database, tmp_path)
    second = owner_key(tmp_path)
    await world.database.run_alone("MATCH (n:Principal|Key) DETACH DELETE n")
    await ensure_owner(world.database, tmp_path)
    assert len({first, second, owner_key(tmp_path)}) == 3


async def test_two_that_start_together_agree(world: World, tmp_path: Path) -> None:
    await asyncio.gather(*(ensure_owner(world.database, tmp_path) for _ in range(3)))
    assert len(await live_keys(world.database)) == 1
    assert (await world.viewers.of_key(owner_key(tmp_path) or "")).name == "owner"


async def test_an_owner_who_was_disabled_stays_so(world: World, tmp_path: Path) -> None:
    await ensure_owner(world.database, tmp_path)
    await world.principals.disable_principal(OPERATOR, "owner")
    await ensure_owner(world.database, tmp_path)
    with pytest.raises(Unauthenticated):
        await world.viewers.of_key(owner_key(tmp_path) or "")
