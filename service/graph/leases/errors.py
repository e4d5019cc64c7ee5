"""Why work under a lease cannot go on."""

from service.errors import TaskloreError


class LeaseLost(TaskloreError):
    code = "lease_lost"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Another process has taken over the lock {name!r}: this one did not renew it in time.",
            remedy="Start again; it goes on from where the other process is.",
        )
