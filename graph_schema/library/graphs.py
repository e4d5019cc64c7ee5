"""Graphs of tasks: modules and cables, frozen as snapshots, and the catalogue of module types."""

from graph_schema.library.words import ModuleFamily
from graph_schema.memory.runs import Reported
from graph_schema.model.fields import EvidenceLayer, Key, Keys, Opaque, Text, Texts, Words, field
from graph_schema.model.record import Record


class GraphSnapshot(Record):
    """The graph of a task as it was when it was saved. The same graph of the same readers is the same snapshot."""

    label = "GraphSnapshot"
    plural = "graph_snapshots"
    prefix = "graph"
    layer = EvidenceLayer.run_truth
    colour = "#b1a7d8"

    graph_hash: Key = field("Hash of its modules, settings and cables.", authored=False, indexed=True)
    module_count: int = field("How many modules it has.", default=0, authored=False, ge=0)
    cable_count: int = field("How many cables it has.", default=0, authored=False, ge=0)
    settings: Opaque | None = field("Settings of the whole graph, as JSON.", default=None)
    extra: Opaque | None = field("What its origin says beyond modules and cables, as JSON.", default=None)


class Module(Reported):
    """One module of a task's graph."""

    label = "Module"
    plural = "modules"
    prefix = "mod"
    layer = EvidenceLayer.run_truth
    colour = "#ffc454"

    module_key: Key = field("The module, as the executor calls it.", indexed=True)
    task_key: Key | None = field("The task that it belongs to, as the executor calls it.", default=None, indexed=True)
    module_type: Key | None = field("The type of module in the catalogue.", default=None, filtered=True)
    purpose: Text | None = field("What it is for.", default=None)
    config: Opaque | None = field("Its configuration, as JSON.", default=None)
    config_hash: Key | None = field("Hash of its configuration.", default=None, authored=False)
    autonomy: Key | None = field("How much it does without being asked: manual, partial or full.", default=None)
    input_ports: Keys = field("Ports that it takes from.", make=list)
    output_ports: Keys = field("Ports that it gives to.", make=list)
    disabled: bool = field("Whether it is switched off.", default=False)


class ModuleType(Record):
    """A type of module in the catalogue."""

    label = "ModuleType"
    plural = "module_types"
    prefix = "mtype"
    layer = EvidenceLayer.memory
    colour = "#e3c56b"
    carded = True
    saved = True
    ordered_by = ("name",)

    module_type: Key = field("The type, as graphs name it.", indexed=True)
    family: ModuleFamily = field("The family that it belongs to.", filtered=True)
    purpose: Text = field("What modules of this type are for.", default="", fulltext=True)
    when_to_use: Texts = field("When to use one.", make=list)
    when_not_to_use: Texts = field("When not to use one.", make=list)
    common_patterns: Texts = field("How it is commonly used.", make=list)
    common_mistakes: Texts = field("How it is commonly misused.", make=list)
    input_ports: Keys = field("Ports that it takes from.", make=list)
    output_ports: Keys = field("Ports that it gives to.", make=list)
    config_summary: Text | None = field("What can be set.", default=None)
    side_effect_behavior: Text | None = field("What it does to the outside world.", default=None)
    side_effect_classes: Words = field("Classes of side effect that it has.", make=list)
    model_facing: bool = field("Whether it asks a model.", default=False, filtered=True)
    waits_for_person: bool = field("Whether it waits until a person has decided.", default=False)
    bounds_loops: bool = field("Whether a loop that goes through it comes to an end.", default=False)
    comparison_aware: bool = field("Whether it can work on several variants beside each other.", default=False)
    context_behavior: Text | None = field("What it does with context.", default=None)
    chain_history_behavior: Text | None = field("What it sees of the steps before.", default=None)
    session_behavior: Text | None = field("What becomes of its session.", default=None)
    compatible_modules: Keys = field("Types that it is commonly joined with.", make=list)
    incompatible_patterns: Texts = field("Shapes that it does not fit into.", make=list)
