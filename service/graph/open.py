"""The database that the settings mean: a server that they name, or the local one."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from service.errors import SettingsInvalid
from service.graph.connect import connect
from service.graph.database import Database, Observer, unobserved
from service.graph.errors import DatabaseUnavailable
from service.graph.local import Connection, borrowed
from service.settings import Settings, key_of

Progress = Callable[[str], None]

LOCAL_DATABASE = "neo4j"
LOCAL_ATTEMPTS = 3


@asynccontextmanager
async def opened(settings: Settings, progress: Progress) -> AsyncGenerator[Database]:
    """For a command: the local server that runs already is used, else one is started for the duration."""
    if settings.is_local:
        async with borrowed(settings, progress) as local, connected(settings, local) as database:
            yield database
    else:
        async with connected(settings) as database:
            yield database


@asynccontextmanager
async def connected(
    settings: Settings, local: Connection | None = None, observe: Observer = unobserved
) -> AsyncGenerator[Database]:
    """The database of the local server that is given, else of the server that the settings name."""
    database = await (_local(settings, local, observe) if local else _named(settings, observe))
    try:
        yield database
    finally:
        await database.close()


async def _local(settings: Settings, local: Connection, observe: Observer, attempts: int = LOCAL_ATTEMPTS) -> Database:
    """A server that has just started plans its first statements slowly: on a busy machine it needs more patience."""
    try:
        return await connect(
            local.uri,
            local.user,
            local.password,
            LOCAL_DATABASE,
            read_timeout=settings.read_timeout_s,
            observe=observe,
        )
    except DatabaseUnavailable:
        if attempts == 1:
            raise
    return await _local(settings, local, observe, attempts - 1)


async def _named(settings: Settings, observe: Observer) -> Database:
    return await connect(
        settings.neo4j_uri or "",
        settings.neo4j_user,
        _password(settings),
        settings.neo4j_database,
        read_timeout=settings.read_timeout_s,
        observe=observe,
    )


def _password(settings: Settings) -> str | None:
    if settings.neo4j_password:
        return settings.neo4j_password.get_secret_value()
    if settings.neo4j_password_file is None:
        return None
    try:
        return settings.neo4j_password_file.expanduser().read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise SettingsInvalid(key_of("neo4j_password_file"), f"the file cannot be read ({reason})") from None
