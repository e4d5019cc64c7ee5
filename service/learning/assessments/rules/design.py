"""Whether the template and its presets did what they are for, and what the run teaches about the design."""

from collections.abc import Iterator

from graph_schema.learning.assessment_words import FindingKind, FindingSeverity, FindingTone
from graph_schema.learning.proposal_words import ProposalKind
from graph_schema.library.words import CaseGround as Ground
from graph_schema.memory.words import DeliveryKind
from graph_schema.model.record import HIDDEN_STATES
from service.learning.assessments.actions import added, change
from service.learning.assessments.facts import Assessed, Named
from service.learning.assessments.found import Found, Rule
from service.learning.assessments.rules.artifacts import USED_OFTEN
from service.learning.assessments.rules.wiring import review_after, review_before, second_look_after
from service.learning.proposals.inputs import ProposalInput
from service.memory.views.words import counted, listed

_S, _T = FindingSeverity, FindingTone
ENOUGH = 3
INSIDE = frozenset({
    DeliveryKind.task_output, DeliveryKind.work_product_save, DeliveryKind.doc73_library_add,
    DeliveryKind.doc72_memory_reference,
})  # fmt: skip
COMPLEX = 11
"""Modules from which a design is complex, as profiles of complexity say."""


def out_of_use(about: Assessed) -> Iterator[Found]:
    template = about.template
    if template is not None and template.lifecycle_state in {one.value for one in HIDDEN_STATES}:
        yield Found(
            statement=f"It followed {template.name}, which is {template.lifecycle_state}.",
            evidence=(template.id, about.id),
            severity=_S.minor,
            better="Move the task to a template that is in use.",
        )


def keeps_failing(about: Assessed) -> Iterator[Found]:
    """A design whose runs fail more often than not, this one among them."""
    ended = [*about.usual]
    lost = [one for one in ended if one.status == "failed"]
    if about.index.run.status != "failed" or len(ended) < ENOUGH or 2 * len(lost) <= len(ended):
        return
    on = (about.template.id,) if about.template else ()
    yield Found(
        statement=f"Of {counted(len(ended), 'run')} of the task before this one {len(lost)} failed, too.",
        evidence=(about.id, *sorted(one.id for one in lost), *on),
        severity=_S.major,
        better="Look for another template for what is wanted, or mend the step that keeps failing.",
        actions=_limited(about),
    )


def _limited(about: Assessed) -> tuple[ProposalInput, ...]:
    """Whoever looks for a template is told that this one fails."""
    if about.template is None:
        return ()
    told = added("known_limitations", f"Its runs fail more often than not{_in_work(about)}.")
    kind, effect = ProposalKind.template_semantic_card_update, "Whoever chooses it knows."
    because = "Most of the runs of the task failed."
    return (change(kind, about.template.id, because, effect, told, by=[about.id]),)


def _in_work(about: Assessed) -> str:
    return f" in {about.task_type.replace('_', ' ')}" if about.task_type else ""


def did_well(about: Assessed) -> Iterator[Found]:
    """A template in use whose run was completed: it fitted what was wanted."""
    template = about.template
    if template is None or about.index.run.status != "completed":
        return
    good = [one for one in about.usual if one.status == "completed"]
    before = f", as were {len(good)} of {counted(len(about.usual), 'run')} before" if about.usual else ""
    yield Found(
        statement=f"It followed {template.name}, and was completed{before}.",
        evidence=(template.id, about.id),
        tone=_T.strength,
        severity=_S.note,
    )


def passed_over(about: Assessed) -> Iterator[Found]:
    """It followed no template, and there is one in use for its type of work."""
    if about.template is None and about.passed_over:
        names = listed([one.name for one in about.passed_over])
        there = "there is" if len(about.passed_over) == 1 else "there are"
        yield Found(
            statement=f"It followed no template; for work of its type {there} {names}.",
            evidence=(about.id, *(one.id for one in about.passed_over)),
            tone=_T.observation,
            severity=_S.minor,
            better="Match the request against the templates before a graph is made anew.",
            code="warning.template_match_available_but_new_graph_requested",
        )


