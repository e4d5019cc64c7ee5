"""Packets on an empty graph, and somebody who asks about them."""

import pytest

from service.context.inspection import Inspection
from tests.context.packets.conftest import bench, embedder, indexed, queue
from tests.context.packets.world import Bench

__all__ = ["bench", "embedder", "indexed", "queue"]


@pytest.fixture
def asking_of(bench: Bench) -> Inspection:
    return Inspection(bench.database)
