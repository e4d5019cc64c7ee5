"""Hidden is missing, whoever asks: every operation that takes a record, by id and by outside name, answers alike, byte
for byte, about one that is hidden and one that is not there. The operations and the places are read from the schema."""

import re
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from typing import Any, cast
from uuid import uuid4

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLList,
    GraphQLNamedType,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLScalarType,
    Undefined,
    get_named_type,
)

from graph_schema.model.names import api_name
from graph_schema.registry import REGISTRY
from tests.api.conftest import Api, Caller
from tests.api.marked import BESIDES, CLASSED, MARK, OF_MATTER, marked_id
from tests.api.schema import PLAIN, committed_schema, root_fields
from tests.laws import some

CALLERS = ("outsider", "marex", "executor")
REFERENCES = {"RecordRefInput", "RunRefInput", "RunItemInput", "ToolReportRefInput", "PacketRefInput", "ID"}
DEEP = 4
SOURCE = "marked"
ADMINISTERING = {
    *("createPrincipal", "changePrincipal", "disablePrincipal", "enablePrincipal"),
    *("grantMatters", "revokeMatters", "createKey", "revokeKey"),
}
"""They answer administrators alone; what they take is no record."""

IMPLIED = {
    **dict.fromkeys(("a", "b", "packet"), "ContextPacket"),
    **dict.fromkeys(("of", "into", "adapts", "target"), "Template"),
    **dict.fromkeys(("about", "matter", "offered", "document", "library"), "Entity"),
    **dict.fromkeys(("record", "select", "exclude", "head"), "Goal"),
    **dict.fromkeys(("prior", "candidate"), "Blueprint"),
    **dict.fromkeys(("allow", "deny", "require", "denie"), "Capability"),
    "dataset": "EvalDataset",
    "question": "DesignQuestion",
    "session": "DesignSession",
    "surface": "SurfaceContext",
    "intent": "LibraryIntent",
    "match": "MatchDecision",
    "searched": "MatchDecision",
    "decision": "ModeDecision",
    "trace": "InvocationTrace",
    "bundle": "PromptBundle",
    "document": "Entity",
    "library": "Entity",
    "pack": "KnowledgePack",
    "share": "ShareCapsule",
    "derivedfrom": "Artifact",
    "becauseof": "Artifact",
}
"""What the names of arguments imply that do not end with the name of a kind."""

OF_OPERATION = {
    ("attentionDecision", "trace"): "PolicyTrace",
    ("replayAttention", "trace"): "PolicyTrace",
    ("proposalEditTrace", "trace"): "EditTrace",
    ("replayEvalRun", "run"): "EvalRun",
    ("decideAttention", "session"): "AttentionSession",
    ("dismissDirective", "directive"): "AttentionDirective",
    ("actOnDirective", "directive"): "AttentionDirective",
    ("snoozeDirective", "directive"): "AttentionDirective",
    ("startPromptEvaluation", "candidate"): "PromptCandidate",
    ("completePromptEvaluation", "candidate"): "PromptCandidate",
}
BY_NAME = {one.lower(): one for one in REGISTRY.types}


SAID: dict[str, Any] = {"maxTokens": 300, "kind": "run_started", "prompt": {"text": "Write it."}}
"""Where the least that fits the type is refused before anybody is looked up."""


def label_of(word: str) -> str | None:
    """The kind of record that the name of an argument implies: the longest that it ends with."""
    bare = re.sub(r"(Ids?|Refs?)$", "", word).lower()
    words = (bare, bare.removesuffix("s"), f"{bare.removesuffix('ies')}y")
    said = (IMPLIED.get(one) for one in words)
    ended = (label for one in words for name, label in BY_NAME.items() if one.endswith(name))
    return next((one for one in said if one), None) or max(ended, key=len, default=None)


@dataclass(frozen=True)
class Place:
    """Where an operation takes a record: the argument, and the way to it in its input."""

    root: str
    field: str
    path: tuple[str, ...]
    kind: str

    @property
    def name(self) -> str:
        return f"{self.field}({'.'.join(self.path)})"

    @property
    def label(self) -> str:
        own = (OF_OPERATION.get((self.field, one)) for one in self.path)
        implied = (label_of(one) for one in (*reversed(self.path), self.field))
        return next((one for one in (*own, *implied) if one), "Entity")


