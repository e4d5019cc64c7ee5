"""Words of attention: what is heard, when it matters, what may be asked for, and how far an agent may go."""

from enum import StrEnum


class AgentEventType(StrEnum):
    """What was heard."""

    analysis_completed = "analysis_completed"
    analysis_failed = "analysis_failed"
    artifact_created = "artifact_created"
    tool_rendered = "tool_rendered"
    attention_requested = "attention_requested"
    decision_required = "decision_required"
    user_action = "user_action"
    user_feedback = "user_feedback"
    system_health = "system_health"


class AttentionMoment(StrEnum):
    """A pattern over events at which attention may be asked for, in the order in which they are taken."""

    error = "error"
    decision_required = "decision_required"
    overload = "overload"
    finding = "finding"
    hesitation = "hesitation"
    first_signal = "first_signal"


class InterventionClass(StrEnum):
    """How far an intervention goes, from nothing to what is critical."""

    none = "none"
    point = "point"
    review = "review"
    compare = "compare"
    decide = "decide"
    intervene = "intervene"


class AttentionAction(StrEnum):
    """What the user is asked to do."""

    inspect = "inspect"
    review = "review"
    compare = "compare"
    decide = "decide"
    confirm = "confirm"
    intervene = "intervene"
    abort = "abort"


class OperatingMode(StrEnum):
    """How far an agent may go: watch, suggest, or also adjust a view."""

    shadow = "shadow"
    advisory = "advisory"
    actuated = "actuated"


class PreferenceDimension(StrEnum):
    """What a user model knows of how somebody likes to be helped."""

    cognitive_load_sensitivity = "cognitive_load_sensitivity"
    guidance_density = "guidance_density"
    initiative_tolerance = "initiative_tolerance"


class DirectiveVerbosity(StrEnum):
    """How much a directive says."""

    summary_only = "summary_only"
    summary_plus_hint = "summary_plus_hint"
    full_explanation = "full_explanation"


class DirectiveState(StrEnum):
    """What became of a directive."""

    open = "open"
    snoozed = "snoozed"
    dismissed = "dismissed"
    acted = "acted"
    expired = "expired"


class AttentionRuleKind(StrEnum):
    """What a rule is for."""

    detect = "detect"
    policy = "policy"


class ViewCommand(StrEnum):
    """What an agent may do to a view. There is nothing else that it may do to a component."""

    focus_trace = "focus_trace"
    hide_all_except = "hide_all_except"
    highlight_delta = "highlight_delta"
    reset_view = "reset_view"
