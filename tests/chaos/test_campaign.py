"""A small campaign, as `make chaos` runs long ones."""

import pytest

from tests.chaos.campaign import Campaign, Plan
from tests.chaos.place import opened

SMALL = Plan(kills=5, minutes=10, seed=15, writers=2, calm_every=5, gap_s=1.0, families=("records", "runs", "shared"))
"""Four times a service and once the database; a service is cut off twice, and its way held up once."""


@pytest.mark.slow
async def test_five_kills_lose_and_double_nothing() -> None:
    told: list[str] = []
    async with opened(told.append) as place:
        outcome = await Campaign(place, SMALL, told.append).run()
    assert outcome.ledger.violations == [], told
    assert outcome.kills == SMALL.kills
    assert outcome.events > 0
    assert all(one.seen for one in outcome.followers)
