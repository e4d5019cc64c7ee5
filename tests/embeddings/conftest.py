"""Real models from the shared cache."""

import pytest

from embeddings.loader import JarOf
from embeddings.onnx import BGE_SMALL, MINILM, OnnxEmbedder
from service.artifacts.fetch import ensure
from service.settings import load_settings


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests of the second engine run only where somebody asks for them by their marker."""
    if "models" in str(config.getoption("markexpr")):
        return
    unwanted = [item for item in items if item.get_closest_marker("models")]
    items[:] = [item for item in items if item not in unwanted]
    config.hook.pytest_deselected(items=unwanted)


@pytest.fixture(scope="session")
def jar_of() -> JarOf:
    cache = load_settings().cache
    return lambda group: ensure(group, cache, lambda _line: None)[0]


@pytest.fixture(scope="session")
def minilm(jar_of: JarOf) -> OnnxEmbedder:
    return OnnxEmbedder(MINILM, jar_of("minilm"))


@pytest.fixture(scope="session")
def bge_small(jar_of: JarOf) -> OnnxEmbedder:
    return OnnxEmbedder(BGE_SMALL, jar_of("bge-small"))


@pytest.fixture(scope="session", params=["minilm", "bge_small"])
def embedder(request: pytest.FixtureRequest) -> OnnxEmbedder:
    return request.getfixturevalue(request.param)
