"""What became of what the run made: kept, used, delivered, or left behind."""

from collections.abc import Iterator

from graph_schema.learning.assessment_words import FindingKind, FindingSeverity, FindingTone
from graph_schema.learning.words import DesignSignalKind
from graph_schema.memory.words import IntakeLevel
from service.learning.assessments.facts import Assessed
from service.learning.assessments.found import Found, Rule, Shown
from service.memory.views.facts import Artifact
from service.memory.views.words import counted

KEPT_WITH_RUN = frozenset({IntakeLevel.no_capture, IntakeLevel.run_only})
SAVED = frozenset({
    IntakeLevel.doc25_document_ingestion, IntakeLevel.doc25_work_product_ingestion, IntakeLevel.doc73_library_ingestion,
})  # fmt: skip
"""Levels at which an output becomes a document or a work product."""
USED_OFTEN = 2
"""Uses of an output (opened, cited, bookmarked, worked from by another run) from which it is worth finding again."""


def final_not_saved(about: Assessed) -> Iterator[Found]:
    """Saved is what became a work product, or is processed as a document."""
    for one in about.finals if about.index.has_ended else ():
        if one.became or one.intake_level in SAVED:
            continue
        yield Found(
            statement=f"{one.name} is a final output and was not saved as a work product or document.",
            evidence=(one.id, *one.delivered_by),
            severity=FindingSeverity.minor,
            better=f"Save {one.name} as a document or work product.",
            code="warning.final_output_not_saved_as_work_product",
            module_key=one.module_key,
            activation_seq=one.activation_seq,
            shows=_shown(about, DesignSignalKind.artifact_policy_changed, one),
        )


def _shown(about: Assessed, kind: DesignSignalKind, one: Artifact) -> Shown | None:
    if about.template is None:
        return None
    return Shown(kind, (about.template.id, one.id), one.output_archetype or one.artifact_kind)


def taken_up(about: Assessed) -> Iterator[Found]:
    """An output that people came back to."""
    for one in about.made:
        uses, elsewhere = about.uses(one), about.used_elsewhere.get(one.id, ())
        if uses < USED_OFTEN:
            continue
        cited = [
            f"{what} {counted(number, 'time')}"
            for number, what in (
                (one.opened_count, "opened"),
                (one.cited_count, "cited"),
                (one.bookmarked_count, "bookmarked"),
                (len(elsewhere), "worked from by other runs"),
            )
            if number
        ]
        yield Found(
            statement=f"{one.name} was taken up afterwards: {', '.join(cited)}.",
            evidence=(one.id, *elsewhere),
            tone=FindingTone.strength,
            severity=FindingSeverity.note,
            module_key=one.module_key,
            activation_seq=one.activation_seq,
            shows=_shown(about, DesignSignalKind.output_preference_confirmed, one),
        )


def useful_but_hidden(about: Assessed) -> Iterator[Found]:
    """What others want again should be findable by more than its run."""
    for one in about.made:
        if about.uses(one) >= 1 and one.intake_level in KEPT_WITH_RUN and one.output_class != "final_output":
            yield Found(
                statement=f"{one.name} was taken up {counted(about.uses(one), 'time')} and stays with its run.",
                evidence=(one.id, *about.used_elsewhere.get(one.id, ())),
                severity=FindingSeverity.minor,
                better=f"Make {one.name} findable with a summary by default.",
                code="warning.intermediate_output_likely_high_value",
                module_key=one.module_key,
                activation_seq=one.activation_seq,
                shows=_shown(about, DesignSignalKind.artifact_policy_changed, one),
            )


def nobody_read(about: Assessed) -> Iterator[Found]:
    """An intermediate output that no step worked from and nobody opened was made for nothing, as far as is known."""
    if not about.index.has_ended or not about.index.facts.consumed:
        return
    for one in about.made:
        aside = one.output_class != "intermediate_output" or one.became or one.delivered_by or about.uses(one)
        if aside or one.id in about.index.users or one.id in about.index.evaluated or _went_on(about, one):
            continue
        yield Found(
            statement=f"No step worked from {one.name}, and nobody opened it.",
            evidence=(one.id,),
            tone=FindingTone.observation,
            severity=FindingSeverity.note,
            better="Leave it out, or cable it to where it is needed.",
            module_key=one.module_key,
            activation_seq=one.activation_seq,
        )


def _went_on(about: Assessed, artifact: Artifact) -> bool:
    return any(source.id == artifact.id for each in about.derived.values() for source in each)


_A = FindingKind.artifact
RULES = (
    Rule("final_output_not_saved", 1, _A, final_not_saved),
    Rule("output_taken_up", 1, _A, taken_up),
    Rule("useful_output_kept_with_run", 1, _A, useful_but_hidden),
    Rule("output_nobody_read", 1, _A, nobody_read),
)
