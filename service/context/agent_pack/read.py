"""The agent's pack: what is needed to inspect or design a task, within what the request is about. It stores nothing."""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import orjson

from embeddings import EmbeddingQueue
from graph_schema.memory.policies import EVERY_TASK
from graph_schema.memory.words import MemoryMode
from graph_schema.model.record import LifecycleState
from service import clock
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import InputInvalid, RecordMissing
from service.context.agent_pack import cards, cypher
from service.context.agent_pack.knowledge import KnowledgeCards
from service.context.agent_pack.records import (
    MOST,
    MOST_ABOUT,
    MOST_RUNS,
    AgentContextPack,
    AgentPackRequest,
    Cards,
    PackArtifactContext,
    PackCapabilityContext,
    PackConstraints,
    PackWorkContext,
)
from service.context.comparison import comparison
from service.context.expansion.cypher import POLICIES_ALONE
from service.context.expansion.policy import policy_in
from service.context.matters import within
from service.graph.database import Database, Row
from service.matching.answer import MatchAnswer
from service.matching.directives import holds
from service.matching.read import Matching
from service.matching.request import MatchRequest, asked
from service.memory.history import HistoryFilter, runs_found
from service.memory.intake import Policies
from service.memory.intake.cypher import POLICIES_SEEN
from service.memory.reporting.fold import ENDED
from service.memory.reporting.policy import PRIVATE

LOOKED_THROUGH = 5 * MOST_RUNS
"""So many runs are looked at for some that are remembered."""

_USED = [LifecycleState.active.value, LifecycleState.candidate_update.value]
_NO_RUN: dict[str, Any] = {"memory_mode": MemoryMode.standard.value, "data_class": "internal", "source": None}


@dataclass(frozen=True, slots=True)
class _Scope:
    """What the request is about, and the viewer confined to it."""

    viewer: Viewer
    things: tuple[Row, ...]
    run: Row | None
    matters: tuple[str, ...]
    task_type: str | None
    domains: tuple[str, ...]
    trigger_kind: str | None

    @property
    def governed(self) -> Row:
        """What policies are asked about: the run, or one that there is not yet, of the same matters."""
        return self.run or {**_NO_RUN, "matter_ids": list(self.matters)}


