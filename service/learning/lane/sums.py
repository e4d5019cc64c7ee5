"""From sums of signals to proposals: what is surely so is said on the card of what it is about. Pure.

The sentence has no numbers: the same, seen more often, is the same proposal.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from graph_schema.learning.proposal_words import Operation, ProposalKind
from service.commands import RecordRef
from service.learning.aggregates.rules import Sum, Thresholds, sentence, surfaced
from service.learning.lane.rules import MOST_EVIDENCE, Draft
from service.learning.proposals.inputs import ProposalInput, ProposalStep

KINDS: Mapping[str, ProposalKind] = {
    "Template": ProposalKind.template_semantic_card_update,
    "Preset": ProposalKind.module_preset_semantic_card_update,
}
OUTPUT = "output"
_REFUTED: Mapping[str, str] = {
    "chosen": "people do not choose it",
    "added": "it is put in and taken out again",
    "works": "runs of it fail",
    "second_pass": "a second pass that looks deeper does not make it better",
    "red_team": "a red team does not make it better",
}
_HOLDS: Mapping[str, str] = {
    "chosen": "people choose it",
    "added": "it is put in and stays",
    "works": "runs of it end well",
    "second_pass": "a second pass that looks deeper makes it better",
    "red_team": "a red team makes it better",
}


def drafts_of_sums(sums: Iterable[Sum], thresholds: Thresholds) -> list[Draft]:
    """What is beyond the thresholds, either way, and what people want to come out."""
    known = [*sums]
    found = [
        draft
        for one, holds in surfaced(known, thresholds)
        for draft in (*_said(one, sentence(one, holds), _HOLDS, "known_strengths"), *_output(one, sentence(one, holds)))
    ]
    found += [
        draft
        for one in known
        if one.is_refuted(thresholds)
        for draft in _said(one, _against(one), _REFUTED, "known_limitations")
    ]
    return sorted(found, key=Draft.key)


def _said(one: Sum, because: str, words: Mapping[str, str], field: str) -> Iterator[Draft]:
    if one.label in KINDS and one.question.name in words:
        where = f" (seen in {one.context_class})" if one.context_class else ""
        model = f" with models of the class {one.model_class}" if one.model_class else ""
        said = f"{words[one.question.name]}{where}{model}"
        yield _draft(one, KINDS[one.label], field, f"{said[:1].upper()}{said[1:]}.", because)


def _output(one: Sum, because: str) -> Iterator[Draft]:
    if one.question.name == OUTPUT and one.label == "Template" and one.subject:
        kind = ProposalKind.output_archetype_default_update
        yield _draft(one, kind, "default_output_archetypes", one.subject, because)


def _against(one: Sum) -> str:
    return f"{_REFUTED.get(one.question.name, '')}: {len(one.against)} of {len(one.for_it) + len(one.against)} signals."


def _draft(one: Sum, kind: ProposalKind, field: str, value: str, because: str) -> Draft:
    told: dict[str, Any] = {"context_class_key": one.context_class} if one.context_class else {}
    against = field == "known_limitations"
    support, contrary = (one.against, one.for_it) if against else (one.for_it, one.against)
    return Draft(
        f"sum_of_{one.question.name} 1",
        one.audience,
        ProposalInput(
            proposal_kind=kind,
            target=RecordRef(id=one.on),
            steps=(ProposalStep(operation=Operation.add_to_list, field=field, value=[value]),),
            rationale=because,
            expected_effect="Whoever looks for such work is told.",
            supported_by=tuple(RecordRef(id=each) for each in support[:MOST_EVIDENCE]),
            countered_by=tuple(RecordRef(id=each) for each in contrary[:MOST_EVIDENCE]),
            **told,
        ),
    )
