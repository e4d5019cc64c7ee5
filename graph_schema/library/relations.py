"""Relations of task assets and design knowledge."""

from graph_schema.model.fields import EvidenceLayer, Key, Opaque, Text, Timestamp, field
from graph_schema.model.record import Properties
from graph_schema.model.relation import End, Link, LinkModel, Relation

PHRASED = ("Template", "Preset", "Segment", "Pattern", "Case", "InvocationDirective", "Directive")
NEEDY = ("Blueprint", "StepIntent", "Template", "TemplateGroup", "Preset", "Segment", "Module", "Policy")
"""What may need a capability, or forbid it."""
IN_BLUEPRINT = ("Blueprint", "StepIntent")
"""What leads only where saveBlueprint says: all of that is in the blueprint's hash, and in its difference to before."""


class Ordered(Properties):
    """The place of a part in its whole."""

    order: int = field("Its place, from 1.", default=1, ge=1)


class Replaced(Properties):
    """Until when a link held."""

    replaced_at: Timestamp = field("When something else took its place.")


class Cable(Properties):
    """A cable between two modules."""

    cable_id: Key = field("What the graph calls the cable.")
    from_port: Key | None = field("The port that it leaves.", default=None)
    to_port: Key | None = field("The port that it enters.", default=None)


class Placed(Properties):
    """Which module of a segment it is."""

    segment_module_key: Key = field("What the segment calls the module.")
    placement: Key = field("The first key of the modules that were put in together.")


class Scoped(Properties):
    """How a saved scope came about."""

    role: Key | None = field("What part it plays.", default=None)
    via: Key | None = field("How it was bound.", default=None)
    accepted_by: Key | None = field("Who accepted it.", default=None)
    evidence: Text | None = field("On what evidence.", default=None)


class Steering(Properties):
    """How a directive bears on an asset."""

    kind: Key | None = field("prefer or avoid.", default=None)


class Teaching(Properties):
    """Whether a lesson says what to do or what not to do."""

    anti: bool = field("Whether it is a lesson of what not to do.", default=False)


class Weighed(Properties):
    """How a candidate did in a match."""

    rank: int = field("Its place, from 1; losers follow.", ge=1)
    score: float = field("Its overall score.")
    version: int = field("Its version at the time.", ge=1)
    vetoed: bool = field("Whether it could not be used at all.", default=False)
    reason: Text | None = field("Why it won or lost, in a sentence.", default=None)
    facts: Opaque | None = field("What was known of it, as JSON. A replay reads this.", default=None, hidden=True)


def _memory(
    type_: str,
    tails: tuple[str, ...],
    heads: tuple[str, ...],
    reverse: str,
    description: str,
    *,
    link: LinkModel = Link,
    inherits: End | None = None,
    managed: bool = False,
    saved_with: tuple[str, ...] = (),
    layer: EvidenceLayer = EvidenceLayer.memory,
) -> Relation:
    return Relation(
        type_, tails, heads, reverse, description, layer, link, inherits, managed=managed, saved_with=saved_with
    )


def _part(type_: str, head: str, reverse: str, description: str, *, tail: str = "Blueprint") -> Relation:
    """A whole, and a part that is saved with it and takes over its access."""
    return _memory(type_, (tail,), (head,), reverse, description, link=Ordered, inherits="head", managed=True)


def _need(type_: str, reverse: str, description: str) -> Relation:
    return _memory(type_, NEEDY, ("Capability",), reverse, description, saved_with=IN_BLUEPRINT)


