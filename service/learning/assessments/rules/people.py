"""What people said, did again and took back."""

from collections.abc import Iterator

from graph_schema.learning.assessment_words import FindingKind, FindingSeverity, FindingTone
from service.learning.assessments.facts import Assessed, Verdict
from service.learning.assessments.found import Found, Rule
from service.memory.views.words import counted, listed

_S, _T = FindingSeverity, FindingTone
HELPED = "helpful"
_BETTER = {
    "missing": "Bind what was missing to the task's scope.",
    "should_have_been_included": "Bind what was missing to the task's scope.",
    "should_have_been_excluded": "Exclude it from the task's scope.",
    "too_much": "Give the module a smaller budget or a narrower profile.",
}


def of_context(about: Assessed) -> Iterator[Found]:
    """What was thought of the context of each module."""
    grouped: dict[tuple[str, int, str], list[Verdict]] = {}
    for one in about.feedback:
        grouped.setdefault((one.module_key, one.activation_seq, one.feedback), []).append(one)
    for (module_key, seq, word), each in sorted(grouped.items()):
        good = word == HELPED
        yield Found(
            statement=f"Of the context of {module_key} people said {word.replace('_', ' ')} "
            f"({counted(len(each), 'time')}).",
            evidence=tuple(sorted(one.id for one in each)),
            tone=_T.strength if good else _T.problem,
            severity=_S.note if good else _S.minor,
            better=None if good else _BETTER.get(word, "See what was injected, and by which rule."),
            module_key=module_key,
            activation_seq=seq,
        )


def done_again(about: Assessed) -> Iterator[Found]:
    """What was forked, somebody wanted otherwise."""
    for one in sorted(about.index.facts.forks, key=lambda one: one.id):
        yield Found(
            statement=f"Part of it was run again: {one.name}.",
            evidence=(one.id,),
            severity=_S.minor,
            better="Take over into the design what the second run did otherwise.",
            module_key=getattr(one, "module_key", None),
        )


def talked_over(about: Assessed) -> Iterator[Found]:
    each = sorted(about.index.facts.follow_ups, key=lambda one: one.id)
    if each:
        yield Found(
            statement=f"People came back to it {counted(len(each), 'time')}: {listed([one.name for one in each])}.",
            evidence=tuple(one.id for one in each),
            tone=_T.observation,
            severity=_S.note,
        )


def steered(about: Assessed) -> Iterator[Found]:
    each = sorted(about.index.facts.interventions, key=lambda one: one.id)
    if each:
        yield Found(
            statement=f"Somebody stepped in {counted(len(each), 'time')} while it ran: "
            f"{listed([one.name for one in each])}.",
            evidence=tuple(one.id for one in each),
            severity=_S.minor,
            better="Write into the module's instruction what it had to be told.",
            module_key=each[0].module_key if len(each) == 1 else None,
        )


def corrected(about: Assessed) -> Iterator[Found]:
    if about.corrections:
        yield Found(
            statement=f"What it answered was asked again {counted(len(about.corrections), 'time')}.",
            evidence=tuple(one.id for one in about.corrections),
            severity=_S.major,
            better="See what the second request says that the first did not.",
        )


def refused(about: Assessed) -> Iterator[Found]:
    """A gate that a person did not let pass."""
    for gate in sorted(about.index.facts.gates, key=lambda one: one.id):
        if gate.status in {"rejected", "changes_requested"}:
            yield Found(
                statement=f"{gate.name}: {gate.status.replace('_', ' ')}"
                f"{f', “{gate.decision_note}”' if gate.decision_note else ''}.",
                evidence=(gate.id, *sorted(gate.activation_ids)),
                severity=_S.major,
                better="Have what was criticised checked before the gate.",
                module_key=gate.module_key,
                activation_seq=gate.activation_seq,
            )


def approved(about: Assessed) -> Iterator[Found]:
    for gate in sorted(about.index.facts.gates, key=lambda one: one.id):
        if gate.status == "approved":
            yield Found(
                statement=f"{gate.name}: approved{f', “{gate.decision_note}”' if gate.decision_note else ''}.",
                evidence=(gate.id, *sorted(gate.activation_ids)),
                tone=_T.strength,
                severity=_S.note,
                module_key=gate.module_key,
                activation_seq=gate.activation_seq,
            )


_U = FindingKind.user_feedback
RULES = (
    Rule("context_feedback", 1, _U, of_context),
    Rule("part_run_again", 1, _U, done_again),
    Rule("came_back_to", 1, _U, talked_over),
    Rule("stepped_in", 1, _U, steered),
    Rule("asked_again", 1, _U, corrected),
    Rule("gate_refused", 1, _U, refused),
    Rule("gate_approved", 1, _U, approved),
)
