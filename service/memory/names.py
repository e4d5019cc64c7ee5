"""Which records a report names, as the statement that loads them wants it."""

from collections import defaultdict
from typing import Any

from service.memory.effects import BY_ID, OUTSIDE, Effects, Handle
from service.memory.events import Reported
from service.memory.fold import module_of
from service.memory.world import RunState, World

_LOADED = {
    "Activation": "activations",
    "Span": "spans",
    "Delivery": "deliveries",
    "Gate": "gates",
    "Snapshot": "snapshots",
    "Checkpoint": "checkpoints",
    "Session": "sessions",
    "Intervention": "interventions",
    "NativeEvent": "native_events",
}
_LOCKED = frozenset({"Artifact", "WorkProduct"})
"""Named from outside their run too, so the run's lock is not enough when they are written."""


class Names:
    def __init__(self, world: World) -> None:
        self._world = world
        self._handles: dict[Handle, bool] = {}
        self._tasks: dict[Handle, set[str]] = defaultdict(set)
        self._fresh: dict[str, Handle] = {}
        self._told: list[list[str]] = []

    def add(self, event: Reported, effects: Effects, state: RunState) -> None:
        for write in effects.writes:
            self._handles[write.handle] = True
        for tie in effects.ties:
            self._handles.setdefault(tie.tail, False)
            self._handles.setdefault(tie.head, False)
        if state.known is not None:
            self._told.append([state.id, event.event_id])
        known = (state.known or {}).get("task_key")
        told = event.values.get("task_key")
        self._tasks[state.handle].update(task for task in (known, told) if task is not None)
        if told is not None and known is None and state.known is not None:
            self._fresh[state.id] = state.handle

    def runs_with_new_task(self) -> dict[str, Handle]:
        """Known runs whose task is told now: what they did so far is tied to the task's modules too."""
        return self._fresh

    def add_step(self, run: Handle, module_key: str, activation_seq: int) -> None:
        self._handles.setdefault(("Activation", *run[1:], module_key, activation_seq), False)

    def parameters(self) -> dict[str, Any]:
        handles = dict(self._handles)
        for step in [one for one in handles if one[0] == "Activation"]:
            for task in self._tasks[("Run", *step[1:3])]:
                handles.setdefault(module_of(step, task), False)
        outside = sorted(one for one in handles if one[0] in OUTSIDE and one[0] != "Run")
        return {
            "told": self._told,
            "outside": [
                {"source": one[1], "key": one[2], "lock": handles[one] and one[0] in _LOCKED} for one in outside
            ],
            "by_id": sorted(one[1] for one in handles if one[0] == BY_ID),
            "keys": {label: self._keys(label, handles) for label in _LOADED},
        }

    def take(self, loaded: dict[str, Any]) -> None:
        """Put what was found into the world."""
        self._world.reports.update({(run_id, event_id): digest for run_id, event_id, digest in loaded["reports"]})
        for row in (*loaded["outside"], *loaded["by_id"]):
            if (BY_ID, row["properties"]["id"]) not in self._world.nodes:
                self._world.take(row["labels"], row["properties"])
        handles = {state.id: state.handle for state in self._world.runs.values()}
        for label, column in _LOADED.items():
            for properties in loaded[column]:
                self._world.take_part(label, handles[properties["run_id"]], properties)

    def _keys(self, label: str, handles: dict[Handle, bool]) -> list[list[Any]]:
        """Natural keys of the records of a label, in runs that are known: a new run has none yet."""
        found: list[list[Any]] = []
        for one in handles:
            if one[0] == label:
                state = self._world.runs[("Run", *one[1:3])]
                if state.known is not None:
                    found.append([state.id, *one[3:]])
        return sorted(found)
