"""What is known of the task system: its modules, the cards about them, and what is told before anything runs."""

from service.capability import CommandAt

COMMANDS = (
    CommandAt(
        "knowledge", "service.knowledge.cli", "Compile the knowledge pack, look whether it is behind, use another."
    ),
)
