"""How a page follows a run: the address of a subscription, as EventSource asks it."""

import json
from urllib.parse import urlencode

from service.web.pages.engine.documents import text_of

_ENDED = ("completed", "failed", "cancelled")


def live_address(run: str, status: str) -> str:
    """Nothing for a run that has ended."""
    if status in _ENDED:
        return ""
    asked = {"query": text_of("run/live.graphql"), "variables": json.dumps({"run": {"id": run}})}
    return f"/graphql?{urlencode(asked)}"
