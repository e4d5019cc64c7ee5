"""Whether a graph does what its blueprint says: its steps, what goes in and what comes out."""

from collections.abc import Iterator

from service.knowledge.preflight.facts import NONE, STARTING, Facts, ModuleFacts, Raw
from service.knowledge.preflight.issues import FixOp, FixOperation, PreflightCheck, PreflightFix, PreflightIssue, fix
from service.knowledge.preflight.wiring import EXPERIMENTS
from service.words import spoken, stems

REVIEWING = frozenset(
    {"step.red_team", "step.judge", "step.evaluator", "step.revisor", "step.claim_extractor", *EXPERIMENTS}
)
"""Types that look at a result a second time."""


def intent(facts: Facts) -> Iterator[PreflightIssue]:
    if facts.blueprint is None:
        return
    if facts.modules:
        yield from _steps(facts)
        yield from _outputs(facts)
        yield from _inputs(facts)
        yield from _second_pass(facts)
    if not facts.blueprint.get("goals"):
        yield PreflightIssue(
            check=PreflightCheck.goal_unlinked,
            message="The blueprint states no goal, so nobody can tell whether a run has reached it.",
            fix=fix("Link a goal", FixOperation(op=FixOp.link_goal)),
        )


def _steps(facts: Facts) -> Iterator[PreflightIssue]:
    for step in facts.steps():
        known = [facts.modules[one] for one in step["modules"] if one in facts.modules]
        gone = [one for one in step["modules"] if one not in facts.modules]
        off = [one.key for one in known if not one.enabled]
        if gone or not known or len(off) == len(known):
            yield PreflightIssue(
                check=PreflightCheck.step_unbound,
                message=f"The step {step['step_key']} {_lack(gone, off)}.",
                step_key=step["step_key"],
                module_key=(gone or off or [None])[0],
                evidence=tuple(one for one in (step.get("purpose"),) if one),
                fix=_bound(facts, step, off),
            )


def _lack(gone: list[str], off: list[str]) -> str:
    if gone:
        return f"is bound to {', '.join(gone)}, which the graph does not have"
    return f"is bound to {', '.join(off)} alone, which is switched off" if off else "is done by no module of the graph"


def _bound(facts: Facts, step: Raw, off: list[str]) -> PreflightFix | None:
    key = step["step_key"]
    if off:
        operations = (FixOperation(op=FixOp.enable_module, module_key=one, step_key=key) for one in off)
        return fix(f"Switch {', '.join(off)} on", *operations)
    wanted = step.get("suggested_module_type")
    bound = {one for each in facts.steps() for one in each["modules"]}
    free = next((one.key for one in facts.enabled if one.type_name == wanted and one.key not in bound), None)
    return (
        fix(f"Bind {key} to {free}", FixOperation(op=FixOp.bind_step, step_key=key, module_key=free)) if free else None
    )


def _outputs(facts: Facts) -> Iterator[PreflightIssue]:
    for contract in facts.contracts("output"):
        if contract["required"] and not emitted_by(facts, contract):
            yield PreflightIssue(
                check=PreflightCheck.output_missing,
                message=f"The blueprint promises {contract['name']}, and nothing in the graph makes it.",
                evidence=(f"Looked for {contract['name']} ({contract['kind']}) in steps, ports, names and purposes.",),
            )


def emitted_by(facts: Facts, contract: Raw) -> list[str]:
    """Modules that make it: a step says so, a port is called so, or the words of a module speak of it."""
    names = {spoken(contract["name"]), spoken(contract["kind"])}
    promising = [one for one in facts.steps() if names & {spoken(each) for each in one["expected_output_refs"]}]
    if promising:
        bound = [key for one in promising for key in one["modules"]]
        return [key for key in bound if key in facts.running]
    wanted = stems(f"{contract['name']} {contract['kind'].replace('_', ' ')}")
    making = (facts.modules[key] for key in facts.modules if key in facts.running)
    making = (one for one in making if not one.passive and one.family not in STARTING)
    return [one.key for one in making if _makes(facts, one, names, wanted)]


def _makes(facts: Facts, module: ModuleFacts, names: set[str], wanted: frozenset[str]) -> bool:
    if names & {spoken(one) for one in module.named_outputs}:
        return True
    preset = (facts.raw.get("presets") or NONE).get(module.key) or NONE
    config = module.config
    told = [module.told.get("name"), module.told.get("purpose"), module.key, preset.get("name")]
    told += [config.get("output_contract"), config.get("instruction"), *(preset.get("expected_output_kinds") or ())]
    steps = [one.get("purpose") for one in facts.steps() if module.key in one["modules"]]
    said = " ".join(str(one).replace("_", " ").replace("-", " ") for one in [*told, *steps] if one)
    return bool(wanted & stems(said))


def _inputs(facts: Facts) -> Iterator[PreflightIssue]:
    """What is on hand was told, or something in the graph brings what is needed."""
    given = facts.raw.get("inputs")
    brings = any(one.family in STARTING for one in facts.enabled)
    for contract in facts.contracts("input"):
        names = {spoken(contract["name"]), spoken(contract["kind"])}
        lacking = not names & {spoken(one) for one in given} if given is not None else not brings
        if contract["required"] and lacking:
            yield PreflightIssue(
                check=PreflightCheck.input_missing,
                message=f"{contract['name']} is needed, and "
                + (
                    "is not among what is on hand." if given is not None else "nothing in the graph brings anything in."
                ),
                evidence=(f"The blueprint requires the input {contract['name']} ({contract['kind']}).",),
            )


def _second_pass(facts: Facts) -> Iterator[PreflightIssue]:
    """A result that binds somebody is looked at a second time before it is relied on."""
    asked = [one for one in facts.enabled if one.type and one.type.says("model_facing")]
    binding = (facts.blueprint or NONE).get("output_stakes") == "filing_or_binding"
    if binding and asked and not any(one.type_name in REVIEWING for one in asked):
        yield PreflightIssue(
            check=PreflightCheck.second_look,
            message="What comes out binds somebody, and nothing in the graph looks at it a second time.",
            module_key=asked[-1].key,
            fix=fix(
                f"Have a red team read what {asked[-1].key} made",
                FixOperation(op=FixOp.add_module, module_key="red-team", value="step.red_team"),
                FixOperation(op=FixOp.add_cable, module_key=asked[-1].key, head_key="red-team", to_port="candidate_in"),
            ),
        )
