"""The five steps, as the document's cases and tables have them. No graph."""

from dataclasses import replace
from typing import Any

import pytest

from graph_schema.attention.words import AttentionAction as Action
from graph_schema.attention.words import AttentionMoment as Moment
from graph_schema.attention.words import DirectiveState, OperatingMode, ViewCommand
from graph_schema.attention.words import DirectiveVerbosity as Wordy
from graph_schema.attention.words import InterventionClass as Class
from service.attention.pipeline.decide import Decision, decide
from service.attention.pipeline.facts import Facts, Heard, Raised, ViewRights
from service.attention.pipeline.gates import SuppressionReason as Why
from service.attention.pipeline.modes import MODES, AttentionConduct, can_actuate
from service.attention.rules.policies import our_rules
from tests.attention.scene import ADVISORY, ANALYZER, after, heard, scene, undos, user

VIEW: dict[str, Any] = {
    "active_panels": ["spectrum", "decay"],
    "visible_traces": ["a", "b", "c"],
    "primary_panel_id": "spectrum",
    "primary_trace_id": "a",
}


def moments(facts: Facts) -> list[Moment]:
    return [one.kind for one in decide(facts).moments]


def held(decision: Decision) -> dict[Moment, Why]:
    return {one.draft.moment.kind: one.reason for one in decision.held}


def wolf(confidence: float = 0.85, **more: Any) -> Heard:
    values = {"freq_hz": 247.3, "peak_id": "p7", "bundle_sha256": "ab12"}
    return heard("attention_requested", 1, finding_kind="wolf_tone", confidence=confidence, values=values, **more)


def test_the_first_result_is_a_first_signal_that_points() -> None:
    facts = scene([heard("analysis_completed")], 1)
    [output] = decide(facts).outputs
    assert moments(facts) == [Moment.first_signal]
    assert (output.draft.intervention_class, output.action) == (Class.point, Action.inspect)
    late = scene([heard("tool_rendered", second) for second in range(10)] + [heard("analysis_completed", 11)], 12)
    assert moments(late) == []


def test_three_undos_in_a_minute_are_too_much() -> None:
    assert moments(scene(undos(3), 5)) == [Moment.overload]
    assert moments(scene(undos(2), 5)) == []
    assert Moment.overload not in moments(scene(undos(3), 62.5))
    said = [heard("user_feedback", 1, feedback="too_much")]
    assert moments(scene(said, 2)) == [Moment.overload]


def test_hesitation_is_eight_seconds_without_an_action_or_hovering_again_and_again() -> None:
    action = heard("user_action", 0, action="open")
    assert moments(scene([action], 7.9)) == []
    assert moments(scene([action], 8)) == [Moment.hesitation]
    assert decide(scene([action], 3)).look_at == after(8)
    hovers = [heard("user_action", second, action="hover", target_id="gain") for second in (1, 2, 3)]
    assert moments(scene([action, *hovers], 3.5)) == [Moment.hesitation]
    elsewhere = [*hovers[:2], heard("user_action", 3, action="hover", target_id="mass")]
    assert moments(scene([action, *elsewhere], 3.5)) == []
    assert moments(scene([heard("analysis_failed", 0)], 30)) == [Moment.error]  # nobody is known to be there


def test_moments_are_taken_in_their_order() -> None:
    events = [
        *undos(3),
        heard("analysis_completed", 4),
        heard("attention_requested", 5, summary="Odd"),
        heard("decision_required", 6, question="Which?"),
        heard("analysis_failed", 7, component="wolf", message="No signal"),
    ]
    expected = [Moment.error, Moment.decision_required, Moment.overload, Moment.finding, Moment.hesitation]
    assert moments(scene(events, 20)) == [*expected, Moment.first_signal]
    assert [*Moment] == [*expected, Moment.first_signal]


def test_what_worked_again_or_was_decided_is_over() -> None:
    failed, worked = heard("analysis_failed", 1, error_code="e1"), heard("analysis_completed", 2)
    assert moments(scene([failed], 3)) == [Moment.error]
    assert Moment.error not in moments(scene([failed, worked], 3))
    asked = heard("decision_required", 1, question="Which?", decision_id="d1")
    settled = heard("user_action", 2, action="decided", decision_id="d1")
    assert moments(scene([asked], 3)) == [Moment.decision_required]
    assert moments(scene([asked, settled], 3)) == []


