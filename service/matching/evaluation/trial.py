"""Matching judged through the service: templates saved by commands, requests matched as the API matches them."""

from collections.abc import Callable, Mapping, Sequence

from graph_schema.model.fields import DataClass
from service.access.audience import audience_of
from service.access.viewer import KeyScope, Viewer
from service.capability import Services
from service.cards.embedding import embed_behind
from service.matching import cypher
from service.matching.errors import GraphNotEmpty, RequestInvalid, RequestTooLong
from service.matching.evaluation.evaluate import REFUSED, Dataset, Found, Trial, card_of, judged, trials
from service.matching.evaluation.figures import Figures, Judged, figures, mean_of
from service.matching.read import Matching
from service.matching.request import MatchRequest
from service.records import Records

Progress = Callable[[str], None]
SOURCE = "evaluation"
_EVERYTHING = 10_000_000
_JUDGE = Viewer(
    "prin_evaluation",
    "evaluation",
    frozenset({KeyScope.read, KeyScope.curate}),
    DataClass.internal,
    frozenset(),
    False,
    (audience_of(DataClass.internal, []),),
)


async def judged_in(
    services: Services, known: Dataset, far: Dataset | None, *, phrases: int, most: int, progress: Progress
) -> Figures:
    """The figures in the graph of these services, which must be empty."""
    database = services.ground.database
    [row] = await database.read(cypher.COUNT)
    if row["records"]:
        raise GraphNotEmpty(row["records"])
    found: list[Figures] = []
    for number, trial in enumerate(trials(known, far, phrases, most), 1):
        progress(f"draw {number}: {len(trial.library)} templates, {len(trial.requests):,} requests")
        try:
            found.append(figures(await _judged(services, trial)))
        finally:
            await database.run_alone(cypher.EMPTY, principal=_JUDGE.principal_id)
    return mean_of(found)


async def _judged(services: Services, trial: Trial) -> list[Judged]:
    intents = await _load(services[Records], trial.library)
    await embed_behind(services.ground.database, services.ground.embeddings, _EVERYTHING)
    matching = services[Matching]
    return [judged(one, await _found(matching, one.text, intents)) for one in trial.requests]


async def _load(records: Records, library: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The intents by the ids of their templates: two intents may have one name."""
    intents: dict[str, str] = {}
    for intent, phrases in library.items():
        values = {"name": card_of(intent), "trigger_phrases": list(phrases), "source": SOURCE, "source_key": intent}
        intents[(await records.save(_JUDGE, "Template", values)).result["id"]] = intent
    return intents


async def _found(matching: Matching, text: str, intents: Mapping[str, str]) -> Found:
    try:
        answer = await matching.match(_JUDGE, "Template", MatchRequest(text))
    except (RequestTooLong, RequestInvalid):
        return REFUSED
    first = answer.recommended[0] if answer.recommended else answer.losers[0].candidate if answer.losers else None
    return Found(intents[first.asset.id] if first else None, answer.confidence, answer.any_fits)
