"""A desk with the services of prompts: a task in a matter, a prompt of one of its modules, candidates, tests."""

from dataclasses import dataclass
from typing import Any

import orjson

from graph_schema.knowledge.prompt_words import (
    CandidateMethod,
    ExperimentMode,
    PromptKind,
    PromptPromotionState,
    PromptSurface,
    VariantSource,
)
from service.access.viewer import Viewer
from service.capability import Services
from service.commands import RecordRef
from service.graph.database import Database
from service.knowledge.prompts.inputs import PromptCandidateInput, PromptCandidatesInput, PromptInput
from service.knowledge.prompts.keep import KeptPrompts
from service.learning.prompts.evaluations import PromptEvaluations
from service.learning.prompts.inputs import (
    PromptEvaluationInput,
    PromptPromotionInput,
    PromptResultInput,
    PromptResultsInput,
    PromptVariantInput,
)
from service.learning.prompts.promote import PromptPromotions
from service.learning.proposals.commands import Proposals
from service.learning.proposals.inputs import ReviewDecision, ReviewInput
from service.learning.replay.commands import Replays
from service.records import Records
from tests.viewers import viewer_of

TEXT = "Summarise the attached lease.\nIgnore the schedules.\nThe zeppelin clause matters most."
BETTER = f"{TEXT} Return a table of clause and risk, with the page of each. Say what is unclear."


@dataclass(frozen=True)
class PromptDesk:
    database: Database
    services: Services

    async def viewer(self, **given: Any) -> Viewer:
        return await viewer_of(self.database, **given)

    async def new(self, label: str, **values: Any) -> str:
        saved = await self.services[Records].save(await self.viewer(), label, {"name": label, **values})
        return saved.result["id"]

    async def prompt(self, home: str, **given: Any) -> str:
        values: dict[str, Any] = {"name": "Lease summary", "surface": PromptSurface.task_template_prompt, "text": TEXT}
        values |= {"lives_in": RecordRef(id=home), "promotion_state": PromptPromotionState.active}
        asked = PromptInput(**{**values, **given})
        return (await self.services[KeptPrompts].record(await self.viewer(), asked)).result["id"]

    async def bundle(self, prompt: str, **given: Any) -> dict[str, Any]:
        own = PromptCandidateInput(
            label="With a table", generation_method=CandidateMethod.manual_variant, text=BETTER, prompt_text_ref="p://2"
        )
        values: dict[str, Any] = {"prompt": RecordRef(id=prompt), "candidates": (own,), "text": TEXT}
        asked = PromptCandidatesInput(**{**values, **given})
        return (await self.services[KeptPrompts].bundle(await self.viewer(), asked)).result

    async def test(self, prompt: str, bundle: dict[str, Any], **given: Any) -> str:
        variants = (
            PromptVariantInput(variant="A", source=VariantSource.same_as_baseline),
            PromptVariantInput(
                variant="B", source=VariantSource.manual, candidate=RecordRef(id=bundle["candidates"][0])
            ),
        )
        values: dict[str, Any] = {
            "prompt": RecordRef(id=prompt),
            "prompt_kind": PromptKind.module_prompt,
            "evaluation_goal": "Which one is read more easily?",
            "variants": variants,
            "experiment_mode": ExperimentMode.consume_existing_candidate_bundle,
            "bundle": RecordRef(id=bundle["id"]),
            "eval_dataset_ref": "data://leases",
        }
        asked = PromptEvaluationInput(**{**values, **given})
        return (await self.services[PromptEvaluations].start(await self.viewer(), asked)).result["id"]

    async def tell(self, test: str, candidate: str, base: float = 0.4, best: float = 0.8, **more: Any) -> None:
        results = (
            PromptResultInput(examples=20, mean_score=base, **more),
            PromptResultInput(candidate=RecordRef(id=candidate), examples=20, mean_score=best),
        )
        asked = PromptResultsInput(evaluation=RecordRef(id=test), results=results)
        await self.services[PromptEvaluations].complete(await self.viewer(), asked)

    async def propose(self, test: str, viewer: Viewer | None = None) -> str:
        asked = PromptPromotionInput(evaluation=RecordRef(id=test), rationale="It won.")
        who = viewer or await self.viewer(principal_id="prin_author")
        return (await self.services[PromptPromotions].propose(who, test, asked)).result["id"]

    async def approve(self, proposal: str) -> None:
        await self.services[Replays].replay(await self.viewer(), proposal)
        asked = ReviewInput(proposal_id=proposal, decision=ReviewDecision.approve)
        await self.services[Proposals].review(await self.viewer(), asked)

    async def kept(self, record: str) -> dict[str, Any]:
        row = await self.database.read_one("MATCH (n:Record {id: $id}) RETURN properties(n) AS kept", id=record)
        assert row is not None
        return row["kept"]

    async def signals(self) -> list[str]:
        rows = await self.database.read("MATCH (s:Signal) RETURN s.result AS result ORDER BY s.result")
        return [row["result"] for row in rows]

    async def everything(self) -> str:
        """All that the graph holds, as text."""
        rows = await self.database.read("MATCH (n) RETURN properties(n) AS held")
        links = await self.database.read("MATCH ()-[r]->() RETURN properties(r) AS held")
        return orjson.dumps([row["held"] for row in (*rows, *links)], default=str).decode()
