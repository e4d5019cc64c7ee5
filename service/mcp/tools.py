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
    ),
    Tool(
        "graphql",
        "Ask the whole API: any GraphQL query, read-only. Introspect for the schema.",
        {"query": "The document.", "variables": "Its variables."},
        within={"query": Argument.text, "variables": Argument.anything},
        own=True,
    ),
)
