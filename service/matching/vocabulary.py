"""Words of a request that have to be known: a side effect or a capability that nobody has means a misspelt one.

A misspelt word would forbid nothing and deny nothing, and whoever wrote it would not learn of it.
"""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from service.matching.errors import CapabilityContradicts, WordUnknown
from service.matching.request import MatchRequest
from service.words import spoken

SIDE_EFFECTS = ("command_execution", "external_delete", "external_send", "external_write", "file_write", "memory_write")
"""Those that every library may have."""

_FIELDS = {
    "forbidden_side_effects": "side_effects",
    "capabilities": "capabilities",
    "denied_capabilities": "capabilities",
}


def asks_for_words(request: MatchRequest) -> bool:
    return any(getattr(request, field) for field in _FIELDS)


def check_words(request: MatchRequest, known: Mapping[str, Sequence[str]]) -> None:
    """Refuse what is not among the known words. Where no capability is known, none can be misspelt."""
    words = {
        "side_effects": {*SIDE_EFFECTS, *known.get("side_effects", ())},
        "capabilities": {*known.get("capabilities", ())},
    }
    for field, kind in _FIELDS.items():
        said = {spoken(one.replace("_", " ")) for one in words[kind]}
        for one in getattr(request, field) or ():
            if said and spoken(one.replace("_", " ")) not in said:
                raise WordUnknown(field, one, nearest(one, words[kind]))
    denied = {spoken(one) for one in request.denied_capabilities}
    for one in request.capabilities or ():
        if spoken(one) in denied:
            raise CapabilityContradicts(one)


def nearest(word: str, known: Iterable[str]) -> list[str]:
    """The known words, those first that are spelt most alike."""
    listed = sorted(known)
    alike = get_close_matches(word, listed, n=5, cutoff=0.5)
    return [*alike, *(one for one in listed if one not in alike)]
