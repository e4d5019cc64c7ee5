"""Values as GraphQL takes them, made from values as executors' JSON lines have them."""

from typing import Any, cast

from graph_schema.model.names import api_name


def api_keys(value: Any) -> Any:
    """The same value with the API's names for its keys, at every level."""
    if isinstance(value, dict):
        return {api_name(key): api_keys(inner) for key, inner in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [api_keys(inner) for inner in cast("list[Any]", value)]
    return value
