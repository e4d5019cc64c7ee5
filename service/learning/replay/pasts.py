"""What of the past tells about which change. One table: the replay, its limits and what it cannot tell read it."""

from collections.abc import Mapping
from dataclasses import dataclass

from graph_schema.learning.proposal_words import CaseKind
from graph_schema.memory.policies import PolicyKind


@dataclass(frozen=True, slots=True)
class Past:
    """Recorded decisions of one kind: what keeps them, which targets they tell about, how many of the newest are looked
    at, and how they are tried. `executes`: whether the decision is taken again; else only its consequences are told."""

    kind: CaseKind
    label: str
    targets: frozenset[str]
    most: int
    executes: bool = True


_ASSETS = frozenset({"Template", "Preset", "Pattern"})
_BOUND = frozenset({"Template", "Task", "Preset", "TemplateGroup", "Blueprint"})
TRIED = frozenset({"Prompt", "CoreContract", "EducationProfile"})
"""What is tried outside: a prompt by a test of it, what an agent is held to by the evaluation suite."""

PASTS: tuple[Past, ...] = (
    Past(CaseKind.match, "MatchDecision", _ASSETS | {"Directive"}, 1_000),
    Past(
        CaseKind.mode_decision,
        "ModeDecision",
        frozenset({"Template", "Preset", "InvocationDirective", "Directive"}),
        200,
    ),
    Past(
        CaseKind.context_packet,
        "ContextPacket",
        frozenset({"Preference", "Procedure", "Memory", "Pattern", "Template"}),
        200,
    ),
    Past(CaseKind.run, "Run", frozenset({"Task", "Template", "Preset", "Blueprint"}), 200, executes=False),
    Past(CaseKind.intake, "Artifact", frozenset({"Policy"}), 200),
    Past(CaseKind.preflight, "Preflight", frozenset({"Template", "Task", "Preset", "Blueprint"}), 200),
    Past(CaseKind.expansion, "ExpansionReceipt", _BOUND | {"Policy"}, 200),
    Past(CaseKind.evaluation, "EvalExample", frozenset(), 1_000, executes=False),
)
"""An evaluation is of whatever names it: its targets are all."""

OF: Mapping[CaseKind, Past] = {one.kind: one for one in PASTS}

POLICIES = frozenset({PolicyKind.artifact, PolicyKind.artifact_candidate, PolicyKind.capability})
"""Of policies only these decided something that is kept with what it was decided from."""


def is_replayable(label: str, policy_kind: str | None = None) -> bool:
    """Whether anything that is kept of the past tells what a change of it would have done."""
    if label == "Policy":
        return policy_kind in {one.value for one in POLICIES}
    return label in TRIED or any(label in one.targets for one in PASTS)
