"""One server of the protocol: tools, resources and prompts, each asked of the API as whoever shows the key."""

from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, cast

import mcp_types as types
import orjson
from graphql import GraphQLSchema, OperationDefinitionNode, parse
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from strawberry.types import ExecutionResult

from graph_schema.model.names import api_text
from resolvers.engine.execution import BOOKMARK
from service.errors import TaskloreError
from service.mcp.arguments import called, input_schema, variables_of
from service.mcp.errors import MissingArgument, NothingThere, UnknownArgument, UnknownTool
from service.mcp.output import DEFAULT_TOKENS, output_schema, shown
from service.mcp.prompts import PROMPTS, prompt
from service.mcp.resources import TEMPLATES, document_for
from service.mcp.tools import Tool

ANSWER_TOKENS = "answer_tokens"
BOOKMARK_META = "tasklore/bookmark"
"""In the `_meta` of a call and of its result: what was written, for whoever reads it next by another process."""
INSTRUCTIONS = (
    "Tasklore remembers what tasks did and knows what may be used again. Begin with route_request or find_template for "
    "a new request, inspect_run for one under way. Records are named by id or as source:key."
)

Given = dict[str, Any]
RequestContext = ServerRequestContext[Any, Any]


class Ask(Protocol):
    """Asks the API a document as whoever sent the request. `reads` refuses what would change something."""

    def __call__(
        self, request: Any, document: str, variables: Given, *, reads: bool, bookmark: Any
    ) -> Awaitable[ExecutionResult]: ...


@dataclass(frozen=True)
class Prepared:
    """A tool with what its document says."""

    tool: Tool
    operation: OperationDefinitionNode
    described: types.Tool
    called: Mapping[str, str]
    """What the API calls an argument of the tool, and what the tool does."""

    @property
    def arguments(self) -> Given:
        return self.described.input_schema["properties"]


def prepared(tool: Tool, schema: GraphQLSchema) -> Prepared:
    operation = cast("OperationDefinitionNode", parse(tool.document).definitions[0])
    takes = input_schema(schema, operation, tool.arguments, tool.within)
    for name in tool.unless.values():
        takes["properties"][name].pop("default", None)  # what is left out is not asked for
    takes["properties"][ANSWER_TOKENS] = {"type": "integer", "default": DEFAULT_TOKENS}
    described = types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=takes,
        output_schema={"type": "object"} if tool.own else output_schema(schema, operation),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.reads,
            destructive_hint=None if tool.reads else False,
            idempotent_hint=None if tool.reads else tool.repeatable,
            open_world_hint=False,
        ),
    )
    return Prepared(tool, operation, described, called(operation, takes["properties"]))


def make_server(tools: Sequence[Tool], schema: GraphQLSchema, ask: Ask, version: str) -> Server[Any]:
    table = {one.name: prepared(one, schema) for one in tools}

    async def list_tools(_context: RequestContext, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[one.described for one in table.values()])

    async def call_tool(context: RequestContext, params: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            if params.name not in table:
                raise UnknownTool(params.name)
            asker = _asker(ask, context, params.meta)
            return await _called(table[params.name], dict(params.arguments or {}), schema, asker)
        except TaskloreError as error:
            return _refused([_told(error)])

    async def list_templates(_context: RequestContext, _params: Any) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=[*TEMPLATES])

    async def list_resources(_context: RequestContext, _params: Any) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=[])

    async def read_resource(
        context: RequestContext, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        with _as_protocol_error():
            found = await document_for(uri, _asker(ask, context, params.meta))
        text = orjson.dumps(found, option=orjson.OPT_INDENT_2).decode()
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=uri, mime_type="application/json", text=text)]
        )

    async def list_prompts(_context: RequestContext, _params: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[one.described for one in PROMPTS])

    async def get_prompt(_context: RequestContext, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        with _as_protocol_error():
            return prompt(params.name, params.arguments or {})

    return Server(
        "tasklore",
        version=version,
        title="Tasklore",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


Asker = Callable[[str, Given, bool], Awaitable[ExecutionResult]]


def _asker(ask: Ask, context: RequestContext, meta: Mapping[str, Any] | None) -> Asker:
    bookmark = (meta or {}).get(BOOKMARK_META)
    return lambda document, variables, reads: ask(context.request, document, variables, reads=reads, bookmark=bookmark)


async def _called(one: Prepared, given: Given, schema: GraphQLSchema, ask: Asker) -> types.CallToolResult:
    tokens = given.pop(ANSWER_TOKENS, None) or _room(one.tool, given)
    _check(one, given)
    if one.tool.own:
        document, variables = str(given["query"]), cast("Given", given.get("variables") or {})
    else:
        document, variables = one.tool.document, variables_of(schema, one.operation, given, one.tool.within)
        variables |= {name: given.get(argument) is None for name, argument in one.tool.unless.items()}
    result = await ask(document, variables, one.tool.reads)
    if result.errors:
        told = [{"message": error.message, **(error.extensions or {})} for error in result.errors]
        return _refused([one_told | {"field": _called_here(one, one_told.get("field"))} for one_told in told])
    if not one.tool.own and all(value is None for value in (result.data or {}).values()):
        return _refused([_told(NothingThere(one.tool.name))])
    several = not one.tool.own and len(one.operation.selection_set.selections) > 1
    answer = shown(result.data or {}, int(tokens), several=several)
    text = types.TextContent(type="text", text=orjson.dumps(answer).decode())
    written = (result.extensions or {}).get(BOOKMARK)
    return types.CallToolResult(
        content=[text], structured_content=answer, _meta={BOOKMARK_META: written} if written else None
    )


def _called_here(one: Prepared, field: str | None) -> str | None:
    """An argument by the name that its caller knows."""
    return one.called.get(field.rpartition(".")[2], field) if field else None


def _room(tool: Tool, given: Given) -> int:
    """As long as usual; longer where a longer text was asked for, which must not be cut."""
    asked = given.get(tool.length) if tool.length else None
    return max(DEFAULT_TOKENS, 2 * asked) if isinstance(asked, int) else DEFAULT_TOKENS


def _check(one: Prepared, given: Given) -> None:
    for name in given:
        if name not in one.arguments:
            raise UnknownArgument(name, [*one.arguments])
    for name in one.described.input_schema["required"]:
        if given.get(name) is None:
            raise MissingArgument(name)


def _told(error: TaskloreError) -> Given:
    remedy = api_text(error.remedy) if error.remedy else None
    return {"message": error.message, "code": error.code, "field": error.field, "remedy": remedy}


@contextmanager
def _as_protocol_error() -> Generator[None]:
    """Only a tool can answer that it refuses. Whatever else is refused is an error of the protocol."""
    try:
        yield
    except TaskloreError as error:
        told = _told(error)
        raise MCPError(types.INVALID_PARAMS, _line(told), {"code": error.code, "field": error.field}) from error


def _refused(errors: list[Given]) -> types.CallToolResult:
    """All of it in the text: a model reads no other part of an error."""
    text = "\n".join(map(_line, errors))
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def _line(error: Given) -> str:
    where = f"(field {error['field']})" if error.get("field") else None
    parts = (f"{error.get('code', 'error')}:", error["message"], where, error.get("remedy"))
    return " ".join(str(part) for part in parts if part)
