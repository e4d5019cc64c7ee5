"""Matching on the real server: what is loaded of an asset, and what follows from it."""

from graph_schema.library_words import MatchOutcome
from service.matching.records import PartName
from tests.matching.world import FAMILY, Shelf, first


async def test_the_template_that_was_asked_for_is_found_and_the_others_lose(shelf: Shelf) -> None:
    await shelf.family()
    answer = await shelf.answer("please audit the complaint")
    assert first(answer) == "Complaint Evaluation"
    assert answer.outcome is MatchOutcome.match
    assert {one.candidate.asset.name for one in answer.losers} == {*FAMILY} - {"Complaint Evaluation"}
    assert all(one.reason for one in answer.losers)
    assert [part.name for part in answer.recommended[0].parts] == [*PartName]
    assert answer.recommended[0].asset.nearest_phrase == "audit this complaint"
