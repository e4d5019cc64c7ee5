"""Why an event, or a whole report, is refused."""

from collections.abc import Iterable

from service.errors import TaskloreError


class TooManyEvents(TaskloreError):
    code = "too_many_events"

    def __init__(self, count: int, limit: int) -> None:
        super().__init__(
            f"{count:,} events were sent; at most {limit} are taken in one call.",
            field="events",
            remedy=f"Send them in parts of {limit}. The same event may be sent again at any time.",
            facts={"limit": limit, "count": count},
        )


class EventUnreadable(TaskloreError):
    """What the event's model says against it."""

    def __init__(self, code: str, field: str, problem: str, remedy: str | None = None) -> None:
        super().__init__(
            f"{field}: {problem}.",
            field=field,
            remedy=remedy or "Correct it and send the event again; docs/reporting.md helps.",
        )
        self.code = code


class EventIdReused(TaskloreError):
    code = "event_id_reused"

    def __init__(self, event_id: str) -> None:
        super().__init__(
            f"The event id {event_id!r} was already used for another event.",
            field="event_id",
            remedy="Give a new event a new id; repeat an id only with the same content.",
        )


class TimeOutOfRange(TaskloreError):
    code = "time_out_of_range"

    def __init__(self, field: str, value: str) -> None:
        super().__init__(
            f"{field} is {value}, which is before the year 2000 or too far ahead.",
            field=field,
            remedy="Check the clock and the unit; times are UTC with milliseconds, at most a day ahead of ours.",
        )


class TimesOutOfOrder(TaskloreError):
    code = "times_out_of_order"

    def __init__(self, earlier: str, later: str) -> None:
        super().__init__(f"{later} lies before {earlier}.", field=later, remedy="Check both times.")


class SpanOfItself(TaskloreError):
    code = "span_self_parent"

    def __init__(self, span_key: str) -> None:
        super().__init__(
            f"The span {span_key!r} cannot be part of itself.",
            field="parent_span_key",
            remedy="Name the span that it is part of, or leave the parent out.",
        )


class ArtifactOfItself(TaskloreError):
    code = "artifact_self_reference"

    def __init__(self, artifact_key: str, field: str) -> None:
        super().__init__(
            f"The artifact {artifact_key!r} cannot refer to itself.", field=field, remedy="Name another artifact."
        )


class ForkOfItself(TaskloreError):
    code = "fork_of_itself"

    def __init__(self, run: str) -> None:
        super().__init__(
            f"The run {run} is the parent of this fork, and cannot carry it out itself.",
            field="fork",
            remedy="A fork is a run of its own: report it under another key. The parent stays as it is.",
        )


class RunUnknown(TaskloreError):
    code = "run_unknown"

    def __init__(self, run: str, lacking: Iterable[str]) -> None:
        listed = ", ".join(lacking)
        super().__init__(
            f"Nothing is known of the run {run} yet, and the event does not say how it is to be remembered: {listed}.",
            field="policy",
            remedy="Send `policy {memory_mode, data_class, matter_ids}` with the event, or the run's start first; or "
            "report with a key that has defaults (`tasklore key create --memory-mode … --data-class …`).",
        )


class RunMissing(TaskloreError):
    code = "not_found"

    def __init__(self, run_id: str) -> None:
        super().__init__(
            f"There is no run {run_id} that you can see.",
            field="run",
            remedy="Check the id, or name the run by source and key.",
        )


class PolicyConflict(TaskloreError):
    code = "validation.task_memory_policy_conflict"

    def __init__(self, run: str, differing: list[str]) -> None:
        super().__init__(
            f"The run {run} is known under another policy; {', '.join(differing)} differ.",
            field="policy",
            remedy="A run has one policy from its first event on. Send the same, or none.",
        )


class OfAnotherTask(TaskloreError):
    code = "run_of_another_task"

    def __init__(self, run: str, task: str) -> None:
        super().__init__(
            f"The run {run} is a run of the task {task!r}.", field="task_key", remedy="A run is of one task."
        )


class ArtifactOfTwoRuns(TaskloreError):
    code = "artifact_of_two_runs"

    def __init__(self, artifact_key: str) -> None:
        super().__init__(
            f"The artifact {artifact_key!r} was made by another run.",
            field="artifact_key",
            remedy="Report it as consumed here, or give what this run made a key of its own.",
        )


class RunCompacted(TaskloreError):
    code = "run_compacted"

    def __init__(self, run: str) -> None:
        super().__init__(
            f"The run {run} was compacted; only later uses of its artifacts are taken.",
            field="run",
            remedy="Nothing is to be done for an event that was sent before. Report new work as a new run.",
        )


class RunErased(TaskloreError):
    code = "run_erased"

    def __init__(self, run: str) -> None:
        super().__init__(
            f"The run {run} was erased; nothing is taken about it any more.",
            field="run",
            remedy="Forget it where you are, too. Report new work as a new run with a key of its own.",
        )


class RecordErased(TaskloreError):
    code = "record_erased"

    def __init__(self, field: str, name: str) -> None:
        super().__init__(
            f"{name} was erased, and is not made again by a report.",
            field=field,
            remedy="Leave it out and send the event again; or let a person save it anew.",
        )


class PromotionNotAllowed(TaskloreError):
    code = "validation.incognito_blocks_requested_memory"

    def __init__(self, mode: str) -> None:
        super().__init__(
            f"The policy of this run ({mode}) does not allow that its artifacts become memory later.",
            field="artifact_key",
            remedy="Run the task again under a policy that allows it.",
        )


class RefMissing(TaskloreError):
    code = "not_found"

    def __init__(self, field: str, ref: str) -> None:
        super().__init__(
            f"There is no record {ref} that you can see.", field=field, remedy="Check the id or key, or your access."
        )


class KindDiffers(TaskloreError):
    code = "wrong_kind"

    def __init__(self, field: str, ref: str, found: str, wanted: str) -> None:
        super().__init__(
            f"{ref} is of kind {found}, not {wanted}.",
            field=field,
            remedy="Within one source a key names one record, whatever its kind.",
        )


class KindMisplaced(TaskloreError):
    code = "wrong_kind"

    def __init__(self, field: str, ref: str, found: str, taken: list[str]) -> None:
        wanted = " or ".join(taken)
        super().__init__(
            f"{ref} is of kind {found}, not {wanted}.", field=field, remedy=f"Name something of kind {wanted} here."
        )


class PhantomControl(TaskloreError):
    """A session that is said to be continuable, of a kind that never is."""

    code = "validation.module_session_continuation_phantom_control"

    def __init__(self, session_kind: str) -> None:
        super().__init__(
            f"A session of the kind {session_kind} cannot be continued, so it is not available.",
            field="continuation_status",
            remedy="Report what the runtime says: archived, expired, not_supported, blocked_by_policy or unknown.",
        )


class DeniedButMounted(TaskloreError):
    code = "validation.capability_denied_but_requested"

    def __init__(self, capabilities: list[str]) -> None:
        super().__init__(
            f"The snapshot says of {', '.join(capabilities)} both that it was given and that it was refused.",
            field="mounted_capabilities",
            remedy="A capability is either mounted or denied; report which.",
        )
