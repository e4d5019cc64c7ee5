"""From which score on evidence binds by meaning: `python -m tests.bench.calibration.scope`.

Labelled mails, half of which are about nothing that is known or could be about two things alike. A mail that is bound
to the wrong record is a breach; one that is left as a candidate costs a question. So the thresholds are the lowest with
which neither packaged model binds wrongly (TASKLORE_EMBEDDING_MODEL chooses the one that is judged).
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from embeddings import load
from graph_schema.registry import REGISTRY
from service.artifacts import ensure
from service.commands.card_text import card_text
from service.context.scope import resolve
from service.search import ranker
from service.settings import load_settings

MAILS = Path(__file__).with_name("scope_mails.json")
STEPS = [round(0.3 + 0.05 * step, 2) for step in range(10)]
MARGINS = [0.0, 0.05, 0.1, 0.15]


def scores() -> list[tuple[str | None, list[tuple[str, float]]]]:
    """For every mail what it is about, and all entities with their scores, best first."""
    told = json.loads(MAILS.read_text("utf-8"))
    settings = load_settings()
    embedder = load(settings.embedding_model, lambda group: ensure(group, settings.cache, lambda _line: None)[0])
    kind = REGISTRY.types["Entity"]
    values: list[dict[str, Any]] = [{"name": name, "summary": summary} for name, _kind, summary in told["entities"]]
    texts = [card_text(kind, one) for one in values]

    def near(cosine: float) -> ranker.Near:
        return ranker.Near(cosine, embedder.unrelated)

    cards = np.asarray(embedder.embed_texts(texts))
    found: list[tuple[str | None, list[tuple[str, float]]]] = []
    for subject, right in told["mails"]:
        cosines = cards @ np.asarray(embedder.embed_query(subject))
        asked = ranker.asked(subject)
        ranked = [
            (one["name"], ranker.score(asked, ranker.Names("", one["name"]), text, near(float(cosine))).score)
            for one, text, cosine in zip(values, texts, cosines, strict=True)
        ]
        found.append((right, sorted(ranked, key=lambda one: -one[1])))
    return found


def main() -> None:
    judged = scores()
    print(f"now: bound at {resolve.BIND_AT}, clear by {resolve.CLEAR_BY}, doubtful from {resolve.DOUBT_AT}")
    print("bound at, clear by: right, wrong, left open of those with a right answer")
    for least in STEPS:
        for margin in MARGINS:
            bound = [
                (right, ranked[0][0])
                for right, ranked in judged
                if ranked[0][1] >= least and ranked[1][1] <= ranked[0][1] - margin
            ]
            right = sum(one == other for one, other in bound)
            known = sum(one is not None for one, _ranked in judged)
            print(f"{least:.2f} {margin:.2f}: {right:2d} {len(bound) - right:2d} {known - right:2d}")
    kept = sorted(dict(ranked)[right] for right, ranked in judged if right is not None)
    print(f"scores of right answers: least {kept[0]:.2f}, median {kept[len(kept) // 2]:.2f}")


if __name__ == "__main__":
    main()
