"""Imports workflows of n8n as templates, many in one transaction, and gives them back."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any, ClassVar, cast

import orjson

from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.approval import TemplateNeedsApproval
from service.commands.errors import (
    InputInvalid,
    NotAllowed,
    RecordMissing,
    SourceKeyTaken,
    TextTooLong,
    WrongKind,
)
from service.errors import TaskloreError
from service.graph.database import Database
from service.library.errors import GraphInvalid, GraphTooLarge
from service.library.n8n import cypher
from service.library.n8n.plan import Wanted, need_ref, plan_import, wanted_of
from service.library.n8n.read import read_file
from service.library.n8n.wiring import FIRST
from service.library.n8n.workflow import SOURCE, Json, NotAWorkflow, NotFromN8n, Unwritable, Wire, Workflow
from service.library.n8n.write import write_workflow
from service.notices import Notice, notices_of
from service.records.rules import check_access
from service.views import Id, Linked

MOST_AT_ONCE = 100
"""How many files one command takes."""

REFUSALS = (
    SourceKeyTaken,
    InputInvalid,
    TextTooLong,
    WrongKind,
    GraphInvalid,
    GraphTooLarge,
    TemplateNeedsApproval,
)
"""What may be wrong with one workflow and not with the next."""


class ImportOutcome(StrEnum):
    """What became of a workflow."""

    created = "created"
    updated = "updated"
    unchanged = "unchanged"
    rejected = "rejected"


@dataclass(frozen=True, slots=True)
class File:
    """A file to import: what it is called, and what is in it."""

    name: str
    content: bytes | str


@dataclass(frozen=True, slots=True)
class N8nImportItem:
    """What became of one workflow of a file."""

    file_name: Annotated[str, "The file that it was in."]
    outcome: Annotated[ImportOutcome, "What became of it."]
    template_id: Annotated[Id | None, "Id of its template, unless it was rejected."] = None
    name: Annotated[str | None, "What the workflow is called."] = None
    warnings: Annotated[tuple[Notice, ...], "What to mind; nothing was refused because of it."] = ()
    code: Annotated[str | None, "Why it was rejected, as a code."] = None
    message: Annotated[str | None, "Why it was rejected, in a sentence."] = None
    template: ClassVar = Linked("template_id", "The template as it is now.", "Template")


@dataclass(frozen=True, slots=True)
class N8nExport:
    """A template as a workflow of n8n."""

    name: Annotated[str, "What the template is called."]
    workflow: Json

    @property
    def content(self) -> Annotated[str, "The workflow as JSON, to be imported into n8n."]:
        return orjson.dumps(self.workflow).decode()


@dataclass(frozen=True, slots=True)
class Import:
    """What became of all files of one call, in their order."""

    command_id: str | None
    replayed: bool
    new_audiences: bool
    items: tuple[N8nImportItem, ...]


class N8nWorkflows:
    def __init__(self, commands: Commands, database: Database) -> None:
        self._commands = commands
        self._database = database

    async def import_files(
        self,
        viewer: Viewer,
        files: Sequence[File],
        access: Mapping[str, Any] | None = None,
        *,
        command_id: str | None = None,
        taken: dict[str, str] | None = None,
    ) -> Import:
        """Make or change a template for each workflow. One that is broken or refused does not stop the others.

        `taken`, for an import of several calls: the workflows so far by key, with their files; those of this call are
        added. Without it, two files of one workflow in two calls would change its template to and fro.
        """
        if KeyScope.curate not in viewer.scopes:
            raise NotAllowed(KeyScope.curate, viewer.scopes)
        if not 1 <= len(files) <= MOST_AT_ONCE:
            raise InputInvalid("workflows", f"{len(files)} files; from 1 to {MOST_AT_ONCE} at once")
        check_access(viewer, access or {})
        batch = _Batch.of(files, {} if taken is None else taken)
        call = _Call(viewer, access or {}, command_id)
        try:
            outcomes = [await self._take(call, list(batch.wanted.values()))] if batch.wanted else []
            told = [one for done in outcomes for one in done.result["items"]]
        except REFUSALS:
            # One of them stops all: take each by itself, so that only that one is refused.
            outcomes, told = await self._one_by_one(call, list(batch.wanted.values()))
        return Import(
            command_id or (outcomes[0].command_id if outcomes else None),
            replayed=bool(outcomes) and all(one.replayed for one in outcomes),
            new_audiences=any(one.new_audiences for one in outcomes),
            items=batch.answers(told),
        )

    async def export(self, viewer: Viewer, template: RecordRef) -> N8nExport:
        """A template whose graph is of nodes of n8n, as a workflow of n8n."""
        template.check("template", "Template")
        if KeyScope.read not in viewer.scopes:
            raise NotAllowed(KeyScope.read, viewer.scopes)
        row = await self._database.read_one(
            cypher.WORKFLOW,
            id=template.id,
            source=template.source,
            key=template.key,
            audiences=viewer.audiences,
        )
        if row is None:
            raise RecordMissing(template, "template")
        name: str = row["template"]["name"]
        try:
            return N8nExport(name, _written(name, row["graph"]))
        except Unwritable as problem:
            raise NotFromN8n(name, str(problem)) from None

    async def _take(self, call: "_Call", wanted: Sequence[Wanted]) -> Outcome:
        async def plan(work: Work) -> dict[str, Any]:
            return {"items": await plan_import(work, wanted, call.access)}

        needs = {need.key: need for one in wanted for need in one.workflow.needs}
        request = Request(
            "importN8n",
            KeyScope.curate,
            {"graphs": {one.workflow.key: one.graph_hash for one in wanted}, "access": dict(call.access)},
            reads=[RecordRef(id=one) for one in call.access.get("matter_ids") or ()],
            changes=[*(one.ref for one in wanted), *(need_ref(needs[key]) for key in sorted(needs))],
            command_id=call.command_id,
        )
        return await self._commands.execute(call.viewer, request, plan)

    async def _one_by_one(
        self, call: "_Call", wanted: Sequence[Wanted]
    ) -> tuple[list[Outcome], list[dict[str, Any] | TaskloreError]]:
        outcomes: list[Outcome] = []
        told: list[dict[str, Any] | TaskloreError] = []
        for number, one in enumerate(wanted, start=1):
            named = f"{call.command_id}:{number}" if call.command_id else None
            try:
                done = await self._take(replace(call, command_id=named), [one])
            except REFUSALS as refusal:
                told.append(refusal)
            else:
                outcomes.append(done)
                told += done.result["items"]
        return outcomes, told


@dataclass(frozen=True, slots=True)
class _Call:
    viewer: Viewer
    access: Mapping[str, Any]
    command_id: str | None


@dataclass(frozen=True, slots=True)
class _Batch:
    """The workflows of some files: those that can be taken, by their place, and an answer for each."""

    items: tuple[N8nImportItem, ...]
    wanted: dict[int, Wanted]

    @classmethod
    def of(cls, files: Iterable[File], owners: dict[str, str]) -> "_Batch":
        items: list[N8nImportItem] = []
        wanted: dict[int, Wanted] = {}
        for file in files:
            for found in read_file(file.content):
                checked = _checked(found, owners)
                if isinstance(checked, Wanted):
                    wanted[len(items)] = checked
                    owners[checked.workflow.key] = file.name
                items.append(_answer(file.name, checked))
        return cls(tuple(items), wanted)

    def answers(self, told: Sequence[Mapping[str, Any] | TaskloreError]) -> tuple[N8nImportItem, ...]:
        by_place = dict(zip(self.wanted, told, strict=True))
        return tuple(
            _settled(one, by_place[place]) if place in by_place else one for place, one in enumerate(self.items)
        )


def _checked(found: Workflow | NotAWorkflow, owners: Mapping[str, str]) -> Wanted | TaskloreError:
    if isinstance(found, NotAWorkflow):
        return found
    if found.key in owners:
        return NotAWorkflow(f"it has the same id as {owners[found.key]}", "Import the one that is meant.")
    try:
        return wanted_of(found)
    except REFUSALS as refusal:
        return refusal


def _answer(file_name: str, checked: Wanted | TaskloreError) -> N8nImportItem:
    if isinstance(checked, TaskloreError):
        return N8nImportItem(file_name, ImportOutcome.rejected, code=checked.code, message=checked.message)
    workflow = checked.workflow
    return N8nImportItem(file_name, ImportOutcome.unchanged, name=workflow.name, warnings=workflow.warnings)


def _settled(one: N8nImportItem, told: Mapping[str, Any] | TaskloreError) -> N8nImportItem:
    if isinstance(told, TaskloreError):
        return N8nImportItem(one.file_name, ImportOutcome.rejected, name=one.name, code=told.code, message=told.message)
    warnings = (*one.warnings, *notices_of(told.get("warnings", ())))
    return replace(one, outcome=ImportOutcome(told["outcome"]), template_id=told["id"], warnings=warnings)


def _written(name: str, graph: Mapping[str, Any] | None) -> Json:
    if graph is None:
        raise Unwritable("it has no graph")
    extra = _json(graph["extra"])
    if not isinstance(extra, dict) or cast("Json", extra).get("origin") != SOURCE:
        # Nothing came with it that n8n would know, so it is called as the template is.
        extra = {"file": {"name": name}}
    nodes = {one["module_key"]: _node(one) for one in graph["modules"]}
    return write_workflow(nodes, map(_wire, graph["cables"]), _json(graph["settings"]), extra)


def _node(module: Mapping[str, Any]) -> Json:
    """What n8n is told of a module: how it is set, and whether it is switched off, as the graph says it now."""
    config: Any = _json(module["config"]) or {}
    if not isinstance(config, dict):
        raise Unwritable(f"the configuration of its module {module['module_key']!r} is not an object")
    node = {"type": module["module_type"], **_without_names(cast("Json", config))}
    if bool(module["disabled"]) != (node.get("disabled") is True):
        node["disabled"] = bool(module["disabled"])
    return node


def _without_names(config: Json) -> Json:
    return {key: value for key, value in config.items() if key not in {"name", "type"}}


def _wire(cable: Mapping[str, Any]) -> Wire:
    """A cable that names no port leads from the first output to the first input."""
    from_port, to_port = (cable.get(end) or FIRST for end in ("from_port", "to_port"))
    return Wire(cable["cable_id"], cable["tail"], cable["head"], from_port, to_port)


def _json(text: str | None) -> Any:
    return orjson.loads(text) if text else None
