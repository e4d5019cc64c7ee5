"""The rules that make a packet of candidates: pure, and named with a version that every packet carries.

Whoever changes a gate, the order, a threshold or a text gives them a new version: a replay says when rules differ.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import orjson

from graph_schema.context.words import Binding, CandidateKind, ContextLayer, Stage
from graph_schema.context.words import ExclusionReason as Why
from service.context.packets.budget import Fitted, fit
from service.context.packets.facts import Facts, Ground
from service.context.packets.gates import FROM_SURFACE, Refusal, refused
from service.context.packets.relevance import confined, declared

NAME = "tasklore.context"
VERSION = "3"
RULES = f"{NAME} {VERSION}"

_MEMORY = frozenset(
    {ContextLayer.memory_excerpts, ContextLayer.preferences, ContextLayer.procedures, ContextLayer.prior_task_runs}
)
_SURFACES = frozenset(
    {CandidateKind.surface_context, CandidateKind.active_chat_context, CandidateKind.active_work_context}
)


class Exclusion(NamedTuple):
    """A candidate that was kept out, and the gate that did it."""

    facts: Facts
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Decided:
    """What the rules made of all candidates. Every candidate is in exactly one of the two."""

    taken: tuple[Facts, ...]
    excluded: tuple[Exclusion, ...]
    fitted: Fitted

    def content_hash(self) -> str:
        """Of what was given and what was kept out, whatever the order of the receipts."""
        text = self.fitted.hash_of
        given = [[one.id, one.version, one.layer, rank, text(one)] for rank, one in enumerate(self.taken, 1)]
        kept = sorted([x.facts.id, x.facts.version, x.refusal.reason, x.refusal.stage] for x in self.excluded)
        return hashlib.sha256(orjson.dumps([given, kept])).hexdigest()

    @property
    def binding(self) -> Binding:
        """The strongest of the bindings of what was given."""
        found = {via_of(one) for one in self.taken}
        return next((one for one in Binding if one in found), Binding.none)

    @property
    def surfaces_used(self) -> list[str]:
        return [one.name for one in self.taken if one.via in FROM_SURFACE]


def decide(candidates: Iterable[Facts], ground: Ground) -> Decided:
    eligible: list[Facts] = []
    kept: list[Exclusion] = []
    for one in candidates:
        refusal = refused(one, ground)
        if refusal is None:
            eligible.append(one)
        else:
            kept.append(Exclusion(one, refusal))
    fitted = fit(eligible, ground)
    trimmed = (Exclusion(one, _trimmed(one, ground, fitted)) for one in fitted.trimmed)
    ordered = sorted([*kept, *trimmed], key=lambda one: (one.facts.kind, one.facts.name, one.facts.id))
    return Decided(fitted.taken, tuple(ordered), fitted)


def _trimmed(facts: Facts, ground: Ground, fitted: Fitted) -> Refusal:
    return Refusal(
        Stage.budget,
        Why.budget_trimmed,
        f"It takes {facts.tokens:,} tokens, more than was left for it by what comes first: "
        f"{fitted.actual:,} of {ground.max_tokens:,} were taken.",
        f"The budget would have to hold {fitted.requested:,} tokens for everything.",
    )


def via_of(facts: Facts) -> Binding:
    """How an item is bound to the run, where nothing was bound by the scope itself."""
    if facts.via is not None:
        return Binding(facts.via)
    if facts.named and facts.label != "Capability":
        return Binding.module_input_resolved
    if facts.in_library:
        return Binding.library_bound
    if facts.own or facts.of_matter:
        return _OWN.get(facts.label, Binding.explicit_task_scope)
    return Binding.none


_OWN = {
    "Template": Binding.template_bound,
    "Preset": Binding.template_bound,
    "Pattern": Binding.blueprint_bound,
    "Blueprint": Binding.blueprint_bound,
    "Criterion": Binding.blueprint_bound,
    "Goal": Binding.blueprint_bound,
    "Trigger": Binding.trigger_resolved,
}


def why_given(facts: Facts, ground: Ground, fitted: Fitted) -> str:
    """Why something is in a packet, in a sentence: the strongest ground that there is; and why without its text."""
    how = " by its words alone" if facts.behind else ""
    fits = f"It fits what this module does{how}: {facts.score or 0:.2f}, where {ground.threshold:.2f} is asked."
    why = _chosen(facts) or _holding(facts, ground) or fits
    left_out = fitted.left_out(facts)
    return why if left_out is None else f"{why} It comes as its reference: its text takes {left_out:,} tokens more."


def _chosen(facts: Facts) -> str | None:
    """Somebody or something chose it for this run or module."""
    if facts.via is not None:
        return facts.evidence or "The run is bound to it."
    if facts.standing in _STANDING_SAID:
        return _STANDING_SAID[facts.standing]
    if facts.named:
        return "An input of this module names it."
    if facts.preferred:
        return "The module's policy prefers it."
    if facts.own:
        return _OWN_SAID.get(facts.label, "It belongs to the run's own task.")
    return None


def _holding(facts: Facts, ground: Ground) -> str | None:
    """It holds for work like this."""
    if facts.link is not None:
        return f"It applies to “{facts.link}”, which is in the scope of this run."
    if facts.everywhere:
        return "It holds everywhere."
    if meant := (*facts.task_types, *facts.domains, *facts.trigger_kinds):
        return f"It holds for {', '.join(meant)}."
    if facts.label == "Restriction" and facts.side_effects:
        return f"It is a restriction on {', '.join(facts.side_effects)}."
    return _declared(facts, ground)


def _declared(facts: Facts, ground: Ground) -> str | None:
    if not declared(facts, ground):
        return None
    if confined(facts, ground):
        return "It belongs to the matter of this run."
    broad, rule = "It is within what the run's broad scope declares.", "It is a restriction that nothing confines."
    return broad if facts.opened else rule if facts.label == "Restriction" else None


_STANDING_SAID = {"required": "This module needs it.", "allowed": "This module may use it."}
_OWN_SAID = {
    "Run": "It is an earlier run of the same task or template.",
    "Trigger": "It began this run.",
    "Policy": "It holds for what this task makes.",
    "Preset": "This module was made from it.",
    "Entity": "The run belongs to this matter.",
}


class PacketWarning(StrEnum):
    """What a reader of a packet should know."""

    surface_excluded = "warning.task_module_context_surface_context_excluded"
    broad_scope = "warning.task_module_context_broad_scope_declared"
    memory_trimmed = "warning.task_module_context_relevant_memory_trimmed"
    library_excluded = "warning.task_module_context_library_candidate_excluded"
    prior_task_excluded = "warning.task_module_context_prior_task_candidate_excluded"
    compared_by_words = "warning.context_compared_by_words"
    text_trimmed = "full_text_trimmed"
    model_unknown = "target_model_unknown"
    counted_by_bytes = "tokens_counted_by_bytes"
    item_text_cut = "item_text_cut"
    library_cut = "library_documents_cut"
    broad_scope_cut = "broad_scope_cut"
    source_set_cut = "source_set_cut"
    earlier_runs_cut = "earlier_runs_cut"


def _by_words(decided: Decided, ground: Ground) -> bool:
    """Whether the relevance of anything was settled without its vector."""
    weighed = (*decided.taken, *(one.facts for one in decided.excluded if one.refusal.stage is Stage.relevance))
    return any(one.behind and not declared(one, ground) for one in weighed)


def warnings_of(decided: Decided, ground: Ground, of_scope: Sequence[str]) -> list[str]:
    """Codes of what a reader of the packet should know, with what was doubtful about the scope."""
    kept = {one.facts.kind for one in decided.excluded}
    trimmed = {one.layer for one in decided.fitted.trimmed}
    found = {
        PacketWarning.surface_excluded: bool(kept & _SURFACES),
        PacketWarning.broad_scope: ground.broad,
        PacketWarning.memory_trimmed: bool(trimmed & _MEMORY),
        PacketWarning.library_excluded: CandidateKind.library in kept,
        PacketWarning.prior_task_excluded: CandidateKind.prior_task_run in kept,
        PacketWarning.compared_by_words: _by_words(decided, ground),
        PacketWarning.text_trimmed: bool(decided.fitted.references),
        PacketWarning.counted_by_bytes: any(one.by_bytes for one in decided.taken),
    }
    return sorted({*of_scope, *(code.value for code, holds in found.items() if holds)})
