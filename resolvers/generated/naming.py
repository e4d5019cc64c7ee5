"""The record that an argument names: by its id, or by what an outside system calls it.

What is unknown by its key is looked for under an id that nothing has, so that it reads exactly as what is hidden.
"""

from collections.abc import Sequence
from typing import Annotated

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
