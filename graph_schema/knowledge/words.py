"""Words of the catalogue and of preflight."""

from enum import StrEnum


class PortDirection(StrEnum):
    """Which way things pass a port."""

    input = "input"
    output = "output"


class PortKind(StrEnum):
    """What passes a port."""

    data = "data"
    context = "context"
    instruction = "instruction"
    file = "file"
    signal = "signal"
    error = "error"
    candidate = "candidate"
    comparison_bundle = "comparison_bundle"
    claims = "claims"
    evaluation = "evaluation"
    trigger_payload = "trigger_payload"
    any = "any"


class ConfigKind(StrEnum):
    """What can be set in a field of a configuration."""

    text = "text"
    integer = "integer"
    number = "number"
    boolean = "boolean"
    choice = "choice"
    list = "list"
    reference = "reference"
    object = "object"


class PreflightStatus(StrEnum):
    """What a preflight came to."""

    ready = "ready"
    warning = "warning"
    blocked = "blocked"
