"""Mode decisions, decided again. Of those only what was asked is frozen; so one counts only while today's graph still
decides it as it was recorded, and is told as not replayable otherwise: nothing later leaks into a case."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import orjson

from graph_schema.learning.proposal_words import CaseKind
from graph_schema.model.record import LifecycleState
from graph_schema.routing.decision_words import ExecutionMode as Mode
from graph_schema.routing.words import UserResponse
from service import clock
from service.access.audience import Access
from service.access.viewer import Viewer
from service.capability import Services
from service.errors import TaskloreError
from service.graph.database import Database, Row
from service.learning.proposals.steps import differing
from service.learning.replay import cypher
from service.learning.replay.assets import AssetPatch
from service.learning.replay.cases import UNREADABLE, Case, Lane
from service.learning.replay.change import Patches, Target
from service.matching.answer import MatchAnswer
from service.matching.load import Library
from service.matching.read import Matching
from service.matching.request import Asked
from service.routing.decision.read import TaskModes
from service.routing.decision.request import TaskModeRequest
from service.routing.decision.sources import Sources
from service.routing.directives.read import Directives
from service.routing.directives.rules import Asked as Spoken
from service.routing.feedback.read import RoutingStates
from service.routing.words import words_of
from service.search.watch import Watch

DIRECT = frozenset({Mode.direct_chat.value})
_TAKEN = frozenset({UserResponse.accepted.value})
_WANTED = frozenset({UserResponse.later_requested_task.value, "complained_task_was_underused"})
_UNWANTED = frozenset({
    UserResponse.rejected.value, UserResponse.asked_direct_answer_instead.value, "complained_task_was_overused",
})  # fmt: skip
_SILENT = frozenset({"description", "prior_task_use_summary", "evidence_refs", "learned_from_refs"})


class _PatchedMatching(Matching):
    """Matching in a library where one asset says what the change would make it say."""

    patch: tuple[str, AssetPatch]

    async def _decided(self, viewer: Viewer, question: Asked, kind: str, found: Library, watch: Watch) -> MatchAnswer:
        target, patch = self.patch
        vector = np.asarray(question.vector, dtype=np.float32)
        assets = tuple(patch.on(one, vector, question.stems) if one.id == target else one for one in found.assets)
        return await super()._decided(viewer, question, kind, replace(found, assets=assets), watch)


class _PatchedDirectives(Directives):
    """Directives of which one says what the change would make it say."""

    patch: tuple[str, Mapping[str, Any]]

    async def _found(
        self, viewer: Viewer, asked: Spoken, vector: Sequence[float], entities: Sequence[str]
    ) -> Sequence[Row]:
        target, changed = self.patch
        rows = await super()._found(viewer, asked, vector, entities)
        if changed.get("lifecycle_state", LifecycleState.active.value) != LifecycleState.active.value:
            return [row for row in rows if row["id"] != target]
        return [{**row, **_known(row, changed)} if row["id"] == target else row for row in rows]


def _known(row: Row, changed: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in changed.items() if name in row}


class ModeReplays:
    def __init__(self, database: Database, services: Services) -> None:
        self._database = database
        self._services = services

    async def cases(self, viewer: Viewer, target: Target, most: int) -> list[Case]:
        if target.kind.label not in {"Template", "Preset", "InvocationDirective"}:
            return []
        rows = await self._database.read(cypher.MODES, id=target.id, most=most, audiences=viewer.audiences)
        if not rows:
            return []
        contents = target.contents(target.version)
        changed = differing(*contents) if contents else {}
        modes = await self._modes(target, changed)
        return [await self._case(viewer, row, modes) for row in rows]

    async def _case(self, viewer: Viewer, row: Row, changed: "TaskModes | str") -> Case:
        kept, said = row["kept"], next(iter(row["said"]), None)
        recorded = kept["selected_mode"]
        case = Case(
            kind=CaseKind.mode_decision,
            id=kept["id"],
            name=kept["name"],
            at=kept["decided_at"],
            access=Access.of(kept),
            recorded=_lane(recorded, recorded, said),
            judged_by=f"The user: {said.replace('_', ' ')}." if said else None,
        )
        if isinstance(changed, str):
            return replace(case, why=changed)
        try:
            request = TaskModeRequest.of_facts(kept["request"], orjson.loads(kept["facts"]))
            request.check()
        except (ValueError, KeyError, TypeError, AttributeError, TaskloreError):
            return replace(case, why=UNREADABLE.said)
        at = clock.parse(kept["decided_at"])
        now = await self._services[TaskModes].decide(viewer, request, at)
        today = _lane(now.selected_mode.value, recorded, said)
        if today.key != case.recorded.key:
            return replace(case, why="The graph has changed since, and it keeps only what was asked.")
        other = await changed.decide(viewer, request, at)
        candidate = _lane(other.selected_mode.value, recorded, said)
        same = today.key == candidate.key
        why = "The change makes no difference to it." if same else f"With it: {candidate.said}"
        return replace(case, today=today, candidate=candidate, why=why)

    async def _modes(self, target: Target, changed: Mapping[str, Any]) -> "TaskModes | str":
        """The decider with the change in it; or why there can be none."""
        ground = self._services.ground
        matching, directives = self._services[Matching], self._services[Directives]
        if target.kind.label == "InvocationDirective":
            unknown = sorted(name for name in changed if name in _TEXTS)
            if unknown:
                return f"How {', '.join(unknown)} would have compared is not known from what it keeps."
            directives = _PatchedDirectives(ground.database, ground.embeddings)
            directives.patch = (target.id, {k: v for k, v in changed.items() if k not in _SILENT})
        else:
            patch = await Patches(target, ground).of(target.version)
            if patch is None:
                return "What the record says is not known."
            matching = _PatchedMatching(ground.database, ground.embeddings)
            matching.patch = (target.id, patch)
        words = words_of(ground.settings.routing_words)
        sources = Sources(ground.database, ground.embeddings, matching, directives, words)
        return TaskModes(ground.database, sources, self._services[RoutingStates])


_TEXTS = frozenset({"name", "trigger_phrases", "semantic_lookup_phrases", "use_conditions", "non_use_conditions"})


def _lane(mode: str, recorded: str, said: str | None) -> Lane:
    return Lane((mode,), f"It becomes {mode.replace('_', ' ')}.", _right(mode, recorded, said))


def _right(mode: str, recorded: str, said: str | None) -> bool | None:
    """What was accepted was right as it was; what was refused should have been answered directly."""
    if said in _TAKEN:
        return mode == recorded
    if said in _UNWANTED:
        return mode in DIRECT
    return mode not in DIRECT if said in _WANTED else None
