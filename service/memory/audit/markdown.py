"""An export for people to read: the same records as in the JSON files, as one Markdown page."""

import html
from collections.abc import Iterable, Iterator
from typing import Any

from graph_schema.memory.audit import AuditProfile

_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_[]#|"})


def report(profile: AuditProfile, parts: Iterable[dict[str, Any]]) -> str:
    lines = ["# Audit of a run", "", f"Redaction profile: {profile.value}", ""]
    for part in parts:
        lines += _section(part)
    return "\n".join(lines)


def _section(part: dict[str, Any]) -> Iterator[str]:
    yield f"## {part['section'].replace('_', ' ').capitalize()}"
    yield ""
    if not part["records"] and not part["links"]:
        yield "Nothing."
        yield ""
    for record in part["records"]:
        yield f"### {record['kind']} {_text(record['id'])}"
        yield ""
        yield from (f"- {_text(name)}: {_text(value)}" for name, value in record.items() if name not in {"kind", "id"})
        yield ""
    for name, value in _totals(part):
        yield f"- {_text(name)}: {_text(value)}"
    for link in part["links"]:
        facts = "".join(f", {_text(name)}: {_text(value)}" for name, value in link.get("facts", {}).items())
        yield f"- {_text(link['tail'])} {_text(link['type'])} {_text(link['head'])}{facts}"
    yield ""


def _totals(part: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    totals = part.get("totals")
    if isinstance(totals, dict):
        yield from totals.items()  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    elif totals:
        yield "totals", totals


def _text(value: Any) -> str:
    """One line that Markdown and HTML take as plain text, whatever it says."""
    listed: list[Any] = value if isinstance(value, list) else [value]  # pyright: ignore[reportUnknownVariableType]
    joined = "; ".join(str(one) for one in listed)
    return html.escape(" ".join(joined.split()), quote=False).translate(_MARKS)
