"""The services of design, creation and edits, and what they add to the commands on records."""

from service.capability import Factories
from service.context.agent_pack import AgentPacks
from service.knowledge.lookup.read import Lookups
from service.learning.creation.commands import TrackedTasks
from service.learning.creation.gate import check_receipt, require_receipt, reviewed
from service.learning.creation.read import TaskReceipts
from service.learning.design.guidance import DesignGuidance
from service.learning.design.look import Looking
from service.learning.design.noting import settle
from service.learning.design.read import DesignReader
from service.learning.design.start import StartDesign
from service.learning.design.update import UpdateDesign
from service.learning.edits.compare import GraphDifferences
from service.learning.edits.read import EditTraces
from service.learning.edits.record import ProposalEdits
from service.matching.keep import KeptMatches
from service.matching.read import Matching
from service.records import Hooks
from service.routing.agent.read import AgentProfiles
from service.routing.words import words_of

DESIGN_SERVICES: Factories = {
    Looking: lambda on: Looking(
        on.ground.database,
        on[Matching],
        on[KeptMatches],
        on[AgentPacks],
        on[Lookups],
        words_of(on.ground.settings.routing_words),
    ),
    StartDesign: lambda on: StartDesign(on.ground.commands, lambda: on[Looking], on[AgentProfiles]),
    UpdateDesign: lambda on: UpdateDesign(on.ground.commands, on.ground.database),
    DesignReader: lambda on: DesignReader(on.ground.database),
    DesignGuidance: lambda on: DesignGuidance(on.ground.database, on[Lookups]),
    GraphDifferences: lambda on: GraphDifferences(on.ground.database),
    TrackedTasks: lambda on: TrackedTasks(on.ground.commands, on.ground.hooks, on[AgentProfiles]),
    TaskReceipts: lambda on: TaskReceipts(on.ground.database),
    ProposalEdits: lambda on: ProposalEdits(on.ground.commands),
    EditTraces: lambda on: EditTraces(on.ground.database),
}
DESIGN_HOOKS = Hooks(after_save=(require_receipt, reviewed, settle), on_graph=(check_receipt,))
