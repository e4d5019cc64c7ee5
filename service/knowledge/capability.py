"""What knowledge brings to the running service."""

from service.capability import Factories
from service.knowledge.catalogue.commands import Catalogues
from service.knowledge.pack.commands import KnowledgeCompiler
from service.knowledge.pack.read import KnowledgePacks
from service.knowledge.preflight.keep import KeptPreflights
from service.knowledge.preflight.read import Preflights

SERVICES: Factories = {
    Catalogues: lambda on: Catalogues(on.ground.commands),
    KnowledgePacks: lambda on: KnowledgePacks(on.ground.database),
    KnowledgeCompiler: lambda on: KnowledgeCompiler(on.ground.commands, on.ground.database, on[KnowledgePacks]),
    Preflights: lambda on: Preflights(on.ground.database),
    KeptPreflights: lambda on: KeptPreflights(on.ground.commands, on.ground.database, on[Preflights]),
}
