"""Statements of preference, kept as candidates in the user's words; and what a person makes of them."""

from collections.abc import Sequence
from typing import Any

from graph_schema.learning.design_words import StatementKind, StatementPolarity
from graph_schema.library.words import DirectiveKind
from graph_schema.model.fields import NAME_LENGTH
from graph_schema.model.record import LifecycleState as Life
from service.access.agents import is_agent
from service.commands import State, Work
from service.learning.design import cypher
from service.learning.design.statements import Heard, heard, names_in

_BEARING = ("Template", "Preset", "Pattern", "Capability", "Goal")


def note(work: Work, session: State, said: Sequence[str], known: Sequence[State]) -> list[State]:
    """Keep the statements in what was said, with what they speak of by name."""
    return [_keep(work, session, one, known) for one in heard(said)]


def _keep(work: Work, session: State, one: Heard, known: Sequence[State]) -> State:
    values: dict[str, Any] = {
        "name": one.quote[:NAME_LENGTH],
        "quote": one.quote,
        "statement_kind": one.kind.value,
        "polarity": one.polarity.value,
        "subject": one.subject,
        "condition": one.condition,
        "because": one.because,
        "task_type": session.properties.get("inferred_task_type"),
        "context_class_key": session.properties["context_class_key"],
        "rule": one.rule,
        "lifecycle_state": Life.candidate.value,
        "data_class": session.properties["data_class"],
        "matter_ids": session.properties["matter_ids"],
    }
    made = work.create(
        work.registry.types["Statement"],
        {name: value for name, value in values.items() if value is not None},
        [session],
    )
    work.link(session, "NOTED", made)
    for state in known:
        if state.type.label in _BEARING and names_in(one.quote, str(state.properties["name"])):
            work.link(made, "BEARS_ON", state)
    return made


async def settle(work: Work, before: State | None, after: State) -> None:
    """A statement that a person accepts becomes a preference of theirs, or a directive about a template."""
    if after.type.label != "Statement" or before is None or is_agent(work.viewer):
        return
    accepted = after.properties["lifecycle_state"] == Life.active != before.properties["lifecycle_state"]
    if not accepted:
        return
    row = await work.transaction.one(cypher.STATED, id=after.id, audiences=work.viewer.audiences)
    if row is None or row["made_into"]:
        return
    bearing = [
        State(work.registry.types[one["kind"]], tuple(one["labels"]), one["properties"]) for one in row["bears_on"]
    ]
    templates = [one for one in bearing if one.type.label in ("Template", "Preset")]
    if after.properties["statement_kind"] == StatementKind.template_routing_directive and templates:
        _directive(work, after, templates)
    else:
        _preference(work, after, bearing)


def _preference(work: Work, statement: State, bearing: Sequence[State]) -> None:
    said = statement.properties
    values: dict[str, Any] = {
        "name": said["name"],
        "statement": said["quote"],
        "task_types": [said["task_type"]] if said.get("task_type") and not said.get("condition") else [],
        "rationale": said.get("because"),
        # How somebody wants to be served holds whatever the task is.
        "global": said["statement_kind"] == StatementKind.task_agent_instruction_candidate,
    }
    made = _made(work, "Preference", statement, values)
    for one in bearing:
        if one.type.label == "Goal":
            work.link(made, "CONSTRAINS_GOAL", one)
        else:
            work.link(made, "APPLIES_TO", one, {"polarity": said["polarity"]})


def _directive(work: Work, statement: State, templates: Sequence[State]) -> None:
    said = statement.properties
    avoids = said["polarity"] in (StatementPolarity.avoid, StatementPolarity.forbid)
    kind = DirectiveKind.avoid_when_phrase if avoids else DirectiveKind.prefer_when_phrase
    values = {
        "name": said["name"],
        "directive_kind": kind.value,
        "phrase_or_condition": said.get("condition") or said["subject"],
        "rationale": said["quote"],
    }
    made = _made(work, "Directive", statement, values)
    for one in templates:
        work.link(made, "STEERS", one, {"kind": "avoid" if avoids else "prefer"})


def _made(work: Work, label: str, statement: State, values: dict[str, Any]) -> State:
    access = {name: statement.properties[name] for name in ("data_class", "matter_ids")}
    given = {name: value for name, value in {**values, **access}.items() if value is not None}
    made = work.create(work.registry.types[label], given, [statement])
    work.link(made, "STATED_IN", statement)
    return made
