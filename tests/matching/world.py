"""A library on the real server: saved by commands, embedded by the real model, matched as the API matches."""

from dataclasses import dataclass, replace
from typing import Any

from embeddings import EmbeddingQueue
from service.access.viewer import Viewer
from service.cards.embedding import embed_behind
from service.commands import RecordRef
from service.graph.database import Database
from service.matching.answer import MatchAnswer
from service.matching.read import Matching
from service.matching.request import MatchRequest
from service.records import Records
from tests.viewers import viewer_of

DRAFT = ("write a complaint", "draft the initial pleading")
AUDIT = ("audit this complaint", "check the complaint for weaknesses", "evaluate our draft complaint")
DOCKET = ("watch the docket", "tell me about new filings")
FAMILY = {"Draft Complaint": DRAFT, "Complaint Evaluation": AUDIT, "Docket Monitor": DOCKET}


@dataclass(frozen=True)
class Shelf:
    database: Database
    queue: EmbeddingQueue
    records: Records

    @property
    def matching(self) -> Matching:
        return Matching(self.database, self.queue)

    async def viewer(self, **given: Any) -> Viewer:
        return await viewer_of(self.database, **given)

    async def add(self, name: str, phrases: tuple[str, ...] = (), label: str = "Template", **values: Any) -> str:
        said = {"trigger_phrases": list(phrases)} if phrases else {}
        outcome = await self.records.save(await self.viewer(), label, {"name": name, **said, **values})
        return outcome.result["id"]

    async def family(self) -> dict[str, str]:
        ids = {name: await self.add(name, phrases) for name, phrases in FAMILY.items()}
        await self.embed()
        return ids

    async def link(self, tail: str, kind: str, head: str, **facts: Any) -> None:
        await self.records.link(await self.viewer(), RecordRef(id=tail), kind, RecordRef(id=head), facts)

    async def archive(self, record_id: str) -> None:
        viewer, ref = await self.viewer(), RecordRef(id=record_id)
        await self.records.set_state(viewer, ref, archived=True, command_id=None, if_version=None)

    async def embed(self) -> None:
        await embed_behind(self.database, self.queue, 10_000)

    async def answer(
        self, text: str, viewer: Viewer | None = None, kind: str = "Template", **given: Any
    ) -> MatchAnswer:
        return await self.matching.match(viewer or await self.viewer(), kind, MatchRequest(text, **given))


def first(answer: MatchAnswer) -> str | None:
    return answer.recommended[0].asset.name if answer.recommended else None


def untimed(answer: MatchAnswer) -> MatchAnswer:
    return replace(answer, timings=())
