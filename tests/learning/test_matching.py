"""What assessments found bears on matching, of what was assessed alone."""

from typing import Any

import pytest

from service.learning.assessments.runs import RunAssessments
from service.matching.answer import MatchPart, MatchPartName
from service.matching.read import Matching
from service.matching.request import MatchRequest
from tests.learning.assessments.told import drafted, reported
from tests.routing.office import Office

pytestmark = pytest.mark.slow


async def test_matching_counts_a_run_by_what_its_assessment_found(office: Office) -> None:
    told: dict[str, Any] = {"source": "exec", "source_key": "tpl-draft", "task_type": "complaint_drafting"}
    template = await office.new("Template", name="Draft Complaint", **told)
    run = await reported(office, drafted())
    await office.embed()
    before = await _prior(office, template)
    assert (before.score, "assessed" in before.evidence) == (0.666667, False)
    made = await office.services[RunAssessments].assess(await office.viewer(), run)
    quality = (await office.stored(made.result["id"]))["quality_score"]
    after = await _prior(office, template)
    assert after.score == round((quality + 1) / 3, 6)
    assert after.evidence.endswith("1 of them was assessed and counts by what was found.")


async def _prior(office: Office, template: str) -> MatchPart:
    request = MatchRequest("draft the complaint")
    answer = await office.services[Matching].match(await office.viewer(), "Template", request)
    [found] = [one for one in answer.weighed if one.asset.id == template]
    return next(one for one in found.parts if one.name is MatchPartName.prior_assessment_score)
