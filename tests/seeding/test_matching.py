"""Matching in the sample world: what was taught works as told."""

from embeddings import EmbeddingQueue
from graph_schema.library.words import MatchOutcome
from graph_schema.registry import REGISTRY
from service.commands import Commands
from service.graph.database import Database
from service.matching.answer import MatchPenaltyKind
from service.records import Records
from service.runtime.compose import hooks
from tests.matching.conftest import embedder, indexed, queue
from tests.matching.world import Shelf, first

__all__ = ["embedder", "indexed", "queue"]


async def test_what_was_taught_works_as_told(indexed: Database, told: Database, queue: EmbeddingQueue) -> None:
    shelf = Shelf(told, queue, Records(Commands(told, REGISTRY, lambda _new_audience: None), hooks()))
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
    assert all(MatchPenaltyKind.directive_avoids in {one.kind for one in found.soft_penalties} for found in avoided)
    assert (await shelf.answer("how far away is the moon")).outcome is MatchOutcome.nothing_fits
