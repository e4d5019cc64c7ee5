"""How an invocation directive does for a request: by its phrases, by meaning, and by what speaks against its use."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Annotated, Any

from graph_schema.library.words import PhraseKind
from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.routing.words import AuthoritySource, ConfirmationPolicy, InvocationPolicy
from service.graph.database import Row
from service.lexical import lexical
from service.matching.assets import Likeness
from service.matching.calibration import Calibration
from service.matching.penalties import NON_USE
from service.matching.ranker import PLAUSIBLE, alone, closeness
from service.views import Id, word
from service.words import spoken, stems

LONGEST_PHRASE = 6
"""Words that a taught phrase may have to be looked for word for word. A longer one is met by its meaning."""

MOST_WORDS = 120
"""Words of a request that are looked through for taught phrases, from its beginning."""

WORD_FOR_WORD, MISSPELT = 0.99, 0.95
SHORTEST_MISSPELT = 5
DECIMALS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectiveTarget:
    """What an invocation directive leads to."""

    id: Annotated[Id, "Its id."]
    name: Annotated[str, "What people call it."]
    kind: Annotated[str, "Task, Template or Preset."]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedDirective:
    """How an invocation directive does for a request."""

    id: Annotated[Id, "Its id."]
    name: Annotated[str, "What people call it."]
    version: Annotated[int, "Its version."]
    description: Annotated[str, "What it is for."]
    invocation_policy: Annotated[InvocationPolicy, "What it asks for."]
    confirmation_policy: Annotated[ConfirmationPolicy, "What has to be asked before anything runs."]
    entrypoint: Annotated[Entrypoint | None, "What the Task Agent is asked to do."]
    targets: Annotated[tuple[DirectiveTarget, ...], "What it leads to, as far as you may see it and it is in use."]
    authority_source: Annotated[AuthoritySource, "On whose word it stands."]
    confidence: Annotated[float, "How sure its source is, from 0 to 1."]
    phrase: Annotated[str | None, "The phrase or condition that is nearest to the request."]
    taught: Annotated[bool, "Whether the request has a taught phrase word for word, or misspelt by a little."]
    similarity: Annotated[float | None, "Cosine of the request and that phrase; null while it has no vector."]
    probability: Annotated[float, "The probability that the directive is meant, from 0 to 1."]
    against: Annotated[str | None, "The condition against its use that holds, if any."]
    why: Annotated[str, "Why, in a sentence."]

    def of_kind(self, kind: str) -> tuple[DirectiveTarget, ...]:
        return tuple(one for one in self.targets if one.kind == kind)

    @property
    def templates(self) -> tuple[DirectiveTarget, ...]:
        return self.of_kind("Template")

    @property
    def tasks(self) -> tuple[DirectiveTarget, ...]:
        return self.of_kind("Task")

    @property
    def presets(self) -> tuple[DirectiveTarget, ...]:
        return self.of_kind("Preset")


@dataclass(frozen=True)
class Asked:
    """A request as directives are compared with it."""

    text: str

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(spoken(self.text).split()[:MOST_WORDS])

    @cached_property
    def stems(self) -> frozenset[str]:
        return stems(self.text)

    @cached_property
    def said(self) -> list[str]:
        """Every run of words that could be a taught phrase."""
        words = self.words
        runs = (
            " ".join(words[start : start + size])
            for size in range(1, LONGEST_PHRASE + 1)
            for start in range(len(words) - size + 1)
        )
        return list(dict.fromkeys(runs))


@dataclass(frozen=True, slots=True)
class _Met:
    """The phrase that is met best, and how."""

    text: str | None
    cosine: float | None
    taught: float | None


def weighed(asked: Asked, rows: Iterable[Row], fitted: Calibration) -> tuple[MatchedDirective, ...]:
    """Those that may be meant, best first. One that a condition speaks against stays, so that it can be told."""
    found = [one for row in rows if (one := _weigh(asked, row, fitted))]
    return tuple(sorted(found, key=lambda one: (one.against is not None, -one.probability, -one.confidence, one.id)))


def _weigh(asked: Asked, row: Row, fitted: Calibration) -> MatchedDirective | None:
    phrases: list[Row] = row["phrases"]
    invoking = [one for one in phrases if one["phrase_kind"] != PhraseKind.non_use_condition]
    met = _met(asked, invoking)
    words = lexical(asked.stems, frozenset[str]().union(*(_read(one["text"])[0] for one in invoking)))
    probability = _probability(met, words, fitted)
    if probability < PLAUSIBLE:
        return None
    against = _against(asked, met, [one for one in phrases if one["phrase_kind"] == PhraseKind.non_use_condition])
    if against:
        probability = _probability(met, words, fitted, NON_USE)
    return MatchedDirective(
        id=row["id"],
        name=row["name"],
        version=row["version"],
        description=row["description"] or "",
        invocation_policy=InvocationPolicy(row["invocation_policy"]),
        confirmation_policy=ConfirmationPolicy(row["confirmation_policy"]),
        entrypoint=word(Entrypoint, row["task_agent_entrypoint"]),
        targets=tuple(_target(one) for one in row["targets"]),
        authority_source=AuthoritySource(row["authority_source"]),
        confidence=row["confidence"],
        phrase=met.text,
        taught=met.taught is not None,
        similarity=None if met.cosine is None else round(met.cosine, DECIMALS),
        probability=round(probability, DECIMALS),
        against=against,
        why=_why(met, against, probability),
    )


def _met(asked: Asked, phrases: Sequence[Row]) -> _Met:
    """A taught phrase in the request counts before any likeness."""
    taught = [(said, one) for one in phrases if (said := _said(asked, one)) is not None]
    if taught:
        surest, one = max(taught, key=lambda found: (found[0], len(found[1]["text"])))
        return _Met(one["text"], _cosine(one), surest)
    known = [(cosine, one["text"]) for one in phrases if (cosine := _cosine(one)) is not None]
    nearest = max(known, default=None)
    return _Met(nearest[1], nearest[0], None) if nearest else _Met(None, None, None)


@lru_cache(maxsize=4_096)
def _read(text: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The stems and the words of a phrase: the same few are compared with every request."""
    return stems(text), tuple(spoken(text).split())


