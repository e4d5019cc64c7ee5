"""Running operations. What is compiled wholly is answered from its one statement; the rest, by graphql-core.

An operation of generated reads never enters graphql-core's execution: its document was validated, its variables are
coerced, and the row of its statement already is the answer. Neither does one that asks for the schema alone (see
`resolvers.engine.introspection`). When written fields stand beside generated ones, the generated roots still share one
statement, and `ReadExecutor` passes their values through untouched.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from typing import Any, cast

import orjson
import strawberry
from graphql import ExecutionResult as CoreResult
from graphql import FieldNode, GraphQLSchema, OperationType, get_variable_values
from graphql.execution.collect_fields import FieldDetails, FragmentDetails
from graphql.execution.values import VariableValues
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types import ExecutionResult
from strawberry.types.execution import PreExecutionError
from strawberry.types.graphql import OperationType as StrawberryOperationType

from graph_schema.model.fields import DataClass
from graph_schema.model.registry import Registry
from resolvers.engine.context import Context
from resolvers.engine.costs import Costs, WrittenCosts
from resolvers.engine.documents import Document, DocumentRefused, Documents, Reading, weight_of_nodes
from resolvers.engine.errors import OperationNotAllowed, code_of, shown, with_code
from resolvers.engine.graphql_core import ResolveInfo, execute, is_input_object, named_type, subscribe
from resolvers.engine.introspection import Introspection, SchemaAnswer
from resolvers.engine.limits import Limits, check_cost, check_variables
from resolvers.engine.recent import Recent
from resolvers.engine.scalars import refuse_controls
from resolvers.engine.selection import Selection
from resolvers.engine.shaping import Shaping
from resolvers.engine.variables import SetAside, shape_of_variables, weight_of_shape
from service.access.errors import Unauthenticated
from service.access.viewer import KeyScope, Viewer
from service.commands.errors import NotAllowed
from service.graph.bookmarks import Trail, following
from service.graph.reads import Breadth, Plan, Shaped, compile_read, run_plan
from service.graph.reads.plan import Bound
from service.graph.reads.tree import NodesRoot, Typename

FEW_AUDIENCES = 100
"""Up to so many audiences may be sought in an index one by one."""

PREPARING = 20_000
"""What it costs to parse and check a long document that was not seen before."""

BOOKMARK = "bookmark"
"""In the extensions of a request and of an answer."""

Variables = dict[str, Any]
Allowed = Iterable[StrawberryOperationType] | None


class ReadExecutor(StrawberryGraphQLCoreExecutionContext):
    """graphql-core's executor, which leaves values alone that already have the shape asked for."""

    def complete_value(  # noqa: PLR0917 - graphql-core's signature
        self,
        return_type: Any,
        field_details_list: Any,
        info: Any,
        path: Any,
        result: Any,
        position_context: Any,
    ) -> Any:
        if isinstance(result, Shaped):
            return result.value
        rest = (return_type, field_details_list, info, path, result, position_context)
        return super().complete_value(*rest)  # pyright: ignore[reportUnknownMemberType]


class OperationReads:
    """The compiled roots of an operation that has others too. The first of them that is asked runs the statement."""

    def __init__(self, plan: Plan, bound: Bound, context: Context) -> None:
        self._plan = plan
        self._bound = bound
        self._context = context
        self._answer: asyncio.Future[dict[str, Any]] | None = None

    async def value(self, key: str) -> Any:
        if self._answer is None:
            self._answer = asyncio.ensure_future(run_plan(self._context.database, self._plan, self._bound))
        value = (await self._answer)[key]
        return value if key in self._plan.open_keys or value is None else Shaped(value)


