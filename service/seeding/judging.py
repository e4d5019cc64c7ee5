"""What was looked back on in the sample world: assessments, datasets with scores, prompts and a test."""

from collections.abc import Awaitable, Callable
from importlib import resources
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field

from graph_schema.knowledge.prompt_words import (
    CandidateMethod,
    ExperimentMode,
    PromptKind,
    PromptPromotionState,
    PromptSurface,
    VariantSource,
)
from graph_schema.learning.assessment_words import PortfolioScope
from graph_schema.learning.dataset_words import DatasetSource, ScorerKind
from graph_schema.memory.words import PromptCapture
from service.access.viewer import Viewer
from service.capability import Services
from service.commands import Outcome, RecordRef
from service.knowledge.prompts.inputs import PromptCandidateInput, PromptCandidatesInput, PromptInput
from service.knowledge.prompts.keep import KeptPrompts
from service.learning.assessments.portfolio import PortfolioAssessments
from service.learning.assessments.runs import RunAssessments
from service.learning.datasets.commands import Datasets
from service.learning.datasets.inputs import EvalDatasetInput, EvalExampleInput, EvalScoreInput
from service.learning.prompts.evaluations import PromptEvaluations
from service.learning.prompts.inputs import (
    PromptEvaluationInput,
    PromptResultInput,
    PromptResultsInput,
    PromptVariantInput,
)
from service.seeding.learning import Named, Refer, id_called

AS_IT_IS = ""
_AS_IT_IS = PromptVariantInput(variant="As it is", source=VariantSource.same_as_baseline)


