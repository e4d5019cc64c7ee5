"""The language of conditions: `artifact_kind = "document" and size_bytes > 20000`. Read by hand, never evaluated.

condition  = both ("or" both)*            word   = a name of FIELDS
both       = negated ("and" negated)*     value  = word | "text" | 'text' | number | true | false | null
negated    = "not" negated | test         list   = "[" value ("," value)* "]"
test       = "(" condition ")" | value [compare value | ["not"] "in" (list | value) | "contains" value]
compare    = "=" | "!=" | "<" | "<=" | ">" | ">="
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NoReturn

from service.memory.intake.errors import ConditionUnreadable
from service.memory.intake.fields import FIELDS, Kind

LONGEST = 2_000
DEEPEST = 20
MOST_IN_LIST = 100

Facts = Mapping[str, Any]
Test = Callable[[Facts], Any]

_TOKEN = re.compile(
    r"""\s*(?:(?P<text>"[^"\n]*"|'[^'\n]*')|(?P<number>-?\d+(?:\.\d+)?)|(?P<word>[A-Za-z_]\w*)|(?P<sign><=|>=|!=|[=<>(),\[\]]))""",
    re.ASCII,
)
_LITERALS: dict[str, tuple[Any, Kind]] = {"true": (True, Kind.flag), "false": (False, Kind.flag)}
_KEYWORDS = frozenset({"and", "or", "not", "in", "contains", "null", *_LITERALS})
_ORDERED = frozenset({Kind.number, Kind.text})


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    position: int


@dataclass(frozen=True, slots=True)
class Operand:
    """A value or a field: how it is found among the facts, and what it can be compared with."""

    read: Test
    kind: Kind | None
    position: int
    words: tuple[str, ...] = ()
    constant: Any = None
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    text: str
    fields: frozenset[str]
    _test: Test

    def holds(self, facts: Facts) -> bool:
        """Whether it is true of these facts. What is not known is null, and only `= null` is true of it."""
        return bool(self._test(facts))


@lru_cache(maxsize=1_000)
def read(text: str) -> Condition:
    """The condition of a text, or where and why it is none."""
    if len(text) > LONGEST:
        raise ConditionUnreadable(f"it has {len(text):,} characters", LONGEST, f"at most {LONGEST:,}")
    reader = _Reader(_tokens(text))
    test = reader.whole()
    return Condition(text, frozenset(reader.used), test)


def _tokens(text: str) -> list[Token]:
    found: list[Token] = []
    place = 0
    while text[place:].strip():
        match = _TOKEN.match(text, place)
        if match is None:
            start = place + len(text[place:]) - len(text[place:].lstrip())
            raise ConditionUnreadable(f"{text[start]!r} means nothing here", start + 1, "a field, a value or a sign")
        kind = str(match.lastgroup)
        found.append(Token(kind, match[kind], match.start(kind) + 1))
        place = match.end()
    found.append(Token("end", "the end", len(text) + 1))
    return found


