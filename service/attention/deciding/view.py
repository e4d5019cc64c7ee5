"""A decision as people and programs read it: step by step, with the specification's codes beside our words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import orjson

from graph_schema.attention.words import (
    AttentionAction,
    AttentionMoment,
    DirectiveVerbosity,
    InterventionClass,
    OperatingMode,
    ViewCommand,
)
from service.attention.pipeline.gates import SuppressionReason, UserGates
from service.attention.pipeline.interventions import CLASS_CODES, moment_code
from service.attention.pipeline.modes import MODES
from service.views import Id, Linked, Time


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentSeen:
    """A moment that was found."""

    moment: Annotated[AttentionMoment, "The moment."]
    code: Annotated[str, "What the specification calls it."]
    component: Annotated[str, "The component that it is about."]
    rule_id: Annotated[str, "The rule that found it."]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBack:
    """Something that was not raised."""

    moment: Annotated[AttentionMoment, "The moment."]
    action: Annotated[AttentionAction, "What would have been asked for."]
    reason: Annotated[SuppressionReason, "Why it was not."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewCommandSent:
    """Something to be done to a view."""

    command: Annotated[ViewCommand, "What."]
    panel_id: Annotated[str | None, "The panel."] = None
    trace_id: Annotated[str | None, "The line."] = None
    from_state_id: Annotated[str | None, "Compared from this."] = None
    to_state_id: Annotated[str | None, "Compared with this."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionOutput:
    """What came of a decision; in shadow mode, what would have come of it."""

    emitted: Annotated[bool, "Whether the user was asked; else it would have been, had the mode allowed it."]
    mode: Annotated[OperatingMode, "The mode that it came out in."]
    mode_code: Annotated[str, "What the specification calls it."]
    fell_back: Annotated[bool, "Whether the capability did not allow what the mode does."]
    moment: Annotated[AttentionMoment, "The moment."]
    component: Annotated[str, "The component that it is about."]
    subject: Annotated[str, "What it is about: the same is not raised twice."]
    intervention_class: Annotated[InterventionClass, "How far it goes."]
    class_code: Annotated[str, "What the specification calls that."]
    action: Annotated[AttentionAction, "What is asked for."]
    summary: Annotated[str, "In a sentence."]
    detail: Annotated[str, "What the user reads."]
    focus_type: Annotated[str | None, "What kind of thing it points at."]
    focus_id: Annotated[str | None, "What that thing is called."]
    urgency: Annotated[float, "How urgent it is, from 0 to 1."]
    confidence: Annotated[float, "How sure it is, from 0 to 1."]
    critical: Annotated[bool, "Whether it is critical."]
    options: Annotated[tuple[str, ...], "What to choose from."]
    options_left_out: Annotated[int, "Options that were offered beyond these."]
    evidence_refs: Annotated[tuple[str, ...], "Where the evidence is kept."]
    view_commands: Annotated[tuple[ViewCommandSent, ...], "What to do to the view."]
    rule_id: Annotated[str, "The rule that says it."]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionDecision:
    """A decision about attention, also to do nothing."""

    trace_id: Annotated[Id, "Id of its trace."]
    session_id: Annotated[Id, "Id of the session."]
    decided_at: Annotated[Time, "The moment that was decided for."]
    mode: Annotated[OperatingMode, "The mode of the component that was in use."]
    mode_code: Annotated[str, "What the specification calls it."]
    by_itself: Annotated[bool, "Whether nobody asked for it."]
    ended: Annotated[bool, "Whether the session had ended."]
    events_count: Annotated[int, "Events that were looked at."]
    active_component: Annotated[str | None, "The component that was in use."]
    first_time_with: Annotated[tuple[str, ...], "Components that are new to the user."]
    moments: Annotated[tuple[MomentSeen, ...], "Moments that were found, in the order in which they are taken."]
    intervention_class: Annotated[InterventionClass, "The farthest that it goes."]
    class_code: Annotated[str, "What the specification calls that."]
    gates: Annotated[UserGates, "What the user model lets through."]
    suppressed: Annotated[tuple[HeldBack, ...], "What was held back, and why."]
    outputs: Annotated[tuple[AttentionOutput, ...], "What came of it, or would have."]
    rules_fired: Annotated[tuple[str, ...], "Rules that had a say."]
    rules_version: Annotated[str, "Version of the rules that come with us."]
    directive_ids: Annotated[tuple[Id, ...], "Ids of the directives that came of it."]
    directives: ClassVar = Linked(
        "directive_ids", "The directives that came of it, as they are now.", "AttentionDirective", many=True
    )
    trace: ClassVar = Linked("trace_id", "Its trace.", "PolicyTrace")


def decision_view(trace: Mapping[str, Any], directives: Sequence[Sequence[str]]) -> AttentionDecision | None:
    """From a trace as it is kept, and the id, moment and subject of each directive. Of erased texts there is none."""
    try:
        answer = orjson.loads(trace["answer"])
    except orjson.JSONDecodeError:
        return None
    mode, asked = OperatingMode(trace["mode"]), InterventionClass(trace["intervention_class"])
    gates, known = answer["gates"], answer["normalise"]
    return AttentionDecision(
        trace_id=trace["id"],
        session_id=trace["session_id"],
        decided_at=trace["decided_at"],
        mode=mode,
        mode_code=MODES[mode].code,
        by_itself=trace["by_itself"],
        ended=known["ended"],
        events_count=trace["events_count"],
        active_component=known["active_component"],
        first_time_with=tuple(known["first_time"]),
        moments=tuple(_moment(one) for one in answer["moments"]),
        intervention_class=asked,
        class_code=CLASS_CODES[asked],
        gates=UserGates(
            max_directives=gates["max_directives"],
            verbosity=DirectiveVerbosity(gates["verbosity"]),
            proactive_allowed=gates["proactive_allowed"],
        ),
        suppressed=tuple(_held(one) for one in answer["suppressed"]),
        outputs=tuple(output_view(one) for one in answer["output"]),
        rules_fired=tuple(trace["rules_fired"]),
        rules_version=trace["rules_version"],
        directive_ids=_in_order(answer["output"], directives),
    )


def _in_order(outputs: Sequence[Mapping[str, Any]], directives: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The ids of directives as the outputs stand that they came of."""
    places = {(one["moment"], one["subject"]): place for place, one in enumerate(outputs)}
    return tuple(one[0] for one in sorted(directives, key=lambda one: places.get((one[1], one[2]), len(places))))


