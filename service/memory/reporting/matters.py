"""Matters that a policy names as their owner calls them: found before anything else, so that ids go on from here."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from service.access.viewer import Viewer
from service.errors import TaskloreError
from service.memory.reporting import cypher
from service.memory.reporting.answers import EventAnswer, rejected
from service.memory.reporting.errors import RefMissing
from service.memory.reporting.events import Reported
from service.memory.reporting.policy import MatterRef, RunPolicy

Ask = Callable[..., Awaitable[Mapping[str, Any] | None]]
"""`one` of a transaction, or `read_one` of a database."""


async def with_matters(ask: Ask, viewer: Viewer, events: list[Reported]) -> tuple[list[Reported], list[EventAnswer]]:
    """The events with ids for the matters that their policies name, without those whose matter is not there."""
    known = await found(ask, viewer, (one.model.policy for one in events))
    taken: list[Reported] = []
    refused: list[EventAnswer] = []
    for event in events:
        try:
            taken.append(_told(event, known))
        except TaskloreError as error:
            refused.append(rejected(event.index, event.event_id, error))
    return taken, refused


async def found(ask: Ask, viewer: Viewer, policies: Iterable[RunPolicy | None]) -> dict[MatterRef, str]:
    refs = {ref for one in policies if one is not None for ref in one.matters or ()}
    if not refs:
        return {}
    rows = [{"source": one.source, "key": one.key} for one in sorted(refs, key=str)]
    row = await ask(cypher.MATTERS_CALLED, rows=rows, audiences=viewer.audiences)
    return {MatterRef(source=source, key=key): one for source, key, one in row["found"]} if row else {}


def with_ids(policy: RunPolicy, known: Mapping[MatterRef, str]) -> RunPolicy:
    """The policy with ids in place of names. One that the caller does not see is not there for them."""
    if policy.matters is None:
        return policy
    for ref in policy.matters:
        if ref not in known:
            raise RefMissing("policy.matters", f"{ref.source}: {ref.key}")
    ids = {*(policy.matter_ids or ()), *(known[ref] for ref in policy.matters)}
    return policy.model_copy(update={"matter_ids": sorted(ids), "matters": None})


def _told(event: Reported, known: Mapping[MatterRef, str]) -> Reported:
    policy = event.model.policy
    if policy is None or policy.matters is None:
        return event
    return replace(event, model=event.model.model_copy(update={"policy": with_ids(policy, known)}))
