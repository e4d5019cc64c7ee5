"""What assessments have to say of the sample world, as its documentation tells it."""

from graph_schema.learning.assessment_words import FindingTone, PortfolioIssue, PortfolioScope
from service.graph.database import Database
from service.learning.assessments.portfolio import PortfolioAssessments, examine_portfolio
from service.learning.assessments.runs import RunAssessments
from service.runtime.compose import services_alone
from tests.viewers import viewer_of

BETTER = {
    "Wire Damages memo on Calder as explicit context into Draft the complaint.",
    "Make Damages memo on Calder findable with a summary by default.",
    "Mount PACER docket search only where a step is to call it.",
    "Add a human review after Revise the complaint.",
    "Save Complaint against Calder as a document or work product.",
}
"""What the specification's own example recommends, of a run of ours."""


async def test_a_drafted_complaint_is_assessed_as_the_example_is(told: Database) -> None:
    viewer = await viewer_of(told)
    row = await told.read_one("MATCH (r:Run {source_key: 'run-calder-complaint'}) RETURN r.id AS id")
    assert row
    examined = await services_alone(told)[RunAssessments].examined(viewer, row["id"])
    found = [one.found for one in examined.findings]
    for one in found:
        print(f"{one.tone} {one.severity}: {one.statement} -> {one.better}")  # noqa: T201 - what the page shows
    assert {one.better for one in found if one.tone is FindingTone.problem} >= BETTER
    assert any("judged without the sources" in one.statement for one in found)
    assert examined.outcome.startswith("Completed. Complaint against Calder made.")


async def test_the_portfolio_is_worth_reading(told: Database) -> None:
    viewer = await viewer_of(told)
    about = await services_alone(told)[PortfolioAssessments].about(viewer, PortfolioScope.all_tasks)
    examined = examine_portfolio(about)
    print(examined.outcome)  # noqa: T201 - what the page shows
    for one in examined.findings:
        print(f"{one.found.issue} {one.found.severity}: {one.found.statement} -> {one.found.better}")  # noqa: T201
    issues = {one.found.issue for one in examined.findings}
    assert {PortfolioIssue.missing_blueprint, PortfolioIssue.artifact_policy} <= issues
    assert len(examined.findings) >= 5
