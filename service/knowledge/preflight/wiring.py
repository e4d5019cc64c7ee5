"""Wirings that mean more than they look like: variants that nobody can compare, and repairs that nobody asked for."""

from collections.abc import Iterator

from service.knowledge.preflight.asking import unasked_from
from service.knowledge.preflight.facts import CONTROL, Cable, Facts, ModuleFacts
from service.knowledge.preflight.issues import FixOp, FixOperation, PreflightCheck, PreflightIssue, fix

REVISOR = "step.revisor"
EXPERIMENTS = frozenset({"step.experiment", "system.experiment"})
"""Our catalogue has it as a step; where prompts are tried, it is known as a part of the system."""
ROUTING, AUTONOMY = "experiment_winner_routing", "autonomous_mode_policy"
_FREE = frozenset({"partial", "full"})


def wiring(facts: Facts) -> Iterator[PreflightIssue]:
    experiments = [one for one in facts.enabled if one.type_name in EXPERIMENTS]
    for one in experiments:
        routing = one.setting(ROUTING)
        if routing == "route_all_variants":
            yield from _unaware(facts, one)
        elif routing == "pass_through_winner":
            yield from _chains(facts, one)


def _unaware(facts: Facts, experiment: ModuleFacts) -> Iterator[PreflightIssue]:
    """Whoever is given all variants must be able to compare them."""
    for cable in facts.leaving.get(experiment.key, ()):
        if _brings_variants(cable) and not _compares(cable.head):
            yield PreflightIssue(
                check=PreflightCheck.comparison_consumer,
                message=f"{experiment.key} hands on all variants, and {cable.head.key} cannot compare them.",
                module_key=cable.head.key,
                evidence=(str(cable), f"{ROUTING} of {experiment.key} is route_all_variants."),
                fix=fix(
                    f"Have {experiment.key} wait for the user's choice",
                    FixOperation(
                        op=FixOp.set_config, module_key=experiment.key, field_name=ROUTING, value="hold_for_user"
                    ),
                ),
            )


def _brings_variants(cable: Cable) -> bool:
    return cable.carries not in CONTROL and cable.carries != "evaluation"


def _compares(module: ModuleFacts) -> bool:
    """A person can, whoever draws the graph: what they are shown beside each other they choose from."""
    return module.waits or bool(module.type and module.type.says("comparison_aware"))


def _chains(facts: Facts, experiment: ModuleFacts) -> Iterator[PreflightIssue]:
    """A revisor that acts by itself, behind a winner that nobody looked at. Its own policy decides, and is told."""
    behind = facts.reached(one.head.key for one in facts.leaving.get(experiment.key, ()) if one.carries not in CONTROL)
    for key in sorted((behind & unasked_from(facts, [experiment.key])) - {experiment.key}):
        module = facts.modules[key]
        if module.type_name == REVISOR and is_autonomous(module):
            yield PreflightIssue(
                check=PreflightCheck.autonomy_chain,
                message=f"{key} repairs the winner of {experiment.key} without anybody being asked.",
                module_key=key,
                evidence=(
                    f"{ROUTING} of {experiment.key} is pass_through_winner.",
                    f"{key} may act by itself.",
                ),
                fix=fix(
                    f"Have {key} ask each time",
                    FixOperation(op=FixOp.set_config, module_key=key, field_name=AUTONOMY, value="ask_each_time"),
                ),
            )


def is_autonomous(module: ModuleFacts) -> bool:
    """What its policy says; where that is silent, how free the module is."""
    said = module.config.get(AUTONOMY)
    return said == "autonomous" if said is not None else module.told.get("autonomy") in _FREE