class AgentPacks:
    def __init__(
        self,
        database: Database,
        matching: Matching,
        knowledge: KnowledgeCards,
        queue: EmbeddingQueue | None = None,
    ) -> None:
        self._database = database
        self._matching = matching
        self._knowledge = knowledge
        self._queue = queue

    async def pack(self, viewer: Viewer, request: AgentPackRequest) -> AgentContextPack:
        _check(request)
        scope = await self._scope(viewer, request)
        templates, presets, prior, known, text = await asyncio.gather(
            self._matched(scope, request, "Template"),
            self._matched(scope, request, "Preset"),
            self._prior(scope),
            self._knowledge.fitting(scope.viewer, request.text, request.entrypoint),
            comparison(self._queue, request.text),
        )
        directives = await self._directives(scope, request, (templates, presets))
        asked = cards.Asked(text, scope.task_type, scope.domains, scope.trigger_kind)
        matched = sorted(one.id for one in (*cards.matched(templates), *cards.matched(presets)))
        capabilities = await self._capabilities(scope, asked, matched)
        constraints = await self._constraints(scope, asked, matched)
        pack = AgentContextPack(
            pack_id="",
            request_ref=request.request_ref,
            entrypoint=request.entrypoint,
            user_intent_summary=request.text,
            current_conversation_excerpt_ref=request.current_conversation_excerpt_ref,
            relevant_task_templates=cards.matched(templates),
            relevant_module_presets=cards.matched(presets),
            relevant_task_invocation_directives=directives,
            relevant_tkp_card_refs=known,
            work_context=_work(scope.things),
            artifact_context=_artifacts(scope.things, prior),
            capability_context=capabilities,
            constraints=constraints,
        )
        return _named(pack)

    async def _scope(self, viewer: Viewer, request: AgentPackRequest) -> _Scope:
        run = await self._run(viewer, request.run) if request.run else None
        about = await self._about(viewer, request.about) if request.about else []
        things = {one["id"]: one for one in [*(run["things"] if run else ()), *about]}
        matters = {*(run["matters"] if run else ()), *(matter for one in about for matter in one["matter_ids"])}
        inside = within(viewer, matters)
        # What is bound across matters on purpose stays named; everything else is sought inside them.
        return _Scope(
            inside,
            tuple(things.values()),
            run["run"] if run else None,
            tuple(sorted(matters)),
            request.task_type or (run["task_type"] if run else None),
            tuple(run["domains"]) if run else (),
            run["trigger_kind"] if run else None,
        )

    async def _run(self, viewer: Viewer, ref: RecordRef) -> Row:
        row = await self._database.read_one(
            cypher.OF_RUN, id=ref.id, source=ref.source, key=ref.key, most=MOST, audiences=viewer.audiences
        )
        if row is None:
            raise RecordMissing(ref, "run")
        return row

    async def _about(self, viewer: Viewer, refs: Sequence[RecordRef]) -> list[Row]:
        given = [{"place": place, "id": one.id, "source": one.source, "key": one.key} for place, one in enumerate(refs)]
        row = await self._database.read_one(cypher.NAMED, refs=given, audiences=viewer.audiences)
        found: list[int] = row["found"] if row else []
        missing = [one for place, one in enumerate(refs) if place not in found]
        if missing or row is None:
            raise RecordMissing(missing[0], "about")
        return row["things"]

    async def _matched(self, scope: _Scope, request: AgentPackRequest, kind: str) -> MatchAnswer:
        entities = tuple(one["id"] for one in scope.things) or None
        wanted = MatchRequest(text=request.text, task_type=scope.task_type, entities=entities)
        return await self._matching.match(scope.viewer, kind, wanted)

    async def _directives(self, scope: _Scope, request: AgentPackRequest, found: Sequence[MatchAnswer]) -> Cards:
        """What was taught and holds for this request, of whatever was weighed: also what speaks against an asset."""
        question = asked(MatchRequest(text=request.text, task_type=scope.task_type))
        ids = {
            one.id
            for answer in found
            for candidate in answer.weighed
            for one in candidate.asset.directives
            if one.state is LifecycleState.active and holds(one, question, candidate.asset)
        }
        if not ids:
            return ()
        row = await self._database.read_one(cypher.DIRECTIVES, ids=sorted(ids), audiences=scope.viewer.audiences)
        return tuple(cards.directive(one) for one in (row["directives"] if row else ()))

    async def _prior(self, scope: _Scope) -> list[Row]:
        """Earlier runs of the same task, and about the same things, newest first: over, remembered, and before this."""
        wanted: list[HistoryFilter] = []
        over: dict[str, Any] = {
            "statuses": sorted(ENDED),
            "started_before": scope.run["began_at"] if scope.run else None,
        }
        if scope.run and scope.run.get("task_key"):
            task = RecordRef(kind="Task", source=scope.run["source"], key=scope.run["task_key"])
            wanted.append(HistoryFilter(tasks=[task], **over))
        about = [RecordRef(id=one["id"]) for one in scope.things if one["label"] == "Entity"]
        if about:
            wanted.append(HistoryFilter(about=about[:MOST_ABOUT], **over))
        pages = [await runs_found(self._database, scope.viewer, one, LOOKED_THROUGH) for one in wanted]
        found = sorted({(at, run_id) for page in pages for run_id, at in page}, reverse=True)
        row = await self._database.read_one(
            cypher.PRIOR,
            ids=[run_id for _, run_id in found],
            private=list(PRIVATE),
            began_at=scope.run["began_at"] if scope.run else clock.now(),
            most=MOST_RUNS,
            audiences=scope.viewer.audiences,
        )
        return row["runs"] if row else []

    async def _capabilities(self, scope: _Scope, asked: cards.Asked, matched: list[str]) -> PackCapabilityContext:
        row = await self._database.read_one(
            cypher.CAPABILITIES,
            asked={"states": _USED, "matched": matched, **asked.text.asked()},
            audiences=scope.viewer.audiences,
        )
        known: list[Row] = row["capabilities"] if row else []
        run = scope.run
        if run:
            gathered = await self._database.read_one(
                cypher.POLICY_OF_RUN, run_id=run["id"], module_key="", audiences=scope.viewer.audiences
            )
        else:
            gathered = await self._database.read_one(POLICIES_ALONE)
        policy = policy_in(gathered or {"links": [], "policies": []}, scope.governed, {"module_key": None}, clock.now())
        return cards.capabilities(policy, known, asked, MOST)

    async def _constraints(self, scope: _Scope, asked: cards.Asked, matched: list[str]) -> PackConstraints:
        run = scope.run or {}
        rules = await self._database.read_one(
            cypher.RULES, asked={"states": _USED, **asked.text.asked()}, audiences=scope.viewer.audiences
        )
        tasks = [one for one in (EVERY_TASK, run.get("task_key")) if one]
        saved = await self._database.read_one(POLICIES_SEEN, rows=tasks, audiences=scope.viewer.audiences)
        holding = Policies(saved["found"] if saved else ()).holding(
            str(run.get("source")), scope.governed, {"task_key": run.get("task_key")}, clock.now()
        )
        known = {one["id"] for one in scope.things}.union(matched)
        return cards.constraints(rules["rules"] if rules else [], holding.policies, known, asked)


def _check(request: AgentPackRequest) -> None:
    if request.run is not None:
        request.run.check("run", "Run")
    for one in request.about:
        one.check("about")
    if len(request.about) > MOST_ABOUT:
        raise InputInvalid("about", f"at most {MOST_ABOUT} records can be named")


def _work(things: Sequence[Row]) -> PackWorkContext:
    entities = [one for one in things if one["label"] in {"Entity", "WorkProduct"} and not cards.is_document(one)]
    return PackWorkContext(
        matter_refs=tuple(cards.thing(one) for one in entities if one.get("kind") == "matter"),
        entity_refs=tuple(cards.thing(one) for one in entities if one.get("kind") != "matter"),
        goal_refs=tuple(cards.thing(one) for one in things if one["label"] == "Goal"),
    )


def _artifacts(things: Sequence[Row], prior: Sequence[Row]) -> PackArtifactContext:
    products = {one["id"]: cards.thing(one) for run in prior for one in run["products"]}
    return PackArtifactContext(
        source_document_refs=tuple(cards.thing(one) for one in things if cards.is_document(one)),
        prior_work_product_refs=tuple(products.values()),
        prior_task_run_refs=tuple(cards.run(one) for one in prior),
    )


def _named(pack: AgentContextPack) -> AgentContextPack:
    """With an id that is that of its content, however what it is about was named."""
    digest = hashlib.sha256(orjson.dumps(asdict(pack), option=orjson.OPT_SORT_KEYS, default=str)).hexdigest()
    return replace(pack, pack_id=f"agentpack_{digest[:32]}")
