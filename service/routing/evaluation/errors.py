"""Files that cannot be judged on."""

from service.errors import TaskloreError


class RowsInvalid(TaskloreError):
    code = "invalid_input"

    def __init__(self, path: str, line: int, problem: str) -> None:
        super().__init__(
            f"{path}, line {line}: {problem}.",
            field="dataset",
            remedy='Each line is a JSON object with text, facts (may be left out) and modes, such as ["direct_chat"].',
            facts={"line": line},
        )
