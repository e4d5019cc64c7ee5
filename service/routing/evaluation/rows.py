"""Labelled requests: JSON lines with text, facts and the modes that are acceptable."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from graph_schema.context.words import SurfaceKind
from graph_schema.model.names import stored_name
from graph_schema.routing.decision_words import ExecutionMode as Mode
from service.commands import RecordRef
from service.routing.decision.request import RequestAttachment, TaskModeRequest
from service.routing.evaluation.errors import RowsInvalid

DIRECT = frozenset({Mode.direct_chat, Mode.direct_tool_or_procedure})
TASKS = frozenset(Mode) - DIRECT - {Mode.openclaw_background_subagent, Mode.ec_scheduled_job}
"""The modes that have to do with saved tasks."""

_REFS = ("open_task", "open_run")
_WORDS = ("task_type", "context_class", "user_request_ref")
_LISTS = ("capabilities", "denied_capabilities")


@dataclass(frozen=True, slots=True)
class Labelled:
    """`explicit`: it asks for a task, a template, a run or an output outright; None when nobody said."""

    line: int
    request: TaskModeRequest
    modes: tuple[Mode, ...]
    explicit: bool | None = None

    @property
    def direct(self) -> bool:
        """Whether nothing of tasks should be offered."""
        return not {*self.modes} & TASKS

    @property
    def wants_task(self) -> bool:
        return self.modes[0] in TASKS


def read(path: Path) -> list[Labelled]:
    lines = path.read_text(encoding="utf-8").split("\n")
    found = [_row(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not found:
        raise RowsInvalid(str(path), 1, "the file has no requests")
    return found


def _row(path: Path, number: int, line: str) -> Labelled:
    try:
        given: Any = json.loads(line)
        told = cast("dict[str, Any]", given.get("facts") or {})
        facts = {stored_name(name): value for name, value in told.items()}
        modes = tuple(Mode(one) for one in given.get("modes") or (Mode.direct_chat,))
        return Labelled(number, _request(given["text"], facts), modes, given.get("explicit"))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RowsInvalid(str(path), number, f"it is not such an object ({error})") from error


def _request(text: str, facts: Mapping[str, Any]) -> TaskModeRequest:
    """What a file says of a record that is open may be no more than that one is."""
    values: dict[str, Any] = {name: facts[name] for name in _WORDS if facts.get(name)}
    values |= {name: tuple(facts[name]) for name in _LISTS if facts.get(name)}
    values |= {name: _ref(facts[name]) for name in _REFS if isinstance(facts.get(name), dict)}
    return TaskModeRequest(
        text=text,
        attachments=tuple(_attachment(one) for one in facts.get("attachments") or ()),
        surface=SurfaceKind(facts["surface"]) if facts.get("surface") in {*SurfaceKind} else None,
        entities=tuple(_ref(one) for one in facts.get("entities") or () if isinstance(one, dict)),
        conversation_turns=facts.get("conversation_turns"),
        task_agent_active=bool(facts.get("task_agent_active")),
        work_open=any(facts.get(name) and not isinstance(facts[name], dict) for name in (*_REFS, "work_open")),
        **values,
    )


def _ref(given: Any) -> RecordRef:
    named = cast("Mapping[str, str]", given)
    return RecordRef(id=named.get("id"), source=named.get("source"), key=named.get("key"))


def _attachment(given: Any) -> RequestAttachment:
    if isinstance(given, str):
        return RequestAttachment(name=given)
    named = cast("Mapping[str, Any]", given)
    return RequestAttachment(name=named["name"], kind=named.get("kind"))
