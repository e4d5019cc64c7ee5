"""Datasets: cases that changes are tried on, frozen with a hash; what was tried on them, and what judges gave."""

from graph_schema.learning.dataset_words import DatasetSource, ScorerKind
from graph_schema.model.fields import EvidenceLayer, Key, Text, Timestamp, field
from graph_schema.model.record import Record


class EvalDataset(Record):
    """Cases to try a change on. Once it is frozen nothing of it changes: its hash says that it is the same."""

    label = "EvalDataset"
    plural = "eval_datasets"
    prefix = "dset"
    layer = EvidenceLayer.learning
    colour = "#d9a441"

    dataset_source: DatasetSource = field("Where its cases come from.", filtered=True, authored=False)
    description: Text | None = field("What it tries.", default=None, authored=False)
    task_id: Key | None = field("The task that it is for.", default=None, filtered=True, authored=False)
    template_id: Key | None = field("The template that it is for.", default=None, filtered=True, authored=False)
    module_key: Key | None = field("The module that it is for.", default=None, authored=False)
    example_count: int = field("Cases in it.", default=0, authored=False, ge=0)
    frozen_at: Timestamp | None = field("When it was frozen; until then cases are added.", default=None, authored=False)
    input_fingerprint_hash: Key | None = field("Hash of all its cases, once frozen.", default=None, authored=False)
    made_by: Key | None = field("Principal that made it.", default=None, authored=False)


class EvalExample(Record):
    """A case of a dataset: what goes in, and what is expected."""

    label = "EvalExample"
    plural = "eval_examples"
    prefix = "dex"
    layer = EvidenceLayer.learning
    colour = "#e6c27f"

    example_key: Key = field("What the dataset calls it.", filtered=True, authored=False)
    position: int = field("Its place, from 1.", authored=False, ge=1)
    slice: Key | None = field("The group of cases that it belongs to.", default=None, filtered=True, authored=False)
    input_ref: Key | None = field("Where its input is kept.", default=None, authored=False)
    input_hash: Key | None = field("Hash of its input.", default=None, authored=False)
    input_summary: Text | None = field("Its input, in short.", default=None, authored=False)
    expected: Text | None = field("What is expected, in short.", default=None, authored=False)
    expected_ref: Key | None = field("Where the expected output is kept.", default=None, authored=False)


class EvalTrace(Record):
    """One try of one case: by which candidate, with what, and what came out."""

    label = "EvalTrace"
    plural = "eval_traces"
    prefix = "etr"
    layer = EvidenceLayer.learning
    colour = "#f0d9ab"

    candidate: Key = field("What was tried, as its maker calls it.", filtered=True, authored=False)
    output_ref: Key | None = field("Where the output is kept.", default=None, authored=False)
    prompt_snapshot_ref: Key | None = field("Where the prompt is kept.", default=None, authored=False)
    graph_ref: Key | None = field("Where the graph is kept.", default=None, authored=False)
    blueprint_ref: Key | None = field("Where the blueprint is kept.", default=None, authored=False)
    capability_snapshot_ref: Key | None = field("Where the capabilities are kept.", default=None, authored=False)
    policy_snapshot_ref: Key | None = field("Where the policies are kept.", default=None, authored=False)
    tried_at: Timestamp = field("When it was told.", ordered=True, authored=False)


class EvalScore(Record):
    """What a judge or a person outside gave one try."""

    label = "EvalScore"
    plural = "eval_scores"
    prefix = "esc"
    layer = EvidenceLayer.learning
    colour = "#f6ead0"

    scorer: Key = field("Who or what gave it.", filtered=True, authored=False)
    scorer_kind: ScorerKind = field("Whether a judge or a person.", filtered=True, authored=False)
    score: float | None = field("What it gave, from 0 to 1.", default=None, authored=False, ge=0, le=1)
    verdict: Key | None = field("What it found, in a word.", default=None, authored=False)
    comment: Text | None = field("What it said with it.", default=None, authored=False)
    scored_at: Timestamp = field("When it was told.", ordered=True, authored=False)
    recorded_by: Key | None = field("Principal that told it.", default=None, authored=False)
