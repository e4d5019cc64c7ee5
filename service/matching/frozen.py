"""What a kept match knows of an asset: all that was weighed, as JSON, to be weighed again without the library.

Whatever an `Asset` holds is kept and read back by its dataclass: who adds a fact to it adds it here, too.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any

import orjson
from pydantic import TypeAdapter, ValidationError

from graph_schema.model.fields import OPAQUE_LENGTH
from service.commands.card_text import text_hash
from service.matching.assets import Asset, Purpose
from service.matching.directives import taught
from service.matching.parts import DECIMALS
from service.matching.request import Asked

WHOEVER_ASKED = "whoever asked"
"""Stands for the principal who asked: nobody's id is kept, and a replay asks by this name."""

_ASSET = TypeAdapter(Asset)
_HASH = 12
_SAME_ASSET = ("id", "kind")


@dataclass(frozen=True, slots=True, kw_only=True)
class FactChange:
    """Something known of an asset that is another now than it was."""

    fact: Annotated[str, "Which fact it is."]
    then: Annotated[str | None, "What was known then; null: nothing."]
    now: Annotated[str | None, "What is known now; null: nothing."]

    @property
    def sentence(self) -> Annotated[str, "The same in words."]:
        return f"{self.fact} was {self.then or 'unknown'} and is {self.now or 'unknown'}"


def frozen(asked: Asked, asset: Asset) -> Asset:
    """The asset as it is kept. It is weighed as before; but of what erasing would not reach here, nothing is quoted:
    the names of siblings are left out, directives that did not hold too, and preferences are known by a hash. What is
    not weighed is left out as well."""
    held = taught(asked, asset)
    own = asked.viewer_id != "" and asset.author_id == asked.viewer_id
    return replace(
        asset,
        author_id=WHOEVER_ASKED if own else None,
        directives=(*held.prefers, *held.avoids, *held.confirms),
        preferences=tuple(replace(one, text=f"preference {_hashed(one.text)}") for one in asset.preferences),
        group=(),
        sources=(),
        purpose=Purpose(),
    )


def written(asset: Asset) -> str | None:
    """As JSON, without what is absent. None where it is longer than what is kept."""
    text = _ASSET.dump_json(asset, exclude_defaults=True).decode()
    return text if len(text) <= OPAQUE_LENGTH else None


def read_back(text: str | None) -> Asset | None:
    """None where nothing was kept, or in words that are no longer known."""
    try:
        return None if text is None else _ASSET.validate_json(text)
    except ValidationError:
        return None


def changes(then: Asset, now: Asset) -> Iterator[FactChange]:
    """What is known otherwise, fact by fact. Lists are compared whatever their order."""
    before, after = _facts(then), _facts(now)
    for name in dict.fromkeys([*before, *after]):
        if before.get(name) != after.get(name):
            yield FactChange(fact=name, then=before.get(name), now=after.get(name))


def _facts(asset: Asset) -> dict[str, str]:
    """Every fact as text, those of the likeness beside the others; without what nothing is known of."""
    values: dict[str, Any] = _ASSET.dump_python(asset, mode="json")
    likeness: dict[str, Any] = values.pop("likeness")
    said = {name: _text(value) for name, value in {**values, **likeness}.items() if name not in _SAME_ASSET}
    return {name: text for name, text in said.items() if text}


def _text(value: Any) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case float():
            return f"{round(value, DECIMALS):g}"
        case list():
            return ", ".join(sorted(_text(one) for one in value))  # pyright: ignore[reportUnknownVariableType]
        case _:
            return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def _hashed(text: str) -> str:
    return text_hash(text)[:_HASH]
