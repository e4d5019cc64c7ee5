"""Proposals of a session: kept as drafts that nobody has, checked at once, never in use by themselves."""

from dataclasses import dataclass, field, replace
from typing import Any

from service.access.agents import is_agent
from service.commands import RecordRef, State, Work
from service.knowledge.preflight.gate import check_pack
from service.knowledge.preflight.shape import shape_of
from service.learning.design.errors import RepairLimit
from service.learning.design.facts import SessionFacts
from service.learning.design.load import modules_of, needed_by
from service.learning.design.validation import Findings, findings
from service.library.blueprint_saving import SaveBlueprint
from service.library.blueprints import BlueprintInput
from service.library.graphs import GraphInput, canonical, graph_hash
from service.library.snapshots import plan_draft
from service.library.ties import NO_TIES, Ties, tie_graphs
from service.records import rules

BLUEPRINT_PROPOSED = "task.agent.blueprint.proposed"
GRAPH_PROPOSED = "task.agent.graph.proposed"
_CLEAN = Findings((), ())


@dataclass(frozen=True, slots=True)
class GraphDraft:
    """A graph that is proposed, with the presets and segments of its modules."""

    graph: GraphInput
    ties: Ties = NO_TIES


@dataclass(frozen=True, slots=True)
class Drafted:
    """What became of a proposal: the drafts, what was found in them, and what the session says because of it."""

    values: dict[str, Any] = field(default_factory=dict[str, Any])
    blueprint: str | None = None
    graph: str | None = None
    findings: Findings = _CLEAN
    facts: SessionFacts | None = None


async def draft(  # noqa: PLR0917 - a proposal, and where it is made
    work: Work,
    session: State,
    facts: SessionFacts,
    blueprint: BlueprintInput | None,
    graph: GraphDraft | None,
    rationale: str | None,
) -> Drafted:
    if blueprint is None and graph is None:
        return Drafted()
    _check_limit(work, session)
    if graph is not None:
        await check_pack(work)
    iteration = 1 + max(
        (one["link"]["iteration"] for one in (*facts.row["blueprints"], *facts.row["graphs"])), default=0
    )
    link = {"iteration": iteration, "drafted_at": work.at, "rationale": rationale}
    drafted = await _blueprint(work, blueprint) if blueprint else None
    snapshot = await _graph(work, session, facts, graph) if graph else None
    proposed = await _with(work, facts, link, drafted, snapshot)
    found = findings(proposed)
    told = {name: value for name, value in link.items() if value is not None}
    told |= {
        "errors": [one.written() for one in found.errors],
        "warnings": [one.written() for one in found.warnings],
    }
    if drafted is not None:
        work.link(session, "DRAFTED", drafted, {**told, "drafted_version": drafted.version})
        work.event(BLUEPRINT_PROPOSED, drafted, other=session.id)
    if snapshot is not None:
        work.link(session, "DRAFTED_GRAPH", snapshot, told)
        work.event(GRAPH_PROPOSED, snapshot, other=session.id)
    repairs = session.properties["repair_iterations"] + bool(found.errors)
    return Drafted(
        values={"repair_iterations": repairs},
        blueprint=drafted.id if drafted else None,
        graph=snapshot.id if snapshot else None,
        findings=found,
        facts=proposed,
    )


def _check_limit(work: Work, session: State) -> None:
    most = session.properties["max_repair_iterations"]
    if is_agent(work.viewer) and session.properties["repair_iterations"] > most:
        raise RepairLimit(most)


async def _blueprint(work: Work, asked: BlueprintInput) -> State:
    rules.check_matters(work, asked.values)
    own = RecordRef(id=asked.record_id) if asked.record_id else None
    saved = await SaveBlueprint(asked, own, proposed=True)(work)
    kind = work.registry.types["Blueprint"]
    properties = _written(work, saved["id"])
    return State(kind, tuple(kind.model.labels(properties)), properties)


def _written(work: Work, record_id: str) -> dict[str, Any]:
    """A record as this command leaves it; one that it does not change is as it was found."""
    for one in (*work.changes.creates, *work.changes.updates):
        if one["properties"].get("id") == record_id or one.get("id") == record_id:
            return {name: value for name, value in one["properties"].items() if value is not None}
    found = work.find(RecordRef(id=record_id), "blueprint")
    return dict(found.properties) if found else {}


async def _graph(work: Work, session: State, facts: SessionFacts, asked: GraphDraft) -> State:
    digest = graph_hash(canonical(asked.graph))
    same = next((one for one in facts.row["graphs"] if one["graph_hash"] == digest), None)
    saved = await plan_draft(work, session, asked.graph, same["properties"] if same else None)
    await tie_graphs(work, [saved], asked.ties)
    return saved.snapshot


async def _with(
    work: Work, facts: SessionFacts, link: dict[str, Any], blueprint: State | None, graph: State | None
) -> SessionFacts:
    """The session with what is proposed now, as its checks see it."""
    row = dict(facts.row)
    if blueprint is not None:
        told = {**link, "drafted_version": blueprint.version}
        row["blueprints"] = [{**blueprint.properties, "link": told}, *facts.row["blueprints"]]
    if graph is not None:
        row["graphs"] = [{**graph.properties, "properties": graph.properties, "link": link}, *facts.row["graphs"]]
    now = SessionFacts(row, facts.modules, facts.needed, None if blueprint is not None else facts.seen, facts.shape)
    run = work.transaction.run
    if graph is not None:
        shape = await shape_of(run, work.viewer, graph.id)
        now = replace(now, modules=await modules_of(run, work.viewer, graph.id), shape=shape)
    if blueprint is not None:
        now = replace(now, needed=await needed_by(run, work.viewer, now.content))
    return now
