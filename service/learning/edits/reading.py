"""What a module is there for, told by its type and by what is said of it. Plain functions."""

from collections.abc import Mapping
from typing import Any

from service.words import spoken

Values = Mapping[str, Any]

DEEPENING = ("second pass", "look deeper", "go deeper", "deepen", "deepening", "dig deeper", "deeper look")
GATES = ("gate", "approval", "human", "hold")
JUDGES = ("judge", "evaluator", "grader", "red_team", "critic")
LOOPS = ("loop", "iterate", "repeat")
GROUNDING = ("ground", "grounding", "cite", "citation", "check against the source", "source check", "verify against")
RED_TEAM = ("red team", "red_team", "attack")


def is_deepening(module: Values) -> bool:
    return _says(module, DEEPENING)


def is_gate(module: Values) -> bool:
    return _typed(module, GATES)


def is_judge(module: Values) -> bool:
    return _typed(module, JUDGES)


def is_loop(module: Values) -> bool:
    return _typed(module, LOOPS)


def is_red_team(module: Values) -> bool:
    return _typed(module, ("red_team",)) or _says(module, RED_TEAM)


def is_grounding(module: Values) -> bool:
    """A module that brings sources in, or holds a result against them."""
    return str(module.get("module_type") or "").startswith("source.") or _says(module, GROUNDING)


def _typed(module: Values, words: tuple[str, ...]) -> bool:
    kind = str(module.get("module_type") or "").lower()
    return any(one in kind for one in words)


def _says(module: Values, words: tuple[str, ...]) -> bool:
    told = " ".join(str(module.get(name) or "") for name in ("module_key", "name", "purpose", "config", "statement"))
    said = f" {spoken(told)} "
    return any(f" {spoken(one)}" in said for one in words)
