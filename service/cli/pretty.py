"""How answers look on a terminal: tables, bars and trees. In a file or a pipe they are the same without colours."""

import sys
from collections.abc import Iterable, Sequence
from datetime import datetime

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

BAR_WIDTH = 20
WIDTH = 120
"""Where nobody looks at a terminal."""

GLYPHS = {
    "success": ("✓", "green"),
    "completed": ("✓", "green"),
    "delivered": ("✓", "green"),
    "running": ("▶", "cyan"),
    "waiting": ("…", "yellow"),
    "error": ("✗", "red"),
    "failed": ("✗", "red"),
    "cancelled": ("■", "magenta"),
    "skipped": ("-", "bright_black"),
}


def console() -> Console:
    live = sys.stdout.isatty()
    return Console(file=sys.stdout, highlight=False, width=None if live else WIDTH, soft_wrap=False)


def show(*parts: RenderableType | None) -> None:
    shown = console()
    with shown.capture() as drawn:
        for one in parts:
            if one is not None:
                shown.print(_said(one))
    text = drawn.get()
    sys.stdout.write(text if shown.is_terminal else "".join(f"{line.rstrip()}\n" for line in text.splitlines()))


def bar(share: float | None, width: int = BAR_WIDTH) -> Text:
    """A share from 0 to 1."""
    if share is None:
        return Text("unknown", style="bright_black")
    full = round(max(0.0, min(1.0, share)) * width)
    shade = "green" if share >= 0.75 else "yellow" if share >= 0.4 else "red"
    return Text.assemble(("█" * full, shade), ("░" * (width - full), "bright_black"), f" {share:4.0%}")


def table(columns: Sequence[str], rows: Iterable[Sequence[RenderableType | None]], title: str | None = None) -> Table:
    made = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold", show_edge=False)
    for name in columns:
        made.add_column(name, overflow="fold", no_wrap=name == "id")
    for row in rows:
        made.add_row(*("-" if cell is None else _said(cell) for cell in row))
    return made


def tree(root: RenderableType, branches: Iterable[RenderableType] = ()) -> Tree:
    made = Tree(_said(root), guide_style="bright_black")
    for one in branches:
        made.add(_said(one))
    return made


def facts(pairs: Iterable[tuple[str, RenderableType | None]]) -> Table:
    """What is known of one thing, a line each; what is not known has none."""
    made = Table(box=None, show_header=False, pad_edge=False)
    made.add_column(style="bold", no_wrap=True)
    made.add_column(overflow="fold")
    for name, value in pairs:
        if value is not None and value != "":
            made.add_row(name, _said(value))
    return made


def _said(one: RenderableType) -> RenderableType:
    """Somebody else's words: nothing in them is markup."""
    return Text(one) if isinstance(one, str) else one


def two(name: str, more: str) -> Text:
    """A name, and less loudly something about it."""
    return Text.assemble(name, ("  ", ""), (more, "bright_black"))


def length(share: float, width: int = BAR_WIDTH) -> Text:
    """How long something took beside the longest."""
    return Text("━" * max(1, round(share * width)) if share else "", style="cyan")


def state(status: str) -> Text:
    glyph, shade = GLYPHS.get(status, ("·", "default"))
    return Text(f"{glyph} {status}", style=shade)


def heading(text: str) -> Text:
    return Text(f"\n{text}", style="bold")


def moment(at: datetime | None) -> str | None:
    return at.astimezone().strftime("%Y-%m-%d %H:%M:%S") if at else None


def lasting(milliseconds: float | None) -> str | None:
    if milliseconds is None:
        return None
    seconds = milliseconds / 1000
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"
