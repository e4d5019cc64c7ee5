"""How relevant a candidate is: declared to be, or compared with what the module does by words and meaning."""

from service.context.packets.facts import Facts
from service.context.packets.kinds import STANDING
from service.context.packets.texts import Said
from service.search import ranker

THRESHOLD = ranker.THRESHOLD
"""Of the search's calibrated ranker: what scores less would not be shown to somebody who searched for the basis."""


def declared(facts: Facts) -> bool:
    """Whether somebody said that it belongs here, so that no comparison has to."""
    if facts.via is not None or facts.own or facts.named or facts.link is not None or facts.preferred:
        return True
    if facts.label in STANDING:
        return facts.everywhere or bool(facts.task_types) or facts.label == "Restriction"
    if facts.label == "Capability":
        return facts.standing in {"required", "allowed"}
    if facts.label == "Agent":
        return bool(facts.task_types or facts.domains)
    # A library, a document or a surface has been through gates that ask for more than relevance.
    return facts.label not in {"Run", "Artifact", "Task"}


def score_of(request: ranker.Asked, said: Said, near: ranker.Near | None) -> float:
    """The search's score of what the candidate says, for a search for what the module does."""
    if not request.stems:
        return 0.0
    return round(min(1.0, ranker.plain_score(request, said.of_name, said.of_text, near)), 4)
