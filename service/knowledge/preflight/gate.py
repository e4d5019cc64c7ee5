"""The gate in front of graphs of agents: what was not examined is not saved, nor is anything designed from a pack that
is behind, as far as the education profile says so."""

from typing import Any

from graph_schema.knowledge.words import PreflightStatus, StalePackBehavior
from graph_schema.routing.agent import TASK_AGENT
from service.access.agents import is_agent
from service.commands import State, Work
from service.knowledge.errors import GraphNotExamined, PackBehind
from service.knowledge.lookup.profile import EducationProfileHeld, profile_of
from service.knowledge.preflight import cypher

CAREFUL = frozenset({StalePackBehavior.block_graph_proposals, StalePackBehavior.degraded_lookup_only})


async def require_preflight(work: Work, owner: State, graph_hash: str) -> None:
    """Refuse an agent a graph that nobody has examined as it is, or that was found to have something to be mended."""
    del owner
    if not is_agent(work.viewer):
        return
    row = await _held(work, graph_hash)
    profile = profile_of(row["profile"])
    _check_pack(profile, row["pack"])
    if not profile.require_preflight_before_save:
        return
    kept = row["preflight"]
    if kept is None:
        raise GraphNotExamined(graph_hash, ())
    if kept["status"] == PreflightStatus.blocked:
        raise GraphNotExamined(graph_hash, kept["blocking_codes"])


async def check_pack(work: Work) -> None:
    """Refuse an agent a design while the pack in use is behind, where its profile says so."""
    if is_agent(work.viewer):
        row = await _held(work, "")
        _check_pack(profile_of(row["profile"]), row["pack"])


async def _held(work: Work, graph_hash: str) -> dict[str, Any]:
    row = await work.transaction.one(cypher.GATE, hash=graph_hash, agent=TASK_AGENT, audiences=work.viewer.audiences)
    return row or {"profile": None, "pack": None, "preflight": None}


def _check_pack(profile: EducationProfileHeld, pack: dict[str, Any] | None) -> None:
    if pack and pack.get("blocking_drift") and profile.stale_pack_behavior in CAREFUL:
        raise PackBehind(pack["id"])
