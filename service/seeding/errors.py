"""What can go wrong with the sample world."""

from service.errors import TaskloreError
from service.memory.reporting.answers import ReportAnswer


class SampleRefused(TaskloreError):
    code = "sample_refused"

    def __init__(self, answer: ReportAnswer) -> None:
        super().__init__(
            f"Event {answer.event_id} of the sample world was refused with {answer.code}: {answer.message}",
            field=answer.field,
            remedy="Something that the sample world tells of was changed or erased. Load it into an empty database.",
            facts={"event_id": answer.event_id, "code": answer.code},
        )