def _moment(one: Mapping[str, Any]) -> MomentSeen:
    moment = AttentionMoment(one["moment"])
    return MomentSeen(moment=moment, code=moment_code(moment), component=one["component"], rule_id=one["rule_id"])


def _held(one: Mapping[str, Any]) -> HeldBack:
    return HeldBack(
        moment=AttentionMoment(one["moment"]),
        action=AttentionAction(one["action"]),
        reason=SuppressionReason(one["reason"]),
    )


def output_view(one: Mapping[str, Any]) -> AttentionOutput:
    mode, asked = OperatingMode(one["mode"]), InterventionClass(one["intervention_class"])
    plain = ("component", "subject", "summary", "detail", "focus_type", "focus_id", "urgency", "confidence")
    more = ("critical", "options_left_out", "rule_id", "fell_back")
    return AttentionOutput(
        emitted=mode is not OperatingMode.shadow,
        mode=mode,
        mode_code=MODES[mode].code,
        moment=AttentionMoment(one["moment"]),
        intervention_class=asked,
        class_code=CLASS_CODES[asked],
        action=AttentionAction(one["action"]),
        options=tuple(one["options"]),
        evidence_refs=tuple(one["evidence_refs"]),
        view_commands=tuple(command_view(each) for each in one["view_commands"]),
        **{name: one[name] for name in (*plain, *more)},
    )


def command_view(one: Mapping[str, str]) -> ViewCommandSent:
    given = {name: value for name, value in one.items() if name != "command"}
    return ViewCommandSent(command=ViewCommand(one["command"]), **given)
