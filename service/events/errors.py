"""Why events cannot be read from where the caller asks."""

from service.errors import TaskloreError


class CursorInvalid(TaskloreError):
    code = "invalid_cursor"

    def __init__(self) -> None:
        super().__init__(
            "This is no cursor of this event log: it is garbled, or it comes from another database or from a state of "
            "this one that a restored backup has undone.",
            field="after",
            remedy="Read the records that matter anew, then follow the events from the `head` of `events`.",
        )


class CursorExpired(TaskloreError):
    code = "cursor_expired"

    def __init__(self, oldest: str) -> None:
        super().__init__(
            "Events after this cursor have passed the retention of events and are gone.",
            field="after",
            remedy="Read the records that matter anew, then go on from `oldest_cursor`.",
            facts={"oldest_cursor": oldest},
        )


class SubscriberTooSlow(TaskloreError):
    code = "subscriber_too_slow"

    def __init__(self, seconds: float, cursor: str) -> None:
        super().__init__(
            f"Events waited for more than {seconds:g} seconds and were not taken; the subscription is ended.",
            remedy="Subscribe again with `resume_cursor` as `after`; nothing is lost.",
            facts={"resume_cursor": cursor},
        )


class EventKindInvalid(TaskloreError):
    code = "invalid_input"

    def __init__(self, kind: str) -> None:
        super().__init__(
            f"{kind[:80]!r} is not the name of a kind of event.",
            field="kinds",
            remedy="Give dotted names such as goal.updated, or all of a family as goal.*.",
        )


class EventPageInvalid(TaskloreError):
    code = "invalid_input"

    def __init__(self, first: int, most: int) -> None:
        super().__init__(
            f"A page of events has 1 to {most:,} of them, not {first:,}.",
            field="first",
            remedy=f"Ask for at most {most:,} and page on with `after`.",
        )
