"""Times worth speaking of: what is hidden is answered no sooner and no later than what is missing."""

from collections.abc import AsyncGenerator

import httpx
import pytest

from tests.api.conftest import Api
from tests.bench.client import Client
from tests.bench.measure import auroc
from tests.bench.oracle import SOURCE, sampled
from tests.bench.setting import new_key
from tests.bench.world import ALL, FEW, open_matters

SAMPLES = 25
FARTHEST = 0.35
"""By chance beyond it once in twenty thousand times. Where one was told from the other before, it was .40."""


@pytest.fixture
async def narrow(api: Api) -> AsyncGenerator[Client]:
    """Somebody of one matter, beside another that they know nothing of. What is planted goes again."""
    await open_matters(api.database)
    key = await new_key(api.database, "narrow", matter_ids=[FEW])
    client = await Client.connect(httpx.URL(api.service.url).port or 80, key)
    try:
        yield client
    finally:
        await client.close()
        await api.database.run_alone(
            "MATCH (n:Record) WHERE n.source = $source OR any(one IN n.matter_ids WHERE one IN $matters) "
            "OPTIONAL MATCH (n)<-[:DESCRIBES]-(card:Card) DETACH DELETE n, card",
            source=SOURCE,
            matters=[ALL, FEW],
        )


async def test_no_answer_tells_by_its_time_what_is_hidden(api: Api, narrow: Client) -> None:
    found = {
        way.name: auroc(times["hidden"], times["missing"])
        async for way, times in sampled(api.database, narrow, SAMPLES)
    }
    assert {name: one for name, one in found.items() if abs(one - 0.5) > FARTHEST} == {}
