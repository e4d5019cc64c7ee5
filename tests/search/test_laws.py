"""What a viewer may not see changes nothing in what they find."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.search import SearchAnswer
from tests.laws import law
from tests.search.conftest import World

TEXTS = (
    "Draft a complaint for the court",
    "Audit the complaint that was filed",
    "Book a table for dinner",
    "Set an alarm for seven",
    "Pay the invoice of the bank",
    "The card has not arrived",
)
QUESTIONS = ("review a complaint", "when do I wake up", "invoice", "my bank card is missing", "quarks and gluons")
HIDDEN = "internal|ent_hidden"
VISIBLE = "internal|"


def said(answer: SearchAnswer) -> SearchAnswer:
    """All of an answer but its times."""
    return replace(answer, timings=())


async def add(world: World, texts: list[str], audience: str) -> None:
    for number, text in enumerate(texts):
        await world.crowd(f"goal_{audience}_{number}_", 1, text, text, audience)


async def search_as_outsider(world: World, text: str, first: int = 20) -> SearchAnswer:
    viewer = replace(await world.viewer(), audiences=(VISIBLE,))
    return said(await world.find(text, viewer, first=first))


@pytest.mark.slow
@law(5)
@given(
    visible=st.lists(st.sampled_from(TEXTS), max_size=4),
    hidden=st.lists(st.sampled_from(TEXTS), min_size=1, max_size=4),
    text=st.sampled_from(QUESTIONS),
    first=st.integers(1, 5),
)
async def test_hidden_records_change_nothing(
    world: World, visible: list[str], hidden: list[str], text: str, first: int
) -> None:
    await world.database.run_alone("MATCH (n:Record) DETACH DELETE n")
    await add(world, visible, VISIBLE)
    alone = await search_as_outsider(world, text, first)
    await add(world, hidden, HIDDEN)
    assert await search_as_outsider(world, text, first) == alone


@pytest.mark.slow
@pytest.mark.parametrize("crowd", [180, 600])
async def test_a_crowd_of_hidden_records_pushes_nothing_out(world: World, crowd: int) -> None:
    """With the smaller crowd the indexes are asked again, deeper; with the larger one everything visible is scanned."""
    for number, text in enumerate(TEXTS):
        await world.crowd(f"goal_seen_{number}_", 20 if crowd == 180 else 1, text, text, VISIBLE)
    alone = await search_as_outsider(world, "has my card arrived")
    assert alone.hits[0].name == "The card has not arrived"
    await world.crowd("goal_hidden_", crowd, "has my card arrived", "has my card arrived", HIDDEN)
    assert await search_as_outsider(world, "has my card arrived") == alone


async def test_an_unrelated_record_changes_no_score(world: World) -> None:
    await add(world, list(TEXTS), VISIBLE)
    before = {hit.id: hit for hit in (await search_as_outsider(world, "review a complaint")).hits}
    await world.crowd("goal_more_", 60, "Complaint complaint", "complaint about anything", VISIBLE)
    after = {hit.id: hit for hit in (await search_as_outsider(world, "review a complaint", 100)).hits}
    assert before["goal_internal|_0_1"] == after["goal_internal|_0_1"]
