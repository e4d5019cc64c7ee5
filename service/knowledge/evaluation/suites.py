"""Suites that people bring beside the one that comes with the service: kept whole, and scored by the same scorers."""

from dataclasses import dataclass
from typing import Annotated, Any

import orjson

from graph_schema.model.fields import KEY_LENGTH, OPAQUE_LENGTH
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.errors import RecordMissing, TextTooLong
from service.graph.database import Database
from service.knowledge.errors import EvalSuiteInvalid, EvalSuiteTaken
from service.knowledge.evaluation import cypher
from service.knowledge.evaluation.suite import Suite, read_suite, sample_suite
from service.knowledge.pack.cards import hashed


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalSuiteInput:
    """A suite of your own."""

    text: Annotated[str, "The suite, in YAML or JSON, in the shape of seeds/knowledge/suite.yaml."]

    def suite(self) -> Suite:
        if len(self.text) > OPAQUE_LENGTH:
            raise TextTooLong("text", OPAQUE_LENGTH, len(self.text))
        found = read_suite(self.text)
        if len(found.name) > KEY_LENGTH or found.name == sample_suite().name:
            raise EvalSuiteInvalid("suite.name", f"it has at most {KEY_LENGTH} characters, and is not {found.name}")
        return found


class EvalSuites:
    def __init__(self, commands: Commands, database: Database) -> None:
        self._commands = commands
        self._database = database

    async def save(self, viewer: Viewer, given: EvalSuiteInput, *, command_id: str | None = None) -> Outcome:
        """Keep a suite. The same again is the same; what runs were scored by is never changed."""
        suite = given.suite()
        kept = orjson.dumps(suite.plain(), option=orjson.OPT_SORT_KEYS).decode()
        digest = hashed(suite.plain())

        async def plan(work: Work) -> dict[str, Any]:
            row = await work.transaction.one(cypher.SUITE, id=None, suite=suite.name, audiences=viewer.audiences)
            if row is not None and row["suite"]["suite_hash"] != digest:
                raise EvalSuiteTaken(suite.name)
            if row is not None:
                return {"id": row["suite"]["id"], "version": row["suite"]["version"]}
            values = {
                "name": suite.name,
                "suite": suite.name,
                "suite_hash": digest,
                "example_count": len(suite.examples),
                "examples": kept,
            }
            made = work.create(work.registry.types["EvalSuite"], values)
            return {"id": made.id, "version": made.version}

        names = [("eval suite", suite.name)]
        request = Request("saveEvalSuite", KeyScope.curate, {"suite": digest}, names=names, command_id=command_id)
        return await self._commands.execute(viewer, request, plan)

    async def of(self, viewer: Viewer, suite_id: str | None) -> Suite:
        """The suite of this id, else the one that comes with the service."""
        return sample_suite() if suite_id is None else await self._kept(viewer, id=suite_id, suite=None)

    async def named(self, viewer: Viewer, name: str) -> Suite:
        """The suite that a run was scored by."""
        if name.rpartition(" ")[0] == sample_suite().name.rpartition(" ")[0]:
            return sample_suite()
        return await self._kept(viewer, id=None, suite=name)

    async def _kept(self, viewer: Viewer, **by: str | None) -> Suite:
        row = await self._database.read_one(cypher.SUITE, **by, audiences=viewer.audiences)
        if row is None:
            raise RecordMissing(RecordRef(id=by["id"]) if by["id"] else str(by["suite"]), "suite")
        return read_suite(row["suite"]["examples"])
