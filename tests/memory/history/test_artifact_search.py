"""Search for artifacts: found by words and meaning, narrowed by filters, and honest when nothing fits."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest

from embeddings import EmbeddingQueue, load
from graph_schema.registry import REGISTRY
from service.access.viewer import Viewer
from service.artifacts import ensure
from service.commands import RecordRef
from service.errors import TaskloreError
from service.graph.database import Database
from service.memory.artifact_search import ArtifactFilter, ArtifactSearch, ArtifactSearchRequest
from service.memory.reporting.answers import ReportOutcome
from service.memory.reporting.commands import Reporting
from service.search.answer import SearchAnswer, SearchEmptyReason
from service.search.ranker import VERSION
from service.settings import load_settings
from tests.memory.history.conftest import CLOSED, MATTER, OPEN, made, run_of
from tests.viewers import viewer_of

FILES = (
    "Halvorsen_Deposition_v2.docx",
    "WitnessListV3.xlsx",
    "settlement-offer.v1.pdf",
    "engagementLetter",
    "2026-01-12_Memo.pdf",
)
INCOGNITO: dict[str, Any] = {**OPEN, "memory_mode": "memory_incognito"}


class Shelf:
    """What was made, and the search over it."""

    def __init__(self, database: Database, queue: EmbeddingQueue) -> None:
        self.database = database
        self.search = ArtifactSearch(database, queue, REGISTRY)

    async def find(self, text: str, viewer: Viewer | None = None, first: int = 20, **wanted: Any) -> SearchAnswer:
        request = ArtifactSearchRequest(text, ArtifactFilter(**wanted), first)
        return await self.search.search(viewer or await viewer_of(self.database), request)

    async def names(self, text: str, viewer: Viewer | None = None, **wanted: Any) -> list[str]:
        return [hit.name for hit in (await self.find(text, viewer, **wanted)).hits]


def _events() -> list[Any]:
    final = {"output_class": "final_output"}
    return [
        *run_of("memo", 1, OPEN, made("lost profits memo", "document", summary="What the desk lost.", **final),
                made("draft table", "text_output", summary="Lost profits by quarter.",
                     output_class="intermediate_output"),
                task_key="damages", about=[{"kind": "Entity", "source": "exec", "key": "marex"}]),
        *run_of("mail", 2, OPEN, made("sales letter", "email", summary="Our sales rose in spring.", **final),
                task_key="sales"),
        *run_of("hush", 3, INCOGNITO, made("secret letter", "text_output", **final)),
        *run_of("files", 2, OPEN, *(made(one, "document", output_class="intermediate_output") for one in FILES)),
        *run_of("closed", 4, CLOSED, made("closed profits memo", "document", summary="Profits of others.", **final)),
    ]  # fmt: skip


@pytest.fixture(scope="module")
async def shelf(migrated: Database) -> AsyncGenerator[Shelf]:
    settings = load_settings()
    embedder = load(settings.embedding_model, lambda group: ensure(group, settings.cache, lambda _line: None)[0])
    queue = EmbeddingQueue(embedder)
    await migrated.run_alone("MATCH (n) WHERE NOT n:Migration AND NOT n:TaskloreTestGraph DETACH DELETE n")
    await migrated.run_alone("CREATE (:Matter:Entity:Record {id: $id, audience: 'privileged|ent_matter'})", id=MATTER)
    reporting = Reporting(migrated, REGISTRY, lambda _new: None)
    answers = await reporting.report(await viewer_of(migrated), _events())
    assert {one.outcome for one in answers} == {ReportOutcome.accepted}
    await migrated.run_alone("CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
    yield Shelf(migrated, queue)
    await queue.aclose()


@pytest.mark.slow
async def test_the_best_comes_first_with_its_reasons(shelf: Shelf) -> None:
    answer = await shelf.find("lost profits")
    assert [one.name for one in answer.hits][:2] == ["lost profits memo", "draft table"]
    assert (answer.ranker.name, answer.ranker.version) == ("tasklore.search", VERSION)
    for hit in answer.hits:
        assert hit.score == pytest.approx(sum(part.score * part.weight for part in hit.parts), abs=1e-5)
        assert all(part.evidence for part in hit.parts)


async def test_what_stays_with_its_run_is_never_embedded(shelf: Shelf) -> None:
    answer = await shelf.find("secret letter of lost profits")
    told = {hit.name: (hit.current, hit.parts[0].evidence) for hit in answer.hits}
    assert told["lost profits memo"][0]
    for name in ("draft table", "secret letter"):
        assert not told[name][0]
        assert "it stays with its run" in told[name][1]
    texts = " ".join(shelf.search._vectors)  # pyright: ignore[reportPrivateUsage]
    assert "memo" in texts
    assert "secret" not in texts
    assert "draft" not in texts


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Halvorsen deposition", FILES[0]),
        ("the deposition of Halvorsen, version 2", FILES[0]),
        ("HalvorsenDeposition_v2.docx", FILES[0]),
        ("witness list", FILES[1]),
        ("witness_list", FILES[1]),
        ("settlement offer pdf", FILES[2]),
        ("engagement letter", FILES[3]),
        ("memo 2026", FILES[4]),
    ],
)
async def test_a_file_is_found_by_the_words_of_its_name(shelf: Shelf, text: str, name: str) -> None:
    assert (await shelf.names(text))[0] == name


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ({"tasks": [RecordRef(kind="Task", source="exec", key="damages")]}, {"lost profits memo", "draft table"}),
        ({"about": [RecordRef(kind="Entity", source="exec", key="marex")]}, {"lost profits memo", "draft table"}),
        ({"runs": [RecordRef(kind="Run", source="exec", key="closed")]}, {"closed profits memo"}),
        ({"kinds": ["text_output"]}, {"draft table"}),
        ({"intake_levels": ["run_only"]}, {"draft table"}),
        ({"produced_from": "2026-01-04T00:00:00.000Z"}, {"closed profits memo"}),
        ({"produced_before": "2026-01-02T00:00:00.000Z", "kinds": ["document"]}, {"lost profits memo"}),
    ],
)
async def test_filters_narrow_it(shelf: Shelf, wanted: dict[str, Any], names: set[str]) -> None:
    assert set(await shelf.names("lost profits", **wanted)) == names


async def test_what_is_hidden_is_not_found(shelf: Shelf) -> None:
    outsider = await viewer_of(shelf.database, "prin_out", matters=[], scopes=())
    assert "closed profits memo" not in await shelf.names("closed profits memo", outsider)
    hidden = await shelf.find("profits", outsider, runs=[RecordRef(kind="Run", source="exec", key="closed")])
    missing = await shelf.find("profits", outsider, runs=[RecordRef(kind="Run", source="exec", key="never")])
    assert (hidden.hits, hidden.empty) == (missing.hits, missing.empty)


async def test_nothing_fits_is_an_answer(shelf: Shelf) -> None:
    answer = await shelf.find("sourdough recipe")
    assert not answer.hits
    assert answer.empty
    assert answer.empty.reason is SearchEmptyReason.below_threshold
    filtered = await shelf.find("lost profits memo", kinds=["email"])
    assert filtered.empty
    assert filtered.empty.reason is SearchEmptyReason.all_filtered
    nobody = await shelf.find("memo", await viewer_of(shelf.database, "prin_x", matters=["ent_other"], scopes=()))
    assert nobody.hits
    common = await shelf.find("?!")
    assert common.empty
    assert common.empty.reason is SearchEmptyReason.query_empty


async def test_without_a_text_what_passes_the_filters_is_told_the_newest_first(shelf: Shelf) -> None:
    everything = await shelf.find("  ", first=50)
    closed = [RecordRef(kind="Run", source="exec", key="closed")]
    assert everything.hits[0].name == "closed profits memo"
    assert {hit.name for hit in everything.hits} >= {"lost profits memo", "draft table"}
    assert await shelf.names("", runs=closed) == ["closed profits memo"]
    few = await shelf.find("", first=1)
    assert (len(few.hits), few.truncated, few.hits[0].id) == (1, True, everything.hits[0].id)
    none = await shelf.find("", kinds=["system_receipt"])
    assert none.empty
    assert none.empty.reason is SearchEmptyReason.all_filtered
    outsider = await viewer_of(shelf.database, "prin_out", matters=[], scopes=())
    hidden = await shelf.find("", outsider, first=50)
    assert "closed profits memo" not in [hit.name for hit in hidden.hits]


@pytest.mark.parametrize(
    ("text", "first", "wanted", "code"),
    [
        ("a\0", 5, {}, "invalid_input"),
        ("x" * 2_001, 5, {}, "text_too_long"),
        ("memo", 0, {}, "invalid_input"),
        ("memo", 5, {"runs": [RecordRef(key="x")]}, "invalid_input"),
        ("memo", 5, {"produced_from": "2027", "produced_before": "2026"}, "invalid_filter"),
    ],
)
async def test_what_cannot_be_searched_for_is_refused(
    shelf: Shelf, text: str, first: int, wanted: dict[str, Any], code: str
) -> None:
    with pytest.raises(TaskloreError) as refused:
        await shelf.find(text, first=first, **wanted)
    assert refused.value.code == code
