"""Why something about attention is refused."""

from service.errors import TaskloreError


class AgentEventUnreadable(TaskloreError):
    """What the event's model says against it."""

    def __init__(self, code: str, field: str, problem: str, remedy: str | None = None) -> None:
        super().__init__(
            f"{field}: {problem}.",
            field=field,
            remedy=remedy or "Correct it and send the event again; docs/attention.md says what each type takes.",
        )
        self.code = code


class PreferenceIncomplete(TaskloreError):
    code = "missing_field"

    def __init__(self, field: str) -> None:
        super().__init__(
            "What is told of a dimension is the dimension and its value.",
            field=field,
            remedy="Send both, with the confidence if it is not certain.",
        )


class SessionUnknown(TaskloreError):
    code = "not_found"

    def __init__(self, session: str, field: str = "session") -> None:
        super().__init__(
            f"There is no session {session} of yours.",
            field=field,
            remedy="A session is there once an event of it was reported (reportAgentEvents). Check its source and key.",
        )


class InboxReserved(TaskloreError):
    code = "invalid_input"

    def __init__(self) -> None:
        super().__init__(
            "The session is an inbox, of which the service keeps account itself.",
            field="session",
            remedy="Call the session something else than {source: tasklore, key: inbox}.",
        )


class SessionAccessDiffers(TaskloreError):
    code = "session_access_conflict"

    def __init__(self, field: str) -> None:
        super().__init__(
            "The session is known with another data class or other matters.",
            field=field,
            remedy="A session has one access from its first event on. Send the same, or none; or begin another.",
        )


class UserUnknown(TaskloreError):
    code = "not_found"

    def __init__(self, user: str) -> None:
        super().__init__(
            f"There is no principal {user}.",
            field="user",
            remedy="Name the user by the id that `viewer { principalId }` tells them.",
        )


class OwnerNeeded(TaskloreError):
    """Something that only the user it is about may do."""

    code = "owner_needed"

    def __init__(self, what: str, field: str) -> None:
        super().__init__(
            f"{what} is another user's: only they may do this.",
            field=field,
            remedy="Let them do it with a key of their own.",
        )


class DirectiveSettled(TaskloreError):
    code = "directive_settled"

    def __init__(self, state: str) -> None:
        super().__init__(
            f"The directive is settled already: {state}.",
            field="directive",
            remedy="Nothing is to be done. What holds now, attentionInbox lists.",
        )


class OptionUnknown(TaskloreError):
    code = "unknown_value"

    def __init__(self, options: list[str]) -> None:
        listed = ", ".join(options) or "none"
        super().__init__(
            f"This is none of its options ({listed}).", field="option", remedy="Choose one of them, or leave it out."
        )


class RuleInvalid(TaskloreError):
    code = "attention_rule_invalid"

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(
            f"{field}: {problem}.", field=field, remedy="docs/attention.md has the language of rules, with examples."
        )


class TraceMissing(TaskloreError):
    code = "not_found"

    def __init__(self, trace: str) -> None:
        super().__init__(
            f"There is no decision {trace} that you can see.",
            field="trace",
            remedy="policyTraces lists those that you can see.",
        )
