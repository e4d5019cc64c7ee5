"""Replays on the real server: three lanes, drift told apart, a control, and what people did then."""

from typing import Any

import pytest

from graph_schema.learning.proposal_words import Operation, ProposalKind
from graph_schema.learning.words import DesignSignalKind
from service.commands import RecordRef
from service.learning.proposals.commands import Proposals
from service.learning.proposals.inputs import ProposalStep, ReviewDecision, ReviewInput
from service.learning.replay.commands import Replays
from service.matching.keep import KeptMatches
from service.matching.request import MatchRequest
from tests.learning.world import acted, added, propose, refused, replayed, report
from tests.routing.office import Office

pytestmark = pytest.mark.slow

TEMPLATES = {
    "Complaint evaluation": ["complaint audit", "evaluate this complaint"],
    "Docket watch": ["watch the docket", "monitor new filings"],
    "Lease review": ["review the lease", "check lease terms"],
}


async def _library(office: Office) -> dict[str, str]:
    made = {name: await office.new("Template", name=name, trigger_phrases=said) for name, said in TEMPLATES.items()}
    await office.embed()
    return made


async def _matched(office: Office, text: str) -> str:
    outcome = await office.services[KeptMatches].keep(await office.viewer(), "Template", MatchRequest(text=text))
    return outcome.result["id"]


async def _judge(office: Office, match: str, template: str, kind: DesignSignalKind) -> None:
    about = (RecordRef(id=match), RecordRef(id=template))
    found = await report(office, acted(f"{match}-{kind}", signal_kind=kind, payload=None, about=about))
    assert found.accepted == 1


async def _cases(office: Office, replay: str) -> list[dict[str, Any]]:
    rows = await office.database.read(
        "MATCH (:Replay {id: $id})-[:HAS_CASE]->(c:ReplayCase) RETURN c {.*} AS c ORDER BY c.decided_at", id=replay
    )
    return [row["c"] for row in rows]


async def test_a_phrase_that_people_use_repairs_what_was_missed(office: Office) -> None:
    templates = await _library(office)
    said = "appraise the opposing pleading for weaknesses"
    missed = await _matched(office, said)
    found = await _matched(office, "evaluate this complaint")
    await _judge(office, missed, templates["Complaint evaluation"], DesignSignalKind.template_selected)
    await _judge(office, found, templates["Complaint evaluation"], DesignSignalKind.template_selected)
    made = await propose(office, templates["Complaint evaluation"], added("trigger_phrases", said))
    replay = await office.stored(await replayed(office, made))
    assert (replay["looked_at"], replay["repaired"], replay["regressed"], replay["drifted"]) == (2, 1, 0, 0)
    assert (replay["missing"], replay["control_repaired"], replay["truncated"]) == (0, 0, False)
    repaired = next(one for one in await _cases(office, replay["id"]) if one["result"] == "repaired")
    assert (repaired["decided_id"], repaired["verdict"]) == (missed, "wrong")
    assert repaired["judged_by"] == "Somebody took Complaint evaluation."
    assert repaired["today"] != repaired["candidate"]
    assert (await office.stored(made))["proposal_state"] == "staged"
    assert (await office.stored(templates["Complaint evaluation"]))["trigger_phrases"] == TEMPLATES[
        "Complaint evaluation"
    ]


async def test_a_change_of_high_risk_waits_until_its_regressions_are_acknowledged(office: Office) -> None:
    templates = await _library(office)
    match = await _matched(office, "watch the docket")
    await _judge(office, match, templates["Docket watch"], DesignSignalKind.template_selected)
    steps = (ProposalStep(operation=Operation.set_lifecycle, value="deprecated"),)
    author = await office.viewer(principal_id="prin_author")
    made = await propose(
        office, templates["Docket watch"], steps, kind=ProposalKind.task_template_update, viewer=author
    )
    replay = await replayed(office, made)
    assert (await office.stored(replay))["regressed"] == 1
    proposals, curator = office.services[Proposals], await office.viewer()
    open_ = await refused(proposals.review(curator, ReviewInput(proposal_id=made, decision=ReviewDecision.approve)))
    assert (open_.code, open_.field, open_.facts["replay_id"]) == (
        "replay_not_acknowledged",
        "acknowledged_replay_id",
        replay,
    )
    looked = ReviewInput(proposal_id=made, decision=ReviewDecision.approve, acknowledged_replay_id=replay)
    await proposals.review(curator, looked)
    kept = await office.stored(made)
    assert (kept["proposal_state"], kept["acknowledged_by"]) == ("approved", curator.principal_id)


async def test_what_the_library_became_since_does_not_leak_into_a_case(office: Office) -> None:
    templates = await _library(office)
    lease = templates["Lease review"]
    await _matched(office, "review the lease")
    await office.save("Template", lease, description="Of leases of offices.", trigger_phrases=["something else"])
    await office.embed()
    made = await propose(office, lease, added("known_limitations", "No subleases."))
    replay = await replayed(office, made)
    [case] = await _cases(office, replay)
    assert (case["result"], case["drift"]) == ("same", False)
    assert case["recorded"] == case["today"] == case["candidate"]
    replays = office.services[Replays]
    empty = await replays.target(await office.viewer(), lease, [])
    cases, truncated = await replays.cases(await office.viewer(), empty)
    assert ([one.result.value for one in cases], truncated) == (["same"], False)


async def test_what_an_asker_may_not_see_is_told_as_missing_and_holds_high_risk_up(office: Office) -> None:
    templates = await _library(office)
    matter = await office.matter()
    secret = await office.new("Template", name="Secret watch", trigger_phrases=["watch"], matter_ids=[matter])
    await office.embed()
    await _matched(office, "watch the docket")
    stranger = await office.viewer(principal_id="prin_stranger", matters=[])
    steps = (ProposalStep(operation=Operation.set_lifecycle, value="deprecated"),)
    made = await propose(
        office, templates["Docket watch"], steps, kind=ProposalKind.task_template_update, viewer=stranger
    )
    replay = await office.stored(await replayed(office, made, stranger))
    assert (replay["looked_at"], replay["matter_ids"]) == (0, [])
    seen = await office.stored(await replayed(office, made))
    assert (seen["looked_at"], seen["matter_ids"]) == (1, [matter])
    assert secret
