"""What people have written: `seeds/knowledge/cards.yaml`, and the records that take the place of its cards."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, cast

import yaml

from service.knowledge.errors import CatalogueUnreadable
from service.knowledge.pack.cards import FAMILIES

Row = Mapping[str, Any]
_NEEDED = ("about", "title", "says")


@cache
def authored_cards() -> Mapping[str, Sequence[Row]]:
    return read_cards((resources.files("seeds") / "knowledge" / "cards.yaml").read_text("utf-8"))


def overlaid(parts: Mapping[str, Sequence[Row]], written: Iterable[Row]) -> dict[str, Sequence[Row]]:
    """With the cards that are kept as records in the place of those about the same; what those lead on to stays."""
    found = {part: {one["about"]: one for one in some} for part, some in parts.items()}
    for one in written:
        rows = found.setdefault(_PARTS[one["family"]], {})
        told = {"about": one["subject"], "title": one["name"], "says": one["body"], "level": one["level"]}
        rows[one["subject"]] = {**rows.get(one["subject"], {}), **told}
    return {part: [*rows.values()] for part, rows in found.items()}


_PARTS = {family.value: part for part, family in FAMILIES.items()}


def read_cards(text: str) -> Mapping[str, Sequence[Row]]:
    told: Any = yaml.safe_load(text)
    parts = cast("Mapping[str, list[Row]]", told if isinstance(told, dict) else {})
    if not parts or {*parts} - {*FAMILIES}:
        raise CatalogueUnreadable("cards", f"it has parts of {', '.join(FAMILIES)} and no others")
    for part, some in parts.items():
        seen: set[str] = set()
        for one in some:
            missing = [name for name in _NEEDED if not one.get(name)]
            if missing or one["about"] in seen:
                what = f"lacks {missing[0]}" if missing else f"{one['about']} is there twice"
                raise CatalogueUnreadable(f"cards.{part}", what)
            seen.add(one["about"])
    _check_references(parts)
    return parts


def _check_references(parts: Mapping[str, Sequence[Row]]) -> None:
    """`see: [decisions iteration]`: a card may lead on to others, and never round to itself."""
    leads = {f"{part} {one['about']}": [*one.get("see", ())] for part, some in parts.items() for one in some}
    for name, others in leads.items():
        field = f"cards.{name.partition(' ')[0]}"
        missing = next((one for one in others if one not in leads), None)
        if missing is not None:
            raise CatalogueUnreadable(field, f"{name} leads to {missing}, which is not there")
        if name in _reached(leads, name):
            raise CatalogueUnreadable(field, f"{name} leads round to itself")


def _reached(leads: Mapping[str, Sequence[str]], name: str) -> set[str]:
    found: set[str] = set()
    waiting = [*leads[name]]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += leads.get(one, ())
    return found
