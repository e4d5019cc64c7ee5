"""Which asset of the library fits a request, why, and why not the others."""

from service.capability import CommandAt

COMMANDS = (
    CommandAt("match", "service.matching.cli", "Find what fits a request, and see why not the others."),
    CommandAt("evaluate", "service.matching.evaluation.cli", "Judge matching on labelled requests, in an empty graph."),
)
