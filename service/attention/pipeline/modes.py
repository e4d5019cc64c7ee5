"""How far an agent may go in each mode: a table. What it does not allow does not happen."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from graph_schema.attention.words import AttentionAction, OperatingMode, ViewCommand
from service.attention.pipeline.facts import ViewRights

CAPABILITY_GATE = "MODE_ACTUATED_GATE_v1"


class AttentionConduct(StrEnum):
    """Something that an agent does, or must leave alone."""

    read_events = "read_events"
    decide = "decide"
    emit_diagnostics = "emit_diagnostics"
    emit_directives = "emit_directives"
    respect_user_model = "respect_user_model"
    limit_directives = "limit_directives"
    suggest_next_steps = "suggest_next_steps"
    check_capability = "check_capability"
    fall_back_to_advisory = "fall_back_to_advisory"
    send_view_commands = "send_view_commands"
    change_tool_state = "change_tool_state"
    change_parameters = "change_parameters"
    start_or_stop = "start_or_stop"
    export_data = "export_data"
    persist_view = "persist_view"
    dismiss_user_data = "dismiss_user_data"
    modify_state = "modify_state"


_C = AttentionConduct
_GENTLE = (
    *(AttentionAction.inspect, AttentionAction.review, AttentionAction.compare),
    *(AttentionAction.decide, AttentionAction.confirm),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeRow:
    """What an agent must do, may do and must not do in a mode."""

    mode: Annotated[OperatingMode, "The mode."]
    code: Annotated[str, "What the specification calls it."]
    must: Annotated[tuple[AttentionConduct, ...], "What it does."]
    may: Annotated[tuple[AttentionConduct, ...], "What it may do."]
    must_not: Annotated[tuple[AttentionConduct, ...], "What it never does."]
    actions: Annotated[tuple[AttentionAction, ...], "What it may ask a user to do."]
    view_commands: Annotated[tuple[ViewCommand, ...], "What it may do to a view."]

    def allows(self, what: AttentionConduct) -> bool:
        return what in self.must or what in self.may


_READS = (_C.read_events, _C.decide)
MODES: Mapping[OperatingMode, ModeRow] = {
    OperatingMode.shadow: ModeRow(
        mode=OperatingMode.shadow,
        code="M0",
        must=(*_READS, _C.emit_diagnostics),
        may=(),
        must_not=(_C.emit_directives, _C.send_view_commands, _C.modify_state),
        actions=(),
        view_commands=(),
    ),
    OperatingMode.advisory: ModeRow(
        mode=OperatingMode.advisory,
        code="M1",
        must=(*_READS, _C.emit_directives, _C.respect_user_model, _C.limit_directives),
        may=(_C.suggest_next_steps,),
        must_not=(_C.send_view_commands, _C.change_tool_state, _C.dismiss_user_data),
        actions=_GENTLE,
        view_commands=(),
    ),
    OperatingMode.actuated: ModeRow(
        mode=OperatingMode.actuated,
        code="M2",
        must=(
            *(*_READS, _C.emit_directives, _C.respect_user_model, _C.limit_directives),
            *(_C.check_capability, _C.fall_back_to_advisory),
        ),
        may=(_C.suggest_next_steps, _C.send_view_commands),
        must_not=(_C.change_parameters, _C.start_or_stop, _C.export_data, _C.persist_view),
        actions=tuple(AttentionAction),
        view_commands=tuple(ViewCommand),
    ),
}


def can_actuate(rights: ViewRights | None) -> bool:
    """Whether an agent may adjust the view of a component: its capability says that nobody has to be asked."""
    return rights is not None and rights.usable and not rights.require_confirmation


def allowed_action(mode: OperatingMode, action: AttentionAction) -> AttentionAction:
    """The action, or the strongest request to look where the mode does not go so far."""
    actions = MODES[mode].actions
    return action if not actions or action in actions else AttentionAction.review
