"""The GraphQL schema: what the registry gives, and what the capabilities add to it."""

from collections.abc import Sequence
from typing import Any, cast

from graphql import (
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLUnionType,
    is_specified_directive,
    print_directive,
    print_type,
    specified_scalar_types,
)
from graphql.utilities.print_schema import print_schema_definition
from strawberry.schema.config import StrawberryConfig

from graph_schema.capabilities import parts_of
from graph_schema.model.names import stored_name
from graph_schema.model.registry import Registry
from graph_schema.registry import REGISTRY
from resolvers import ground
from resolvers.capability import Fields
from resolvers.engine.costs import joined
from resolvers.engine.execution import OperationReads, ReadSchema
from resolvers.engine.graphql_core import ResolveInfo
from resolvers.engine.limits import Limits
from resolvers.engine.roles import RootRole
from resolvers.engine.scalars import SCALARS
from resolvers.engine.selection import role_of
from resolvers.generated.construction import merged_type
from resolvers.generated.types import read_types
from service.graph.reads import Source

DESCRIPTION = """Tasklore: the memory and judgement of a task system.

Where to begin: `matchTemplates` says which template fits a request and why not the others; `previewContextPacket` what
a module may know in a run, and `whyExcluded` what was kept from it; `run` how a run went; `provenance` and `impact`
where something came from and what came of it; `search` finds any record by name, words or meaning.

Every record type has a list at the root (`goals`, `contextPackets`), `node` finds any record by its id, and relations
are lists as well. All lists take the same arguments: `first` and `after` page forward, `last` and `before` backward;
`filter` keeps the records that pass, `orderBy` orders them, by creation unless it is given. `nodes` are the records,
`edges` the records with what the link to them says, `pageInfo` tells where the page begins and ends, and `totalCount`
how many records pass on all pages, counted only when it is asked for.

Every change is a command: give it a `commandId` of your own, and the same again returns the first result."""


def build_schema(
    registry: Registry = REGISTRY,
    fields: Sequence[Fields] | None = None,
    limits: Limits | None = None,
    *,
    introspection: bool = True,
) -> ReadSchema:
    """The schema of a registry with the fields that capabilities add: those of all of them, unless some are given."""
    some = all_fields() if fields is None else fields
    types = read_types(registry)
    types.extend(_record_fields(some))
    mutations = [kind for one in some for kind in one.mutations]
    subscriptions = [kind for one in some for kind in one.subscriptions]
    schema = ReadSchema(
        query=merged_type("Query", "All reads.", (*(kind for one in some for kind in one.queries), types.query)),
        mutation=merged_type("Mutation", "All commands.", mutations) if mutations else None,
        subscription=merged_type("Subscription", "All streams.", subscriptions) if subscriptions else None,
        types=list(types.records.values()),
        config=StrawberryConfig(scalar_map=SCALARS),
    )
    schema._schema.description = DESCRIPTION  # pyright: ignore[reportPrivateUsage] - Strawberry has no room for it
    _take_over(schema)
    costs = joined(one.costs for one in some)
    set_aside = [hook for one in some for hook in one.set_aside]
    schema.prepare_reads(registry, limits or Limits(), costs, set_aside, introspection=introspection)
    return schema


def all_fields() -> list[Fields]:
    return [*(part.FIELDS for part in parts_of("resolvers", module="capability")), ground.FIELDS]


def _record_fields(some: Sequence[Fields]) -> dict[str, list[type]]:
    found: dict[str, list[type]] = {}
    for one in some:
        for label, kinds in one.record_fields.items():
            found.setdefault(label, []).extend(kinds)
    return found


def printed(schema: ReadSchema | None = None) -> str:
    """The schema as text, as it is committed in `schema.graphql`."""
    core = (schema or build_schema())._schema  # pyright: ignore[reportPrivateUsage]
    names = [name for name in core.type_map if not name.startswith("__") and name not in specified_scalar_types]
    roots = [name for name in ("Query", "Mutation", "Subscription") if name in names]
    types = [core.type_map[name] for name in (*roots, *sorted(set(names) - set(roots)))]
    directives = [one for one in core.directives if not is_specified_directive(one)]
    parts = [print_directive(one) for one in directives] + [print_type(one) for one in types]
    return "\n\n".join([str(print_schema_definition(core)), *parts]) + "\n"


def _take_over(schema: ReadSchema) -> None:
    """Answer generated fields from compiled reads, and tell types of records by their label."""
    core: Any = schema._schema  # pyright: ignore[reportPrivateUsage]
    for type_ in core.type_map.values():
        if isinstance(type_, GraphQLObjectType):
            _take_over_type(type_)
        elif isinstance(type_, GraphQLInterfaceType | GraphQLUnionType):
            type_.resolve_type = cast("Any", _label)


def _take_over_type(type_: GraphQLObjectType) -> None:
    for field in type_.fields.values():
        what = role_of(field)
        if what is not None:
            type_.is_type_of = None
            field.resolve = _read_root if isinstance(what, RootRole) else _read_part


async def _read_root(source: OperationReads, info: ResolveInfo, /, **_arguments: Any) -> Any:
    return await source.value(_key(info))


def _read_part(source: Any, info: ResolveInfo, /, **_arguments: Any) -> Any:
    """A part of a compiled read; or, in a written list that shares the type, an attribute."""
    if isinstance(source, dict):
        return cast("dict[str, Any]", source)[_key(info)]
    return getattr(source, stored_name(info.field_name))


def _key(info: ResolveInfo) -> str:
    return str(info.path.key)


def _label(source: Any, _info: ResolveInfo, _type: Any) -> str:
    return source.label if isinstance(source, Source) else type(source).__name__
