"""One turn of the lane: runs are assessed, signals drawn and counted; what they agree on is proposed and replayed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graph_schema.learning.proposal_words import Risk, WatchOutcome
from graph_schema.learning.words import DesignSignalKind
from graph_schema.registry import REGISTRY
from service.access.agents import is_agent
from service.access.viewer import Viewer
from service.errors import TaskloreError
from service.graph.database import Database
from service.learning.aggregates.correlate import correlate
from service.learning.aggregates.read import Aggregates
from service.learning.assessments.runs import RunAssessments
from service.learning.lane import cypher
from service.learning.lane.drawing import Drawn, draw, waiting
from service.learning.lane.rules import KINDS, Draft, Seen, drafts
from service.learning.lane.sums import drafts_of_sums
from service.learning.proposals.commands import Proposals
from service.learning.proposals.gates import may_apply_by_itself
from service.learning.replay.commands import Replays
from service.learning.review.read import Reviews
from service.learning.signals.commands import LearningSignals

MOST_SIGNALS = 20_000
KNOWN = frozenset({
    "proposal_exists", "proposal_rejected_before", "proposal_not_wanted", "proposal_changes_nothing", "not_found",
    "wrong_kind",
})  # fmt: skip
"""Why a draft is left out: it is there, it was refused, or there is nothing to change any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What became of one draft."""

    rule: str
    target_id: str
    rationale: str
    outcome: str
    proposal_id: str | None = None
    risk: Risk | None = None
    replay: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneReport:
    """What a turn of the lane did, or would do."""

    drawn: tuple[Drawn, ...]
    counted: int
    correlated: int
    assessed: int
    watched: int
    """How many of what was applied came to something else than was told before."""
    learned: tuple[Learned, ...]


@dataclass(frozen=True, slots=True)
class LanePolicy:
    """What the settings say: signals that have to agree, and whether low risk is applied by itself."""

    often: int
    auto_apply: bool


class Lane:
    def __init__(
        self,
        database: Database,
        signals: LearningSignals,
        proposals: Proposals,
        replays: Replays,
        aggregates: Aggregates,
        *,
        assessments: RunAssessments,
        reviews: Reviews,
        policy: LanePolicy,
    ) -> None:
        self._database = database
        self._signals = signals
        self._proposals = proposals
        self._replays = replays
        self._policy = policy
        self._aggregates = aggregates
        self._assessments = assessments
        self._reviews = reviews

    async def learn(self, viewer: Viewer, *, dry_run: bool = False) -> LaneReport:
        assessed = await self._assess(viewer, dry_run=dry_run)
        drawn = await waiting(self._database, viewer) if dry_run else await draw(self._database, self._signals, viewer)
        signals = await self._seen(viewer)
        sums, _ = await self._aggregates.sums(viewer)
        found = [*drafts(signals, self._policy.often), *drafts_of_sums(sums, self._aggregates.thresholds)]
        learned = [self._would(one) if dry_run else await self._take(viewer, one) for one in found]
        correlated = 0 if dry_run else await correlate(self._aggregates, self._signals, viewer)
        watched = 0 if dry_run else await self._watch(viewer)
        return LaneReport(
            watched=watched,
            drawn=tuple(drawn),
            counted=len(signals),
            correlated=correlated,
            assessed=assessed,
            learned=tuple(learned),
        )

    async def _assess(self, viewer: Viewer, *, dry_run: bool) -> int:
        """Runs that have ended, where a blueprint asks for it."""
        runs = await self._assessments.waiting(viewer)
        for run in runs if not dry_run else ():
            await self._assessments.assess(viewer, run)
        return len(runs)

    async def _watch(self, viewer: Viewer) -> int:
        """What became of what was applied, told where it has changed."""
        if is_agent(viewer):  # the ledger is for people to write in
            return 0
        changed = [
            (row["promotion"]["id"], told)
            for row, told in await self._reviews.watched(viewer, ended=True)
            if told.outcome not in (WatchOutcome.too_early, row["promotion"].get("watch_outcome"))
        ]
        for promotion, told in changed:
            await self._proposals.watch(viewer, promotion, told.outcome, told.sentence)
        return len(changed)

    async def _seen(self, viewer: Viewer) -> list[Seen]:
        rows = await self._database.read(
            cypher.SIGNALS, kinds=sorted(KINDS), most=MOST_SIGNALS, audiences=viewer.audiences
        )
        return [_seen(row) for row in rows]

    @staticmethod
    def _would(draft: Draft) -> Learned:
        return _learned(draft, "would be proposed, unless it is known")

    async def _take(self, viewer: Viewer, draft: Draft) -> Learned:
        try:
            made = (await self._proposals.propose(viewer, draft.given, rule=draft.rule)).result["id"]
        except TaskloreError as error:
            if error.code not in KNOWN:
                raise
            return _learned(draft, error.code)
        await self._replays.replay(viewer, made)
        found = await self._proposals.find(viewer, made)
        values, replay = found.values, found.replay
        outcome = "proposed"
        if may_apply_by_itself(values, replay, allowed=self._policy.auto_apply):
            await self._proposals.apply(viewer, made, by_policy=True)
            outcome = "applied"
        said = replay["statement"] if replay else None
        return _learned(draft, outcome, proposal_id=made, risk=Risk(values["risk"]), replay=said)


def _learned(draft: Draft, outcome: str, **more: Any) -> Learned:
    given = draft.given
    return Learned(rule=draft.rule, target_id=str(given.target.id), rationale=given.rationale, outcome=outcome, **more)


def _seen(row: Mapping[str, Any]) -> Seen:
    on = {REGISTRY.label_of(one["labels"]): one["id"] for one in reversed(row["seen_on"])}
    request = next((one["request"] for one in row["seen_on"] if one["request"]), None)
    return Seen(
        row["id"],
        DesignSignalKind(row["kind"]),
        row["audience"],
        on,
        row["subject"],
        request,
        row["context_class"],
    )
