"""What people make of suggestions, and what holds because of it, on the real server."""

from typing import Any

import pytest

from graph_schema.routing.decision_words import OpportunityLevel
from graph_schema.routing.words import InvocationSignalKind, SuggestionKind, SuggestionResponse, UserResponse
from service.access.viewer import KeyScope
from service.commands import RecordRef
from service.errors import TaskloreError
from service.routing.feedback.commands import SuggestionFeedbacks
from service.routing.feedback.inputs import InvocationSignalInput
from tests.routing.office import ACCEPTED, CLASS, REFUSED, Office

pytestmark = pytest.mark.slow

KIND, SAYS = SuggestionKind, SuggestionResponse


async def test_repeated_refusal_mutes_a_class_until_acceptances_outweigh_it(office: Office) -> None:
    unknown = await office.state()
    assert (unknown.known, unknown.muted, unknown.boosted, unknown.may_suggest) == (False, False, False, True)
    told = [await office.say(REFUSED, days=days, user_request_ref=f"chat://{days}") for days in (20, 15, 10)]
    muted = await office.state()
    assert (muted.muted, muted.refusals, muted.refusals_left) == (True, 3, 3)
    assert [*muted.evidence_ids] == [one["id"] for one in reversed(told)]
    assert "refused 3 times" in muted.why
    assert not (await office.state(context_class="another/class")).known
    assert (await office.say(SAYS.ignored, days=9))["counted"] is False
    assert (await office.say(ACCEPTED, days=8))["counted"] is True
    assert (await office.state()).muted
    await office.say(SAYS.later_requested_task, days=7)
    after = await office.state()
    assert (after.muted, after.refusals, after.acceptances) == (False, 3, 2)
    await office.say(SAYS.complained_task_was_underused, days=6)
    assert (await office.state()).boosted


async def test_a_curator_lifts_a_mute_and_an_agent_does_not(office: Office) -> None:
    agent = await office.agent()
    for days in (3, 2, 1):
        await office.say(SAYS.asked_direct_answer_instead, viewer=agent, days=days)
    lift = office.services[SuggestionFeedbacks].lift
    with pytest.raises(TaskloreError) as refused:
        await lift(await office.agent(), CLASS, None)
    assert (refused.value.code, (await office.state()).muted) == ("approval_required", True)
    outcome = await lift(await office.viewer(), CLASS, "They were testing.")
    lifted = await office.state()
    assert (outcome.result["tallies"], lifted.muted, lifted.refusals) == (1, False, 3)
    assert (lifted.lift_reason, bool(lifted.lifted_at)) == ("They were testing.", True)
    [tally] = [*await office.heads((await office.say(days=0))["id"], "COUNTED_IN")]
    assert "suggestiontally.lifted" in await office.events(tally)
    assert not (await office.state()).muted
    with pytest.raises(TaskloreError) as refused:
        await lift(await office.viewer(), "another/class", None)
    assert (refused.value.code, refused.value.field) == ("not_found", "context_class")


async def test_what_is_hidden_neither_mutes_nor_lifts(office: Office) -> None:
    matter = await office.matter()
    template = await office.new("Template", name="Evaluation", matter_ids=[matter])
    stranger = await office.viewer(matters=[])
    for days in (3, 2, 1):
        await office.say(days=days, matched_templates=(RecordRef(id=template),))
    assert (await office.state()).muted
    outside = await office.state(stranger)
    assert (outside.known, outside.muted, outside.refusals, outside.evidence_ids) == (False, False, 0, ())
    # Two that all may see, beside three that few may: muted for those who see five, and not for who sees two.
    for days in (3, 2):
        await office.say(days=days, user_request_ref=f"open://{days}")
    assert ((await office.state(await office.viewer(matters=[]))).muted, (await office.state()).refusals) == (False, 5)
    await office.say(days=1, user_request_ref="open://1")
    assert (await office.state(await office.viewer(matters=[]))).muted
    # When the template opens up to nobody new, nothing changes; when feedback becomes closed, so does its tally.
    other = await office.matter("Other")
    await office.save("Template", template, matter_ids=[matter, other])
    member = await office.viewer(matters=[matter])
    assert (await office.state(member)).refusals == 3


async def test_a_trace_and_feedback_on_one_request_count_once(office: Office) -> None:
    shown: dict[str, Any] = {"user_visible_task_suggestion_shown": True, "user_response": UserResponse.rejected}
    for number in range(2):
        trace = await office.trace(user_request_ref=f"chat://{number}", **shown)
        said = await office.say(user_request_ref=f"chat://{number}")
        assert (trace["counted"], said["counted"]) == (True, False)
    assert (await office.state()).refusals == 2
    said = await office.say(user_request_ref="chat://2")
    trace = await office.trace(user_request_ref="chat://2", **shown)
    assert (said["counted"], trace["counted"]) == (True, False)
    assert (await office.state()).muted
    # Told again it is the same refusal; of another day, it is another.
    assert (await office.say(user_request_ref="chat://2"))["counted"] is False
    assert (await office.say(user_request_ref="chat://2", days=2))["counted"] is True


