"""Tests of prompts as tracked tasks: begun here, carried out elsewhere, and told of when the results are in."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import orjson

from graph_schema.knowledge.prompt_words import (
    CandidateMethod,
    EvaluationState,
    ExperimentMode,
    PromptSurface,
    PromptTestedState,
)
from graph_schema.learning.words import SignalOrigin
from graph_schema.model.fields import NAME_LENGTH
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, State, Work
from service.commands.errors import RecordMissing
from service.knowledge.errors import PromptPlanInvalid
from service.knowledge.prompts.keep import MOST_CANDIDATES
from service.knowledge.prompts.methods import METHODS, check_plan, open_method
from service.learning.errors import DatasetNotFrozen
from service.learning.prompts import cypher
from service.learning.prompts.errors import EvaluationCompleted, ResultsInvalid, VariantUnknown
from service.learning.prompts.inputs import PromptEvaluationInput, PromptResultsInput
from service.learning.prompts.recommend import WEAK, Recommended, VariantResult, recommend
from service.learning.signals.emit import emit
from service.library.commands import content_of

STARTED = "task.prompt.evaluation_started"
COMPLETED = "task.prompt.evaluation_completed"


class PromptEvaluations:
    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    async def start(self, viewer: Viewer, given: PromptEvaluationInput, *, command_id: str | None = None) -> Outcome:
        _check(given)
        named = [one.candidate for one in given.variants if one.candidate]
        reads = [given.prompt, *named, *(one for one in (given.bundle, given.eval_dataset) if one)]

        async def plan(work: Work) -> dict[str, Any]:
            prompt = work.existing(given.prompt, "prompt", ("Prompt",))
            candidates = {str(one): work.existing(one, "variants", ("PromptCandidate",)) for one in named}
            await _check_candidates(work, prompt, [*candidates.values()])
            sources = [prompt, *candidates.values()]
            if given.bundle:
                sources.append(work.existing(given.bundle, "bundle", ("PromptBundle",)))
            data = _dataset(work, given)
            sources += [data] if data else []
            values = {**_begun(work, given, prompt, candidates), **_tried_on(data)}
            made = work.create(work.registry.types["PromptEvaluation"], values, sources)
            work.link(made, "TESTS", prompt)
            for one in candidates.values():
                work.link(made, "TRIES", one)
            work.event(STARTED, made, other=prompt.id)
            return {"id": made.id, "version": made.version}

        return await self._commands.execute(
            viewer, _request("startPromptEvaluation", given, reads, (), command_id), plan
        )

    async def complete(self, viewer: Viewer, given: PromptResultsInput, *, command_id: str | None = None) -> Outcome:
        given.evaluation.check("evaluation", "PromptEvaluation")
        named = [one.candidate for one in given.results if one.candidate]

        async def plan(work: Work) -> dict[str, Any]:
            test = work.existing(given.evaluation, "evaluation", ("PromptEvaluation",))
            if test.properties["evaluation_state"] == EvaluationState.completed:
                raise EvaluationCompleted(test.id)
            row = await work.transaction.one(cypher.TRIED, id=test.id, audiences=work.viewer.audiences)
            if row is None or row["prompt"] is None:
                raise RecordMissing(given.evaluation, "evaluation")
            results = _results(work, given, {one["id"] for one in row["candidates"]})
            told = recommend(results, PromptSurface(row["prompt"]["surface"]))
            after = work.update(test, _ended(work, given, results, told), event=COMPLETED)
            for one in row["candidates"]:
                _settle(work, _state(work, "PromptCandidate", one), results, told)
            signals = _signals(work, after, _state(work, "Prompt", row["prompt"]), results, told)
            return {"id": after.id, "version": after.version, "signals": signals}

        changes = [given.evaluation, *named]
        return await self._commands.execute(
            viewer, _request("completePromptEvaluation", given, (), changes, command_id), plan
        )


def _request(
    name: str, given: Any, reads: Sequence[RecordRef], changes: Sequence[RecordRef], command_id: str | None
) -> Request:
    told = {"given": content_of(given)}
    return Request(name, KeyScope.curate, told, reads=reads, changes=changes, command_id=command_id)


def _check(given: PromptEvaluationInput) -> None:
    given.prompt.check("prompt", "Prompt")
    check_plan(given.experiment_mode, [one.source for one in given.variants])
    if len({one.variant for one in given.variants}) < len(given.variants) or not given.variants:
        raise PromptPlanInvalid("every variant is named once, and there is at least one")
    if given.experiment_mode is ExperimentMode.consume_existing_candidate_bundle and given.bundle is None:
        raise PromptPlanInvalid(f"{given.experiment_mode} names its bundle")
    if given.eval_dataset and given.eval_dataset_ref:
        raise PromptPlanInvalid("it is tried on one dataset: kept here, or elsewhere")
    _check_generation(given)


def _check_generation(given: PromptEvaluationInput) -> None:
    """An experiment that makes its candidates says how; another makes none."""
    config = given.generation_config
    if config is None:
        return
    if given.experiment_mode is not ExperimentMode.generate_candidates_then_test:
        raise PromptPlanInvalid(f"{given.experiment_mode} makes no candidates")
    if not config.methods or not 1 <= config.candidate_count <= MOST_CANDIDATES:
        raise PromptPlanInvalid(f"it names its methods, and makes from 1 to {MOST_CANDIDATES} candidates")
    for one in config.methods:
        open_method(one, "generation_config")


def _dataset(work: Work, given: PromptEvaluationInput) -> State | None:
    """What a test is tried on does not change under it."""
    if given.eval_dataset is None:
        return None
    found = work.existing(given.eval_dataset, "eval_dataset", ("EvalDataset",))
    if found.properties.get("frozen_at") is None:
        raise DatasetNotFrozen(found.id, "eval_dataset")
    return found


def _tried_on(data: State | None) -> dict[str, Any]:
    if data is None:
        return {}
    told = {"eval_dataset_hash": data.properties["input_fingerprint_hash"], "eval_dataset_ref": data.id}
    return {**told, "eval_dataset_id": data.id}


async def _check_candidates(work: Work, prompt: State, candidates: Sequence[State]) -> None:
    row = await work.transaction.one(cypher.CANDIDATES, id=prompt.id, audiences=work.viewer.audiences)
    known = {*row["ids"]} if row else set[str]()
    for one in candidates:
        if one.id not in known:
            raise VariantUnknown(one.id)


def _begun(work: Work, given: PromptEvaluationInput, prompt: State, candidates: dict[str, State]) -> dict[str, Any]:
    methods = sorted({one.properties["generation_method"] for one in candidates.values()})
    variants = {
        one.variant: {"source": one.source, "candidate": candidates[str(one.candidate)].id if one.candidate else None}
        for one in given.variants
    }
    config = given.generation_config
    used = {CandidateMethod(one) for one in methods} | {*(config.methods if config else ())}
    plan = {
        "mode": given.experiment_mode,
        "source_prompt_ref": prompt.properties.get("prompt_text_ref"),
        "source_prompt_hash": prompt.properties["prompt_text_hash"],
        "existing_candidate_bundle_ref": given.bundle.id if given.bundle else None,
        "generation_config": {**asdict(config), "target_prompt_surface": prompt.properties["surface"]}
        if config
        else None,
        "method_metadata": [asdict(METHODS[one]) for one in sorted(used)],
        "variants": variants,
        "generation_status_by_method": {one.method.value: one.operative_status for one in METHODS.values()},
    }
    told = {
        "name": f"Test: {prompt.properties['name']}"[:NAME_LENGTH],
        "prompt_kind": given.prompt_kind.value,
        "evaluation_goal": given.evaluation_goal,
        "evaluation_state": EvaluationState.started.value,
        "source_prompt_hash": prompt.properties["prompt_text_hash"],
        "candidate_generation_methods": methods,
        "eval_dataset_ref": given.eval_dataset_ref,
        "eval_dataset_hash": given.eval_dataset_hash,
        "judge_rubric_refs": [*given.judge_rubric_refs],
        "experiment_mode": given.experiment_mode.value,
        "source_plan": orjson.dumps(plan).decode(),
        "experiment_run_refs": [*given.experiment_run_refs],
        "recorded_by": work.viewer.principal_id,
    }
    return {name: value for name, value in told.items() if value is not None}


def _results(work: Work, given: PromptResultsInput, tried: set[str]) -> list[VariantResult]:
    found: list[VariantResult] = []
    for one in given.results:
        candidate = work.existing(one.candidate, "results", ("PromptCandidate",)).id if one.candidate else None
        if candidate is not None and candidate not in tried:
            raise VariantUnknown(candidate)
        found.append(VariantResult(candidate, one.examples, one.mean_score, one.parser_failures))
    for result in found:
        result.check()
    if not found or len({one.candidate for one in found}) < len(found):
        raise ResultsInvalid("every variant has one result, and there is at least one")
    return found


def _ended(
    work: Work, given: PromptResultsInput, results: Sequence[VariantResult], told: Recommended
) -> dict[str, Any]:
    refs = {str(one.candidate) if one.candidate else None: one.evidence_ref for one in given.results}
    rows = [
        {"candidate": one.candidate, "examples": one.examples, "mean_score": one.mean_score}
        | {"parser_failures": one.parser_failures, "evidence_ref": refs.get(one.candidate)}
        for one in results
    ]
    return {
        "evaluation_state": EvaluationState.completed.value,
        "results": orjson.dumps(rows).decode(),
        "result_summary_ref": given.result_summary_ref,
        "winner_id": told.winner,
        "recommendation": told.recommendation.value,
        "because": told.because,
        "completed_at": work.at,
    }


def _settle(work: Work, candidate: State, results: Sequence[VariantResult], told: Recommended) -> None:
    """A candidate that was tried is tested; the one that won can be promoted."""
    if not any(one.candidate == candidate.id for one in results):
        return
    won = candidate.id == told.winner
    work.update(
        candidate, {"tested_status": (PromptTestedState.candidate_winner if won else PromptTestedState.tested).value}
    )


def _signals(work: Work, test: State, prompt: State, results: Sequence[VariantResult], told: Recommended) -> list[str]:
    base = next((one for one in results if one.candidate is None), None)
    seen = [
        ("experiment_variant_won", told.because) if told.winner else None,
        ("judge_found_prompt_weak", f"It got {base.mean_score:.2f} on {base.examples} examples.")
        if base and base.mean_score < WEAK
        else None,
        ("downstream_parser_failed", f"{base.parser_failures} of its results could not be read behind it.")
        if base and base.parser_failures
        else None,
    ]
    made = [
        emit(work, SignalOrigin.prompt_evaluation, [prompt, test], {"result": one[0], "summary": one[1]})
        for one in seen
        if one
    ]
    return [one.id for one in made if one]


def _state(work: Work, label: str, properties: dict[str, Any]) -> State:
    kind = work.registry.types[label]
    return State(kind, (label, "Record"), properties)