def test_a_session_ends_when_told_or_after_half_an_hour() -> None:
    action = heard("user_action", 0, action="open")
    assert decide(scene([action, heard("user_action", 1, action="close", ends=True)], 20)).context.ended
    assert decide(scene([action], 1801)).context.ended
    assert not decide(scene([action], 1800)).context.ended
    again = decide(scene([*undos(3), heard("user_action", 4000, action="open")], 4001))
    assert (len(again.context.events), again.moments) == (1, ())


def test_a_wolf_tone_is_told_by_its_rule() -> None:
    [output] = decide(scene([wolf()], 2, user=user(guidance_density=(0.9, 1)))).outputs
    draft = output.draft
    assert draft.rule_id == "POLICY_WOLF_TONE_FINDING_v1"
    assert (draft.summary, draft.urgency, draft.confidence) == ("Potential wolf tone at 247Hz", 0.7, 0.85)
    assert (draft.focus_type, draft.focus_id) == ("spectrum_region", "p7")
    assert draft.evidence_refs == ("wolf_candidates_v1:ab12:p7",)
    assert "247.3Hz, with 85% confidence" in output.text
    [weak] = decide(scene([wolf(0.8)], 2)).outputs
    assert weak.draft.urgency == 0.5
    [other] = decide(scene([heard("attention_requested", 1, summary="A buzz")], 2)).outputs
    assert (other.draft.rule_id, other.draft.summary) == ("POLICY_FINDING_v1", "A buzz")


def test_a_rule_that_lacks_what_it_speaks_of_leaves_it_to_a_plainer_one() -> None:
    bare = heard("attention_requested", 1, finding_kind="wolf_tone", summary="A wolf tone somewhere")
    [output] = decide(scene([bare], 2)).outputs
    assert output.draft.rule_id == "POLICY_FINDING_v1"
    [failed] = decide(scene([heard("analysis_failed", 1)], 2)).outputs
    assert failed.draft.summary == f"{ANALYZER} failed"
    assert not decide(scene([heard("attention_requested", 1)], 2)).outputs


def test_a_new_user_is_shown_one_trace() -> None:
    events = [heard("tool_rendered", 0, **VIEW), heard("analysis_completed", 1)]
    rights = {ANALYZER: ViewRights(require_confirmation=False, allowed=frozenset(ViewCommand))}
    actuated = {"modes": {ANALYZER: OperatingMode.actuated}, "capabilities": rights}
    [output] = decide(scene(events, 2, sessions={ANALYZER: 1}, **actuated)).outputs
    assert output.draft.rule_id == "POLICY_FTUE_ONE_TRACE_ANALYZER_v1"
    assert output.view_commands == (
        {"command": "hide_all_except", "panel_id": "spectrum"},
        {"command": "focus_trace", "trace_id": "a"},
    )
    [known] = decide(scene(events, 2, sessions={ANALYZER: 3}, **actuated)).outputs
    assert (known.draft.rule_id, known.view_commands) == ("POLICY_FIRST_SIGNAL_v1", ())
    says_so = [*events, heard("user_feedback", 1.5, first_time=True)]
    [new] = decide(scene(says_so, 2, sessions={ANALYZER: 9}, **actuated)).outputs
    assert new.view_commands
    other = [replace(one, component="camera") for one in events]
    [general] = decide(scene(other, 2, sessions={"camera": 1})).outputs
    assert general.draft.rule_id == "POLICY_FTUE_ONE_TRACE_v1"


def test_actuated_falls_back_where_the_capability_does_not_allow_it() -> None:
    modes = {ANALYZER: OperatingMode.actuated}
    allowed = ViewRights(require_confirmation=False, allowed=frozenset({ViewCommand.reset_view}))
    [acts] = decide(scene(undos(3), 5, modes=modes, capabilities={ANALYZER: allowed})).outputs
    assert (acts.mode, acts.view_commands) == (OperatingMode.actuated, ({"command": "reset_view"},))
    limited = replace(allowed, allowed=frozenset({ViewCommand.focus_trace}))
    asks, down = replace(allowed, require_confirmation=True), replace(allowed, usable=False)
    for rights in ({}, {ANALYZER: asks}, {ANALYZER: down}, {"other": allowed}):
        [output] = decide(scene(undos(3), 5, modes=modes, capabilities=rights)).outputs
        assert (output.mode, output.fell_back, output.view_commands) == (OperatingMode.advisory, True, ())
    [output] = decide(scene(undos(3), 5, modes=modes, capabilities={ANALYZER: limited})).outputs
    assert (output.mode, output.view_commands) == (OperatingMode.actuated, ())
    assert not can_actuate(None)


