"""Intake decisions, decided again: how far artifacts go by the policies of their own time, and with the change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graph_schema.learning.proposal_words import CaseKind
from graph_schema.memory.policies import EVERY_TASK, IntakeOutcome, PolicyKind
from graph_schema.memory.words import ArtifactState, CaptureMode, IntakeLevel, IntakeRule
from service.access.audience import Access
from service.access.viewer import Viewer
from service.graph.database import Database, Row
from service.learning.proposals.steps import differing
from service.learning.replay import cypher
from service.learning.replay.cases import Case, Lane
from service.learning.replay.change import Target
from service.memory.intake import Policies
from service.memory.intake import cypher as policies
from service.memory.reporting import intake
from service.memory.reporting.policy import Rules

State = Mapping[str, Any]
KINDS = frozenset({PolicyKind.artifact.value, PolicyKind.artifact_candidate.value})
_WANTED = frozenset({IntakeOutcome.approved.value, IntakeOutcome.promoted.value})
_STATED = {rule.value: name for name, rule in intake.STATED}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What somebody decided about an artifact afterwards: where it was to go, or must not."""

    wanted: str | None = None
    refused: str | None = None

    @property
    def said(self) -> str | None:
        if self.wanted:
            return f"Somebody had it go to {self.wanted}."
        return f"Somebody would not have it go to {self.refused}." if self.refused else None

    def right(self, level: str, suggested: str | None) -> bool | None:
        if self.wanted:
            return self.wanted in (level, suggested)
        return self.refused not in (level, suggested) if self.refused else None


def judgement(receipts: Sequence[State]) -> Judgement:
    """The last word counts."""
    for one in receipts:
        if one["outcome"] in _WANTED:
            return Judgement(wanted=one["to_level"])
        if one["outcome"] == IntakeOutcome.rejected.value:
            return Judgement(refused=one["to_level"])
    return Judgement()


class IntakeReplays:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def cases(self, viewer: Viewer, target: Target, most: int) -> list[Case]:
        """The newest artifacts of the runs that the policy is for, made since it holds."""
        now = target.states[target.version]
        if target.kind.label != "Policy" or now.get("policy_kind") not in KINDS:
            return []
        rows = await self._database.read(cypher.INTAKES, **_scope(target), most=most, audiences=viewer.audiences)
        if not rows:
            return []
        tasks = sorted({EVERY_TASK, *(key for row in rows if (key := row["run"].get("task_key")))})
        held = await self._histories(tasks)
        seen = {one["id"] for states in await self._histories(tasks, viewer) for one in states}
        replay = _Replay(target, held, seen)
        return [replay.case(row) for row in rows]

    async def _histories(self, tasks: list[str], viewer: Viewer | None = None) -> list[list[dict[str, Any]]]:
        """Policies with all their versions: all that held, or those that somebody may see."""
        if viewer is None:
            row = await self._database.read_one(policies.POLICIES, rows=tasks)
        else:
            row = await self._database.read_one(policies.POLICIES_SEEN, rows=tasks, audiences=viewer.audiences)
        return row["found"] if row else []


def _scope(target: Target) -> dict[str, Any]:
    """What of its scope holds in all versions; and since when the first of them does."""
    states = [*target.states.values()]
    first = target.states[min(target.states)]
    same: dict[str, Any] = {}
    for name in ("task_key", "module_key", "port_name", "run_source"):
        said = {one.get(name) for one in states}
        same[name] = next(iter(said)) if len(said) == 1 else None
    return {
        **same,
        "task_key": None if same["task_key"] == EVERY_TASK else same["task_key"],
        "since": first.get("valid_from") or first["updated_at"],
    }


