"""Relations of what happened in a run. What is part of a run, or made from it, takes over its class and matters."""

from graph_schema.model.fields import EvidenceLayer, Key, field
from graph_schema.model.record import Properties
from graph_schema.model.relation import End, Link, LinkModel, Relation

STEP = ("Run", "Activation")


class Produced(Properties):
    """How an artifact left its activation."""

    port: Key | None = field("The port that it came out of.", default=None)


class Used(Properties):
    """How a capability was used."""

    calls: int = field("How often it was called.", default=0, ge=0)
    errors: int = field("How often that failed.", default=0, ge=0)


class Advanced(Properties):
    """What a run did for a goal."""

    effect: Key | None = field("What it did for it, in a word.", default=None)


def _part(type_: str, tails: tuple[str, ...], head: str, reverse: str, description: str) -> Relation:
    """A relation from a whole to its part."""
    return truth(type_, tails, (head,), reverse, description, inherits="head")


def truth(
    type_: str,
    tails: tuple[str, ...],
    heads: tuple[str, ...],
    reverse: str,
    description: str,
    *,
    link: LinkModel = Link,
    inherits: End | None = None,
) -> Relation:
    return Relation(type_, tails, heads, reverse, description, EvidenceLayer.run_truth, link, inherits, managed=True)


def _memory(
    type_: str,
    tails: tuple[str, ...],
    heads: tuple[str, ...],
    reverse: str,
    description: str,
    *,
    link: LinkModel = Link,
    inherits: End | None = None,
) -> Relation:
    return Relation(type_, tails, heads, reverse, description, EvidenceLayer.memory, link, inherits, managed=True)


RELATIONS = (
    truth("RUN_OF", ("Run",), ("Task",), "runs", "A run, and the task that was run."),
    truth("USED_TEMPLATE", ("Run",), ("Template",), "used_in", "A run, and the template that it followed."),
    _part("ACTIVATED", ("Run",), "Activation", "activated_in", "A run, and a module at work in it."),
    truth("OF_MODULE", ("Activation",), ("Module",), "activations", "An activation, and the module that it was of."),
    truth("USED_PRESET", ("Activation",), ("Preset",), "used_by", "An activation, and the preset of its module then."),
    truth("TRIGGERED", ("Activation",), ("Activation",), "triggered_by", "An activation, and one that followed it."),
    _part("HAS_SPAN", ("Run",), "Span", "span_of", "A run, and an operation in it."),
    truth("CHILD_OF", ("Span",), ("Span",), "children", "An operation, and the one that it is part of."),
    truth("IN", ("Span",), ("Activation",), "spans", "An operation, and the activation that it happened in."),
    truth("HANDLED", ("Span",), ("Artifact",), "handled_by", "An operation, and an artifact that it had to do with."),
    truth(
        "PRODUCED",
        ("Activation",),
        ("Artifact",),
        "produced_by",
        "An activation, and what it made.",
        link=Produced,
        inherits="head",
    ),
    truth(
        "CONSUMED",
        ("Activation",),
        ("Artifact", "Entity", "WorkProduct"),
        "consumed_by",
        "An activation, and what it worked from.",
    ),
    truth(
        "DERIVED_FROM",
        ("Artifact",),
        ("Artifact", "Entity", "WorkProduct"),
        "derived",
        "An artifact, and what it was made from.",
        inherits="tail",
    ),
    truth("CITES", ("Artifact",), ("Artifact",), "cited_by", "An artifact, and one that it cites."),
    truth(
        "EVALUATES",
        ("Artifact",),
        ("Artifact",),
        "evaluated_by",
        "Evaluation evidence, and what it is about.",
        inherits="tail",
    ),
    _part("DELIVERED_BY", ("Artifact",), "Delivery", "delivers", "An artifact, and a delivery of it."),
    _part("MADE", ("Activation",), "Delivery", "made_by", "An activation, and a delivery that it made."),
    _memory("TO", ("Delivery",), ("Entity",), "received_deliveries", "A delivery, and who or what it went to."),
    _part("WAITED_ON", ("Activation",), "Gate", "held", "An activation, and the gate that it waited on."),
    _part(
        "UNDER",
        ("Run", "Activation", "Span", "Delivery"),
        "Snapshot",
        "held_for",
        "What was done, and what held when it was done.",
    ),
    _part("HAS_CHECKPOINT", ("Run",), "Checkpoint", "checkpoint_of", "A run, and a state that it can go on from."),
    truth(
        "AFTER", ("Checkpoint",), ("Activation",), "followed_by", "A checkpoint, and the activation that it follows."
    ),
    _part("RAN_IN", ("Activation",), "Session", "session_of", "An activation, and the session that it ran in."),
    _part("STEERED_BY", ("Activation",), "Intervention", "steered", "An activation, and what a person asked of it."),
    _part("HEARD", ("Run",), "NativeEvent", "heard_in", "A run, and what its runtime said."),
    truth("MAPPED_TO", ("NativeEvent",), ("Span",), "mapped_from", "A runtime's event, and the span that it became."),
    _memory("RECEIVED", STEP, ("Entity",), "received_in", "A step, and a document that came in with it."),
    _memory("DOWNLOADED", STEP, ("Entity",), "downloaded_in", "A step, and a document that it fetched."),
    _memory("OPENED", STEP, ("Entity",), "opened_in", "A step, and a document that it opened."),
    _memory("ABOUT", ("Run",), ("Entity",), "subject_of", "A run, and what it is about.", inherits="tail"),
    _memory("PURSUES", ("Run",), ("Goal",), "pursued_by", "A run, and a goal that it pursues."),
    _memory("ADVANCED_GOAL", ("Run",), ("Goal",), "advanced_by", "A run, and a goal that it advanced.", link=Advanced),
    _memory(
        "USED", ("Activation",), ("Capability",), "used_in_activation", "An activation, and what it used.", link=Used
    ),
    _memory(
        "BECAME",
        ("Artifact",),
        ("WorkProduct",),
        "was",
        "An artifact, and the work product that it became.",
        inherits="head",
    ),
    Relation(
        "PREVIOUS",
        ("WorkProduct",),
        ("WorkProduct",),
        "next",
        "A version of a work product, and the one before it.",
        EvidenceLayer.memory,
        managed=True,
    ),
)
