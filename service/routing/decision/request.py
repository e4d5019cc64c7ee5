"""What is asked of routing: what the user said, and the facts that the caller has."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Annotated, Any, cast

from graph_schema.context.words import SurfaceKind
from service.commands import RecordRef
from service.commands.errors import InputInvalid
from service.routing.words.said import LONGEST

MOST_ATTACHMENTS = 50
MOST_ENTITIES = 50
MOST_CAPABILITIES = 200
LONGEST_WORD = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestAttachment:
    """Something that came with a request."""

    name: Annotated[str, f"What it is called, up to {LONGEST_WORD} characters."]
    kind: Annotated[str | None, "What kind of document it is, such as contract or transcript."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskModeRequest:
    """What the user said, and what the caller knows beside. What is left out counts neither way."""

    text: Annotated[str, f"What the user said, up to {LONGEST:,} characters. It is data, no order."]
    attachments: Annotated[
        tuple[RequestAttachment, ...], f"What came with it, up to {MOST_ATTACHMENTS}: names and kinds, no contents."
    ] = ()
    surface: Annotated[SurfaceKind | None, "Where it was said."] = None
    open_task: Annotated[RecordRef | None, "The task that is open there."] = None
    open_run: Annotated[RecordRef | None, "The run that is open there."] = None
    work_open: Annotated[bool, "Whether a task or run is open there, where you cannot say which."] = False
    entities: Annotated[
        tuple[RecordRef, ...], f"Matters, entities and goals that the work is about, up to {MOST_ENTITIES}."
    ] = ()
    conversation_turns: Annotated[int | None, "How many turns the conversation has had."] = None
    capabilities: Annotated[tuple[str, ...], f"Capabilities on hand, by name, up to {MOST_CAPABILITIES}."] = ()
    denied_capabilities: Annotated[tuple[str, ...], "Capabilities that a policy denies."] = ()
    task_type: Annotated[str | None, "What type of task it is, if that is known."] = None
    context_class: Annotated[str | None, "The class of context, if you have one of your own."] = None
    task_agent_active: Annotated[bool, "Whether the Task Agent is already at work in this conversation."] = False
    user_request_ref: Annotated[str | None, "What you call the request. Without it, a hash of its text."] = None

    def check(self) -> None:
        for name, most in _MOST.items():
            if len(getattr(self, name)) > most:
                raise InputInvalid(f"request.{name}", f"at most {most} can be named")
        for name in ("open_task", "open_run"):
            ref: RecordRef | None = getattr(self, name)
            if ref is not None:
                ref.check(f"request.{name}", _KINDS[name])
        for one in self.entities:
            one.check("request.entities")
        if self.conversation_turns is not None and self.conversation_turns < 0:
            raise InputInvalid("request.conversation_turns", "it cannot be below 0")
        for name, value in self._words():
            if not value.strip() or len(value) > LONGEST_WORD:
                raise InputInvalid(f"request.{name}", f"it must have from 1 to {LONGEST_WORD} characters")

    def _words(self) -> list[tuple[str, str]]:
        named = [("attachments", one.name) for one in self.attachments]
        named += [("attachments", one.kind) for one in self.attachments if one.kind is not None]
        named += [(name, one) for name in ("capabilities", "denied_capabilities") for one in getattr(self, name)]
        single = [(name, getattr(self, name)) for name in ("task_type", "context_class", "user_request_ref")]
        return [*named, *((name, one) for name, one in single if one is not None)]

    def facts(self) -> dict[str, Any]:
        """All but the text, as it is kept with a decision."""
        return {name: value for name, value in asdict(self).items() if name != "text"}

    @classmethod
    def of_facts(cls, text: str, given: Mapping[str, Any]) -> "TaskModeRequest":
        known = {one.name for one in fields(cls)}
        values = {name: _thawed(name, value) for name, value in given.items() if name in known}
        return cls(text=text, **values)


def attached(request: TaskModeRequest) -> tuple[str, ...]:
    """What came, by its kind, else by its name."""
    return tuple(f"{one.kind} {one.name}" if one.kind else one.name for one in request.attachments)


_MOST = {
    "attachments": MOST_ATTACHMENTS,
    "entities": MOST_ENTITIES,
    "capabilities": MOST_CAPABILITIES,
    "denied_capabilities": MOST_CAPABILITIES,
}
_KINDS = {"open_task": "Task", "open_run": "Run"}


def _thawed(name: str, value: Any) -> Any:
    if name == "attachments":
        return tuple(RequestAttachment(**one) for one in value)
    if name == "entities":
        return tuple(RecordRef(**one) for one in value)
    if name in _KINDS:
        return RecordRef(**value) if value else None
    if name == "surface":
        return SurfaceKind(value) if value else None
    return tuple(cast("list[str]", value)) if isinstance(value, list) else value
