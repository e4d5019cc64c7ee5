"""`python -m service.matching.evaluation.judge FILE`: the figures of matching on a labelled set, without a database.

Requests go through `asked` and `decide` as in the service; only the loading of assets is done in memory.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from embeddings import Vectors
from service.matching.answer import MatchAnswer
from service.matching.assets import Asset
from service.matching.calibration import Calibration, KnownBy, Models, calibration_for
from service.matching.decide import decide
from service.matching.errors import RequestInvalid, RequestTooLong
from service.matching.evaluation.evaluate import (
    MOST_REQUESTS,
    PHRASES,
    REFUSED,
    Build,
    Found,
    Match,
    Trial,
    read,
    read_texts,
    report,
)
from service.matching.evaluation.evaluate import Known as Told
from service.matching.evaluation.vectors import VectorStore
from service.matching.likeness import Known
from service.matching.request import MatchRequest, asked

MODEL, SECOND = "bge-small-en-v1.5", "all-minilm-l6-v2"
_NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Library:
    """Templates in memory: each has a card, perhaps phrases, and their vectors."""

    def __init__(
        self, trial: Trial, store: VectorStore, fitted: Calibration, second: VectorStore | None = None
    ) -> None:
        self._trial = trial
        self._store = store
        self._second = second
        self._fitted = fitted
        self._known = {key: self._known_as(one) for key, one in trial.library.items()}

    def _known_as(self, one: Told) -> Known:
        second = self._second.of([one.card])[0] if self._second else None
        return Known(one.texts, self._store.of(one.texts), second)

    def answer(self, text: str) -> MatchAnswer:
        question = asked(MatchRequest(text), _NOW)
        vector = self._store.of([question.compared])[0]
        second = self._second.of([question.compared])[0] if self._second else None
        assets = [self._asset(key, vector, question.stems, second) for key in self._known]
        return decide(question, assets, self._fitted)

    def find(self, text: str) -> Found:
        try:
            return found(self.answer(text))
        except (RequestTooLong, RequestInvalid):
            return REFUSED

    def _asset(self, key: str, vector: Vectors, stems: frozenset[str], second: Vectors | None) -> Asset:
        likeness = self._known[key].likeness(vector, stems, second)
        imported = self._trial.known_by is KnownBy.imported
        return Asset(key, "Template", self._trial.library[key].name, likeness, imported=imported)


def found(answer: MatchAnswer) -> Found:
    """What an answer says, with the assets in the order in which it would offer them."""
    ranked = sorted((one for one in answer.weighed if not one.vetoed), key=lambda one: (-one.logit, one.id))
    return Found([one.id for one in ranked], answer.outcome, answer.confidence, answer.any_fits)


def builder(store: VectorStore, fitted: Calibration, second: VectorStore | None = None) -> Build:
    def build(trial: Trial) -> Match:
        library = Library(trial, store, fitted, second)

        def match(texts: Sequence[str]) -> Sequence[Found]:
            return [library.find(text) for text in texts]

        return match

    return build


def main(
    dataset: Annotated[Path, typer.Argument(help="Labelled requests, as JSON lines.")],
    *,
    far: Annotated[Path | None, typer.Option(help="Another set, whose requests fit nothing here.")] = None,
    model: Annotated[str, typer.Option(help="The embedding model.")] = MODEL,
    second: Annotated[str, typer.Option(help="The second model; empty: none.")] = SECOND,
    phrases: Annotated[int, typer.Option(help="How many training texts a template gets.")] = PHRASES,
    most: Annotated[int, typer.Option(help="How many requests are taken from each set.")] = MOST_REQUESTS,
    vectors: Annotated[Path | None, typer.Option(help="A folder to keep vectors in.")] = None,
) -> None:
    store = VectorStore(model, vectors)
    beside = VectorStore(second, vectors) if second else None
    build = builder(store, calibration_for(Models(store.key, beside.key if beside else None).key), beside)
    told = report(read(dataset), read_texts(far) if far else None, build, phrases, most)
    typer.echo("\n".join(told.lines()))


if __name__ == "__main__":
    typer.run(main)
