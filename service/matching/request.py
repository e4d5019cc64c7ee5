"""What is asked of matching, and the same as it is compared: checked, and stripped of orders to the matcher.

The text is data. Sentences that tell the matcher what to do are left out before anything is compared, and said so.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from typing import Any, cast

from service.matching.answer import NoticeCode
from service.matching.errors import RequestInvalid, RequestTooLong
from service.notices import Notice
from service.words import fold, spoken, stems

LONGEST = 2_000

_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?;])\s+|\n+")
_RULES = "rules?|instructions?|prompts?|polic(?:y|ies)|veto(?:es)?|guidelines|scores?|ranking|restrictions?"
_CHOOSE = "recommend|select|choose|pick|return|rank|score|match"
_ORDERS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(ignore|disregard|forget|override|bypass|skip)\b.{{0,40}}\b({_RULES})\b",
        r"\b(system|developer) (prompt|message|override|mode)\b",
        rf"\b(you|matcher|ranker|assistant)\b.{{0,20}}\b(must|have to|shall|will)\b.{{0,30}}\b({_CHOOSE})\b",
        rf"\b(always|only)\b.{{0,15}}\b({_CHOOSE})\b",
        r"\b(set|give|assign|return)\b.{0,30}\b(confidence|score|rank)\b.{0,20}(\d|\b(one|first|highest|maximum|top)\b)",
        r"\b(give|assign)\b(?! me\b| us\b).{0,40}\b(highest|maximum|top|best|full) (confidence|score|rank)\b",
        r"\byou are now\b",
        r"\b(pretend|act as if|act as though)\b.{0,40}\b(template|match|rules?|score|asked|wants?|said)\b",
    )
)

# Function words that English does not have. Two of them, or of words with letters that English does not have, and more
# than English ones, make a text another language's.
_FOREIGN_WORDS = """
der das und nicht ist ich wir sie ein eine einen mit für auf dem den von zu wie kann mein meine bitte
le la les des une est et dans pour que qui avec pas sur vous je nous mon ma cette du au
el los las una es y en por con para del se mi no como quiero puedo este esta
il lo gli di che è per non sono un mio questa della come posso
o os um uma do da em não eu meu minha para com isso
het een van en niet ik wij met voor op mijn
jest nie się jak na czy och att det som inte jag
"""
_ENGLISH_WORDS = """
the of and to a in is it that for you was on are with as i his they be at this have from or had by not but what
all were we when your can said there use an each which she do how their if will my me please no does
"""
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_FOREIGN = frozenset(_FOREIGN_WORDS.split()) - _ENGLISH
_FEW_LATIN = 0.5


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """What is asked for. A list that is None was not given; an empty one says that there is none."""

    text: str
    task_type: str | None = None
    inputs: tuple[str, ...] | None = None
    outputs: tuple[str, ...] | None = None
    capabilities: tuple[str, ...] | None = None
    denied_capabilities: tuple[str, ...] = ()
    forbidden_side_effects: tuple[str, ...] = ()
    entities: tuple[str, ...] | None = None
    """Ids of the entities, matters and goals that it is about."""
    memory_policy: str | None = None
    blank: bool = False

    def details(self) -> dict[str, Any]:
        """As it is kept with a match."""
        return asdict(self)

    @classmethod
    def of_details(cls, given: Mapping[str, Any]) -> "MatchRequest":
        known = {one.name for one in fields(cls)}
        return cls(**{name: _frozen(value) for name, value in given.items() if name in known})


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it is compared: by whom and when it was made, and what is compared of its text.

    `compared` is what is embedded; empty when there is nothing to compare. `vector` is that of it, `second` that of the
    second model, where there is one.
    """

    request: MatchRequest
    at: datetime
    viewer_id: str
    compared: str
    spoken: str
    stems: frozenset[str]
    notices: tuple[Notice, ...] = ()
    vector: Sequence[float] = ()
    second: Sequence[float] | None = None

    def noted(self, code: NoticeCode) -> bool:
        return any(one.code == code for one in self.notices)


def asked(request: MatchRequest, at: datetime | None = None, viewer_id: str = "") -> Asked:
    """`at` is what recency is counted from; now, unless given. The vector is added by who has a model."""
    _check(request.text)
    kept, left_out = _without_orders(request.text)
    found = stems(kept)
    return Asked(
        request=request,
        at=at or datetime.now(UTC),
        viewer_id=viewer_id,
        compared=kept if found else "",
        spoken=spoken(kept),
        stems=found,
        notices=tuple(_notices(request.text, kept, left_out, found)),
    )


def _notices(text: str, kept: str, left_out: int, found: frozenset[str]) -> Iterator[Notice]:
    if not text.strip():
        yield Notice(NoticeCode.request_empty, "The request is empty.")
        return
    if left_out:
        yield Notice(NoticeCode.instructions_left_out, _orders_left_out(left_out))
    if not found:
        yield Notice(NoticeCode.only_common_words, "What is left of the request has no words that carry meaning.")
    elif _other_language(kept):
        yield Notice(NoticeCode.other_language, "The request seems not to be English, so meaning is compared badly.")


def _frozen(value: Any) -> Any:
    return tuple(cast("list[str]", value)) if isinstance(value, list) else value


def _check(text: str) -> None:
    if len(text) > LONGEST:
        raise RequestTooLong(LONGEST, len(text))
    for position, char in enumerate(text):
        kind = unicodedata.category(char)
        if kind == "Cs":
            raise RequestInvalid(position, "half a surrogate pair")
        if kind == "Cc" and char not in "\n\r\t":
            raise RequestInvalid(position, "a control character")


def _without_orders(text: str) -> tuple[str, int]:
    sentences = _BETWEEN_SENTENCES.split(text)
    kept = [one for one in sentences if not any(order.search(fold(one)) for order in _ORDERS)]
    if len(kept) == len(sentences):
        return text.strip(), 0
    return " ".join(kept).strip(), len(sentences) - len(kept)


def _orders_left_out(count: int) -> str:
    what = "A sentence that tells" if count == 1 else f"{count} sentences that tell"
    return f"{what} the matcher what to do was left out; only what the request is about is compared."


def _other_language(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    latin = sum("LATIN" in unicodedata.name(char, "") for char in letters)
    if latin < _FEW_LATIN * len(letters):
        return True
    words = set(re.findall(r"[^\W\d_]+", text.lower()))
    foreign = sum(word in _FOREIGN or not word.isascii() for word in words)
    return foreign >= 2 and foreign > len(words & _ENGLISH)
