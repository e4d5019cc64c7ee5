"""The facts of a run, as its read models look them up. Made once for each answer."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any, Protocol, TypeVar

from service.memory.views.amounts import Amount, step_amount
from service.memory.views.facts import (
    Activation,
    Artifact,
    Checkpoint,
    Consumption,
    Delivery,
    Gate,
    Named,
    Packet,
    PacketReceipt,
    Run,
    RunFacts,
    SavedModule,
    Session,
    Snapshot,
    Span,
    Tally,
)
from service.memory.views.graph import Flow
from service.memory.views.order import in_order, loop_rounds
from service.memory.views.words import micros

ENDED = frozenset({"completed", "failed", "cancelled"})
EVALUATION = frozenset({"judge_result", "experiment_bundle", "red_team_report"})


class _Placed(Protocol):
    @property
    def activation_id(self) -> str | None: ...


class _Keyed(Protocol):
    @property
    def module_key(self) -> str | None: ...
    @property
    def activation_seq(self) -> int | None: ...


P = TypeVar("P", bound=_Placed)
K = TypeVar("K", bound=_Keyed)
T = TypeVar("T")


@dataclass(frozen=True)
class RunIndex:
    facts: RunFacts
    now: str
    """What is open or late is so as of this time."""

    @property
    def run(self) -> Run:
        return self.facts.run

    @property
    def task(self) -> Named | None:
        return self.facts.task

    @property
    def title(self) -> str:
        run, task = self.run, self.facts.task
        return run.task_name or (task.name if task else None) or run.task_key or run.name

    @property
    def has_ended(self) -> bool:
        return self.run.status in ENDED

    @cached_property
    def steps(self) -> list[Activation]:
        """All activations that are at hand, in the order that people read them."""
        return in_order(self.facts.activations, self.flow.cables if self.flow else None)

    @cached_property
    def flow(self) -> Flow | None:
        """The saved graph that the run goes through, if it is known here."""
        return Flow(self.facts.graph) if self.facts.graph else None

    @cached_property
    def tally(self) -> Tally:
        """How many steps the run has, whether they are at hand or not."""
        return self.facts.tally or _tally(self.facts)

    @cached_property
    def step(self) -> dict[str, Activation]:
        return {one.id: one for one in self.facts.activations}

    @cached_property
    def rounds(self) -> dict[str, int]:
        return loop_rounds(self.facts.activations)

    @cached_property
    def before(self) -> dict[str, list[Activation]]:
        """The activations that set each one going, the first of them first."""
        found: dict[str, list[Activation]] = {}
        for step in sorted(self.facts.activations, key=lambda one: one.place):
            for after in step.triggered:
                found.setdefault(after, []).append(step)
        return found

    @cached_property
    def artifact(self) -> dict[str, Artifact]:
        return {one.id: one for one in self.facts.artifacts}

    @cached_property
    def artifacts(self) -> dict[str, list[Artifact]]:
        return self._placed(self.facts.artifacts)

    @cached_property
    def deliveries(self) -> dict[str, list[Delivery]]:
        return self._placed(self.facts.deliveries)

    @cached_property
    def consumed(self) -> dict[str, list[Consumption]]:
        return self._placed(self.facts.consumed)

    @cached_property
    def users(self) -> dict[str, list[Activation]]:
        """The activations that worked from each thing, by its id, in order."""
        places = {step.id: place for place, step in enumerate(self.steps)}
        found: dict[str, list[Activation]] = {}
        for one in sorted(self.facts.consumed, key=lambda one: places.get(one.activation_id, -1)):
            if one.activation_id in self.step:
                found.setdefault(one.id, []).append(self.step[one.activation_id])
        return found

    @cached_property
    def spans(self) -> dict[str, list[Span]]:
        return self._placed(self.facts.spans)

    @cached_property
    def amounts(self) -> dict[str, Amount]:
        """What each step took, by its id."""
        return {step.id: step_amount(step, self.spans.get(step.id, ())) for step in self.steps}

    @cached_property
    def gates(self) -> dict[str, list[Gate]]:
        found: dict[str, list[Gate]] = {}
        for gate in self.facts.gates:
            for one in gate.activation_ids:
                found.setdefault(one, []).append(gate)
        return found

    @cached_property
    def snapshots(self) -> dict[str, list[Snapshot]]:
        """What held for each activation, said of itself or of a span or delivery in it."""
        inside = {one.id: one.activation_id for one in (*self.facts.spans, *self.facts.deliveries)}
        found: dict[str, list[Snapshot]] = {}
        for snapshot in self.facts.snapshots:
            places = {one if one in self.step else inside.get(one) for one in snapshot.held_for}
            for place in places:
                if place is not None:
                    found.setdefault(place, []).append(snapshot)
        return found

    @cached_property
    def checkpoints(self) -> dict[str, list[Checkpoint]]:
        return self._keyed(self.facts.checkpoints)

    @cached_property
    def packets(self) -> dict[str, list[Packet]]:
        return self._keyed(self.facts.packets)

    @cached_property
    def receipts(self) -> dict[str, list[PacketReceipt]]:
        """Receipts by the packet that they are of."""
        found: dict[str, list[PacketReceipt]] = {}
        for one in self.facts.receipts:
            found.setdefault(one.packet_id, []).append(one)
        return found

    @cached_property
    def sessions(self) -> dict[str, list[Session]]:
        return self._keyed(self.facts.sessions)

    def step_of(self, part: _Keyed) -> Activation | None:
        """The activation that a part of the run names."""
        return self.step.get(self._ids.get((part.module_key, part.activation_seq), ""))

    def name(self, step: Activation) -> str:
        """What people call a step's module: as it was reported, else as the saved graph calls it, else its key."""
        if step.name != f"{step.module_key} #{step.activation_seq}"[:200]:
            return step.name
        module = self.module(step)
        return module.name if module else step.module_key

    def label(self, step: Activation) -> str:
        """What people call a step: its module's name, with which activation it is if there are several."""
        name, several = self.name(step), step.repeated or self._repeated[step.module_key] > 1
        return f"{name} (#{step.activation_seq})" if several else name

    def module(self, step: Activation) -> SavedModule | None:
        """The module of the saved graph that a step was of."""
        return self._modules.get(step.module_key)

    def module_type(self, step: Activation) -> str | None:
        module = self.module(step)
        return step.module_type or (module.module_type if module else None)

    @cached_property
    def _modules(self) -> dict[str, SavedModule]:
        return {one.module_key: one for one in self.facts.graph.modules} if self.facts.graph else {}

    @cached_property
    def evaluated(self) -> set[str]:
        """Ids of what evaluation evidence is about."""
        about = {one for artifact in self.facts.artifacts for one in artifact.evaluates}
        return about | {one.id for one in self.facts.artifacts if one.evaluated}

    @cached_property
    def _repeated(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for step in self.facts.activations:
            found[step.module_key] = found.get(step.module_key, 0) + 1
        return found

    def of_kind(self, step: Activation, kind: str) -> list[Snapshot]:
        return [one for one in self.snapshots.get(step.id, ()) if one.snapshot_kind == kind]

    def has_packet(self, step: Activation) -> bool:
        """Whether a context packet is kept for it, or is known to have been resolved elsewhere."""
        if step.id in self.packets:
            return True
        resolved = (one for one in self.spans.get(step.id, ()) if one.span_kind == "doc24_packet_resolution")
        named = any(one.context_packet_ref for one in self.of_kind(step, "prompt"))
        return named or any(one.status == "success" for one in resolved)

    def is_evaluation(self, artifact: Artifact) -> bool:
        judged = artifact.score is not None or artifact.verdict is not None
        return artifact.artifact_kind in EVALUATION or bool(artifact.evaluates) or judged

    def _placed(self, parts: Iterable[P]) -> dict[str, list[P]]:
        found: dict[str, list[P]] = {}
        for one in parts:
            if one.activation_id is not None:
                found.setdefault(one.activation_id, []).append(one)
        return found

    @cached_property
    def _ids(self) -> dict[tuple[str | None, int | None], str]:
        return {(one.module_key, one.activation_seq): one.id for one in self.facts.activations}

    def _keyed(self, parts: Iterable[K]) -> dict[str, list[K]]:
        found: dict[str, list[K]] = {}
        for one in parts:
            place = self._ids.get((one.module_key, one.activation_seq))
            if place is not None:
                found.setdefault(place, []).append(one)
        return found


def _tally(facts: RunFacts) -> Tally:
    """The same as the run counts itself, where all its steps are at hand."""
    steps = facts.activations
    counts: dict[str, int] = {}
    for one in steps:
        counts[one.status] = counts.get(one.status, 0) + 1
    return Tally(
        **{str(name): count for name, count in counts.items() if name != "pending"},
        total=len(steps),
        named=sum(one.stub for one in steps),
        modules=len({one.module_key for one in steps}),
        costed=sum(one.cost_usd is not None for one in steps),
        spent=sum(micros(one.cost_usd) for one in steps),
    )


def once(make: Callable[[RunIndex], T]) -> Callable[[RunIndex], T]:
    """Made once for each index, however many read models use it."""
    name = f"{make.__module__}.{make.__name__}"

    @wraps(make)
    def made(index: RunIndex) -> T:
        held: dict[str, Any] = index.__dict__
        if name not in held:
            held[name] = make(index)
        return held[name]

    return made
