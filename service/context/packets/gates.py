"""The gates that a candidate passes, in their order. The first that fails decides, by its most specific reason.

Every gate only refuses: none lets in what another kept out. So a stricter policy never makes anything eligible.
Hard rules can be neither excluded nor denied: a module that does not know them might break them.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from graph_schema.context.words import Binding, CapabilityMode, Stage
from graph_schema.context.words import CandidateKind as Kind
from graph_schema.context.words import ExclusionReason as Why
from graph_schema.context.words import SurfacePolicy as Surface
from service.access.audience import cleared
from service.context.packets.facts import Facts, Ground
from service.context.packets.kinds import HARD, STANDING
from service.context.packets.profiles import layers_of
from service.context.packets.relevance import declared
from service.memory.reporting.policy import PRIVATE

FROM_SURFACE = frozenset({Binding.selected_surface_context, Binding.inherited_from_launch_surface})
"""How something is bound that is in scope because a surface shows it, and for no stronger reason."""


class Refusal(NamedTuple):
    """Which gate kept a candidate out, why, and what would have had to be true."""

    stage: Stage
    reason: Why
    explanation: str
    remedy: str


def refused(facts: Facts, ground: Ground) -> Refusal | None:
    """The first gate that fails before the budget; None for what is eligible."""
    for gate in _gates(facts):
        found = gate(facts, ground)
        if found is not None:
            return found
    return None


def refusals(facts: Facts, ground: Ground) -> Iterator[Refusal]:
    """Every gate that fails, in order. For an earlier run relevance is asked before scope."""
    return (found for gate in _gates(facts) if (found := gate(facts, ground)) is not None)


def _gates(facts: Facts) -> "tuple[Gate, ...]":
    return _PRIOR_FIRST if facts.kind == Kind.prior_task_run else _ORDER


def _visibility(facts: Facts, ground: Ground) -> Refusal | None:
    if cleared(ground.ceiling, facts.data_class):  # pyright: ignore[reportArgumentType] - the values of one enum
        return None
    return Refusal(
        Stage.visibility,
        Why.source_visibility_blocked,
        f"It is {facts.data_class}; this run's modules are given nothing above {ground.ceiling}.",
        f"The run's scope would have to allow {facts.data_class}.",
    )


def _policy(facts: Facts, ground: Ground) -> Refusal | None:
    if facts.excluded and facts.layer not in HARD:
        return Refusal(
            Stage.policy,
            Why.policy_blocked,
            "The user keeps it out of this run, itself or with what it is in.",
            "The run's scope would have to be opened without this exclusion.",
        )
    if facts.forbidden_by is not None:
        return Refusal(
            Stage.policy,
            Why.policy_blocked,
            f"The restriction “{facts.forbidden_by}” forbids it.",
            "That restriction would have to be lifted.",
        )
    surface = facts.label == "SurfaceContext" or (facts.via in FROM_SURFACE and facts.layer not in HARD)
    if surface and (ground.surface_forbidden or ground.surface_policy == Surface.forbidden):
        return Refusal(
            Stage.policy,
            Why.policy_blocked,
            "A policy forbids that anything comes from a surface.",
            "The context policy would have to allow surfaces.",
        )
    return None


def _memory_mode(facts: Facts, ground: Ground) -> Refusal | None:
    del ground
    if facts.memory_mode not in PRIVATE:
        return None
    return Refusal(
        Stage.memory_mode,
        Why.incognito_or_memory_suppressed,
        f"It belongs to a run in the mode {facts.memory_mode}, of which nothing is remembered.",
        "That run would have to be remembered.",
    )


def _scope(facts: Facts, ground: Ground) -> Refusal | None:
    if facts.label == "SurfaceContext":
        return None if facts.via else _surface(facts, ground)
    if facts.doubtful and not facts.via:
        return Refusal(
            Stage.scope,
            Why.requires_user_selection,
            f"Whether the run is about it is in doubt: {facts.evidence}",
            "Somebody would have to select it for the run.",
        )
    if facts.kind != Kind.library and not _opened(facts, ground) and not {*facts.matter_ids} <= {*ground.matter_ids}:
        return Refusal(
            Stage.scope,
            Why.wrong_matter,
            "It belongs to a matter that this run is not about.",
            "Its matter would have to be bound to the run.",
        )
    if facts.label in STANDING or facts.label == "Agent":
        return _standing(facts, ground)
    return _unbound(facts, ground)


def _bound(facts: Facts) -> bool:
    return bool(facts.via or facts.own or facts.named or facts.in_library)


def _opened(facts: Facts, ground: Ground) -> bool:
    """Whether it is within what a broad scope declares. Rules, tools and surfaces never are."""
    return ground.broad and facts.opened


def _surface(facts: Facts, ground: Ground) -> Refusal:
    where = f"“{facts.name}”"
    match ground.surface_policy:
        case Surface.none:
            return Refusal(
                Stage.scope,
                Why.requires_user_selection,
                f"{where} is open, but nobody selected it for this run.",
                "It would have to be selected or inherited when the run's scope is opened.",
            )
        case Surface.explicit_inherit | Surface.explicit_selected:
            return Refusal(
                Stage.scope,
                Why.not_run_bound,
                f"Another surface than {where} was chosen for this run.",
                "It would have to be selected when the run's scope is opened.",
            )
        case _:
            return Refusal(
                Stage.scope,
                Why.surface_context_not_applicable,
                f"This run was not launched from a surface, so what goes on in {where} is no part of it.",
                "The run would have to be launched from that surface, and inherit or select it.",
            )


def _standing(facts: Facts, ground: Ground) -> Refusal | None:
    if facts.task_types and ground.task_type not in facts.task_types:
        return Refusal(
            Stage.scope,
            Why.wrong_task_type,
            f"It holds for {_listed(facts.task_types)}; this run is of the type {ground.task_type or 'unknown'}.",
            "The run's task would have to be of one of these types.",
        )
    if facts.domains and not {*facts.domains} & {*ground.domains}:
        return Refusal(
            Stage.scope,
            Why.wrong_task_type,
            f"It holds for work in {_listed(facts.domains)}; this run is in {_listed(ground.domains) or 'none named'}.",
            "The run's task would have to be of one of these fields.",
        )
    if facts.trigger_kinds and ground.trigger_kind not in facts.trigger_kinds:
        return Refusal(
            Stage.scope,
            Why.wrong_trigger_scope,
            f"It holds for runs begun by {_listed(facts.trigger_kinds)}; this one was begun by "
            f"{ground.trigger_kind or 'nothing of the kind'}.",
            "The run would have to be begun by one of these.",
        )
    if facts.linked and facts.link is None and not facts.everywhere:
        return Refusal(
            Stage.scope,
            Why.not_task_bound,
            "What it applies to is no part of this run.",
            "Something that it applies to would have to be bound to the run or its task.",
        )
    # What holds everywhere is a hard rule, whatever this module does.
    standing_order = facts.label == "Restriction" and facts.everywhere
    other = facts.side_effects and ground.side_effects and not {*facts.side_effects} & {*ground.side_effects}
    if other and not standing_order:
        return Refusal(
            Stage.scope,
            Why.not_task_bound,
            f"It concerns {_listed(facts.side_effects)}; this module does {_listed(ground.side_effects)}.",
            "The module would have to have such a side effect.",
        )
    return None


def _unbound(facts: Facts, ground: Ground) -> Refusal | None:
    """What comes into a packet by being bound, named or the run's own. Libraries and capabilities have own gates."""
    free = {Kind.library, Kind.tool_capability}
    if facts.memory_mode in PRIVATE:  # it is kept out for that, and nobody looked how it is bound
        return None
    if _bound(facts) or facts.of_matter or facts.kind in free or _opened(facts, ground):
        return None
    if facts.surface is not None:
        return Refusal(
            Stage.scope,
            Why.active_context_recency_only,
            f"It is here only because it is shown on “{facts.surface}”. What is open elsewhere is no evidence.",
            "It would have to be bound to the run by its task, its trigger or the user.",
        )
    if facts.kind in {Kind.task_template, Kind.module_preset, Kind.prior_task_run}:
        return Refusal(
            Stage.scope,
            Why.not_task_bound,
            "It is no part of the run's task, and no earlier run of its matter.",
            "It would have to be of the same task, template or matter, or bound to the run.",
        )
    return Refusal(
        Stage.scope,
        Why.not_run_bound,
        "Nothing binds it to this run.",
        "It would have to be bound to the run by its task, its trigger or the user.",
    )