class _Replay:
    def __init__(self, target: Target, histories: Sequence[list[dict[str, Any]]], seen: set[str]) -> None:
        self._id = target.id
        self._seen = seen
        self._today = Policies(histories)
        self._candidate = Policies([[_changed(target, one, target.id) for one in states] for states in histories])
        self._control = Policies(
            [[_changed(target, one, _other(target, histories)) for one in states] for states in histories]
        )
        self._controlled = bool(_other(target, histories))

    def case(self, row: Row) -> Case:
        artifact, run, judged = row["artifact"], row["run"], judgement(row["receipts"])
        then = decided(row)
        recorded = _lane(then["intake_level"], then.get("suggested_level"), then.get("intake_rule"), judged)
        case = Case(
            kind=CaseKind.intake,
            id=artifact["id"],
            name=artifact["name"],
            at=artifact["produced_at"],
            access=Access.of(artifact),
            recorded=recorded,
            judged_by=judged.said,
        )
        lacking = _lacking(artifact, then)
        if lacking:
            return replace(case, why=lacking)
        return self._decided(case, {**artifact, **_said(then)}, run, judged)

    def _decided(self, case: Case, told: State, run: State, judged: Judgement) -> Case:
        event = {**told, "task_key": run.get("task_key")}
        lanes: list[Lane] = []
        for known in (self._today, self._candidate, *([self._control] if self._controlled else [])):
            holding = known.holding(run["source"], run, event, case.at)
            if any(one["id"] not in self._seen for one in holding.policies):
                return replace(case, why="A policy that you may not see had a say in it.")
            found = intake.decide(Rules(dict(run)), event, holding)
            asked = found.suggested.value if found.suggested else None
            lanes.append(_lane(found.level.value, asked, found.rule.value, judged))
        today, candidate, control = lanes[0], lanes[1], next(iter(lanes[2:]), None)
        if today.key != case.recorded.key:
            return replace(case, why="What its executor said of it is not all kept: it does not come out as recorded.")
        same = today.key == candidate.key
        why = "The change makes no difference to it." if same else f"Without it: {today.said} With it: {candidate.said}"
        return replace(case, today=today, candidate=candidate, control=control, why=why)


def _other(target: Target, histories: Sequence[list[dict[str, Any]]]) -> str | None:
    """Another policy of the same kind, the next one by id: the same change of that is the control."""
    kind = target.states[target.version].get("policy_kind")
    ids = sorted({one["id"] for states in histories for one in states if one.get("policy_kind") == kind} - {target.id})
    return next((one for one in ids if one > target.id), ids[0] if ids else None)


def _changed(target: Target, state: dict[str, Any], of: str | None) -> dict[str, Any]:
    """A state of this policy as the change would have made it; other policies stay as they were."""
    if state["id"] != of:
        return state
    if of != target.id:
        contents = target.contents(target.version)
        return {**state, **differing(*contents)} if contents else state
    contents = target.contents(state["version"])
    if contents is None:
        return state
    before, after = contents
    kept = {name: value for name, value in state.items() if name not in before.values}
    return {**kept, **after.values}


def decided(row: Row) -> State:
    """What was decided when it was reported: the state before anybody had it go elsewhere."""
    artifact: State = row["artifact"]
    first = row["receipts"][-1]["decided_at"] if row["receipts"] else None
    states: list[State] = [*row["former"], artifact]
    before = [
        one
        for one in states
        if one.get("intake_rule") not in (None, IntakeRule.promotion.value)
        and (first is None or one["updated_at"] < first)
    ]
    return before[-1] if before else artifact


def _lacking(artifact: State, then: State) -> str | None:
    compacted = artifact.get("artifact_state") == ArtifactState.compacted.value
    if compacted or then["intake_level"] == IntakeLevel.no_capture.value:
        return "Of what was reported only a receipt is kept."
    if then.get("intake_rule") == IntakeRule.promotion.value:
        return "What was decided when it was reported is not kept."
    return None


def _said(then: State) -> dict[str, Any]:
    """What the executor said, where that decided: no policy is named for it."""
    name = _STATED.get(then.get("intake_rule") or "")
    if name is None or then.get("intake_policy_id"):
        return {}
    if name != "capture_mode":
        return {name: then["intake_level"]}
    asks = then.get("suggested_level") is not None
    return {name: CaptureMode.ask_each_time.value if asks else _MODES.get(then["intake_level"])}


_MODES = {
    IntakeLevel.run_only.value: CaptureMode.keep_with_run.value,
    IntakeLevel.doc72_reference.value: CaptureMode.make_findable.value,
    IntakeLevel.doc72_summary_reference.value: CaptureMode.make_findable_with_summary.value,
    IntakeLevel.doc25_document_ingestion.value: CaptureMode.process_documents.value,
    IntakeLevel.doc25_work_product_ingestion.value: CaptureMode.save_work_product.value,
    IntakeLevel.doc73_library_ingestion.value: CaptureMode.add_to_library.value,
}


def _lane(level: str, suggested: str | None, rule: str | None, judged: Judgement) -> Lane:
    asked = f", and a person is asked about {suggested}" if suggested else ""
    by = f" by {(rule or IntakeRule.recommended_default.value).replace('_', ' ')}"
    return Lane((level, suggested), f"It goes to {level}{by}{asked}.", judged.right(level, suggested))
