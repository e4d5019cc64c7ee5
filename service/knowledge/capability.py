"""What knowledge brings to the running service."""

from service.capability import Factories
from service.knowledge.catalogue.commands import Catalogues
from service.knowledge.preflight.keep import KeptPreflights
from service.knowledge.preflight.read import Preflights

SERVICES: Factories = {
    Catalogues: lambda on: Catalogues(on.ground.commands),
    Preflights: lambda on: Preflights(on.ground.database),
    KeptPreflights: lambda on: KeptPreflights(on.ground.commands, on.ground.database, on[Preflights]),
}