class ReadSchema(strawberry.Schema):
    """A Strawberry schema whose generated fields are compiled."""

    registry: Registry
    limits: Limits
    documents: Documents
    introspection: Introspection
    shaping: Shaping

    @property
    def core_schema(self) -> GraphQLSchema:
        """As graphql-core has it."""
        return self._schema

    def _extend_introspection(self) -> None:
        """Strawberry's own answer to `isOneOf` fails on lists; graphql-core's is right once it is told."""
        for type_ in self._schema.type_map.values():
            if is_input_object(type_):
                definition = type_.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
                cast("Any", type_).is_one_of = definition is not None and definition.is_one_of

    def prepare_reads(
        self, registry: Registry, limits: Limits, costs: Costs, set_aside: Sequence[SetAside], *, introspection: bool
    ) -> None:
        """Called once, after construction: Strawberry's constructor has no room for more."""
        self.registry = registry
        self.limits = limits
        refuse_controls(self._schema)
        self.documents = Documents(self._schema, limits, introspection=introspection)
        self.introspection = Introspection(self._schema)
        self.shaping = Shaping(self._schema, limits)
        self.readings: Recent[object, Reading] = Recent(limits.cached_plans, limits.cached_bytes)
        self._set_aside = set_aside
        self._written = WrittenCosts(self._schema, limits, costs)
        # The nodes are kept with the plan: their identity is its key.
        self._record_plans: Recent[object, tuple[Sequence[FieldNode], Plan]] = Recent(
            limits.cached_documents, limits.cached_bytes
        )

    async def execute(  # noqa: PLR0917 - Strawberry's signature
        self,
        query: str | None,
        variable_values: Variables | None = None,
        context_value: Any = None,
        root_value: Any = None,
        operation_name: str | None = None,
        allowed_operation_types: Allowed = None,
        operation_extensions: Variables | None = None,
    ) -> ExecutionResult:
        del root_value
        answer = await self.answer(
            query or "",
            variable_values or {},
            context_value,
            operation_name,
            allowed_operation_types,
            bookmark_of(operation_extensions),
        )
        return _told(orjson.loads(answer.data)) if isinstance(answer, SchemaAnswer) else answer

    async def answer(  # noqa: PLR0917 - as Strawberry's own
        self,
        text: str,
        variables: Variables,
        context: Context,
        operation_name: str | None,
        allowed: Allowed,
        bookmark: Any = None,
    ) -> ExecutionResult | SchemaAnswer:
        """Like `execute`, except that an answer about the schema stays the bytes that are kept of it."""
        try:
            with following(bookmark or bookmark_of(context.connection_params)) as trail:
                await context.refresh(trail)
                document = await self.documents.get_beside(text, operation_name, lambda: context.turn(PREPARING))
                check_allowed(document, allowed)
                return _marked(await self._run(document, variables, context), trail)
        except Exception as error:
            return _refused(error, context)

    async def stream(  # noqa: PLR0917 - Strawberry's signature
        self,
        query: str | None,
        variable_values: Variables | None = None,
        context_value: Any = None,
        root_value: Any = None,
        operation_name: str | None = None,
        operation_extensions: Variables | None = None,
        allowed_operation_types: Allowed = None,
    ) -> AsyncGenerator[ExecutionResult]:
        del root_value
        return self._streamed(
            query or "",
            variable_values or {},
            context_value,
            operation_name,
            allowed_operation_types,
            bookmark_of(operation_extensions),
        )

    async def _streamed(  # noqa: PLR0917 - as Strawberry's own
        self,
        text: str,
        variables: Variables,
        context: Context,
        operation_name: str | None,
        allowed: Allowed,
        bookmark: Any,
    ) -> AsyncGenerator[ExecutionResult]:
        try:
            document = await self.documents.get_beside(text, operation_name, lambda: context.turn(PREPARING))
            check_allowed(document, allowed)
            if document.kind is not OperationType.SUBSCRIPTION:
                answer = await self.answer(text, variables, context, operation_name, allowed, bookmark)
                # What is streamed is encoded by orjson, which takes the kept text as it is.
                yield _told(orjson.Fragment(answer.data)) if isinstance(answer, SchemaAnswer) else answer
                return
            await context.refresh(Trail())
            check_reader(context.viewer)
            cost = self._cost(document, self._coerced(document, variables))
            with context.stream():
                source = await self._subscribed(document, variables, context)
                async with aclosing(source) as events:
                    async for event in events:
                        yield _result(event, context, cost)
        except Exception as error:
            yield _refused(error, context)

    async def _run(self, document: Document, variables: Variables, context: Context) -> ExecutionResult | SchemaAnswer:
        variables, coerced = self._readable(document, variables)
        if document.kind is not OperationType.QUERY:
            cost = self._cost(document, coerced)
            async with context.turn(cost):
                return await self._executed(document, variables, context, None, cost)
        check_reader(context.viewer)
        if document.introspects:
            return await self.introspection.answer(document, coerced)
        return await context.read(self._queried(document, variables, coerced, context))

    async def _queried(
        self, document: Document, variables: Variables, coerced: VariableValues, context: Context
    ) -> ExecutionResult:
        reading = self._reading(document, coerced, breadth_of(context.viewer))
        if reading.plan is None:
            cost = self._cost(document, coerced)
            async with context.turn(cost):
                return await self._executed(document, variables, context, None, cost)
        bound = reading.plan.bind(coerced.coerced, required(context.viewer).audiences)
        cost = reading.plan.cost(bound)
        check_cost(cost, self.limits)
        if not reading.complete or reading.plan.open_keys:
            cost = self._cost(document, coerced, cost)
            reads = OperationReads(reading.plan, bound, context)
            async with context.turn(cost):
                return await self._executed(document, variables, context, reads, cost)
        async with context.turn(cost):
            data = await run_plan(context.database, reading.plan, bound)
        return ExecutionResult(data=data, errors=None, extensions={"cost": cost})

    def _coerced(self, document: Document, variables: Variables) -> VariableValues:
        definitions = document.operation.variable_definitions
        if not definitions:
            return _NO_VARIABLES
        check_variables(variables, self.limits)
        coerced = get_variable_values(self._schema, definitions, variables, max_errors=10)
        if isinstance(coerced, list):
            raise DocumentRefused(coerced, code="invalid_variables")
        return coerced

    def _cost(self, document: Document, variables: VariableValues, compiled: int = 0) -> int:
        """The cost of the whole operation, checked before anything of it runs."""
        root = self._schema.get_root_type(document.kind)
        cost = compiled + (self._written.of(document, root, variables) if root else 0)
        check_cost(cost, self.limits)
        return cost

    def _readable(self, document: Document, variables: Variables) -> tuple[Variables, VariableValues]:
        """The variables, raw and coerced. What a capability sets aside does not refuse the whole request."""
        try:
            return variables, self._coerced(document, variables)
        except DocumentRefused:
            for set_aside in self._set_aside:
                variables = set_aside(self._schema, document.operation.variable_definitions or (), variables)
            return variables, self._coerced(document, variables)

    def _reading(self, document: Document, variables: VariableValues, breadth: Breadth) -> Reading:
        shape = document.shape_of(variables.coerced)
        key = (document.key, breadth, shape)
        known = self.readings.get(key)
        if known is None:
            known = self._compiled(document, variables, breadth)
            self.readings.put(key, known, known.weight + weight_of_shape(shape))
        return known

    def _compiled(self, document: Document, variables: VariableValues, breadth: Breadth) -> Reading:
        selection = Selection(
            self._schema, self.registry, document.operation, document.fragments, variables, limits=self.limits
        )
        roots, complete = selection.roots(cast("Any", self._schema.query_type))
        if all(isinstance(root, Typename) for root in roots):
            return Reading(None, complete=False)
        return Reading(compile_read(self.registry, roots, self.limits.paging, breadth), complete)

    async def read_records(self, info: ResolveInfo, context: Context, ids: list[str]) -> list[Any]:
        """Records by id, with what the document asks of them at this place (see `resolvers.engine.loading`)."""
        variables = cast("Variables", info.variable_values)  # Strawberry's executor has them plain
        plan = self._records_plan(info, variables)
        bound = plan.bind({**variables, _IDS: ids}, required(context.viewer).audiences)
        check_cost(plan.cost(bound), self.limits)
        found = (await run_plan(context.database, plan, bound))[_RECORDS]
        return found if plan.open_keys else [None if one is None else Shaped(one) for one in found]

    def _records_plan(self, info: ResolveInfo, variables: Variables) -> Plan:
        nodes: Sequence[FieldNode] = info.field_nodes
        definitions = info.operation.variable_definitions or ()
        shape = shape_of_variables(self._schema, definitions)(variables)
        key = (*(id(node) for node in nodes), shape)
        known = self._record_plans.get(key)
        if known is None:
            plan = self._compiled_records(info, variables)
            known = self._record_plans.put(key, (nodes, plan), len(plan.text) + weight_of_nodes(nodes))
        return known[1]

    def _compiled_records(self, info: ResolveInfo, given: Variables) -> Plan:
        fragments = {name: FragmentDetails(one) for name, one in info.fragments.items()}
        variables = VariableValues({}, given)
        selection = Selection(self._schema, self.registry, info.operation, fragments, variables, limits=self.limits)
        details = [FieldDetails(node, None) for node in info.field_nodes]
        type_ = named_type(info.return_type)  # pyright: ignore[reportUnknownMemberType]
        shape = selection.record(type_, details)
        root = NodesRoot(_RECORDS, lambda values: values[_IDS], shape)
        return compile_read(self.registry, [root], self.limits.paging)

    async def _executed(
        self, document: Document, variables: Variables, context: Context, reads: OperationReads | None, cost: int
    ) -> ExecutionResult:
        result: Any = execute(
            self._schema,
            document.ast,
            root_value=reads,
            context_value=context,
            variable_values=variables,
            operation_name=document.name,
            executor_class=ReadExecutor,
        )
        return _result(result if isinstance(result, CoreResult) else await result, context, cost)

    async def _subscribed(self, document: Document, variables: Variables, context: Context) -> Any:
        source: Any = subscribe(
            self._schema,
            document.ast,
            context_value=context,
            variable_values=variables,
            operation_name=document.name,
            executor_class=ReadExecutor,
        )
        if not isinstance(source, CoreResult) and not hasattr(source, "__aiter__"):
            source = await source
        if isinstance(source, CoreResult):
            raise (source.errors or [])[0]
        return source


