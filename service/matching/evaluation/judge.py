"""Matching on a labelled set, without a database.

Requests go through `asked` and `decide` as in the service; only the loading of assets is done in memory.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from embeddings import Vectors
from service.matching.answer import MatchAnswer
from service.matching.assets import Asset
from service.matching.calibration import Calibration
from service.matching.decide import decide
from service.matching.errors import RequestInvalid, RequestTooLong
from service.matching.evaluation.evaluate import (
    REFUSED,
    Build,
    Found,
    Match,
    Trial,
)
from service.matching.evaluation.evaluate import Known as Told
from service.matching.evaluation.vectors import VectorStore
from service.matching.likeness import Known
from service.matching.request import MatchRequest, asked

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
        imported = self._trial.library[key].workflow is not None
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
