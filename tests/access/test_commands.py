"""The administration of principals: exactly once, with an event, and with the former state kept."""

import asyncio

import pytest

from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from service.access.audience import ADMINISTRATION
from service.access.cypher import ADD_MEMBERSHIP
from service.access.errors import MattersMissing, PrincipalMissing, PrincipalNameTaken, ScopeNotAllowed
from service.access.viewer import OPERATOR, KeyScope
from service.commands import Commands, Request, Work
from service.commands.errors import CommandReused, NotAllowed
from service.errors import TaskloreError
from service.principals import principals, read
from tests.access.conftest import World


@pytest.mark.slow
async def test_a_principal_is_created_with_an_event_for_administrators_alone(world: World) -> None:
    made = await world.principal(kind="service", clearance="public")
    (event,) = [row["e"] for row in await world.events()]
    assert event["kind"] == "access.principal_created"
    assert event["about"] == made["id"]
    assert event["audience"] == ADMINISTRATION
    assert event["principal_id"] == OPERATOR.principal_id
    reader, _ = await world.key(scopes=(KeyScope.read,))
    admin, _ = await world.key(scopes=(KeyScope.admin,))
    assert ADMINISTRATION not in (await world.viewers.of_key(reader)).audiences
    assert ADMINISTRATION in (await world.viewers.of_key(admin)).audiences


async def test_a_repeated_command_changes_nothing_and_other_content_is_refused(world: World) -> None:
    values = {"name": "ada"}
    first = await world.principals.create_principal(OPERATOR, values, "cmd-1")
    again = await world.principals.create_principal(OPERATOR, values, "cmd-1")
    assert again.replayed
    assert again.result == first.result
    with pytest.raises(CommandReused):
        await world.principals.create_principal(OPERATOR, {"name": "eve"}, "cmd-1")


async def test_a_name_is_taken_once_also_when_two_come_at_the_same_moment(world: World) -> None:
    tries = await asyncio.gather(*(world.principal("ada") for _ in range(4)), return_exceptions=True)
    assert sum(isinstance(one, dict) for one in tries) == 1
    assert sum(isinstance(one, PrincipalNameTaken) for one in tries) == 3
    await world.principal("eve")
    with pytest.raises(PrincipalNameTaken):
        await world.principals.change_principal(OPERATOR, "eve", {"name": "ada"})


async def test_a_change_keeps_the_former_state_and_no_difference_is_no_change(world: World) -> None:
    made = await world.principal()
    for clearance in ("privileged", "privileged", "public"):
        await world.principals.change_principal(OPERATOR, made["id"], {"clearance": clearance})
    rows = await world.database.read(
        "MATCH (p:Principal {id: $id})-[:PREVIOUS*]->(v:Version) RETURN v.clearance AS c, v.version AS n ORDER BY n",
        id=made["id"],
    )
    assert rows == [{"c": "internal", "n": 1}, {"c": "privileged", "n": 2}]
    changed = [row["e"] for row in await world.events() if row["e"]["kind"] == "access.principal_changed"]
    assert [one["about_version"] for one in changed] == [2, 3]
    assert [one["changed"] for one in changed] == [["clearance"], ["clearance"]]
    assert changed[0]["at"] < changed[1]["at"]


async def test_membership_is_granted_and_taken_away(world: World) -> None:
    for matter in ("ent_a", "ent_b"):
        await world.matter(matter)
    await world.principal(matter_ids=["ent_a"])
    await world.principals.grant_matters(OPERATOR, "ada", ["ent_b"])
    assert (await read.principal(world.database, OPERATOR, "ada"))["matter_ids"] == ["ent_a", "ent_b"]
    await world.principals.revoke_matters(OPERATOR, "ada", ["ent_a", "ent_gone"])
    assert (await read.principal(world.database, OPERATOR, "ada"))["matter_ids"] == ["ent_b"]