_NO_VARIABLES = VariableValues({}, {})
_RECORDS = "records"
_IDS = " ids"
"""No variable of a document can have this name."""


def check_reader(viewer: Viewer | None) -> None:
    """Queries and subscriptions need the scope `read`. Nobody at all is told so by the fields themselves."""
    if viewer is not None and KeyScope.read not in viewer.scopes:
        raise NotAllowed(KeyScope.read, viewer.scopes)


def required(viewer: Viewer | None) -> Viewer:
    if viewer is None:
        raise Unauthenticated("no key")
    return viewer


def breadth_of(viewer: Viewer | None) -> Breadth:
    if viewer is None or len(viewer.audiences) <= 1:
        return Breadth.one
    if viewer.all_matters and viewer.clearance is DataClass.local_only:
        return Breadth.all
    return Breadth.many if len(viewer.audiences) > FEW_AUDIENCES else Breadth.few


def check_allowed(document: Document, allowed: Allowed) -> None:
    kind = document.kind.value
    if allowed is not None and kind not in {one.value for one in allowed}:
        raise OperationNotAllowed(kind)


def _refused(error: Exception, context: Context) -> ExecutionResult:
    if isinstance(error, DocumentRefused):
        errors = [with_code(one, code_of(one) or error.code, context.request_id) for one in error.errors]
        return PreExecutionError(data=None, errors=errors)
    return PreExecutionError(data=None, errors=[shown(error, context.request_id)])


def bookmark_of(extensions: Variables | None) -> Any:
    """What a request brings in its extensions, as clients without a say over headers do. It is checked when used."""
    return (extensions or {}).get(BOOKMARK)


def _marked(answer: ExecutionResult | SchemaAnswer, trail: Trail) -> ExecutionResult | SchemaAnswer:
    """With the bookmark of what was written, for whoever reads it next by another process."""
    if trail.bookmark and isinstance(answer, ExecutionResult):
        answer.extensions = {**(answer.extensions or {}), BOOKMARK: trail.bookmark}
    return answer


def _told(data: Any) -> ExecutionResult:
    return ExecutionResult(data=data, errors=None, extensions={"cost": 0})


def _result(result: CoreResult, context: Context, cost: int) -> ExecutionResult:
    errors = [shown(error, context.request_id) for error in result.errors] if result.errors else None
    return ExecutionResult(data=result.data, errors=errors, extensions={"cost": cost})
