"""A kept match: what was asked, what was answered, and the facts of each asset that was weighed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from graph_schema.model.fields import LONG_TEXT_LENGTH, TEXT_LENGTH
from service import clock
from service.graph.database import Row
from service.matching.answer import MatchAnswer, MatchCandidate, NoticeCode
from service.matching.assets import Asset
from service.matching.calibration import calibration_for
from service.matching.decide import decide
from service.matching.errors import MatchTooLarge
from service.matching.frozen import WHOEVER_ASKED, read_back
from service.matching.ranker import NAME, VERSION
from service.matching.request import MatchRequest, asked

MOST_KEPT = 40
RANKER = f"{NAME} {VERSION}"
_NAME = 120


@dataclass(frozen=True, slots=True)
class Question:
    """All that an answer depends on beside the assets. Whoever asked it goes by one name."""

    kind: str
    request: MatchRequest
    at: str
    model: str
    behind: bool = False

    def answer(self, assets: Sequence[Asset]) -> MatchAnswer:
        """By the rules of today, from these facts alone: neither the library nor an embedding model is asked."""
        question = asked(self.request, clock.parse(self.at), WHOEVER_ASKED)
        return replace(decide(question, assets, calibration_for(self.model), behind=self.behind), kind=self.kind)


@dataclass(frozen=True, slots=True)
class Kept:
    """A match as its reader may see it: `told` has a line for each asset, `facts` what is known of those."""

    id: str
    question: Question
    values: Row
    told: Mapping[str, Any]
    facts: Mapping[str, Asset]
    seen: frozenset[str]
    withheld: bool

    @property
    def weighed(self) -> list[Mapping[str, Any]]:
        """The lines of what the reader may see."""
        return [one for one in self.told["weighed"] if one["id"] in self.seen]

    @property
    def lacking(self) -> int:
        return len(self.seen) - len(self.facts)


def kept_of(row: Row) -> Kept:
    values, told = row["kept"], orjson.loads(row["kept"]["answer"])
    request = MatchRequest.of_details(orjson.loads(values["request_details"]))
    question = Question(
        values["asset_kind"], request, values["matched_at"], values["embedding_model"], told.get("behind", False)
    )
    facts = {one["id"]: asset for one in row["weighed"] if (asset := read_back(one["facts"])) is not None}
    seen = frozenset(one["id"] for one in row["weighed"])
    return Kept(values["id"], question, values, told, facts, seen, row["withheld"])


def values_of(question: Question, answer: MatchAnswer, left_out: int) -> dict[str, Any]:
    """The fields of the record."""
    request = question.request
    details = orjson.dumps(request.details()).decode()
    if len(details) > LONG_TEXT_LENGTH:
        raise MatchTooLarge(LONG_TEXT_LENGTH, len(details))
    return {
        "name": shortened(request.text.strip() or "(empty request)", _NAME),
        "asset_kind": question.kind,
        "request": request.text,
        "request_details": details,
        "ranker": RANKER,
        "embedding_model": question.model,
        "matched_at": question.at,
        "answer": orjson.dumps({**told_of(answer), "left_out": left_out, "behind": question.behind}).decode(),
        **said_of(answer),
    }


def said_of(answer: MatchAnswer) -> dict[str, Any]:
    return {
        "outcome": answer.outcome.value,
        "confidence": answer.confidence,
        "recommended_action": answer.recommended_action.value,
        "explanation": shortened(answer.explanation, TEXT_LENGTH),
    }


def told_of(answer: MatchAnswer) -> dict[str, Any]:
    """What the decision was, in numbers. Its sentences are made again from the facts."""
    return {
        "outcome": answer.outcome.value,
        "confidence": answer.confidence,
        "recommended": [one.id for one in answer.recommended],
        "weighed": [_scores(one) for one in answer.weighed],
    }


def waits_for_vectors(answer: MatchAnswer) -> bool:
    return any(one.code == NoticeCode.vectors_behind for one in answer.warnings)


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _scores(one: MatchCandidate) -> dict[str, Any]:
    return {
        "id": one.id,
        "name": shortened(one.name, _NAME),
        "version": one.version,
        "score": one.scores.overall_score,
        "probability": one.scores.probability,
        "parts": [part.score for part in one.parts],
        "vetoes": [veto.kind.value for veto in one.hard_vetoes],
    }
