"""Why an audit export is refused, or cannot be had."""

from service.errors import TaskloreError


class AuditTooLarge(TaskloreError):
    code = "audit_too_large"

    def __init__(self, most: int) -> None:
        super().__init__(
            f"The run has more than {most:,} records or links.",
            field="run",
            remedy="Read it page by page through the API instead.",
            facts={"limit": most},
        )


class FormatUnavailable(TaskloreError):
    code = "not_available"

    def __init__(self, wanted: str) -> None:
        super().__init__(
            f"Audit exports cannot be written as {wanted} yet.",
            field="formats",
            remedy="Ask for folder, zip or markdown.",
        )


class WordUnknown(TaskloreError):
    code = "unknown_value"

    def __init__(self, field: str, value: str, known: list[str]) -> None:
        super().__init__(f"{field} cannot be {value!r}.", field=field, remedy=f"Use one of {', '.join(known)}.")


class FilesMissing(TaskloreError):
    code = "audit_files_missing"

    def __init__(self, export_id: str) -> None:
        super().__init__(
            f"The files of {export_id} are not on this machine.",
            field="id",
            remedy="Ask the machine that made the export, or export the run again.",
        )


class NoFiles(TaskloreError):
    code = "audit_blocked"

    def __init__(self, export_id: str) -> None:
        super().__init__(
            f"{export_id} was not allowed, so that it has no files.",
            field="id",
            remedy="The export's `reason_codes` say why.",
        )


class NotWritten(TaskloreError):
    code = "audit_not_written"

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"The export cannot be written: {problem}.",
            remedy="Check the disk and the rights of the service's home directory, or of --to.",
        )
