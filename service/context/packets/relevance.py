"""How relevant a candidate is: declared to be, or compared with what the module does by words and meaning."""

from service.context.packets.facts import Facts, Ground
from service.context.packets.kinds import STANDING
from service.search import ranker

THRESHOLD = ranker.THRESHOLD
"""Of the search's calibrated ranker: what scores less would not be shown to somebody who searched for the basis."""


def declared(facts: Facts, ground: Ground) -> bool:
    """Whether somebody said that it belongs here, so that no comparison has to."""
    if facts.via is not None or facts.own or facts.named or facts.link is not None or facts.preferred:
        return True
    if facts.label in STANDING or facts.label == "Agent":
        if facts.everywhere or facts.label == "Restriction" or confined(facts, ground):
            return True
    elif facts.label == "Capability":
        return facts.standing in {"required", "allowed"}
    elif not facts.opened and not facts.in_library:
        # A document or a surface has been through gates that ask for more than relevance.
        return facts.label not in _COMPARED
    return facts.opened and ground.broad and not ground.broad_by_text


_COMPARED = frozenset({"Run", "Artifact", "Task"})


def confined(facts: Facts, ground: Ground) -> bool:
    """Whether it is meant for work like this and no other. That it is like this, the gate of scope asks."""
    ours = {*facts.matter_ids} & {*ground.matter_ids}
    return bool(facts.task_types or facts.domains or facts.trigger_kinds or ours)