def test_the_table_of_modes_is_complete_and_contradicts_itself_nowhere() -> None:
    assert [MODES[one].code for one in OperatingMode] == ["M0", "M1", "M2"]
    for row in MODES.values():
        assert not {*row.must, *row.may} & {*row.must_not}
        assert row.allows(AttentionConduct.read_events)
    assert not MODES[OperatingMode.shadow].allows(AttentionConduct.emit_directives)
    assert not MODES[OperatingMode.advisory].view_commands
    assert {*ViewCommand} == {*MODES[OperatingMode.actuated].view_commands}


def test_shadow_is_the_default_and_only_tells_what_would_have_been() -> None:
    decision = decide(scene(undos(3), 5, modes={}))
    assert (decision.mode, decision.emitted) == (OperatingMode.shadow, [])
    [withheld] = decision.withheld
    assert (withheld.draft.summary, withheld.view_commands) == ("Let's simplify", ())


@pytest.mark.parametrize(
    ("density", "wordy"),
    [(0.3, Wordy.summary_only), (0.6, Wordy.summary_plus_hint), (0.61, Wordy.full_explanation)],
)
def test_guidance_density_says_how_much_is_said(density: float, wordy: Wordy) -> None:
    decision = decide(scene(undos(3), 5, user=user(guidance_density=(density, 1))))
    [output] = decision.outputs
    assert decision.gates.verbosity is wordy
    assert ("Try: " in output.text) is (wordy is not Wordy.summary_only)
    assert ("Why it matters: " in output.text) is (wordy is Wordy.full_explanation)


def test_high_sensitivity_allows_one_directive_at_a_time() -> None:
    events = [heard("decision_required", 1, question="Which?"), *undos(3)]
    assert len(decide(scene(events, 5)).outputs) == 2
    for told, expected in (((0.8, 0.7), 1), ((0.8, 0.4), 2), ((0.69, 1), 2)):
        decision = decide(scene(events, 5, user=user(cognitive_load_sensitivity=told)))
        assert len(decision.outputs) == decision.gates.max_directives == expected
    assert held(decide(scene(events, 5, user=user(cognitive_load_sensitivity=(1, 1))))) == {
        Moment.overload: Why.too_many_at_once
    }


def test_who_leads_themselves_is_left_alone_until_they_ask() -> None:
    led = user(initiative_tolerance=(0.2, 0.9))
    events = [heard("analysis_failed", 1, message="No signal"), *undos(3)]
    decision = decide(scene(events, 5, user=led))
    assert [one.draft.moment.kind for one in decision.outputs] == [Moment.error]
    assert held(decision)[Moment.overload] is Why.not_proactive
    assert decide(scene(events, 5, user=user(initiative_tolerance=(0.2, 0.3)))).gates.proactive_allowed
    asked = [*events, heard("user_action", 4, action="help")]
    assert decide(scene(asked, 5, user=led)).gates.proactive_allowed


def before(**more: Any) -> Raised:
    known: dict[str, Any] = {"state": DirectiveState.open, "id": "attn_1", **more}
    evidence = frozenset({"user_action-0", "user_action-1", "user_action-2"})
    return Raised(Moment.overload, "session", evidence, after(3), after(90_000), **known)


@pytest.mark.parametrize(
    ("known", "why"),
    [
        (before(), Why.already_open),
        (before(state=DirectiveState.dismissed), Why.dismissed),
        (before(state=DirectiveState.snoozed, snoozed_until=after(60)), Why.snoozed),
        (before(state=DirectiveState.acted), Why.no_new_evidence),
    ],
)
def test_the_same_is_not_raised_twice(known: Raised, why: Why) -> None:
    assert held(decide(scene(undos(3), 5, raised=(known,)))) == {Moment.overload: why}
    more = scene(undos(4), 5, raised=(known,))
    assert bool(decide(more).outputs) is (why is Why.no_new_evidence)


