"""What became of what the run made: kept, used, delivered, or left behind."""

from collections.abc import Iterator

from graph_schema.learning.assessment_words import FindingKind, FindingSeverity, FindingTone
from graph_schema.learning.proposal_words import ProposalKind
from graph_schema.learning.words import DesignSignalKind
from graph_schema.memory.words import IntakeLevel
from service.learning.assessments.actions import added, change, set_to
from service.learning.assessments.facts import Assessed
from service.learning.assessments.found import Found, Rule, Shown, Taught
from service.learning.proposals.inputs import ProposalInput
from service.memory.views.facts import Artifact
from service.memory.views.words import counted

KEPT_WITH_RUN = frozenset({IntakeLevel.no_capture, IntakeLevel.run_only})
SAVED = frozenset({
    IntakeLevel.doc25_document_ingestion, IntakeLevel.doc25_work_product_ingestion, IntakeLevel.doc73_library_ingestion,
})  # fmt: skip
"""Levels at which an output becomes a document or a work product."""
_ORDER = {one: place for place, one in enumerate(IntakeLevel)}
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
            actions=_save(about, f"{one.name} was not saved."),
            module_key=one.module_key,
            activation_seq=one.activation_seq,
            shows=_shown(about, DesignSignalKind.artifact_policy_changed, one),
        )


def _save(about: Assessed, because: str) -> tuple[ProposalInput, ...]:
    """Where a blueprint is behind the run it says what is kept; else the template's card does."""
    effect = "What the task makes last is kept as a work product."
    if about.blueprint is not None:
        step = set_to("artifact_policy", IntakeLevel.doc25_work_product_ingestion.value)
        kind, on = ProposalKind.task_template_update, about.blueprint.id
    elif about.template is not None and not about.template.keeps:
        step = set_to("memory_artifact_policy_summary", "Final outputs are saved as work products.")
        kind, on = ProposalKind.template_semantic_card_update, about.template.id
    else:
        return ()
    return (change(kind, on, because, effect, step, by=[about.id]),)


def _by_default(about: Assessed, one: Artifact) -> tuple[ProposalInput, ...]:
    """What people come back to is what the template should make without being asked."""
    shape = one.output_archetype
    if about.template is None or not shape or shape in about.template.outputs:
        return ()
    kind, on = ProposalKind.output_archetype_default_update, about.template.id
    step = added("default_output_archetypes", shape)
    because, effect = f"{one.name} was taken up afterwards.", "It is among what the template makes by default."
    return (change(kind, on, because, effect, step, by=[one.id]),)


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
            actions=_by_default(about, one),
            teaches=Taught(
                choice=f"{one.name} is an output of its own.",
                because="People come back to it after the run.",
                expected="What is worked out once is there again.",
                effect=f"It was {', '.join(cited)}.",
                reuse=("Work whose intermediate results others need, too.",),
            ),
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


def not_taken_in(about: Assessed) -> Iterator[Found]:
    """What was meant for a library, and did not get there."""
    names = {one.id: one.name for one in about.made}
    for one in about.not_taken:
        why = f" ({one.failure_code})" if one.failure_code else ""
        yield Found(
            statement=f"{names.get(one.artifact, one.name)} was meant for a library and did not get there: "
            f"{one.status}{why}.",
            evidence=(one.id, *([one.artifact] if one.artifact in names else [])),
            severity=FindingSeverity.major,
            better="Mend what kept it out, and ask for it again.",
        )


def kept_otherwise(about: Assessed) -> Iterator[Found]:
    """A person had an output go further than its policy says, or would not have it go so far."""
    made = {one.id: one for one in about.made}
    for one in about.decided:
        artifact = made.get(one.artifact)
        if artifact is None or one.outcome not in {"promoted", "approved", "rejected"} or one.before == one.after:
            continue
        refused = one.outcome == "rejected"
        further = _ORDER[IntakeLevel(one.after)] > _ORDER[IntakeLevel(one.before)]
        told = "A person would not have" if refused else "A person had"
        yield Found(
            statement=f"{told} {artifact.name} go from {one.before} to {one.after}.",
            evidence=(artifact.id, one.id),
            tone=FindingTone.observation,
            severity=FindingSeverity.note,
            better="Let the artifact policy say so, if it is to be so again."
            if refused or not further
            else "Let the artifact policy take such outputs this far by itself.",
            module_key=artifact.module_key,
            activation_seq=artifact.activation_seq,
            shows=None if refused else _shown(about, DesignSignalKind.artifact_policy_changed, artifact),
        )


_A = FindingKind.artifact
RULES = (
    Rule("final_output_not_saved", 2, _A, final_not_saved),
    Rule("output_taken_up", 2, _A, taken_up),
    Rule("useful_output_kept_with_run", 1, _A, useful_but_hidden),
    Rule("output_nobody_read", 1, _A, nobody_read),
    Rule("not_taken_into_library", 1, _A, not_taken_in),
    Rule("kept_otherwise", 1, _A, kept_otherwise),
)