async def test_a_matter_that_is_not_there_is_not_granted(world: World) -> None:
    await world.database.run_alone("CREATE (:Entity:Record {id: 'ent_person', name: 'no matter'})")
    await world.principal()
    for matter in ("ent_none", "ent_person"):
        with pytest.raises(MattersMissing):
            await world.principals.grant_matters(OPERATOR, "ada", [matter])
    with pytest.raises(MattersMissing):
        await world.principal("eve", matter_ids=["ent_none"])
    with pytest.raises(PrincipalMissing):
        await read.principal(world.database, OPERATOR, "eve")


async def test_who_opens_a_matter_is_a_member_of_it_in_the_same_transaction(world: World) -> None:
    made = await world.principal()
    text, _ = await world.key(scopes=(KeyScope.curate,))
    viewer = await world.viewers.of_key(text)
    commands = Commands(world.database, REGISTRY, lambda _new: None)

    async def plan(work: Work) -> dict[str, str]:
        await principals.join(work, f"ent_{work.command_id}")
        return {}

    await asyncio.gather(
        *(
            commands.execute(viewer, Request("open", KeyScope.curate, {"n": n}, command_id=str(n)), plan)
            for n in range(5)
        )
    )
    world.viewers.forget()
    assert (await world.viewers.of_key(text)).matter_ids == {f"ent_{n}" for n in range(5)}
    granted = [row["e"] for row in await world.events() if row["e"]["kind"] == "access.matters_granted"]
    assert {one["other"] for one in granted} == {f"ent_{n}" for n in range(5)}
    rows = await world.database.run_alone(ADD_MEMBERSHIP, principal_id=made["id"], matter_id="ent_1")
    assert rows == []


@pytest.mark.parametrize("name", ["operator", "sign_in", "prn_x", "", " ada", "a\nb", "x" * 201])
async def test_a_name_that_would_mislead_is_refused(world: World, name: str) -> None:
    with pytest.raises(TaskloreError) as caught:
        await world.principal(name)
    assert caught.value.field == "name"


async def test_reading_needs_the_scope_admin_and_never_shows_a_hash(world: World) -> None:
    await world.principal()
    text, key_id = await world.key()
    reader = await world.viewers.of_key(text)
    with pytest.raises(NotAllowed):
        await read.principals(world.database, reader)
    with pytest.raises(NotAllowed):
        await read.keys(world.database, reader)
    (key,) = await read.keys(world.database, OPERATOR)
    assert (key["id"], key["principal"], key["hint"]) == (key_id, "ada", text[-4:])
    assert "hash" not in key
    await world.principals.revoke_key(OPERATOR, key_id)
    assert await read.keys(world.database, OPERATOR) == []
    assert len(await read.keys(world.database, OPERATOR, "ada", include_dead=True)) == 1


@pytest.mark.parametrize("scope", [KeyScope.admin, KeyScope.declassify])
async def test_no_key_of_an_agent_is_made_for_what_only_people_do(world: World, scope: KeyScope) -> None:
    await world.principal("bot", kind="agent")
    with pytest.raises(ScopeNotAllowed):
        await world.key("bot", (KeyScope.read, scope))
    with pytest.raises(ScopeNotAllowed):
        await world.principals.create_sign_in(OPERATOR, "bot", [scope])
    await world.principal("ada")
    _, held = await world.key("ada", (KeyScope.read, scope))
    with pytest.raises(ScopeNotAllowed):
        await world.principals.change_principal(OPERATOR, "ada", {"kind": "agent"})
    await world.principals.revoke_key(OPERATOR, held)
    await world.principals.change_principal(OPERATOR, "ada", {"kind": "agent"})


async def test_a_key_that_an_agent_has_from_before_is_no_administrators(world: World) -> None:
    await world.principal("ada")
    text, _ = await world.key("ada", tuple(KeyScope))
    await world.audience(DataClass.internal, frozenset(), "prn_other")
    await world.database.run_alone("MATCH (p:Principal {name: 'ada'}) SET p.kind = 'agent'")
    viewer = await world.viewers.of_key(text)
    assert viewer.scopes == {KeyScope.read, KeyScope.report, KeyScope.curate}
    assert not {ADMINISTRATION, "stub|prn_other"} & {*viewer.audiences}
