"""Reading all that a pack is made from, or as much of it as tells what has changed since."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

import orjson

from service.access.viewer import Viewer
from service.commands.agents import COMMANDS
from service.graph.database import Database, Row
from service.knowledge.lookup.models import model_classes
from service.knowledge.pack import cypher
from service.knowledge.pack.authored import authored_cards, overlaid
from service.knowledge.pack.cards import Sources, asset_hash, asset_ref, hashed
from service.knowledge.preflight.issues import CODES
from service.knowledge.specs.sections import own_sections
from service.notices import MESSAGES
from service.routing.agent.entrypoints import ENTRYPOINTS


async def sources_of(database: Database, viewer: Viewer) -> Sources:
    row = await database.read_one(cypher.SOURCES, audiences=viewer.audiences)
    return _sources(row or {}, row["assets"] if row else ())


async def hashes_now(database: Database, viewer: Viewer, known: Mapping[str, tuple[str, int | None]]) -> dict[str, str]:
    """The hash of each source as it is now. `known`: what a pack's cards were made from, with hash and version: what
    still has that version is not read again."""
    row = await database.read_one(cypher.SOURCE_VERSIONS, audiences=viewer.audiences)
    found = _sources(row or {}, ()).hashes()
    others: list[str] = []
    for record_id, kind, version in row["versions"] if row else ():
        ref = f"{kind.lower()} {record_id}"
        was = known.get(ref)
        if was is not None and was[1] == version:
            found[ref] = was[0]
        else:
            others.append(record_id)
    if others:
        rest = await database.read_one(cypher.SOURCE_ASSETS, ids=others, audiences=viewer.audiences)
        found |= {asset_ref(one): asset_hash(one) for one in (rest["assets"] if rest else ())}
    return found


def _sources(row: Mapping[str, Any], assets: Iterable[Row]) -> Sources:
    return Sources(
        types=row.get("types", ()),
        assets=[*assets],
        codes=_codes(),
        operations=sorted(COMMANDS),
        authored=overlaid(authored_cards(), row.get("written", ())),
        models=model_classes(),
        controls=_controls(),
        documents=_documents(row.get("documents", ())),
    )


def _controls() -> list[dict[str, Any]]:
    """The entrypoints of the Task Agent, plain."""
    return orjson.loads(orjson.dumps([asdict(one) for one in ENTRYPOINTS.values()]))


def _documents(registered: Iterable[list[Any]]) -> dict[str, str]:
    """One hash for each document: the registered ones, and our own."""
    own: dict[str, list[str]] = {}
    for one in own_sections():
        own.setdefault(one.document.key, []).append(one.body_hash)
    return {key: hashed(hashes) for key, hashes in (*own.items(), *registered)}


def _codes() -> dict[str, str]:
    """What each code means: what is said with it, or what was looked at when it comes from a preflight."""
    examined = {
        code: f"Preflight: {check.value.replace('_', ' ')} ({severity})." for check, (code, severity) in CODES.items()
    }
    return {**examined, **MESSAGES}
