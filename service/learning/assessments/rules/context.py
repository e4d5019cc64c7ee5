"""What steps were given to know, and what was handed from one to the next."""

from collections.abc import Iterator

from graph_schema.learning.assessment_words import FindingKind, FindingSeverity
from service.learning.assessments.facts import Assessed
from service.learning.assessments.found import Found, Rule
from service.learning.assessments.rules.wiring import missing_cable
from service.learning.proposals.inputs import ProposalInput
from service.memory.views.anomalies import AnomalyCode, find
from service.memory.views.facts import Activation, Artifact
from service.memory.views.words import counted, listed

_S = FindingSeverity


def not_handed_on(about: Assessed) -> Iterator[Found]:
    """A step that followed another, worked from something, and was given nothing that the other made."""
    made: dict[str, list[Artifact]] = {}
    for one in about.made:
        if one.activation_id is not None:
            made.setdefault(one.activation_id, []).append(one)
    for step in about.index.steps:
        read = {one.id for one in about.index.consumed.get(step.id, ())}
        for before in about.index.before.get(step.id, ()) if read else ():
            left = sorted(made.get(before.id, ()), key=lambda one: one.id)
            if left and not read & {one.id for one in left}:
                yield _not_handed_on(about, before, step, left)


def _not_handed_on(about: Assessed, before: Activation, step: Activation, left: list[Artifact]) -> Found:
    names, after = listed([one.name for one in left]), about.index.label(step)
    return Found(
        statement=f"{after} followed {about.index.label(before)} and was not given {names}.",
        evidence=(before.id, step.id, *(one.id for one in left)),
        severity=_S.major,
        better=f"Wire {names} as explicit context into {after}.",
        module_key=step.module_key,
        activation_seq=step.activation_seq,
        actions=_cable(about, before, step, names),
    )


def _cable(about: Assessed, before: Activation, step: Activation, names: str) -> tuple[ProposalInput, ...]:
    because = f"{about.index.label(step)} was not given {names}."
    effect = f"{about.index.name(step)} works from what {about.index.name(before)} makes."
    return missing_cable(about, before.module_key, step.module_key, because, effect)


def without_packet(about: Assessed) -> Iterator[Found]:
    for one in find(about.index):
        if one.code == AnomalyCode.packet_required:
            yield Found(
                statement=one.message,
                evidence=(one.about_id,),
                severity=_S.minor,
                better="Ask for a context packet at every activation that a model answers, and report which it got.",
                code=AnomalyCode.packet_required,
                module_key=one.module_key,
                activation_seq=one.activation_seq,
            )


def trimmed(about: Assessed) -> Iterator[Found]:
    """What would have been given, had there been room."""
    places = {one.id: one for one in about.index.facts.packets}
    for packet_id, receipts in sorted(about.index.receipts.items()):
        out = [one for one in receipts if not one.injected and one.reason == "budget_trimmed"]
        packet = places.get(packet_id)
        if out and packet is not None:
            yield Found(
                statement=f"{counted(sum(one.count for one in out), 'item')} found no room in the context of "
                f"{packet.module_key}.",
                evidence=(packet_id,),
                severity=_S.minor,
                better="Give the module a larger budget, or fewer things that go before these.",
                code="warning.task_module_context_relevant_memory_trimmed",
                module_key=packet.module_key,
                activation_seq=packet.activation_seq,
            )


_M = FindingKind.memory_context
RULES = (
    Rule("not_handed_on", 1, _M, not_handed_on),
    Rule("context_without_packet", 1, _M, without_packet),
    Rule("context_trimmed", 1, _M, trimmed),
)
