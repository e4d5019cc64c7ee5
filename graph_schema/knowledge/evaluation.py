"""Runs of the evaluation suite: what an agent proposed, and what the scorers said of it."""

from typing import Annotated

from pydantic import Field as PydanticField

from graph_schema.model.fields import EvidenceLayer, Key, LongText, Opaque, Text, Timestamp, field
from graph_schema.model.record import Record

Lines = Annotated[list[Text], PydanticField(max_length=2_000)]


class EvalRun(Record):
    """What an agent proposed for the examples of the suite, and how that was scored. It can be scored again."""

    label = "EvalRun"
    plural = "eval_runs"
    prefix = "evrun"
    layer = EvidenceLayer.learning
    colour = "#b7a3d0"

    suite: Key = field("Name and version of the suite.", filtered=True, authored=False)
    agent_version: Key = field("Which agent proposed, in which version.", filtered=True, authored=False)
    pack_hash: Key | None = field(
        "Hash of the pack that it was taught from.", default=None, indexed=True, authored=False
    )
    passed: bool = field("Whether every check was met.", filtered=True, authored=False)
    met: int = field("Checks that were met.", authored=False, ge=0)
    checks: int = field("Checks that were made.", authored=False, ge=0)
    failures: Lines = field("Checks that were not met: the example, the scorer, and why.", make=list, authored=False)
    regressions: Lines = field("Checks that the baseline met and this did not.", make=list, authored=False)
    baseline_run_id: Key | None = field("The run that it was held against.", default=None, authored=False)
    scores: LongText = field("Checks met and made of each scorer, as JSON.", authored=False)
    proposals: Opaque = field("What was proposed, as JSON. Scoring it again reads this.", hidden=True)
    submitted_at: Timestamp = field("When.", ordered=True, authored=False)
    submitted_by: Key = field("Id of the principal who submitted it.", authored=False)


class EvalSuite(Record):
    """A suite of examples that people brought: requests, each with what a good answer has. It is never changed."""

    label = "EvalSuite"
    plural = "eval_suites"
    prefix = "evs"
    layer = EvidenceLayer.learning
    colour = "#cfc0e2"

    suite: Key = field("Its name and version, as runs name it.", indexed=True, authored=False)
    suite_hash: Key = field("Hash of what it asks.", authored=False)
    example_count: int = field("How many examples it has.", authored=False, ge=1)
    examples: Opaque = field("Its examples, as JSON.", authored=False)
