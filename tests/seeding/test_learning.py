"""The year of learning in the sample world: what waits, what was applied, what was taken back."""

from collections import Counter

from graph_schema.learning.assessment_words import PortfolioScope
from service.graph.database import Database
from service.learning.assessments.portfolio import PortfolioAssessments, examine_portfolio
from service.learning.proposals.commands import Proposals
from service.learning.review.read import Reviews
from service.runtime.compose import services_alone
from tests.viewers import viewer_of


async def test_the_queue_holds_a_handful_of_each_risk(told: Database) -> None:
    services = services_alone(told)
    queue = await services[Reviews].queue(await viewer_of(told), first=50)
    assert Counter(one.risk.value for one in queue.items) == {"low": 2, "medium": 2, "high": 5}
    recommended = "Complaint against Calder: Change its graph: add the cable damages > draft."
    assert recommended in {one.statement for one in queue.items}, "what an assessment found waits beside the others"
    assert all(one.statement and one.reasons and one.next_step for one in queue.items)
    spoiled = [one for one in queue.items if one.replay_statement and "would get worse" in one.replay_statement]
    assert [one.statement.partition(":")[0] for one in spoiled] == ["Issue matrix for evaluations"]


async def test_one_was_applied_one_taken_back_and_one_rejected(told: Database) -> None:
    rows = await told.read("MATCH (p:Proposal) RETURN p.proposal_state AS state, count(*) AS often ORDER BY state")
    states = {row["state"]: row["often"] for row in rows}
    assert (states["applied"], states["rolled_back"], states["rejected"], states["staged"]) == (1, 1, 1, 6)
    rows = await told.read(
        "MATCH (m:Promotion)-[:APPLIED]->(p:Proposal)-[:CHANGES]->(t:Template) RETURN t.name AS name, "
        "t.trigger_phrases AS said, t.known_limitations AS limits, m.rolled_back_at IS NULL AS holds ORDER BY holds"
    )
    [back, holds] = rows
    assert "look up a filing" not in back["said"]
    assert holds["limits"][-1] == "Says nothing on where an amended pleading differs."
    found = await services_alone(told)[Proposals].find(await viewer_of(told), await _applied(told))
    assert found.promotion


async def _applied(database: Database) -> str:
    row = await database.read_one("MATCH (p:Proposal {proposal_state: 'applied'}) RETURN p.id AS id")
    assert row
    return row["id"]


async def test_one_prompt_has_gaps_and_the_portfolio_says_so(told: Database) -> None:
    rows = await told.read(
        "MATCH (a:PromptAssessment)-[:CHECKS]->(p:Prompt) "
        "RETURN p.name AS name, a.finding_kinds AS gaps, p.text AS text"
    )
    found = {row["name"]: row["gaps"] for row in rows}
    assert found["Instruction of the weekly report"] == []
    assert {"missing_output_contract", "ambiguous_success_criteria"} <= {*found["Instruction of the contract review"]}
    assert not [row for row in rows if row["text"]], "of their texts the hash alone is kept"
    portfolios = services_alone(told)[PortfolioAssessments]
    about = await portfolios.about(await viewer_of(told), PortfolioScope.prompt_quality)
    [one] = examine_portfolio(about).findings
    assert (
        one.found.statement
        == "1 prompt has gaps that are known: Instruction of the contract review of Contract Review."
    )