def preset_failed(about: Assessed) -> Iterator[Found]:
    """A step that was set to a preset, and failed or had to fall back."""
    grouped: dict[str, list[str]] = {}
    for step in about.index.steps:
        if step.preset_key in about.presets and (step.status == "error" or step.fallback_used):
            grouped.setdefault(str(step.preset_key), []).append(step.id)
    for key, steps in sorted(grouped.items()):
        preset = about.presets[key]
        yield Found(
            statement=f"{counted(len(steps), 'step')} with the preset {preset.name} failed or had to fall back.",
            evidence=(preset.id, *sorted(steps)),
            severity=_S.major,
            better=f"Name in {preset.name} what it needs of its model and its input.",
            actions=_of_preset(about, preset),
        )


def _of_preset(about: Assessed, preset: Named) -> tuple[ProposalInput, ...]:
    told = added("known_limitations", f"It failed or had to fall back{_in_work(about)}.")
    kind, effect = ProposalKind.module_preset_semantic_card_update, "Whoever chooses it knows."
    because = f"Steps with {preset.name} failed or had to fall back."
    return (change(kind, preset.id, because, effect, told, by=[about.id]),)


def preset_did_well(about: Assessed) -> Iterator[Found]:
    for key, preset in sorted(about.presets.items()):
        steps = [one for one in about.index.steps if one.preset_key == key]
        if about.index.has_ended and steps and all(one.status == "success" and not one.fallback_used for one in steps):
            yield Found(
                statement=f"{preset.name} did its work in {counted(len(steps), 'step')}.",
                evidence=(preset.id, *sorted(one.id for one in steps)),
                tone=_T.strength,
                severity=_S.note,
            )


def sent_without_gate(about: Assessed) -> Iterator[Found]:
    """What left the house without anybody having looked before it did."""
    sent = [
        one
        for one in about.index.facts.deliveries
        if one.status == "delivered" and one.delivery_kind not in INSIDE and not one.policy_approval_ref
    ]
    passed = [one.decided_at for one in about.index.facts.gates if one.status == "approved"]
    unseen = [one for one in sent if not any(_before(decided, one.delivered_at) for decided in passed)]
    if unseen:
        ordered = sorted(unseen, key=lambda one: one.id)
        senders = dict.fromkeys(one.module_key for one in ordered if one.module_key)
        because = "It left the house, and nobody had approved it."
        yield Found(
            statement=f"{listed([one.name for one in ordered])} left the house, and nobody had approved it.",
            evidence=tuple(one.id for one in ordered),
            severity=_S.minor,
            better="Add a human review before what is sent.",
            code="warning.human_gate_recommended_before_side_effect",
            module_key=ordered[0].module_key,
            actions=tuple(one for key in senders for one in review_before(about, key, because)),
        )


def _before(decided: str | None, sent: str | None) -> bool:
    """Whether an approval can have been one of what was sent. Where a time was not told it is taken to be."""
    return decided is None or sent is None or decided <= sent


def revised_unreviewed(about: Assessed) -> Iterator[Found]:
    """A critique was worked in, and the result was final without a person or a judge having looked again."""
    if not about.index.has_ended or any(one.status == "approved" for one in about.index.facts.gates):
        return
    reports = {one.id: one for one in about.evaluations}
    for final in about.finals:
        step = about.maker(final)
        read = [one.id for one in about.index.consumed.get(step.id, ())] if step else []
        used = sorted(one for one in read if one in reports)
        if step is None or not used or final.id in about.index.evaluated:
            continue
        yield Found(
            statement=f"{about.index.label(step)} worked in {listed([reports[one].name for one in used])}, and nobody "
            f"looked at {final.name} again.",
            evidence=(final.id, step.id, *used),
            severity=_S.minor,
            better=f"Add a human review after {about.index.name(step)}.",
            code="warning.human_gate_recommended_before_side_effect",
            actions=review_after(about, step.module_key, f"Nobody looked at {final.name} again."),
            module_key=step.module_key,
            activation_seq=step.activation_seq,
        )


