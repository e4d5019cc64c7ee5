"""The same questions asked of a task: its runs, and which of them the answers are about."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.model.fields import Timestamp
from service.memory.questions.rules import RunQuestions
from service.views import Id


@dataclass(frozen=True, slots=True)
class TaskRun:
    """A run of a task."""

    id: Annotated[Id, "Id of the run."]
    name: Annotated[str, "What people call it."]
    status: Annotated[str, "Where it stands."]
    started_at: Annotated[Timestamp | None, "When it started."]
    completed_at: Annotated[Timestamp | None, "When it ended."]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskQuestions:
    """The questions about a task that are answered without a model."""

    sentence: Annotated[str, "Which of its runs the answers are about, and why."]
    run_count: Annotated[int, "Runs of the task that you may see."]
    runs: Annotated[tuple[TaskRun, ...], "Its runs, newest first."]
    current: Annotated[RunQuestions | None, "About the newest run that goes on; when none does, about the newest."]
    last_completed: Annotated[
        RunQuestions | None, "About the newest run that was completed: where the last final output is."
    ]
