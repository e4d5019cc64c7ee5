"""Recording what a person asks of a module while it runs."""

from typing import Any

from service.commands import Work
from service.ids import new_id
from service.memory.continuation import rules
from service.memory.continuation.inputs import InterventionInput
from service.memory.continuation.steps import step_of

RECORDED = "task.module.intervention.recorded"


class RecordIntervention:
    def __init__(self, asked: InterventionInput) -> None:
        self._asked = asked

    async def __call__(self, work: Work) -> dict[str, Any]:
        """The runtime learns of it by its event, and reports under the same key whether it was done."""
        step = await step_of(work, self._asked.step)
        given = {name: one for name, one in self._asked.values.items() if one is not None}
        rules.check_intervention(step, given.get("intervention_kind"))
        kind = work.registry.types["Intervention"]
        values = {
            "name": str(given.get("intervention_kind"))[:200],
            "intervention_key": new_id(kind.prefix),
            **given,
            "run_id": step.run.id,
            "module_key": step.activation.properties["module_key"],
            "activation_seq": step.activation.properties["activation_seq"],
            "requested_by": work.viewer.principal_id,
            "supported_by_runtime": True,
            "applied": False,
        }
        made = work.create(kind, values, [step.activation])
        work.event(RECORDED, made, other=step.run.id)
        work.link(step.activation, "STEERED_BY", made)
        return {"id": made.id, "version": made.version, "intervention_key": made.properties["intervention_key"]}
