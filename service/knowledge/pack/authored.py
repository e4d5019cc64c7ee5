"""What people have written: `seeds/knowledge/cards.yaml`."""

from collections.abc import Mapping, Sequence
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
    return parts
