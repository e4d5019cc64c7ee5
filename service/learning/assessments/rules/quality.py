"""How good results were found to be, what was found in them, and whether anybody looked."""

from collections.abc import Iterator, Sequence

from graph_schema.learning.assessment_words import FindingKind, FindingSeverity, FindingTone
from graph_schema.learning.proposal_words import ProposalKind
from graph_schema.learning.words import DesignSignalKind
from graph_schema.library.words import CaseGround
from service.learning.assessments.actions import added, change, linked
from service.learning.assessments.facts import Assessed
from service.learning.assessments.found import Found, Rule, Shown, Taught
from service.learning.assessments.rules.wiring import missing_cable
from service.learning.proposals.inputs import ProposalInput
from service.memory.views.facts import Artifact
from service.memory.views.words import counted, listed, sentence

_S, _T = FindingSeverity, FindingTone
GOOD = 0.8
POOR = 0.5
"""Scores of judges, from 0 to 1, from which a result counts as good, and below which as poor."""
AGAINST = frozenset({"fail", "failed", "reject", "rejected", "revise", "not_acceptable", "unsupported", "refuted"})
_FOR = frozenset({"pass", "passed", "approve", "approved", "accept", "accepted", "supported"})
_RED_TEAM = "red_team_report"


def _against(one: Artifact) -> bool:
    return (one.verdict or "").lower() in AGAINST or (one.score is not None and one.score < POOR)


def _for(one: Artifact) -> bool:
    if (one.verdict or "").lower() in _FOR:
        return one.score is None or one.score >= POOR
    return one.verdict is None and one.score is not None and one.score >= GOOD


def _said(one: Artifact) -> str:
    given = f"{one.score:.2f}" if one.score is not None else None
    return ", ".join(part for part in (given, one.verdict) if part)


def judged_badly(about: Assessed) -> Iterator[Found]:
    """A verdict against a final output weighs more than one that a later step could still answer."""
    finals = {one.id for one in about.finals}
    for one in about.evaluations:
        if not _against(one) or one.artifact_kind == _RED_TEAM:
            continue
        names = [about.index.artifact[each].name for each in one.evaluates if each in about.index.artifact]
        of_final = bool(finals & {*one.evaluates})
        yield Found(
            statement=f"{one.name}: {_said(one)}{f', of {listed(names)}' if names else ''}.",
            evidence=(one.id, *one.evaluates),
            severity=_S.major if of_final else _S.minor,
            better="Have it revised along the verdict and judged again before it counts as final."
            if of_final
            else "See that what was criticised is taken up before the result is final, and judge that again.",
            module_key=one.module_key,
            activation_seq=one.activation_seq,
        )


def judged_well(about: Assessed) -> Iterator[Found]:
    for one in about.evaluations:
        if _for(one):
            yield Found(
                statement=f"{one.name}: {_said(one)}.",
                evidence=(one.id, *one.evaluates),
                tone=_T.strength,
                severity=_S.note,
                module_key=one.module_key,
                activation_seq=one.activation_seq,
            )


def not_judged(about: Assessed) -> Iterator[Found]:
    """That nobody looked at a final output is known only where the run ended."""
    gates = sorted(one.id for one in about.index.facts.gates if one.status == "approved")
    for one in about.finals if about.index.has_ended else ():
        if one.id in about.index.evaluated:
            continue
        looked = " A person approved it; no judge, experiment or check of claims did." if gates else ""
        yield Found(
            statement=f"No evaluation evidence is about {one.name}, a final output.{looked}",
            evidence=(one.id, *gates),
            severity=_S.note if gates else _S.minor,
            better="Judge the final output itself, not only what came before it.",
            module_key=one.module_key,
            activation_seq=one.activation_seq,
        )


def _versions(about: Assessed) -> list[tuple[Artifact, Artifact]]:
    """Verdicts with scores on an artifact, and on one that was made from it: before, and after."""
    scored = [one for one in about.evaluations if one.score is not None and one.evaluates]
    parents = {key: {source.id for source in each} for key, each in about.derived.items()}
    return [
        (first, second)
        for first in scored
        for second in scored
        if first.id != second.id and any(parents.get(one, set()) & {*first.evaluates} for one in second.evaluates)
    ]


