"""The names of attributes that mean something here: our own, and those of OpenTelemetry's conventions."""

from graph_schema.memory.words import SpanKind
from service.memory.reporting.kinds import KINDS
from service.memory.reporting.policy import RunPolicy

OURS = "tasklore."
RUN = "tasklore.run"
RUN_ID = "tasklore.run_id"
SOURCE = "tasklore.source"
RECORD = "tasklore.record"
SPAN_KIND = "tasklore.span_kind"
STATUS = "tasklore.status"
SPAN_KEY = "tasklore.span_key"
PARENT_SPAN_KEY = "tasklore.parent_span_key"
IMPLIED_PARENT = "tasklore.implied_parent"
TRUNCATED = "tasklore.truncated"
DEFAULT_SOURCE = "otel"

SHORT = {
    "task": "task_key",
    "template": "template_key",
    "module": "module_key",
    "preset": "preset_key",
    "matters": "matter_ids",
}
"""Our attributes whose names are shorter than those of the fields that they fill."""

SPELT = {field: name for name, field in SHORT.items()}

ACTIVATIONS = tuple(name for name in KINDS if name.startswith("activation_"))
RUNS = tuple(name for name in KINDS if name.startswith("run_"))
MADE = (*RUNS, *ACTIVATIONS, "span", "native_event")
"""The kinds of event that spans become."""

STEP = ("module_key", "activation_seq")
_LINKS = frozenset({"about", "goals", "advanced_goals", "triggered_by", "capabilities"})


def fields_of(kind: str) -> frozenset[str]:
    """What an event of this kind takes from attributes."""
    one = KINDS[kind]
    plain = {*one.needs, *one.takes, *one.says} - _LINKS
    return frozenset(plain if one.step == "none" else plain | {*STEP})


FIELDS: dict[str, frozenset[str]] = {kind: fields_of(kind) for kind in MADE}
POLICY = frozenset(RunPolicy.model_fields) - {"matters"}
LISTS = frozenset({"tags", "snapshot_keys", "artifact_keys", "matter_ids"})
"""Lists that may come as one text with commas: what OTEL_RESOURCE_ATTRIBUTES sets is always text."""

_NAMING = {RUN, RUN_ID, SOURCE, RECORD, SPAN_KIND, STATUS, SPAN_KEY, PARENT_SPAN_KEY, IMPLIED_PARENT, TRUNCATED}


def name_of(field: str) -> str:
    """The attribute that fills a field."""
    return OURS + SPELT.get(field, field)


KNOWN = frozenset(
    _NAMING | {name_of(field) for field in (*POLICY, "task_key", *(one for kind in MADE for one in FIELDS[kind]))}
)

OPERATION = "gen_ai.operation.name"
OPERATIONS: dict[str, SpanKind] = {
    "chat": SpanKind.llm_call,
    "generate_content": SpanKind.llm_call,
    "text_completion": SpanKind.llm_call,
    "embeddings": SpanKind.llm_call,
    "fetch_response": SpanKind.llm_call,
    "plan": SpanKind.llm_call,
    "execute_tool": SpanKind.tool_call,
    "retrieval": SpanKind.connector_call,
    "search_memory": SpanKind.connector_call,
    "create_memory": SpanKind.connector_call,
    "update_memory": SpanKind.connector_call,
    "upsert_memory": SpanKind.connector_call,
    "delete_memory": SpanKind.connector_call,
    "create_memory_store": SpanKind.connector_call,
    "delete_memory_store": SpanKind.connector_call,
    "create_agent": SpanKind.subagent_spawn,
    "invoke_agent": SpanKind.subagent_spawn,
    "invoke_workflow": SpanKind.subagent_spawn,
}
"""Operations of the GenAI conventions. An agent or workflow that nothing has called is the run itself."""

WHOLE = frozenset({"invoke_agent", "invoke_workflow"})
MCP = "mcp.method.name"
CONNECTIONS = (
    "db.system.name",
    "db.system",
    "rpc.system",
    "rpc.system.name",
    "messaging.system",
    "http.request.method",
)
"""Attributes of the conventions for calls to other systems; only on spans of the caller's side."""

REQUEST_MODEL = "gen_ai.request.model"
AGENT_NAME = "gen_ai.agent.name"
INPUT_TOKENS = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS = "gen_ai.usage.output_tokens"
ERROR_TYPE = "error.type"

CONVENTIONS: dict[str, tuple[str, ...]] = {
    "model_ref": ("gen_ai.response.model", REQUEST_MODEL),
    "agent_ref": (AGENT_NAME, "gen_ai.agent.id"),
    "input_tokens": (INPUT_TOKENS, "gen_ai.usage.prompt_tokens"),
    "output_tokens": (OUTPUT_TOKENS, "gen_ai.usage.completion_tokens"),
    "tool_key": ("gen_ai.tool.name",),
}
"""Fields, and the attributes that fill them: the first that is there."""

TAGGED = {
    "gen_ai.tool.name": "tool",
    "gen_ai.conversation.id": "conversation",
    "gen_ai.provider.name": "provider",
    "gen_ai.workflow.name": "workflow",
}
"""Attributes that become tags, as `tool:search`."""

PROMPTS = ("gen_ai.system_instructions", "gen_ai.input.messages", "gen_ai.prompt")
_CONTENT = (
    *PROMPTS,
    "gen_ai.output.messages",
    "gen_ai.completion",
    "gen_ai.tool.call.arguments",
    "gen_ai.tool.call.result",
    "gen_ai.tool.definitions",
    "gen_ai.retrieval.documents",
    "gen_ai.retrieval.query.text",
    "gen_ai.memory.records",
    "input.value",
    "output.value",
    "llm.input_messages",
    "llm.output_messages",
)

USED = frozenset({*KNOWN, OPERATION, MCP, ERROR_TYPE, *CONNECTIONS, *TAGGED}) | {
    one for names in CONVENTIONS.values() for one in names
}


def is_content(name: str) -> bool:
    """Whether an attribute holds what was said to a model or by it. Some write it as `gen_ai.prompt.0.content`."""
    return name in _CONTENT or name.startswith(tuple(f"{one}." for one in _CONTENT))


def is_prompt(name: str) -> bool:
    return name in PROMPTS or name.startswith(tuple(f"{one}." for one in PROMPTS))
