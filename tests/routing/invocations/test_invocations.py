"""Traces of how requests were met, and the directives that they propose, on the real server."""

from typing import Any

import pytest

from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.routing.decision_words import ExecutionMode, OpportunityLevel
from graph_schema.routing.words import UserResponse
from service.commands import RecordRef
from service.errors import TaskloreError
from service.memory.reporting.commands import Reporting
from service.records import Records
from tests.memory.stories import POLICY, Story
from tests.routing.office import CLASS, Office

pytestmark = pytest.mark.slow

SAID = UserResponse


def ref(record_id: str) -> RecordRef:
    return RecordRef(id=record_id)


async def run(office: Office, key: str = "run-1", ends: str = "run_completed", **policy: Any) -> RecordRef:
    named = {"source": "exec", "key": key}
    how = {"failure_code": "timeout"} if ends == "run_failed" else {}
    story = Story(named, {**POLICY, **policy}).tell("run_started").tell(ends, **how)
    await office.services[Reporting].report(await office.viewer(), story.events)
    return RecordRef(kind="Run", **named)


async def signals(office: Office, trace: dict[str, Any]) -> list[str]:
    return [(await office.stored(one))["signal_kind"] for one in trace["signals"]]


async def test_a_trace_takes_what_the_decision_says_and_is_completed_later(office: Office) -> None:
    template = await office.new("Template", name="Evaluation")
    decision = await office.decision(user_request_ref="chat://7", resolved_intent_summary="Audit it.")
    await office.database.run_alone(
        "MATCH (d:Record {id: $d}), (t:Record {id: $t}) CREATE (d)-[:RESTED_ON {rank: 1}]->(t)", d=decision, t=template
    )
    shown: dict[str, Any] = {"user_visible_task_suggestion_shown": True}
    begun = await office.trace(decision=ref(decision), **shown)
    trace = await office.stored(begun["id"])
    assert (trace["user_request_ref"], trace["selected_mode"]) == ("chat://7", "suggest_existing_saved_task")
    assert (trace["initial_user_text_summary"], trace["context_class"]) == ("complaint audit", CLASS)
    assert await office.heads(begun["id"], "MATCHED") == {template}
    assert await office.heads(begun["id"], "OF") == {decision}
    assert (begun["counted"], begun["signals"]) == (False, [])
    task = await office.new("Task", name="Audit of Marex")
    await office.link(task, "INSTANTIATES", template)
    done = await office.trace(
        trace=ref(begun["id"]), user_response=SAID.accepted, resulting_task=ref(task), resulting_run=await run(office)
    )
    assert (done["id"], done["counted"]) == (begun["id"], True)
    assert await signals(office, done) == ["task_suggestion_accepted", "task_used_successfully"]
    assert task in await office.heads(begun["id"], "LED_TO")
    assert len(await office.heads(begun["id"], "LED_TO")) == 2
    again = await office.trace(trace=ref(begun["id"]), user_response=SAID.accepted, edit_count_after_acceptance=2)
    assert (again["counted"], (await office.state()).acceptances) == (False, 1)
    with pytest.raises(TaskloreError) as refused:
        await office.trace(trace=ref(begun["id"]), user_response=SAID.rejected)
    assert refused.value.field == "user_response"
    with pytest.raises(TaskloreError) as refused:
        await office.trace(trace=ref(begun["id"]), context_class="another/class")
    assert refused.value.field == "context_class"


async def test_what_came_of_it_teaches(office: Office) -> None:
    shown, used = await office.new("Template", name="Shown"), await office.new("Template", name="Used")
    task = await office.new("Task", name="Task")
    await office.link(task, "INSTANTIATES", used)
    offered: dict[str, Any] = {"user_visible_task_suggestion_shown": True, "matched_task_templates": (ref(shown),)}
    wrong = await office.trace(**offered, user_response=SAID.rejected, resulting_task=ref(task))
    assert await signals(office, wrong) == ["task_suggestion_rejected", "wrong_template_suggested"]
    missed = await office.trace(user_response=SAID.later_requested_task, resulting_task=ref(task))
    assert await signals(office, missed) == ["task_underused", "existing_template_missed"]
    failed = await office.trace(
        user_response=SAID.accepted,
        task_opportunity_level=OpportunityLevel.explicit,
        resulting_run=await run(office, "run-2", "run_failed"),
    )
    assert await signals(office, failed) == ["task_mode_preferred", "task_used_unsuccessfully"]
    refused = await office.trace(user_response=SAID.rejected, task_opportunity_level=OpportunityLevel.explicit)
    assert (refused["signals"], refused["counted"]) == ([], False)


