"""What can be asked: each function makes one question, and says how its answer is read. Nothing here sends anything."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast
from uuid import uuid4

from service.client.answers import EventAnswer, Lineage, Match, Packet, Scope
from service.client.errors import NotAReference, Refused, Rejected
from service.client.shapes import camel, read, selection

T = TypeVar("T")
Given = Mapping[str, Any]
Reference = str | Given
"""A record: its id, `source:key`, or a mapping with `id`, or with `source` and `key`."""

GRAPHQL = "/graphql"
EVENTS = "/v1/events"
MOST_EVENTS = 500
_ID = re.compile(r"[a-z]{2,5}_[0-9A-Za-z]+")
_MUTATION = re.compile(r"^\s*mutation\b", re.MULTILINE)


@dataclass(frozen=True)
class Ask(Generic[T]):
    """One question. `again` says whether it may be sent once more when nobody knows whether it arrived."""

    path: str
    body: bytes
    read: Callable[[int, bytes], T]
    again: bool = True
    headers: Mapping[str, str] = field(default_factory=lambda: {"content-type": "application/json"})


def reference(given: Reference) -> dict[str, Any]:
    if not isinstance(given, str):
        return dict(given)
    text = given.strip()
    if _ID.fullmatch(text):
        return {"id": text}
    source, _, key = text.partition(":")
    if not source or not key:
        raise NotAReference(given)
    return {"source": source, "key": key}


def query(document: str, variables: Given | None = None) -> Ask[dict[str, Any]]:
    """Any GraphQL document; the whole `data` of its answer. A mutation is sent once, for nobody knows what it does."""
    return _graphql(document, variables or {}, lambda data: data, again=not _MUTATION.search(document))


def asked(
    root: str,
    arguments: Mapping[str, tuple[str, Any]],
    shape: type[T],
    *,
    command: bool = False,
    part: str | None = None,
) -> Ask[T]:
    """A field of the API by its name, with arguments as `name: (type, value)`, read as `shape`.

    A command gets an id that stays the same when it is sent again. `part` is the field of the answer that is wanted.
    """
    given = {**arguments, **({"commandId": ("String", f"client-{uuid4().hex}")} if command else {})}
    takes = ", ".join(f"${name}: {kind}" for name, (kind, _) in given.items())
    passes = ", ".join(f"{name}: ${name}" for name in given)
    chosen = f"{{ {part} {selection(shape)} }}" if part else selection(shape)
    called = f"{root}({passes}) {chosen}" if given else f"{root} {chosen}"
    document = f"{'mutation' if command else 'query'} {f'({takes})' if given else ''} {{ {called} }}"

    def answer(data: dict[str, Any]) -> T:
        return read(shape, data[root][part] if part else data[root])

    return _graphql(document, {name: value for name, (_, value) in given.items()}, answer)


def maybe(ask: Ask[T]) -> Ask[T | None]:
    """The same, where the answer may be that there is none."""
    return cast("Ask[T | None]", ask)


def match(text: str, *, kind: str = "template", first: int = 5, **about: Any) -> Ask[Match]:
    """Which asset of a kind fits a request: template, preset, pattern, case, blueprint or segment.

    `about` is whatever else is known: task_type, inputs, outputs, capabilities, denied_capabilities and so on.
    """
    request = {"text": text, **api_names(about)}
    root = f"match{kind.capitalize()}s"
    return asked(root, {"request": ("MatchRequest!", request), "first": ("Int!", first)}, Match)


def scope(run: Reference, *, launch_surface: str = "manual_api", **known: Any) -> Ask[Scope]:
    """Settle what a run is about, once, before its first module asks for context."""
    given = {"run": reference(run), "launchSurface": launch_surface, **api_names(known)}
    return asked("openRunScope", {"input": ("RunScopeInput!", given)}, Scope, command=True)


def packet(
    run: Reference, module: str, *, activation: int = 1, max_tokens: int = 4_000, preview: bool = False, **known: Any
) -> Ask[Packet]:
    """What a module may know, as text and as items, with what was kept out. A preview stores nothing."""
    given = {"run": reference(run), "moduleKey": module, "activationSeq": activation, "maxTokens": max_tokens}
    arguments = {"input": ("ContextPacketInput!", {**given, **api_names(known)})}
    if preview:
        return asked("previewContextPacket", arguments, Packet)
    return asked("assembleContextPacket", arguments, Packet, command=True, part="packet")


def lineage(of: Reference, *, direction: str = "upstream", depth: int = 5) -> Ask[Lineage]:
    """Where something came from (upstream), or what came of it (downstream)."""
    arguments = {
        "of": ("RecordRefInput!", reference(of)),
        "direction": ("LineageDirection!", direction),
        "depth": ("Int!", depth),
    }
    return asked("lineage", arguments, Lineage)


def report(*events: Given, strict: bool = True) -> Ask[tuple[EventAnswer, ...]]:
    """Events of runs, at most 500, in any order; sent again they change nothing. `strict` raises if one is rejected."""

    def answers(status: int, content: bytes) -> tuple[EventAnswer, ...]:
        lines = [json.loads(line) for line in content.splitlines() if line.strip()]
        if any("errors" in one for one in lines):
            raise Refused(lines[0]["errors"], status)
        names = EventAnswer.__dataclass_fields__
        told = tuple(EventAnswer(**{name: one for name, one in line.items() if name in names}) for line in lines)
        if strict and any(one.outcome == "rejected" for one in told):
            raise Rejected(told)
        return told

    body = "\n".join(json.dumps(one, ensure_ascii=False, default=str) for one in events).encode()
    return Ask(EVENTS, body, answers, headers={"content-type": "application/x-ndjson"})


def api_names(given: Any) -> Any:
    """Names as GraphQL has them, also of those who wrote them as Python does."""
    if isinstance(given, Mapping):
        named: Given = given  # pyright: ignore[reportUnknownVariableType]
        return {camel(name): api_names(one) for name, one in named.items()}
    if isinstance(given, Sequence) and not isinstance(given, str | bytes):
        listed: Sequence[Any] = given  # pyright: ignore[reportUnknownVariableType]
        return [api_names(one) for one in listed]
    return given


def graphql_body(document: str, variables: Given) -> bytes:
    return json.dumps({"query": document, "variables": dict(variables)}, ensure_ascii=False).encode()


def _graphql(document: str, variables: Given, answer: Callable[[dict[str, Any]], T], *, again: bool = True) -> Ask[T]:
    def answered(status: int, content: bytes) -> T:
        told = json.loads(content)
        if told.get("errors"):
            raise Refused(told["errors"], status)
        return answer(told["data"])

    return Ask(GRAPHQL, graphql_body(document, variables), answered, again=again)
