"""The library: task assets and design knowledge, kept by people and found by matching."""

from service.capability import CommandAt

COMMANDS = (
    CommandAt("import", "service.library.cli", "Make templates of workflows of another system.", "import_"),
    CommandAt("export", "service.library.cli", "Write templates as workflows of another system."),
)