def _operation(root: str, name: str) -> Any:
    """The field: what its types wrap has no type."""
    operations = committed_schema().type_map[root.capitalize()]
    assert isinstance(operations, GraphQLObjectType)
    return operations.fields[name]


def _places() -> Iterator[Place]:
    """Lists that are compiled from the registry have tests of their own (`test_firewall.py`)."""
    compiled = {api_name(kind.plural) for kind in REGISTRY.types.values()}
    for root in ("query", "mutation"):
        for name in root_fields(root.capitalize()):
            if name not in ADMINISTERING | compiled:
                for argument, taken in _operation(root, name).args.items():
                    for path, kind in _within(argument, taken.type, ()):
                        yield Place(root, name, path, kind)


def _within(name: str, type_: Any, above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    named, path = cast("GraphQLNamedType", get_named_type(type_)), (*above, name)
    if named.name in REFERENCES:
        if name != "matterIds":
            yield path, named.name
    elif isinstance(named, GraphQLInputObjectType) and len(path) < DEEP:
        for one, field in named.fields.items():
            yield from _within(one, field.type, path)


PLACES = {one.name: one for one in _places()}


def _given(name: str, type_: Any, path: tuple[str, ...] | None, asked: Any) -> Any:
    """What is given for an argument: what is asked about where its path ends, and beside it as little as it takes."""
    if isinstance(type_, (GraphQLNonNull, GraphQLList)):
        given = _given(name, cast("Any", type_).of_type, path, asked)
        return [given] if isinstance(type_, GraphQLList) else given
    if type_.name in REFERENCES and (path == () or path is None):
        beside = marked_id(REGISTRY.types[label_of(name) or "Entity"], BESIDES)
        return (beside if type_.name == "ID" else {"id": beside}) if path is None else asked
    if path is None and name in SAID:
        return SAID[name]
    if isinstance(type_, GraphQLEnumType):
        return next(iter(type_.values))
    if isinstance(type_, GraphQLScalarType):
        return PLAIN.get(type_.name, "unknown")
    assert isinstance(type_, GraphQLInputObjectType)
    said = _event(path) if type_.name == "RunEventInput" else {}
    return said | {
        one: _given(one, field.type, path[1:] if path and path[0] == one else None, asked)
        for one, field in type_.fields.items()
        if (path and path[0] == one) or str(field.type).endswith("!")
    }


KINDS = {
    "fork": "run_started",
    "about": "run_started",
    "goals": "run_started",
    "capabilities": "activation_completed",
    "advancedGoals": "run_completed",
    "derivedFrom": "artifact_produced",
    "item": "artifact_consumed",
    "recipientsKnown": "delivery",
    "run": "run_started",
}
"""The kind of event that takes each."""


def _event(path: tuple[str, ...] | None) -> dict[str, Any]:
    """An event of a run that nobody has reported yet, with what such an event needs."""
    kind = KINDS[path[0]] if path else "run_started"
    name = f"evt_{uuid4().hex[:26]}"
    made: dict[str, Any] = {
        "eventId": name,
        "kind": kind,
        "occurredAt": "2026-01-31T09:30:00Z",
        "run": {"source": SOURCE, "key": name},
        "policy": {"memoryMode": "standard", "dataClass": "internal", "matterIds": []},
    }
    if not kind.startswith("run_"):
        made |= {"moduleKey": "m", "activationSeq": 1}
    if kind == "artifact_produced":
        made |= {"artifactKey": "a", "artifactKind": "document"}
    if kind == "delivery":
        made |= {
            "artifactKey": "a",
            "deliveryKey": "d",
            "deliveryKind": "email",
            "idempotencyKey": "i",
            "status": "delivered",
        }
    return made


def asking(place: Place, asked: Any) -> tuple[str, dict[str, Any]]:
    """A document that asks the operation about a record, and its variables."""
    operation = _operation(place.root, place.field)
    taken = {
        name: argument.type
        for name, argument in operation.args.items()
        if name == place.path[0] or str(argument.type).endswith("!")
    }
    given = ", ".join(f"${name}: {kind}" for name, kind in taken.items())
    passed = ", ".join(f"{name}: ${name}" for name in taken)
    variables = {
        name: _given(name, kind, place.path[1:] if name == place.path[0] else None, asked)
        for name, kind in taken.items()
    }
    return f"{place.root} ({given}) {{ {place.field}({passed}) {_shown(operation.type)} }}", variables


def _shown(type_: Any, depth: int = 2) -> str:
    """All plain fields of an answer and of what is in it, two steps deep."""
    named = cast("GraphQLNamedType", get_named_type(type_))
    if isinstance(named, (GraphQLScalarType, GraphQLEnumType)):
        return ""
    names = ["__typename"]
    for name, field in getattr(named, "fields", {}).items():
        inner = cast("GraphQLNamedType", get_named_type(field.type))
        if any(str(one.type).endswith("!") and one.default_value is Undefined for one in field.args.values()):
            continue
        if isinstance(inner, (GraphQLScalarType, GraphQLEnumType)):
            names.append(name)
        elif depth and isinstance(inner, GraphQLObjectType) and inner.name not in REGISTRY.types and not field.args:
            names.append(f"{name} {_shown(inner, depth - 1)}")
    return f"{{ {' '.join(names)} }}"


_PASSING = re.compile(
    r'\b[a-z]{2,7}_[0-9a-z]{26}\b|\d{4}-\d\d-\d\dT[\d:.]+Z|"[0-9a-f]{64}"|"requestId":"[0-9a-f]+"'
    r'|"bookmark":"[^"]*"|"ms":[\d.e-]+'
)
"""Ids and times that are made for each answer, hashes of what was asked, and names of requests."""


async def told(caller: Caller, place: Place, asked: Any, called: str) -> str:
    document, variables = asking(place, asked)
    return _PASSING.sub("…", (await caller.post(document, **variables)).text.replace(called, "<asked>"))


@pytest.fixture(scope="module")
async def keyed(marked: Api) -> AsyncGenerator[dict[str, Caller]]:
    """Hidden records have outside names too."""
    await marked.database.run_alone(
        "MATCH (n:Record) WHERE n.name STARTS WITH $mark "
        "SET n.source = $source, n.source_key = n.id + '-key', n.realm = ''",
        mark=MARK,
        source=SOURCE,
    )
    callers = {name: marked.caller(name) for name in CALLERS}
    yield callers
    for one in callers.values():
        await one.client.aclose()
    await marked.database.run_alone(
        "MATCH (n:Record {source: $source}) WHERE NOT n.name STARTS WITH $mark "
        "OPTIONAL MATCH (part:Record {run_id: n.id}) DETACH DELETE n, part",
        mark=MARK,
        source=SOURCE,
    )


def test_the_places_are_found() -> None:
    assert len(PLACES) > 150
    assert {"whyExcluded(run)", "linkRecords(tail)", "node(id)", "proposeChange(input.target)"} <= {*PLACES}


@pytest.mark.parametrize("name", some(PLACES, 5))
async def test_hidden_is_missing_byte_for_byte(name: str, keyed: dict[str, Caller]) -> None:
    place = PLACES[name]
    kind = REGISTRY.types[place.label]
    ids = [marked_id(kind, CLASSED), marked_id(kind, OF_MATTER), f"{kind.prefix}_missing"]
    asked: list[tuple[Any, str]] = [(one if place.kind == "ID" else {"id": one}, one) for one in ids]
    keys = [] if place.kind in {"ID", "PacketRefInput"} else [f"{one}-key" for one in ids]
    for caller, client in keyed.items():
        by_id = {await told(client, place, *one) for one in asked}
        assert len(by_id) == 1, "\n".join((caller, *sorted(by_id)))
        by_key = {await told(client, place, {"source": SOURCE, "key": one}, one) for one in keys}
        assert len(by_key) <= 1, "\n".join((caller, *sorted(by_key)))
