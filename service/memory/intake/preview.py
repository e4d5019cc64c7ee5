"""How far an artifact would go, and why, without writing anything."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from graph_schema.memory.policies import EVERY_TASK
from graph_schema.memory.words import Endpoint, IntakeLevel, IntakeRule, OutputClass
from service import clock
from service.access.viewer import KeyScope, Viewer
from service.commands.errors import InputInvalid, NotAllowed, RecordMissing
from service.graph.database import Database
from service.memory.intake import cypher
from service.memory.intake.policies import Holding, Policies, State
from service.memory.reporting import intake
from service.memory.reporting.errors import RunMissing, RunUnknown
from service.memory.reporting.events import Reported, latest_at, understood
from service.memory.reporting.matters import found, with_ids
from service.memory.reporting.policy import POLICY_FIELDS, Rules, RunPolicy, settled
from service.memory.reporting.runs import refusal
from service.notices import Notice, notices_of
from service.views import Id


@dataclass(frozen=True, slots=True, kw_only=True)
class IntakeStep:
    """What one place of the chain says about an artifact. The first one decides."""

    rule: Annotated[IntakeRule, "Which place it is."]
    level: Annotated[IntakeLevel, "How far it would have the artifact go."]
    policy_id: Annotated[Id | None, "The policy that says so, if it is one."]
    rationale: Annotated[str | None, "Why the policy says so."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactIntake:
    """How far an artifact goes, and what decided it."""

    level: Annotated[IntakeLevel, "How far it goes."]
    rule: Annotated[IntakeRule, "What decided this."]
    endpoint: Annotated[Endpoint | None, "Where it ends up once it was processed."]
    policy_id: Annotated[Id | None, "The policy that decided, if one did."]
    policy_version: Annotated[int | None, "Which version of it."]
    suggested_level: Annotated[IntakeLevel | None, "The level that a person is asked about."]
    suggested_by_id: Annotated[Id | None, "The policy that suggests it, if one does."]
    rationale: Annotated[str | None, "Why the policy says so."]
    warnings: Annotated[tuple[Notice, ...], "What may not be meant so."]
    steps: Annotated[
        tuple[IntakeStep, ...],
        "All that speaks for it, the strongest first. Empty for an artifact that was reported already.",
    ]

    @property
    def review_required(self) -> Annotated[bool, "Whether a person is asked."]:
        return self.suggested_level is not None


class Previews:
    """Answers from the policies that the viewer may see; one that they may not see is not there."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_event(self, viewer: Viewer, raw: Mapping[str, Any]) -> ArtifactIntake:
        """What reporting this event would come to."""
        _check_scope(viewer)
        event = understood(0, dict(raw), latest_at(datetime.now(UTC)), viewer.defaults.source)
        if event.kind.record != "Artifact" or not event.kind.fills:
            raise InputInvalid("event.kind", "only events of new artifacts have a level")
        source, run = await self._run(viewer, event)
        rules = Rules(run)
        told = {**event.values, **event.kind.sets}
        policies = await self._policies(viewer, event.values.get("task_key"))
        holding = policies.holding(source, run, told, event.values["occurred_at"])
        steps = [] if rules.is_ephemeral else list(intake.voices(rules, told, holding))
        return _shown(intake.decide(rules, told, holding), steps, told)

    async def of_artifact(self, viewer: Viewer, artifact_id: str) -> ArtifactIntake:
        """Where an artifact stands, and what the rules suggest for it now that it was used."""
        _check_scope(viewer)
        row = await self._database.read_one(cypher.ARTIFACT_SEEN, id=artifact_id, audiences=viewer.audiences)
        if row is None:
            raise RecordMissing(artifact_id, "artifact")
        artifact, run = row["artifact"], row["run"]
        policies = await self._policies(viewer, run.get("task_key"))
        told = {**artifact, "task_key": run.get("task_key"), "used_by_count": row["used_by_count"]}
        holding = policies.holding(run["source"], run, told, clock.now())
        seen = {one["id"] for one in holding.policies}
        return _standing(artifact, _suggested(artifact, run, holding), seen)

    async def _run(self, viewer: Viewer, event: Reported) -> tuple[str, dict[str, Any]]:
        named: dict[str, str] = event.values["run"]
        row = await self._database.read_one(
            cypher.RUN_SEEN,
            id=named.get("id"),
            source=named.get("source"),
            key=named.get("key"),
            audiences=viewer.audiences,
        )
        if row is not None:
            return row["source"], {name: row["properties"][name] for name in POLICY_FIELDS}
        if "id" in named:
            raise RunMissing(named["id"])
        told = event.model.policy or RunPolicy()
        known = await found(self._database.read_one, viewer, [told])
        policy = with_ids(told, known).filled(viewer.defaults.policy())
        if policy.lacks():
            raise RunUnknown(f"{named['source']}: {named['key']}", policy.lacks())
        values = settled(policy)
        refused = refusal(viewer, values)
        if refused is not None:
            raise refused
        return named["source"], values

    async def _policies(self, viewer: Viewer, task: str | None) -> Policies:
        row = await self._database.read_one(
            cypher.POLICIES_SEEN, rows=[EVERY_TASK, *([task] if task else [])], audiences=viewer.audiences
        )
        return Policies(row["found"] if row else ())


