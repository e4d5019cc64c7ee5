"""A key: what it is made of, what makes it work, and that it is nowhere but in its user's hands."""

import io
import re

import pytest
import structlog

from service.access.errors import KeyMissing, PrincipalDisabled, PrincipalMissing, Unauthenticated
from service.access.keys import hash_of, hint_of, is_key, new_key
from service.access.viewer import OPERATOR, KeyScope
from service.access.viewers import Viewers
from service.commands.errors import ControlCharacter, InputInvalid, NotAllowed, TimeInvalid
from service.observe import set_up_logs
from service.principals.commands import LONGEST_LIFE
from service.settings import load_settings
from tests.access.conftest import World


def test_a_key_is_256_random_bits_in_url_safe_text() -> None:
    keys = {new_key() for _ in range(1000)}
    assert len(keys) == 1000
    assert all(re.fullmatch(r"tl_[A-Za-z0-9_-]{43}", key) for key in keys)
    assert all(is_key(key) for key in keys)
    assert len({hash_of(key) for key in keys}) == 1000


@pytest.mark.parametrize("text", ["", "tl_", "tl_" + "a" * 42, "tl_" + "a" * 44, "tk_" + "a" * 43, "tl_" + "é" * 43])
def test_what_is_no_key_is_known_by_its_shape(text: str) -> None:
    assert not is_key(text)


async def test_a_key_gives_the_viewer_of_its_principal_with_its_own_scopes(world: World) -> None:
    made = await world.principal(clearance="privileged", all_matters=True)
    text, key_id = await world.key(scopes=(KeyScope.read, KeyScope.report))
    viewer = await world.viewers.of_key(text)
    assert (viewer.principal_id, viewer.name, viewer.key_id) == (made["id"], "ada", key_id)
    assert viewer.scopes == {KeyScope.read, KeyScope.report}
    assert viewer.clearance == "privileged"
    assert viewer.all_matters


async def test_every_reason_against_a_key_is_the_same_error(world: World) -> None:
    await world.principal()
    await world.principal("eve")
    revoked, revoked_id = await world.key()
    expired, expired_id = await world.key()
    disabled, _ = await world.key("eve")
    token = (await world.principals.create_sign_in(OPERATOR, "ada", [KeyScope.read])).text
    await world.principals.revoke_key(OPERATOR, revoked_id)
    await world.expire(expired_id)
    await world.principals.disable_principal(OPERATOR, "eve")
    told: set[tuple[str, str, str | None]] = set()
    for text in (new_key(), revoked, expired, disabled, token or "", "nonsense"):
        with pytest.raises(Unauthenticated) as caught:
            await world.viewers.of_key(text)
        told.add((caught.value.message, caught.value.code, caught.value.remedy))
    assert len(told) == 1


async def test_an_enabled_principal_has_its_keys_again(world: World) -> None:
    await world.principal()
    text, _ = await world.key()
    await world.principals.disable_principal(OPERATOR, "ada")
    with pytest.raises(PrincipalDisabled):
        await world.key()
    await world.principals.enable_principal(OPERATOR, "ada")
    assert (await world.viewers.of_key(text)).name == "ada"


async def test_a_key_is_in_no_node_no_result_and_no_log(world: World) -> None:
    lines = io.StringIO()
    set_up_logs(load_settings(log_format="json", log_level="debug"), lines)
    try:
        await world.principal()
        text, key_id = await world.key(scopes=(KeyScope.admin,))
        await world.viewers.of_key(text)
        await world.principals.revoke_key(OPERATOR, key_id)
        with pytest.raises(Unauthenticated) as caught:
            await world.viewers.of_key(text)
        world.access.log.denied(caught.value.code, "127.0.0.1", cause=caught.value.cause, key=caught.value.key_id)
    finally:
        structlog.reset_defaults()
    stored = await world.all_properties()
    assert "access.key_created" in lines.getvalue()
    assert key_id in lines.getvalue()
    assert hash_of(text) in stored
    assert text not in stored
    assert text[3:] not in stored
    assert text not in lines.getvalue()
    assert hash_of(text) not in lines.getvalue()
    assert hint_of(text) in stored


async def test_a_repeated_command_answers_without_the_key_and_makes_no_second(world: World) -> None:
    await world.principal()
    values = {"principal": "ada", "name": "a key", "scopes": ["read"]}
    first = await world.principals.create_key(OPERATOR, values, "cmd-1")
    again = await world.principals.create_key(OPERATOR, values, "cmd-1")
    assert first.text
    assert again.text is None
    assert again.outcome.replayed
    assert again.key["id"] == first.key["id"]
    assert "cannot be shown again" in again.note
    rows = await world.database.read("MATCH (k:Key) RETURN count(k) AS keys")
    assert rows == [{"keys": 1}]
    assert (await world.viewers.of_key(first.text)).name == "ada"


async def test_a_key_expires_in_90_days_and_within_a_year_at_most(world: World) -> None:
    await world.principal()
    values = {"principal": "ada", "name": "a key", "scopes": ["read"]}
    created = (await world.principals.create_key(OPERATOR, values)).key
    assert created["expires_at"] > created["created_at"]
    for expires_at in ("2020-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z", "tomorrow"):
        with pytest.raises((InputInvalid, TimeInvalid)):
            await world.principals.create_key(OPERATOR, {**values, "expires_at": expires_at})
    assert LONGEST_LIFE.days == 366


async def test_only_administrators_administer(world: World) -> None:
    await world.principal()
    text, _ = await world.key(scopes=(KeyScope.read, KeyScope.report, KeyScope.curate))
    viewer = await world.viewers.of_key(text)
    with pytest.raises(NotAllowed):
        await world.principals.create_key(viewer, {"principal": "ada", "name": "more", "scopes": ["admin"]})
    with pytest.raises(NotAllowed):
        await world.principals.change_principal(viewer, "ada", {"clearance": "local_only"})


@pytest.mark.parametrize(
    "values",
    [
        {"scopes": []},
        {"scopes": ["root"]},
        {"name": ""},
        {"name": "two\nlines"},
        {"name": "\ud800"},
        {"name": "a\0b"},
        {"hash": "x"},
        {"principal": "\ud800"},
    ],
)
async def test_bad_values_are_refused_with_their_field(world: World, values: dict[str, object]) -> None:
    await world.principal()
    given = {"principal": "ada", "name": "a key", "scopes": ["read"], **values}
    with pytest.raises((InputInvalid, ControlCharacter)) as caught:
        await world.principals.create_key(OPERATOR, given)
    assert caught.value.field
    assert caught.value.field.split(".")[0] in values


async def test_what_is_not_there_is_said(world: World) -> None:
    with pytest.raises(PrincipalMissing):
        await world.key("nobody")
    with pytest.raises(KeyMissing):
        await world.principals.revoke_key(OPERATOR, "key_none")


async def test_a_key_revoked_twice_keeps_its_first_time_and_has_one_event(world: World) -> None:
    await world.principal()
    _, key_id = await world.key()
    first = await world.principals.revoke_key(OPERATOR, key_id)
    again = await world.principals.revoke_key(OPERATOR, key_id)
    assert first.result == again.result
    kinds = [row["e"]["kind"] for row in await world.events()]
    assert kinds.count("access.key_revoked") == 1


async def test_a_new_process_knows_a_revocation_at_once(world: World) -> None:
    await world.principal()
    text, key_id = await world.key()
    await world.principals.revoke_key(OPERATOR, key_id)
    other = Viewers(world.database)
    with pytest.raises(Unauthenticated):
        await other.of_key(text)
    await other.close()
