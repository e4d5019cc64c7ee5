"""Scope and context: what a run is about, what its modules may know, and a receipt for all that was kept out."""

from service.capability import CommandAt

COMMANDS = (
    CommandAt("packet", "service.context.packets.cli", "Show what a module was given, and what was kept from it."),
    CommandAt("why", "service.context.inspection.cli", "Say why a module was, or was not, given a record."),
)
