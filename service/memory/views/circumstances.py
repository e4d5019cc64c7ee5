"""What held while a run worked and what came after it: snapshots, checkpoints, sessions, forks, follow-ups."""

from graph_schema.context.records import ContextPacket
from graph_schema.context.relations import Injected
from graph_schema.memory import continuation, runs, snapshots
from service.memory.views.reading import fact, read_from

Ids = tuple[str, ...]


@fact
class Snapshot(read_from(snapshots.Snapshot)):
    held_for: Ids = ()
    """Run, activations, spans and deliveries that were done under it."""


@fact
class Packet(read_from(ContextPacket, only=("id", "name", "module_key", "activation_seq", "actual_tokens"))):
    """What a module was given to know at one activation. What it holds is told by its receipts."""


_RECEIPT = ("kind", "stage", "score", "threshold", "explanation", "layer", "rank", "via", "tokens")


@fact
class PacketReceipt(read_from(Injected, only=_RECEIPT)):
    """That a packet holds a record; or that it was kept out, with the reason, and then in no layer."""

    packet_id: str = ""
    id: str = ""
    name: str = ""
    injected: bool = True
    reason: str | None = None
    count: int = 1


@fact
class Checkpoint(read_from(snapshots.Checkpoint)):
    """A state that the run can go on from."""


@fact
class Session(read_from(runs.Session)):
    """A session that a module ran in."""


@fact
class Intervention(read_from(runs.Intervention)):
    """What a person asked of a module while it ran."""


@fact
class Fork(read_from(continuation.Fork, also=("created_at",))):
    """A request to run part of the run again."""

    child_run_ids: Ids = ()


@fact
class FollowUp(read_from(continuation.FollowUp, also=("created_at",))):
    """Something that took up what a module had done."""

    artifact_ids: Ids = ()

    @property
    def module_key(self) -> str:
        return self.source_module_key

    @property
    def activation_seq(self) -> int:
        return self.source_activation_seq


@fact
class ForkedRun(read_from(runs.Run, only=("id", "name", "status"))):
    """The run that this one was forked from, or one that was forked from it."""

    is_parent: bool = False
