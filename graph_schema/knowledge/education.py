"""What the Task Agent is held to: its contract, and how much of the knowledge it gets at once."""

from typing import Annotated

from pydantic import Field as PydanticField

from graph_schema.knowledge.words import AuthorityLevel, ResourceKind, StalePackBehavior, WrittenFamily
from graph_schema.library.words import ASSET_STATES
from graph_schema.model.fields import EvidenceLayer, Key, Keys, Text, Texts, field
from graph_schema.model.record import Record
from graph_schema.routing.agent import TASK_AGENT

Resources = Annotated[list[ResourceKind], PydanticField(max_length=len(ResourceKind))]


class EducationProfile(Record):
    """What an agent is taught from, how much of it at once, and what it may do while the pack is behind."""

    label = "EducationProfile"
    plural = "education_profiles"
    prefix = "edup"
    layer = EvidenceLayer.memory
    colour = "#6fa3c7"
    saved = True

    agent_id: Key = field("The agent that it is for.", default=TASK_AGENT, indexed=True)
    allowed_resource_kinds: Resources = field("What it may be taught from.", make=lambda: [*ResourceKind])
    max_cards_per_design_turn: int = field("Cards that one request gives at most.", default=24, ge=1, le=200)
    max_tokens_per_design_turn: int = field("Tokens that these have at most.", default=6_000, ge=100, le=100_000)
    require_preflight_before_save: bool = field(
        "Whether a graph that an agent saves has been examined before, with the same hash.", default=True
    )
    allow_learned_heuristic_injection: bool = field("Whether what was learned is among the cards.", default=True)
    allow_architect_doctrine_injection: bool = field("Whether doctrine is among the cards.", default=True)
    allow_prior_task_case_retrieval: bool = field("Whether earlier cases are among the cards.", default=True)
    stale_pack_behavior: StalePackBehavior = field(
        "What it may do while the pack in use is behind in a way that matters.",
        default=StalePackBehavior.use_live_catalog_and_warn,
    )


class WrittenCard(Record):
    """A card that people write: the next pack has it, in the place of the one that comes with the service."""

    label = "WrittenCard"
    plural = "written_cards"
    prefix = "wcard"
    layer = EvidenceLayer.memory
    colour = "#a9c9dd"
    saved = True
    states = ASSET_STATES

    family: WrittenFamily = field("What kind of card it is.", filtered=True)
    subject: Key = field("What it is about: a decision, a type of module, a surface of prompts.", indexed=True)
    body: Text = field("What it says.")
    level: AuthorityLevel = field("How much weight it has.", default=AuthorityLevel.strong_default)


class CoreContract(Record):
    """What an agent must do and must not, whatever it was taught. The pack refers to it and does not contain it."""

    label = "CoreContract"
    plural = "core_contracts"
    prefix = "core"
    layer = EvidenceLayer.memory
    colour = "#3f7ba6"
    saved = True

    agent_id: Key = field("The agent that it is for.", default=TASK_AGENT, indexed=True)
    role_summary: Text = field(
        "What the agent is for.", default="Designs, reviews and explains saved tasks, and proposes how to improve them."
    )
    hard_rules: Texts = field(
        "What always holds.",
        make=lambda: [
            "Look for a template, a preset or an earlier case before a new graph is drawn.",
            "Ask the tools and the validator; do not rely on memory.",
            "Propose; change nothing that is in use.",
            "Examine a graph before it is shown as one that can be run.",
            "Say why a design is as it is, in the user's words.",
        ],
    )
    command_permissions: Keys = field("Commands that it may send.", make=list)
    forbidden_behaviors: Texts = field(
        "What it must never do.",
        make=lambda: [
            "Get round the policy gate.",
            "Run anything beside the graph that the user sees.",
            "Take an example for a rule: what was learned changes no port, no check and no policy.",
        ],
    )
    required_tool_sequence_for_creation: Keys = field(
        "What it asks for, in this order, before it saves a task.",
        make=lambda: ["matchTemplates", "findModules", "validateGraph", "preflight", "recordPreflight"],
    )
    degraded_mode_rules: Texts = field(
        "What it does when a part of the system is missing.",
        make=lambda: [
            "With a pack that is behind: look up what is live, and say that it is behind.",
            "Without capabilities: bind none beyond those that the template names.",
            "Without memory: design from templates and cards alone.",
        ],
    )
