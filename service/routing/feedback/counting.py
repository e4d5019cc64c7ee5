"""Counts a response in the tally of its class, within the transaction that stores it."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from graph_schema.routing.words import Verdict
from service import clock
from service.commands import State, Work
from service.routing.feedback import cypher
from service.routing.feedback.read import tally_of
from service.routing.feedback.rules import DAY, Limits, Tally, counted

MOST_EVIDENCE = 10


async def is_counted_already(work: Work, told: Mapping[str, Any], verdict: Verdict, at: str) -> bool:
    """Whether the same response to the same request was told before: it counts once a day, however often it is told.

    A request that is made again another day, in the same words, is refused anew.
    """
    given = clock.parse(at)
    row = await work.transaction.one(
        cypher.TOLD,
        request=told["user_request_ref"],
        context_class=told.get("context_class_key") or told["context_class"],
        verdict=verdict.value,
        after=clock.stamp(given - DAY),
        before=clock.stamp(given + DAY),
        audiences=work.viewer.audiences,
    )
    return bool(row and row["counted"])


async def count(work: Work, told: State, verdict: Verdict, at: str, limits: Limits) -> None:
    """In the tally of those who may see the response, which is made when it is the first."""
    context_class: str = told.properties.get("context_class_key") or told.properties["context_class"]
    state = await _tally(work, context_class, told.properties["audience"])
    before = tally_of(state.properties) if state else Tally()
    known: list[str] = state.properties["evidence_ids"] if state else []
    values = {
        **_values(counted(before, verdict, at, limits)),
        "evidence_ids": [told.id, *known][:MOST_EVIDENCE],
    }
    tally = work.update(state, values) if state else _new(work, told, context_class, values)
    work.link(told, "COUNTED_IN", tally)


async def _tally(work: Work, context_class: str, audience: str) -> State | None:
    """Locked, so that no two count from the same state."""
    row = await work.transaction.one(cypher.TALLY, context_class=context_class, audience=audience)
    kind = work.registry.types["SuggestionTally"]
    return State(kind, tuple(row["labels"]), row["properties"]) if row else None


def _new(work: Work, told: State, context_class: str, values: dict[str, Any]) -> State:
    access = {name: told.properties[name] for name in ("data_class", "matter_ids")}
    given = {name: value for name, value in values.items() if value is not None}
    named = {"name": context_class[:200], "context_class": context_class}
    return work.create(work.registry.types["SuggestionTally"], {**named, **access, **given})


def _values(tally: Tally) -> dict[str, Any]:
    return {name: [*value] if isinstance(value, tuple) else value for name, value in asdict(tally).items()}
