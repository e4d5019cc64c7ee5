"""Where a step stands in its run, as one text that sorts: when it began, its module, which activation of it."""

LATE = "~"
"""After every time: of a step that is only named nobody knows when it began."""

_DIGITS = 10


def place_of(
    started_at: str | None, waiting_since: str | None, completed_at: str | None, module_key: str, activation_seq: int
) -> str:
    return f"{started_at or waiting_since or completed_at or LATE} {module_key} {activation_seq:0{_DIGITS}d}"
