"""What a tool refuses before the API is asked."""

from service.errors import TaskloreError


class UnknownTool(TaskloreError):
    code = "unknown_tool"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"There is no tool {name!r} here.",
            remedy="List the tools; /mcp/full has more than /mcp.",
        )


class UnknownArgument(TaskloreError):
    code = "unknown_argument"

    def __init__(self, name: str, known: list[str]) -> None:
        super().__init__(f"There is no argument {name!r}.", field=name, remedy=f"It takes {', '.join(known)}.")


class MissingArgument(TaskloreError):
    code = "missing_argument"

    def __init__(self, name: str) -> None:
        super().__init__(f"The argument {name!r} is required.", field=name)


class NotAReference(TaskloreError):
    code = "not_a_reference"

    def __init__(self, argument: str, given: str) -> None:
        super().__init__(
            f"{given[:80]!r} names no record.",
            field=argument,
            remedy="Give its id, such as run_01J…, or source:key, such as erp:4711.",
        )


class UnknownResource(TaskloreError):
    code = "not_found"

    def __init__(self, uri: str) -> None:
        super().__init__(
            f"There is nothing at {uri[:200]!r} that you may see.",
            field="uri",
            remedy="Addresses are tasklore://runs/{id}, tasklore://templates/{id} and tasklore://packets/{id}.",
        )


class ResourceRefused(TaskloreError):
    """What the API says of it, in its words."""

    def __init__(self, message: str, code: str, remedy: str | None) -> None:
        super().__init__(message, remedy=remedy)
        self.code = code


class NothingThere(TaskloreError):
    code = "not_found"

    def __init__(self, tool: str) -> None:
        super().__init__(
            f"There is nothing that {tool} could tell of: no such record that you may see.",
            remedy="Check the reference: an id such as run_01J…, or source:key; find it with search.",
        )


class UnknownPrompt(TaskloreError):
    code = "not_found"

    def __init__(self, name: str) -> None:
        super().__init__(f"There is no prompt {name!r}.", field="name", remedy="List the prompts.")
