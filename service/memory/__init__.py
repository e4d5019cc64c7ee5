"""Task activity memory: what every run did, reported by executors in any order."""

from service.capability import CommandAt

COMMANDS = (
    CommandAt("run", "service.memory.views.cli", "Show runs: where they are, what they made, what went wrong."),
    CommandAt("lineage", "service.memory.lineage.cli", "Show where something came from, or what came of it."),
    CommandAt("audit", "service.memory.audit.cli", "Export what a run did, redacted for whom it is meant."),
    CommandAt("retain", "service.memory.retention.cli", "Compact and remove runs whose retention has passed."),
)
