"""What is found across tasks, templates, presets and directives. What many share is one finding that names a few."""

from collections.abc import Callable, Iterator, Sequence

from graph_schema.learning.assessment_words import (
    FindingKind,
    FindingSeverity,
    FindingTone,
    ObservedEffect,
    PortfolioIssue,
)
from graph_schema.learning.proposal_words import Operation, ProposalKind
from graph_schema.memory.words import IntakeLevel
from graph_schema.model.record import HIDDEN_STATES
from service.learning.assessments.actions import change, linked, put_into, set_to
from service.learning.assessments.found import Found, Rule
from service.learning.assessments.portfolio_facts import QUIET, STALE, AssetFacts, Portfolio, TaskFacts
from service.learning.proposals.inputs import ProposalInput
from service.memory.views.words import counted, listed
from service.words import spoken

_S, _T, _I = FindingSeverity, FindingTone, PortfolioIssue
ENOUGH = 3
WORTH = 3
"""Completed runs from which a task is worth more than it is: a template, a case."""
_HIDDEN = frozenset(one.value for one in HIDDEN_STATES)
Asset = TaskFacts | AssetFacts


def _many(
    found: Sequence[Asset],
    issue: PortfolioIssue,
    said: Callable[[str], str],
    better: str,
    doing: Callable[[Asset], ProposalInput | None] = lambda _: None,
    **more: object,
) -> Iterator[Found]:
    """One finding for all that share something."""
    if found:
        each = sorted(found, key=lambda one: (one.name, one.id))
        statement = said(listed([one.name for one in each], 8))
        actions = tuple(action for one in each if (action := doing(one)))
        shown = tuple(one.id for one in each)
        yield Found(statement=statement, evidence=shown, issue=issue, better=better, actions=actions, **more)  # pyright: ignore[reportArgumentType]


def _put_away(one: Asset, because: str) -> ProposalInput:
    """A task is put away, a template or preset is let go; both stay reachable."""
    if isinstance(one, TaskFacts):
        effect = "It is out of the way, and stays reachable."
        return change(ProposalKind.task_template_update, one.id, because, effect, put_into("archived"))
    kind = ProposalKind.task_template_update if one.kind == "Template" else ProposalKind.module_preset_update
    return change(kind, one.id, because, "It is suggested no more.", put_into("deprecated"))


def duplicates(about: Portfolio) -> Iterator[Found]:
    """The same graph, or the same name for the same type of work."""
    for kind, assets in (("task", about.tasks), ("template or preset", about.assets)):
        grouped: dict[str, dict[str, Asset]] = {}
        for one in assets:
            shape = one.graph_hash or (one.config_hash if isinstance(one, AssetFacts) else None)
            name = " ".join(spoken(one.name).split()) if one.task_type else None
            for key in (f"graph {shape}" if shape else None, f"name {name} {one.task_type}" if name else None):
                if key:
                    grouped.setdefault(key, {})[one.id] = one
        yield from _of_groups(kind, grouped)


def _of_groups(kind: str, grouped: dict[str, dict[str, Asset]]) -> Iterator[Found]:
    told: set[frozenset[str]] = set()
    for key, same in sorted(grouped.items()):
        if len(same) < 2 or frozenset(same) in told:
            continue
        told.add(frozenset(same))
        names = listed(sorted(one.name for one in same.values()))
        kept = min(same.values(), key=lambda one: (-len(one.runs), one.created_at, one.id))
        others = [one for _, one in sorted(same.items()) if one is not kept and one.lifecycle_state != "deprecated"]
        shared = "have the same graph or configuration" if key.startswith("graph") else "have one name and type of work"
        yield Found(
            statement=f"{counted(len(same), kind)} {shared}: {names}.",
            evidence=tuple(sorted(same)),
            issue=_I.duplicate,
            severity=_S.minor,
            better="Keep the one that is used most, and archive the others.",
            actions=tuple(_put_away(one, f"{kept.name} is the same, and is used more.") for one in others),
        )


