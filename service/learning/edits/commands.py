"""Keeping what people changed of a proposal: computed from what was proposed and what was saved, never told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import orjson

from graph_schema.learning.design_words import ConsideredAs
from graph_schema.learning.words import DesignSignalKind, SignalOrigin
from graph_schema.memory.extraction import ExtractionReason
from graph_schema.model.fields import LONG_TEXT_LENGTH, NAME_LENGTH
from service.commands import State, Work
from service.learning.design.errors import NothingProposed
from service.learning.design.facts import SessionFacts
from service.learning.edits import cypher
from service.learning.edits.diff import Design, ProposalEdit, edits, kinds_of
from service.learning.edits.interpret import VERSION, EditLesson, lessons
from service.learning.edits.reading import is_deepening
from service.learning.signals.emit import emit
from service.library.blueprints import difference, written
from service.library.snapshots import load_graph
from service.library.ties import tied_modules
from service.memory.extraction.commands import queue_once
from service.memory.views.words import counted

RECORDED = "task.proposal_edit.trace_recorded"
Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Traced:
    """What became of a comparison: the edits, and the trace that keeps them, if there are any."""

    edits: tuple[ProposalEdit, ...]
    trace_id: str | None
    signals: tuple[str, ...] = ()
    known: bool = False
    """Whether the same comparison was kept before."""


@dataclass(frozen=True, slots=True)
class _Sides:
    proposed: Design
    saved: Design
    proposed_graph: Values
    saved_graph: Values
    proposed_blueprint: Values | None
    saved_blueprint: Values | None
    traced: str | None


async def trace_edits(
    work: Work, session: State, facts: SessionFacts, owner: State, evidence_ref: str | None = None
) -> Traced:
    """Compare what was proposed with what the owner has now; keep the edits and what they teach."""
    sides = await _sides(work, session, facts, owner)
    found = edits(sides.proposed, sides.saved)
    if not found or sides.traced:
        return Traced(found, sides.traced, known=bool(sides.traced))
    trace = _trace(work, session, sides, found, evidence_ref)
    told = lessons(sides.proposed, sides.saved, found)
    signals = await _signals(work, session, facts, trace, told)
    work.event(RECORDED, trace, other=session.id)
    await queue_once(work, session, ExtractionReason.design_session_edited)
    return Traced(found, trace.id, tuple(signals))


async def _sides(work: Work, session: State, facts: SessionFacts, owner: State) -> _Sides:
    proposed = facts.graph["properties"] if facts.graph else await _of_template(work, facts)
    if proposed is None:
        raise NothingProposed("no graph was proposed in this session, and no template was taken")
    asked = {"session": session.id, "proposed": proposed["graph_hash"], "audiences": work.viewer.audiences}
    row = await work.transaction.one(cypher.SAVED, owner=owner.id, **asked)
    if row is None or row["graph"] is None:
        raise NothingProposed(f"{owner.id} has no graph yet")
    ties = await tied_modules(work, [proposed["id"], row["graph"]["id"]])
    drafted, blueprint = facts.blueprint, row["blueprint"]
    is_task = owner.type.label == "Task"
    return _Sides(
        Design(
            await load_graph(work, proposed["id"]),
            _presets(ties[proposed["id"]]),
            await _content_then(work, drafted),
            facts.taken if is_task else None,
        ),
        Design(
            await load_graph(work, row["graph"]["id"]),
            _presets(ties[row["graph"]["id"]]),
            _content(blueprint),
            row["template"] if is_task else None,
        ),
        proposed,
        row["graph"],
        drafted,
        blueprint,
        row["traced"],
    )


async def _of_template(work: Work, facts: SessionFacts) -> Values | None:
    """Without a graph of its own, what a design proposes is the template that it takes as it is."""
    if facts.basis is None:
        return None
    row = await work.transaction.one(
        cypher.SAVED, owner=facts.basis["id"], session="", proposed="", audiences=work.viewer.audiences
    )
    return cast("Values | None", row["graph"]) if row else None


async def _content_then(work: Work, drafted: Values | None) -> Values | None:
    if drafted is None:
        return None
    version = drafted["link"].get("drafted_version")
    if version is None or version == drafted["version"]:
        return _content(drafted)
    row = await work.transaction.one(
        cypher.BLUEPRINT_THEN, id=drafted["id"], version=version, audiences=work.viewer.audiences
    )
    return _content(row) if row else None


def _content(blueprint: Values | None) -> Values | None:
    told = blueprint.get("content") if blueprint else None
    return cast("Values", orjson.loads(told)) if told else None


def _presets(modules: Mapping[str, Values]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(one["presets"]) for key, one in modules.items() if one["presets"]}


def _trace(work: Work, session: State, sides: _Sides, found: Sequence[ProposalEdit], evidence_ref: str | None) -> State:
    said = session.properties
    blueprints = sides.proposed.content, sides.saved.content
    differs = blueprints[0] is not None and blueprints[1] is not None and blueprints[0] != blueprints[1]
    values = {
        "name": f"{counted(len(found), 'edit')}: {said['name']}"[:NAME_LENGTH],
        "edit_kinds": [one.value for one in kinds_of(found)],
        "edit_count": len(found),
        "graph_diff": _written(found),
        "blueprint_diff": written(difference(dict(blueprints[0] or {}), dict(blueprints[1] or {}), (1, 2)))
        if differs
        else None,
        "proposed_graph_hash": sides.proposed_graph["graph_hash"],
        "final_graph_hash": sides.saved_graph["graph_hash"],
        "context_class_key": said["context_class_key"],
        "task_type": said.get("inferred_task_type"),
        "evidence_ref": evidence_ref,
        "rules": VERSION,
        "recorded_by": work.viewer.principal_id,
    }
    ends = (
        ("EDITED_FROM", _state(work, "GraphSnapshot", sides.proposed_graph)),
        ("EDITED_TO", _state(work, "GraphSnapshot", sides.saved_graph)),
    )
    given = {name: value for name, value in values.items() if value is not None}
    made = work.create(work.registry.types["EditTrace"], given, [session, *(one for _, one in ends)])
    work.link(made, "MADE_IN", session)
    for kind, one in ends:
        work.link(made, kind, one)
    if differs:
        for kind, one in (("EDITED_FROM", sides.proposed_blueprint), ("EDITED_TO", sides.saved_blueprint)):
            if one is not None:
                work.link(made, kind, _state(work, "Blueprint", one))
    return made


def _state(work: Work, label: str, properties: Values) -> State:
    kind = work.registry.types[label]
    known = {name: value for name, value in properties.items() if name in kind.fields}
    return State(kind, tuple(kind.model.labels(known)), known)


def _written(found: Sequence[ProposalEdit]) -> str:
    """The edits as JSON that fits its field: texts are left out, then the last edits, where there are too many."""
    rows = [one.plain() for one in found]
    text = orjson.dumps(rows).decode()
    if len(text) > LONG_TEXT_LENGTH:
        rows = [{name: value for name, value in one.items() if name in {"kind", "of"}} for one in rows]
        text = orjson.dumps(rows).decode()
    while len(text) > LONG_TEXT_LENGTH:
        rows = rows[: len(rows) * 9 // 10]
        text = orjson.dumps(rows).decode()
    return text


_OF_TEMPLATES = frozenset({DesignSignalKind.template_selected, DesignSignalKind.template_rejected})


async def _signals(
    work: Work, session: State, facts: SessionFacts, trace: State, told: Sequence[EditLesson]
) -> list[str]:
    ids = {one.subject for one in told if one.subject}
    shapes = {one["record"]["id"] for one in facts.considered(ConsideredAs.pattern) if is_deepening(one["record"])}
    asked = sorted({*ids, *shapes, *facts.judged})
    rows = await work.transaction.run(cypher.SUBJECTS, ids=asked, audiences=work.viewer.audiences)
    known = {
        row["properties"]["id"]: _state(work, work.registry.label_of(row["labels"]), row["properties"]) for row in rows
    }
    made: list[str] = []
    for one in told:
        subjects = [known[one.subject]] if one.subject in known else []
        if "second_pass" in one.rule:
            subjects += [known[each] for each in sorted(shapes) if each in known]
        if subjects and one.signal_kind in _OF_TEMPLATES:
            subjects += [known[each] for each in facts.judged if each in known]
        values = {
            "summary": one.summary,
            "subject_key": one.subject,
            "context_class_key": session.properties["context_class_key"],
            "task_type": session.properties.get("inferred_task_type"),
            "recommended_update_kind": one.recommended_update_kind.value,
            "result": one.rule,
        }
        signal = emit(work, SignalOrigin.proposal_edit, [trace, *subjects], values, kind=one.signal_kind)
        made += [signal.id] if signal else []
    return made
