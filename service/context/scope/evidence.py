"""What the evidence of a trigger names outright: identifiers and names, looked up whole.

Names and keys are one term each in their index, so what is looked up is every run of words that could be one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import parseaddr
from typing import Any

from service.context.scope.inputs import TriggerEvidenceInput
from service.words import STOP_WORDS, fold, spoken

LONGEST_NAME = 8
LONGEST_KEY = 3
CLAUSES = 1_000
"""Lucene takes 1,024 clauses a query."""

_EDGES = "\"'“”.,;:!?()[]{}<>\u2018\u2019"
_MARKS = frozenset("@:/#._-")

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Texts:
    """What an event says. `parties` are who and where it came through, by the part that they play."""

    said: tuple[str, ...] = ()
    ids: tuple[tuple[str, str], ...] = ()
    parties: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(self.said)


@dataclass(frozen=True, slots=True)
class Match:
    """A record that the evidence names: by what, at which place of the text, and as what."""

    record: Row
    by: str
    what: str
    place: str
    role: str | None = None


@dataclass(slots=True)
class Matches:
    """In the order of their strength."""

    ids: list[Match] = field(default_factory=list[Match])
    keys: list[Match] = field(default_factory=list[Match])
    names: list[Match] = field(default_factory=list[Match])
    parties: list[Match] = field(default_factory=list[Match])


def texts_of(trigger: TriggerEvidenceInput | None) -> Texts:
    if trigger is None:
        return Texts()
    mail = trigger.email
    said = [mail.subject if mail else None, trigger.payload_summary]
    ids = [("correlation key", trigger.correlation_key)]
    parties: list[tuple[str, str | None]] = []
    if mail:
        ids += [("message", mail.message_id), ("thread", mail.thread_id)]
        parties = [("account", mail.account), ("sender", mail.sender), *(("recipient", one) for one in mail.recipients)]
    return Texts(
        tuple(one for one in said if one),
        tuple((role, one) for role, one in ids if one),
        tuple((role, one) for role, one in parties if one),
    )


def queries(texts: Texts) -> list[str]:
    """Everything that may be a whole name or key, for the index of those."""
    terms = {term for _role, one in (*texts.ids, *texts.parties) for term in _terms(one)}
    for one in texts.said:
        terms |= _keys_in(one) | _names_in(one).keys()
    listed = sorted(f'"{_escaped(one)}"' for one in terms if one)
    return [f"called:({' '.join(listed[at : at + CLAUSES])})" for at in range(0, len(listed), CLAUSES)]


def matches(texts: Texts, exact: Sequence[Row]) -> Matches:
    """Which of the records that were found are named, and how."""
    found = Matches()
    keys_said = {term: one for one in texts.said for term in _keys_in(one)}
    for row in sorted(exact, key=lambda one: one["record"]["id"]):
        keys = [one for one in row["keys"] if fold(one).strip() in keys_said]
        found.keys += [Match(row["record"], "key", one, one) for one in keys[:1]]
        for role, one in texts.ids:
            if _is_called(row, one):
                found.ids.append(Match(row["record"], role, one, one, role if role == "thread" else None))
        for role, one in texts.parties:
            if _is_called(row, one):
                found.parties.append(Match(row["record"], role, one, f"{role} {one}", role))
    for one in texts.said:
        found.names += _named(one, exact)
    return found


def _named(text: str, exact: Sequence[Row]) -> Iterator[Match]:
    """Records whose whole name is in the text. At one place the longest name counts: what is inside it is not meant."""
    places = _names_in(text)
    spans = [
        (start, start + length, name, row)
        for row in sorted(exact, key=lambda one: one["record"]["id"])
        for name in row["names"]
        for start, length in places.get(spoken(name), ())
        if length > 1 or _as_written(name, text)
    ]
    seen = set[tuple[str, str]]()
    for start, end, name, row in spans:
        inside = any(s <= start and end <= e and (e - s) > (end - start) for s, e, _name, _row in spans)
        if not inside and (row["record"]["id"], spoken(name)) not in seen:
            seen.add((row["record"]["id"], spoken(name)))
            yield Match(row["record"], "name", name, spoken(name))


def _as_written(name: str, text: str) -> bool:
    """A name of one word must be written as it is: `Notes` is a name, `notes` are notes."""
    return re.search(rf"(?<!\w){re.escape(name.strip())}(?!\w)", text) is not None


def _is_called(row: Row, value: str) -> bool:
    terms = _terms(value)
    return any(fold(one).strip() in terms for one in row["keys"]) or any(spoken(one) in terms for one in row["names"])


def _terms(value: str) -> set[str]:
    """One identifier as it may be kept: as it is, as a name, and the parts of `Name <address>`."""
    name, address = parseaddr(value)
    return {fold(value).strip(), spoken(value), fold(address).strip(), spoken(name)} - {""}


def _keys_in(text: str) -> set[str]:
    words = [word.strip(_EDGES) for word in fold(text).split()]
    runs = (" ".join(words[at : at + size]) for at in range(len(words)) for size in range(1, LONGEST_KEY + 1))
    return {run for run in runs if any(char.isdigit() or char in _MARKS for char in run)}


def _names_in(text: str) -> dict[str, list[tuple[int, int]]]:
    """Every run of words that could be a name, with its places."""
    words = spoken(text).split()
    found: dict[str, list[tuple[int, int]]] = {}
    for start in range(len(words)):
        for length in range(1, min(LONGEST_NAME, len(words) - start) + 1):
            if length > 1 or words[start] not in STOP_WORDS:
                found.setdefault(" ".join(words[start : start + length]), []).append((start, length))
    return found


def _escaped(term: str) -> str:
    return term.replace("\\", "\\\\").replace('"', '\\"')
