"""The words of tools: how a call ended, what failed, how it was judged, and what is recommended because of it."""

from enum import StrEnum

from graph_schema.model.record import LifecycleState as Life

TOOL_STATES = (Life.draft, Life.active, Life.deprecated, Life.archived)


class ToolWorld(StrEnum):
    """What a method works on."""

    open_world = "open_world"
    """Pages, mails, documents: what comes back can be well formed and useless, so it is asked to judge itself."""
    deterministic = "deterministic"
    """Arithmetic, strings, dates: the same comes of the same, and there is nothing to judge."""


class ToolOutcomeType(StrEnum):
    """How a call of a tool ended."""

    success = "success"
    execution_error = "execution_error"
    wrong_tool_boundary = "wrong_tool_boundary"
    low_utility = "low_utility"


class ToolErrorClass(StrEnum):
    """Whose fault a failed call is."""

    environment = "environment"
    authorisation = "authorisation"
    input = "input"
    tool = "tool"
    unknown = "unknown"


class ToolStanding(StrEnum):
    """What the outcomes of a tool come to."""

    reliable = "reliable"
    unknown = "unknown"
    unused = "unused"
    failing = "failing"
    demoted = "demoted"


class UtilityTrend(StrEnum):
    """Whether what a tool gives is becoming better or worse."""

    rising = "rising"
    steady = "steady"
    falling = "falling"
    unknown = "unknown"


class RecommendationKind(StrEnum):
    """What a builder is advised to do."""

    tighten_acceptance = "tighten_acceptance"
    split_boundary = "split_boundary"
    deprecate_method = "deprecate_method"


class RecommendationState(StrEnum):
    """What became of a recommendation."""

    open = "open"
    accepted = "accepted"
    rejected = "rejected"
    expired = "expired"
