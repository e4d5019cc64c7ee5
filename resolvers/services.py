"""What written fields need of the running service."""

from dataclasses import dataclass

from graph_schema.model.registry import Registry
from service.context.agent_pack import AgentPacks
from service.context.expansion import Expansions, MountedCapabilities
from service.context.feedback import ContextFeedback
from service.context.inspection import Asking
from service.context.packets import Packets
from service.context.scope import RunScopes, Scopes
from service.events import Head
from service.library.commands import Library
from service.library.n8n.commands import N8nWorkflows
from service.matching.keep import KeptMatches
from service.matching.read import Matching
from service.memory import Reporting
from service.memory.artifact_search import ArtifactSearch
from service.memory.audit import AuditExports
from service.memory.continuation import After
from service.memory.extraction.commands import SecondLane
from service.memory.intake.preview import Previews
from service.memory.intents import LibraryIntents
from service.memory.lineage import Lineage
from service.memory.promotion import Promotions
from service.memory.questions import Questions
from service.memory.retention import Ages
from service.memory.run_changes import Following
from service.records import Records
from service.search import Search


@dataclass(frozen=True)
class Services:
    registry: Registry
    records: Records
    library: Library
    reporting: Reporting
    after: After
    questions: Questions
    second_lane: SecondLane
    audits: AuditExports
    lineage: Lineage
    previews: Previews
    promotions: Promotions
    intents: LibraryIntents
    ages: Ages
    """How long each class of run is kept."""
    following: Following
    search: Search
    artifact_search: ArtifactSearch
    matching: Matching
    kept_matches: KeptMatches
    n8n: N8nWorkflows
    packets: Packets
    expansions: Expansions
    feedback: ContextFeedback
    agent_packs: AgentPacks
    mounted: MountedCapabilities
    """What modules at work have of capabilities."""
    scopes: Scopes
    run_scopes: RunScopes
    asking: Asking
    head: Head
    """Where the log of events ends, and who waits for it to move."""