def unused(about: Portfolio) -> Iterator[Found]:
    """Tasks that have not run for long, and neither wait for a trigger nor for a time."""
    waiting = [one for one in about.tasks if not (one.scheduled or one.trigger_enabled or one.stub)]
    quiet = [one for one in waiting if about.quiet(one.last or one.created_at, QUIET)]
    days = f"{QUIET.days} days"
    yield from _many(
        quiet,
        _I.unused,
        lambda names: f"{counted(len(quiet), 'task has', 'tasks have')} not run for {days}: {names}.",
        "Archive what is done with; it stays reachable.",
        lambda one: _put_away(one, f"It has not run for {days}."),
        severity=_S.note,
    )


def failing(about: Portfolio) -> Iterator[Found]:
    for one in (*about.tasks, *about.assets):
        lost, good = one.ended("failed"), one.ended("completed")
        if len(lost) + len(good) >= ENOUGH and len(lost) > len(good):
            yield Found(
                statement=f"{one.name} failed in {len(lost)} of its last {len(lost) + len(good)} runs.",
                evidence=(one.id, *lost),
                issue=_I.failing,
                severity=_S.major,
                better="Have its last run assessed (assessRun), and mend the step that fails before it runs again.",
            )


def recurring(about: Portfolio) -> Iterator[Found]:
    """What assessments of several runs of one task found alike."""
    for task in about.tasks:
        for one in task.recurring:
            yield Found(
                statement=f"{task.name}: {one['rule']} was found in {len(one['of'])} of its last runs. {one['better']}",
                evidence=(task.id, *one["found"]),
                issue=_I.failing,
                severity=_S.major,
                better="It comes again: change the design, not the run.",
            )


def stale(about: Portfolio) -> Iterator[Found]:
    """Templates that were used once and are no more; and tasks that hold on to one that is out of use."""
    old = [one for one in about.assets if one.kind == "Template" and about.quiet(one.last, STALE)]
    yield from _many(
        old,
        _I.stale_template,
        lambda names: f"{counted(len(old), 'template was', 'templates were')} not used for {STALE.days} days: {names}.",
        "See whether each still says what people want; else let it go.",
        lambda one: _put_away(one, f"It was not used for {STALE.days} days."),
        severity=_S.minor,
    )
    for task in about.tasks:
        template = task.template
        if template is not None and template["lifecycle_state"] in _HIDDEN:
            yield Found(
                statement=f"{task.name} was made from {template['name']}, which is {template['lifecycle_state']}.",
                evidence=(task.id, template["id"]),
                issue=_I.stale_template,
                severity=_S.minor,
                better="Make it anew from a template that is in use, or make the task a template of its own.",
            )


def never_used(about: Portfolio) -> Iterator[Found]:
    old = [one for one in about.assets if not one.used and not one.runs and about.quiet(one.created_at, QUIET)]
    yield from _many(
        old,
        _I.unused,
        lambda names: (
            f"{counted(len(old), 'template or preset was', 'templates or presets were')} never used: {names}."
        ),
        "See whether their phrases say what people ask for; else let them go.",
        lambda one: _put_away(one, "It was never used."),
        severity=_S.note,
    )


def without_blueprint(about: Portfolio) -> Iterator[Found]:
    bare = [one for one in about.tasks if one.blueprint is None and one.runs]
    yield from _many(
        bare,
        _I.missing_blueprint,
        lambda names: f"{counted(len(bare), 'task runs', 'tasks run')} without a blueprint: {names}.",
        "Say what each is for: goal, steps, outputs, criteria. Without that nothing tells whether it does it.",
        severity=_S.minor,
    )


