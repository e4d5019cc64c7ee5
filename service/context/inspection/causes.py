"""Which fact made a difference: each field that differs is put in the other's place, and the gates are asked again."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from service.context.inspection.kept import Kept, KeptReceipt
from service.context.packets.facts import Facts, Ground
from service.context.packets.gates import refused

Say = Callable[[Any, Any], str]
_SIZES = frozenset({"tokens", "full_tokens"})
_BESIDE = frozenset({"id", "label", "name", "kind", "query", "count", "version", "evidence", "by_bytes"})
"""What no gate asks about; a version is told in any case."""


def of_both(a: Kept, b: Kept, one: KeptReceipt, other: KeptReceipt) -> tuple[str, ...]:
    """Why a record that both packets considered came out otherwise."""
    if one.facts is None or other.facts is None:
        return ("What was known of it is no longer kept.",)
    version = [_versions(one.facts, other.facts)] if one.version != other.version else []
    made = _decisive(one.facts, a.ground, other.facts, b.ground)
    if made is None:
        made = _at_the_budget(a, b, one, other)
    found = [*version, *made]
    return tuple(dict.fromkeys(found)) or (_in_its_place(a, b),)


def of_one(kept: Kept, one: KeptReceipt, other: Kept, *, later: bool) -> tuple[str, ...]:
    """Why only one packet considered a record. `later` says that the other packet is the first of the two."""
    if one.id == other.packet["run_id"]:
        return ("It is the run that the other packet was made for.",)
    if later and one.created_at > other.packet["created_at"]:
        return ("It was made after the first packet.",)
    if one.facts is None:
        return ("What was known of it is no longer kept.",)
    facts, when = one.facts, "now" if later else "no longer"
    ways = (
        (facts.via is not None, f"The run is bound to it {when}." if later else "The run is bound to it no longer."),
        (facts.excluded, f"The user keeps it out {when}."),
        (facts.named, f"An input of the module names it {when}."),
        (facts.offered, f"It is offered {when}."),
        (facts.surface is not None, f"It is shown on “{facts.surface}” {when}."),
        (facts.own, f"It belongs to the run's own task {when}."),
        (facts.of_matter, f"It is of an earlier run of the matter {when}."),
        (facts.doubtful, f"The run's scope has it as a candidate {when}."),
    )
    found = [said for holds, said in ways if holds]
    found += of_ground(kept.ground, other.ground, {"matter_ids", "broad", "capability_mode"})
    standing = "It came to be a standing rule." if later else "It was put away, or belongs to other matters since."
    return tuple(found) or (standing,)


def of_ground(a: Ground, b: Ground, only: Iterable[str] | None = None) -> list[str]:
    """What differs between two situations, a sentence each."""
    wanted = None if only is None else {*only}
    return [_of_ground(name, x, y) for name, x, y in _differing(a, b) if wanted is None or name in wanted]


def _decisive(one: Facts, ground: Ground, other: Facts, ground_b: Ground) -> list[str] | None:
    """The fields that change the verdict by themselves; where none does, all that differ. None: it is the same."""
    verdict = _verdict(one, ground)
    of_record = [(name, x, y) for name, x, y in _differing(one, other) if name not in _BESIDE]
    of_scope = _differing(ground, ground_b)
    if verdict == _verdict(other, ground_b):
        return None
    alone = [
        _of_facts(name, x, y) for name, x, y in of_record if _verdict(replace(one, **{name: y}), ground) != verdict
    ]
    alone += [
        _of_ground(name, x, y) for name, x, y in of_scope if _verdict(one, replace(ground, **{name: y})) != verdict
    ]
    return alone or [*(_of_facts(*change) for change in of_record), *(_of_ground(*change) for change in of_scope)]


def _at_the_budget(a: Kept, b: Kept, one: KeptReceipt, other: KeptReceipt) -> list[str]:
    """To the gates it is the same: then what it says or takes differs, or the room that there is for it."""
    changes = _differing(one.facts, other.facts) if one.facts and other.facts else []
    moved = one.injected is not other.injected
    said = [_of_facts(*change) for change in changes if change[0] not in _BESIDE and (moved or change[0] not in _SIZES)]
    return [*said, *of_ground(a.ground, b.ground, {"max_tokens"})] if moved else said


def _verdict(facts: Facts, ground: Ground) -> tuple[str, str] | None:
    refusal = refused(facts, ground)
    return (refusal.stage, refusal.reason) if refusal else None


def _differing(a: Facts | Ground, b: Facts | Ground) -> list[tuple[str, Any, Any]]:
    named = ((one.name, getattr(a, one.name), getattr(b, one.name)) for one in fields(a))
    return [(name, x, y) for name, x, y in named if x != y]


def _in_its_place(a: Kept, b: Kept) -> str:
    """Nothing of it or of the ground differs: then what comes before it does."""
    if a.ground.max_tokens != b.ground.max_tokens:
        return _of_ground("max_tokens", a.ground.max_tokens, b.ground.max_tokens)
    return "Other items come before it."


def _versions(one: Facts, other: Facts) -> str:
    return f"The {one.label} was changed from version {one.version} to {other.version}."


def _of_facts(name: str, x: Any, y: Any) -> str:
    say = _FACTS.get(name)
    return say(x, y) if say else f"Its {name} changed from {_shown(x)} to {_shown(y)}."


def _of_ground(name: str, x: Any, y: Any) -> str:
    say = _GROUND.get(name)
    return say(x, y) if say else f"The run's {name} was {_shown(x)} against {_shown(y)}."


def _either(now: str, before: str) -> Say:
    return lambda x, y: now if y and not x else before if x and not y else f"{before} {now}"


_FACTS: Mapping[str, Say] = {
    "via": _either("The run is bound to it now.", "The run is bound to it no longer."),
    "doubtful": _either("Whether the run is about it is in doubt now.", "It is in doubt no longer."),
    "excluded": _either("The user keeps it out now.", "The user keeps it out no longer."),
    "named": _either("An input of the module names it now.", "No input of the module names it any more."),
    "own": _either("It belongs to the run's own task now.", "It belongs to the run's own task no longer."),
    "of_matter": _either("It is an earlier run of the matter now.", "It is no earlier run of the matter any more."),
    "in_library": _either("Its library is in the scope now.", "Its library is in the scope no longer."),
    "opened": _either("The broad scope reaches it now.", "The broad scope reaches it no longer."),
    "behind": _either("Its vector is behind now.", "Its vector is behind no longer."),
    "offered": _either("It is offered now.", "It is offered no longer."),
    "everywhere": _either("It holds everywhere now.", "It holds everywhere no longer."),
    "forbidden_by": _either("A restriction forbids it now.", "No restriction forbids it any more."),
    "link": _either("What it applies to is in the scope now.", "What it applies to is in the scope no longer."),
    "text_hash": lambda _x, _y: "What it says changed.",
    "full_hash": lambda _x, _y: "The text that was supplied for it changed.",
    "full_tokens": lambda x, y: f"With the text that was supplied it takes {y:,} tokens instead of {x:,}.",
    "tokens": lambda x, y: f"It takes {y:,} tokens instead of {x:,}.",
    "score": lambda x, y: f"It fits what the module does by {y or 0:.2f} instead of {x or 0:.2f}.",
    "state": lambda x, y: f"Its reported state was {_shown(x)} against {_shown(y)}.",
}
_GROUND: Mapping[str, Say] = {
    "max_tokens": lambda x, y: f"The budget was {x:,} tokens against {y:,}.",
    "profile": lambda x, y: f"The profile was {x} against {y}.",
    "ceiling": lambda x, y: f"The strictest class that the run allows was {x} against {y}.",
    "matter_ids": lambda x, y: f"The run was about {_shown(x)} against {_shown(y)}.",
    "broad": _either("The run declares a broad scope now.", "The run declares a broad scope no longer."),
    "broad_by_text": _either(
        "A text alone bounds the broad scope now.", "More than a text bounds the broad scope now."
    ),
    "denied_layers": lambda x, y: f"The policies denied {_shown(x)} against {_shown(y)}.",
    "task_type": lambda x, y: f"The run's task was of the type {_shown(x)} against {_shown(y)}.",
}


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return "none" if value is None else str(value)
