"""What is known of how a user likes to be helped, what it does, and what it comes from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from graph_schema.attention.words import DirectiveVerbosity, OperatingMode, PreferenceDimension
from service.access.viewer import Viewer
from service.attention import cypher
from service.attention.deciding.read import user_of
from service.attention.pipeline.facts import EVERY_SURFACE, Dimension
from service.attention.pipeline.gates import user_gates
from service.attention.pipeline.normalise import Context
from service.attention.rules.policies import our_rules
from service.clock import now, parse
from service.graph.database import Database
from service.views import Id, Linked, Time

_BANDS: Mapping[PreferenceDimension, tuple[str, str, str]] = {
    PreferenceDimension.cognitive_load_sensitivity: ("low", "medium", "high"),
    PreferenceDimension.guidance_density: ("sparse", "moderate", "dense"),
    PreferenceDimension.initiative_tolerance: ("user_led", "shared_control", "agent_led"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceTold:
    """What was told of a dimension once."""

    value: Annotated[float, "The value, from 0 to 1."]
    confidence: Annotated[float, "How sure that was."]
    at: Annotated[Time, "When."]
    event_id: Annotated[Id, "Id of the event that told it."]
    event: ClassVar = Linked("event_id", "The event that told it.", "AgentEvent")


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceNow:
    """A dimension of a user model. One of which nothing was told is 0.5, with a confidence of 0."""

    dimension: Annotated[PreferenceDimension, "The dimension."]
    value: Annotated[float, "Its value, from 0 to 1."]
    confidence: Annotated[float, "How sure that is, from 0 to 1."]
    band: Annotated[str, "The value in a word."]
    history: Annotated[tuple[PreferenceTold, ...], "All that was told of it, the latest first: its evidence."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceMode:
    """How far an agent may go on a surface."""

    surface: Annotated[str, "The component; * for all that have none of their own."]
    mode: Annotated[OperatingMode, "How far."]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserModelNow:
    """How you like to be helped, and what that means."""

    owner_id: Annotated[Id, "Principal whose model it is."]
    model_id: Annotated[Id | None, "Id of the record; null while nothing was told."]
    dimensions: Annotated[tuple[PreferenceNow, ...], "What is known of it."]
    max_directives: Annotated[int, "Directives that may be open at once."]
    verbosity: Annotated[DirectiveVerbosity, "How much a directive says."]
    proactive_allowed: Annotated[bool, "Whether suggestions that you did not ask for are raised."]
    modes: Annotated[tuple[SurfaceMode, ...], "How far agents may go where; everywhere else they only watch."]
    record: ClassVar = Linked("model_id", "The record, with its former states.", "UserModel")


class UserModels:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def own(self, viewer: Viewer) -> UserModelNow:
        asked = {"owner": viewer.principal_id, "audiences": viewer.audiences}
        row = await self._database.read_one(cypher.USER_MODEL, **asked) or {"model": None, "told": []}
        modes = await self._database.read_one(cypher.MODES_OF, **asked)
        user = user_of(row["model"])
        gates = user_gates(user, our_rules().gates, Context("", parse(now()), (), ended=True))
        return UserModelNow(
            owner_id=viewer.principal_id,
            model_id=row["model"]["id"] if row["model"] else None,
            dimensions=tuple(_dimension(one, user[one], row["told"]) for one in PreferenceDimension),
            max_directives=gates.max_directives,
            verbosity=gates.verbosity,
            proactive_allowed=gates.proactive_allowed,
            modes=_modes(modes["modes"] if modes else []),
        )


def _dimension(one: PreferenceDimension, known: Dimension, told: Sequence[Mapping[str, Any]]) -> PreferenceNow:
    history = [each for each in told if each["dimension"] == one]
    return PreferenceNow(
        dimension=one,
        value=known.value,
        confidence=known.confidence,
        band=_BANDS[one][0 if known.value < 0.3 else 1 if known.value < 0.7 else 2],
        history=tuple(
            PreferenceTold(value=each["value"], confidence=each["confidence"], at=each["at"], event_id=each["event_id"])
            for each in history
        ),
    )


def _modes(found: Sequence[Sequence[str]]) -> tuple[SurfaceMode, ...]:
    held = {EVERY_SURFACE: OperatingMode.shadow.value, **{one[0]: one[1] for one in found}}
    return tuple(SurfaceMode(surface=one, mode=OperatingMode(mode)) for one, mode in sorted(held.items()))
