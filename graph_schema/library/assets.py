"""Task assets: what can be run, and what new tasks are made from."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from pydantic import Field as PydanticField

from graph_schema.library.words import ASSET_STATES, BUNDLE_STATES, SourceKind
from graph_schema.memory.runs import Reported
from graph_schema.memory.words import MemoryMode
from graph_schema.model.fields import EvidenceLayer, Key, Keys, Text, Texts, Words, field
from graph_schema.model.record import Record

MemoryModes = Annotated[list[MemoryMode], PydanticField(max_length=len(MemoryMode))]


class Called(Record):
    """What people call by its name, or by another that they use for it."""

    named = True

    aliases: Words = field("Other names that people use for it.", make=list, fulltext=True)


class Phrased(Record):
    """What assets share that are found by what people say. Each of these texts is a phrase of the graph, too."""

    phrased = True

    trigger_phrases: Texts = field("What people say when they want it.", make=list)
    semantic_lookup_phrases: Texts = field("Other ways to ask for it.", make=list)
    use_conditions: Texts = field("When to use it.", make=list)
    non_use_conditions: Texts = field("When not to use it.", make=list)


class Task(Reported, Called):
    """A saved piece of work that can be run."""

    label = "Task"
    plural = "tasks"
    prefix = "task"
    layer = EvidenceLayer.run_truth
    colour = "#ecb5c9"
    saved = True
    ordered_by = ("name", "updated_at")
    states = ASSET_STATES

    description: Text | None = field("What it does.", default=None, fulltext=True)
    task_type: Key | None = field("What type of task it is.", default=None, filtered=True)
    reusable: bool = field("Whether it is meant to be used again, like a template.", default=False, filtered=True)
    scheduled: bool = field("Whether a schedule runs it.", default=False, filtered=True)
    trigger_enabled: bool = field("Whether an event of the outside world runs it.", default=False, filtered=True)
    archived: bool = field("Whether it was put away.", default=False, filtered=True)
    user_facing_label: Key | None = field(
        "What people call it, from the four facts before.", default=None, authored=False, filtered=True
    )
    graph_hash: Key | None = field("Hash of its present graph.", default=None, authored=False, indexed=True)


class Template(Reported, Called, Phrased):
    """A task that others are made from: a graph, what it is for, and how it is found."""

    label = "Template"
    plural = "templates"
    prefix = "tpl"
    layer = EvidenceLayer.run_truth
    colour = "#da7194"
    carded = True
    saved = True
    ordered_by = ("name", "updated_at")
    states = ASSET_STATES

    description: Text | None = field("What it does, in a few sentences.", default=None, fulltext=True)
    task_type: Key | None = field("What type of task it is.", default=None, filtered=True)
    domain_tags: Words = field("Fields of work that it belongs to.", make=list, fulltext=True)
    document_archetypes: Words = field("Kinds of document that it is about.", make=list, fulltext=True)
    work_context_tags: Words = field("Contexts of work that it belongs to.", make=list)
    expected_inputs: Words = field("What it needs, by kind.", make=list)
    expected_outputs: Words = field("What it makes, by kind.", make=list, fulltext=True)
    default_output_archetypes: Words = field("The shapes of what it makes by default.", make=list)
    step_names: Words = field("What its steps are called.", make=list, fulltext=True)
    connector_requirements: Words = field("Connectors that it needs.", make=list, fulltext=True)
    side_effect_classes: Words = field("Classes of side effect that it has.", make=list)
    possible_side_effect_classes: Words = field(
        "Classes of side effect that it may have, as far as is known of its parts.", make=list
    )
    memory_modes: MemoryModes = field("Memory modes that its runs may have; none given means all.", make=list)
    memory_artifact_policy_summary: Text | None = field("What of its runs is remembered.", default=None)
    evaluation_plan_summary: Text | None = field("How its results are judged.", default=None)
    known_strengths: Texts = field("What it does well.", make=list)
    known_limitations: Texts = field("What it does not do well.", make=list)
    executable_template_ref: Key | None = field("Where the executable template is kept.", default=None)
    graph_hash: Key | None = field("Hash of its present graph.", default=None, authored=False, indexed=True)
    imported_hash: Key | None = field(
        "Hash of the workflow that it was last imported from, as it came.", default=None, authored=False
    )
    imported_words_hash: Key | None = field(
        "Hashes of what the source called it and said of it when it was last imported.", default=None, authored=False
    )
    blueprint_hash: Key | None = field("Hash of its present blueprint.", default=None, authored=False)
    follows_task_id: Key | None = field(
        "The reusable task that it was made for and is kept in step with.", default=None, authored=False
    )
    source_authority: SourceKind = field("Who or what says so.", default=SourceKind.architect_authored, filtered=True)


class Preset(Called, Phrased):
    """A saved configuration of one type of module."""

    label = "Preset"
    plural = "presets"
    prefix = "pre"
    layer = EvidenceLayer.run_truth
    colour = "#e8a33d"
    carded = True
    saved = True
    ordered_by = ("name", "updated_at")
    states = ASSET_STATES

    module_type: Key = field("The type of module that it configures.", filtered=True)
    description: Text | None = field("What it does.", default=None, fulltext=True)
    role_in_workflow: Text | None = field("What part it plays in a task.", default=None, fulltext=True)
    expected_input_kinds: Words = field("What it takes.", make=list)
    expected_output_kinds: Words = field("What it makes.", make=list, fulltext=True)
    output_shape_summary: Text | None = field("The shape of what it makes.", default=None)
    compatible_task_types: Words = field("Types of task that it fits.", make=list)
    incompatible_task_types: Words = field("Types of task that it does not fit.", make=list)
    config_summary: Text | None = field("How it is configured, in words.", default=None)
    config: Text | None = field("The configuration, as JSON.", default=None)
    config_hash: Key | None = field("Hash of the configuration.", default=None, authored=False, indexed=True)
    why_this_preset_exists: Text | None = field("Why it was made.", default=None)
    known_strengths: Texts = field("What it does well.", make=list)
    known_limitations: Texts = field("What it does not do well.", make=list)
    common_misuses: Texts = field("How it is used wrongly.", make=list)
    executable_preset_ref: Key | None = field("Where the executable preset is kept.", default=None)
    source_authority: SourceKind = field("Who or what says so.", default=SourceKind.architect_authored, filtered=True)


class TemplateGroup(Record):
    """Templates that belong together, with what they share."""

    label = "TemplateGroup"
    plural = "template_groups"
    prefix = "grp"
    layer = EvidenceLayer.memory
    colour = "#a94f73"
    saved = True
    ordered_by = ("name",)
    states = BUNDLE_STATES

    description: Text = field("What the family of templates is for.", default="", fulltext=True)
    domain_tags: Words = field("Fields of work that it belongs to.", make=list)
    task_type_tags: Words = field("Types of task in it.", make=list)
    default_output_archetypes: Words = field("The shapes of what all of them make by default.", make=list)
    shared_connector_requirements: Words = field("Connectors that all of them need.", make=list)
    shared_artifact_policy_ref: Key | None = field("Where their common artifact policy is kept.", default=None)
    shared_assessment_plan_ref: Key | None = field("Where their common assessment plan is kept.", default=None)
    shared_judge_rubric_refs: Keys = field("Where their common rubrics are kept.", make=list)
    shared_eval_dataset_refs: Keys = field("Where their common evaluation data is kept.", make=list)
    sample_input_refs: Keys = field("Where sample inputs are kept.", make=list)
    example_output_refs: Keys = field("Where example outputs are kept.", make=list)
    setup_guidance: Text | None = field("How to set the family up.", default=None)
    handoffs: Texts = field("Which of them follows which, and with what.", make=list)
    known_limitations: Texts = field("What it does not do well.", make=list)


class Segment(Phrased):
    """A saved group of modules and cables that can be put into other graphs."""

    label = "Segment"
    plural = "segments"
    prefix = "seg"
    layer = EvidenceLayer.run_truth
    colour = "#c78fd1"
    events: ClassVar[Mapping[str, str]] = {"created": "task.segment.created", "updated": "task.segment.updated"}
    carded = True
    ordered_by = ("name",)
    states = BUNDLE_STATES

    description: Text | None = field("What it does.", default=None, fulltext=True)
    task_type: Key | None = field("Type of task that it is taken from.", default=None, filtered=True)
    required_input_ports: Keys = field("Ports that must be fed, as module and port.", make=list, authored=False)
    exposed_output_ports: Keys = field("Ports that it offers, as module and port.", make=list, authored=False)
    structure_hash: Key | None = field("Hash of its shape.", default=None, authored=False, indexed=True)
    artifact_policy_ref: Key | None = field("Where its artifact policy is kept.", default=None)
    evaluation_expectations_ref: Key | None = field("Where its evaluation expectations are kept.", default=None)
