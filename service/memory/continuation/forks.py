"""Requesting a fork: part of a run, run again as a run of its own."""

from typing import Any

from graph_schema.model.fields import DataClass
from service.commands import State, Work
from service.commands.errors import InputInvalid, SourceKeyTaken
from service.memory.continuation import cypher, rules
from service.memory.continuation.errors import SeqMissing
from service.memory.continuation.inputs import ForkInput
from service.memory.continuation.steps import Step, found, step_of
from service.memory.reporting.errors import ForkOfItself

REQUESTED = "task.run.fork_requested"


class RequestFork:
    def __init__(self, asked: ForkInput) -> None:
        if asked.step.activation_seq is None:
            raise SeqMissing
        self._asked = asked

    async def __call__(self, work: Work) -> dict[str, Any]:
        asked, viewer = self._asked, work.viewer
        step = await step_of(work, asked.step)
        rules.check_forkable(step, asked.values)
        allowed = rules.check_side_effects(asked.values, viewer.kind, authorised=asked.authorise_side_effects)
        taken = self._taken(work, step)
        values = self._values(work, step)
        if allowed:
            values["side_effects_authorised_by"] = viewer.principal_id
        fork = await self._stored(work, step, values, [step.activation, *taken])
        work.link(fork, "FROM", step.activation)
        for one in taken:
            work.link(fork, "TAKES", one)
        return {"id": fork.id, "version": fork.version}

    def _values(self, work: Work, step: Step) -> dict[str, Any]:
        given = dict(self._asked.values)
        return {
            "name": f"Fork of {step.run.properties['name']} at {step.name}"[:200],
            **given,
            "parent_run_id": step.run.id,
            "parent_task_key": step.run.properties.get("task_key"),
            "module_key": step.activation.properties["module_key"],
            "activation_seq": step.activation.properties["activation_seq"],
            "created_by": rules.REQUESTED_BY[work.viewer.kind],
            "requested_by": work.viewer.principal_id,
            "defaulted_policies": [name for name in rules.POLICIES if name not in given],
            "source": self._asked.source,
            "source_key": self._asked.source_key,
        }

    def _taken(self, work: Work, step: Step) -> list[State]:
        if self._asked.takes is None:
            return []
        artifact = found(work, self._asked.takes, "takes", "Artifact")
        if artifact.properties.get("run_id") != step.run.id:
            raise InputInvalid("takes", "is no output of the parent run")
        return [artifact]

    async def _stored(self, work: Work, step: Step, values: dict[str, Any], sources: list[State]) -> State:
        """A new record; or the one that a child run named before the request came here."""
        own = self._asked.own_ref()
        named = work.find(own, "source_key") if own else None
        kind = work.registry.types["Fork"]
        if named is None:
            fork = work.create(kind, {name: one for name, one in values.items() if one is not None}, sources)
            work.event(REQUESTED, fork, other=step.run.id)
            return fork
        if not named.properties["stub"]:
            raise SourceKeyTaken
        access = work.access(DataClass.public, (), sources)
        known = {"data_class": access["data_class"], "matter_ids": access["matter_ids"]}
        fork = work.update(named, {**values, **known}, event=REQUESTED)
        await self._adopt(work, fork, step.run)
        return fork

    async def _adopt(self, work: Work, fork: State, parent: State) -> None:
        row = await work.transaction.one(cypher.CHILD_RUNS, id=fork.id)
        for child in row["ids"] if row else ():
            if child == parent.id:
                raise ForkOfItself(parent.properties["name"])
            work.changes.links.append({"tail": child, "head": parent.id, "type": "FORKED_FROM", "properties": {}})
