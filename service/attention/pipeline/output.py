"""The fifth step: what comes of it, by the mode of the surface. In shadow mode it is only told what would have come."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graph_schema.attention.words import AttentionAction, DirectiveVerbosity, OperatingMode, ViewCommand
from service.attention.pipeline.facts import Facts
from service.attention.pipeline.interventions import Draft
from service.attention.pipeline.modes import MODES, AttentionConduct, allowed_action, can_actuate

EMIT = "EMIT_OUTPUT_v1"
LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Output:
    """A draft as it comes out. `mode` is the one that it came out in, after falling back where it had to."""

    draft: Draft
    mode: OperatingMode
    fell_back: bool
    action: AttentionAction
    text: str
    view_commands: tuple[Mapping[str, str], ...]

    @property
    def emitted(self) -> bool:
        return MODES[self.mode].allows(AttentionConduct.emit_directives)


def emit(facts: Facts, draft: Draft, verbosity: DirectiveVerbosity) -> Output:
    asked = facts.mode_of(draft.moment.component)
    commands = _commands(facts, draft, asked)
    falls_back = asked is OperatingMode.actuated and not can_actuate(facts.capabilities.get(draft.moment.component))
    mode = OperatingMode.advisory if falls_back else asked
    return Output(
        draft=draft,
        mode=mode,
        fell_back=falls_back,
        action=allowed_action(mode, draft.action),
        text=worded(draft, verbosity),
        view_commands=commands,
    )


def _commands(facts: Facts, draft: Draft, mode: OperatingMode) -> tuple[Mapping[str, str], ...]:
    """Those that the mode and the component's capability allow, and none other."""
    rights = facts.capabilities.get(draft.moment.component)
    row = MODES[mode]
    if rights is None or not row.allows(AttentionConduct.send_view_commands) or not can_actuate(rights):
        return ()
    allowed = rights.allowed & {*row.view_commands}
    return tuple(one for one in draft.view_commands if ViewCommand(one["command"]) in allowed)


def worded(draft: Draft, verbosity: DirectiveVerbosity) -> str:
    """What the user reads."""
    parts = [draft.summary]
    if verbosity is DirectiveVerbosity.full_explanation:
        parts += [draft.detail, f"Why it matters: {draft.why}" if draft.why else ""]
    if verbosity is not DirectiveVerbosity.summary_only and draft.hint:
        parts.append(f"Try: {draft.hint}")
    return "\n\n".join(one for one in parts if one)[:LONGEST]


def told(output: Output) -> dict[str, Any]:
    """As it is kept and compared."""
    draft = output.draft
    return {
        "moment": draft.moment.kind.value,
        "subject": draft.moment.subject,
        "component": draft.moment.component,
        "evidence": sorted(draft.moment.ids),
        "rule_id": draft.rule_id,
        "intervention_class": draft.intervention_class.value,
        "action": output.action.value,
        "mode": output.mode.value,
        "fell_back": output.fell_back,
        "summary": draft.summary,
        "detail": output.text,
        "focus_type": draft.focus_type,
        "focus_id": draft.focus_id,
        "urgency": draft.urgency,
        "confidence": draft.confidence,
        "critical": draft.critical,
        "options": [*draft.options],
        "options_left_out": draft.options_left_out,
        "evidence_refs": [*draft.evidence_refs],
        "view_commands": [dict(one) for one in output.view_commands],
    }
