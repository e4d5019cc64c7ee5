"""Questions about history that cannot be answered, each with what to do about it."""

from service.errors import TaskloreError


class RangeEmpty(TaskloreError):
    code = "invalid_filter"

    def __init__(self, lowest: str, highest: str) -> None:
        super().__init__(
            f"Nothing can lie between {lowest} and {highest}: the first is greater.",
            field=f"filter.{lowest}",
            remedy="Exchange the two, or leave one of them out.",
        )
