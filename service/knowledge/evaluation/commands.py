"""Scoring what an agent proposed, keeping a run of the suite, and scoring a kept one again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import orjson

from graph_schema.model.fields import OPAQUE_LENGTH
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.errors import InputInvalid, RecordMissing
from service.graph.database import Database, Row
from service.knowledge.catalogue import cypher as catalogue
from service.knowledge.errors import EvalRunTooLarge, ExampleUnknown
from service.knowledge.evaluation import cypher
from service.knowledge.evaluation.evaluate import EvalReport, evaluate, regressions
from service.knowledge.evaluation.proposals import EvalProposal, read_proposal
from service.knowledge.evaluation.suite import Suite
from service.knowledge.evaluation.suites import EvalSuites
from service.knowledge.pack.cards import hashed
from service.replay import ReplayOutcome
from service.views import Id

Values = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalRunReplay:
    """A kept run of the suite, scored again by the suite and the catalogue of now."""

    run_id: Annotated[Id, "The run."]
    outcome: Annotated[ReplayOutcome, "Whether it comes out the same."]
    mended: Annotated[tuple[str, ...], "Checks that were not met then and are now."]
    added: Annotated[tuple[str, ...], "Checks that were met then and are not now."]
    now: Annotated[EvalReport, "What it comes to now."]


class Evaluations:
    def __init__(self, commands: Commands, database: Database, suites: EvalSuites) -> None:
        self._commands = commands
        self._database = database
        self.suites = suites

    async def score(self, viewer: Viewer, proposals: Sequence[EvalProposal], suite_id: str | None = None) -> EvalReport:
        """What a suite says of these: the one that was brought, else our own. It stores nothing."""
        suite = await self.suites.of(viewer, suite_id)
        _check(suite, proposals)
        return evaluate(suite, proposals, await self._types(viewer, proposals))

    async def submit(
        self,
        viewer: Viewer,
        agent_version: str,
        proposals: Sequence[EvalProposal],
        pack: RecordRef | None = None,
        *,
        suite_id: str | None = None,
        command_id: str | None = None,
    ) -> Outcome:
        """Keep a run, with what it met and what it met less than the latest run on the pack in use."""
        report = await self.score(viewer, proposals, suite_id)
        held = await self._pack(viewer, pack)
        baseline = await self._database.read_one(cypher.BASELINE, suite=report.suite, audiences=viewer.audiences)
        values = {
            **_values(report, agent_version, proposals, viewer),
            **_against(report, baseline["run"] if baseline else None),
            "pack_hash": held["pack_hash"] if held else None,
        }
        taught = RecordRef(id=held["id"]) if held else None

        async def plan(work: Work) -> Values:
            heads = [work.need(taught, "pack", ["KnowledgePack"])] if taught else []
            told = {name: value for name, value in values.items() if value is not None}
            made = work.create(work.registry.types["EvalRun"], {**told, "submitted_at": work.at}, heads)
            for head in heads:
                work.link(made, "TAUGHT_BY", head)
            return {"id": made.id, "version": made.version}

        content = {
            "agent": agent_version,
            "pack": str(pack) if pack else None,
            "proposals": hashed(values["proposals"]),
            **({"suite": report.suite} if suite_id else {}),
        }
        request = Request(
            "submitEvalRun", KeyScope.curate, content, reads=[taught] if taught else [], command_id=command_id
        )
        return await self._commands.execute(viewer, request, plan)

    async def replay(self, viewer: Viewer, run_id: str) -> EvalRunReplay:
        row = await self._database.read_one(cypher.KEPT, id=run_id, audiences=viewer.audiences)
        if row is None:
            raise RecordMissing(RecordRef(id=run_id), "run")
        proposals = _kept(row["run"])
        suite = await self.suites.named(viewer, row["run"]["suite"])
        now = evaluate(suite, proposals, await self._types(viewer, proposals))
        before, after = _names(row["run"]["failures"]), {one.name for one in now.checks if not one.met}
        return EvalRunReplay(
            run_id=run_id,
            outcome=ReplayOutcome.identical if before == after else ReplayOutcome.different,
            mended=tuple(sorted(before - after)),
            added=tuple(sorted(after - before)),
            now=now,
        )

    async def _pack(self, viewer: Viewer, pack: RecordRef | None) -> Row | None:
        row = await self._database.read_one(cypher.PACK, id=pack.id if pack else None, audiences=viewer.audiences)
        if row is None and pack is not None:
            raise RecordMissing(pack, "pack")
        return row["pack"] if row else None

    async def _types(self, viewer: Viewer, proposals: Sequence[EvalProposal]) -> list[Row]:
        names = sorted({one.module_type for each in proposals if each.graph for one in each.graph.modules})
        row = await self._database.read_one(catalogue.TYPES, types=names, audiences=viewer.audiences)
        return row["found"] if row else []


def _check(suite: Suite, proposals: Sequence[EvalProposal]) -> None:
    known = [one.key for one in suite.examples]
    named = [one.example for one in proposals]
    for one in named:
        if one not in known:
            raise ExampleUnknown(one, known)
        if named.count(one) > 1:
            raise InputInvalid("proposals", f"the example {one} is answered twice")


def _values(report: EvalReport, agent: str, proposals: Sequence[EvalProposal], viewer: Viewer) -> Values:
    kept = orjson.dumps([one.plain() for one in proposals]).decode()
    if len(kept) > OPAQUE_LENGTH:
        raise EvalRunTooLarge(OPAQUE_LENGTH, len(kept))
    return {
        "name": f"{report.suite}: {agent}"[:200],
        "suite": report.suite,
        "agent_version": agent,
        "passed": report.passed,
        "met": report.met,
        "checks": len(report.checks),
        "failures": list(report.failures),
        "scores": orjson.dumps(report.scores()).decode(),
        "proposals": kept,
        "submitted_by": viewer.principal_id,
    }


def _against(report: EvalReport, baseline: Row | None) -> Values:
    """What the latest run on the pack in use met and this one does not."""
    if baseline is None:
        return {}
    # What the baseline was asked: its own examples, each with what it met and did not.
    known = {one.name for one in report.checks if one.example in {each.example for each in _kept(baseline)}}
    worse = regressions(_names(baseline["failures"]), report, known)
    return {"baseline_run_id": baseline["id"], "regressions": list(worse)}


def _kept(run: Row) -> list[EvalProposal]:
    return [read_proposal(one) for one in orjson.loads(run["proposals"])]


def _names(failures: Sequence[str]) -> set[str]:
    return {one.partition(":")[0] for one in failures}
