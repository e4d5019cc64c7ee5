"""The pack in use: how far it has come, what it may be used for, and what has changed since."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import orjson

from graph_schema.knowledge.words import PackReadiness, PackState, PackUse
from service.access.viewer import Viewer
from service.graph.database import Database
from service.knowledge.pack import cypher
from service.knowledge.pack.drift import DriftSeverity, KnowledgeDrift, drift, evaluated
from service.knowledge.pack.load import hashes_now
from service.notices import Notice, notices_of
from service.views import Id, Linked

BLOCKING, BEHIND = "validation.task_knowledge_pack_stale_blocking", "warning.knowledge_pack_stale_nonblocking"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeStatus:
    """The knowledge pack in use, held against what there is now."""

    pack_id: Annotated[Id | None, "The pack in use. Null when there is none."]
    pack_state: Annotated[PackState | None, "Where it stands."]
    readiness_state: Annotated[PackReadiness, "How far it has come."]
    activated_for: Annotated[
        tuple[PackUse, ...], "What it may be used for now: with blocking drift, for looking things up alone."
    ]
    missing_required_cards: Annotated[tuple[str, ...], "What it lacks for production."]
    drift: Annotated[tuple[KnowledgeDrift, ...], "What has changed since it was compiled."]
    notices: Annotated[tuple[Notice, ...], "Whether it is behind, and how much that matters."]
    noted: str | None = None
    """Hash of the drift that was told of last."""
    pack: ClassVar = Linked("pack_id", "The pack.", "KnowledgePack")


class KnowledgePacks:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def status(self, viewer: Viewer) -> KnowledgeStatus:
        row = await self._database.read_one(cypher.ACTIVE, audiences=viewer.audiences)
        if row is None:
            return _NONE
        pack, cards = row["pack"], row["cards"]
        known = {ref: (digest, version) for ref, _, digest, version in cards if digest}
        before = {ref: digest for ref, (digest, _) in known.items()} | orjson.loads(pack.get("sources") or "{}")
        now = await hashes_now(self._database, viewer, known)
        found = (*drift(before, now, _by_source(cards)), *evaluated(row["run"]))
        blocked = any(one.severity is DriftSeverity.blocking for one in found)
        uses = (PackUse.inspection_only,) if blocked else tuple(PackUse(one) for one in pack.get("activated_for") or ())
        return KnowledgeStatus(
            pack_id=pack["id"],
            pack_state=PackState(pack["pack_state"]),
            readiness_state=PackReadiness(pack["readiness_state"]),
            activated_for=uses,
            missing_required_cards=tuple(pack.get("missing_required_cards") or ()),
            drift=found,
            notices=notices_of([BLOCKING] if blocked else [BEHIND] if found else []),
            noted=pack.get("drift_hash"),
        )


_NONE = KnowledgeStatus(
    pack_id=None,
    pack_state=None,
    readiness_state=PackReadiness.schema_only,
    activated_for=(),
    missing_required_cards=("a pack that was compiled and activated",),
    drift=(),
    notices=(),
)


def _by_source(cards: Sequence[Sequence[Any]]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for ref, card, *_ in cards:
        found[ref] = (*found.get(ref, ()), card)
    return found
