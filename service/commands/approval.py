"""Why something is refused to an agent's key: it needs a person."""

from service.errors import TaskloreError

_ASK = "Have a person make the change; or propose it as a draft of your own, which a person puts into use."


class TemplateNeedsApproval(TaskloreError):
    code = "validation.template_update_requires_approval"

    def __init__(self, changed: str) -> None:
        super().__init__(_needs_approval("template", changed), field=changed, remedy=_ASK)


class PresetNeedsApproval(TaskloreError):
    code = "validation.preset_update_requires_approval"

    def __init__(self, changed: str) -> None:
        super().__init__(_needs_approval("preset", changed), field=changed, remedy=_ASK)


class UpdateNeedsApproval(TaskloreError):
    code = "approval_required"

    def __init__(self, changed: str) -> None:
        super().__init__(_needs_approval("record", changed), field=changed, remedy=_ASK)


class PersonNeeded(TaskloreError):
    """A command that is an approval by itself, or that the table of what agents may do does not name."""

    code = "approval_required"

    def __init__(self, command: str) -> None:
        super().__init__(
            f"An agent's key cannot send {command}: it needs a person.",
            remedy="Have a person send it. docs/agents.md lists what an agent may propose, report and ask.",
        )


class NoProposal(TaskloreError):
    """A kind of record that is in use as soon as it is there."""

    code = "approval_required"

    def __init__(self, label: str) -> None:
        super().__init__(
            f"An agent makes no {label}: it would be in use at once, and nobody would have approved it.",
            remedy="Have a person save it. docs/agents.md lists what an agent may propose, report and ask.",
        )


class EventNeedsPerson(TaskloreError):
    code = "approval_required"

    def __init__(self, kind: str, field: str | None = None) -> None:
        super().__init__(
            f"An agent's key cannot report this {kind}: it tells of an approval.",
            field=field or "kind",
            remedy="Have the executor report it, with its own key, as it heard it from a person.",
        )


def approval_required(label: str) -> type[TemplateNeedsApproval | PresetNeedsApproval | UpdateNeedsApproval]:
    """The refusal of an agent's change, by what it would change."""
    return _APPROVALS.get(label, UpdateNeedsApproval)


_APPROVALS: dict[str, type[TemplateNeedsApproval | PresetNeedsApproval]] = {
    "Template": TemplateNeedsApproval,
    "Preset": PresetNeedsApproval,
}


def _needs_approval(what: str, changed: str) -> str:
    return f"An agent may not change {changed} of this {what} without somebody's approval."
