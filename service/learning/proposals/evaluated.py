"""What an agent is held to changes only after it was tried: a run of the evaluation suite stands for that."""

from collections.abc import Mapping
from typing import Any

from service.commands import Work
from service.learning.errors import EvaluationNotPassed, PromptNotTested
from service.learning.proposals import cypher

HELD_TO = frozenset({"CoreContract", "EducationProfile"})


async def check_evaluated(work: Work, proposal: Mapping[str, Any], result: str | None) -> None:
    """A candidate for an agent's own instructions is approved with a run that passes and is no worse than before."""
    if proposal["target_kind"] == "Prompt":
        await _check_tested(work, proposal, result)
    if proposal["target_kind"] not in HELD_TO:
        return
    named = result or proposal.get("eval_result_ref")
    if not named:
        raise EvaluationNotPassed(None, "none is named")
    row = await work.transaction.one(cypher.EVAL_RUN, id=named, audiences=work.viewer.audiences)
    if row is None:
        raise EvaluationNotPassed(named, f"there is no run {named} that you can see")
    if row["run"]["regressions"] or not row["run"]["passed"]:
        raise EvaluationNotPassed(named, f"{named} met {row['run']['met']} of {row['run']['checks']} checks")


async def _check_tested(work: Work, proposal: Mapping[str, Any], result: str | None) -> None:
    """A prompt is replaced only by the candidate that won a test of it, on data that is named."""
    named = result or proposal.get("eval_result_ref")
    row = await work.transaction.one(
        cypher.PROMPT_TEST, id=named or "", proposal=proposal["id"], audiences=work.viewer.audiences
    )
    if row is None or not row["fits"]:
        raise PromptNotTested(named)
