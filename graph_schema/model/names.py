"""One rule leads from stored names to names of the API and back: `started_at` is `startedAt` in GraphQL.

Nothing else renames. What an error, a filter or an event says of a field goes through the same two functions.
"""

import re
from functools import cache

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_QUOTED = re.compile(r"`[^`]+`")
_STORED = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")


@cache
def api_name(stored: str) -> str:
    """`started_at` as GraphQL has it: `startedAt`."""
    first, *rest = stored.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


@cache
def stored_name(shown: str) -> str:
    """`startedAt` as the graph, JSON lines and files have it: `started_at`."""
    return _HUMP.sub("_", shown).lower()


def api_path(path: str) -> str:
    """The same for each name of a path, such as `input.steps[0].step_key`."""
    return _STORED.sub(lambda found: api_name(found.group()), path)


def api_text(text: str) -> str:
    """A sentence that names fields in backticks, with the names that the API has for them."""
    return _QUOTED.sub(lambda found: api_path(found.group()), text)
