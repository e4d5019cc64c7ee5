"""Assets as matching weighs them. A reader loads them; nothing here knows the graph."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from graph_schema.library.words import CapabilityState, DirectiveKind
from graph_schema.model.record import LifecycleState
from service.matching.calibration import KnownBy


class AssetKind(StrEnum):
    """A kind of asset that can be matched."""

    template = "template"
    preset = "preset"
    pattern = "pattern"
    case = "case"
    blueprint = "blueprint"
    segment = "segment"

    @property
    def label(self) -> str:
        return self.value.capitalize()


KINDS = tuple(one.label for one in AssetKind)
"""What can be matched, in the order in which it is looked for before something new is made."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How request and asset compare. Cosines are None when the asset's vectors are behind its text.

    `second` is the cosine of the second model with the card, for what has no phrases.
    """

    cosine: float | None
    nearest: float | None
    lexical: float
    members: int
    cohesion: float | None
    second: float | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition under which the asset is not to be used, and its cosine with the request."""

    text: str
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Directive:
    """What was taught about one asset. With `limited_to` it holds only where the request is about one of these."""

    id: str
    kind: DirectiveKind
    phrase_or_condition: str
    confidence: float = 1.0
    state: LifecycleState = LifecycleState.active
    limited_to: tuple[str, ...] | None = None
    meant: bool = False
    """Whether the request is as near to the phrase as one that says the same in other words."""


@dataclass(frozen=True, slots=True)
class Preference:
    """A preference overlay that bears on the asset, and whether it speaks for it."""

    text: str
    supports: bool = True


@dataclass(frozen=True, slots=True)
class Purpose:
    """What the record of an asset says that it is for, in its own words. None of it is weighed."""

    task_type: str | None = None
    document_archetypes: tuple[str, ...] = ()
    domain_tags: tuple[str, ...] = ()
    expected_outputs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asset:
    """An asset as far as the viewer may see it. None: its record does not say.

    `usage_count`, `completed` and `ended` are of its last runs, and no more of those were looked at than `LAST_RUNS`.
    """

    id: str
    kind: str
    name: str
    likeness: Likeness
    version: int = 1
    lifecycle: LifecycleState = LifecycleState.active
    author_id: str | None = None
    nearest_phrase: str | None = None
    task_types: tuple[str, ...] = ()
    wrong_task_types: tuple[str, ...] = ()
    expected_inputs: tuple[str, ...] | None = None
    expected_outputs: tuple[str, ...] | None = None
    output_archetypes: tuple[str, ...] = ()
    side_effects: tuple[str, ...] = ()
    possible_side_effects: tuple[str, ...] = ()
    """What it may do, as far as is known of its parts."""
    steps: tuple[str, ...] = ()
    """What its first steps are called."""
    requires: tuple[str, ...] = ()
    capability_states: tuple[tuple[str, CapabilityState], ...] = ()
    memory_modes: tuple[str, ...] | None = None
    entity_ids: tuple[str, ...] = ()
    non_use: tuple[Condition, ...] = ()
    directives: tuple[Directive, ...] = ()
    preferences: tuple[Preference, ...] = ()
    completed: int = 0
    ended: int = 0
    assessed: int = 0
    worth: float | None = None
    """What its runs came to together, where some of them were assessed."""
    assessed_highly: bool = False
    usage_count: int = 0
    last_used_at: datetime | None = None
    group: tuple[str, ...] = ()
    imported: bool = False
    sources: tuple[tuple[str, str], ...] = ()
    """What the facts were read from beside the asset itself: an audience, and the id of one record that has it."""
    purpose: Purpose = Purpose()

    @property
    def known_by(self) -> KnownBy:
        if self.likeness.members > 1:
            return KnownBy.phrases
        return KnownBy.imported if self.imported else KnownBy.description