def lacking(about: Portfolio) -> Iterator[Found]:
    for task in about.tasks:
        for one in task.lacking:
            yield Found(
                statement=f"{task.name} requires {one['name']}, which is {str(one['state']).replace('_', ' ')}.",
                evidence=(task.id, one["id"]),
                issue=_I.capability_binding,
                severity=_S.major if task.scheduled or task.trigger_enabled else _S.minor,
                better="Bring it back before the next run, or bind another capability.",
            )


def left_behind(about: Portfolio) -> Iterator[Found]:
    left = sorted((one for one in about.tasks if one.left), key=lambda one: (one.name, one.id))
    if left:
        names = listed([f"{one.name} ({one.left[0]['name']})" for one in left], 8)
        outputs = [each["id"] for one in left for each in one.left[:2]]
        yield Found(
            statement=f"{counted(len(left), 'task keeps', 'tasks keep')} final outputs with the runs alone: {names}.",
            evidence=(*(one.id for one in left), *outputs),
            issue=_I.artifact_policy,
            severity=_S.minor,
            better="Set an artifact policy, so that what they make last is kept as a document or work product.",
            actions=tuple(
                change(
                    ProposalKind.task_template_update,
                    one.blueprint["id"],
                    f"Final outputs of {one.name} stay with its runs.",
                    "What it makes last is kept as a work product.",
                    set_to("artifact_policy", IntakeLevel.doc25_work_product_ingestion.value),
                )
                for one in left
                if one.blueprint
            ),
            code="warning.final_output_not_saved_as_work_product",
        )


def not_evaluated(about: Portfolio) -> Iterator[Found]:
    """What runs again and again, and nothing ever judged."""
    blind = [
        one
        for one in about.tasks
        if not one.judged and len(one.ended("completed")) >= ENOUGH and not (one.blueprint or {}).get("criteria")
    ]
    yield from _many(
        blind,
        _I.evaluation_coverage,
        lambda names: (
            f"{counted(len(blind), 'task runs', 'tasks run')} again and again, and nothing judges what comes "
            f"of it: {names}."
        ),
        "Add criteria to the blueprint, and a judge or a person to the graph.",
        severity=_S.minor,
    )


def _last(runs: Sequence[str]) -> str:
    return "its last run" if len(runs) == 1 else f"each of its last {len(runs)} runs"


def high_value(about: Portfolio) -> Iterator[Found]:
    """What works, and what people come back to, is worth making reusable."""
    for one in about.tasks:
        good, taken = one.ended("completed"), one.taken
        if one.reusable or one.template is not None or one.ended("failed") or (len(good) < WORTH and not taken):
            continue
        used = f", and {listed([each['name'] for each in taken])} was taken up afterwards" if taken else ""
        if not good:
            continue
        yield Found(
            statement=f"{one.name} was completed in {_last(good)}{used}.",
            evidence=(one.id, *good, *(each["id"] for each in taken)),
            issue=_I.high_value_candidate,
            tone=_T.observation,
            severity=_S.note,
            better="Make it reusable, so that others find it; keep how it was made as a case.",
            actions=(
                change(
                    ProposalKind.task_template_update,
                    one.id,
                    f"It was completed in {_last(good)}{used}.",
                    "Others find it.",
                    set_to("reusable", value=True),
                ),
            ),
            code="warning.task_design_case_candidate",
        )


def does_well(about: Portfolio) -> Iterator[Found]:
    for one in about.tasks:
        good = one.ended("completed")
        if len(good) >= ENOUGH and not one.ended("failed") and one.judged:
            yield Found(
                statement=f"{one.name} was completed in {_last(good)}, and was judged.",
                evidence=(one.id, *good),
                issue=_I.high_value_candidate,
                tone=_T.strength,
                severity=_S.note,
            )


def goals_missed(about: Portfolio) -> Iterator[Found]:
    """What tasks are for, and do not reach more often than not."""
    for one in about.goals:
        good = one.count(ObservedEffect.advanced_goal)
        if one.known >= ENOUGH and 2 * good < one.known:
            yield Found(
                statement=f"{one.name}: of {counted(one.known, 'run')} of {listed(sorted(one.tasks.values()))} {good} "
                "advanced it.",
                evidence=(one.id, *sorted(one.tasks), *one.assessments),
                issue=_I.goal,
                severity=_S.major,
                better="See which template or pattern serves it elsewhere (goalLearning), or say what it is for anew.",
            )


