"""Tools: how their calls end, what that says of them, and what their builders are advised."""

from service.capability import CommandAt

COMMANDS = (CommandAt("evaluate", "service.tools.recommendations.cli", "Recommend what to do about tools."),)
