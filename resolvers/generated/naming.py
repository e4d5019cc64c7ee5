"""The record that an argument names: by its id, or by what an outside system calls it.

What is unknown by its key is looked for under an id that nothing has, so that it reads exactly as what is hidden.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Protocol, TypeVar

import strawberry

from resolvers.engine.loading import RecordInfo
from resolvers.engine.request import service_of, viewer_of
from service.commands import RecordRef
from service.records.names import Names

Source = Annotated[str | None, strawberry.argument(description="The outside system that knows it, instead of the id.")]
Key = Annotated[str | None, strawberry.argument(description="What that system calls it.")]


async def id_of(info: RecordInfo, ref: RecordRef, field: str, *kinds: str) -> str:
    """The id of the record that is named."""
    [found] = await ids_of(info, [ref], field, *kinds)
    return found


async def ids_of(info: RecordInfo, refs: Sequence[RecordRef], field: str, *kinds: str) -> list[str]:
    """The ids of the records that are named. Only keys have to be looked up."""
    for one in refs:
        one.check(field, *kinds)
    keyed = [one for one in refs if one.id is None]
    found = await service_of(info, Names).found(viewer_of(info), keyed, kinds) if keyed else {}
    return [one.id or (found[str(one)].id if str(one) in found else str(one)) for one in refs]


class _Placed(Protocol):
    @property
    def matter_ids(self) -> tuple[str, ...]: ...
    @property
    def matters(self) -> tuple[RecordRef, ...]: ...


P = TypeVar("P", bound=_Placed)


async def with_matters(info: RecordInfo, given: P) -> P:
    """What is asked, with ids for the matters that are named as their owner calls them."""
    if not given.matters:
        return given
    found = await ids_of(info, given.matters, "matters", "Entity")
    told: Any = given
    return replace(told, matter_ids=(*given.matter_ids, *found), matters=())


async def placed(info: RecordInfo, values: dict[str, Any]) -> dict[str, Any]:
    """The same of the values of an input that is made from the registry."""
    named = values.pop("matters", None)
    if named:
        found = await ids_of(info, [one.ref() for one in named], "matters", "Entity")
        values["matter_ids"] = [*(values.get("matter_ids") or ()), *found]
    return values
