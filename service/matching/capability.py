"""What matching brings to the running service."""

from service.capability import Factories
from service.matching.keep import KeptMatches
from service.matching.read import Matching

SERVICES: Factories = {
    Matching: lambda on: Matching(on.ground.database, on.ground.embeddings, on.ground.advise),
    KeptMatches: lambda on: KeptMatches(on.ground.commands, on.ground.database, on[Matching]),
}
