"""Values against their record's model. A refusal names the field, the limit and the size."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from graph_schema.model.record import Properties
from graph_schema.model.texts import control_in
from graph_schema.model.times import TimeUnreadable
from service.commands.errors import ControlCharacter, InputInvalid, TextTooLong, TimeInvalid


def validated(model: type[Properties], values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """The properties to store for these values, with the model's defaults."""
    try:
        return model.model_validate(dict(values)).properties()
    except ValidationError as error:
        first = error.errors()[0]
        path = prefix + ".".join(str(part) for part in first["loc"])
        if first["type"] == "string_too_long":
            raise TextTooLong(path, first["ctx"]["max_length"], len(first["input"])) from None  # pyright: ignore[reportTypedDictNotRequiredAccess]
        if first["type"] == "string_pattern_mismatch" and (control := control_in(first["input"])):
            raise ControlCharacter(path, control) from None
        cause = first.get("ctx", {}).get("error")
        if isinstance(cause, TimeUnreadable):
            raise TimeInvalid(path, cause) from None
        raise InputInvalid(path, _problem(first["msg"])) from None


def _problem(message: str) -> str:
    return message.removeprefix("Value error, ").rstrip(".")
