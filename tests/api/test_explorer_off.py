"""`TASKLORE_EXPLORER=false`: the explorer is nowhere, and nothing leads to it."""

import json
import re
from collections.abc import Iterator

import httpx
import pytest

from service.web.documents import document_names
from service.web.explorer.routes import EXPLORER, FILES, OWN_FILES, WEB_FILES
from tests.api.conftest import Api
from tests.cli.serving import Service
from tests.conftest import Server

PATHS = (EXPLORER, f"{EXPLORER}/", f"{EXPLORER}/examples", *(f"{FILES}{name}" for name in (*WEB_FILES, *OWN_FILES)))

ONE_OF_MANY = re.compile(r"/[a-z]+_[0-9a-z]{26}|\?")
"""Pages of a single record, and lists as somebody filters them, are like the one that leads to them."""


@pytest.fixture(scope="module")
def service(api: Api, neo4j_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = Service(
        tmp_path_factory.mktemp("plain"),
        neo4j_uri=neo4j_server.uri,
        neo4j_user=neo4j_server.user,
        neo4j_password=neo4j_server.password,
        explorer="false",
    )
    service.start()
    yield service
    service.stop()


@pytest.fixture
def client(api: Api, service: Service) -> Iterator[httpx.Client]:
    headers = {"authorization": f"Bearer {api.keys['admin']}"}
    with httpx.Client(base_url=service.url, headers=headers, timeout=60) as client:
        yield client


@pytest.mark.parametrize("path", PATHS)
def test_neither_its_page_nor_its_files_are_served(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_no_page_leads_to_it(client: httpx.Client) -> None:
    """From the start page on, through everything that is linked."""
    seen: set[str] = set()
    waiting = ["/", "/signin", "/signout"]
    while waiting:
        path = waiting.pop()
        page = client.get(path)
        assert EXPLORER not in page.text, path
        seen.add(path)
        linked = {
            one for one in re.findall(r'(?:href|src|action)="(/[^"]*)"', page.text) if not ONE_OF_MANY.search(one)
        }
        waiting += linked - seen - {*waiting}
    assert {f"/docs/{name}" for name in document_names() if name != "README.md"} | {"/docs/"} <= seen


def test_it_is_not_announced(service: Service) -> None:
    assert "Explorer" not in json.loads(service.announced())
    assert EXPLORER not in service.announced() + service.log()


def test_the_api_answers_as_ever(client: httpx.Client) -> None:
    assert client.post("/graphql", json={"query": "{ viewer { name } }"}).json()["data"]["viewer"]["name"] == "admin"
