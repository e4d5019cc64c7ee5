"""What a graph does to the outside world: whether that was declared, and whether a person sees it before."""

from collections.abc import Iterator

from service.knowledge.preflight.asking import unasked
from service.knowledge.preflight.facts import NONE, Facts, ModuleFacts
from service.knowledge.preflight.issues import FixOp, FixOperation, PreflightCheck, PreflightFix, PreflightIssue, fix

OUTSIDE = frozenset({"external_send", "external_write", "file_delete", "payment", "publish"})
"""What cannot be taken back by whoever did it."""

GATE = "step.agent_review_gate"


def effects(facts: Facts) -> Iterator[PreflightIssue]:
    ungated = unasked(facts)
    for module in facts.enabled:
        yield from _undeclared(facts, module, asked=module.key not in ungated)
        if module.key in ungated:
            yield from _without_gate(facts, module, _gate(facts, module, ungated))


def _undeclared(facts: Facts, module: ModuleFacts, *, asked: bool) -> Iterator[PreflightIssue]:
    """It is declared with a review: who wants none says so. Where nobody is asked yet, that is told with it."""
    if facts.blueprint is None:
        return
    told = module.effects if module.family == "output" else module.effects & OUTSIDE
    for effect in sorted(told - facts.declared.keys()):
        yield PreflightIssue(
            check=PreflightCheck.side_effect_undeclared,
            message=f"{module.key} has the side effect {effect}, which the blueprint does not declare.",
            module_key=module.key,
            evidence=(f"{module.type_name} has {', '.join(sorted(module.effects))}.",),
            fix=fix(
                f"Declare {effect}" if asked or effect not in OUTSIDE else f"Declare {effect}, with a review before it",
                FixOperation(op=FixOp.declare_side_effect, module_key=module.key, field_name=effect, value="true"),
            ),
        )


def _without_gate(facts: Facts, module: ModuleFacts, gate: PreflightFix | None) -> Iterator[PreflightIssue]:
    """The blueprint may require a review, and then it must be there. What acts on the outside world with nobody asked
    is told of by itself, unless the blueprint waives it: whoever lets go of the one has still heard the other."""
    required = sorted(one for one in module.effects if facts.declared.get(one)) or _review_before(facts, module)
    if required:
        yield PreflightIssue(
            check=PreflightCheck.review_missing,
            message=f"A person must have agreed before {module.key}, and there is a way to it that passes nobody.",
            module_key=module.key,
            evidence=(f"The blueprint requires it for {', '.join(required)}.",),
            fix=gate,
        )
    if any(not _waived(facts, one) for one in module.effects & OUTSIDE):
        yield PreflightIssue(
            check=PreflightCheck.gate_recommended,
            message=f"{module.key} acts on the outside world ({', '.join(sorted(module.effects & OUTSIDE))}), and "
            "nobody is asked before.",
            module_key=module.key,
            fix=gate,
        )


def _waived(facts: Facts, effect: str) -> bool:
    """The author needs no review, of something that nobody outside relies on."""
    inside = (facts.blueprint or NONE).get("output_stakes") == "internal_advisory"
    return inside and facts.declared.get(effect) is False


def _review_before(facts: Facts, module: ModuleFacts) -> list[str]:
    """Steps with this module that a review point stands before, where the module acts on the outside world."""
    if not module.effects & OUTSIDE:
        return []
    before = {one.get("before") for one in (facts.blueprint or NONE).get("review_points") or ()}
    return [one["step_key"] for one in facts.steps() if module.key in one["modules"] and one["step_key"] in before]


def _gate(facts: Facts, module: ModuleFacts, ungated: set[str]) -> PreflightFix | None:
    """An approval on each cable that leads to it and carries what nobody has seen."""
    ways = [one for one in facts.entering.get(module.key, ()) if one.tail.key in ungated and not one.tail.waits]
    operations: list[FixOperation] = []
    for number, one in enumerate(ways, 1):
        gate = f"approve-{module.key}" if number == 1 else f"approve-{module.key}-{number}"
        operations += [
            FixOperation(op=FixOp.remove_cable, module_key=one.tail.key, head_key=module.key,
                         from_port=one.from_port, to_port=one.to_port),
            FixOperation(op=FixOp.add_module, module_key=gate, value=GATE),
            FixOperation(op=FixOp.add_cable, module_key=one.tail.key, head_key=gate,
                         from_port=one.from_port, to_port="candidate_in"),
            FixOperation(op=FixOp.add_cable, module_key=gate, head_key=module.key,
                         from_port="approved", to_port=one.to_port),
        ]  # fmt: skip
    return fix(f"Add human review before {module.key}", *operations) if operations else None