async def accepted(office: Office, said: str, template: str, number: int, **more: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {"user_visible_task_suggestion_shown": True, "user_response": SAID.accepted}
    return await office.trace(
        initial_user_text_summary=said,
        user_request_ref=f"chat://{number}",
        matched_task_templates=(ref(template),),
        **{**usual, **more},
    )


async def test_repeated_acceptance_proposes_a_directive_that_waits_for_a_person(office: Office) -> None:
    template, other = (
        await office.new("Template", name="Complaint Evaluation"),
        await office.new("Template", name="Other"),
    )
    agent = await office.agent()
    traces = [
        await accepted(office, "complaint audit please", template, 1, viewer=agent),
        await accepted(office, "do a complaint audit", template, 2, viewer=agent, edit_count_after_acceptance=1),
        await accepted(office, "bake a cake", other, 3, viewer=agent),
        await accepted(office, "the complaint audit for Marex", template, 4, viewer=agent),
    ]
    assert [bool(one["candidate"]) for one in traces] == [False, False, False, True]
    candidate = traces[-1]["candidate"]
    stored = await office.stored(candidate)
    assert stored["lifecycle_state"] == "candidate"
    assert stored["trigger_phrases"] == ["complaint audit"]
    assert (stored["recommended_lifecycle"], stored["authority_source"]) == (
        "memory_directive_candidate",
        "learned_from_acceptance",
    )
    assert (stored["acceptance_count"], stored["edit_count_after_acceptance"], stored["review_required"]) == (
        3,
        1,
        True,
    )
    assert await office.heads(candidate, "TARGETS") == {template}
    assert await office.heads(candidate, "LEARNED_FROM") == {traces[number]["id"] for number in (0, 1, 3)}
    with pytest.raises(TaskloreError) as refused:
        await office.become(candidate, "active", await office.agent())
    assert refused.value.code == "approval_required"
    assert (await accepted(office, "complaint audit again", template, 5))["candidate"] is None
    await office.become(candidate, "active")


async def test_repeated_refusal_proposes_to_suggest_nothing(office: Office) -> None:
    said = ("quick look at this", "a quick look please", "just a quick look")
    refusals = [
        await office.trace(
            initial_user_text_summary=one,
            user_request_ref=one,
            user_visible_task_suggestion_shown=True,
            user_response=SAID.asked_direct_answer_instead,
        )
        for one in said
    ]
    candidate = await office.stored(refusals[-1]["candidate"])
    assert (candidate["invocation_policy"], candidate["recommended_lifecycle"]) == (
        "do_not_suggest_task",
        "suppress_task_suggestion_rule",
    )
    assert candidate["rejection_count"] == 3
    assert "quick look" in candidate["name"]


@pytest.mark.parametrize(
    ("more", "lifecycle"),
    [
        ({"selected_mode": ExecutionMode.background_or_recurring_saved_task}, "standing_procedure_candidate"),
        ({"user_response": SAID.later_requested_task}, "template_semantic_card_update"),
    ],
)
async def test_a_candidate_says_what_it_is_proposed_to_become(
    office: Office, more: dict[str, Any], lifecycle: str
) -> None:
    template = await office.new("Template", name="Docket Monitor")
    told = [await accepted(office, "watch the docket", template, number, **more) for number in range(3)]
    assert (await office.stored(told[-1]["candidate"]))["recommended_lifecycle"] == lifecycle


async def test_what_is_sensitive_or_hidden_supports_nothing_that_lasts(office: Office) -> None:
    matter = await office.matter()
    template = await office.new("Template", name="Complaint Evaluation")
    privileged = await office.new("Template", name="Privileged", data_class="privileged")
    told = [await accepted(office, "complaint audit", privileged, number) for number in range(3)]
    assert told[-1]["candidate"] is None
    of_matter = await office.new("Template", name="Of a matter", matter_ids=[matter])
    for number in range(2):
        await accepted(office, "complaint audit", of_matter, number, matter_ids=(matter,))
    stranger = await office.viewer(matters=[])
    told = [await accepted(office, "complaint audit", template, number, viewer=stranger) for number in range(2)]
    assert told[-1]["candidate"] is None
    inside = await accepted(office, "complaint audit", of_matter, 3)
    candidate = await office.stored(inside["candidate"])
    assert candidate["matter_ids"] == [matter]


async def test_a_candidate_goes_with_the_request_that_it_repeats_and_an_approved_one_stays(office: Office) -> None:
    template = await office.new("Template", name="Complaint Evaluation")
    told = [await accepted(office, "complaint audit", template, number) for number in range(3)]
    records = office.services[Records]
    await records.erase(await office.viewer(), ref(told[0]["id"]), "Asked for.")
    gone = await office.database.read_one("MATCH (n:Record {id: $id}) RETURN labels(n) AS l", id=told[2]["candidate"])
    assert gone
    assert "Tombstone" in gone["l"]
    assert await office.database.read("MATCH (p:InvocationPhrase) RETURN p") == []
    state = await office.state()
    assert (state.known, state.acceptances) == (True, 3)
    rest = [await accepted(office, "complaint audit", template, number) for number in (4, 5)]
    [candidate] = [one["candidate"] for one in rest if one["candidate"]]
    await office.become(candidate, "active")
    await records.erase(await office.viewer(), ref(rest[0]["id"]), "Asked for.")
    assert (await office.stored(candidate))["lifecycle_state"] == "active"


async def test_a_private_run_leaves_no_trace(office: Office) -> None:
    private = await run(office, memory_mode="memory_incognito")
    with pytest.raises(TaskloreError) as refused:
        await office.trace(user_response=SAID.accepted, resulting_run=private)
    assert refused.value.code == "validation.incognito_blocks_requested_memory"
    assert not (await office.state()).known


async def test_whether_a_task_fits_is_asked_only_where_something_speaks_for_one(office: Office) -> None:
    asked: dict[str, Any] = {
        "task_agent_invoked": True,
        "task_agent_entrypoint": Entrypoint.consult_task_opportunity,
    }
    for level in OpportunityLevel:
        low = level in (OpportunityLevel.none, OpportunityLevel.low)
        if low:
            with pytest.raises(TaskloreError) as refused:
                await office.trace(**asked, task_opportunity_level=level)
            assert (refused.value.code, refused.value.field) == ("consult_not_allowed", "task_agent_entrypoint")
            await office.trace(**asked, task_opportunity_level=level, user_asked_whether_task_fits=True)
        else:
            await office.trace(**asked, task_opportunity_level=level)


async def test_incomplete_or_contradictory_traces_are_refused(office: Office) -> None:
    decision = await office.decision()
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("selected_mode", {"selected_mode": None}),
        ("task_opportunity_level", {"task_opportunity_level": None}),
        ("context_class", {"context_class": None}),
        ("user_request_ref", {"user_request_ref": None}),
        ("selected_mode", {"decision": ref(decision), "selected_mode": ExecutionMode.direct_chat}),
        ("task_agent_invoked", {"task_agent_entrypoint": Entrypoint.design_task}),
        ("edit_count_after_acceptance", {"edit_count_after_acceptance": -1}),
        ("user_response", {"responded_at": "2026-01-01T00:00:00Z"}),
        ("decided_at", {"decided_at": "2126-01-01T00:00:00Z"}),
    ]
    for field, given in wrong:
        with pytest.raises(TaskloreError) as refused:
            await office.trace(**given)
        assert (refused.value.code, refused.value.field) == ("invalid_input", field), given
        assert refused.value.remedy
