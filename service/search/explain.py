"""Why nothing was found, from what the viewer may see and from nothing else."""

from collections import Counter
from collections.abc import Sequence

from service.graph.database import Row
from service.search.answer import Empty, SearchEmptyReason, SearchHit, SearchWarning, SearchWarningCode
from service.search.ranker import THRESHOLD


def nothing_to_look_for(text: str) -> Empty:
    if not text.strip():
        return Empty(SearchEmptyReason.query_empty, "The search text is empty.")
    return Empty(
        SearchEmptyReason.query_empty,
        "The search text has only common words or none at all, and no record is called by it. Name what it is about.",
    )


def why_empty(extent: Row, best: SearchHit | None, kept_out: Sequence[SearchHit]) -> Empty:
    """`kept_out` are the records that would be hits but for the filters; `best` came nearest inside them."""
    if not extent["visible"]:
        return Empty(SearchEmptyReason.no_data, "There is nothing yet that you may see and that can be searched.")
    if kept_out:
        return Empty(SearchEmptyReason.all_filtered, _kept_out(kept_out), _score(best))
    if not extent["inside"]:
        return Empty(
            SearchEmptyReason.all_filtered,
            f"None of the {_records(extent['visible'])} that you may see passes the filters by kind and lifecycle.",
        )
    if extent["behind"]:
        return Empty(SearchEmptyReason.index_not_ready, _not_ready(extent), _score(best))
    return Empty(SearchEmptyReason.below_threshold, _too_low(extent, best), _score(best))


def behind_warning(count: int) -> SearchWarning:
    message = f"{_records(count)} had no current vector and could be compared by words only. Search again in a moment."
    return SearchWarning(SearchWarningCode.vectors_behind, message, count)


def unavailable_warning() -> SearchWarning:
    return SearchWarning(
        SearchWarningCode.index_unavailable,
        "An index is missing or being built, so every record was looked at. The answer is complete, but slower.",
    )


def _kept_out(hits: Sequence[SearchHit]) -> str:
    counts = Counter("archived" if one.archived else f"of kind {one.kind}" for one in hits)
    listed = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    return f"What fits is kept out by the filters by kind and lifecycle: {listed}."


def _not_ready(extent: Row) -> str:
    return (
        f"{extent['behind']:,} of {_records(extent['inside'])} have no current vector yet and could be compared by "
        f"words only; nothing else reaches the threshold of {THRESHOLD}. Search again in a moment."
    )


def _too_low(extent: Row, best: SearchHit | None) -> str:
    nearest = f"the nearest has {best.score:.3f}" if best else "none has a word or a meaning in common with it"
    return f"None of {_records(extent['inside'])} reaches the threshold of {THRESHOLD}: {nearest}."


def _score(hit: SearchHit | None) -> float | None:
    return hit.score if hit else None


def _records(count: int) -> str:
    return f"{count:,} record{'s' * (count != 1)}"
