"""Why a change of the library is refused."""

from service.errors import TaskloreError


class GraphInvalid(TaskloreError):
    code = "graph_invalid"

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}.", field=field, remedy="Correct the graph and send it again, whole.")


class GraphTooLarge(TaskloreError):
    code = "graph_too_large"

    def __init__(self, field: str, limit: int, size: int) -> None:
        super().__init__(
            f"The graph has {size:,} {field}; at most {limit:,} are kept.",
            field=field,
            remedy="Split the task, or keep the graph with its owner and save a summary of it.",
            facts={"limit": limit, "size": size},
        )


class OwnerUnsaved(TaskloreError):
    code = "owner_unsaved"

    def __init__(self, ref: object) -> None:
        super().__init__(
            f"{ref} is known only by its outside key, so nobody knows yet who may see its graph.",
            field="of",
            remedy="Save the task or template first (saveTask, saveTemplate), with its class and matters.",
        )