def test_what_is_put_off_comes_back_and_what_is_over_goes() -> None:
    put_off = before(state=DirectiveState.snoozed, snoozed_until=after(30))
    early, late = (decide(scene(undos(3), at, raised=(put_off,))) for at in (20, 30))
    assert (early.back, late.back) == ((), (put_off,))
    assert decide(scene(undos(3), 9, raised=(put_off,))).look_at == after(10)
    assert decide(scene(undos(3), 11, raised=(put_off,))).look_at == after(30)
    assert decide(scene(undos(3), 4000, raised=(before(),))).over == (before(),)


def test_a_session_has_ten_directives_and_dismissed_ones_count() -> None:
    many = tuple(
        replace(before(state=DirectiveState.dismissed, id=f"attn_{one}"), subject=f"{one}") for one in range(10)
    )
    failed = [heard("analysis_failed", 1, message="No signal"), *undos(1)]
    assert held(decide(scene(failed, 5, raised=many))) == {Moment.error: Why.session_limit}
    assert decide(scene(failed, 5, raised=many[:9])).outputs


def test_one_critical_directive_at_a_time_and_advisory_asks_to_review_it() -> None:
    events = [
        heard("attention_requested", second, name=f"f{second}", summary=f"Fire {second}", critical=True)
        for second in (1, 2)
    ]
    decision = decide(scene(events, 3, user=user(initiative_tolerance=(0, 1))))
    [output] = decision.outputs
    assert (output.draft.intervention_class, output.action) == (Class.intervene, Action.review)
    assert [*held(decision).values()] == [Why.one_critical_at_a_time]
    rights = {ANALYZER: ViewRights(require_confirmation=False)}
    modes = {ANALYZER: OperatingMode.actuated}
    [acts] = decide(scene(events[:1], 3, modes=modes, capabilities=rights)).outputs
    assert acts.action is Action.intervene


def test_at_most_three_options_are_shown() -> None:
    options = [{"id": f"{one}", "label": f"Option {one}"} for one in range(5)]
    [output] = decide(scene([heard("decision_required", 1, question="Which?", options=options)], 2)).outputs
    assert output.draft.options == ("Option 0", "Option 1", "Option 2")
    assert output.draft.options_left_out == 2


def test_two_things_can_be_compared() -> None:
    event = heard("attention_requested", 1, summary="It moved", compare_with="yesterday", finding_id="today")
    rights = {ANALYZER: ViewRights(require_confirmation=False, allowed=frozenset(ViewCommand))}
    [output] = decide(scene([event], 2, modes={"*": OperatingMode.actuated}, capabilities=rights)).outputs
    assert (output.draft.intervention_class, output.action) == (Class.compare, Action.compare)
    assert output.view_commands == (
        {"command": "highlight_delta", "from_state_id": "yesterday", "to_state_id": "today"},
    )


def test_a_domain_adds_rules_without_code() -> None:
    records: list[dict[str, Any]] = [
        {
            "rule_id": "DETECT_HESITATION_KITCHEN_v1",
            "rule_kind": "detect",
            "moment": "hesitation",
            "components": ["oven"],
            "seconds": 60,
            "updated_at": "1",
        },
        {
            "rule_id": "POLICY_TOO_HOT_v1",
            "rule_kind": "policy",
            "moment": "finding",
            "components": ["oven"],
            "finding_kinds": ["temperature"],
            "conditions": ["degrees > 250"],
            "summary": "The oven is at {degrees:.0f} degrees",
            "urgency": ["0.9"],
            "intervention_class": "intervene",
            "updated_at": "1",
        },
    ]
    rules = our_rules().with_domain(records)
    hot = heard("attention_requested", 1, "oven", finding_kind="temperature", values={"degrees": 261.4})
    [output] = decide(scene([hot], 2, rules=rules)).outputs
    assert (output.draft.summary, output.draft.critical) == ("The oven is at 261 degrees", True)
    idle = [heard("user_action", 0, "oven", action="open")]
    assert (moments(scene(idle, 30, rules=rules)), moments(scene(idle, 60, rules=rules))) == ([], [Moment.hesitation])
    assert moments(scene([heard("user_action", 0, action="open")], 30, rules=rules, modes=ADVISORY)) == [
        Moment.hesitation
    ]
