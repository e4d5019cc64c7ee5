"""How a hit is scored: from the request and the record's card alone, by constants frozen in this version.

Weights, threshold and guess are those of `tests/bench/calibration/search.json`; `docs/search.md` has the command.
Whoever changes one of them, or how a part is computed, gives the ranker a new version.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from service.lexical import alike
from service.lexical import lexical as covered
from service.titles import apart, title
from service.words import content_words, fold, spoken, stem, stems

NAME = "tasklore.search"
VERSION = "4"


@dataclass(frozen=True, slots=True)
class Weights:
    """What each part counts in a score. They add up to 1."""

    semantic: float
    words: float
    name: float


@dataclass(frozen=True, slots=True)
class Guess:
    """The likeness that cards with such words have on average. It stands in where a card has no current vector."""

    intercept: float
    slope: float


WEIGHTS = Weights(semantic=0.8, words=0.15, name=0.05)
GUESS = Guess(intercept=0.07, slope=0.71)
THRESHOLD = 0.18

# A record that the request names outright is shown, and ranked above every record that only resembles the request.
EXACT_FLOOR = 0.9
SHORTEST_KEY_INSIDE = 4
SHOWN_WORDS = 8
DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it is compared. `stems` leads from each stem to the word that it was first found in, in order."""

    lowered: str
    folded: str
    spoken: str
    stems: dict[str, str]


@dataclass(frozen=True, slots=True)
class Names:
    """What a record is called. Names are compared as they are spoken, keys letter by letter."""

    id: str
    name: str
    aliases: Sequence[str] = ()
    keys: Sequence[str] = ()


