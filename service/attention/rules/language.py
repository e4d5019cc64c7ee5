"""The little language of rules: conditions, texts with names in braces, and what holds only under a condition.

visible_panels > 1 and first_time        a condition
Potential wolf tone at {freq_hz:.0f}Hz   a text
0.7 if confidence > 0.8                  something that holds only then
focus_trace({primary_trace_id})          a view command
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from graph_schema.attention.words import ViewCommand

Values = Mapping[str, Any]

_COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {">=": ge, "<=": le, "!=": ne, "=": eq, ">": gt, "<": lt}
_TERM = re.compile(r"(not )?([a-z_][a-z0-9_]*)(?: (>=|<=|!=|=|>|<) (.+))?")
_NAME = re.compile(r"\{([a-z_][a-z0-9_]*)(?::(?:\.(\d)f|(percent)))?\}")
_COMMAND = re.compile(r"([a-z_]+)\((.*)\)")
_TAKES: Mapping[ViewCommand, tuple[str, ...]] = {
    ViewCommand.focus_trace: ("trace_id",),
    ViewCommand.hide_all_except: ("panel_id",),
    ViewCommand.highlight_delta: ("from_state_id", "to_state_id"),
    ViewCommand.reset_view: (),
}


class RuleUnreadable(ValueError):
    """What is wrong with a part of a rule."""


class Missing(LookupError):
    """A text speaks of something that the event does not say."""


@dataclass(frozen=True, slots=True)
class Term:
    name: str
    negated: bool
    sign: str
    wanted: Any

    def holds(self, values: Values) -> bool:
        found = values.get(self.name)
        if not self.sign:
            return bool(found) is not self.negated
        if found is None or isinstance(found, str) is not isinstance(self.wanted, str):
            return False
        return _COMPARED[self.sign](found, self.wanted) is not self.negated


@dataclass(frozen=True, slots=True)
class Conditional:
    """Something, and when it holds."""

    text: str
    terms: tuple[Term, ...]

    def holds(self, values: Values) -> bool:
        return all(one.holds(values) for one in self.terms)


def condition(text: str) -> tuple[Term, ...]:
    return tuple(_term(one.strip()) for one in text.split(" and "))


def conditional(text: str) -> Conditional:
    told, _, when = text.partition(" if ")
    return Conditional(told.strip(), condition(when) if when else ())


def check_text(text: str) -> None:
    """Braces are for names alone."""
    left = _NAME.sub("", text)
    if "{" in left or "}" in left:
        raise RuleUnreadable("braces hold one name, such as {freq_hz}, {freq_hz:.1f} or {confidence:percent}")


def check_command(text: str) -> ViewCommand:
    """One of the four, with as many arguments as it takes."""
    found = _COMMAND.fullmatch(text)
    if found is None or found[1] not in [*ViewCommand]:
        raise RuleUnreadable(f"{text[:60]!r} is none of the view commands {', '.join(ViewCommand)}")
    kind, given = ViewCommand(found[1]), _arguments(found[2])
    if len(given) != len(_TAKES[kind]):
        raise RuleUnreadable(f"{kind} takes {len(_TAKES[kind])} arguments, not {len(given)}")
    for one in given:
        check_text(one)
    return kind


def filled(text: str, values: Values) -> str:
    """The text with what its names stand for. Nothing is looked up but by its name."""
    return _NAME.sub(lambda found: _shown(found, values), text)


def command(text: str, values: Values) -> dict[str, str]:
    """A view command: `{command: focus_trace, trace_id: main}`."""
    found = _COMMAND.fullmatch(text)
    if found is None:
        raise RuleUnreadable(text)
    kind = ViewCommand(found[1])
    given = (filled(one, values) for one in _arguments(found[2]))
    return {"command": kind.value, **dict(zip(_TAKES[kind], given, strict=True))}


def _arguments(text: str) -> list[str]:
    return [one.strip() for one in text.split(",")] if text.strip() else []


def _term(text: str) -> Term:
    found = _TERM.fullmatch(text)
    if found is None:
        raise RuleUnreadable(f"{text[:60]!r} is no condition such as `visible_panels > 1`")
    return Term(found[2], bool(found[1]), found[3] or "", _literal(found[4]) if found[4] else None)


def _literal(text: str) -> Any:
    if text in {"true", "false"}:
        return text == "true"
    try:
        return float(text)
    except ValueError:
        return text.strip("'\"")


def _shown(found: re.Match[str], values: Values) -> str:
    value = values.get(found[1])
    if value is None or value == "":
        raise Missing(found[1])
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if found[3]:
        return f"{value * 100:.0f}%"
    return f"{value:.{found[2]}f}" if found[2] else f"{value:g}"
