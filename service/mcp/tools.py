"""The tools: each is one GraphQL document with flat variables, told in words for a model that has never heard of us."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from service.mcp.arguments import Argument

RECORD = "Id, or source:key."
MODULE = "Module, as the executor calls it."


@dataclass(frozen=True)
class Tool:
    name: str
    description: str
    arguments: Mapping[str, str]
    """What each argument is, by the name of its variable in the document."""
    reads: bool = True
    """Whether it leaves everything as it was."""
    core: bool = False
    """Whether an agent that asks for few tools gets it."""
    within: Mapping[str, Argument] = field(default_factory=dict[str, Argument])
    """Arguments that are no variable of one kind; the others are read from the document."""
    own: bool = False
    """Whether the caller brings the document."""
    unless: Mapping[str, str] = field(default_factory=dict[str, str])
    """Variables that are true unless an argument was given: they choose between the fields of a document."""
    repeatable: bool = True
    """Whether the same call again leaves everything as the first did."""
    length: str | None = None
    """The argument that says how many tokens its text may have: the answer then has room for it."""

    @property
    def document(self) -> str:
        return "{ __typename }" if self.own else _document(self.name)


@cache
def _document(name: str) -> str:
    return (resources.files(__package__ or "") / "documents" / f"{name}.graphql").read_text("utf-8")


TOOLS = (
    Tool(
        "find_template",
        "Find the saved workflow template that fits a request, with what speaks for it and why others lost. "
        "'nothing_fits' is a real answer.",
        {"request": "What the user wants, in their words.", "capabilities": "Tools on hand, if known."},
        core=True,
    ),
    Tool(
        "route_request",
        "Should this request be answered directly, or by a saved task? Tells mode, reason and what could be said. "
        "Starts nothing.",
        {"request": "What the user said.", "turns": "How many turns the conversation has had."},
        core=True,
    ),
    Tool(
        "get_context",
        "The context that a module of a run may have (rules, preferences, documents, earlier work), as text. "
        "Kept with a receipt for everything left out.",
        {
            "run": RECORD,
            "module": MODULE,
            "activation": "Which activation of it, from 1.",
            "max_tokens": "Budget of the packet.",
            "model": "Model that will read it.",
        },
        reads=False,
        core=True,
        length="max_tokens",
    ),
    Tool(
        "why",
        "Why a record was, or was not, given to a module of a run.",
        {"run": RECORD, "module": MODULE, "activation": "From 1.", "record": RECORD},
        core=True,
    ),
    Tool(
        "inspect_run",
        "Where a run is: status in a sentence, steps, outputs, deliveries, problems.",
        {"run": RECORD, "steps": "How many steps to list."},
        core=True,
        within={"run": Argument.reference_parts},
    ),
    Tool(
        "lineage",
        "Where a document or output came from and what was made or delivered from it since.",
        {"record": RECORD},
        core=True,
    ),
    Tool(
        "search",
        "Search everything you may see: people, matters, documents, goals, rules, templates, tasks.",
        {"text": "Name, words or a sentence.", "kinds": "Only these kinds, such as Template or Goal.", "first": ""},
        core=True,
    ),
    Tool(
        "report",
        "Report what a run did; any order, repeats do no harm. Each event: kind (run_started, activation_completed, "
        "artifact_produced ...), eventId, occurredAt, run {source, key}, policy {memoryMode, dataClass, matterIds}, "
        "and the fields of its kind.",
        {"events": "At most 100."},
        reads=False,
        core=True,
    ),
    Tool(
        "get_output",
        "What a run made: its final output and all artifacts, with where each is kept.",
        {"run": RECORD},
    ),
    Tool(
        "list_tasks",
        "Saved tasks with how often they ran and how it went.",
        {"search": "Words of the name.", "tab": "Which list.", "first": ""},
    ),
    Tool(
        "give_feedback",
        "Say what you think of the context that a module was given.",
        {
            "run": RECORD,
            "module": MODULE,
            "activation": "From 1.",
            "target_kind": "What it is about.",
            "target": "Id of the item or record.",
            "verdict": "Your judgement.",
            "comment": "In your words.",
        },
        reads=False,
        repeatable=False,
    ),
    Tool(
        "known_tools",
        "Which tools are known to do a job well, how healthy each is, and what to mind when using it.",
        {"request": "What a tool is needed for; without it, all are ranked.", "first": ""},
    ),
    Tool(
        "preflight",
        "Before a run: what would go wrong, what is missing, what it needs and costs. Runs nothing.",
        {
            "of": "Task, template or blueprint: id, or source:key.",
            "graph": "A graph that is not saved: modules [{moduleKey, moduleType, inputPorts, outputPorts}] and "
            "cables [{tail, head}].",
            "inputs": "Kinds of input on hand.",
        },
    ),
    Tool(
        "look_up",
        "How the task system works, before you design or review: module types with ports and settings, what speaks "
        "for a decision, capabilities, and sections of the documentation with citations. What is live comes first.",
        {
            "text": "What you want to know.",
            "module": "A module type to be told whole, such as step.judge.",
            "decision": "A decision to be advised on.",
        },
        unless={"no_module": "module", "no_decision": "decision"},
    ),
    Tool(
        "prompt_check",
        "Is this a good prompt? Its gaps, and a rewrite that keeps every sentence. Keeps nothing.",
        {
            "text": "The prompt; left out, that of the module.",
            "of": "What it belongs to: id, or source:key.",
            "module": MODULE,
            "surface": "Where it lives.",
        },
    ),
    Tool(
        "design_task",
        "Design a new task with few questions. Give the request to begin; you get a session, what can be used again "
        "and the one question worth asking. Then give the session with what the user said and answered, or a graph to "
        "be checked. Saves no task.",
        {
            "request": "What the task is to do; only to begin.",
            "session": "Id of the session; to go on.",
            "said": "What the user said, word by word.",
            "answers": "[{slot, values}], by the slots that were asked about.",
            "graph": "The graph that you propose, as in preflight.",
        },
        reads=False,
        repeatable=False,
        unless={"begin": "session"},
    ),
    Tool(
        "propose_change",
        "Propose a change to a template, preset, card or policy in use. It waits for a person, and is replayed on the "
        "past first.",
        {
            "kind": "",
            "target": RECORD,
            "steps": "[{operation: set_value | add_to_list | remove_from_list, field, value}], or link and unlink with "
            "{relation, head}.",
            "rationale": "Why.",
            "expected_effect": "What gets better.",
            "supported_by": "Records that speak for it, such as runs.",
        },
        reads=False,
        repeatable=False,
    ),
    Tool(
        "review_queue",
        "Proposed changes that wait for a person, the most valuable first, with risk and what a replay showed.",
        {"risk": "", "first": ""},
    ),
    Tool(
        "attention_inbox",
        "What needs your user's attention now: gates that wait, runs that failed, directives.",
        {"sources": "Only from these.", "first": ""},
    ),
    Tool(
        "graphql",
        "Ask the whole API: any GraphQL query, read-only. Introspect for the schema.",
        {"query": "The document.", "variables": "Its variables."},
        within={"query": Argument.text, "variables": Argument.anything},
        own=True,
    ),
)
