"""Every refusal has a stable code, the field it concerns and what to do about it."""

from collections.abc import Mapping


class TaskloreError(Exception):
    """Base of all errors that a user may see. Subclasses take facts and write their own message."""

    code = "internal"
    exit_code = 1

    def __init__(
        self,
        message: str,
        *,
        field: str | None = None,
        remedy: str | None = None,
        facts: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.remedy = remedy
        self.facts = dict(facts or {})

    def one_line(self) -> str:
        return f"{self.message} {self.remedy}" if self.remedy else self.message


class SettingsInvalid(TaskloreError):
    code = "settings_invalid"
    exit_code = 2

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(
            f"The setting {key} is not usable: {problem}.",
            field=key,
            remedy="docs/settings.md lists every setting with its values.",
        )
