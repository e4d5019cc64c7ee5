"""What must hold before an artifact goes further. Plain functions over facts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graph_schema.memory.policies import IngestionReason
from graph_schema.memory.words import ArtifactState, Endpoint, IntakeLevel
from service.commands import RecordRef
from service.commands.work import State
from service.memory.intake.endpoints import ENDPOINTS
from service.memory.intake.errors import EndpointAmbiguous, PolicyContradicts
from service.memory.intake.policies import Holding, Saying
from service.memory.promotion.errors import ArtifactCompacted, LibraryMissing, NotFurther
from service.memory.reporting.errors import PromotionNotAllowed
from service.memory.reporting.intake import rank
from service.records.stamps import read_marks, write_marks

Values = Mapping[str, Any]
_GONE = frozenset({ArtifactState.compacted, ArtifactState.deleted, ArtifactState.expired})


@dataclass(frozen=True, slots=True)
class Wish:
    """How far somebody wants an artifact to go, and where it is to end up."""

    level: IntakeLevel | None = None
    endpoint: Endpoint | None = None
    destination: str | None = None
    summary: str | None = None
    work_product_name: str | None = None
    previous_work_product: RecordRef | None = None
    library: RecordRef | None = None
    ingestion_reason: IngestionReason = IngestionReason.user_requested
    reason: str | None = None

    def content(self) -> dict[str, Any]:
        """All of it, for telling one command from another."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return {name: str(one) for name, one in values.items() if one is not None}

    def refs(self) -> list[RecordRef]:
        named = {"previousWorkProduct": self.previous_work_product, "library": self.library}
        for field, ref in named.items():
            if ref is not None:
                ref.check(field)
        return [ref for ref in named.values() if ref is not None]


def check_allowed(run: Values, artifact: State) -> None:
    """A run's policy says whether its artifacts may become memory later. Of an ephemeral run none ever does."""
    if not run["user_can_retroactively_promote"]:
        raise PromotionNotAllowed(run["memory_mode"])
    if artifact.properties.get("artifact_state") in _GONE:
        raise ArtifactCompacted(artifact.id)


def check_further(artifact: State, level: IntakeLevel) -> None:
    held = IntakeLevel(artifact.properties["intake_level"])
    if rank(level) <= rank(held):
        raise NotFurther(held, level)


def settled_endpoint(wish: Wish, level: IntakeLevel) -> Endpoint | None:
    """Where it ends up. Where several ends are possible one has to be named."""
    possible = ENDPOINTS[level]
    if wish.endpoint is None and len(possible) > 1:
        raise EndpointAmbiguous(level, ", ".join(possible))
    if wish.endpoint is not None and wish.endpoint not in possible:
        raise PolicyContradicts("endpoint", f"{wish.endpoint} is where {level} never leads")
    if wish.endpoint is Endpoint.user_file_location and not wish.destination:
        raise PolicyContradicts("destination", "say where the file is to be")
    if level is IntakeLevel.doc73_library_ingestion and wish.library is None:
        raise LibraryMissing
    return wish.endpoint or next(iter(possible), None)


def review_asked_by(holding: Holding, level: IntakeLevel) -> Saying | None:
    """The policy that wants a person to look before anything goes so far."""
    above = holding.first("user_review_required_above_level")
    return above if above is not None and rank(level) > rank(IntakeLevel(above.said)) else None


def stamped(artifact: State, values: Values, at: str, receipt_id: str) -> dict[str, Any]:
    """The values with their mark: what somebody decided stands, whatever an executor still reports about it."""
    marks = read_marks(artifact.properties.get("stamps", ()))
    marks.update(dict.fromkeys(values, f"~{at} 5 {receipt_id}"))
    return {**values, "stamps": write_marks(marks)}
