"""What a condition may ask about: fields of the artifact, of its module and of its run.

All of them are in the artifact's own event or in the run's policy, which every event of a run shares. So what a rule
says cannot depend on which event came first. The uses of an artifact are other events; only rules about used artifacts,
which are asked later and write nothing, may look at them.
"""

from dataclasses import dataclass
from enum import StrEnum

from graph_schema.memory.words import ArtifactKind, MemoryMode, MessageDirection, OutputClass
from graph_schema.model.fields import DataClass


class Kind(StrEnum):
    text = "text"
    texts = "list"
    number = "number"
    flag = "truth value"


@dataclass(frozen=True, slots=True)
class Known:
    kind: Kind
    meaning: str
    words: tuple[str, ...] = ()


def _words(kind: type[StrEnum], meaning: str) -> Known:
    return Known(Kind.text, meaning, tuple(one.value for one in kind))


FIELDS: dict[str, Known] = {
    "artifact_kind": _words(ArtifactKind, "What the artifact is."),
    "output_class": _words(OutputClass, "What part it plays in its run."),
    "output_archetype": Known(Kind.text, "The kind of result that it is an example of."),
    "name": Known(Kind.text, "What people call it."),
    "summary": Known(Kind.text, "What it says."),
    "key_points": Known(Kind.texts, "Its main points."),
    "port_name": Known(Kind.text, "The port that it came out of."),
    "media_type": Known(Kind.text, "Media type of its content."),
    "size_bytes": Known(Kind.number, "Size of its content."),
    "high_value_candidate": Known(Kind.flag, "Whether the module marks it as of high value."),
    "score": Known(Kind.number, "What a judge gave."),
    "verdict": Known(Kind.text, "What a judge found."),
    "channel": Known(Kind.text, "How a message went."),
    "direction": _words(MessageDirection, "Which way a message went."),
    "sender": Known(Kind.text, "Who sent a message."),
    "recipients": Known(Kind.texts, "Who a message went to."),
    "module_key": Known(Kind.text, "The module."),
    "module_type": Known(Kind.text, "Type of the module, if the event says it."),
    "activation_seq": Known(Kind.number, "Which activation of the module."),
    "task_key": Known(Kind.text, "The task, if the event says it."),
    "run_source": Known(Kind.text, "The executor's system."),
    "memory_mode": _words(MemoryMode, "How much of the run is remembered."),
    "data_class": _words(DataClass, "How sensitive the run is."),
    "matter_ids": Known(Kind.texts, "The run's matters."),
    "opened_count": Known(Kind.number, "How often it was opened."),
    "bookmarked_count": Known(Kind.number, "How often it was bookmarked."),
    "cited_count": Known(Kind.number, "How often it was cited."),
    "used_by_count": Known(Kind.number, "How many activations worked from it."),
}

OF_USE = frozenset({"opened_count", "bookmarked_count", "cited_count", "used_by_count"})
"""Fields that only rules about used artifacts may ask about."""
