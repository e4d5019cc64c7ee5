"""Reading what was edited, and what it teaches."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import orjson

from graph_schema.learning.design_words import EditKind
from graph_schema.learning.words import DesignSignalKind, DesignUpdateKind
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.graph.database import Database
from service.learning.edits import cypher
from service.learning.edits.diff import ProposalEdit
from service.views import Id, JsonObject, Linked


@dataclass(frozen=True, slots=True, kw_only=True)
class EditSignal:
    """What some edits teach."""

    signal_id: Annotated[Id, "Id of the signal."]
    signal_kind: Annotated[DesignSignalKind, "What they show."]
    summary: Annotated[str, "What they show, in a sentence."]
    recommended_update_kind: Annotated[DesignUpdateKind, "What they recommend to change."]
    subject: Annotated[str | None, "What that is about, where it has a name."]
    rule: Annotated[str | None, "The rule that reads them so."]
    signal: ClassVar = Linked("signal_id", "The signal itself.", "Signal")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalEditTrace:
    """How what was saved differs from what was proposed, and what that teaches."""

    trace_id: Annotated[Id, "Id of the trace."]
    design_session_id: Annotated[Id | None, "Id of the session."]
    edit_kinds: Annotated[tuple[EditKind, ...], "What was changed, each kind once."]
    edits: Annotated[tuple[ProposalEdit, ...], "The single changes."]
    blueprint_diff: Annotated[JsonObject | None, "How the blueprint differs."]
    interpreted_learning_signals: Annotated[tuple[EditSignal, ...], "What it teaches."]
    proposed_ids: Annotated[tuple[Id, ...], "Ids of the graph and blueprint that were proposed."]
    final_ids: Annotated[tuple[Id, ...], "Ids of those that were saved."]
    evidence_ref: Annotated[str | None, "Where further evidence is kept."]
    rules: Annotated[str, "Name and version of the rules."]
    trace: ClassVar = Linked("trace_id", "The trace itself.", "EditTrace")


class EditTraces:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, viewer: Viewer, ref: RecordRef) -> ProposalEditTrace:
        ref.check("trace", "EditTrace")
        row = await self._database.read_one(cypher.TRACE, id=ref.id, audiences=viewer.audiences) if ref.id else None
        if row is None:
            raise RecordMissing(ref, "trace")
        told = row["trace"]
        return ProposalEditTrace(
            trace_id=told["id"],
            design_session_id=row["session"],
            edit_kinds=tuple(EditKind(one) for one in told["edit_kinds"]),
            edits=tuple(_edit(one) for one in orjson.loads(told["graph_diff"])),
            blueprint_diff=orjson.loads(told["blueprint_diff"]) if told.get("blueprint_diff") else None,
            interpreted_learning_signals=tuple(
                EditSignal(
                    signal_id=one["id"],
                    signal_kind=DesignSignalKind(one["signal_kind"]),
                    summary=one["summary"] or "",
                    recommended_update_kind=DesignUpdateKind(one["recommended_update_kind"]),
                    subject=one["subject_key"],
                    rule=one["result"],
                )
                for one in row["signals"]
            ),
            proposed_ids=tuple(one["id"] for one in row["proposed"]),
            final_ids=tuple(one["id"] for one in row["saved"]),
            evidence_ref=told.get("evidence_ref"),
            rules=told["rules"],
        )


def _edit(one: dict[str, str]) -> ProposalEdit:
    return ProposalEdit(
        kind=EditKind(one["kind"]),
        of=one["of"],
        detail=one.get("detail", ""),
        before=one.get("before"),
        after=one.get("after"),
    )
