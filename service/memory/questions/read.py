"""Asking: from a run, a task or a module to its answers, within what the asker may see."""

import asyncio
from typing import Any

from service.access.viewer import Viewer
from service.commands import RecordRef, check_activation
from service.commands.errors import InputInvalid
from service.graph.database import Database
from service.memory.questions import cypher
from service.memory.questions.contract import PermissionContract, contract_of
from service.memory.questions.quick import MOST_OUTPUTS, ModuleQuickAccess, quick_access
from service.memory.questions.rules import RunQuestions
from service.memory.questions.task import TaskQuestions, TaskRun
from service.memory.reporting.fold import ENDED
from service.memory.views import Part, load_run
from service.records.names import Names

_NO_RUNS: dict[str, Any] = {"run_count": 0, "runs": [], "going_on": None, "completed": None}
QUESTIONS_NEED = (Part.run, Part.flow, Part.made, Part.held)
MOST_RUNS = 100


class Questions:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_run(self, viewer: Viewer, run: RecordRef) -> RunQuestions | None:
        """The questions about a run, or None when there is none that the viewer may see."""
        return await self._of_id(viewer, await self._id(viewer, run))

    async def of_task(self, viewer: Viewer, source: str, key: str, first: int) -> TaskQuestions:
        """The questions about a task's run that goes on, else its last; and about the last that was completed."""
        if not 1 <= first <= MOST_RUNS:
            raise InputInvalid("first", f"must be from 1 to {MOST_RUNS}")
        found = await self._runs(viewer, source, key, first)
        runs = tuple(TaskRun(**one) for one in found["runs"])
        wanted = found["going_on"] or (runs[0].id if runs else None)
        current, completed = await asyncio.gather(
            self._of_id(viewer, wanted),
            self._of_id(viewer, found["completed"] if found["completed"] != wanted else None),
        )
        return TaskQuestions(
            sentence=_sentence(found, runs),
            run_count=found["run_count"],
            runs=runs,
            current=current,
            last_completed=current if found["completed"] == wanted else completed,
        )

    async def contract(
        self, viewer: Viewer, run: RecordRef | None, task: RecordRef | None = None
    ) -> PermissionContract | None:
        """What the viewer may read and do; of a run, or of a task's run that goes on or was last, if one is named.

        None when they may not see it.
        """
        if run is None and task is None:
            return contract_of(viewer, None)
        run_id = await self._id(viewer, run) if run else await self._current(viewer, task) if task else None
        facts = await load_run(self._database, viewer, run_id) if run_id else None
        return contract_of(viewer, facts) if facts else None

    async def quick_access(
        self, viewer: Viewer, run: RecordRef, module_key: str, activation_seq: int | None
    ) -> ModuleQuickAccess | None:
        check_activation(activation_seq)
        run_id = await self._id(viewer, run)
        row = await self._database.read_one(
            cypher.QUICK_ACCESS,
            run_id=run_id,
            module_key=module_key,
            activation_seq=activation_seq,
            audiences=viewer.audiences,
            most=MOST_OUTPUTS,
        )
        return quick_access(row, module_key, activation_seq) if row else None

    async def _current(self, viewer: Viewer, task: RecordRef) -> str | None:
        name = await self._name(viewer, task)
        found = await self._runs(viewer, *name, 1) if name else _NO_RUNS
        return found["going_on"] or next((one["id"] for one in found["runs"]), None)

    async def _runs(self, viewer: Viewer, source: str, key: str, first: int) -> dict[str, Any]:
        row = await self._database.read_one(
            cypher.RUNS_OF_TASK, source=source, key=key, first=first, audiences=viewer.audiences, ended=sorted(ENDED)
        )
        return row or _NO_RUNS

    async def _name(self, viewer: Viewer, task: RecordRef) -> tuple[str, str] | None:
        """What the executor calls a task. Who sees its runs can ask by that, whether they see the task or not."""
        task.check("task", "Task")
        if task.source is not None and task.key is not None:
            return task.source, task.key
        found = (await Names(self._database).found(viewer, [task], ["Task"])).get(str(task))
        return (found.source, found.key) if found and found.source is not None and found.key is not None else None

    async def _of_id(self, viewer: Viewer, run_id: str | None) -> RunQuestions | None:
        facts = await load_run(self._database, viewer, run_id, QUESTIONS_NEED) if run_id else None
        return RunQuestions(facts) if facts else None

    async def _id(self, viewer: Viewer, run: RecordRef) -> str | None:
        run.check("run", "Run")
        if run.id is not None:
            return run.id
        row = await self._database.read_one(cypher.RUN_ID, source=run.source, key=run.key, audiences=viewer.audiences)
        return row["id"] if row else None


def _sentence(found: dict[str, Any], runs: tuple[TaskRun, ...]) -> str:
    count: int = found["run_count"]
    if not runs:
        return "No run of this task that you can see was reported."
    told = f"{count} runs of this task were reported" if count > 1 else "One run of this task was reported"
    if found["going_on"]:
        return f"{told}; the answers are about the newest one that goes on."
    return f"{told}; none goes on, so the answers are about the newest, which is {runs[0].status}."