def _library_rule(facts: Facts, ground: Ground) -> Refusal | None:
    if facts.kind != Kind.library or _bound(facts) or _opened(facts, ground):
        return None
    return Refusal(
        Stage.library_rule,
        Why.wrong_library,
        "This run is not bound to this library.",
        "The task, its blueprint, a source module, the trigger or the user would have to bind it.",
    )


def _document_rule(facts: Facts, ground: Ground) -> Refusal | None:
    """A document comes as a reference when it is bound, named or of a bound set. Its text has a rule of its own."""
    if facts.kind != Kind.document or _bound(facts) or _opened(facts, ground):
        return None
    return Refusal(
        Stage.document_rule,
        Why.not_run_bound,
        "Neither the task nor the module selected it, and no input brought it.",
        "It would have to be selected, or come in with the trigger or an input.",
    )


def _module_policy(facts: Facts, ground: Ground) -> Refusal | None:
    if facts.layer in ground.denied_layers and facts.layer not in HARD:
        return Refusal(
            Stage.module_policy,
            Why.module_config_denied,
            f"The module's context policy denies the layer {facts.layer}.",
            "That policy would have to allow the layer.",
        )
    if facts.label == "Capability":
        return _capability(facts, ground)
    return None


def _capability(facts: Facts, ground: Ground) -> Refusal | None:
    if facts.standing == "denied":
        return _denied("It is denied to this module.", "No policy may deny it.")
    if facts.standing == "unconfirmed":
        return _denied(
            "It acts on the outside world, and this module has such only once a person has confirmed it.",
            "It would have to be asked for with expandCapabilities, and confirmed.",
        )
    if ground.capability_mode == CapabilityMode.none:
        return _denied("This module is given no capabilities.", "The module's capability mode would have to change.")
    if facts.standing == "outside" and ground.capability_mode == CapabilityMode.explicit:
        return _denied(
            "It is neither required nor allowed for this module; more can only be asked for with expandCapabilities.",
            "The module, its preset, its template or a policy would have to allow it.",
        )
    if facts.state is not None and facts.state != "up":
        return Refusal(
            Stage.module_policy,
            Why.policy_blocked,
            f"It cannot be used now: its last reported state is {facts.state}.",
            "It would have to be reported as up.",
        )
    return None


