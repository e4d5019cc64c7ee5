"""Is this a good prompt? Asked with where it lives: what stands behind it, what it may use."""

import pytest

from graph_schema.knowledge.prompt_words import OutputForm, PromptGap, PromptNextStep, PromptSurface
from service.commands.errors import RecordMissing
from service.knowledge.errors import PromptEmpty, PromptMissing, PromptModuleUnknown, PromptTooLarge
from service.knowledge.prompts.check import PromptCheck
from service.knowledge.prompts.load import PromptRequest
from service.knowledge.prompts.read import PromptChecks
from tests.knowledge.desk import Desk

PARSED = {
    "modules": {
        "review": [
            "step.agent_task",
            {
                "instruction": "Review the attached lease. Return a table of clause and risk. Say what is unclear.",
                "named_outputs": ["issue_matrix"],
            },
        ],
        "register": ["utility.table", {"reads": "json"}],
        "score": ["system.judge", {"rubric": "Judge the review in one paragraph. Say so if it is missing."}],
    },
    "cables": ["review.data_out > register.data_in", "review.data_out > score.data_in"],
}


async def _check(desk: Desk, of: str | None = None, **asked: object) -> PromptCheck:
    return await desk.services[PromptChecks].check(await desk.viewer(), of, PromptRequest(**asked))  # pyright: ignore[reportArgumentType]


async def test_a_prompt_is_read_where_it_lives(bare: Desk) -> None:
    task = await bare.new("Task")
    await bare.draw(task, PARSED)
    found = await _check(bare, task, module_key="review")
    assert found.place.surface is PromptSurface.doc23_module_instruction
    assert {one.name: one.reads for one in found.place.downstream_consumers} == {
        "register": OutputForm.json,
        "score": None,
    }
    kinds = [(one.finding_kind, one.rule) for one in found.quality_findings]
    assert kinds[:2] == [
        (PromptGap.downstream_incompatibility, "downstream"),
        (PromptGap.downstream_incompatibility, "named_outputs"),
    ]
    assert found.recommended_next_step is PromptNextStep.manual_review
    judged = await _check(bare, task, module_key="score")
    assert judged.place.surface is PromptSurface.doc23_judge_rubric
    assert [one.finding_kind for one in judged.quality_findings] == [PromptGap.judge_unscorable]


async def test_what_a_module_may_use_has_to_be_bounded(bare: Desk) -> None:
    task, tool = await bare.new("Task"), await bare.new("Capability", capability_kind="tool")
    await bare.draw(task, PARSED)
    text = "Summarise the attached lease in a table of clause and page. Say what is unclear."
    preset = await bare.new("Preset", module_type="step.agent_task")
    await bare.link(preset, "ALLOWS", tool)
    found = await _check(bare, preset, text=text)
    assert [one.finding_kind for one in found.quality_findings] == [PromptGap.missing_tool_policy]
    assert found.rewrite is not None
    assert "Use Capability only for" in found.rewrite.text


async def test_another_language_is_said_and_not_judged(bare: Desk) -> None:
    found = await _check(bare, text="Bitte fasse den Vertrag zusammen und gib mir eine Liste der Fristen.")
    assert (found.language, found.judged, found.quality_findings) == ("German", False, ())
    assert found.recommended_next_step is PromptNextStep.defer
    assert "German" in found.text


async def test_what_cannot_be_looked_at_is_refused_with_what_to_do(bare: Desk) -> None:
    with pytest.raises(PromptTooLarge) as large:
        await _check(bare, text="x" * 1_000_000)
    assert (large.value.code, large.value.field, large.value.facts["limit"]) == ("prompt_too_large", "text", 20_000)
    with pytest.raises(PromptEmpty):
        await _check(bare, text=" \n")
    with pytest.raises(PromptMissing):
        await _check(bare)
    with pytest.raises(RecordMissing):
        await _check(bare, "task_missing", text="x")
    task = await bare.new("Task")
    await bare.draw(task, PARSED)
    with pytest.raises(PromptModuleUnknown) as unknown:
        await _check(bare, task, module_key="nobody", text="x")
    assert "review" in str(unknown.value.remedy)
