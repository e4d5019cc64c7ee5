"""What a workflow needs: capabilities from the types of its nodes, side effects from what the nodes are set to do."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, cast

from graph_schema.model.fields import NAME_LENGTH
from service.library.n8n.workflow import Json, Need, Node, is_node_type

# Nodes that only shape data, steer the flow or start it: every n8n has them.
_CORE_TYPES = """
activationTrigger agent agentTool aggregate aiTransform chainLlm chainRetrievalQa chainSummarization chat
chatTrigger code compareDatasets compression convertToFile cron crypto dateTime debugHelper
documentBinaryInputLoader documentDefaultDataLoader documentJsonInputLoader editImage errorTrigger evaluation
evaluationTrigger executeWorkflow executeWorkflowTrigger executionData extractFromFile filter form formTrigger
function functionItem guardrails html htmlExtract iCal if informationExtractor interval itemLists jwt limit
localFileTrigger manualChatTrigger manualTrigger markdown memoryBufferWindow memoryChatRetriever memoryManager
merge modelSelector moveBinaryData n8nTrigger noOp outputParserAutofixing outputParserItemList
outputParserStructured readPDF removeDuplicates renameKeys rerankerDefault respondToWebhook
retrieverContextualCompression retrieverMultiQuery retrieverVectorStore retrieverWorkflow scheduleTrigger
sentimentAnalysis set simulate simulateTrigger sort splitInBatches splitOut spreadsheetFile start stickyNote
stopAndError summarize switch textClassifier textSplitterCharacterTextSplitter
textSplitterRecursiveCharacterTextSplitter textSplitterTokenSplitter toolCalculator toolCode toolExecutor
toolThink toolVectorStore toolWorkflow totp vectorStoreInMemory vectorStoreInMemoryInsert
vectorStoreInMemoryLoad wait webhook workflowTrigger xml
"""
CORE = frozenset(_CORE_TYPES.split())
SAME = {
    "httpRequest": "http",
    "graphql": "http",
    "readWriteFile": "files",
    "readBinaryFile": "files",
    "readBinaryFiles": "files",
    "writeBinaryFile": "files",
    "emailSend": "email",
    "emailReadImap": "email",
    "executeCommand": "shell",
    "ssh": "shell",
    "mcpClient": "mcp",
    "rssFeedRead": "rss",
    "openAi": "openai",
    "mySql": "mysql",
    "youTube": "youtube",
    "linkedIn": "linkedin",
    "whatsApp": "whatsapp",
    "wooCommerce": "woocommerce",
    "sendGrid": "sendgrid",
    "nocoDb": "nocodb",
    "lingvaNex": "lingvanex",
}
"""Types that are ways to the same capability, and names that would come out odd."""

# `lmChatOpenAi`, `vectorStorePinecone`: the part of the name that says what kind of helper it is.
_HELPERS = re.compile(r"^(lmChat|lm|embeddings|vectorStore|memory|tool|retriever|reranker|document)(?=[A-Z])")
_MODELS = ("lmChat", "lm", "embeddings")
_WORDS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+(?![a-z])")
_SENDERS = """
discord email gmail line linkedin mailgun mailjet mandrill matrix mattermost message_bird microsoft_outlook
microsoft_teams pushbullet pushover rocketchat sendgrid signl4 slack sms77 spontit telegram twilio twitter
vonage whatsapp zulip
"""
_MESSENGERS = frozenset(_SENDERS.split())
_READS = ("get", "list", "search", "find", "read", "lookup", "query", "select", "download", "export", "count", "check")
_READS_BY_DEFAULT = frozenset(("http", "google_sheets"))
_ONLY_READ_TYPES = """
brandfetch brightData coinGecko googleBooks hackerNews marketstack nasa openWeatherMap readBinaryFile readBinaryFiles
rssFeedRead searXng serpApi uproc wikipedia wolframAlpha lingvaNex deepL googleTranslate
"""
_ONLY_READ = frozenset(_ONLY_READ_TYPES.split())
"""Whatever these are set to do, they ask and change nothing."""

_ERASES = ("delete", "remove", "purge", "trash", "drop", "clear")
_SENDS = ("send", "reply", "forward", "notify", "invite", "message", "call")
_KEEPS = ("label", "markAs", "react", "pin", "star", "addLabels")
_WRITES = ("create", "append", "update", "upsert", "insert", "add", "post", "put", "patch", "upload", "write", "edit",
           "replace", "move", "copy", "rename", "publish", "set")  # fmt: skip

ANYTHING = ("external_delete", "external_send", "external_write")
_OWN_PACKAGES = ("n8n-nodes-base.", "@n8n/n8n-nodes-langchain.")
_OTHER_WORKFLOWS = frozenset(("executeWorkflow", "toolWorkflow"))
_CODE = frozenset(("code", "function", "functionItem", "toolCode", "aiTransform"))
_CALLS_OUT = re.compile(r"httpRequest|\bfetch\(|\baxios\b|\brequests?\b[.(]|urllib|child_process|nodemailer")
_MUTATION = re.compile(r"(?m)^\s*mutation\b")


def needs_of(nodes: Iterable[Node]) -> tuple[Need, ...]:
    """What the nodes need that are switched on, by key."""
    found: dict[str, Need] = {}
    for node in nodes:
        need = None if node.disabled else need_of(node)
        if need is not None:
            found[need.key] = found.get(need.key, need).with_(need)
    return tuple(found[key] for key in sorted(found))


def module_need(module: Mapping[str, Any]) -> str | None:
    """The key of what a stored module needs, if it is a node of n8n and switched on."""
    if module["disabled"] or not is_node_type(module["module_type"]):
        return None
    # How the node is set bears on its side effects alone.
    need = need_of(Node(module["module_key"], module["module_type"], {}, None, disabled=False))
    return need.key if need else None


def handed_on(nodes: Iterable[Node]) -> tuple[str, ...]:
    """What nodes may do that need nothing themselves, but run another workflow, or code that calls out."""
    acting = any(not node.disabled and _runs_more(node) for node in nodes)
    return ANYTHING if acting else ()


def _runs_more(node: Node) -> bool:
    short = _short(node)
    if short in _OTHER_WORKFLOWS:
        return True
    return short in _CODE and _CALLS_OUT.search(str(node.config.get("parameters") or "")) is not None


def _short(node: Node) -> str:
    return node.type.rstrip(".").rpartition(".")[2] or node.type


def need_of(node: Node) -> Need | None:
    short = _short(node)
    plain = _without_role(short)
    if short in CORE or plain in CORE:
        return None
    helper = _HELPERS.match(plain)
    bare = _HELPERS.sub("", plain)
    bare = bare[0].lower() + bare[1:]
    service = (SAME.get(bare) or _key(bare))[:NAME_LENGTH]
    if helper and helper[1] == "memory":
        service = service.removesuffix("_chat")
    kind = "model" if helper and helper[1] in _MODELS else "mcp_server" if service == "mcp" else "connector"
    quiet = short.endswith("Trigger") or kind == "model" or bare in _ONLY_READ
    sure, possible = ((), ()) if quiet else _side_effects(service, node.config, bare)
    if possible and not node.type.startswith(_OWN_PACKAGES):
        possible = ANYTHING  # of a node that somebody else wrote not even the kind of effect is known
    return Need(service, _name(service), kind, sure, possible)


def _without_role(short: str) -> str:
    """`gmailTrigger` and `gmailTool` are ways to Gmail."""
    for role in ("Trigger", "Tool"):
        if short.endswith(role) and short != role:
            return short.removesuffix(role)
    return short


def _key(short: str) -> str:
    return "_".join(word.lower() for word in _WORDS.findall(short)) or short.lower()


def _name(key: str) -> str:
    return key.replace("_", " ").title()


def _side_effects(service: str, config: Json, short: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a node does for sure, and what it may do: unknown is not harmless."""
    parameters = cast("Json", config.get("parameters") or {})
    operation = _operation(service, parameters)
    if service == "shell":
        return ("command_execution",), ()
    if service == "files":
        writes = short == "writeBinaryFile" or _begins(operation, _WRITES)
        return (("file_write",) if writes or "fileName" in parameters else ()), ()
    if short == "graphql":
        return _of_graphql(parameters.get("query"))
    if _begins(operation, _READS) or (not operation and service in _READS_BY_DEFAULT) or _selects(parameters):
        return (), ()
    return _changes(service, operation, parameters)


