"""The lane on the real server: from what was recorded to proposals, and nothing else."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.learning.words import DesignSignalKind
from graph_schema.model.fields import DataClass, EvidenceLayer
from graph_schema.registry import REGISTRY
from service.access.viewer import OPERATOR, KeyScope
from service.commands import RecordRef
from service.learning.aggregates.read import Aggregates
from service.learning.assessments.runs import RunAssessments
from service.learning.lane.learn import Lane, LanePolicy, LaneReport
from service.learning.proposals.commands import Proposals
from service.learning.proposals.inputs import ReviewDecision, ReviewInput
from service.learning.replay.commands import Replays
from service.learning.review.read import Reviews, WatchOutcome
from service.learning.signals.commands import LearningSignals
from service.matching.keep import KeptMatches
from service.matching.request import MatchRequest
from service.principals.owner import operator_commands
from service.tools.recommendations import Evaluations
from service.tools.reports import OutcomeReports
from tests.cli.serving import tasklore
from tests.conftest import Server
from tests.laws import law
from tests.learning.world import acted, added, propose, refused, replayed, report
from tests.routing.office import Office
from tests.tools.workshop import outcome

pytestmark = pytest.mark.slow
KIND = DesignSignalKind
SAID = ("appraise the pleading", "appraise the opposing pleading", "appraise that pleading for gaps")


async def _learn(office: Office, *, auto: bool = False, dry_run: bool = False) -> LaneReport:
    services = office.services
    made = (services[LearningSignals], services[Proposals], services[Replays])
    more: dict[str, Any] = {"assessments": services[RunAssessments], "reviews": services[Reviews]}
    lane = Lane(office.database, *made, services[Aggregates], policy=LanePolicy(3, auto), **more)
    return await lane.learn(await office.viewer(), dry_run=dry_run)


async def _chosen(office: Office, template: str, said: tuple[str, ...] = SAID, **more: Any) -> None:
    """Somebody took a template for requests that did not find it."""
    for text in said:
        kept = await office.services[KeptMatches].keep(await office.viewer(), "Template", MatchRequest(text=text))
        about = (RecordRef(id=kept.result["id"]), RecordRef(id=template))
        told: dict[str, Any] = {"signal_kind": KIND.template_selected, "payload": None, "about": about}
        signal = acted(f"{template} {text}", pattern_promotion_eligible=True, **told, **more)
        assert (await report(office, signal)).accepted == 1


async def _assets(office: Office) -> list[Any]:
    """All that is no part of learning, with its links among itself."""
    learned = [one.label for one in REGISTRY.types.values() if one.layer is EvidenceLayer.learning]
    rows = await office.database.read(
        """
        MATCH (n:Record) WHERE none(label IN labels(n) WHERE label IN $learned)
        RETURN n.id AS id, properties(n) AS said, COLLECT {
          MATCH (n)-[l]->(m:Record) WHERE none(label IN labels(m) WHERE label IN $learned)
          RETURN [type(l), m.id, properties(l)] ORDER BY type(l), m.id } AS links ORDER BY id
        """,
        learned=learned,
    )
    return [(row["id"], {k: v for k, v in row["said"].items() if "embedding" not in k}, row["links"]) for row in rows]


async def test_signals_that_agree_become_a_replayed_proposal_and_change_nothing_else(office: Office) -> None:
    template = await office.new("Template", name="Complaint evaluation", trigger_phrases=["complaint audit"])
    await office.new("Template", name="Docket watch", trigger_phrases=["watch the docket"])
    await office.embed()
    await _chosen(office, template)
    before = await _assets(office)
    tried = await _learn(office, dry_run=True)
    assert [one.outcome for one in tried.learned] == ["would be proposed, unless it is known"]
    assert await office.database.read("MATCH (p:Proposal) RETURN p") == []
    first = await _learn(office)
    [made] = first.learned
    assert (made.outcome, made.rule, str(made.risk)) == ("proposed", "phrases_of_choices 1", "low")
    assert await _assets(office) == before
    again = await _learn(office)
    assert [one.outcome for one in again.learned] == ["proposal_exists"]
    reviews, curator = office.services[Reviews], await office.viewer()
    [item] = (await reviews.queue(curator)).items
    assert (item.proposal_id, item.state.value, item.next_step) == (
        made.proposal_id,
        "staged",
        "Decide (reviewProposal).",
    )
    assert item.reasons[0] == "3 for it, 0 against it"
    kept = await office.stored(str(made.proposal_id))
    assert (kept["origin"], kept["support_count"]) == ("rule", 3)
    reject = ReviewInput(proposal_id=str(made.proposal_id), decision=ReviewDecision.reject)
    await office.services[Proposals].review(curator, reject)
    assert [one.outcome for one in (await _learn(office)).learned] == ["proposal_rejected_before"]
    await _chosen(office, template, ("appraise all pleadings",))
    assert [one.outcome for one in (await _learn(office)).learned] == ["proposed"]


async def test_low_risk_is_applied_by_itself_only_where_the_operator_allows_it(office: Office) -> None:
    template = await office.new("Template", name="Complaint evaluation", trigger_phrases=["complaint audit"])
    await office.embed()
    await _chosen(office, template)
    [made] = (await _learn(office, auto=True)).learned
    assert made.outcome == "applied"
    assert {*SAID} < {*(await office.stored(template))["trigger_phrases"]}
    row = await office.database.read_one("MATCH (p:Promotion) RETURN p.approved_by AS by")
    assert row
    assert row["by"] == "policy_auto"
    watch = await office.services[Reviews].watch(await office.viewer(), str(made.proposal_id))
    assert watch.outcome is WatchOutcome.too_early
    told: dict[str, Any] = {"payload": None, "about": (RecordRef(id=template),)}
    await report(office, *(acted(f"no {one}", signal_kind=KIND.template_rejected, **told) for one in range(4)))
    worse = await office.services[Reviews].watch(await office.viewer(), str(made.proposal_id))
    assert (worse.outcome, worse.after.disliked) == (WatchOutcome.worse, 4)
    reviews, curator = office.services[Reviews], await office.viewer()
    [item] = (await reviews.queue(curator)).items
    assert (item.proposal_id, item.watch, item.reasons[0]) == (made.proposal_id, WatchOutcome.worse, worse.sentence)
    assert (item.reasons[1], item.next_step.partition(" (")[0]) == (f"promised: {worse.promised}", "Take it back")
    assert (await _learn(office)).watched == 1
    assert (await _learn(office)).watched == 0, "the same is told once"
    [entry] = await office.database.read("MATCH (p:Promotion) RETURN p.id AS id, p.watch_outcome AS outcome")
    assert entry["outcome"] == "worse"
    assert "task.design_learning.proposal.watched" in await office.events(entry["id"])
    keep = ReviewInput(proposal_id=str(made.proposal_id), decision=ReviewDecision.keep)
    await office.services[Proposals].review(curator, keep)
    assert (await reviews.queue(curator)).items == ()
    assert (await office.stored(entry["id"]))["kept_by"] == curator.principal_id


async def test_feedback_on_suggestions_becomes_signals_once(office: Office) -> None:
    template = await office.new("Template", name="Complaint evaluation")
    for number in range(3):
        await office.say(user_request_ref=f"chat://{number}", matched_templates=(RecordRef(id=template),))
    first = await _learn(office)
    assert [(one.origin.value, one.drawn, one.refused) for one in first.drawn] == [("suggestion_feedback", 3, 0)]
    assert (await _learn(office)).drawn == ()
    row = await office.database.read_one(
        "MATCH (s:Signal)-[:SEEN_ON]->(:Template {id: $id}) RETURN collect(s.signal_kind) AS kinds", id=template
    )
    assert row
    assert row["kinds"] == ["template_rejected"] * 3


async def test_how_tools_stand_becomes_signals_once_and_as_closed_as_the_advice(office: Office) -> None:
    matter = await office.matter()
    calls = [outcome(f"o{one}", "wrong_tool_boundary", matter_ids=[matter]) for one in range(3)]
    answers = await office.services[OutcomeReports].report(await office.viewer(), calls)
    assert {one.outcome.value for one in answers} == {"accepted"}, answers
    await office.services[Evaluations].evaluate(await office.viewer())
    report_ = await _learn(office)
    assert [(one.origin.value, one.drawn, one.refused) for one in report_.drawn] == [("tool_standing", 1, 0)]
    row = await office.database.read_one(
        "MATCH (s:Signal)-[:SEEN_ON]->(t:Tool) RETURN s.signal_type AS type, s.matter_ids AS matters, t.name AS tool, "
        "s.subject_key AS subject"
    )
    assert row
    assert (row["type"], row["matters"], row["tool"]) == ("task_design_correlation", [matter], "web_fetcher")
    assert row["subject"].startswith("split_boundary: ")
    assert (await _learn(office)).drawn == ()


async def test_the_command_learns_and_a_dry_run_keeps_nothing(
    office: Office, neo4j_server: Server, tmp_path: Path
) -> None:
    template = await office.new("Template", name="Complaint evaluation")
    for number in range(3):
        await office.say(user_request_ref=f"chat://{number}", matched_templates=(RecordRef(id=template),))
    at = {"neo4j_uri": neo4j_server.uri, "neo4j_user": neo4j_server.user, "neo4j_password": neo4j_server.password}
    key = tmp_path / "key"
    principals = operator_commands(office.database)
    await principals.create_principal(OPERATOR, {"name": "ada", "clearance": DataClass.local_only, "all_matters": True})
    made = await principals.create_key(OPERATOR, {"principal": "ada", "name": "k", "scopes": [*KeyScope]})
    key.write_text(made.text or "")

    def command(*more: str) -> str:
        ended = tasklore("learn", *more, "--key-file", str(key), home=tmp_path, **at)
        assert ended.returncode == 0, ended
        return ended.stdout

    assert "would be drawn" in command("--dry-run")
    assert await office.database.read("MATCH (s:Signal) RETURN s") == []
    assert "3 drawn, 0 kept back" in command()
    assert len(await office.database.read("MATCH (s:Signal) RETURN s")) == 3


async def test_what_a_matter_teaches_is_proposed_to_its_members_alone(office: Office) -> None:
    matter = await office.matter()
    template = await office.new("Template", name="Complaint evaluation", trigger_phrases=["complaint audit"])
    await office.embed()
    await _chosen(office, template, matter_ids=(matter,))
    [made] = (await _learn(office)).learned
    assert (await office.stored(str(made.proposal_id)))["matter_ids"] == [matter]
    stranger = await office.viewer(principal_id="prin_other", matters=[])
    reviews, proposals = office.services[Reviews], office.services[Proposals]
    assert (await reviews.queue(stranger)).waiting == 0
    review = ReviewInput(proposal_id=str(made.proposal_id), decision=ReviewDecision.reject)
    assert (await refused(proposals.review(stranger, review))).code == "not_found"
    assert (await refused(reviews.watch(stranger, str(made.proposal_id)))).code == "not_found"


async def test_what_a_matter_teaches_changes_nothing_for_others(office: Office) -> None:
    matter = await office.matter()
    template = await office.new("Template", name="Complaint evaluation", trigger_phrases=["complaint audit"])
    await office.embed()
    await _chosen(office, template)
    within = ("weigh the complaint of the plaintiff", "weigh the plaintiff's complaint", "weigh that complaint")
    await _chosen(office, template, within, matter_ids=(matter,))
    await _learn(office)
    stranger = await office.viewer(principal_id="prin_other", matters=[])
    [item] = (await office.services[Reviews].queue(stranger)).items
    told = await office.stored(item.proposal_id)
    assert (told["support_count"], told["matter_ids"]) == (3, [])
    assert all(one in told["statement"] for one in SAID)
    assert not any(one in told["statement"] for one in within)


async def test_what_is_put_off_comes_back(office: Office) -> None:
    template = await office.new("Template", name="Memo")
    made = await propose(office, template, added("trigger_phrases", "memo"))
    reviews, proposals, curator = office.services[Reviews], office.services[Proposals], await office.viewer()
    past = ReviewInput(proposal_id=made, decision=ReviewDecision.snooze, snooze_until="2020-01-01T00:00:00Z")
    assert (await refused(proposals.review(curator, past))).field == "snooze_until"
    week = ReviewInput(proposal_id=made, decision=ReviewDecision.snooze)
    await proposals.review(curator, week)
    assert (await reviews.queue(curator)).waiting == 0
    later = ReviewInput(proposal_id=made, decision=ReviewDecision.snooze, snooze_until="2999-01-01T00:00:00Z")
    await proposals.review(curator, later)
    assert (await reviews.queue(curator)).waiting == 0
    assert (await reviews.queue(curator, snoozed=True)).items[0].snoozed_until == "2999-01-01T00:00:00.000Z"
    assert (await refused(reviews.watch(curator, made))).code == "proposal_settled"


@law(3)
@given(st.lists(st.sampled_from(["docket", "filings", "news of the court"]), min_size=1, unique=True), st.booleans())
async def test_applied_and_taken_back_is_as_if_nothing_had_been(
    office: Office, said: list[str], described: bool
) -> None:
    told: dict[str, Any] = {"description": "Watches."} if described else {}
    template = await office.new("Template", name="Docket watch", **told)
    before = [one for one in await _assets(office) if one[0] == template]
    made = await propose(office, template, added("trigger_phrases", *said))
    await replayed(office, made)
    proposals, curator = office.services[Proposals], await office.viewer()
    await proposals.review(curator, ReviewInput(proposal_id=made, decision=ReviewDecision.approve))
    await proposals.apply(curator, made)
    await proposals.roll_back(curator, made, None)
    after = [one for one in await _assets(office) if one[0] == template]
    aside = ("version", "updated_at")
    for was, is_ in zip(before, after, strict=True):
        assert {k: v for k, v in was[1].items() if k not in aside} == {
            k: v for k, v in is_[1].items() if k not in aside
        }
        assert was[2] == is_[2]