def second_pass(about: Assessed) -> Iterator[Found]:
    """A revision that was judged better than what it revises, or worse."""
    on = tuple(one for one in (about.template.id if about.template else None,) if one)
    for first, second in _versions(about):
        gained = (second.score or 0) - (first.score or 0)
        better, kinds = gained > 0, DesignSignalKind
        kind = kinds.second_pass_deepening_accepted if better else kinds.second_pass_deepening_rejected
        yield Found(
            statement=f"The second pass {'improved' if better else 'did not improve'} the result: {first.score:.2f} "
            f"before, {second.score:.2f} after.",
            evidence=(first.id, second.id, *first.evaluates, *second.evaluates),
            tone=_T.strength if better else _T.problem,
            severity=_S.note if better else _S.minor,
            better=None if better else "See what the second pass is told; without another aim it repeats the first.",
            module_key=second.module_key,
            activation_seq=second.activation_seq,
            actions=_deeper(about, second.name) if better else (),
            teaches=_twice(first, second, better=better),
            shows=Shown(kind, on) if on else None,
        )


def _twice(first: Artifact, second: Artifact, *, better: bool) -> Taught:
    return Taught(
        choice="A second pass goes over what the first one made.",
        because=f"The first was judged {first.score:.2f}.",
        expected="What the first pass missed is found.",
        effect=f"The second was judged {second.score:.2f}.",
        reuse=("Analysis whose depth matters more than its cost.",) if better else (),
        not_reuse=("Look-ups, and work that one pass does.",),
        against=not better,
    )


def _deeper(about: Assessed, second: str) -> tuple[ProposalInput, ...]:
    """The pattern of a second pass: the template follows it, and it fits this type of task."""
    pattern, template = about.second_pass, about.template
    if pattern is None:
        return ()
    because = f"The second pass did better: {second}."
    found: list[ProposalInput] = []
    if template is not None and not pattern.followed:
        follow = linked("FOLLOWS_PATTERN", pattern.id)
        kind, effect = ProposalKind.task_template_update, "Whoever designs from it is told to look twice."
        found.append(change(kind, template.id, because, effect, follow, by=[about.id]))
    if about.task_type and about.task_type not in pattern.task_types:
        fits = added("task_types", about.task_type)
        kind, effect = ProposalKind.design_pattern_card_update, "The pattern is found for such tasks."
        found.append(change(kind, pattern.id, because, effect, fits, by=[about.id]))
    return tuple(found)


def critique_taken_up(about: Assessed) -> Iterator[Found]:
    """A red team's report that a later step worked from; or that nobody did."""
    on = tuple(one for one in (about.template.id if about.template else None,) if one)
    for one in about.evaluations:
        if one.artifact_kind != _RED_TEAM:
            continue
        users = [step for step in about.index.users.get(one.id, ()) if step.module_key != one.module_key]
        issues = f"{counted(len(one.key_points), 'issue')}" if one.key_points else "what it found"
        kind = DesignSignalKind.red_team_default_accepted if users else None
        named = listed(sorted({about.index.name(step) for step in users}))
        yield Found(
            statement=f"{one.name} told {issues}, and {named} worked from it."
            if users
            else f"{one.name} told {issues}, and no later step worked from it.",
            evidence=(one.id, *sorted(step.id for step in users)),
            tone=_T.strength if users else _T.problem,
            severity=_S.note if users else _S.major,
            better=None if users else "Cable the report into the step that writes the final version.",
            actions=() if users else _into_final(about, one),
            teaches=_critique(one, named, issues, taken=bool(users)),
            module_key=one.module_key,
            activation_seq=one.activation_seq,
            shows=Shown(kind, on) if kind and on else None,
        )


def _critique(report: Artifact, named: str, issues: str, *, taken: bool) -> Taught:
    return Taught(
        choice=f"{report.name} goes into {named}." if taken else f"{report.name} goes nowhere.",
        because=f"It told {issues}, and a critique is worth what comes of it.",
        expected="The result answers what was criticised.",
        effect=f"{named} worked from it." if taken else "No later step worked from it.",
        reuse=("Drafts that a critique should change.",) if taken else (),
        not_reuse=("Extraction and formatting, where there is nothing to dispute.",),
        against=not taken,
    )


