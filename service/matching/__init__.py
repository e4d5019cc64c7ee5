"""Which asset of the library fits a request, why, and why not the others."""

from service.capability import CommandAt

COMMANDS = (
    CommandAt("evaluate", "service.matching.evaluation.cli", "Judge matching on labelled requests, in an empty graph."),
)
