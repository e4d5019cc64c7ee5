"""What a viewer may see of one run. Loaded once (`load_run`); everything that is said of a run is made from this.

What the viewer may not see is not in here, so nothing made from it can tell of it. References between facts are ids,
and the record that an id names may be absent. What a record declares is in the registry; here stands what is known of
it beside that: what it is linked to, and how it was used.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from graph_schema.memory import runs
from service.memory.views.circumstances import (
    Checkpoint,
    FollowUp,
    Fork,
    ForkedRun,
    Intervention,
    Packet,
    PacketReceipt,
    Session,
    Snapshot,
)
from service.memory.views.reading import fact, read_from

Ids = tuple[str, ...]


class Part(StrEnum):
    """What is loaded together, by one statement each; only receipts of packets come with what was held."""

    run = "run"
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
    became: Ids = ()
    """Work products that it became."""


@fact
class Delivery(read_from(runs.Delivery)):
    activation_id: str | None = None
    artifact_id: str | None = None


@dataclass(frozen=True, slots=True)
class RunFacts:
    """`loaded` says which parts were asked for; `cut` names the lists of which there is more than is held here."""

    run: Run
    task: Named | None = None
    template: Named | None = None
    about: tuple[Named, ...] = ()
    goals: tuple[GoalLink, ...] = ()
    documents: tuple[DocumentUse, ...] = ()
    feedback: tuple[Named, ...] = ()
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
    loaded: frozenset[Part] = field(default_factory=lambda: frozenset(Part))
    cut: frozenset[str] = frozenset()
