"""Why the second lane refuses something."""

from service.errors import TaskloreError


class ExtractionTaken(TaskloreError):
    code = "extraction_taken"

    def __init__(self, entry_id: str, until: str) -> None:
        super().__init__(
            f"{entry_id} is being worked on by somebody else.",
            field="extraction",
            remedy=f"Take another one, or this one after {until}.",
            facts={"until": until},
        )


class ExtractionDone(TaskloreError):
    code = "extraction_done"

    def __init__(self, entry_id: str) -> None:
        super().__init__(
            f"{entry_id} is done already.", field="extraction", remedy="Nothing is left to do; take another one."
        )


class ExtractionNotYours(TaskloreError):
    code = "extraction_not_taken"

    def __init__(self, entry_id: str) -> None:
        super().__init__(
            f"{entry_id} is not in your hands.", field="extraction", remedy="Take it first, and settle it then."
        )


class ExtractionBlocked(TaskloreError):
    code = "validation.incognito_blocks_requested_memory"

    def __init__(self, record_id: str) -> None:
        super().__init__(
            f"{record_id} belongs to a run that is not to be remembered.",
            field="record",
            remedy="Run the task again under a policy that allows it.",
        )
