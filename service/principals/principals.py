"""What commands do to principals while their transaction is open."""

from collections.abc import Iterable, Mapping
from typing import Any

from service import clock
from service.access import cypher
from service.access.agents import CLOSED_SCOPES
from service.access.audience import cleared
from service.access.errors import (
    DefaultNotAllowed,
    MattersMissing,
    PrincipalMissing,
    PrincipalNameTaken,
    ScopeNotAllowed,
)
from service.access.viewer import KeyScope, PrincipalKind
from service.commands import Work
from service.ids import new_id
from service.principals.events import append_event

Values = dict[str, Any]

SHOWN = ("id", "name", "kind", "clearance", "matter_ids", "all_matters", "created_at", "disabled_at", "version")


async def create(work: Work, values: Mapping[str, Any]) -> Values:
    await check_matters(work, values["matter_ids"])
    times = {"created_at": work.at, "updated_at": work.at}
    properties: Values = {**values, "id": new_id("prn"), "version": 1, **times}
    row = await work.transaction.one(cypher.CREATE_PRINCIPAL, name=values["name"], properties=properties)
    if not row or not row["created"]:
        raise PrincipalNameTaken(values["name"])
    append_event(work, "access.principal_created", properties["id"], "Principal", version=1, at=work.at)
    return _shown(properties)


async def locked(work: Work, name_or_id: str) -> Values:
    """The principal's properties. Nobody else changes it until the transaction ends."""
    row = await work.transaction.one(cypher.LOCK_PRINCIPAL, principal=name_or_id)
    if row is None:
        raise PrincipalMissing(name_or_id)
    return row["principal"]


async def change(work: Work, before: Values, values: Mapping[str, Any], kind: str) -> Values:
    """Set these values and keep the former ones. Without a difference there is no change and no event."""
    changed = sorted(name for name, value in values.items() if before.get(name) != value)
    if not changed:
        return _shown(before)
    if "name" in changed and await work.transaction.one(cypher.NAME_TAKEN, name=values["name"]):
        raise PrincipalNameTaken(values["name"])
    at = clock.not_before(before["updated_at"])
    changes: Values = {**values, "version": before["version"] + 1, "updated_at": at}
    await work.transaction.run(cypher.SAVE_PRINCIPAL, id=before["id"], at=at, changes=changes)
    append_event(work, kind, before["id"], "Principal", version=changes["version"], at=at, changed=changed)
    return _shown({**before, **changes})


async def join(work: Work, matter_id: str) -> None:
    """Make who asks a member of a matter, as the one who opened it; with an event for administrators."""
    row = await work.transaction.one(cypher.ADD_MEMBERSHIP, principal_id=work.viewer.principal_id, matter_id=matter_id)
    if row:
        append_event(
            work,
            "access.matters_granted",
            row["id"],
            "Principal",
            version=row["version"],
            at=work.at,
            changed=["matter_ids"],
            other=matter_id,
        )


async def check_matters(work: Work, matter_ids: Iterable[str]) -> None:
    """A slip in an id must not become a membership that opens when somebody takes that id."""
    wanted = {*matter_ids}
    row = await work.transaction.one(cypher.KNOWN_MATTERS, matter_ids=sorted(wanted)) if wanted else None
    missing = wanted - {*(row["known"] if row else ())}
    if missing:
        raise MattersMissing(missing)


def check_scopes(name: str, kind: str, scopes: Iterable[str]) -> None:
    """What only people may do, an agent's key is not made for."""
    closed = CLOSED_SCOPES.intersection(scopes) if kind == PrincipalKind.agent else frozenset[KeyScope]()
    if closed:
        raise ScopeNotAllowed(name, closed)


async def check_kind(work: Work, before: Values, values: Mapping[str, Any]) -> None:
    """Whoever becomes an agent has no key any more that an agent could not have."""
    if values.get("kind") == PrincipalKind.agent and before["kind"] != PrincipalKind.agent:
        row = await work.transaction.one(cypher.SCOPES_HELD, id=before["id"], now=work.at)
        check_scopes(before["name"], PrincipalKind.agent, row["scopes"] if row else ())


async def check_defaults(work: Work, owner: Values, key: Mapping[str, Any]) -> None:
    """A key says nothing by default that its principal could not say. What changes later is seen when it is used."""
    data_class, matters = key.get("default_data_class"), {*key.get("default_matter_ids", ())}
    if data_class is not None and not cleared(owner["clearance"], data_class):
        raise DefaultNotAllowed("default_data_class", f"{data_class} is above the clearance of {owner['name']}")
    await check_matters(work, matters)
    if not owner["all_matters"] and not matters <= {*owner["matter_ids"]}:
        raise DefaultNotAllowed("default_matter_ids", f"{owner['name']} is not a member of every matter named")


def _shown(properties: Mapping[str, Any]) -> Values:
    return {name: properties.get(name) for name in SHOWN}
