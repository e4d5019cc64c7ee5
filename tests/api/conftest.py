"""The service as a process of its own, on the test database with the sample world, and callers with keys."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from graph_schema.model.fields import DataClass
from service.access.viewer import OPERATOR, KeyScope, PrincipalKind
from service.graph.database import Database
from service.principals.owner import operator_commands
from service.seeding import seed
from tests.api.marked import marks
from tests.cli.serving import Service
from tests.conftest import Server, empty
from tests.slow import mark_slow


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mark_slow(items, Path(__file__).parent, "api", "service")


@dataclass(frozen=True)
class Caller:
    """Somebody with a key, or without one."""

    client: httpx.AsyncClient

    async def post(self, query: str, **variables: Any) -> httpx.Response:
        return await self.client.post("/graphql", json={"query": query, "variables": variables})

    async def ask(self, query: str, **variables: Any) -> dict[str, Any]:
        """The data of an answer that has no errors."""
        answer = (await self.post(query, **variables)).json()
        assert "errors" not in answer, answer["errors"]
        return answer["data"]

    async def refused(self, query: str, **variables: Any) -> dict[str, Any]:
        """The first error of an answer: its message and its extensions."""
        answer = (await self.post(query, **variables)).json()
        assert answer.get("errors"), answer
        error = answer["errors"][0]
        return {"message": error["message"], **error["extensions"]}


@dataclass(frozen=True)
class Api:
    service: Service
    database: Database
    matters: dict[str, str]
    keys: dict[str, str]

    def caller(self, name: str | None) -> Caller:
        headers = {"authorization": f"Bearer {self.keys[name]}"} if name else {}
        return Caller(httpx.AsyncClient(base_url=self.service.url, headers=headers, timeout=60))


@pytest.fixture(scope="package")
async def api(
    neo4j_server: Server, migrated: Database, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Api]:
    await empty(migrated)
    await seed(migrated, lambda _line: None)
    rows = await migrated.read("MATCH (m:Matter) RETURN m.name AS name, m.id AS id")
    matters = {row["name"]: row["id"] for row in rows}
    keys = {
        "admin": await _key(migrated, "admin", DataClass.local_only, [], tuple(KeyScope), all_matters=True),
        "marex": await _key(migrated, "marex", DataClass.privileged, [matters["Marex"]], _WORKING),
        "outsider": await _key(migrated, "outsider", DataClass.internal, [], _WORKING),
        "executor": await _key(migrated, "executor", DataClass.internal, [], (KeyScope.report,)),
        "reader": await _key(migrated, "reader", DataClass.internal, [], (KeyScope.read,)),
        "agent": await _key(
            migrated, "agent", DataClass.local_only, [], _WORKING, all_matters=True, kind=PrincipalKind.agent
        ),
        "curator": await _key(migrated, "curator", DataClass.internal, [], (KeyScope.curate,)),
    }
    service = Service(
        tmp_path_factory.mktemp("home"),
        neo4j_uri=neo4j_server.uri,
        neo4j_user=neo4j_server.user,
        neo4j_password=neo4j_server.password,
        requests_per_second=0,
    )
    service.start()
    try:
        yield Api(service, migrated, matters, keys)
    finally:
        service.stop()


STRANGERS = ("outsider", "marex")
_WORKING = (KeyScope.read, KeyScope.report, KeyScope.curate)


async def _key(
    database: Database,
    name: str,
    clearance: DataClass,
    matters: list[str],
    scopes: tuple[KeyScope, ...],
    *,
    all_matters: bool = False,
    kind: PrincipalKind = PrincipalKind.person,
) -> str:
    commands = operator_commands(database)
    values = {"name": name, "kind": kind, "clearance": clearance, "matter_ids": matters, "all_matters": all_matters}
    await commands.create_principal(OPERATOR, values)
    created = await commands.create_key(OPERATOR, {"principal": name, "name": "test", "scopes": list(scopes)})
    assert created.text
    return created.text


@pytest.fixture
async def admin(api: Api) -> AsyncGenerator[Caller]:
    caller = api.caller("admin")
    async with caller.client:
        yield caller


@pytest.fixture
async def outsider(api: Api) -> AsyncGenerator[Caller]:
    caller = api.caller("outsider")
    async with caller.client:
        yield caller


@pytest.fixture
async def marex(api: Api) -> AsyncGenerator[Caller]:
    caller = api.caller("marex")
    async with caller.client:
        yield caller


@pytest.fixture
async def agent(api: Api) -> AsyncGenerator[Caller]:
    """As much as a key of an agent can have: every matter, every class, every scope that is not a person's."""
    caller = api.caller("agent")
    async with caller.client:
        yield caller


@pytest.fixture
async def nobody(api: Api) -> AsyncGenerator[Caller]:
    caller = api.caller(None)
    async with caller.client:
        yield caller


@pytest.fixture(scope="module")
async def marked(api: Api) -> AsyncGenerator[Api]:
    async with marks(api.database, api.matters["Narayanan"]):
        yield api


@pytest.fixture(params=STRANGERS)
async def stranger(request: pytest.FixtureRequest, marked: Api) -> AsyncGenerator[Caller]:
    """Somebody who sees only the first of the marked records of a type."""
    caller = marked.caller(request.param)
    async with caller.client:
        yield caller


@pytest.fixture
async def strangers(marked: Api) -> AsyncGenerator[list[Caller]]:
    """All of them, one after another: what one has asked is planned already when the next asks the same."""
    callers = [marked.caller(name) for name in STRANGERS]
    yield callers
    for one in callers:
        await one.client.aclose()
