"""How somebody likes to be helped, and how far agents may go for them."""

from typing import Any

from graph_schema.attention.words import DirectiveState, OperatingMode, PreferenceDimension
from graph_schema.model.fields import EvidenceLayer, Key, Text, Texts, Timestamp, field
from graph_schema.model.record import Properties, Record

UNKNOWN = 0.5
"""The value of a dimension of which nothing is known; its confidence is 0."""

_VALUE: dict[str, Any] = {"default": UNKNOWN, "authored": False, "ge": 0, "le": 1}
_SURE: dict[str, Any] = {"default": 0.0, "authored": False, "ge": 0, "le": 1}


class UserModel(Record):
    """What its owner has told of how they like to be helped."""

    label = "UserModel"
    plural = "user_models"
    prefix = "usmo"
    layer = EvidenceLayer.memory
    colour = "#b58db8"
    natural_key = ("owner_id",)

    owner_id: Key = field("Principal whose model it is.", filtered=True, authored=False)
    cognitive_load_sensitivity: float = field("How soon it becomes too much, from 0 to 1.", **_VALUE)
    cognitive_load_sensitivity_confidence: float = field("How sure that is.", **_SURE)
    guidance_density: float = field("How much explanation is welcome, from 0 to 1.", **_VALUE)
    guidance_density_confidence: float = field("How sure that is.", **_SURE)
    initiative_tolerance: float = field("How welcome unasked suggestions are, from 0 to 1.", **_VALUE)
    initiative_tolerance_confidence: float = field("How sure that is.", **_SURE)
    stamps: Texts = field("The events that its values came from.", make=list, hidden=True)


class ToldOf(Properties):
    """What an event told of a dimension."""

    dimension: PreferenceDimension = field("The dimension.")
    value: float = field("The value, from 0 to 1.", ge=0, le=1)
    confidence: float = field("How sure it is, from 0 to 1.", ge=0, le=1)
    at: Timestamp = field("When it was so.")


class SetAside(Properties):
    """What somebody made of a thing in their inbox. It holds for what has waited since before."""

    answer: DirectiveState = field("What: dismissed, acted or snoozed.")
    answered_at: Timestamp = field("When.")
    until: Timestamp | None = field("Until when it is put off.", default=None)
    note: Text | None = field("What they said with it.", default=None)


class AttentionMode(Record):
    """How far an agent may go on a surface for a user. Without one it only watches."""

    label = "AttentionMode"
    plural = "attention_modes"
    prefix = "atmo"
    layer = EvidenceLayer.memory
    colour = "#8f6fa3"
    natural_key = ("owner_id", "surface")

    owner_id: Key = field("Principal for whom it holds.", filtered=True, authored=False)
    surface: Key = field("The component; * for all that have none of their own.", filtered=True, authored=False)
    mode: OperatingMode = field("How far an agent may go.", filtered=True, authored=False)
    reason: Text | None = field("Why.", default=None, authored=False)
