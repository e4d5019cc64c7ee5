"""The owner of a local service: made at its first start, with a key in a file that only they can read."""

import asyncio
import fcntl
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from service import clock
from service.access.errors import Unauthenticated
from service.access.keys import is_key
from service.access.log import AccessLog
from service.access.viewer import OPERATOR, KeyScope
from service.access.viewers import Viewers
from service.commands import Commands
from service.graph.database import Database
from service.principals import read
from service.principals.commands import LONGEST_LIFE, Principals
from service.principals.inputs import PrincipalKind

OWNER = "owner"
KEY_NAME = "owner.key"
RENEW_WITHIN = timedelta(days=30)
LIFE = LONGEST_LIFE - timedelta(days=1)

Row = dict[str, Any]


def operator_commands(database: Database, access_log: Path | None = None) -> Principals:
    """Administration from the command line and at the start. Its record is the events, and the file if one is named."""
    return Principals(Commands(database, REGISTRY, lambda _new: None), log=AccessLog(access_log, stream=False))


async def ensure_owner(database: Database, home: Path) -> None:
    """Make the owner and their key where one is missing. A key that was lost, or runs out soon, is replaced."""
    commands = operator_commands(database)
    async with _alone(home):
        owner = await _owner(database, commands)
        keys = [one for one in await read.keys(database, OPERATOR, OWNER) if one["name"] == KEY_NAME]
        if owner["disabled_at"] or await _key_of_file(database, home) in _lasting(keys):
            return
        values = {"principal": OWNER, "name": KEY_NAME, "scopes": [*KeyScope], "expires_at": _in(LIFE)}
        created = await commands.create_key(OPERATOR, values)
        await asyncio.to_thread(_write, home, created.text or "")
        for one in keys:
            await commands.revoke_key(OPERATOR, one["id"])


def owner_key(home: Path) -> str | None:
    """The owner's key, for a client on the same machine under the same account."""
    try:
        text = _file(home).read_text().strip()
    except (FileNotFoundError, UnicodeDecodeError):
        return None
    return text if is_key(text) else None


async def _owner(database: Database, commands: Principals) -> Row:
    for one in await read.principals(database, OPERATOR):
        if one["name"] == OWNER:
            return one
    values = {
        "name": OWNER,
        "kind": PrincipalKind.person,
        "clearance": DataClass.local_only,
        "all_matters": True,
    }
    return (await commands.create_principal(OPERATOR, values)).result["principal"]


async def _key_of_file(database: Database, home: Path) -> str | None:
    """The id of the key in the file, if the graph knows it and it works."""
    text = await asyncio.to_thread(owner_key, home)
    viewers = Viewers(database)
    try:
        return (await viewers.of_key(text)).key_id if text else None
    except Unauthenticated:
        return None
    finally:
        await viewers.close()


def _lasting(keys: list[Row]) -> set[str]:
    return {one["id"] for one in keys if one["expires_at"] > _in(RENEW_WITHIN)}


def _in(span: timedelta) -> str:
    return clock.stamp(datetime.now(UTC) + span)


def _file(home: Path) -> Path:
    return home.expanduser() / KEY_NAME


def _write(home: Path, key: str) -> None:
    file = _file(home)
    part = file.with_suffix(".part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as handle:
        handle.write(f"{key}\n")
    part.replace(file)


@asynccontextmanager
async def _alone(home: Path) -> AsyncGenerator[None]:
    """One process at a time, so that two that start together do not replace each other's key."""
    handle = await asyncio.to_thread(_locked, home)
    try:
        yield
    finally:
        os.close(handle)


def _locked(home: Path) -> int:
    folder = home.expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder / "owner.lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(handle, fcntl.LOCK_EX)
    return handle
