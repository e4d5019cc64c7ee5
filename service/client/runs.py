"""A run as ordinary Python code tells it: events that wait to be sent, made as the code goes through its steps."""

from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from service.client.asks import MOST_EVENTS, report
from service.client.errors import ClientError, Rejected
from service.client.exchange import Came, Next, Sender

STANDARD: Mapping[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}
"""How a run is remembered when nothing is said: in full, as internal, of no matter."""

LONGEST_TEXT = 2_000


@dataclass
class Step:
    """One module at work, once."""

    story: "Story"
    module: str
    activation: int
    ending: dict[str, Any] = field(default_factory=dict[str, Any])

    def made(self, key: str, name: str, *, kind: str = "text_output", **more: Any) -> None:
        """Something that the step made: `storage_ref` says where it is kept, `summary` what it is."""
        named = {"artifact_key": f"{self.story.key}/{key}", "artifact_kind": kind, "name": name}
        self.tell("artifact_produced", **{**named, **more})

    def used(self, **item: Any) -> None:
        """Something that the step worked from: `id`, or `kind`, `source`, `key` and `name`."""
        self.tell("artifact_consumed", item=item)

    def delivered(
        self, to: str, *, key: str, kind: str = "file_save", artifact: str | None = None, **more: Any
    ) -> None:
        """Something that has left, once: `key` is the same whenever the same is sent again."""
        carried = {"artifact_key": f"{self.story.key}/{artifact}"} if artifact else {}
        told = {"idempotency_key": key, "delivery_kind": kind, "status": "delivered", "destination_summary": to}
        self.tell("delivery", **{**told, **carried, **more})

    def note(self, **more: Any) -> None:
        """What is told when the step ends: cost_usd, input_tokens, model_ref, output_summary and so on."""
        self.ending |= more

    def tell(self, kind: str, **more: Any) -> None:
        self.story.tell(kind, module_key=self.module, activation_seq=self.activation, **more)


class Story:
    """The events of one run, in the order in which they happened. Those that were taken are dropped."""

    def __init__(self, task: str, source: str, key: str | None, policy: Mapping[str, Any] | None) -> None:
        self.source = source
        self.key = key or f"{task}-{uuid4().hex[:12]}"
        self.waiting: list[dict[str, Any]] = []
        self._task = task
        self._policy = dict(policy) if policy is not None else None
        self._activations: Counter[str] = Counter()
        self._events = 0

    @property
    def ref(self) -> dict[str, str]:
        return {"source": self.source, "key": self.key}

    def tell(self, kind: str, **more: Any) -> None:
        """Any event of the run; times and names are given where they are left out."""
        self._events += 1
        policy = {"policy": self._policy} if self._policy is not None else {}
        given = {"event_id": f"{self.key}-{self._events}", "occurred_at": datetime.now(UTC).isoformat()}
        self.waiting.append({**given, "kind": kind, "run": self.ref, **policy, **more})

    def tell_start(self, **more: Any) -> None:
        self.tell("run_started", **{"task_key": self._task, "task_name": self._task, **more})

    def flushed(self, sender: Sender) -> Generator[Next, Came, None]:
        """Sends what waits. What could not be sent goes on waiting; what was rejected does not."""
        while waiting := self.waiting[:MOST_EVENTS]:
            answers = yield from sender(report(*waiting, strict=False))
            del self.waiting[: len(waiting)]
            if any(one.outcome == "rejected" for one in answers):
                raise Rejected(answers)

    def ended(self, error: BaseException | None, sender: Sender) -> Generator[Next, Came, None]:
        """Tells how it ended. What the code itself raised is not hidden by a report that failed."""
        if error is None:
            self.tell("run_completed")
        elif isinstance(error, Exception):
            self.tell("run_failed", failure_code=type(error).__name__, failure_summary=_words(error))
        else:
            self.tell("run_cancelled")
        try:
            yield from self.flushed(sender)
        except ClientError as unsent:
            if error is None:
                raise
            error.add_note(f"The run was not reported to its end: {unsent}")

    @contextmanager
    def step(self, module: str, **more: Any) -> Generator[Step]:
        self._activations[module] += 1
        step = Step(self, module, self._activations[module])
        step.tell("activation_started", **more)
        try:
            yield step
        except Exception as error:
            told = {"error_code": type(error).__name__, "error_message": _words(error)}
            step.tell("activation_failed", **{**step.ending, **told})
            raise
        except BaseException:
            step.tell("activation_cancelled")
            raise
        step.tell("activation_completed", **step.ending)


class Told:
    """A run that is being reported, whichever client sends it."""

    def __init__(self, story: Story) -> None:
        self.story = story

    @property
    def ref(self) -> dict[str, str]:
        """How to name it in other questions."""
        return self.story.ref

    def tell(self, kind: str, **more: Any) -> None:
        """Any other event of the run; it is sent with the next that is."""
        self.story.tell(kind, **more)


def _words(error: BaseException) -> str:
    return (str(error) or type(error).__name__)[:LONGEST_TEXT]