def _of_graphql(query: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A document says whether it changes something; what a mutation does, only its name."""
    said = query.lstrip() if isinstance(query, str) else "="
    if said.startswith("=") or _MUTATION.search(said):
        return (), ANYTHING
    return (), ()


def _changes(service: str, operation: str, parameters: Json) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The same, of what is not known to read only."""
    if operation.startswith("="):
        return (), ANYTHING
    if _begins(operation, _ERASES):
        # Taking a label off a message erases nothing.
        labels = "label" in str(parameters.get("resource", "")).lower()
        return (("external_write",) if labels else ("external_delete",)), ()
    if _begins(operation, _SENDS) or (service in _MESSENGERS and not _begins(operation, _KEEPS)):
        return ("external_send",), ()
    if _begins(operation, (*_WRITES, *_KEEPS)):
        return ("external_write",), ()
    return (), (("external_write",) if not operation else ("external_delete", "external_write"))


def _selects(parameters: Json) -> bool:
    """Whether it asks a database, and changes nothing there."""
    query = parameters.get("query")
    return isinstance(query, str) and query.lstrip().lower().startswith("select") and ";" not in query.strip()[:-1]


def _operation(service: str, parameters: Json) -> str:
    """What the node is set to do. A messenger sends unless it says something else."""
    field = "method" if service == "http" else "operation"
    value: Any = parameters.get(field) or parameters.get("requestMethod" if service == "http" else "mode")
    return value if isinstance(value, str) else ""


def _begins(operation: str, words: tuple[str, ...]) -> bool:
    return operation.lower().startswith(tuple(word.lower() for word in words))
