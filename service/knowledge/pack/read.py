"""The pack in use: how far it has come, what it may be used for, and what has changed since."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

import orjson

from graph_schema.knowledge.words import PackReadiness, PackState, PackUse
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.graph.database import Database
from service.knowledge.pack import cypher
from service.knowledge.pack.drift import DriftRemedy, DriftSeverity, KnowledgeDrift, drift, evaluated
from service.knowledge.pack.load import hashes_now
from service.knowledge.pack.readiness import USES
from service.notices import Notice, notices_of
from service.views import Id, Linked

BLOCKING, BEHIND = "validation.task_knowledge_pack_stale_blocking", "warning.knowledge_pack_stale_nonblocking"


@dataclass(frozen=True, slots=True, kw_only=True)
class PackStage:
    """A state of readiness, and what a pack lacks for it."""

    readiness_state: Annotated[PackReadiness, "The state."]
    reached: Annotated[bool, "Whether the pack has reached it, and all that stand before it."]
    missing: Annotated[tuple[str, ...], "What this state itself asks for, and the pack lacks."]


@dataclass(frozen=True, slots=True, kw_only=True)
class PackUseStanding:
    """Something that a pack may be used for, and what it lacks for that."""

    use: Annotated[PackUse, "What for."]
    ready: Annotated[bool, "Whether it may be used so now."]
    needs: Annotated[PackReadiness, "The state that this asks for."]
    missing: Annotated[tuple[str, ...], "What it lacks, of this state and of all that stand before it."]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeStatus:
    """A knowledge pack, held against what there is now."""

    pack_id: Annotated[Id | None, "The pack: the one in use, unless another was named. Null when there is none."]
    pack_state: Annotated[PackState | None, "Where it stands."]
    readiness_state: Annotated[PackReadiness, "How far it has come."]
    activated_for: Annotated[
        tuple[PackUse, ...], "What it may be used for now: with blocking drift, for looking things up alone."
    ]
    missing_required_cards: Annotated[tuple[str, ...], "What it lacks for production."]
    states: Annotated[tuple[PackStage, ...], "The nine states of readiness, in their order."]
    uses: Annotated[tuple[PackUseStanding, ...], "The five uses."]
    eval_failures: Annotated[
        tuple[str, ...], "Checks of the evaluation suite that its own worked examples do not meet."
    ]
    drift: Annotated[tuple[KnowledgeDrift, ...], "What has changed since it was compiled."]
    notices: Annotated[tuple[Notice, ...], "Whether it is behind, and how much that matters."]
    noted: str | None = None
    """Hash of the drift that was told of last."""
    pack: ClassVar = Linked("pack_id", "The pack.", "KnowledgePack")

    @property
    def stale_source_refs(self) -> Annotated[tuple[str, ...], "Sources that are not as they were."]:
        return tuple(one.source_ref for one in self.drift)


class KnowledgePacks:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def status(self, viewer: Viewer, pack_id: str | None = None) -> KnowledgeStatus:
        """Of the pack that is named, else of the one in use."""
        row = await self._database.read_one(cypher.PACK, id=pack_id, audiences=viewer.audiences)
        if row is None and pack_id is not None:
            raise RecordMissing(RecordRef(id=pack_id), "pack")
        if row is None:
            return _NONE
        pack, cards = row["pack"], row["cards"]
        known = {ref: (digest, version) for ref, _, digest, version in cards if digest}
        before = {ref: digest for ref, (digest, _) in known.items()} | orjson.loads(pack.get("sources") or "{}")
        now = await hashes_now(self._database, viewer, known)
        found = (*drift(before, now, _by_source(cards)), *(each for one in row["runs"] for each in evaluated(one)))
        if pack["pack_state"] == PackState.staged:  # what blocks keeps it from ever coming into use
            found = tuple(_held_up(one) for one in found)
        blocked = any(one.severity is DriftSeverity.blocking for one in found)
        uses = (PackUse.inspection_only,) if blocked else tuple(PackUse(one) for one in pack.get("activated_for") or ())
        return KnowledgeStatus(
            pack_id=pack["id"],
            pack_state=PackState(pack["pack_state"]),
            readiness_state=PackReadiness(pack["readiness_state"]),
            activated_for=uses,
            missing_required_cards=tuple(pack.get("missing_required_cards") or ()),
            **_standing(pack, blocked=blocked),
            eval_failures=tuple(pack.get("eval_failures") or ()),
            drift=found,
            notices=notices_of([BLOCKING] if blocked else [BEHIND] if found else []),
            noted=pack.get("drift_hash"),
        )


def _held_up(one: KnowledgeDrift) -> KnowledgeDrift:
    blocks = one.severity is DriftSeverity.blocking
    return replace(one, remediation=DriftRemedy.block_activation) if blocks else one


def _standing(pack: Mapping[str, Any], *, blocked: bool) -> dict[str, Any]:
    lacks: Mapping[str, list[str]] = orjson.loads(pack.get("missing_by_state") or "{}")
    order = tuple(PackReadiness)
    reached = order.index(PackReadiness(pack["readiness_state"]))
    states = tuple(
        PackStage(readiness_state=one, reached=rank <= reached, missing=tuple(lacks.get(one, ())))
        for rank, one in enumerate(order)
    )
    behind = ("a new pack: what it tells of has changed (compileKnowledge)",)
    uses = tuple(
        PackUseStanding(
            use=use,
            ready=order.index(needs) <= reached and not (blocked and needs is not PackReadiness.schema_only),
            needs=needs,
            missing=(
                *(each for one in states[: order.index(needs) + 1] for each in one.missing),
                *(behind if blocked and needs is not PackReadiness.schema_only else ()),
            ),
        )
        for use, needs in USES.items()
    )
    return {"states": states, "uses": uses}


_NO_PACK = ("a pack that was compiled and activated",)
_NONE = KnowledgeStatus(
    pack_id=None,
    pack_state=None,
    readiness_state=PackReadiness.schema_only,
    activated_for=(),
    missing_required_cards=_NO_PACK,
    states=tuple(PackStage(readiness_state=one, reached=False, missing=_NO_PACK) for one in PackReadiness),
    uses=tuple(PackUseStanding(use=use, ready=False, needs=needs, missing=_NO_PACK) for use, needs in USES.items()),
    eval_failures=(),
    drift=(),
    notices=(),
)


def _by_source(cards: Sequence[Sequence[Any]]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for ref, card, *_ in cards:
        found[ref] = (*found.get(ref, ()), card)
    return found