def _denied(explanation: str, remedy: str) -> Refusal:
    return Refusal(Stage.module_policy, Why.module_config_denied, explanation, remedy)


def _profile(facts: Facts, ground: Ground) -> Refusal | None:
    if facts.layer in layers_of(ground.profile):
        return None
    return Refusal(
        Stage.profile,
        Why.profile_excludes_component,
        f"The profile {ground.profile} has no {facts.layer}.",
        "The module would have to have a profile with this layer.",
    )


def _relevance(facts: Facts, ground: Ground) -> Refusal | None:
    score = facts.score or 0.0
    if score >= ground.threshold or declared(facts, ground):
        return None
    how = " by its words alone, for its vector is behind" if facts.behind else ""
    return Refusal(
        Stage.relevance,
        Why.low_relevance,
        f"It has little to do with what this module does: {_below(score, ground.threshold)}{how}, "
        f"where {ground.threshold:.2f} is asked.",
        f"It would have to score {ground.threshold:.2f}, or be bound to the run.",
    )


def _below(score: float, threshold: float) -> str:
    """A score as it is told: with two digits, unless it then looked as if it were enough."""
    told = f"{score:.2f}"
    return told if told != f"{threshold:.2f}" else f"a little under {told}"


Gate = Callable[[Facts, Ground], Refusal | None]
_ORDER: tuple[Gate, ...] = (
    _visibility,
    _policy,
    _memory_mode,
    _scope,
    _library_rule,
    _document_rule,
    _module_policy,
    _profile,
    _relevance,
)
_PRIOR_FIRST: tuple[Gate, ...] = (
    _visibility,
    _policy,
    _memory_mode,
    _relevance,
    _scope,
    _module_policy,
    _profile,
)


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(words)