def goals_served(about: Portfolio) -> Iterator[Found]:
    for one in about.goals:
        good = one.count(ObservedEffect.advanced_goal)
        if one.known >= ENOUGH and good == one.known:
            yield Found(
                statement=f"{one.name}: each of {counted(good, 'run')} of {listed(sorted(one.tasks.values()))} "
                "advanced it.",
                evidence=(one.id, *sorted(one.tasks), *one.assessments),
                issue=_I.goal,
                tone=_T.strength,
                severity=_S.note,
            )


def goal_unlinked(about: Portfolio) -> Iterator[Found]:
    blind = [one for one in about.tasks if one.blueprint and not one.blueprint.get("goals")]
    yield from _many(
        blind,
        _I.goal,
        lambda names: f"{counted(len(blind), 'task has', 'tasks have')} a blueprint linked to no goal: {names}.",
        "Link it to the goal that it serves; then assessments tell whether it does.",
        severity=_S.note,
        code="warning.blueprint_goal_unlinked",
    )


def misdirected(about: Portfolio) -> Iterator[Found]:
    """Directives that lead to what is out of use, and those whose suggestions people refuse."""
    for one in about.directives:
        for lost in one.lost:
            yield Found(
                statement=f"{one.name} leads to {lost['name']}, which is {lost['lifecycle_state']}.",
                evidence=(one.id, lost["id"]),
                issue=_I.invocation,
                severity=_S.major,
                better="Point it at what is in use, or let it go.",
                actions=(
                    change(
                        ProposalKind.task_invocation_directive_update,
                        one.id,
                        f"It leads to {lost['name']}, which is {lost['lifecycle_state']}.",
                        "It suggests what is in use, or nothing.",
                        linked("TARGETS", lost["id"], Operation.unlink),
                    ),
                ),
            )
        if len(one.refused) >= ENOUGH and len(one.refused) > one.accepted:
            yield Found(
                statement=f"{one.name}: in its class suggestions were refused "
                f"{counted(len(one.refused), 'time')} and accepted "
                f"{counted(one.accepted, 'time')}.",
                evidence=(one.id, *one.refused),
                issue=_I.invocation,
                severity=_S.minor,
                better="Ask for less in this class, or suggest something else.",
            )


_E, _A, _D = FindingKind.execution, FindingKind.artifact, FindingKind.design_learning
TASK_RULES: tuple[Rule[Portfolio], ...] = (
    Rule("task_keeps_failing", 1, _E, failing),
    Rule("comes_again", 1, _D, recurring),
    Rule("without_blueprint", 1, _D, without_blueprint),
    Rule("capability_not_there", 1, FindingKind.capability, lacking),
    Rule("final_outputs_not_saved", 2, _A, left_behind),
    Rule("nothing_judges_it", 1, FindingKind.quality, not_evaluated),
    Rule("template_stale", 2, FindingKind.template_selection, stale),
    Rule("does_well", 1, _E, does_well),
    Rule("unused_task", 2, _E, unused),
    Rule("worth_reusing", 2, _D, high_value),
)
ACROSS_RULES: tuple[Rule[Portfolio], ...] = (
    *TASK_RULES,
    Rule("duplicates", 2, _D, duplicates),
    Rule("never_used", 2, FindingKind.template_selection, never_used),
    Rule("goals_missed", 1, _D, goals_missed),
    Rule("goals_served", 1, _D, goals_served),
    Rule("goal_unlinked", 1, _D, goal_unlinked),
    Rule("invocation_misdirected", 2, FindingKind.template_selection, misdirected),
)
RULES = "portfolio 3"