class Near(NamedTuple):
    """The cosine of request and card, and the one that unrelated texts have with the same model."""

    cosine: float
    unrelated: float

    @property
    def likeness(self) -> float:
        """From 0, as unrelated texts, to 1, the same text: so that models with cosines of different spread agree."""
        return min(1.0, max(0.0, (self.cosine - self.unrelated) / (1 - self.unrelated)))

    @classmethod
    def of(cls, similarity: float | None, unrelated: float) -> "Near | None":
        """From a similarity as Neo4j gives it, which is (1 + cosine) / 2."""
        return None if similarity is None else cls(2 * similarity - 1, unrelated)


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One part of a score."""

    name: Annotated[str, "What was compared: exact, semantic, words or name."]
    score: Annotated[float, "How well it fits, from 0 to 1."]
    weight: Annotated[float, "What it counts. The scores times their weights make the hit's score."]
    evidence: Annotated[str, "Why it is so, in a sentence."]


@dataclass(frozen=True, slots=True)
class Scored:
    score: float
    parts: tuple[ScorePart, ...]
    terms: tuple[str, ...]


def asked(text: str) -> Asked:
    """A request as it is compared. The name of a file in it is read as people read it."""
    words: dict[str, str] = {}
    for word in content_words(" ".join(apart(one) or one for one in text.split())):
        words.setdefault(stem(word), word)
    return Asked(" ".join(text.lower().split()), fold(text).strip(), spoken(text), words)


def score(request: Asked, names: Names, text: str, near: Near | None) -> Scored:
    """Score a record by its card. `near` compares request and card; None when the card has no current vector."""
    present = stems(text)
    found = tuple(word for one, word in request.stems.items() if one in present)
    words = _words_part(request, present, found)
    name = _name_part(request, names)
    semantic = _semantic_part(near, lexical(words.score, name.score)) if request.stems else _MEANINGLESS
    base = sum(part.score * part.weight for part in (semantic, words, name))
    exact = exact_name(request, names)
    if exact is None:
        return Scored(round(base, DECIMALS), (semantic, words, name), found)
    named = ScorePart("exact", 1.0, EXACT_FLOOR, exact)
    rest = tuple(_scaled(part, 1 - EXACT_FLOOR) for part in (semantic, words, name))
    return Scored(round(EXACT_FLOOR + (1 - EXACT_FLOOR) * base, DECIMALS), (named, *rest), found)


def plain_score(request: Asked, name: frozenset[str], text: frozenset[str], near: Near | None) -> float:
    """The score of a record that the request does not name outright, from the stems of its name and of its text."""
    words, called = words_value(request, text), name_value(request, name)
    semantic = _semantic_value(near, lexical(words, called))
    return round(WEIGHTS.semantic * semantic + WEIGHTS.words * words + WEIGHTS.name * called, DECIMALS)


def lexical(words: float, name: float, weights: Weights = WEIGHTS) -> float:
    """The two parts that need no vector, as one number from 0 to 1."""
    return (weights.words * words + weights.name * name) / (weights.words + weights.name)


def words_value(request: Asked, text: frozenset[str]) -> float:
    """The share of what the request says that is in the card."""
    return covered(request.stems, text)


def name_value(request: Asked, name: frozenset[str]) -> float:
    """How far the request's words and a name's words coincide (Dice)."""
    return alike(request.stems, name)


def exact_name(request: Asked, names: Names) -> str | None:
    """In which way the request names the record outright, as a sentence; None when it does not."""
    if request.folded == names.id:
        return "The request is its id."
    called = next((one for one in (names.name, *names.aliases) if spoken(one) == request.spoken), None)
    if request.spoken and called is not None:
        return f"The request is its {'name' if called == names.name else 'alias'} “{called}”."
    read = title(names.name)
    if read is not None and request.spoken and spoken(read) == request.spoken:
        return f"The request is “{read}”, which its name is without version and extension."
    key = next((one for one in names.keys if _holds(request.folded, fold(one).strip())), None)
    return f"The request holds its key “{key}”." if key is not None else None


def _holds(text: str, key: str) -> bool:
    """Whether the key is the whole text, or stands in it with nothing that belongs to a word on either side."""
    if text == key:
        return bool(key)
    if len(key) < SHORTEST_KEY_INSIDE:
        return False
    start = text.find(key)
    while start >= 0:
        around = text[:start][-1:] + text[start + len(key) :][:1]
        if not any(char.isalnum() for char in around):
            return True
        start = text.find(key, start + 1)
    return False


def _semantic_value(near: Near | None, lexical_value: float) -> float:
    return min(1.0, GUESS.intercept + GUESS.slope * lexical_value) if near is None else near.likeness


def _semantic_part(near: Near | None, lexical_value: float) -> ScorePart:
    value = _semantic_value(near, lexical_value)
    if near is None:
        evidence = (
            "Not compared by meaning, because the card's vector is behind its text: "
            f"the value that cards with such words have on average stands here, {value:.2f}."
        )
        return ScorePart("semantic", value, WEIGHTS.semantic, evidence)
    counted = f", counted from the {near.unrelated:.2f} of unrelated texts" if near.unrelated else ""
    evidence = f"The cosine of the request and the card is {near.cosine:.2f}{counted}."
    return ScorePart("semantic", value, WEIGHTS.semantic, evidence)


_MEANINGLESS = ScorePart("semantic", 0.0, WEIGHTS.semantic, "The request has no words that carry meaning.")


def _words_part(request: Asked, present: frozenset[str], found: Sequence[str]) -> ScorePart:
    value = words_value(request, present)
    if not request.stems:
        return ScorePart("words", value, WEIGHTS.words, "The request has no words to look for.")
    listed = ", ".join(found[:SHOWN_WORDS]) + (", …" if len(found) > SHOWN_WORDS else "")
    what = f": {listed}" if found else ""
    return ScorePart(
        "words",
        value,
        WEIGHTS.words,
        f"{len(found)} of the request's {len(request.stems)} words are in the card{what}.",
    )


def _name_part(request: Asked, names: Names) -> ScorePart:
    values = [(name_value(request, stems(one)), one) for one in (names.name, *names.aliases)]
    if read := title(names.name):
        values.append((name_value(request, stems(read)), names.name))
    value, called = max(values, key=lambda one: one[0])
    if not value:
        return ScorePart("name", 0.0, WEIGHTS.name, "No word of the request is in a name of the record.")
    kind = "name" if called == names.name else "alias"
    return ScorePart(
        "name", value, WEIGHTS.name, f"The request shares {value:.0%} of its words with the {kind} “{called}”."
    )


def _scaled(part: ScorePart, share: float) -> ScorePart:
    return ScorePart(part.name, part.score, part.weight * share, part.evidence)
