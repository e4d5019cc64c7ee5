"""The parts of a module type: its ports, and what can be set."""

from graph_schema.knowledge.words import ConfigKind, PortDirection, PortKind
from graph_schema.model.fields import EvidenceLayer, Key, Keys, Text, field
from graph_schema.model.record import Record


class Port(Record):
    """A port of a module type: where something comes in or goes out."""

    label = "Port"
    plural = "ports"
    prefix = "port"
    layer = EvidenceLayer.memory
    colour = "#f3dfa2"

    module_type: Key = field("The type of module that has it.", filtered=True, authored=False)
    port_name: Key = field("What cables call it.", filtered=True, authored=False)
    direction: PortDirection = field("Which way things pass.", authored=False)
    port_kind: PortKind = field("What passes.", authored=False)
    required: bool = field("Whether a module cannot do without it.", default=False, authored=False)
    description: Text = field("What passes, in a sentence.", default="", authored=False)
    place: int = field("Its place among the ports of its direction, from 1.", default=1, authored=False, ge=1)


class ConfigField(Record):
    """What can be set of modules of a type."""

    label = "ConfigField"
    plural = "config_fields"
    prefix = "cfg"
    layer = EvidenceLayer.memory
    colour = "#e9cf85"

    module_type: Key = field("The type of module that has it.", filtered=True, authored=False)
    field_name: Key = field("What configurations call it.", filtered=True, authored=False)
    config_kind: ConfigKind = field("What can be set.", authored=False)
    required: bool = field("Whether it must be set.", default=False, authored=False)
    default_value: Text | None = field("What holds where it is not set.", default=None, authored=False)
    choices: Keys = field("What can be chosen.", make=list, authored=False)
    minimum: float | None = field("The least that it may be.", default=None, authored=False)
    maximum: float | None = field("The most that it may be.", default=None, authored=False)
    description: Text = field("What it does, in a sentence.", default="", authored=False)
    place: int = field("Its place among the fields, from 1.", default=1, authored=False, ge=1)
