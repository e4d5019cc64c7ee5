"""One service with the sample world for all pages, as a first start leaves it."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from service.graph.database import Database
from service.principals.owner import ensure_owner, owner_key
from service.seeding import seed
from service.settings import load_settings
from tests.cli.serving import Service
from tests.conftest import Server, empty
from tests.docs.running import Reader
from tests.slow import mark_slow


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mark_slow(items, Path(__file__).parent, "reader")


@pytest.fixture(scope="package")
async def reader(
    neo4j_server: Server, migrated: Database, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Reader]:
    await empty(migrated)
    await seed(migrated, lambda _line: None)
    home = tmp_path_factory.mktemp("reader")
    settings = {
        "home": str(home / ".local/share/tasklore"),
        "cache": str(load_settings().cache),
        "neo4j_uri": neo4j_server.uri,
        "neo4j_user": neo4j_server.user,
        "neo4j_password": neo4j_server.password,
    }
    await ensure_owner(migrated, _made(settings["home"]))
    service = Service(Path(settings["home"]), requests_per_second=0, **settings_but_home(settings))
    service.start()
    folder = home / "work"
    folder.mkdir()
    try:
        key = owner_key(Path(settings["home"]))
        assert key
        yield Reader(service.url, key, home, folder, migrated, settings)
    finally:
        service.stop()


def _made(folder: str) -> Path:
    path = Path(folder)
    path.mkdir(parents=True)
    return path


def settings_but_home(settings: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in settings.items() if name != "home"}
