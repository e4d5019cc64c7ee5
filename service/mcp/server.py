"""One server of the protocol: tools, resources and prompts, each asked of the API as whoever shows the key."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import mcp_types as types
import orjson
from graphql import GraphQLSchema, OperationDefinitionNode, parse
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from strawberry.types import ExecutionResult

from graph_schema.model.names import api_text
from service.errors import TaskloreError
from service.mcp.arguments import input_schema, variables_of
from service.mcp.errors import MissingArgument, UnknownArgument, UnknownTool
from service.mcp.output import DEFAULT_TOKENS, output_schema, shown
from service.mcp.prompts import PROMPTS, prompt
from service.mcp.resources import TEMPLATES, document_for
from service.mcp.tools import Tool

ANSWER_TOKENS = "answer_tokens"
INSTRUCTIONS = (
    "Tasklore remembers what tasks did and knows what may be used again. Begin with route_request or find_template for "
    "a new request, inspect_run for one under way. Records are named by id or as source:key."
)

Given = dict[str, Any]
RequestContext = ServerRequestContext[Any, Any]


class Ask(Protocol):
    """Asks the API a document as whoever sent the request. `reads` refuses what would change something."""

    def __call__(self, request: Any, document: str, variables: Given, *, reads: bool) -> Awaitable[ExecutionResult]: ...


@dataclass(frozen=True)
class Prepared:
    """A tool with what its document says."""

    tool: Tool
    operation: OperationDefinitionNode
    described: types.Tool

    @property
    def arguments(self) -> Given:
        return self.described.input_schema["properties"]


def prepared(tool: Tool, schema: GraphQLSchema) -> Prepared:
    operation = cast("OperationDefinitionNode", parse(tool.document).definitions[0])
    takes = input_schema(schema, operation, tool.arguments, tool.within)
    takes["properties"][ANSWER_TOKENS] = {"type": "integer", "default": DEFAULT_TOKENS}
    described = types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=takes,
        output_schema={"type": "object"} if tool.own else output_schema(schema, operation),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.reads,
            destructive_hint=None if tool.reads else False,
            idempotent_hint=None if tool.reads else True,
            open_world_hint=False,
        ),
    )
    return Prepared(tool, operation, described)


def make_server(tools: Sequence[Tool], schema: GraphQLSchema, ask: Ask, version: str) -> Server[Any]:
    table = {one.name: prepared(one, schema) for one in tools}

    async def list_tools(_context: RequestContext, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[one.described for one in table.values()])

    async def call_tool(context: RequestContext, params: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            if params.name not in table:
                raise UnknownTool(params.name)
            return await _called(table[params.name], dict(params.arguments or {}), schema, _asker(ask, context))
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
        found = await document_for(uri, _asker(ask, context))
        text = orjson.dumps(found, option=orjson.OPT_INDENT_2).decode()
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=uri, mime_type="application/json", text=text)]
        )

    async def list_prompts(_context: RequestContext, _params: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[one.described for one in PROMPTS])

    async def get_prompt(_context: RequestContext, params: types.GetPromptRequestParams) -> types.GetPromptResult:
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


def _asker(ask: Ask, context: RequestContext) -> Asker:
    return lambda document, variables, reads: ask(context.request, document, variables, reads=reads)


async def _called(one: Prepared, given: Given, schema: GraphQLSchema, ask: Asker) -> types.CallToolResult:
    tokens = given.pop(ANSWER_TOKENS, None) or DEFAULT_TOKENS
    _check(one, given)
    if one.tool.own:
        document, variables = str(given["query"]), cast("Given", given.get("variables") or {})
    else:
        document, variables = one.tool.document, variables_of(schema, one.operation, given, one.tool.within)
    result = await ask(document, variables, one.tool.reads)
    if result.errors:
        return _refused([{"message": error.message, **(error.extensions or {})} for error in result.errors])
    answer = shown(result.data or {}, int(tokens))
    text = types.TextContent(type="text", text=orjson.dumps(answer).decode())
    return types.CallToolResult(content=[text], structured_content=answer)


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


def _refused(errors: list[Given]) -> types.CallToolResult:
    """All of it in the text: a model reads no other part of an error."""
    lines = [
        " ".join(
            str(part)
            for part in (
                f"{one.get('code', 'error')}:",
                one["message"],
                f"(field {one['field']})" if one.get("field") else None,
                one.get("remedy"),
            )
            if part
        )
        for one in errors
    ]
    return types.CallToolResult(content=[types.TextContent(type="text", text="\n".join(lines))], is_error=True)
