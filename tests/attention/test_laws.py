"""Laws of the pipeline, tried on many scenes. No graph."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from graph_schema.attention.words import AgentEventType, DirectiveState, OperatingMode, ViewCommand
from graph_schema.attention.words import AttentionMoment as Moment
from graph_schema.attention.words import DirectiveState as State
from service.attention.deciding.read import kept_facts, known_facts, read_spans, spans_of
from service.attention.pipeline.decide import Decision, decide
from service.attention.pipeline.facts import WAITING_ON, Facts, Heard, Raised, ViewRights, Waits
from service.attention.pipeline.interventions import PROACTIVE
from service.attention.rules.policies import our_rules
from tests.attention.scene import after, heard, scene, user
from tests.laws import law

COMPONENTS = ("tap_tone_analyzer", "camera")
SAID: dict[str, list[dict[str, Any]]] = {
    "analysis_completed": [{}],
    "analysis_failed": [{"message": "No signal"}, {"error_code": "e1"}, {}],
    "tool_rendered": [{"active_panels": ["a", "b"], "visible_traces": ["x", "y"], "primary_trace_id": "x"}],
    "attention_requested": [
        {"summary": "Odd", "confidence": 0.9},
        {"summary": "Fire", "critical": True},
        {"finding_kind": "wolf_tone", "values": {"freq_hz": 200.5, "peak_id": "p", "bundle_sha256": "s"}},
    ],
    "decision_required": [{"question": "Which?"}],
    "user_action": [{"action": one} for one in ("undo", "undo", "open", "help", "hover")],
    "user_feedback": [{"feedback": "too_much"}, {"first_time": True}],
}


@st.composite
def events(draw: st.DrawFn) -> list[Heard]:
    found: list[Heard] = []
    for number in range(draw(st.integers(0, 14))):
        kind = draw(st.sampled_from([*SAID]))
        seconds = draw(st.integers(0, 90))
        said = draw(st.sampled_from(SAID[kind]))
        component = draw(st.sampled_from(COMPONENTS))
        found.append(heard(kind, seconds, component, name=f"e{number}", **said))
    return found


@st.composite
def scenes(draw: st.DrawFn) -> Facts:
    known = draw(events())
    modes = {one: draw(st.sampled_from([*OperatingMode])) for one in COMPONENTS if draw(st.booleans())}
    rights = {
        one: ViewRights(draw(st.booleans()), frozenset(draw(st.sets(st.sampled_from([*ViewCommand])))))
        for one in COMPONENTS
        if draw(st.booleans())
    }
    earlier = decide(scene(known, draw(st.integers(0, 60)), modes=modes)).outputs
    raised = tuple(
        Raised(
            one.draft.moment.kind,
            one.draft.moment.subject,
            one.draft.moment.ids,
            after(draw(st.integers(0, 60))),
            after(90_000),
            draw(st.sampled_from([*DirectiveState])),
            snoozed_until=after(70),
            critical=one.draft.critical,
            id=f"attn_{place}",
        )
        for place, one in enumerate(earlier)
    )
    shares = st.floats(0, 1).map(lambda one: round(one, 2))
    told = {
        name: (draw(shares), draw(shares))
        for name in ("cognitive_load_sensitivity", "guidance_density", "initiative_tolerance")
    }
    at = draw(st.integers(60, 120))
    return scene(known, at, modes=modes, capabilities=rights, raised=raised, user=user(**told))


def suggestions(decision: Decision) -> int:
    return sum(one.draft.moment.kind in PROACTIVE and not one.draft.critical for one in decision.outputs)


def with_user(facts: Facts, **told: tuple[float, float]) -> Facts:
    known = {one.value: (each.value, each.confidence) for one, each in facts.user.items()}
    return replace(facts, user=user(**{**known, **told}))


@law(100)
@given(scenes(), st.randoms(use_true_random=False))
def test_the_order_and_repetition_of_events_change_nothing(facts: Facts, random: Any) -> None:
    mixed: Sequence[Heard] = random.sample(facts.events, len(facts.events))
    assert decide(replace(facts, events=tuple(mixed))).answer() == decide(facts).answer()


@law(100)
@given(scenes())
def test_shadow_mode_never_emits_a_directive_or_a_command(facts: Facts) -> None:
    decision = decide(replace(facts, modes={}))
    assert not decision.emitted
    assert not any(one.view_commands for one in decision.outputs)
    for one in decide(facts).outputs:
        mode = facts.mode_of(one.draft.moment.component)
        assert one.emitted is (mode is not OperatingMode.shadow)
        if one.view_commands:
            assert mode is OperatingMode.actuated
            rights = facts.capabilities[one.draft.moment.component]
            assert not rights.require_confirmation
            assert {ViewCommand(each["command"]) for each in one.view_commands} <= rights.allowed


@law(100)
@given(scenes(), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_higher_sensitivity_never_means_more_directives(facts: Facts, one: float, other: float, sure: float) -> None:
    low, high = sorted((one, other))
    calm, tender = (decide(with_user(facts, cognitive_load_sensitivity=(value, sure))).outputs for value in (low, high))
    assert len(tender) <= len(calm)


@law(100)
@given(scenes(), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_lower_initiative_tolerance_never_means_more_suggestions(
    facts: Facts, one: float, other: float, sure: float
) -> None:
    low, high = sorted((one, other))
    led, open_ = (decide(with_user(facts, initiative_tolerance=(value, sure))) for value in (low, high))
    assert suggestions(led) <= suggestions(open_)


@st.composite
def inboxes(draw: st.DrawFn) -> Facts:
    """What waits in an inbox, some of it answered or raised before."""
    kinds = ((Moment.error, "analysis_failed", "tasks"), (Moment.decision_required, "decision_required", "learning"))
    kinds += ((Moment.finding, "attention_requested", "tools"),)
    waits: list[Waits] = []
    for number in range(draw(st.integers(0, 6))):
        moment, kind, component = draw(st.sampled_from(kinds))
        said = {"summary": "Odd", "question": "Which?", "message": "It failed", "run": "A run"}
        put = draw(st.sampled_from([None, None, State.dismissed, State.snoozed, State.acted]))
        since = after(draw(st.integers(0, 50)))
        waits.append(Waits(moment, component, f"r{number}", since, AgentEventType(kind), said, put))
    raised = tuple(
        Raised(one.moment, one.about, frozenset(), after(draw(st.integers(0, 60))), after(90_000), state, id=one.about)
        for one in waits
        for state in [draw(st.sampled_from([None, *State]))]
        if state is not None
    )
    modes = {one: draw(st.sampled_from([*OperatingMode])) for one in WAITING_ON}
    shares = st.floats(0, 1).map(lambda one: round(one, 2))
    told = {one: (draw(shares), draw(shares)) for one in ("cognitive_load_sensitivity", "initiative_tolerance")}
    return scene([], 61, modes=modes, waits=tuple(waits), raised=raised, user=user(**told))


@law(100)
@given(inboxes(), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.randoms(use_true_random=False))
def test_what_waits_in_an_inbox_passes_the_same_gates(
    facts: Facts, one: float, other: float, sure: float, random: Any
) -> None:
    decision = decide(facts)
    assert facts.waits is not None
    mixed = replace(facts, waits=tuple(random.sample(facts.waits, len(facts.waits))))
    assert decide(mixed).answer() == decision.answer()
    assert decide(known_facts(facts.session_id, kept_facts(facts), (), our_rules())).answer() == decision.answer()
    assert not decide(replace(facts, modes={})).emitted
    put = {each.about for each in facts.waits if each.put}
    since = {each.about: each.since for each in facts.waits}
    before = {each.subject for each in facts.raised if each.at >= since[each.subject]}
    assert not {each.draft.moment.subject for each in decision.emitted} & (put | before)
    assert len(decision.emitted) <= decision.gates.max_directives
    low, high = sorted((one, other))
    calm, tender = (decide(with_user(facts, cognitive_load_sensitivity=(value, sure))).outputs for value in (low, high))
    assert len(tender) <= len(calm)
    led, open_ = (decide(with_user(facts, initiative_tolerance=(value, sure))) for value in (low, high))
    assert suggestions(led) <= suggestions(open_)


@law(100)
@given(scenes())
def test_limits_and_dismissals_hold(facts: Facts) -> None:
    decision = decide(facts)
    dismissed = {
        (one.moment, one.subject)
        for one in facts.raised
        if one.state is DirectiveState.dismissed
        if decision.context.started_at is not None and one.at >= decision.context.started_at
    }
    real = [one for one in decision.outputs if one.emitted]
    assert not {(one.draft.moment.kind, one.draft.moment.subject) for one in real} & dismissed
    assert sum(one.draft.critical for one in real) <= 1
    assert sum(not one.draft.critical for one in real) <= decision.gates.max_directives
    assert all(len(one.draft.options) <= 3 for one in decision.outputs)


@law(100)
@given(scenes())
def test_a_decision_that_was_kept_is_taken_again_to_the_same_answer(facts: Facts) -> None:
    again = known_facts(facts.session_id, kept_facts(facts), facts.events, our_rules())
    assert decide(again).answer() == decide(facts).answer()


@law(50)
@given(st.sets(st.integers(1, 200)))
def test_places_are_kept_as_spans(places: set[int]) -> None:
    spans = read_spans(spans_of(places))
    assert {one for first, last in spans for one in range(first, last + 1)} == places