def _said(asked: Asked, phrase: Row) -> float | None:
    meant, words = _read(phrase["text"])
    if phrase["phrase_kind"] != PhraseKind.trigger_phrase or not meant:
        return None
    windows = (asked.words[start : start + len(words)] for start in range(len(asked.words) - len(words) + 1))
    best: float | None = None
    for window in windows:
        if window == words:
            return WORD_FOR_WORD
        if len(words) > 1 and all(misspelt(one, other) for one, other in zip(window, words, strict=True)):
            best = MISSPELT
    return best


def misspelt(one: str, other: str) -> bool:
    """Whether two words are the same, or one is the other with a slip: a letter more, less, other, or two swapped."""
    if one == other:
        return True
    if min(len(one), len(other)) < SHORTEST_MISSPELT or abs(len(one) - len(other)) > 1 or one[0] != other[0]:
        return False
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    left, right = one[start:], other[start:]
    slips = (left[1:] == right, left == right[1:], left[1:] == right[1:], _swapped(left) == right)
    return any(slips)


def _swapped(text: str) -> str:
    return text[1:2] + text[:1] + text[2:]


def _against(asked: Asked, met: _Met, conditions: Sequence[Row]) -> str | None:
    """A condition holds when its words are all in the request; of what is met by meaning, also when it is nearer."""
    for one in conditions:
        wanted, _ = _read(one["text"])
        if wanted and wanted <= asked.stems:
            return one["text"]
    if met.taught is not None or met.cosine is None:
        return None
    nearer = [(cosine, one["text"]) for one in conditions if (cosine := _cosine(one)) and cosine > met.cosine]
    return max(nearer)[1] if nearer else None


def _probability(met: _Met, words: float, fitted: Calibration, taken: float = 0.0) -> float:
    if met.taught is not None:
        return met.taught if not taken else PLAUSIBLE
    if met.cosine is None:
        return 0.0
    return alone(closeness(Likeness(met.cosine, met.cosine, words, 1, None), fitted), fitted, -taken)


def _why(met: _Met, against: str | None, probability: float) -> str:
    if met.taught == WORD_FOR_WORD:
        said = f"The request says “{met.text}”."
    elif met.taught is not None:
        said = f"The request says “{met.text}”, spelt a little otherwise."
    elif met.text is not None:
        said = f"The request is like “{met.text}”: it is meant with a probability of {probability:.0%}."
    else:
        said = "Its phrases have no vectors yet, and the request has none of them word for word."
    return f"{said} It is not to be used: “{against}”." if against else said


def _target(row: Mapping[str, Any]) -> DirectiveTarget:
    kind = next(one for one in row["labels"] if one != "Record")
    return DirectiveTarget(id=row["id"], name=row["name"], kind=kind)


def _cosine(phrase: Row) -> float | None:
    """Neo4j gives cosines as (1 + cosine) / 2."""
    return None if phrase["similarity"] is None else 2 * phrase["similarity"] - 1
