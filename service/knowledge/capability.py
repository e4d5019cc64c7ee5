"""What knowledge brings to the running service."""

from functools import partial

from service.capability import Factories, Services
from service.context.agent_pack.knowledge import KnowledgeCards
from service.context.packets import PacketReads
from service.context.packets.planned import PlannedPackets
from service.graph.leases import Begin
from service.knowledge.catalogue.commands import Catalogues
from service.knowledge.evaluation.commands import Evaluations
from service.knowledge.evaluation.suites import EvalSuites
from service.knowledge.lookup.graphs import GraphLookups
from service.knowledge.lookup.packed import PackedCards
from service.knowledge.lookup.profile import Education
from service.knowledge.lookup.read import Lookups
from service.knowledge.pack.commands import KnowledgeCompiler
from service.knowledge.pack.read import KnowledgePacks
from service.knowledge.pack.watch import keep_watching
from service.knowledge.preflight.gate import require_preflight
from service.knowledge.preflight.keep import KeptPreflights
from service.knowledge.preflight.read import Preflights
from service.knowledge.prompts.keep import KeptPrompts
from service.knowledge.prompts.read import PromptChecks
from service.knowledge.specs.commands import SpecDocuments
from service.knowledge.specs.read import SpecLookup
from service.records import Hooks

SERVICES: Factories = {
    Catalogues: lambda on: Catalogues(on.ground.commands),
    KnowledgePacks: lambda on: KnowledgePacks(on.ground.database),
    KnowledgeCompiler: lambda on: KnowledgeCompiler(on.ground.commands, on.ground.database, on[KnowledgePacks]),
    Preflights: lambda on: Preflights(on.ground.database, PlannedPackets(on[PacketReads])),
    Education: lambda on: Education(on.ground.database),
    Lookups: lambda on: Lookups(on.ground.database, on[Education]),
    KnowledgeCards: lambda on: PackedCards(on[Lookups]),
    GraphLookups: lambda on: GraphLookups(on.ground.database),
    SpecDocuments: lambda on: SpecDocuments(on.ground.commands),
    SpecLookup: lambda on: SpecLookup(on.ground.database, on[Education]),
    KeptPrompts: lambda on: KeptPrompts(on.ground.commands, on.ground.database),
    PromptChecks: lambda on: PromptChecks(on.ground.database),
    EvalSuites: lambda on: EvalSuites(on.ground.commands, on.ground.database),
    Evaluations: lambda on: Evaluations(on.ground.commands, on.ground.database, on[EvalSuites]),
    KeptPreflights: lambda on: KeptPreflights(on.ground.commands, on.ground.database, on[Preflights]),
}
HOOKS = Hooks(on_graph=(require_preflight,))


def shared(services: Services) -> list[Begin]:
    ground = services.ground
    return [partial(keep_watching, ground.database, ground.events, services[KnowledgeCompiler])]
