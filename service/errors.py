"""Every refusal has a stable code, the field it concerns and what to do about it."""

import re
from collections.abc import Mapping

LONGEST = 4_000
"""Characters that an error tells, at most."""
_LONG_WORD = re.compile(r"\S{200,}")
_SHOWN = 100


def bounded(text: str) -> str:
    """What somebody sent is echoed as far as it is needed to know it by: never a whole text, never a huge id."""
    if len(text) < 200:
        return text
    short = _LONG_WORD.sub(lambda found: f"{found.group()[:_SHOWN]}…", text)
    return short if len(short) <= LONGEST else f"{short[: LONGEST - 201]}…{short[-200:]}"


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
        super().__init__(bounded(message))
        self.message = bounded(message)
        self.field = bounded(field) if field else field
        self.remedy = bounded(remedy) if remedy else remedy
        told = dict(facts or {})
        self.facts = {name: bounded(one) if isinstance(one, str) else one for name, one in told.items()}

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
