"""What is told of datasets, their cases, and what was given for them."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.learning.dataset_words import DatasetSource, ScorerKind
from service.commands import RecordRef
from service.views import OrNull, Time


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalExampleInput:
    """A case. What goes in is told by its hash, and by where it is kept."""

    example_key: Annotated[str, "What the dataset calls it."]
    slice: Annotated[str | None, "The group of cases that it belongs to, such as long ones."] = None
    input_ref: Annotated[str | None, "Where its input is kept."] = None
    input_hash: Annotated[str | None, "Hash of its input."] = None
    input_summary: Annotated[str | None, "Its input, in short."] = None
    expected: Annotated[str | None, "What is expected, in short."] = None
    expected_ref: Annotated[str | None, "Where the expected output is kept."] = None
    drawn_from: Annotated[OrNull[tuple[RecordRef, ...]], "Records that it comes from."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalDatasetInput:
    """A dataset with its first cases."""

    name: Annotated[str, "What people call it."]
    dataset_source: Annotated[DatasetSource, "Where its cases come from."]
    description: Annotated[str | None, "What it tries."] = None
    task: Annotated[RecordRef | None, "The task that it is for."] = None
    template: Annotated[RecordRef | None, "The template that it is for."] = None
    module_key: Annotated[str | None, "The module that it is for."] = None
    examples: Annotated[OrNull[tuple[EvalExampleInput, ...]], "Its first cases."] = ()
    freeze: Annotated[bool, "Whether it is frozen at once."] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalDrawInput:
    """A dataset whose cases are drawn from what was recorded."""

    name: Annotated[str, "What people call it."]
    dataset_source: Annotated[DatasetSource, "What its cases are drawn from; manual is what people write themselves."]
    description: Annotated[str | None, "What it tries."] = None
    task: Annotated[RecordRef | None, "Of this task alone."] = None
    template: Annotated[RecordRef | None, "Of this template alone."] = None
    module_key: Annotated[str | None, "Of this module alone."] = None
    since: Annotated[Time | None, "Of what happened since then."] = None
    most: Annotated[int, "How many cases at most, the newest."] = 50
    freeze: Annotated[bool, "Whether it is frozen at once."] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalScoreInput:
    """What a judge or a person outside gave one try of one case."""

    example_key: Annotated[str, "The case."]
    scorer: Annotated[str, "Who or what gave it."]
    scorer_kind: Annotated[ScorerKind, "Whether a judge or a person."]
    score: Annotated[float | None, "What it gave, from 0 to 1."] = None
    verdict: Annotated[str | None, "What it found, in a word."] = None
    comment: Annotated[str | None, "What it said with it."] = None
    output_ref: Annotated[str | None, "Where the output is kept."] = None
    prompt_snapshot_ref: Annotated[str | None, "Where the prompt is kept."] = None
    graph_ref: Annotated[str | None, "Where the graph is kept."] = None
    blueprint_ref: Annotated[str | None, "Where the blueprint is kept."] = None
    capability_snapshot_ref: Annotated[str | None, "Where the capabilities are kept."] = None
    policy_snapshot_ref: Annotated[str | None, "Where the policies are kept."] = None
    traced_in: Annotated[OrNull[tuple[RecordRef, ...]], "Records that show the try."] = ()


TRACED = (
    *("output_ref", "prompt_snapshot_ref", "graph_ref", "blueprint_ref"),
    *("capability_snapshot_ref", "policy_snapshot_ref"),
)
