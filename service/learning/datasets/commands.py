"""The commands on datasets: make one, add cases, freeze it, and tell what judges outside gave."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson

from graph_schema.learning.dataset_relations import DRAWN_FROM, SHOWN_IN
from graph_schema.model.fields import NAME_LENGTH
from service.access.audience import Access
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, State, Work
from service.commands.errors import InputInvalid, WrongKind
from service.learning.datasets import cypher
from service.learning.datasets.inputs import TRACED, EvalDatasetInput, EvalExampleInput, EvalScoreInput
from service.learning.errors import (
    DatasetEmpty,
    DatasetFrozen,
    DatasetNotFrozen,
    ExampleReused,
    ExampleUnknown,
    TooManyExamples,
)
from service.library.commands import content_of

MOST = 1_000
"""Cases of a dataset, and scores that are told at once."""
_KEPT = ("example_key", "input_ref", "input_hash", "input_summary", "expected", "expected_ref", "slice")


class Datasets:
    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    async def create(self, viewer: Viewer, given: EvalDatasetInput, *, command_id: str | None = None) -> Outcome:
        """A dataset with its first cases; frozen at once where that is asked for."""

        async def plan(work: Work) -> dict[str, Any]:
            task = work.existing(given.task, "task", ["Task"]) if given.task else None
            template = work.existing(given.template, "template", ["Template"]) if given.template else None
            drawn = [*_drawn(work, given.examples)]
            sources = [one for one in (task, template, *drawn) if one]
            values = {
                "name": given.name,
                "dataset_source": given.dataset_source.value,
                "description": given.description,
                "task_id": task.id if task else None,
                "template_id": template.id if template else None,
                "module_key": given.module_key,
                "example_count": len(_checked(given.examples, {})),
                "made_by": work.viewer.principal_id,
            }
            if given.freeze:
                values |= _frozen(work, [_content(one) for one in given.examples])
            made = work.create(work.registry.types["EvalDataset"], _present(values), sources)
            _add(work, made, given.examples, 0)
            return {"id": made.id, "version": made.version}

        named = [one for one in (given.task, given.template) if one]
        reads = [*named, *(ref for one in given.examples for ref in one.drawn_from)]
        request = Request("createEvalDataset", KeyScope.curate, content_of(given), reads=reads, command_id=command_id)
        return await self._commands.execute(viewer, request, plan)

    async def add(
        self,
        viewer: Viewer,
        dataset: RecordRef,
        examples: Sequence[EvalExampleInput],
        *,
        command_id: str | None = None,
    ) -> Outcome:
        """Further cases. The same case again is nothing new; under its key another is refused."""

        async def plan(work: Work) -> dict[str, Any]:
            state = _open(work, dataset)
            known = await _examples(work, state)
            fresh = _checked(examples, {row["example_key"]: row for row in known})
            if len(known) + len(fresh) > MOST:
                raise TooManyExamples(len(known) + len(fresh), MOST)
            _add(work, state, fresh, len(known))
            after = work.update(state, {"example_count": len(known) + len(fresh)})
            return {"id": after.id, "version": after.version}

        reads = [ref for one in examples for ref in one.drawn_from]
        content = {"dataset": str(dataset), "examples": [content_of(one) for one in examples]}
        request = Request(
            "addEvalExamples", KeyScope.curate, content, reads=reads, changes=[dataset], command_id=command_id
        )
        return await self._commands.execute(viewer, request, plan)

    async def freeze(self, viewer: Viewer, dataset: RecordRef, *, command_id: str | None = None) -> Outcome:
        """From now on nothing of it changes, and its hash says so."""

        async def plan(work: Work) -> dict[str, Any]:
            state = _open(work, dataset)
            after = work.update(
                state, _frozen(work, [_kept(row) for row in await _examples(work, state)]), event="frozen"
            )
            return {"id": after.id, "version": after.version}

        request = Request(
            "freezeEvalDataset", KeyScope.curate, {"dataset": str(dataset)}, changes=[dataset], command_id=command_id
        )
        return await self._commands.execute(viewer, request, plan)

    async def score(
        self,
        viewer: Viewer,
        dataset: RecordRef,
        candidate: str,
        scores: Sequence[EvalScoreInput],
        *,
        command_id: str | None = None,
    ) -> Outcome:
        """What judges or people outside gave a candidate, case by case: a trace and a score each."""
        if not candidate.strip():
            raise InputInvalid("candidate", "it must not be blank")
        if not 1 <= len(scores) <= MOST:
            raise InputInvalid("scores", f"there are from 1 to {MOST:,} at once")

        async def plan(work: Work) -> dict[str, Any]:
            state = work.existing(dataset, "dataset", ["EvalDataset"])
            if state.properties.get("frozen_at") is None:
                raise DatasetNotFrozen(state.id)
            known = {row["example_key"]: row for row in await _examples(work, state)}
            for one in scores:
                _score(work, state, candidate, one, known)
            return {"id": state.id, "version": state.version}

        reads = [dataset, *(ref for one in scores for ref in one.traced_in)]
        content = {"dataset": str(dataset), "candidate": candidate, "scores": [content_of(one) for one in scores]}
        request = Request("recordEvalScores", KeyScope.curate, content, reads=reads, command_id=command_id)
        return await self._commands.execute(viewer, request, plan)


def fingerprint(examples: Iterable[Mapping[str, Any]]) -> str:
    """The same cases, in any order, have the same."""
    told = sorted((_fingerprinted(one) for one in examples), key=orjson.dumps)
    return hashlib.sha256(orjson.dumps(told)).hexdigest()


def _fingerprinted(one: Mapping[str, Any]) -> list[Any]:
    """A case of no slice has the fingerprint that it had before there were slices."""
    *told, slice_ = [one.get(name) for name in _KEPT]
    return [*told, slice_] if slice_ else told


def _open(work: Work, dataset: RecordRef) -> State:
    state = work.existing(dataset, "dataset", ["EvalDataset"])
    if state.properties.get("frozen_at") is not None:
        raise DatasetFrozen(state.id, state.properties["frozen_at"])
    return state


def _frozen(work: Work, examples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    if not examples:
        raise DatasetEmpty
    return {"frozen_at": work.at, "input_fingerprint_hash": fingerprint(examples)}


async def _examples(work: Work, state: State) -> list[dict[str, Any]]:
    row = await work.transaction.one(cypher.EXAMPLES, id=state.id, audiences=work.viewer.audiences)
    return [dict(one) for one in row["found"]] if row else []


def _checked(given: Sequence[EvalExampleInput], known: Mapping[str, Mapping[str, Any]]) -> list[EvalExampleInput]:
    """Those that are new. A case is known by its key, and says what goes in."""
    if len(given) > MOST:
        raise TooManyExamples(len(given), MOST)
    fresh: dict[str, EvalExampleInput] = {}
    for one in given:
        if not one.example_key.strip():
            raise InputInvalid("examples.example_key", "it must not be blank")
        if not (one.input_ref or one.input_hash or one.input_summary):
            raise InputInvalid("examples", f"{one.example_key} does not say what goes in")
        before = _content(fresh[one.example_key]) if one.example_key in fresh else known.get(one.example_key)
        if before is None:
            fresh[one.example_key] = one
        elif _kept(before) != _kept(_content(one)):
            raise ExampleReused(one.example_key)
    return [*fresh.values()]


def _content(one: EvalExampleInput) -> dict[str, Any]:
    return {name: getattr(one, name) for name in _KEPT}


def _kept(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: row.get(name) for name in _KEPT}


def _drawn(work: Work, examples: Iterable[EvalExampleInput]) -> Iterable[State]:
    for one in examples:
        for ref in one.drawn_from:
            yield _of_kinds(work, ref, "drawn_from", DRAWN_FROM)


def _of_kinds(work: Work, ref: RecordRef, field: str, kinds: Sequence[str]) -> State:
    state = work.existing(ref, field)
    if state.type.label not in kinds:
        raise WrongKind(ref, field, " or ".join(kinds), state.type.label)
    return state


def _add(work: Work, dataset: State, examples: Sequence[EvalExampleInput], before: int) -> None:
    for position, one in enumerate(_checked(examples, {}), before + 1):
        drawn = [_of_kinds(work, ref, "drawn_from", DRAWN_FROM) for ref in one.drawn_from]
        values = {**_content(one), "name": one.example_key[:NAME_LENGTH], "position": position}
        made = work.create(work.registry.types["EvalExample"], _present(values), [dataset, *drawn])
        work.link(dataset, "HAS_EXAMPLE", made)
        for state in drawn:
            work.link(made, "DRAWN_FROM", state)


def _score(
    work: Work, dataset: State, candidate: str, one: EvalScoreInput, known: Mapping[str, Mapping[str, Any]]
) -> None:
    row = known.get(one.example_key)
    if row is None:
        raise ExampleUnknown(one.example_key, dataset.properties["name"])
    if one.score is None and one.verdict is None:
        raise InputInvalid("scores", f"{one.example_key} has neither a score nor a verdict")
    shown = [_of_kinds(work, ref, "traced_in", SHOWN_IN) for ref in one.traced_in]
    about = f"{candidate} on {one.example_key}"[:NAME_LENGTH]
    traced = {"name": about, "candidate": candidate, "tried_at": work.at, **{key: getattr(one, key) for key in TRACED}}
    trace = work.create(work.registry.types["EvalTrace"], _present(traced), [dataset, *shown])
    work.link_id(trace, "TRIES", row["id"], access=Access.of(row))
    for state in shown:
        work.link(trace, "TRACED_IN", state)
    values = {
        "name": f"{one.scorer}: {about}"[:NAME_LENGTH],
        "scorer": one.scorer,
        "scorer_kind": one.scorer_kind.value,
        "score": one.score,
        "verdict": one.verdict,
        "comment": one.comment,
        "scored_at": work.at,
        "recorded_by": work.viewer.principal_id,
    }
    given = work.create(work.registry.types["EvalScore"], _present(values), [trace])
    work.link(given, "SCORES", trace)


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
