"""The suite: `seeds/knowledge/suite.yaml`, as data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, cast

import yaml

from service.knowledge.errors import CatalogueUnreadable

Expected = Mapping[str, Any]
EXPECTATIONS = frozenset({
    "template", "modules", "cables", "context", "capabilities", "artifact_level", "gated", "preflight", "questions",
    "prefers", "explanation", "behaviour",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Example:
    """A request, and what a good answer to it has."""

    key: str
    request: str
    expect: Expected
    taught_by: str | None = None
    """The worked example of the pack that answers it."""


@dataclass(frozen=True, slots=True)
class Suite:
    name: str
    examples: tuple[Example, ...]


@cache
def sample_suite() -> Suite:
    return read_suite((resources.files("seeds") / "knowledge" / "suite.yaml").read_text("utf-8"))


def read_suite(text: str) -> Suite:
    told: Any = yaml.safe_load(text)
    if not isinstance(told, dict) or not cast("Mapping[str, Any]", told).get("examples"):
        raise CatalogueUnreadable("suite", "a suite is a mapping with a name, a version and a list of examples")
    whole = cast("Mapping[str, Any]", told)
    examples = tuple(_example(one) for one in cast("Sequence[Expected]", whole["examples"]))
    keys = [one.key for one in examples]
    twice = next((one for one in keys if keys.count(one) > 1), None)
    if twice:
        raise CatalogueUnreadable("suite.examples", f"{twice} is there twice")
    return Suite(f"{whole.get('name', 'suite')} {whole.get('version', 1)}", examples)


def _example(told: Expected) -> Example:
    key = str(told.get("key") or "")
    expect = cast("Expected", told.get("expect") or {})
    unknown = sorted({*expect} - EXPECTATIONS)
    if not key or not told.get("request") or not expect or unknown:
        problem = f"nothing is known of {unknown[0]}" if unknown else "an example has a key, a request and expectations"
        raise CatalogueUnreadable(f"suite.examples[{key}]", problem)
    return Example(key, str(told["request"]), expect, told.get("taught_by"))
