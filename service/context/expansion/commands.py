"""Giving a module more capabilities while it runs, within its policy, with a receipt for whatever comes of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from graph_schema.context.words import ExpansionBasis
from graph_schema.memory.words import MemoryMode
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, State, Work, check_activation
from service.commands.errors import InputInvalid
from service.context.expansion import cypher, rules
from service.context.expansion.errors import ModuleMissing, RunOver, RunUnremembered
from service.context.expansion.finding import Finding
from service.context.expansion.kept import Wish
from service.context.expansion.policy import CapabilityPolicy, policy_in, speaking_in
from service.context.expansion.receipts import Receipts, gate_key
from service.context.expansion.rules import Known
from service.memory.reporting.fold import ENDED

MOST_WANTED = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpandCapabilitiesInput:
    """What a module needs that it was not given, and why."""

    run: Annotated[RecordRef, "The run."]
    module_key: Annotated[str, "The module, as the executor calls it."]
    activation_seq: Annotated[int, "Which activation of that module, from 1."]
    detected_need: Annotated[str, "What it needs, in a sentence."]
    basis: Annotated[ExpansionBasis, "Why it needs it."]
    capabilities: Annotated[
        tuple[RecordRef, ...],
        f"What it asks for, the most needed first, up to {MOST_WANTED}. Without it, what the need names, "
        "else what fits it best, among what you may see in the matters of the run.",
    ] = ()
    because_of: Annotated[RecordRef | None, "The artifact of the run that brought the need up."] = None

    def check(self) -> None:
        self.run.check("run", "Run")
        check_activation(self.activation_seq)
        for one in self.capabilities:
            one.check("capabilities", "Capability")
        if self.because_of is not None:
            self.because_of.check("because_of")
        if not self.detected_need.strip():
            raise InputInvalid("detected_need", "must say what is needed")
        if len(self.capabilities) > MOST_WANTED:
            raise InputInvalid("capabilities", f"at most {MOST_WANTED} can be asked for at once")

    def content(self) -> dict[str, Any]:
        return {
            "run": str(self.run),
            "module_key": self.module_key,
            "activation_seq": self.activation_seq,
            "detected_need": self.detected_need,
            "basis": self.basis.value,
            "capabilities": [str(one) for one in self.capabilities],
            "because_of": str(self.because_of) if self.because_of else None,
        }


class Expansions:
    def __init__(self, commands: Commands, finding: Finding) -> None:
        self._commands = commands
        self._finding = finding

    async def expand(self, viewer: Viewer, wish: ExpandCapabilitiesInput, *, command_id: str | None = None) -> Outcome:
        wish.check()
        wanted = wish.capabilities or tuple(
            RecordRef(id=one) for one in await self._finding.of_need(viewer, wish.run, wish.detected_need)
        )
        reads = {str(one): one for one in (*wanted, *([wish.because_of] if wish.because_of else []))}
        request = Request(
            "expandCapabilities",
            KeyScope.report,
            wish.content(),
            reads=list(reads.values()),
            # Whatever belongs to a run is changed under its lock: two wishes at once must not both find room.
            changes=[wish.run],
            command_id=command_id,
        )
        return await self._commands.execute(viewer, request, _Expand(wish, wanted))


class _Expand:
    def __init__(self, wish: ExpandCapabilitiesInput, wanted: Sequence[RecordRef]) -> None:
        self._wish = wish
        self._wanted = wanted

    async def __call__(self, work: Work) -> dict[str, Any]:
        run = self._found(work, self._wish.run, "run", "Run")
        _check_run(run)
        wanted = [self._found(work, one, "capabilities", "Capability") for one in self._wanted]
        cause = self._cause(work, run)
        row = await self._situation(work, run, wanted)
        step = {"module_key": self._wish.module_key, "module_type": row["module_type"]}
        policy = policy_in(row, run.properties, step, work.at)
        known, listed = _known(policy, row), {one["id"]: one for one in row["capabilities"]}
        ids = dict.fromkeys(one.id for one in wanted)
        decisions = rules.decide(policy, self._wish.basis, [listed[one] for one in ids], known)
        receipts = Receipts(work, run, row, policy, {one.id: one for one in wanted})
        links, policies = speaking_in(row, run.properties, step, work.at)
        weighed = Wish(
            basis=self._wish.basis,
            wanted=[*ids],
            links=links,
            policies=policies,
            capabilities=row["capabilities"],
            added=sorted(known.added),
            gates=known.gates,
        )
        return receipts.stored(self._wish.content(), decisions, known, cause, weighed.text())

    def _cause(self, work: Work, run: State) -> State | None:
        if self._wish.because_of is None:
            return None
        artifact = self._found(work, self._wish.because_of, "because_of", "Artifact")
        if artifact.properties.get("run_id") != run.id:
            raise InputInvalid("because_of", "is no output of this run")
        return artifact

    async def _situation(self, work: Work, run: State, wanted: Sequence[State]) -> dict[str, Any]:
        wish = self._wish
        row = await work.transaction.one(
            cypher.MODULE_IN_RUN,
            run_id=run.id,
            module_key=wish.module_key,
            activation_seq=wish.activation_seq,
            wanted=[one.id for one in wanted],
            gates=[
                {"capability": one.id, "gate_key": gate_key(wish.module_key, wish.activation_seq, one.id)}
                for one in wanted
            ],
            audiences=work.viewer.audiences,
        )
        if row is None or not row["known"]:
            raise ModuleMissing(wish.module_key)
        return row

    @staticmethod
    def _found(work: Work, ref: RecordRef, field: str, kind: str) -> State:
        return work.existing(ref, field, [kind])


def _check_run(run: State) -> None:
    if run.properties["memory_mode"] == MemoryMode.full_ephemeral_test:
        raise RunUnremembered
    if run.properties["status"] in ENDED:
        raise RunOver(run.properties["name"], run.properties["status"])


def _known(policy: CapabilityPolicy, row: dict[str, Any]) -> Known:
    added = frozenset(row["added"])
    gates = {one["capability"]: one for one in row["gates"]}
    return Known(rules.mounted(policy, row["capabilities"], added), added, gates)