async def test_a_day_has_room_for_few_suggestions_that_nobody_asked_for(office: Office) -> None:
    shown: dict[str, Any] = {"user_visible_task_suggestion_shown": True}
    await office.trace(**shown, task_opportunity_level=OpportunityLevel.explicit)
    assert (await office.state()).suggestions_today == 0
    await office.trace(**shown, user_request_ref="chat://2")
    await office.say(SAYS.ignored, user_request_ref="chat://2")  # the same suggestion
    state = await office.state()
    assert (state.suggestions_today, state.suggestions_today_all, state.may_suggest) == (1, 1, False)
    elsewhere = await office.state(context_class="another/class")
    assert (elsewhere.suggestions_today, elsewhere.suggestions_today_all, elsewhere.may_suggest) == (0, 1, True)
    for number in (3, 4):
        await office.trace(**shown, user_request_ref=f"chat://{number}", context_class=f"class/{number}")
    assert not (await office.state(context_class="another/class")).may_suggest
    assert (await office.state(await office.viewer(principal_id="prin_other"))).may_suggest
    await office.say(SAYS.ignored, days=2, context_class_key="old/class", user_request_ref="chat://9")
    assert (await office.state(context_class="old/class")).suggestions_today_all == 3


async def test_a_profile_can_leave_what_was_learned_out_of_account(office: Office) -> None:
    for days in (3, 2, 1):
        await office.say(days=days)
    profile = await office.new("AgentProfile", allow_learning_overlay=False)
    state = await office.state()
    assert (state.muted, state.learned, state.refusals) == (False, False, 3)
    assert "profile" in state.why
    await office.save("AgentProfile", profile, allow_learning_overlay=True)
    assert (await office.state()).muted


async def test_feedback_takes_what_the_decision_says_and_tells_what_it_teaches(office: Office) -> None:
    template = await office.new("Template", name="Evaluation", task_type="review", document_archetypes=["complaint"])
    decision = await office.decision(user_request_ref="chat://7", context_class="motion/draft/legal")
    said = await office.say(
        ACCEPTED,
        KIND.task_chip_shown,
        decision=RecordRef(id=decision),
        user_request_ref=None,
        context_class_key=None,
        matched_templates=(RecordRef(id=template),),
        user_comment="Good.",
    )
    feedback = await office.stored(said["id"])
    assert (feedback["user_request_ref"], feedback["context_class_key"]) == ("chat://7", "motion/draft/legal")
    assert await office.heads(said["id"], "OF") == {decision}
    assert await office.heads(said["id"], "MATCHED") == {template}
    assert "task.suggestion.feedback_recorded" in await office.events(said["id"])
    [signal] = said["signals"]
    told = await office.stored(signal)
    assert (told["signal_kind"], told["task_type"], told["document_archetype"]) == (
        "task_chip_accepted",
        "review",
        "complaint",
    )
    assert "task.invocation.learning_signal_recorded" in await office.events(signal)
    assert (await office.state(context_class="motion/draft/legal")).acceptances == 1


async def test_a_signal_of_any_kind_can_be_told_and_counts_nowhere(office: Office) -> None:
    service = office.services[SuggestionFeedbacks]
    for kind in InvocationSignalKind:
        given = InvocationSignalInput(signal_kind=kind, user_request_ref="chat://1", context_class_key=CLASS)
        told = await office.stored((await service.record_signal(await office.agent(), given)).result["id"])
        assert (told["signal_kind"], bool(told["recommended_update_kind"])) == (kind.value, True)
    assert not (await office.state()).known


async def test_incomplete_or_impossible_feedback_is_refused(office: Office) -> None:
    wrong: list[tuple[str, str, dict[str, Any]]] = [
        ("invalid_input", "user_request_ref", {"user_request_ref": None}),
        ("invalid_input", "context_class_key", {"context_class_key": None}),
        ("invalid_input", "context_class_key", {"context_class_key": " "}),
        ("invalid_input", "context_class_key", {"context_class_key": "x" * 501}),
        ("invalid_input", "given_at", {"days": -1}),
        ("not_found", "decision", {"decision": RecordRef(id="mode_missing")}),
        ("not_found", "matched_templates", {"matched_templates": (RecordRef(id="tpl_missing"),)}),
        ("text_too_long", "user_comment", {"user_comment": "x" * 2_001}),
    ]
    for code, field, given in wrong:
        with pytest.raises(TaskloreError) as refused:
            await office.say(**given)
        assert (refused.value.code, refused.value.field) == (code, field), given
        assert refused.value.remedy
    with pytest.raises(TaskloreError) as refused:
        await office.say(viewer=await office.viewer(scopes=(KeyScope.read,)))
    assert refused.value.code == "not_allowed"
    stranger = await office.viewer(matters=[])
    with pytest.raises(TaskloreError) as refused:
        await office.say(viewer=stranger, matter_ids=(await office.matter(),))
    assert refused.value.code == "matter_not_allowed"
    assert not (await office.state()).known