def _check_scope(viewer: Viewer) -> None:
    if KeyScope.read not in viewer.scopes:
        raise NotAllowed(KeyScope.read, viewer.scopes)


def _suggested(artifact: State, run: State, holding: Holding) -> State | None:
    """The rule that would have it go further than it does."""
    if not run["user_can_retroactively_promote"]:
        return None
    held = intake.rank(IntakeLevel(artifact["intake_level"]))
    found = holding.candidates(review=True)
    return next((one for one in found if intake.rank(IntakeLevel(one["suggested_level"])) > held), None)


def _standing(artifact: State, rule: State | None, seen: set[str]) -> ArtifactIntake:
    stored = artifact.get("suggested_level")
    suggested = rule["suggested_level"] if rule else stored
    policy = artifact.get("intake_policy_id")
    return ArtifactIntake(
        level=IntakeLevel(artifact["intake_level"]),
        rule=IntakeRule(artifact.get("intake_rule") or IntakeRule.recommended_default),
        endpoint=Endpoint(artifact["endpoint"]) if artifact.get("endpoint") else None,
        policy_id=policy if policy in seen else None,
        policy_version=artifact.get("intake_policy_version") if policy in seen else None,
        suggested_level=IntakeLevel(suggested) if suggested else None,
        suggested_by_id=rule["id"] if rule else None,
        rationale=rule.get("rationale") if rule else None,
        steps=(),
        warnings=_warnings(artifact, IntakeLevel(artifact["intake_level"]), suggested),
    )


def _shown(decided: intake.Intake, heard: list[intake.Voice], told: State) -> ArtifactIntake:
    policy, asking = decided.policy, decided.suggested_by
    return ArtifactIntake(
        level=decided.level,
        rule=decided.rule,
        endpoint=decided.endpoint,
        policy_id=policy["id"] if policy else None,
        policy_version=policy["version"] if policy else None,
        suggested_level=decided.suggested,
        suggested_by_id=asking["id"] if asking else None,
        rationale=(policy or asking or {}).get("rationale"),
        steps=tuple(_step(one) for one in heard),
        warnings=_warnings(told, decided.level, decided.suggested),
    )


def _warnings(told: State, level: IntakeLevel, suggested: str | None) -> tuple[Notice, ...]:
    """What whoever set up the task may not have meant."""
    part, further = told.get("output_class"), intake.rank(IntakeLevel.doc25_work_product_ingestion)
    found: list[str] = []
    if part == OutputClass.intermediate_output and suggested is not None:
        found.append("warning.intermediate_output_likely_high_value")
    if (
        part == OutputClass.final_output
        and told.get("artifact_kind") in intake.SUBSTANTIAL
        and intake.rank(level) < further
    ):
        found.append("warning.final_output_not_saved_as_work_product")
    return notices_of(found)


def _step(voice: intake.Voice) -> IntakeStep:
    policy = voice.policy or {}
    return IntakeStep(rule=voice.rule, level=voice.level, policy_id=policy.get("id"), rationale=policy.get("rationale"))
