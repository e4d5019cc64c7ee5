"""What can go wrong with the local Neo4j, and what to do about it."""

from pathlib import Path

from service.errors import TaskloreError


class JavaMissing(TaskloreError):
    code = "java_missing"

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"No usable Java was found, and none could be installed: {reason}.",
            remedy="Install Java 17 or 21 and set JAVA_HOME to it, or check the network connection and run again.",
        )


class HomeInUse(TaskloreError):
    code = "home_in_use"

    def __init__(self, home: Path, pid: int | None, purpose: str) -> None:
        holder = f"process {pid} ({purpose})" if pid else "another process"
        super().__init__(
            f"The local database in {home} is in use by {holder}.",
            field="TASKLORE_HOME",
            remedy="Stop that process first, or set TASKLORE_HOME to another directory.",
            facts={"home": str(home), "pid": pid},
        )


class ServerFailed(TaskloreError):
    code = "local_server_failed"

    def __init__(self, reason: str, log: Path, tail: str) -> None:
        super().__init__(
            f"The local Neo4j did not start: {reason}." + (f" Its last words: {tail}" if tail else ""),
            remedy=f"The whole story is in {log}.",
            facts={"log": str(log)},
        )


class NotRunning(TaskloreError):
    code = "local_server_not_running"

    def __init__(self, home: Path) -> None:
        super().__init__(
            f"The local Neo4j in {home} is not running at the moment.",
            remedy="Whoever started it starts it again; its log says more (`tasklore db logs`).",
        )


class PasswordRefused(TaskloreError):
    code = "local_password_refused"

    def __init__(self, file: Path) -> None:
        super().__init__(
            f"The local Neo4j refuses the password in {file}.",
            remedy="Put the database's password into that file, or start afresh with `tasklore db reset`.",
        )


class PasswordLost(TaskloreError):
    code = "local_password_lost"

    def __init__(self, file: Path) -> None:
        super().__init__(
            f"The local database exists, but its password file {file} is gone.",
            remedy="Put the password back into that file, or start afresh with `tasklore db reset`.",
        )


class AdminFailed(TaskloreError):
    code = "local_admin_failed"

    def __init__(self, task: str, output: str) -> None:
        super().__init__(f"Neo4j's admin tool could not {task}: {output}", remedy="Nothing was changed.")


class BackupMissing(TaskloreError):
    code = "backup_missing"

    def __init__(self, source: Path) -> None:
        super().__init__(f"There is no backup at {source}.", remedy="Give the file that `tasklore db backup` wrote.")


class BackupExists(TaskloreError):
    code = "backup_exists"

    def __init__(self, target: Path) -> None:
        super().__init__(f"{target} exists already.", remedy="Give another name, or remove it first.")


class NothingToBackUp(TaskloreError):
    code = "nothing_to_back_up"

    def __init__(self, home: Path) -> None:
        super().__init__(
            f"There is no local database in {home} yet.",
            remedy="It is made by `tasklore db start` or `tasklore serve`.",
        )
