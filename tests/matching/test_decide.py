"""What matching decides, what it recommends and what it tells."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from graph_schema.library.words import CapabilityState, DirectiveKind, MatchOutcome, RecommendedAction
from graph_schema.model.record import LifecycleState
from service.matching.answer import (
    MatchCandidate,
    MatchPart,
    MatchPartName,
    MatchPenaltyKind,
    MatchVetoKind,
    NoticeCode,
)
from service.matching.assets import Condition, Directive, Preference
from service.matching.calibration import Calibration
from service.matching.decide import decide
from service.matching.ranker import VERSION
from service.matching.request import Asked
from tests.matching.conftest import CLOSE, FAR, MIDDLING, NOW, ask, asset


def only(request: Asked, fitted: Calibration, **given: Any) -> MatchCandidate:
    answer = decide(request, [asset(**given)], fitted)
    return answer.recommended[0] if answer.recommended else answer.losers[0].candidate


def part(one: MatchCandidate, name: MatchPartName) -> MatchPart:
    return next(part for part in one.parts if part.name is name)


def test_a_close_asset_is_a_match(fitted: Calibration) -> None:
    answer = decide(ask(), [asset("tpl_1", CLOSE, name="Complaint Evaluation"), asset("tpl_2", FAR)], fitted)
    assert answer.outcome is MatchOutcome.match
    assert answer.confidence > 0.5
    assert [one.asset.id for one in answer.recommended] == ["tpl_1"]
    assert answer.recommended_action is RecommendedAction.use_as_is
    assert answer.explanation.startswith("Complaint Evaluation fits")
    assert answer.losers[0].message.startswith("It is behind Complaint Evaluation: by semantic_intent_match, ")
    assert answer.losers[0].code == "semantic_intent_match"
    assert (answer.ranker.name, answer.ranker.version) == ("tasklore.matching", VERSION)


def test_two_that_are_alike_are_asked_about(fitted: Calibration) -> None:
    answer = decide(ask(), [asset("tpl_1", MIDDLING), asset("tpl_2", MIDDLING)], fitted)
    assert answer.outcome is MatchOutcome.several_close
    assert [one.asset.id for one in answer.recommended] == ["tpl_1", "tpl_2"]
    assert "ask which is meant" in answer.explanation
    first, second = (one.confidence for one in answer.recommended)
    assert first == second == answer.confidence < answer.recommended[0].scores.probability


def test_one_that_may_be_meant_is_asked_about(fitted: Calibration) -> None:
    answer = decide(ask(), [asset("tpl_1", MIDDLING), asset("tpl_2", FAR)], fitted)
    assert (answer.outcome, len(answer.recommended)) == (MatchOutcome.ask, 1)
    assert "ask before using it" in answer.explanation


def test_a_loser_loses_by_the_part_that_decided(fitted: Calibration) -> None:
    """The two are equally near in meaning; one of them needs something that is not on hand."""
    fitting = asset("tpl_1", CLOSE, expected_inputs=("complaint",))
    other = asset("tpl_2", CLOSE, expected_inputs=("docket", "calendar"))
    answer = decide(ask(inputs=("complaint",)), [fitting, other], fitted)
    [loser] = [one for one in answer.losers if one.candidate.asset.id == "tpl_2"]
    assert loser.code == "input_contract_match"
    assert "by input_contract_match, 0.00 against 1.00" in loser.message


def test_nothing_fits_is_said(fitted: Calibration) -> None:
    answer = decide(ask(), [asset("tpl_1", FAR)], fitted)
    assert answer.outcome is MatchOutcome.nothing_fits
    assert not answer.recommended
    assert answer.recommended_action is RecommendedAction.create_new_blank
    assert "came nearest" in answer.losers[0].message


def test_an_empty_library_fits_nothing(fitted: Calibration) -> None:
    answer = decide(ask(), [], fitted)
    assert (answer.outcome, answer.confidence, answer.losers) == (MatchOutcome.nothing_fits, 0, ())


def test_what_was_not_given_is_unknown_and_moves_nothing(fitted: Calibration) -> None:
    one = only(ask(), fitted)
    unknown = [part for part in one.parts if part.score is None]
    assert {part.name for part in unknown} >= {MatchPartName.task_type_match, MatchPartName.input_contract_match}
    assert all(part.effect == 0 and "neither for nor against" in part.evidence for part in unknown)
    assert one.scores.overall_score == part(one, MatchPartName.semantic_intent_match).score


@pytest.mark.parametrize(
    ("given", "asked", "kind"),
    [
        (
            {"requires": ("pacer",), "capability_states": (("pacer", CapabilityState.down),)},
            {},
            MatchVetoKind.required_capability_unavailable,
        ),
        (
            {"requires": ("pacer",), "capability_states": (("pacer", CapabilityState.authorisation_missing),)},
            {},
            MatchVetoKind.required_capability_unavailable,
        ),
        (
            {"side_effects": ("send_email",)},
            {"forbidden_side_effects": ("send_email",)},
            MatchVetoKind.forbidden_side_effect_present,
        ),
        ({"expected_outputs": ("memo",)}, {"outputs": ("spreadsheet",)}, MatchVetoKind.wrong_output_class),
        ({"lifecycle": LifecycleState.archived}, {}, MatchVetoKind.archived_or_deprecated),
        ({"lifecycle": LifecycleState.deprecated}, {}, MatchVetoKind.archived_or_deprecated),
        (
            {"lifecycle": LifecycleState.draft, "author_id": "you"},
            {"viewer_id": "me"},
            MatchVetoKind.archived_or_deprecated,
        ),
        ({"lifecycle": LifecycleState.draft}, {}, MatchVetoKind.archived_or_deprecated),
        ({"requires": ("shell",)}, {"denied_capabilities": ("shell",)}, MatchVetoKind.security_policy_conflict),
        (
            {"memory_modes": ("standard",)},
            {"memory_policy": "memory_incognito"},
            MatchVetoKind.memory_artifact_policy_conflict,
        ),
        (
            {"task_types": ("docket_monitor",)},
            {"task_type": "complaint_audit"},
            MatchVetoKind.materially_wrong_task_type,
        ),
        ({"wrong_task_types": ("triage",)}, {"task_type": "triage"}, MatchVetoKind.materially_wrong_task_type),
    ],
)
def test_vetoes(given: dict[str, Any], asked: dict[str, Any], kind: MatchVetoKind, fitted: Calibration) -> None:
    answer = decide(ask(**asked), [asset(**given)], fitted)
    assert answer.outcome is MatchOutcome.nothing_fits
    assert not answer.recommended
    assert [veto.kind for veto in answer.losers[0].candidate.hard_vetoes] == [kind]
    assert answer.losers[0].message == answer.losers[0].candidate.hard_vetoes[0].reason
    assert answer.losers[0].code == answer.losers[0].candidate.hard_vetoes[0].kind
    assert answer.losers[0].candidate.recommended_action is RecommendedAction.create_new_blank


def test_a_capability_that_nobody_reported_on_does_not_veto(fitted: Calibration) -> None:
    one = only(ask(), fitted, requires=("pacer",))
    assert not one.vetoed
    assert part(one, MatchPartName.capability_availability_match).score is None
    listed = only(ask(capabilities=("email",)), fitted, requires=("pacer",))
    assert not listed.vetoed
    assert part(listed, MatchPartName.capability_availability_match).score == 0


def test_a_draft_of_ones_own_has_a_penalty_and_is_forked(fitted: Calibration) -> None:
    one = only(ask(viewer_id="me"), fitted, lifecycle=LifecycleState.draft, author_id="me")
    assert [penalty.kind for penalty in one.soft_penalties] == [MatchPenaltyKind.draft]
    assert one.recommended_action is RecommendedAction.fork


def test_candidate_update_matches_as_active(fitted: Calibration) -> None:
    assert not only(ask(), fitted, lifecycle=LifecycleState.candidate_update).vetoed


@pytest.mark.parametrize("condition", [Condition("only formatting", 0.95), Condition("complaint audit", None)])
def test_non_use_conditions_count_against(condition: Condition, fitted: Calibration) -> None:
    plain, against = only(ask(), fitted), only(ask(), fitted, non_use=(condition,))
    assert [penalty.kind for penalty in against.soft_penalties] == [MatchPenaltyKind.non_use_condition]
    assert against.scores.overall_score < plain.scores.overall_score


def test_a_non_use_condition_about_something_else_does_not_count(fitted: Calibration) -> None:
    assert not only(ask(), fitted, non_use=(Condition("only formatting", 0.3),)).soft_penalties


def taught(kind: DirectiveKind, phrase: str, state: LifecycleState = LifecycleState.active) -> tuple[Directive, ...]:
    return (Directive("dir_1", kind, phrase, 1.0, state),)


def test_what_was_taught_wins(fitted: Calibration) -> None:
    prefer = taught(DirectiveKind.prefer_when_phrase, "complaint audit")
    avoid = taught(DirectiveKind.avoid_when_phrase, "citation cleanup")
    library = [asset("tpl_eval", MIDDLING, directives=prefer + avoid), asset("tpl_draft", MIDDLING)]
    audit = decide(ask("complaint audit"), library, fitted)
    assert (audit.outcome, audit.recommended[0].asset.id) == (MatchOutcome.match, "tpl_eval")
    assert "It was taught" in audit.explanation
    cleanup = decide(ask("citation cleanup only"), library, fitted)
    assert cleanup.losers[-1].candidate.asset.id == "tpl_eval"
    assert "It was taught that it is avoided" in cleanup.losers[-1].message
    assert cleanup.losers[-1].code == "directive_avoids"


@pytest.mark.parametrize("state", [LifecycleState.candidate, LifecycleState.rejected])
def test_only_active_directives_steer(state: LifecycleState, fitted: Calibration) -> None:
    plain = only(ask("complaint audit"), fitted)
    steered = only(
        ask("complaint audit"), fitted, directives=taught(DirectiveKind.prefer_when_phrase, "complaint audit", state)
    )
    assert steered.scores.overall_score == plain.scores.overall_score


def test_directives_by_task_type_and_output(fitted: Calibration) -> None:
    typed = ask(task_type="complaint_audit")
    prefers = only(typed, fitted, directives=taught(DirectiveKind.prefer_for_task_type, "complaint_audit"))
    avoids = only(typed, fitted, directives=taught(DirectiveKind.avoid_for_task_type, "complaint_audit"))
    assert prefers.scores.overall_score > only(typed, fitted).scores.overall_score > avoids.scores.overall_score
    memo = taught(DirectiveKind.prefer_output_archetype, "memo")
    liked = MatchPartName.user_preference_match
    wanted = ask(outputs=("memo", "matrix"))
    assert part(only(wanted, fitted, output_archetypes=("memo",), directives=memo), liked).score == 1
    assert part(only(wanted, fitted, directives=memo), liked).score is None
    for other in (ask(), ask(outputs=()), ask(outputs=("matrix",))):
        assert part(only(other, fitted, output_archetypes=("memo",), directives=memo), liked).score is None


def test_a_required_confirmation_is_said(fitted: Calibration) -> None:
    always = taught(DirectiveKind.require_user_confirmation, "always")
    answer = decide(ask(), [asset(directives=always)], fitted)
    assert answer.needs_confirmation
    assert not decide(ask(), [asset()], fitted).needs_confirmation


def test_contracts_entities_assessment_use_and_preferences_are_weighed(fitted: Calibration) -> None:
    request = ask(
        inputs=("complaint",), outputs=("memo", "matrix"), entities=("ent_1", "ent_2"), capabilities=("pacer",)
    )
    one = only(
        request,
        fitted,
        expected_inputs=("complaint", "docket"),
        expected_outputs=("memo",),
        entity_ids=("ent_1",),
        requires=("pacer",),
        completed=8,
        ended=8,
        usage_count=3,
        last_used_at=NOW - timedelta(days=90),
        preferences=(Preference("issue matrix and memo"),),
    )
    values = {part.name: part.score for part in one.parts}
    assert values[MatchPartName.input_contract_match] == 0.5
    assert values[MatchPartName.output_contract_match] == 0.5
    assert values[MatchPartName.entity_context_match] == 0.5
    assert values[MatchPartName.capability_availability_match] == 1
    assert values[MatchPartName.prior_assessment_score] == 0.9
    assert values[MatchPartName.recency_or_staleness_score] == 0.5
    assert values[MatchPartName.user_preference_match] == 0.625
    assert one.recommended_action in {RecommendedAction.customize, RecommendedAction.use_as_is}
    assert (
        "missing: docket" in one.explanation
        or "missing: docket" in part(one, MatchPartName.input_contract_match).evidence
    )


def test_a_vector_that_is_behind_is_said_and_never_a_sure_match(fitted: Calibration) -> None:
    behind = replace(CLOSE, cosine=None, nearest=None, lexical=1.0)
    answer = decide(ask(), [asset(likeness=behind)], fitted)
    assert answer.outcome is not MatchOutcome.match
    assert any(note.code == NoticeCode.vectors_behind for note in answer.warnings)


def test_a_blank_task_is_made_though_something_fits(fitted: Calibration) -> None:
    answer = decide(ask(blank=True), [asset()], fitted)
    assert answer.recommended_action is RecommendedAction.create_new_blank
    assert answer.warnings[-1].code == NoticeCode.template_match_available_but_new_graph_requested


def test_the_group_of_a_match_is_named(fitted: Calibration) -> None:
    answer = decide(ask(), [asset(name="Evaluation", group=("Draft", "Evaluation", "Revise"))], fitted)
    assert answer.explanation.endswith("In the same group: Draft, Revise.")


def test_assets_that_are_nearly_the_same_are_one_candidate_with_copies(fitted: Calibration) -> None:
    near = replace(CLOSE, cosine=0.899, nearest=0.919)
    same = [asset("tpl_1", CLOSE, name="Weekly report"), asset("tpl_2", near, name="Weekly Report (copy 2)")]
    alone = decide(ask(), [same[0], asset("tpl_3", FAR)], fitted)
    answer = decide(ask(), [*same, asset("tpl_3", FAR)], fitted)
    [first] = answer.recommended
    assert (answer.outcome, answer.confidence) == (alone.outcome, alone.confidence)
    assert [one.id for one in first.copies] == ["tpl_2"]
    told = {one.candidate.id: one.code for one in answer.losers}
    assert told["tpl_2"] == "nearly_the_same"
    other = decide(ask(), [same[0], asset("tpl_2", near, name="Weekly report", requires=("slack",))], fitted)
    assert all(not one.copies for one in other.weighed)


def test_what_is_asked_about_is_told_apart_by_what_differs(fitted: Calibration) -> None:
    one = asset("tpl_1", MIDDLING, name="Report", requires=("slack", "sheets"), steps=("Post",))
    other = asset("tpl_2", MIDDLING, name="Report", requires=("discord", "sheets"), expected_outputs=("chart",))
    answer = decide(ask(), [one, other], fitted)
    assert answer.outcome is MatchOutcome.several_close
    assert [each.apart for each in answer.recommended] == [
        ("needs slack", "has the step Post"),
        ("needs discord", "makes chart"),
    ]
    assert "Report (needs slack; has the step Post)" in answer.explanation


def test_one_that_is_asked_about_alone_is_told_apart_from_what_comes_next(fitted: Calibration) -> None:
    """Not by their names, which may be equal: by the step, the service or the output that differs."""
    nearly, behind = (
        replace(MIDDLING, cosine=0.84, nearest=0.83),
        replace(MIDDLING, cosine=0.75, nearest=0.72, lexical=0),
    )
    one = asset("tpl_1", nearly, name="Report", requires=("slack",), steps=("Post", "Check"))
    other = asset("tpl_2", behind, name="Report", requires=("discord",), steps=("Check",))
    answer = decide(ask(), [one, other], fitted)
    assert answer.outcome is MatchOutcome.ask
    assert answer.recommended[0].apart == ("needs slack", "has the step Post")
    assert "Unlike Report, it needs slack; it has the step Post." in answer.explanation
    alone = decide(ask(), [one], fitted)
    assert alone.recommended[0].apart == ()
    used = asset("tpl_3", MIDDLING, name="Report", usage_count=4)
    unused = asset("tpl_4", MIDDLING, name="A report", nearest_phrase="weekly report")
    told = decide(ask(), [used, unused], fitted).recommended
    assert {each.id: each.apart for each in told} == {
        "tpl_3": ("was used 4 times lately",),
        "tpl_4": ("is asked for as “weekly report”",),
    }