class _Told(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SampleTry(_Told):
    """What judges and people gave a candidate, case by case."""

    candidate: str
    judge: dict[str, float]
    human: dict[str, float] = Field(default_factory=dict[str, float])


class SampleCase(_Told):
    example_key: str
    slice: str
    input_summary: str
    expected: str


class SampleDataset(_Told):
    key: str
    name: str
    description: str
    template: str
    cases: list[SampleCase]
    tries: list[SampleTry]


class SampleCandidate(_Told):
    label: str
    text: str
    rationale: str
    changed: list[str]


class SamplePrompt(_Told):
    """`results`: examples, mean score and unreadable results by candidate; those of the prompt itself have none."""

    name: str
    lives_in: str
    surface: PromptSurface
    text: str
    kept: bool = True
    candidates: list[SampleCandidate] = Field(default_factory=list[SampleCandidate])
    goal: str = ""
    dataset: str | None = None
    results: dict[str, tuple[int, float, int]] = Field(default_factory=dict[str, tuple[int, float, int]])


class Judged(_Told):
    assessed: list[str]
    portfolio: PortfolioScope
    datasets: list[SampleDataset]
    prompts: list[SamplePrompt]


def read_judged() -> Judged:
    folder = resources.files("seeds") / "world" / "learning"
    return Judged.model_validate(yaml.safe_load((folder / "20-judged.yaml").read_text("utf-8")))


class Judging:
    """Tells it by commands, with ids made from their content: told again, it changes nothing."""

    def __init__(
        self,
        services: Services,
        viewer_now: Callable[[], Awaitable[Viewer]],
        refer: Refer,
        named: Named,
        source: str,
    ) -> None:
        self._services = services
        self._viewer_now = viewer_now
        self._refer = refer
        self._named = named
        self._source = source
        self._datasets: dict[str, str] = {}

    async def tell(self, judged: Judged) -> list[Outcome]:
        told = [await self._assess(one) for one in judged.assessed]
        told.append(await self._review(judged.portfolio))
        for one in judged.datasets:
            told += await self._dataset(one)
        for one in judged.prompts:
            told += await self._prompt(one)
        return told

    async def _assess(self, run: str) -> Outcome:
        viewer = await self._viewer_now()
        found = await id_called(self._services, viewer, RecordRef(kind="Run", source=self._source, key=run))
        return await self._services[RunAssessments].assess(viewer, found, command_id=self._named("assess", run))

    async def _review(self, scope: PortfolioScope) -> Outcome:
        command = self._named("review", scope)
        return await self._services[PortfolioAssessments].assess(await self._viewer_now(), scope, command_id=command)

    async def _dataset(self, one: SampleDataset) -> list[Outcome]:
        given = EvalDatasetInput(
            name=one.name,
            dataset_source=DatasetSource.manual,
            description=one.description,
            template=self._refer(one.template),
            examples=tuple(EvalExampleInput(**case.model_dump()) for case in one.cases),
            freeze=True,
        )
        named = self._named("dataset", one.model_dump(exclude={"tries"}))
        made = await self._services[Datasets].create(await self._viewer_now(), given, command_id=named)
        self._datasets[one.key] = made.result["id"]
        return [made, *[await self._try(made.result["id"], tried) for tried in one.tries]]

    async def _try(self, dataset: str, one: SampleTry) -> Outcome:
        given = [
            *_scores(one.judge, "sources judge", ScorerKind.judge),
            *_scores(one.human, "partner", ScorerKind.human),
        ]
        command = self._named("scores", one.model_dump())
        viewer, ref = await self._viewer_now(), RecordRef(id=dataset)
        return await self._services[Datasets].score(viewer, ref, one.candidate, given, command_id=command)

    async def _prompt(self, one: SamplePrompt) -> list[Outcome]:
        kept, named = self._services[KeptPrompts], one.model_dump(mode="json")
        given = PromptInput(
            name=one.name,
            lives_in=self._refer(one.lives_in),
            surface=one.surface,
            text=one.text,
            capture_prompts=PromptCapture.full_local_only if one.kept else PromptCapture.never,
            promotion_state=PromptPromotionState.active,
        )
        made = await kept.record(await self._viewer_now(), given, command_id=self._named("prompt", named))
        if not one.candidates:
            return [made]
        prompt = RecordRef(id=made.result["id"])
        variants = PromptCandidatesInput(prompt=prompt, candidates=tuple(map(_candidate, one.candidates)))
        bundled = await kept.bundle(await self._viewer_now(), variants, command_id=self._named("candidates", named))
        return [made, bundled, *await self._test(one, prompt, bundled.result)]

    async def _test(self, one: SamplePrompt, prompt: RecordRef, bundle: dict[str, Any]) -> list[Outcome]:
        ids = dict(zip((each.label for each in one.candidates), bundle["candidates"], strict=True))
        given = PromptEvaluationInput(
            prompt=prompt,
            prompt_kind=PromptKind.module_prompt,
            evaluation_goal=one.goal,
            variants=(_AS_IT_IS, *(_variant(label, id) for label, id in ids.items())),
            experiment_mode=ExperimentMode.consume_existing_candidate_bundle,
            bundle=RecordRef(id=bundle["id"]),
            eval_dataset_ref=self._datasets.get(one.dataset or ""),
        )
        tests, named = self._services[PromptEvaluations], one.model_dump(mode="json")
        begun = await tests.start(await self._viewer_now(), given, command_id=self._named("test", named))
        results = [
            PromptResultInput(
                candidate=RecordRef(id=ids[label]) if label != AS_IT_IS else None,
                examples=examples,
                mean_score=score,
                parser_failures=unreadable,
            )
            for label, (examples, score, unreadable) in one.results.items()
        ]
        ended = PromptResultsInput(evaluation=RecordRef(id=begun.result["id"]), results=tuple(results))
        return [begun, await tests.complete(await self._viewer_now(), ended, command_id=self._named("results", named))]


def _candidate(one: SampleCandidate) -> PromptCandidateInput:
    return PromptCandidateInput(
        label=one.label,
        generation_method=CandidateMethod.manual_variant,
        text=one.text,
        rationale=one.rationale,
        changed_elements_summary=tuple(one.changed),
    )


def _variant(label: str, candidate: str) -> PromptVariantInput:
    return PromptVariantInput(variant=label, source=VariantSource.manual, candidate=RecordRef(id=candidate))


def _scores(given: dict[str, float], scorer: str, kind: ScorerKind) -> list[EvalScoreInput]:
    return [
        EvalScoreInput(example_key=key, scorer=scorer, scorer_kind=kind, score=score) for key, score in given.items()
    ]
