"""Task activity memory: reporting what runs do.

GraphQL inputs know no unions, so there is one input with the fields of all kinds of event. Which of them a kind takes
is checked event by event, and so are times and words: one bad event must not refuse the others.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, Optional, TypeVar

import strawberry
from pydantic.fields import FieldInfo

from graph_schema.model.fields import Field, Kind
from graph_schema.model.names import api_name, api_path, api_text
from graph_schema.model.record import read_field
from resolvers.engine.errors import api_message
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.engine.scalars import scalar_type
from resolvers.generated.inputs import values_of
from resolvers.generated.views import view_type
from resolvers.memory.unreadable import unread_of
from service.memory.reporting.answers import ItemAnswer, ReportPayload
from service.memory.reporting.commands import Reporting
from service.memory.reporting.events import MODELS, ItemRef, RunRef, StepRef, Unread
from service.memory.reporting.kinds import KINDS, EventKind
from service.memory.reporting.policy import MatterRef, RunPolicy

A = TypeVar("A", bound=ItemAnswer)
_ITEMS = ("about", "goals", "advanced_goals", "capabilities", "derived_from", "recipients_known")


def made_input(name: str, description: str, fields: dict[str, tuple[Any, str]]) -> type:
    members: dict[str, Any] = {
        key: strawberry.field(name=api_name(key), description=told, default=strawberry.UNSET)
        for key, (_, told) in fields.items()
    }
    annotations = {key: Optional[kind] for key, (kind, _) in fields.items()}  # noqa: UP045 - made at run time
    return strawberry.input(
        type(name, (), {"__annotations__": annotations, **members}), name=name, description=description
    )


def _plain(name: str, info: FieldInfo) -> tuple[Any, str]:
    """The type of a value that is checked with its event: words and times come as strings."""
    one = read_field(name, info)
    single: Any = str if one.enum or one.kind is Kind.timestamp or one.name == "id" else scalar_type(one)
    return (list[single] if one.many else single), _meaning(one)


def _meaning(one: Field) -> str:
    if one.enum is None:
        return one.description
    return f"{one.description} One of: {', '.join(one.enum)}."


def model_input(model: Any, name: str, nested: Mapping[str, Any] | None = None) -> Any:
    """The input of a model that is checked with its event. `nested`: the inputs of fields that are models too."""
    inside = nested or {}
    fields = {
        key: (inside[key], info.description or "") if key in inside else _plain(key, info)
        for key, info in model.model_fields.items()
    }
    return made_input(name, (model.__doc__ or "").strip(), fields)


RUN_REF: Any = model_input(RunRef, "RunRefInput")
_ITEM: Any = model_input(ItemRef, "RunItemInput")
_STEP: Any = model_input(StepRef, "RunStepInput")
_MATTER: Any = model_input(MatterRef, "MatterRefInput")
_POLICY: Any = model_input(RunPolicy, "RunPolicyInput", {"matters": list[_MATTER]})
_NESTED: dict[str, Any] = {
    "run": RUN_REF,
    "policy": _POLICY,
    "item": _ITEM,
    "fork": _ITEM,
    "triggered_by": list[_STEP],
    **dict.fromkeys(_ITEMS, list[_ITEM]),
}


def _event_fields() -> dict[str, tuple[Any, str]]:
    found: dict[str, tuple[Any, str]] = {}
    users: dict[str, list[str]] = {}
    for name, kind in KINDS.items():
        for field, typed in _fields_of(kind):
            found.setdefault(field, typed)
            users.setdefault(field, []).append(name)
    return {name: (kind, _with_users(told, users[name])) for name, (kind, told) in found.items()}


def _fields_of(kind: EventKind) -> Iterator[tuple[str, tuple[Any, str]]]:
    for name, info in MODELS[kind.name].model_fields.items():
        if name == "kind":
            yield name, (str, f"What happened. One of: {', '.join(KINDS)}.")
        elif name in _NESTED:
            yield name, (_NESTED[name], info.description or "")
        else:
            yield name, _plain(name, info)


def _with_users(told: str, users: list[str]) -> str:
    """Where a field is only for some kinds, which. What a status may be depends on the kind."""
    if len(users) == len(KINDS):
        return told
    if "delivery" in users and "span" in users:
        told = told.partition(" One of:")[0]
    return f"{told} For: {', '.join(users)}."


RUN_EVENT: Any = made_input("RunEventInput", "Something that happened in a run.", _event_fields())


async def _report(self: Any, info: RecordInfo, events: Any) -> Any:
    del self
    values = [event_values(one) for one in events]
    given = [unread_of(one) or one for one in values]
    answers = await service_of(info, Reporting).report(viewer_of(info), given)
    payload = ReportPayload(tuple(as_told(one, as_sent=isinstance(given[one.index], Unread)) for one in answers))
    if payload.accepted and info.context.renew is not None:
        info.context.viewer = await info.context.renew(frozenset())
    return shaped(info, payload)


_report.__annotations__["events"] = Annotated[
    list[RUN_EVENT], strawberry.argument(description="Up to 500 events, in any order.")
]


@strawberry.type
class ReportingMutation:
    report_run_events: Any = strawberry.mutation(
        resolver=_report,
        graphql_type=view_type(ReportPayload),
        description="Tell what happened in runs. Each event is taken, known already or refused for itself; sent twice, "
        "in any order or by several at once, the same graph comes of it. Needs the scope report.",
    )


def event_values(given: Any) -> dict[str, Any]:
    """An input as the service takes it, without what was left out or null."""
    return {name: _value(value) for name, value in values_of(given).items() if value is not None}


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return [_value(one) for one in value]  # pyright: ignore[reportUnknownVariableType]
    return event_values(value) if hasattr(value, "__strawberry_definition__") else value


def as_told(one: A, *, as_sent: bool) -> A:
    """An answer with the API's names; what GraphQL could not read is told by the names that were sent."""
    if as_sent:
        return one
    return replace(
        one,
        field=api_path(one.field) if one.field else None,
        message=api_message(one.message, one.field) if one.message else None,
        remedy=api_text(one.remedy) if one.remedy else None,
    )
