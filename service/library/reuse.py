"""Reuse comes first: what is asked of a new graph, and what is said of one that was refined."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from graph_schema.library.words import MatchOutcome
from service import clock
from service.access.viewer import PrincipalKind
from service.commands import RecordRef, Work
from service.commands.work import State
from service.library.cypher import assets as cypher
from service.library.errors import SearchRequired
from service.library.graphs import GraphInput
from service.library.snapshots import SavedGraph
from service.library.ties import tied_modules
from service.library.warnings import LibraryWarning
from service.matching.request import MatchRequest, asked

_FRESH = timedelta(days=1)
"""How long a search speaks for the library as it is."""


async def check_reuse(work: Work, saved: SavedGraph, searched: RecordRef | None) -> list[str]:
    """Refuse an agent's new graph that nobody looked for a template before; return what a person should look at."""
    match = _match(work, searched)
    if match is not None:
        work.link(saved.owner, "DESIGNED_AFTER", match)
    if not saved.changed:
        return []
    by_agent = work.viewer.kind is PrincipalKind.agent
    facts = await work.transaction.one(cypher.DESIGN_FACTS, id=saved.owner.id, audiences=work.viewer.audiences)
    is_new = not saved.former and not (facts and facts["from_template"])
    if is_new and by_agent:
        await _check_search(work, match)
    warnings: list[str] = []
    if is_new and match is not None and match.properties["outcome"] == MatchOutcome.match:
        warnings.append(LibraryWarning.template_match_available_but_new_graph_requested.value)
    if not by_agent and not (facts and facts["has_case"]) and await _is_refined(work, saved):
        warnings.append(LibraryWarning.task_design_case_candidate.value)
    return warnings


def _match(work: Work, searched: RecordRef | None) -> State | None:
    if searched is None:
        return None
    return work.existing(searched, "searched", ["MatchDecision"])


async def _check_search(work: Work, match: State | None) -> None:
    """Whoever makes something new has looked themselves, lately, for a template, with words that could find one."""
    if match is None:
        raise SearchRequired
    kept = match.properties
    if kept["asset_kind"] != "Template":
        raise SearchRequired(f"it looked for a {kept['asset_kind']}, not for a template")
    if not asked(MatchRequest(kept["request"])).compared:
        raise SearchRequired("its request has no words that could be compared")
    row = await work.transaction.one(cypher.KEPT_BY, id=match.id, audiences=work.viewer.audiences)
    if row is None or row["principal_id"] != work.viewer.principal_id:
        raise SearchRequired("somebody else made it")
    if kept["matched_at"] < clock.ago(_FRESH):
        raise SearchRequired("it is older than a day")


async def _is_refined(work: Work, saved: SavedGraph) -> bool:
    """Whether modules or cables came or went: settings alone teach nothing about design."""
    known = await tied_modules(work, saved.former) if saved.former else {}
    return any(_shape_before(modules) != _shape(saved.graph) for modules in known.values())


def _shape(graph: GraphInput) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    modules = {(one.module_key, one.module_type) for one in graph.modules}
    return modules, {(one.tail, one.head) for one in graph.cables}


def _shape_before(modules: Mapping[str, Any]) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    cables = {(key, cable["head"]) for key, one in modules.items() for cable in one["cables"]}
    return {(key, one["module_type"]) for key, one in modules.items()}, cables
