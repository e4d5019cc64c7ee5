"""What edits teach. Named rules: each says which edits it reads, what signal that is, and what it recommends."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from graph_schema.learning.design_words import EditKind as Kind
from graph_schema.learning.words import DesignSignalKind as Signal
from graph_schema.learning.words import DesignUpdateKind as Update
from service.learning.edits.diff import Design, ProposalEdit, preset_changes
from service.learning.edits.reading import is_deepening, is_red_team

VERSION = "proposal-edits 1"
DEEPENING_PATTERN = "complex_analysis_second_pass_deepening"


@dataclass(frozen=True, slots=True, kw_only=True)
class EditLesson:
    """What some edits of a proposal teach."""

    rule: Annotated[str, "The rule that reads them so."]
    signal_kind: Annotated[Signal, "What they show."]
    summary: Annotated[str, "What they show, in a sentence."]
    recommended_update_kind: Annotated[Update, "What they recommend to change."]
    subject: Annotated[str | None, "What that is about, where it has a name."] = None


def lessons(proposed: Design, saved: Design, found: Sequence[ProposalEdit]) -> tuple[EditLesson, ...]:
    """One for each thing that was learned; edits that no rule reads are told together."""
    told = [*_deepening(proposed, saved, found), *_red_team(proposed, saved, found), *_policies(found)]
    told += [*_capabilities(found), *_presets(proposed, saved), *_templates(found)]
    read = {Kind.artifact_policy_changed, Kind.capability_added, Kind.capability_removed, Kind.template_changed}
    rest = [one for one in found if one.kind not in read and not _is_read(one, proposed, saved)]
    if rest:
        kinds = ", ".join(one.value for one in Kind if any(each.kind is one for each in rest))
        told.append(
            EditLesson(
                rule="edited_by_hand",
                signal_kind=Signal.user_manual_edit_after_proposal,
                summary=f"The proposal was edited by hand: {kinds}. {rest[0].detail}",
                recommended_update_kind=Update.template_update_proposal
                if proposed.template
                else Update.pattern_card_update,
            )
        )
    return tuple(told)


def _deepening(proposed: Design, saved: Design, found: Sequence[ProposalEdit]) -> Iterator[EditLesson]:
    if any(one.kind is Kind.second_pass_deepening_added for one in found):
        yield EditLesson(
            rule="second_pass_was_missing",
            signal_kind=Signal.second_pass_deepening_accepted,
            summary="The proposal omitted the preferred deepening of complex analysis: a second pass was added.",
            recommended_update_kind=Update.pattern_card_update,
            subject=DEEPENING_PATTERN,
        )
    elif _has(proposed, is_deepening) and not _has(saved, is_deepening):
        yield EditLesson(
            rule="second_pass_was_too_much",
            signal_kind=Signal.second_pass_deepening_rejected,
            summary="The second pass that was proposed was taken out.",
            recommended_update_kind=Update.pattern_card_update,
            subject=DEEPENING_PATTERN,
        )


def _red_team(proposed: Design, saved: Design, found: Sequence[ProposalEdit]) -> Iterator[EditLesson]:
    before, after = _has(proposed, is_red_team), _has(saved, is_red_team)
    if before == after or not found:
        return
    yield EditLesson(
        rule="red_team_was_missing" if after else "red_team_was_too_much",
        signal_kind=Signal.red_team_default_accepted if after else Signal.red_team_default_rejected,
        summary="A red team was added to the proposal." if after else "The red team that was proposed was taken out.",
        recommended_update_kind=Update.preset_update_proposal,
    )


def _policies(found: Sequence[ProposalEdit]) -> Iterator[EditLesson]:
    changed = [one for one in found if one.kind is Kind.artifact_policy_changed]
    if changed:
        yield EditLesson(
            rule="outputs_go_elsewhere",
            signal_kind=Signal.artifact_policy_changed,
            summary=f"How far outputs go was changed, of {', '.join(sorted({one.of for one in changed}))}.",
            recommended_update_kind=Update.template_update_proposal,
        )


def _capabilities(found: Sequence[ProposalEdit]) -> Iterator[EditLesson]:
    for kind, rule, signal in (
        (Kind.capability_added, "capability_was_missing", Signal.capability_needed),
        (Kind.capability_removed, "capability_was_too_much", Signal.capability_unused),
    ):
        for one in (edit for edit in found if edit.kind is kind):
            yield EditLesson(
                rule=rule,
                signal_kind=signal,
                summary=one.detail,
                recommended_update_kind=Update.template_update_proposal,
                subject=one.after or one.before,
            )


def _presets(proposed: Design, saved: Design) -> Iterator[EditLesson]:
    came, went = preset_changes(proposed, saved)
    for some, rule, signal, told in (
        (came, "preset_was_missing", Signal.preset_added, "A module was set to a preset."),
        (went, "preset_was_wrong", Signal.preset_removed, "A preset that was proposed was not used."),
    ):
        for one in some:
            yield EditLesson(
                rule=rule,
                signal_kind=signal,
                summary=told,
                recommended_update_kind=Update.template_update_proposal,
                subject=one,
            )


def _templates(found: Sequence[ProposalEdit]) -> Iterator[EditLesson]:
    for one in (edit for edit in found if edit.kind is Kind.template_changed):
        yield EditLesson(
            rule="template_was_wrong",
            signal_kind=Signal.template_rejected,
            summary=one.detail,
            recommended_update_kind=Update.semantic_card_update,
            subject=one.before,
        )
        if one.after:
            yield EditLesson(
                rule="template_was_right",
                signal_kind=Signal.template_selected,
                summary=one.detail,
                recommended_update_kind=Update.semantic_card_update,
                subject=one.after,
            )


def _is_read(one: ProposalEdit, proposed: Design, saved: Design) -> bool:
    """Whether a rule has read the edit already: what is said of a second pass or a red team is said once."""
    if one.kind is Kind.second_pass_deepening_added:
        return True
    modules = {each.module_key: each for each in (*proposed.graph.modules, *saved.graph.modules)}
    module = modules.get(one.of)
    if module is None or one.kind in {Kind.module_rewired, Kind.config_changed, Kind.prompt_changed}:
        return False
    told = {"module_type": module.module_type, "name": module.name, "purpose": module.purpose, "config": module.config}
    return is_deepening(told) or is_red_team(told)


def _has(design: Design, is_one: Callable[[Mapping[str, Any]], bool]) -> bool:
    return any(
        is_one({"module_type": one.module_type, "name": one.name, "purpose": one.purpose, "config": one.config})
        for one in design.graph.modules
    )
