"""Why a graph cannot be brought to the shape that this version expects."""

from collections.abc import Iterable

from service.errors import TaskloreError


class DatabaseNewer(TaskloreError):
    code = "database_newer"

    def __init__(self, by: str, unknown: Iterable[str]) -> None:
        listed = list(unknown)
        shown = ", ".join(listed[:3]) + (f" and {len(listed) - 3} more" if len(listed) > 3 else "")
        super().__init__(
            f"The graph was last changed by Tasklore {by}, and this version does not know: {shown}.",
            remedy="Start the version that wrote it or a later one, or restore a backup made before it.",
            facts={"by": by, "unknown": listed},
        )


class MigrationChanged(TaskloreError):
    code = "migration_changed"

    def __init__(self, number: int, name: str) -> None:
        super().__init__(
            f"Migration {number} ({name}) was applied to this graph with other content than this version has.",
            remedy="Start the version that applied it, or restore a backup made before it.",
            facts={"number": number},
        )


class MigrationFailed(TaskloreError):
    code = "migration_failed"

    def __init__(self, title: str, done: int, steps: int, detail: str) -> None:
        super().__init__(
            f"Migration {title} stopped after {done} of {steps} steps: {detail}",
            remedy="Correct the cause and start again; it goes on from there.",
            facts={"migration": title, "done": done, "steps": steps},
        )


class IndexFailed(TaskloreError):
    code = "index_failed"

    def __init__(self, name: str, detail: str) -> None:
        super().__init__(
            f"Neo4j could not build the index {name}: {detail or 'no reason given'}.",
            remedy="See the server's log, correct the cause, drop the index and start again.",
            facts={"index": name},
        )
