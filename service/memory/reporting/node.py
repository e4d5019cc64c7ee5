"""A record while events are folded into it. Every value remembers the event it came from, so order does not matter."""

from typing import Any

from service.records.stamps import read_marks, write_marks

LEAST = frozenset({"started_at", "opened_at", "produced_at"})
"""Times that can only become earlier: something began when it first began."""

WORKING = ("working_task_key", "working_template_key")
"""What is known of an ephemeral run only while it is at work."""

COURSE = LEAST | {"status", "phase", "live_state_summary", "completed_at", *WORKING}
"""Where something stands while it goes on: what it was before is told by what came since."""


class Node:
    """`properties` are those of the graph; `marks` say which event each reported value is from."""

    __slots__ = ("before", "changed", "id", "is_new", "label", "marks", "properties")

    def __init__(self, label: str, properties: dict[str, Any], *, is_new: bool) -> None:
        self.label = label
        self.id: str = properties["id"]
        self.properties = properties
        self.before: dict[str, Any] = {} if is_new else dict(properties)
        self.is_new = is_new
        self.changed = is_new
        self.marks = read_marks(properties.get("stamps", ()))

    def put(self, values: dict[str, Any], stamp: str, *, first: bool = False) -> None:
        """Take values from an event, unless what is there is from one with the better claim."""
        marks, properties = self.marks, self.properties
        for name, value in values.items():
            if name in LEAST:
                self._lower(name, value, stamp)
                continue
            held = marks.get(name)
            if held is None or (stamp < held if first else stamp > held):
                marks[name] = stamp
                if value is None or value == []:
                    self.set(name, value)
                elif properties.get(name) != value:  # as `set` does; this is where a report spends its time
                    properties[name] = value
                    self.changed = True

    def set(self, name: str, value: Any) -> None:
        """Give a value that follows from others."""
        if value is None or value == []:
            if self.properties.pop(name, None) is not None:
                self.changed = True
        elif self.properties.get(name) != value:
            self.properties[name] = value
            self.changed = True

    @property
    def is_told_otherwise(self) -> bool:
        """Whether something that was recorded is recorded otherwise now, beyond the course that things take."""
        before = () if self.is_new or not self.changed else self.before
        return any(
            name in self.marks and name not in COURSE and self.properties.get(name) != self.before[name]
            for name in before
        )

    def touch(self) -> None:
        """One more event spoke about the record."""
        self.properties["version"] += 1
        self.changed = True

    def row(self) -> dict[str, Any]:
        """All its properties when it is new; otherwise what differs, with null for what is gone."""
        if self.marks:
            self.properties["stamps"] = write_marks(self.marks)
        if self.is_new:
            return self.properties
        gone = {name: None for name in self.before if name not in self.properties}
        return gone | {name: one for name, one in self.properties.items() if self.before.get(name) != one}

    def _lower(self, name: str, value: str, stamp: str) -> None:
        """Of the same value the first event is named, so that the mark too is the same in any order."""
        held = self.properties.get(name) if name in self.marks else None
        if held is None or (value, stamp) < (held, self.marks[name]):
            self.marks[name] = stamp
            self.set(name, value)
