"""Finding what a command after a run is about: the run, the activation, and what its runtime has reported."""

from dataclasses import dataclass

from service.commands import RecordRef, Work, check_activation
from service.commands.errors import InputInvalid
from service.commands.work import State
from service.memory.continuation import cypher
from service.memory.continuation.errors import StepMissing
from service.memory.continuation.inputs import StepName
from service.memory.reporting.fold import ENDED


@dataclass(frozen=True, slots=True)
class Step:
    run: State
    activation: State
    sessions: list[State]
    ports: list[str]
    has_checkpoint: bool

    @property
    def name(self) -> str:
        values = self.activation.properties
        return f"{values['module_key']} #{values['activation_seq']}"

    def supported(self) -> set[str]:
        """What the runtime has said that it takes from a person while the module runs."""
        return {one for session in self.sessions for one in session.properties.get("supported_interventions", ())}


def found(work: Work, ref: RecordRef, field: str, kind: str) -> State:
    """A record that must be there: nothing is made up for an unknown key."""
    return work.existing(ref, field, [kind])


def is_finished(run: State) -> bool:
    return run.properties["status"] in ENDED


async def step_of(work: Work, named: StepName) -> Step:
    run = found(work, named.run, "run", "Run")
    if named.module_key is None or named.activation_seq is None:
        missing = "module_key" if named.module_key is None else "activation_seq"
        raise InputInvalid(missing, "is needed to name an activation")
    check_activation(named.activation_seq)
    row = await work.transaction.one(
        cypher.STEP,
        run_id=run.id,
        module_key=named.module_key,
        activation_seq=named.activation_seq,
        audiences=work.viewer.audiences,
    )
    if row is None:
        raise StepMissing(named.module_key, named.activation_seq)
    return Step(
        run,
        State(work.registry.types["Activation"], tuple(row["labels"]), row["properties"]),
        [State(work.registry.types["Session"], tuple(one["labels"]), one["properties"]) for one in row["sessions"]],
        [one for one in row["ports"] if one is not None],
        row["has_checkpoint"],
    )
