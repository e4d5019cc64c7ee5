"""Task activity memory: what every run did, reported by executors in any order."""

from service.capability import CommandAt

COMMANDS = (
    CommandAt("audit", "service.memory.audit.cli", "Export what a run did, redacted for whom it is meant."),
    CommandAt("retain", "service.memory.retention.cli", "Compact and remove runs whose retention has passed."),
)
