"""Matching in the sample world: what was taught works as told."""

from graph_schema.library_words import MatchOutcome
from service.matching.records import PenaltyKind
from service.seeding import seed
from tests.matching.conftest import embedder, indexed, queue, shelf
from tests.matching.world import Shelf, first

__all__ = ["embedder", "indexed", "queue", "shelf"]


async def test_what_was_taught_works_as_told(shelf: Shelf) -> None:
    await seed(shelf.database, lambda _line: None)
    await shelf.embed()
    expected = {
        "complaint audit": "Complaint Evaluation",
        "clean up the cites": "Citation Cleanup",
        "watch the docket for new filings": "Docket Monitor",
        "write the release notes": "Release Notes",
    }
    for said, name in expected.items():
        assert first(await shelf.answer(said)) == name, said
    cleanup = await shelf.answer("citation cleanup")
    assert first(cleanup) == "Citation Cleanup"
    avoided = [one.candidate for one in cleanup.losers if one.candidate.asset.name == "Complaint Evaluation"]
    assert all(PenaltyKind.directive_avoids in {one.kind for one in found.penalties} for found in avoided)
    assert (await shelf.answer("how far away is the moon")).outcome is MatchOutcome.nothing_fits