class _Reader:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._place = 0
        self._depth = 0
        self.used: set[str] = set()

    def whole(self) -> Test:
        test = self._either()
        if self._now.kind != "end":
            self._fail("and, or, or the end")
        return test

    def _either(self) -> Test:
        tests = [self._both()]
        while self._take("or"):
            tests.append(self._both())
        return tests[0] if len(tests) == 1 else lambda facts: any(one(facts) for one in tests)

    def _both(self) -> Test:
        tests = [self._negated()]
        while self._take("and"):
            tests.append(self._negated())
        return tests[0] if len(tests) == 1 else lambda facts: all(one(facts) for one in tests)

    def _negated(self) -> Test:
        if not self._take("not"):
            return self._test()
        self._deeper()
        inner = self._negated()
        self._depth -= 1
        return lambda facts: not inner(facts)

    def _test(self) -> Test:
        if self._take("("):
            self._deeper()
            inner = self._either()
            self._depth -= 1
            self._need(")")
            return inner
        left = self._operand()
        sign = self._now
        if sign.text in _COMPARE:
            self._place += 1
            return _compared(sign.text, left, self._operand())
        if sign.text == "contains":
            self._place += 1
            return _containing(left, self._operand())
        negative = sign.text == "not" and self._take("not")
        if negative or self._now.text == "in":
            self._need("in")
            return self._among(left, negative=negative)
        if left.kind is not Kind.flag:
            self._fail("=, !=, <, <=, >, >=, in or contains")
        return lambda facts: left.read(facts) is True

    def _among(self, left: Operand, *, negative: bool) -> Test:
        if self._now.text != "[":
            inside = _containing(self._operand(), left)
            return (lambda facts: not inside(facts)) if negative else inside
        tests = [_compared("=", left, one) for one in self._list()]
        return lambda facts: any(one(facts) for one in tests) is not negative

    def _list(self) -> list[Operand]:
        self._need("[")
        found = [self._operand()]
        while self._take(","):
            found.append(self._operand())
            if len(found) > MOST_IN_LIST:
                self._fail(f"at most {MOST_IN_LIST} values in a list")
        self._need("]")
        return found

    def _operand(self) -> Operand:
        token = self._now
        self._place += 1
        if token.kind == "text":
            text = token.text[1:-1]
            return Operand(lambda _facts: text, Kind.text, token.position, constant=text)
        if token.kind == "number":
            number = float(token.text)
            return Operand(lambda _facts: number, Kind.number, token.position, constant=number)
        if token.text in _LITERALS:
            value, kind = _LITERALS[token.text]
            return Operand(lambda _facts: value, kind, token.position, constant=value)
        if token.text == "null":
            return Operand(lambda _facts: None, None, token.position)
        known = FIELDS.get(token.text) if token.kind == "word" and token.text not in _KEYWORDS else None
        if known is None:
            self._place -= 1
            self._fail(
                f"a value, or one of the fields {', '.join(sorted(FIELDS))}" if token.kind == "word" else "a value"
            )
        name = token.text
        self.used.add(name)
        return Operand(lambda facts: facts.get(name), known.kind, token.position, known.words, field=name)

    @property
    def _now(self) -> Token:
        return self._tokens[self._place]

    def _take(self, text: str) -> bool:
        here = self._now.kind in {"word", "sign"} and self._now.text == text
        self._place += here
        return here

    def _need(self, text: str) -> None:
        if not self._take(text):
            self._fail(text)

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            self._fail(f"at most {DEEPEST} levels of brackets and nots")

    def _fail(self, expected: str) -> NoReturn:
        token = self._now
        found = "it ends" if token.kind == "end" else f"there is {token.text}"
        raise ConditionUnreadable(found, token.position, expected)


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda one, other: one == other,
    "!=": lambda one, other: one != other,
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
}


def _compared(sign: str, left: Operand, right: Operand) -> Test:
    _check_pair(sign, left, right)
    compare = _COMPARE[sign]
    asks_for_null = left.kind is None or right.kind is None

    def test(facts: Facts) -> bool:
        one, other = left.read(facts), right.read(facts)
        if not asks_for_null and (one is None or other is None):
            return False
        return compare(one, other)

    return test


def _check_pair(sign: str, left: Operand, right: Operand) -> None:
    """Refuse what could never be true: a number that is a text, a word that the field does not have."""
    kinds = {left.kind, right.kind} - {None}
    if len(kinds) == 2 or (sign not in {"=", "!="} and not kinds <= _ORDERED):
        raise ConditionUnreadable(
            f"{_called(left)} cannot be compared with {_called(right)} by {sign}", right.position, _like(left)
        )
    if Kind.texts in kinds:
        raise ConditionUnreadable("a list has no value of its own", left.position, "contains, or in")
    for one, other in ((left, right), (right, left)):
        if one.words and isinstance(other.constant, str) and other.constant not in one.words:
            raise ConditionUnreadable(
                f"{one.field} is never {other.constant!r}", other.position, f"one of {', '.join(one.words)}"
            )


def _containing(whole: Operand, part: Operand) -> Test:
    """Whether a list has an element, or a text a part of it. Upper and lower case are the same here."""
    if whole.kind not in {Kind.texts, Kind.text} or part.kind is not Kind.text:
        raise ConditionUnreadable(f"{_called(whole)} cannot contain {_called(part)}", part.position, "texts")

    def test(facts: Facts) -> bool:
        held, sought = whole.read(facts), part.read(facts)
        if held is None or sought is None:
            return False
        if isinstance(held, str):
            return str(sought).casefold() in held.casefold()
        return str(sought).casefold() in {str(one).casefold() for one in held}

    return test


def _called(operand: Operand) -> str:
    return operand.field or (f"a {operand.kind.value}" if operand.kind else "null")


def _like(operand: Operand) -> str:
    return f"a {operand.kind.value}" if operand.kind else "another value"
