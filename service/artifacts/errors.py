"""What can go wrong while a file is fetched."""

from service.errors import TaskloreError


class ArtifactUnavailable(TaskloreError):
    code = "artifact_unavailable"

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(
            f"{file} could not be fetched: {reason}.",
            remedy="Check the network connection and run the command again (what was fetched is kept), "
            "or point TASKLORE_CACHE at a cache that is already filled.",
            facts={"file": file},
        )


class ArtifactCorrupt(TaskloreError):
    code = "artifact_corrupt"

    def __init__(self, file: str, expected: str, got: str) -> None:
        super().__init__(
            f"{file} was refused: its sha256 should be {expected} and is {got}.",
            remedy="Run the command again; if it is refused again, something between here and the Maven repository "
            "changes files. It was not kept.",
            facts={"file": file, "expected": expected, "got": got},
        )


class ArtifactGroupUnknown(TaskloreError):
    code = "artifact_group_unknown"

    def __init__(self, group: str, known: list[str]) -> None:
        super().__init__(f"No artifact group is named {group}.", remedy=f"Known: {', '.join(known)}.")