def no_second_look(about: Assessed) -> Iterator[Found]:
    """Much work, and neither a judge nor a second pass."""
    modules = {one.module_key for one in about.index.steps}
    if about.index.has_ended and len(modules) >= COMPLEX and not about.evaluations:
        yield Found(
            statement=f"{len(modules)} modules were at work, and nothing of it was judged or gone over again.",
            evidence=(about.id,),
            severity=_S.minor,
            better="Add a second pass that looks deeper, or a judge.",
            actions=second_look_after(about, about.index.steps[-1].module_key, "Nothing of it was judged."),
            code="warning.second_pass_deepening_recommended",
        )


def worth_a_case(about: Assessed) -> Iterator[Found]:
    """What people come back to is worth keeping as a case of design, beside what was approved."""
    if about.index.run.status != "completed":
        return
    taken = [one for one in about.made if about.uses(one) >= USED_OFTEN]
    if taken:
        yield Found(
            statement=f"{listed([one.name for one in taken])} "
            f"{'is' if len(taken) == 1 else 'are'} used again and again: how it was made is worth keeping as a case.",
            evidence=(about.id, *(one.id for one in taken)),
            tone=_T.observation,
            severity=_S.note,
            better="Make a design case of it, with the decisions behind it.",
            code="warning.task_design_case_candidate",
            ground=Ground.intermediate_artifact_reused,
        )


def used_again(about: Assessed) -> Iterator[Found]:
    """A task that people have run again and again, and that does what it is for."""
    good = sorted(one.id for one in about.usual if one.status == "completed")
    if about.task is None or about.index.run.status != "completed" or len(good) + 1 < ENOUGH:
        return
    yield Found(
        statement=f"{about.task.name} was completed {len(good) + 1:,} times: how it is made is worth a case.",
        evidence=(about.task.id, about.id, *good),
        tone=_T.observation,
        severity=_S.note,
        better="Make a design case of it, with the decisions behind it.",
        code="warning.task_design_case_candidate",
        ground=Ground.user_reused,
    )


def made_with_people(about: Assessed) -> Iterator[Found]:
    """A task that people made themselves, or took as it was proposed, or changed before they took it."""
    if about.task is None or about.index.run.status != "completed":
        return
    told = _design_told(about)
    if told is not None:
        said, ground, shown = told
        yield Found(
            statement=f"{said} {about.task.name} was completed: why it was made so is worth a case.",
            evidence=(about.task.id, about.id, *shown),
            tone=_T.observation,
            severity=_S.note,
            better="Make a design case of it, with what people said of why.",
            code="warning.task_design_case_candidate",
            ground=ground,
        )


def _design_told(about: Assessed) -> tuple[str, Ground, tuple[str, ...]] | None:
    made = about.designed
    if made is not None and made.outcome.startswith("saved"):
        changes = sum(count for _, count in made.edits)
        shown = (made.id, *(one for one, _ in made.edits))
        if changes > FEW_EDITS:
            return f"People changed {changes:,} things of what was proposed.", Ground.edits_reveal_preference, shown
        kept = "People took it as it was proposed." if not changes else f"People changed {counted(changes, 'thing')}."
        return kept, Ground.accepted_with_few_edits, shown
    if about.blueprint is not None and about.blueprint.authored_by in {"user", "mixed"}:
        return "People wrote its blueprint themselves.", Ground.user_created_or_refined, (about.blueprint.id,)
    return None


FEW_EDITS = 2
"""Single changes of a proposal up to which it was taken with few edits."""


_D = FindingKind.design_learning
RULES = (
    Rule("template_out_of_use", 1, FindingKind.template_selection, out_of_use),
    Rule("template_keeps_failing", 2, FindingKind.template_selection, keeps_failing),
    Rule("template_did_well", 1, FindingKind.template_selection, did_well),
    Rule("template_passed_over", 1, FindingKind.template_selection, passed_over),
    Rule("preset_failed", 2, FindingKind.preset, preset_failed),
    Rule("preset_did_well", 1, FindingKind.preset, preset_did_well),
    Rule("sent_without_a_gate", 3, _D, sent_without_gate),
    Rule("revised_without_a_review", 2, _D, revised_unreviewed),
    Rule("no_second_look", 2, _D, no_second_look),
    Rule("worth_a_case", 2, _D, worth_a_case),
    Rule("used_again", 1, _D, used_again),
    Rule("made_with_people", 1, _D, made_with_people),
)
