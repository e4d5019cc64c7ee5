"""Learning: every design teaches, every change is a proposal, and each is replayed before anybody approves it."""

from service.capability import CommandAt

COMMANDS = (
    CommandAt("learn", "service.learning.cli", "Turn what was recorded into proposals, and replay them on the past."),
)
