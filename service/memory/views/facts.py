"""What a viewer may see of one run. Loaded once (`load_run`); everything that is said of a run is made from this.

What the viewer may not see is not in here, so nothing made from it can tell of it. References between facts are ids,
and the record that an id names may be absent. What a record declares is in the registry; here stands what is known of
it beside that: what it is linked to, and how it was used.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from graph_schema.memory import runs
from graph_schema.memory.words import StepStatus
from service.memory.places import place_of
from service.memory.views.circumstances import (
    Checkpoint,
    FollowUp,
    Fork,
    ForkedRun,
    ForkEffect,
    Intervention,
    Packet,
    PacketReceipt,
    Session,
    Snapshot,
)
from service.memory.views.reading import fact, read_from
from service.memory.views.words import MICROS

Ids = tuple[str, ...]


class Part(StrEnum):
    """What is loaded together, by one statement each; only receipts of packets come with what was held.

    `brief` is what the head of a run and its status tell, however large it is; `flow` and what follows are whole lists.
    """

    run = "run"
    brief = "brief"
    flow = "flow"
    trace = "trace"
    made = "made"
    held = "held"
    receipts = "receipts"


@dataclass(frozen=True, slots=True)
class Named:
    """A record beside the run: its task, an entity, a document."""

    id: str
    name: str
    kind: str
    state: str | None = None
    """Where its definition stands, of a task."""


@dataclass(frozen=True, slots=True)
class SavedModule:
    """A module of the saved graph that the run goes through."""

    id: str
    module_key: str
    name: str
    module_type: str | None = None
    disabled: bool = False
    begun: bool = False
    """Whether it was activated in this run."""
    leads_to: Ids = ()
    """Keys of the modules that its cables lead to."""


@dataclass(frozen=True, slots=True)
class SavedGraph:
    id: str
    modules: tuple[SavedModule, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How many steps there are, of those that the viewer may see; counted where they are kept."""

    total: int = 0
    running: int = 0
    waiting: int = 0
    success: int = 0
    error: int = 0
    skipped: int = 0
    cancelled: int = 0
    named: int = 0
    """Steps that others only named."""
    modules: int = 0
    costed: int = 0
    """Steps whose cost is known."""
    spent: int = 0
    """What these cost, in millionths of a dollar."""
    outside: int | None = None
    """The same of operations outside them."""
    whole: int | None = None
    """The same of it all, as the span of the run says."""

    def of(self, status: StepStatus) -> int:
        return self.pending if status is StepStatus.pending else getattr(self, status.value)

    @property
    def pending(self) -> int:
        return self.total - self.running - self.waiting - self.ended

    @property
    def ended(self) -> int:
        return self.success + self.error + self.skipped + self.cancelled

    @property
    def cost_usd(self) -> float | None:
        """What it all cost, as far as that is known."""
        if self.costed or self.outside is not None:
            return (self.spent + (self.outside or 0)) / MICROS
        return None if self.whole is None else self.whole / MICROS


@dataclass(frozen=True, slots=True)
class GoalLink:
    id: str
    name: str
    pursued: bool
    effect: str | None = None


@dataclass(frozen=True, slots=True)
class DocumentUse:
    """A document that came in, was fetched or was opened, by the run or by one of its activations."""

    id: str
    name: str
    kind: str
    how: str
    activation_id: str | None = None


@dataclass(frozen=True, slots=True)
class CapabilityUse:
    id: str
    name: str
    activation_id: str
    calls: int = 0
    errors: int = 0


@dataclass(frozen=True, slots=True)
class Consumption:
    """What an activation worked from: an artifact (of this run or another), a document or a work product."""

    id: str
    name: str
    kind: str
    activation_id: str
    storage_ref: str | None = None
    artifact_kind: str | None = None
    run_id: str | None = None


_COUNTED = ("cost_usd", "activation_count", "running_count", "waiting_count", "error_count")
"""What a run's record adds up over all its activations, also over those that the viewer may not see."""


@fact
class Run(read_from(runs.Run, also=("updated_at",), without=_COUNTED)):
    undescribed: bool = False
    """Whether it names something that nobody has described, where the viewer may not look."""
    blueprint_id: str | None = None
    """The blueprint that its executor named, else that of its task or template."""


@fact
class Activation(read_from(runs.Activation)):
    module_id: str | None = None
    triggered: Ids = ()
    """Activations that followed it."""
    caused_by: Ids = ()
    """Those that set it going, where only some of the run's are at hand."""
    repeated: bool = False
    """Whether its module is known to have been activated more than once."""

    @property
    def place(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride] - what is stored is hidden, and not read
        return place_of(self.started_at, self.waiting_since, self.completed_at, self.module_key, self.activation_seq)


@fact
class Gate(read_from(runs.Gate)):
    activation_ids: Ids = ()


@fact
class Span(read_from(runs.Span)):
    parent_id: str | None = None
    activation_id: str | None = None
    artifact_ids: Ids = ()
    """Artifacts that it had to do with."""


@fact
class NativeEvent(read_from(runs.NativeEvent)):
    """What an agent's own runtime said."""


@fact
class Artifact(read_from(runs.Artifact)):
    """What the run made or received, evaluation evidence among it."""

    activation_id: str | None = None
    evaluates: Ids = ()
    """Artifacts that it is evaluation evidence about."""
    evaluated: bool = False
    """Whether some evidence is about it."""
    became: Ids = ()
    """Work products that it became."""
    delivered_by: Ids = ()
    """Its deliveries, also those of other runs."""
    arrived: bool = False
    """Whether one of these was delivered."""


@fact
class Delivery(read_from(runs.Delivery)):
    activation_id: str | None = None
    artifact_id: str | None = None


@dataclass(frozen=True, slots=True)
class RunFacts:
    """`loaded` says which parts were asked for; `cut` names the lists of which there is more than is held here.

    With the brief part alone, lists hold what that tells, and not all of the run.
    """

    run: Run
    task: Named | None = None
    template: Named | None = None
    graph: SavedGraph | None = None
    tally: Tally | None = None
    audience: str | None = None
    """The audience of all its steps; none where they have several."""
    steps_undescribed: bool = False
    about: tuple[Named, ...] = ()
    goals: tuple[GoalLink, ...] = ()
    documents: tuple[DocumentUse, ...] = ()
    feedback: tuple[Named, ...] = ()
    assessments: tuple[Named, ...] = ()
    """The newest first."""
    signals: tuple[Named, ...] = ()
    activations: tuple[Activation, ...] = ()
    gates: tuple[Gate, ...] = ()
    capabilities: tuple[CapabilityUse, ...] = ()
    spans: tuple[Span, ...] = ()
    native_events: tuple[NativeEvent, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    consumed: tuple[Consumption, ...] = ()
    deliveries: tuple[Delivery, ...] = ()
    snapshots: tuple[Snapshot, ...] = ()
    packets: tuple[Packet, ...] = ()
    receipts: tuple[PacketReceipt, ...] = ()
    checkpoints: tuple[Checkpoint, ...] = ()
    sessions: tuple[Session, ...] = ()
    interventions: tuple[Intervention, ...] = ()
    forks: tuple[Fork, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    forked_runs: tuple[ForkedRun, ...] = ()
    fork_effects: tuple[ForkEffect, ...] = ()
    loaded: frozenset[Part] = field(default_factory=lambda: frozenset(Part))
    cut: frozenset[str] = frozenset()
    cut_in_brief: frozenset[str] = frozenset()
    """The same of what the brief part holds."""
