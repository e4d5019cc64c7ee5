"""The suite: `seeds/knowledge/suite.yaml`, as data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, cast

import yaml

from service.knowledge.errors import EvalSuiteInvalid

Expected = Mapping[str, Any]
EXPECTATIONS: Mapping[str, Any] = {
    **dict.fromkeys(("template", "modules", "cables", "context", "artifact_level", "prefers"), list),
    **dict.fromkeys(("gated", "preflight"), bool),
    "capabilities": {"needs": list, "never": list},
    "questions": {"most": int, "about": list, "known": list},
    "explanation": {"says": list, "most_words": int},
    "behaviour": {
        "mode": list, "entrypoint": list, "graph": bool, "most_tokens": int, "never_says": list, "names": list,
    },
}  # fmt: skip
"""What can be expected of an answer, and how that is said."""
_SAID: Mapping[type, str] = {list: "a list of texts", bool: "true or false", int: "a number"}


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

    def plain(self) -> dict[str, Any]:
        """As it is kept, and read again."""
        name, _, version = self.name.rpartition(" ")
        examples = [
            {"key": one.key, "request": one.request, "expect": one.expect, "taught_by": one.taught_by}
            for one in self.examples
        ]
        return {"name": name, "version": version, "examples": examples}


@cache
def sample_suite() -> Suite:
    return read_suite((resources.files("seeds") / "knowledge" / "suite.yaml").read_text("utf-8"))


def read_suite(text: str) -> Suite:
    try:
        told: Any = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise EvalSuiteInvalid("suite", f"it is neither YAML nor JSON ({str(error)[:200]})") from None
    whole = cast("Mapping[str, Any]", told if isinstance(told, dict) else {})
    if not whole.get("examples") or not _is_list(whole["examples"], dict):
        raise EvalSuiteInvalid("suite", "a suite is a mapping with a name, a version and a list of examples")
    examples = tuple(_example(one) for one in cast("Sequence[Expected]", whole["examples"]))
    keys = [one.key for one in examples]
    twice = next((one for one in keys if keys.count(one) > 1), None)
    if twice:
        raise EvalSuiteInvalid("suite.examples", f"{twice} is there twice")
    return Suite(f"{whole.get('name', 'suite')} {whole.get('version', 1)}", examples)


def _example(told: Expected) -> Example:
    key, expect = str(told.get("key") or ""), told.get("expect")
    field = f"suite.examples[{key}]"
    if not key or not told.get("request") or not expect or not isinstance(expect, dict):
        raise EvalSuiteInvalid(field, "an example has a key, a request and expectations")
    _check_shape(cast("Expected", expect), EXPECTATIONS, f"{field}.expect")
    return Example(key, str(told["request"]), cast("Expected", expect), told.get("taught_by"))


def _check_shape(told: Expected, shape: Mapping[str, Any], field: str) -> None:
    for name, value in told.items():
        wanted = shape.get(name)
        if wanted is None:
            raise EvalSuiteInvalid(field, f"nothing is known of {name}; there are {', '.join(sorted(shape))}")
        if isinstance(wanted, dict):
            if not isinstance(value, dict):
                raise EvalSuiteInvalid(f"{field}.{name}", "it is a mapping")
            _check_shape(cast("Expected", value), cast("Mapping[str, Any]", wanted), f"{field}.{name}")
        elif not (_is_list(value, str) if wanted is list else isinstance(value, wanted)):
            raise EvalSuiteInvalid(f"{field}.{name}", f"it is {_SAID[wanted]}")


def _is_list(value: Any, of: type) -> bool:
    return isinstance(value, list) and all(isinstance(one, of) for one in cast("list[Any]", value))
