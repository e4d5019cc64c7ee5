"""Why a command is refused."""

from collections.abc import Iterable

from graph_schema.model.texts import REMEDY
from graph_schema.model.times import TimeUnreadable
from service.errors import TaskloreError


class NotAllowed(TaskloreError):
    code = "not_allowed"

    def __init__(self, needed: str, held: Iterable[str]) -> None:
        super().__init__(
            f"This needs a key with the scope {needed}; yours has {', '.join(sorted(held)) or 'none'}.",
            remedy="Ask an administrator for a key with that scope (`tasklore key create`).",
        )


class MatterNotAllowed(TaskloreError):
    code = "matter_not_allowed"

    def __init__(self, field: str) -> None:
        super().__init__(
            "You are not a member of every matter named here.",
            field=field,
            remedy="Name only matters that you are a member of, or ask an administrator.",
        )


class ClassNotAllowed(TaskloreError):
    code = "class_not_allowed"

    def __init__(self, field: str, data_class: str, clearance: str) -> None:
        super().__init__(
            f"The data class {data_class} is above your clearance, {clearance}.",
            field=field,
            remedy="Use a class up to your clearance, or ask an administrator.",
        )


class OpeningNotAllowed(TaskloreError):
    code = "opening_not_allowed"

    def __init__(self, record_id: str, field: str) -> None:
        super().__init__(
            f"This would show {record_id} to people who may not see it now.",
            field=field,
            remedy="An administrator can do it, or a person with the scope declassify who is a member of all its "
            "matters. An agent cannot.",
        )


class OpeningHeld(TaskloreError):
    code = "legal_hold"

    def __init__(self, record_id: str, field: str) -> None:
        super().__init__(
            f"{record_id} is under a legal hold, by itself, by its run or by a matter: who may see it stays as it is.",
            field=field,
            remedy="Lift the hold first (setLegalHold), if the law allows it.",
        )


class RecordMissing(TaskloreError):
    code = "not_found"

    def __init__(self, ref: object, field: str) -> None:
        super().__init__(
            f"There is no record {ref} that you can see.", field=field, remedy="Check the id, or your access."
        )


class RefInvalid(TaskloreError):
    code = "invalid_input"

    def __init__(self, field: str) -> None:
        super().__init__(
            "A record is named by its id alone, or by source and key together.",
            field=field,
            remedy="Give {id} or {source, key}; with a key that is not known yet, {kind, source, key}.",
        )


class KindNeeded(TaskloreError):
    """An unknown key could become a stub, but of which kind is not told."""

    code = "kind_needed"

    def __init__(self, ref: object, field: str, kinds: Iterable[str]) -> None:
        listed = ", ".join(sorted(kinds))
        super().__init__(
            f"Nothing that you can see is called {ref}, and what kind of record it would be is not told.",
            field=field,
            remedy=f"Add the `kind`{f', one of {listed}' if listed else ', such as Entity'}; or check the key.",
        )


class WrongKind(TaskloreError):
    code = "wrong_kind"

    def __init__(self, ref: object, field: str, expected: str, found: str) -> None:
        super().__init__(
            f"{ref} is of kind {found}, not {expected}.", field=field, remedy="Name a record of the right kind."
        )


class InputInvalid(TaskloreError):
    code = "invalid_input"

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}.", field=field, remedy="Correct the value and send the command again.")


class TimeInvalid(TaskloreError):
    code = "invalid_time"

    def __init__(self, field: str, found: TimeUnreadable) -> None:
        super().__init__(f"{field} {found.problem}.", field=field, remedy=found.remedy)


class ControlCharacter(TaskloreError):
    code = "control_character"

    def __init__(self, field: str, character: str) -> None:
        super().__init__(
            f"{field} has the control character {character} in it.",
            field=field,
            remedy=REMEDY,
            facts={"character": character},
        )


class TextTooLong(TaskloreError):
    code = "text_too_long"

    def __init__(self, field: str, limit: int, size: int) -> None:
        super().__init__(
            f"{field} has {size:,} characters; at most {limit:,} are kept.",
            field=field,
            remedy="Store the whole text with its owner and give a summary and a `storage_ref`.",
            facts={"limit": limit, "size": size},
        )


class VersionConflict(TaskloreError):
    code = "version_conflict"

    def __init__(self, record_id: str, expected: int, current: int) -> None:
        super().__init__(
            f"{record_id} is at version {current}, not {expected}.",
            field="if_version",
            remedy="Read it again, apply your change to what is there now, and send a new command.",
            facts={"current_version": current},
        )


class CommandReused(TaskloreError):
    code = "command_id_reused"

    def __init__(self, command_id: str) -> None:
        super().__init__(
            f"The command id {command_id!r} was already used for another command or other content.",
            field="command_id",
            remedy="Use a new id for a new command; repeat an id only with the same content.",
        )


class SourceKeyTaken(TaskloreError):
    code = "source_key_taken"

    def __init__(self) -> None:
        super().__init__(
            "Another record already has this `source` and `source_key`.",
            field="source_key",
            remedy="Use the key of this record, or leave `source` and `source_key` out.",
        )
