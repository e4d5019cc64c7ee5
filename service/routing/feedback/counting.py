"""Counts a response in the tally of its class, within the transaction that stores it."""

from dataclasses import asdict
from typing import Any

from graph_schema.routing.words import Verdict
from service.commands import State, Work
from service.routing.feedback import cypher
from service.routing.feedback.read import tally_of
from service.routing.feedback.rules import Limits, Tally, counted

MOST_EVIDENCE = 10
_OTHER = {"InvocationTrace": "SuggestionFeedback", "SuggestionFeedback": "InvocationTrace"}


async def is_counted_already(work: Work, label: str, request_ref: str, verdict: Verdict) -> bool:
    """Whether the same response was told in the other way: a trace and feedback on one request count once."""
    row = await work.transaction.one(
        cypher.TOLD,
        request=request_ref,
        verdict=verdict.value,
        label=label,
        other=_OTHER[label],
        audiences=work.viewer.audiences,
    )
    return bool(row and row["counted"] > row["uncounted"])


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