def _into_final(about: Assessed, report: Artifact) -> tuple[ProposalInput, ...]:
    steps = [step for one in about.finals if (step := about.maker(one))]
    if not steps or not report.module_key or steps[0].module_key == report.module_key:
        return ()
    because, effect = f"No later step worked from {report.name}.", "What was criticised is answered."
    return missing_cable(about, report.module_key, steps[0].module_key, because, effect)


def judged_without_sources(about: Assessed) -> Iterator[Found]:
    """Whoever judges a text without what it was made from can judge its words only."""
    for one in about.evaluations:
        step = about.maker(one)
        judged = [each for each in one.evaluates if each in about.index.artifact]
        judged = judged or [each.id for each in about.derived.get(one.id, ()) if each.id in about.index.artifact]
        sources = {key: source for each in judged for key, source in about.documents_of(each).items()}
        if step is None or not sources:
            continue
        read = {each.id for each in about.index.consumed.get(step.id, ())}
        if not read or read & sources.keys() or _is_behind(about, one):
            continue
        names = listed([source.name for _, source in sorted(sources.items(), key=lambda item: item[1].name)])
        yield Found(
            statement=f"{about.index.label(step)} judged without the sources: it was not given {names}, from which "
            "what it judged was made.",
            evidence=(one.id, step.id, *judged, *sorted(sources)),
            severity=_S.minor,
            better="Give the judge the sources themselves, or count its verdict for less.",
            module_key=step.module_key,
            activation_seq=step.activation_seq,
        )


def _is_behind(about: Assessed, one: Artifact) -> bool:
    """Of several verdicts of one step, the first speaks for all."""
    same = [each.id for each in about.evaluations if each.activation_id == one.activation_id]
    return bool(same) and same[0] != one.id


def found_in_it(about: Assessed) -> Iterator[Found]:
    """What judges and red teams said of the substance, in their words."""
    for one in about.evaluations:
        said: Sequence[str] = one.key_points or ((one.summary,) if one.summary else ())
        if said:
            yield Found(
                statement=f"{one.name} says: {' '.join(sentence(each) for each in said)}",
                evidence=(one.id, *one.evaluates),
                tone=_T.observation,
                severity=_S.note,
                module_key=one.module_key,
                activation_seq=one.activation_seq,
            )


def judged_highly(about: Assessed) -> Iterator[Found]:
    """A completed run whose final outputs were all judged good teaches how it was made."""
    if about.index.run.status != "completed" or not about.finals:
        return
    verdicts = {one.id: [each for each in about.evaluations if one.id in each.evaluates] for one in about.finals}
    if all(given and all(_for(each) for each in given) for given in verdicts.values()):
        names = listed([one.name for one in about.finals])
        shown = (about.id, *verdicts, *(each.id for given in verdicts.values() for each in given))
        yield Found(
            statement=f"How {names} came about is worth a case: {'it was' if len(verdicts) == 1 else 'they were'} "
            "judged good.",
            evidence=shown,
            tone=_T.observation,
            severity=_S.note,
            better="Make a design case of it active, on the ground that it was assessed highly.",
            code="warning.task_design_case_candidate",
            ground=CaseGround.assessed_highly,
        )


_Q = FindingKind.quality
RULES = (
    Rule("judged_badly", 1, _Q, judged_badly),
    Rule("judged_well", 1, _Q, judged_well),
    Rule("final_output_not_judged", 1, _Q, not_judged),
    Rule("judged_without_sources", 1, _Q, judged_without_sources),
    Rule("critique_taken_up", 2, _Q, critique_taken_up),
    Rule("found_in_the_result", 1, FindingKind.substantive, found_in_it),
    Rule("second_pass_compared", 2, FindingKind.design_learning, second_pass),
    Rule("judged_highly", 2, FindingKind.design_learning, judged_highly),
)