RELATIONS = (
    _memory(
        "HAS_BLUEPRINT",
        ("Task", "Template"),
        ("Blueprint",),
        "blueprint_of",
        "An asset, and its intent.",
        inherits="head",
    ),
    _part("HAS_STEP", "StepIntent", "step_of", "A blueprint, and one of its steps."),
    _part("HAS_CONTRACT", "Contract", "contract_of", "A blueprint, and what it takes or makes."),
    _part("HAS_CRITERION", "Criterion", "criterion_of", "A blueprint, and what its result is judged by."),
    _part("HAS_REVIEW_POINT", "ReviewPoint", "review_point_of", "A blueprint, and where a person looks."),
    _part("HAS_SIDE_EFFECT", "SideEffect", "side_effect_of", "A blueprint, and what it does to the outside world."),
    _memory(
        "HAD_PART",
        ("Blueprint",),
        ("StepIntent", "Contract", "Criterion", "ReviewPoint", "SideEffect"),
        "former_part_of",
        "A blueprint, and a part that it had before.",
        link=Replaced,
        inherits="head",
        managed=True,
    ),
    _memory("CHECKED_BY", ("StepIntent",), ("Criterion",), "checks", "A step, and what it is judged by.", managed=True),
    _memory("BOUND_TO", ("StepIntent",), ("Module",), "does_step", "A step, and a module that does it.", managed=True),
    _memory(
        "HAS_GRAPH",
        ("Task", "Template", "Segment"),
        ("GraphSnapshot",),
        "graph_of",
        "An asset, and its graph.",
        inherits="head",
        managed=True,
    ),
    _memory(
        "HAD_GRAPH",
        ("Task", "Template", "Segment"),
        ("GraphSnapshot",),
        "former_graph_of",
        "An asset, and a graph that it had before.",
        link=Replaced,
        inherits="head",
        managed=True,
    ),
    _memory(
        "HAS_MODULE",
        ("GraphSnapshot",),
        ("Module",),
        "module_of",
        "A graph, and a module of it.",
        inherits="head",
        managed=True,
    ),
    _memory("OF_TYPE", ("Module",), ("ModuleType",), "modules_of", "A module, and its type.", managed=True),
    _memory(
        "CABLE",
        ("Module",),
        ("Module",),
        "cabled_from",
        "A module, and one that it feeds.",
        link=Cable,
        managed=True,
    ),
    _memory("USES_PRESET", ("Module",), ("Preset",), "preset_of", "A module, and the preset it was made from."),
    _memory(
        "IN_SEGMENT",
        ("Module",),
        ("Segment",),
        "placed_as",
        "A module of a graph, and the segment that was put in there or taken from there.",
        link=Placed,
        managed=True,
    ),
    _memory("INSTANTIATES", ("Task",), ("Template",), "instantiated_by", "A task, and the template it was made from."),
    _memory("IN_GROUP", ("Template",), ("TemplateGroup",), "has_template", "A template, and a group that it is in."),
    _memory("HAS_PRIMARY", ("TemplateGroup",), ("Template",), "primary_of", "A group, and its first template."),
    _memory(
        "SHARES",
        ("TemplateGroup",),
        ("Preset", "Pattern", "Policy", "Entity"),
        "shared_by",
        "A group, and what its templates share.",
    ),
    _need("REQUIRES", "required_by", "What cannot do without a capability."),
    _need("ALLOWS", "allowed_by", "What may use a capability."),
    _need("DENIES", "denied_by", "What must not use a capability."),
    _memory(
        "TAKEN_FROM",
        ("Segment",),
        ("GraphSnapshot",),
        "segments_taken",
        "A segment, and the graph it was saved from.",
        inherits="tail",
        managed=True,
    ),
    _memory(
        "SAVED_FROM",
        ("Segment",),
        ("Task", "Template"),
        "segments_saved",
        "A segment, and the task or template whose graph it was saved from.",
        managed=True,
    ),
    _memory(
        "COVERS_STEP",
        ("Segment",),
        ("StepIntent",),
        "covered_by_segment",
        "A segment, and a step of a blueprint that its modules do where it was saved from.",
        managed=True,
    ),
    _memory(
        "STEERS",
        ("Directive",),
        ("Template", "Preset"),
        "steered_by_directive",
        "A directive, and its asset.",
        link=Steering,
    ),
    _memory(
        "SCOPED_TO",
        ("Task", "Blueprint", "Template", "Module", "Directive", "InvocationDirective", "Schedule"),
        ("Entity", "WorkProduct"),
        "scope_of",
        "An asset, and what it is bound to.",
        link=Scoped,
    ),
    _memory(
        "EXPRESSES_GOAL",
        ("Blueprint",),
        ("Goal",),
        "expressed_by",
        "A blueprint, and a goal that it states.",
        saved_with=IN_BLUEPRINT,
    ),
    _memory("IMPLEMENTS_GOAL", ("Pattern",), ("Goal",), "implemented_by", "A pattern, and a goal that it reaches."),
    _memory(
        "SERVES_GOAL",
        ("Template", "Decision", "Lesson", "Case", "StepIntent"),
        ("Goal",),
        "served_by",
        "What serves a goal.",
        saved_with=IN_BLUEPRINT,
    ),
    _memory("SUPPORTS_GOAL", ("Preset",), ("Goal",), "supported_by_preset", "A preset, and a goal that it supports."),
    _memory("SATISFIES_GOAL", ("Artifact",), ("Goal",), "satisfied_by", "An artifact, and a goal that it satisfies."),
    _memory(
        "PREFERS", ("Goal",), ("Pattern", "Template", "Preset"), "preferred_for", "A goal, and what reaches it best."
    ),
    _memory("RECORDS", ("Case",), ("Decision",), "recorded_in", "A case, and a choice made in it."),
    _memory("TEACHES", ("Case",), ("Lesson",), "taught_by", "A case, and what it teaches.", link=Teaching),
    _memory(
        "LEARNED_FROM", ("Case",), ("Task", "Run", "Blueprint"), "teaches_case", "A case, and where it was learned."
    ),
    _memory("DESIGNED_WITH", ("Case",), ("Template", "Preset"), "design_cases", "A case, and an asset used in it."),
    _memory("SHOWN_BY", ("Case",), ("Artifact",), "shows_case", "A case, and a result that shows what came of it."),
    _memory(
        "DESIGNED_AFTER",
        ("Task", "Template"),
        ("MatchDecision",),
        "led_to",
        "An asset with a graph of its own, and the match that was looked at before it was made.",
        managed=True,
    ),
    _memory(
        "DECIDED_ABOUT",
        ("Decision", "Lesson"),
        ("Module", "StepIntent"),
        "decided_by",
        "A choice, and the part of a task that it is about.",
    ),
    _memory("FOLLOWS_PATTERN", ("Template", "Blueprint"), ("Pattern",), "followed_in", "An asset, and its shape."),
    _memory(
        "INVOKES",
        ("Phrase",),
        PHRASED,
        "invoked_by",
        "A phrase, and the asset that it asks for.",
        inherits="tail",
        managed=True,
    ),
    _memory(
        "REPELS",
        ("Phrase",),
        PHRASED,
        "repelled_by",
        "A phrase, and the asset that it speaks against.",
        inherits="tail",
        managed=True,
    ),
    _memory(
        "WEIGHED",
        ("MatchDecision",),
        ("Template", "Preset", "Pattern", "Case", "Blueprint", "Segment"),
        "weighed_in",
        "A kept match, and a candidate that was weighed.",
        link=Weighed,
        inherits="tail",
        managed=True,
    ),
    _memory(
        "STEERED_BY",
        ("MatchDecision",),
        ("Directive",),
        "steered_match",
        "A kept match, and what was taught that held for it.",
        inherits="tail",
        managed=True,
    ),
)
