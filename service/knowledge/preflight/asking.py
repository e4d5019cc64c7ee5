"""What a graph gets to before a person was asked: along every way, and past nothing that waits for a person's word."""

from collections.abc import Iterable, Iterator, Sequence

from service.knowledge.preflight.facts import Cable, Facts, ModuleFacts

SWITCH = "utility.switch"


def unasked(facts: Facts) -> set[str]:
    """Modules that something can get to without passing a person, from all that nothing leads to."""
    return unasked_from(facts, (one.key for one in facts.enabled if not facts.entering.get(one.key)))


def unasked_from(facts: Facts, starts: Iterable[str]) -> set[str]:
    """The same from these. A module begins when all that it cannot do without has come: so it is held as soon as one
    of that comes from persons alone, or from what they hold. A module that only loops back to itself holds nothing."""
    begun = frozenset(starts)
    within = facts.reached(begun)
    held: set[str] = set()
    while True:
        found = facts.reached(begun, through_gates=False, held=held)
        more = {key for key in found - begun if _is_held(facts, facts.modules[key], within, found)}
        if not more:
            return found
        held |= more


def _is_held(facts: Facts, module: ModuleFacts, within: set[str], found: set[str]) -> bool:
    def is_free(one: Cable) -> bool:
        return one.tail.key not in within or (one.tail.key in found and not one.tail.waits)

    entering = facts.entering.get(module.key, ())
    free = [one for one in entering if is_free(one)]
    return any(
        not any(map(is_free, feeding)) and not any(_apart(facts, one, feeding) for one in free)
        for feeding in _needed(module, entering)
    )


def _needed(module: ModuleFacts, entering: Sequence[Cable]) -> Iterator[list[Cable]]:
    """What feeds each input that it cannot do without. A cable without a port may feed any of them; an input that
    nothing feeds at all is told of on its own."""
    for name, port in module.type.inputs.items() if module.type else ():
        if port["required"] and any(one.to_port == name for one in entering):
            yield [one for one in entering if one.to_port in (name, None)]


def _apart(facts: Facts, one: Cable, others: Sequence[Cable]) -> bool:
    """Whether a switch sends its input either the way of the one or the way of the others: then they never come
    together, and what the one brings waits for none of them."""
    for switch in facts.enabled:
        if switch.type_name == SWITCH:
            mine, theirs = _sides(facts, switch, [one]), _sides(facts, switch, others)
            if mine and theirs and not mine & theirs:
                return True
    return False


def _sides(facts: Facts, switch: ModuleFacts, cables: Sequence[Cable]) -> set[str]:
    """The ways of the switch that these cables lie on."""
    found: set[str] = set()
    for way in {one.from_port for one in facts.leaving.get(switch.key, ()) if one.from_port}:
        heads = (one.head.key for one in facts.leaving[switch.key] if one.from_port == way)
        behind = facts.reached(heads, held={switch.key})
        if any(one.tail.key in behind or (one.tail is switch and one.from_port == way) for one in cables):
            found.add(way)
    return found
