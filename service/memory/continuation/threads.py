"""Opening a thread: a conversation with the task agent that is confined to what it is about."""

from typing import Any

from service.commands import State, Work
from service.commands.errors import InputInvalid
from service.memory.continuation import rules
from service.memory.continuation.inputs import ThreadInput
from service.memory.continuation.steps import found, step_of


class OpenThread:
    def __init__(self, asked: ThreadInput) -> None:
        self._asked = asked

    async def __call__(self, work: Work) -> dict[str, Any]:
        rules.check_consult(
            self._asked.values.get("task_agent_entrypoint"), None, "task_agent_entrypoint", user_asked=False
        )
        confined, known = await self._confined(work)
        given = {name: one for name, one in self._asked.values.items() if one is not None}
        values = {"name": f"Thread: {given.get('scope')}", **given, **known, "opened_by": work.viewer.principal_id}
        thread = work.create(work.registry.types["Thread"], values, confined.values())
        for state in confined.values():
            work.link(thread, "CONFINED_TO", state)
        named = {*confined, *(["task"] if self._asked.task or "task_key" in known else [])}
        warnings = rules.thread_warnings(thread.properties["scope"], named)
        return {"id": thread.id, "version": thread.version, "warnings": warnings}

    async def _confined(self, work: Work) -> tuple[dict[str, State], dict[str, Any]]:
        """What the thread is confined to, by its part; and the same as values."""
        asked, confined = self._asked, dict[str, State]()
        known: dict[str, Any] = {}
        if asked.step is not None:
            confined["run"] = run = found(work, asked.step.run, "run", "Run")
            rules.check_linkable(run)
            known |= {"run_id": run.id, **_task_of(run)}
            if asked.step.module_key is not None:
                step = await step_of(work, asked.step)
                confined["activation"] = step.activation
                known |= {name: step.activation.properties[name] for name in ("module_key", "activation_seq")}
        if asked.artifact is not None:
            confined["artifact"] = artifact = found(work, asked.artifact, "artifact", "Artifact")
            known["artifact_id"] = artifact.id
            if "run" in confined and artifact.properties.get("run_id") != confined["run"].id:
                raise InputInvalid("artifact", "is of another run: a thread does not mix two")
        if asked.task is not None:
            _check_task(known, asked.task.key)
            known |= {"task_source": asked.task.source, "task_key": asked.task.key}
            task = work.find(asked.task, "task", ["Task"])
            confined |= {"task": task} if task else {}
        return confined, known


def _task_of(run: State) -> dict[str, Any]:
    key = run.properties.get("task_key")
    return {"task_source": run.properties["source"], "task_key": key} if key else {}


def _check_task(known: dict[str, Any], key: str | None) -> None:
    if known.get("task_key") not in (None, key):
        raise InputInvalid("task", "is another task than that of the run: a thread does not mix two")
