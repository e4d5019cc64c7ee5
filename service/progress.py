"""How far a long piece of work has got: a line like any other, which also knows its numbers."""


class Part(str):
    """`schema: 12 of 47, index_run`. Where there is a terminal all lines of one `what` are one bar."""

    __slots__ = ("done", "total", "what")

    what: str
    done: int
    total: int

    def __new__(cls, what: str, done: int, total: int, detail: str = "") -> "Part":
        made = super().__new__(cls, f"{what}: {done:,} of {total:,}{f', {detail}' if detail else ''}")
        made.what, made.done, made.total = what, done, total
        return made
