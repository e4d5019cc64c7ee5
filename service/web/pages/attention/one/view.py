"""The events in the order in which they happened."""

import json
from typing import Any

from service.web.pages.engine.page import Asked, Data


def view(data: Data, _asked: Asked) -> Data:
    trace: Data | None = data["attentionDecision"]["trace"]
    read: Data = trace["readEvents"] if trace else {"nodes": [], "totalCount": 0}
    events: list[Data] = sorted(read["nodes"], key=_when)
    return {"events": [one | {"told": _told(one["payload"])} for one in events], "read": read["totalCount"]}


def _when(event: Data) -> str:
    return event["occurredAt"]


def _told(payload: str | None) -> list[tuple[str, str]]:
    """What stands in a payload, without what only programs read."""
    given: dict[str, Any] = json.loads(payload or "{}")
    return [(name, str(value)) for name, value in given.items() if not isinstance(value, (dict, list))]
