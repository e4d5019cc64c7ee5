"""The queue for whoever decides, and what happened since something was applied. Queries: they store nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

from graph_schema.learning.proposal_words import ProposalKind, ProposalState, Risk, WatchOutcome
from graph_schema.learning.words import DesignSignalKind as Kind
from service import clock
from service.access.viewer import Viewer
from service.commands.errors import InputInvalid
from service.graph.database import Database, Row
from service.learning.errors import ProposalSettled
from service.learning.proposals.commands import Proposals
from service.learning.review import cypher
from service.learning.review.rules import RULE, next_step, ranked
from service.views import Id, Linked, Time

MOST = 500
MOST_WATCHED = 200
FAILING = frozenset({WatchOutcome.worse, WatchOutcome.no_better})
Values = Mapping[str, Any]
WAITING = (ProposalState.candidate, ProposalState.staged, ProposalState.approved)
LIKED = (
    Kind.template_selected, Kind.preset_added, Kind.graph_pattern_success, Kind.output_preference_confirmed,
    Kind.red_team_default_accepted, Kind.second_pass_deepening_accepted,
)  # fmt: skip
DISLIKED = (
    Kind.template_rejected, Kind.preset_removed, Kind.graph_pattern_failure, Kind.red_team_default_rejected,
    Kind.second_pass_deepening_rejected,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedProposal:
    """A proposal that waits for somebody, or one that was applied and does not do as promised."""

    proposal_id: Annotated[Id, "Its id."]
    statement: Annotated[str, "What would change, in a sentence."]
    rationale: Annotated[str, "Why."]
    risk: Annotated[Risk, "What it puts at risk."]
    state: Annotated[ProposalState, "Where it stands."]
    value: Annotated[float, "What it is worth to look at it; the queue is ordered by it."]
    reasons: Annotated[tuple[str, ...], "Why it stands where it does."]
    replay_statement: Annotated[str | None, "What its last replay says; null: there is none that you may see."]
    next_step: Annotated[str, "What somebody has to do with it."]
    waiting_since: Annotated[Time, "When it was proposed."]
    snoozed_until: Annotated[Time | None, "Until when it was put off."]
    proposed_by: str | None
    watch: Annotated[WatchOutcome | None, "Of what was applied and does not do as promised, what became of it."] = None
    proposal: ClassVar = Linked("proposal_id", "The proposal itself.", "Proposal")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewQueue:
    """What waits for a decision, most worth first."""

    items: Annotated[tuple[QueuedProposal, ...], "The proposals, as many as asked for."]
    waiting: Annotated[int, "How many wait in all, of those that were asked for."]
    truncated: Annotated[bool, f"Whether more than {MOST} wait, so that not all were ranked."]
    rule: Annotated[str, "Name and version of the rule that ranks."]


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedSpan:
    """What happened with a record in a span of time."""

    since: Annotated[Time, "From when."]
    until: Annotated[Time, "Until when."]
    liked: Annotated[int, "Signals that people liked it."]
    disliked: Annotated[int, "Signals that they did not."]
    completed: Annotated[int, "Runs of it that were completed."]
    failed: Annotated[int, "Runs of it that failed."]

    @property
    def good(self) -> int:
        return self.liked + self.completed

    @property
    def bad(self) -> int:
        return self.disliked + self.failed


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalWatch:
    """What happened since a proposal was applied, beside what was promised."""

    proposal_id: Annotated[Id, "The proposal."]
    outcome: Annotated[WatchOutcome, "What became of the promise."]
    promised: Annotated[str, "What the replay said."]
    sentence: Annotated[str, "What happened, in a sentence."]
    before: Annotated[WatchedSpan, "As long before it was applied."]
    after: Annotated[WatchedSpan, "Since then."]
    proposal: ClassVar = Linked("proposal_id", "The proposal itself.", "Proposal")


class Reviews:
    def __init__(self, database: Database, proposals: Proposals) -> None:
        self._database = database
        self._proposals = proposals

    async def queue(
        self,
        viewer: Viewer,
        *,
        first: int = 20,
        risk: Risk | None = None,
        kind: ProposalKind | None = None,
        snoozed: bool = False,
    ) -> ReviewQueue:
        if not 1 <= first <= MOST:
            raise InputInvalid("first", f"must be from 1 to {MOST}")
        now = clock.now()
        rows = await self._database.read(
            cypher.QUEUE,
            states=[one.value for one in WAITING],
            risk=risk.value if risk else None,
            kind=kind.value if kind else None,
            snoozed=snoozed,
            now=now,
            most=MOST + 1,
            audiences=viewer.audiences,
        )
        found = [_queued(row, now) for row in rows[:MOST]]
        found += [
            _failing(row, told, now)
            for row, told in await self.watched(viewer)
            if told.outcome in FAILING and _wanted(row, risk, kind)
        ]
        items = sorted(found, key=lambda one: (-one.value, one.proposal_id))
        return ReviewQueue(items=tuple(items[:first]), waiting=len(items), truncated=len(rows) > MOST, rule=RULE)

    async def watch(self, viewer: Viewer, proposal_id: str) -> ProposalWatch:
        found = await self._proposals.find(viewer, proposal_id)
        if found.promotion is None:
            raise ProposalSettled(found.values["proposal_state"], "applied")
        [told] = await self._watches(viewer, [(found.values, found.promotion, found.replay)])
        return told

    async def watched(self, viewer: Viewer, *, ended: bool = False) -> list[tuple[Row, ProposalWatch]]:
        """All that was applied and is watched, each with what became of it. `ended`: those of which the time is over,
        too."""
        rows = await self._database.read(
            cypher.WATCHED, ended=ended, now=clock.now(), most=MOST_WATCHED, audiences=viewer.audiences
        )
        applied = [(row["proposal"], row["promotion"], next(iter(row["replays"]), None)) for row in rows]
        return [*zip(rows, await self._watches(viewer, applied), strict=True)]

    async def _watches(
        self, viewer: Viewer, applied: Sequence[tuple[Values, Values, Values | None]]
    ) -> list[ProposalWatch]:
        """Each beside the time before it was applied, as long as that since."""
        asked = [one for _, entry, _ in applied for one in _spans(entry)]
        if not asked:
            return []
        rows = await self._database.read(
            cypher.HAPPENED,
            spans=[{"place": place, **one} for place, one in enumerate(asked)],
            liked=[one.value for one in LIKED],
            disliked=[one.value for one in DISLIKED],
            audiences=viewer.audiences,
        )
        counts = {row["place"]: {name: row[name] for name in _COUNTED} for row in rows}
        spans = [
            WatchedSpan(since=one["since"], until=one["until"], **counts.get(place, dict.fromkeys(_COUNTED, 0)))
            for place, one in enumerate(asked)
        ]
        return [
            _watch(proposal, entry, replay, (spans[2 * place], spans[2 * place + 1]))
            for place, (proposal, entry, replay) in enumerate(applied)
        ]


_COUNTED = ("liked", "disliked", "completed", "failed")


def _spans(entry: Values) -> tuple[dict[str, str], dict[str, str]]:
    until = min(clock.now(), entry.get("rolled_back_at") or clock.now(), entry["watched_until"])
    applied = clock.parse(entry["applied_at"])
    since = clock.stamp(applied - (clock.parse(until) - applied))
    return (
        {"id": entry["target_id"], "since": since, "until": entry["applied_at"]},
        {"id": entry["target_id"], "since": entry["applied_at"], "until": until},
    )


def _watch(
    proposal: Values, entry: Values, replay: Values | None, spans: tuple[WatchedSpan, WatchedSpan]
) -> ProposalWatch:
    before, after = spans
    better = bool(replay) and replay["repaired"] > replay["regressed"]
    outcome = _outcome(before, after, rolled_back=bool(entry.get("rolled_back_at")), better=better)
    return ProposalWatch(
        proposal_id=proposal["id"],
        outcome=outcome,
        promised=entry["validation_score_summary"],
        sentence=_sentence(outcome, before, after),
        before=before,
        after=after,
    )


def _queued(row: Row, now: str) -> QueuedProposal:
    proposal, replay = row["proposal"], next(iter(row["replays"]), None)
    place = ranked(proposal, replay, now)
    return QueuedProposal(
        proposal_id=proposal["id"],
        statement=proposal["statement"],
        rationale=proposal["rationale"],
        risk=Risk(proposal["risk"]),
        state=ProposalState(proposal["proposal_state"]),
        value=place.value,
        reasons=place.reasons,
        replay_statement=replay["statement"] if replay else None,
        next_step=next_step(proposal, replay),
        waiting_since=proposal["created_at"],
        snoozed_until=proposal.get("snoozed_until"),
        proposed_by=proposal.get("proposed_by"),
    )


def _wanted(row: Row, risk: Risk | None, kind: ProposalKind | None) -> bool:
    """What somebody kept although it failed waits for nobody any more."""
    proposal = row["proposal"]
    asked = (risk is None or proposal["risk"] == risk) and (kind is None or proposal["proposal_kind"] == kind)
    return asked and not row["promotion"].get("kept_by")


def _failing(row: Row, told: ProposalWatch, now: str) -> QueuedProposal:
    """What was applied and does not do as promised: it stands first, for people are at it."""
    queued = _queued({**row, "replays": row["replays"]}, now)
    return replace(
        queued,
        value=queued.value + told.after.bad,
        reasons=(told.sentence, f"promised: {told.promised}", *queued.reasons),
        next_step="Take it back (rollBackProposal), or keep it as it is (reviewProposal with keep).",
        waiting_since=row["promotion"]["applied_at"],
        watch=told.outcome,
    )


def _outcome(before: WatchedSpan, after: WatchedSpan, *, rolled_back: bool, better: bool) -> WatchOutcome:
    """`better`: whether it was promised to repair more than it spoils."""
    if rolled_back:
        return WatchOutcome.rolled_back
    if not (after.good or after.bad):
        return WatchOutcome.too_early
    if _share(after) < _share(before):
        return WatchOutcome.worse
    known = before.good or before.bad
    return WatchOutcome.no_better if better and known and _share(after) == _share(before) else WatchOutcome.as_promised


def _share(span: WatchedSpan) -> float:
    """Of what was said and done, how much was good; smoothed, so that one voice decides nothing."""
    return (span.good + 1) / (span.good + span.bad + 2)


def _sentence(outcome: WatchOutcome, before: WatchedSpan, after: WatchedSpan) -> str:
    said = {
        WatchOutcome.rolled_back: "It was taken back.",
        WatchOutcome.too_early: "Nothing that is known of has happened since.",
        WatchOutcome.worse: "It goes worse than before, which was not promised.",
        WatchOutcome.no_better: "It goes no better than before, which was promised.",
        WatchOutcome.as_promised: "It goes no worse than before, as was promised.",
    }[outcome]
    return (
        f"{said} Before: {before.good:,} good and {before.bad:,} bad; since: {after.good:,} good and {after.bad:,} bad."
    )
