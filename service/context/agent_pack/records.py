"""What is asked for an agent, and the pack that it is given: compact cards, each with the id to ask further by."""

from collections.abc import Sequence
from dataclasses import dataclass

from graph_schema.memory.continuation_words import Entrypoint
from service.commands import RecordRef


@dataclass(frozen=True, slots=True)
class PackRequest:
    """`run`: what it is about comes from the run's scope; otherwise from `about`. Neither: from no matter at all."""

    text: str
    entrypoint: Entrypoint
    run: RecordRef | None = None
    about: Sequence[RecordRef] = ()
    task_type: str | None = None
    request_ref: str | None = None
    conversation_ref: str | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """A record in one line: `detail` says what it is or why it is here."""

    id: str
    kind: str
    name: str
    detail: str = ""
    score: float | None = None


@dataclass(frozen=True, slots=True)
class WorkContext:
    matters: tuple[Card, ...]
    entities: tuple[Card, ...]
    goals: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class ArtifactContext:
    source_documents: tuple[Card, ...]
    prior_work_products: tuple[Card, ...]
    prior_task_runs: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CapabilityContext:
    """`unreported`: nobody has said whether they can be used, so nothing is claimed of them."""

    available: tuple[Card, ...]
    unavailable: tuple[Card, ...]
    policy_blocked: tuple[Card, ...]
    unreported: tuple[Card, ...]
    truncated: bool


@dataclass(frozen=True, slots=True)
class Constraints:
    memory_directives: tuple[Card, ...]
    security_policies: tuple[Card, ...]
    artifact_policies: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class AgentPack:
    pack_id: str
    request: PackRequest
    templates: tuple[Card, ...]
    presets: tuple[Card, ...]
    directives: tuple[Card, ...]
    work: WorkContext
    artifacts: ArtifactContext
    capabilities: CapabilityContext
    constraints: Constraints
