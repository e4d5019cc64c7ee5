"""Having an artifact go further than its policies let it, or deciding what they ask about. Each leaves a receipt."""

from dataclasses import replace
from typing import Any

from graph_schema.memory.policies import EVERY_TASK, IntakeOutcome
from graph_schema.memory.words import ArtifactState, Endpoint, IntakeLevel, IntakeRule, PolicyDecision
from graph_schema.model.registry import Registry
from graph_schema.registry import REGISTRY
from service.access.agents import is_agent
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.work import State
from service.memory.intake import Policies
from service.memory.intake.cypher import POLICIES
from service.memory.intake.policies import Holding, may_be_named
from service.memory.promotion import cypher, rules
from service.memory.promotion.errors import NothingToReview, RunNotKnown
from service.memory.promotion.intent import make_intent
from service.memory.promotion.rules import Wish
from service.memory.reporting.names import found

INDEX = "task.artifact.index.updated"
REQUESTED = "task.artifact.promotion.requested"
_SETTLED = {"suggested_level": None, "suggested_by_id": None, "review_required": False}


class Promotions:
    def __init__(self, commands: Commands, registry: Registry = REGISTRY) -> None:
        self._commands = commands
        self._registry = registry

    async def promote(
        self, viewer: Viewer, artifact: RecordRef, wish: Wish, *, command_id: str | None = None
    ) -> Outcome:
        """Have an artifact go further. Where a policy wants a person to look first, it is asked for."""
        return await self._execute("promoteArtifact", viewer, artifact, wish, None, command_id)

    async def review(
        self, viewer: Viewer, artifact: RecordRef, wish: Wish, *, approve: bool, command_id: str | None = None
    ) -> Outcome:
        """Decide what a person is asked about: the suggested level, or another one, or that it stays where it is."""
        return await self._execute("reviewArtifact", viewer, artifact, wish, approve, command_id)

    async def _execute(  # noqa: PLR0917 - what the two commands share
        self, name: str, viewer: Viewer, ref: RecordRef, wish: Wish, approve: bool | None, command_id: str | None
    ) -> Outcome:
        ref.check("artifact", "Artifact")
        request = Request(
            name,
            KeyScope.curate,
            {"artifact": str(ref), "approve": approve, **wish.content()},
            reads=wish.refs(),
            changes=[ref],
            command_id=command_id,
        )

        async def plan(work: Work) -> dict[str, Any]:
            artifact = await _opened(work, ref)
            deciding = _Deciding(work, self._registry, artifact, await _run_of(work, artifact))
            return await (deciding.promoted(wish) if approve is None else deciding.reviewed(wish, approve=approve))

        return await self._commands.execute(viewer, request, plan)


async def _opened(work: Work, ref: RecordRef) -> State:
    artifact = work.need(ref, "artifact", ["Artifact"])
    if "run_id" not in artifact.properties:
        raise RunNotKnown(artifact.id)
    return artifact


async def _run_of(work: Work, artifact: State) -> dict[str, Any]:
    row = await work.transaction.one(
        cypher.RUN_OF_ARTIFACT, id=artifact.properties["run_id"], audiences=work.viewer.audiences
    )
    if row is None:
        raise RunNotKnown(artifact.id)
    return row["properties"]


class _Deciding:
    """One decision about one artifact."""

    def __init__(self, work: Work, registry: Registry, artifact: State, run: dict[str, Any]) -> None:
        self._work = work
        self._registry = registry
        self._artifact = artifact
        self._run = run

    async def promoted(self, wish: Wish) -> dict[str, Any]:
        level = wish.level or IntakeLevel(self._artifact.properties["intake_level"])
        rules.check_allowed(self._run, self._artifact)
        rules.check_further(self._artifact, level)
        endpoint = rules.settled_endpoint(wish, level)
        asking = rules.review_asked_by(await self._holding(), level)
        if asking is None and not is_agent(self._work.viewer):
            return self._carried_out(wish, level, endpoint, IntakeOutcome.promoted, None)
        # Whatever an agent asks for, a person decides.
        named = asking.policy["id"] if asking and may_be_named(asking.policy, self._run) else None
        decision = PolicyDecision.requires_approval
        receipt = self._receipt(wish, level, endpoint, IntakeOutcome.requested, decision, named)
        values = {"suggested_level": level.value, "suggested_by_id": named, "review_required": True}
        return self._settled(values, receipt)

    async def reviewed(self, wish: Wish, *, approve: bool) -> dict[str, Any]:
        held = self._artifact.properties
        if not held.get("review_required"):
            raise NothingToReview(self._artifact.id)
        level = wish.level or IntakeLevel(held["suggested_level"])
        asked_by = held.get("suggested_by_id")
        if not approve:
            decision = PolicyDecision.blocked
            receipt = self._receipt(wish, level, wish.endpoint, IntakeOutcome.rejected, decision, asked_by)
            return self._settled(_SETTLED, receipt)
        rules.check_allowed(self._run, self._artifact)
        rules.check_further(self._artifact, level)
        wish = await self._as_requested(wish)
        endpoint = rules.settled_endpoint(wish, level)
        return self._carried_out(wish, level, endpoint, IntakeOutcome.approved, asked_by)

    async def _holding(self) -> Holding:
        task = self._run.get("task_key")
        rows = await found(self._work.transaction, POLICIES, [EVERY_TASK, *([task] if task else [])])
        told = {**self._artifact.properties, "task_key": task}
        return Policies(rows).holding(self._run["source"], self._run, told, self._work.at)

    async def _as_requested(self, wish: Wish) -> Wish:
        """What the reviewer leaves open is as it was requested."""
        last = await self._work.transaction.one(
            cypher.LAST_REQUEST, id=self._artifact.id, audiences=self._work.viewer.audiences
        )
        if last is None or wish.endpoint is not None or last["endpoint"] is None:
            return wish
        return replace(wish, endpoint=Endpoint(last["endpoint"]), destination=wish.destination or last["destination"])

    def _carried_out(
        self, wish: Wish, level: IntakeLevel, endpoint: Endpoint | None, outcome: IntakeOutcome, asked_by: str | None
    ) -> dict[str, Any]:
        receipt = self._receipt(wish, level, endpoint, outcome, PolicyDecision.allowed, asked_by)
        made: dict[str, str] = {}
        if endpoint is Endpoint.doc72_work_product:
            made["work_product"] = self._work_product(wish, receipt)
        if level is IntakeLevel.doc73_library_ingestion and wish.library is not None:
            intent = make_intent(
                self._work, self._registry, self._artifact, self._run, wish.library, wish.ingestion_reason
            )
            self._work.link(receipt, "LED_TO", intent)
            made["library_intent"] = intent.id
        values = {
            **_SETTLED,
            "intake_level": level.value,
            "intake_rule": IntakeRule.promotion.value,
            "intake_policy_id": None,
            "intake_policy_version": None,
            "endpoint": endpoint.value if endpoint else None,
            "artifact_state": ArtifactState.promoted.value,
            "promoted_by": self._work.viewer.principal_id,
            "promoted_at": self._work.at,
        }
        if wish.summary is not None:
            values["summary"] = wish.summary
        return {**self._settled(values, receipt), **made}

    def _settled(self, values: dict[str, Any], receipt: State) -> dict[str, Any]:
        stamped = rules.stamped(self._artifact, values, self._work.at, receipt.id)
        after = self._work.update(self._artifact, stamped, event=INDEX)
        self._work.event(REQUESTED, after, other=receipt.id)
        return {
            "id": after.id,
            "version": after.version,
            "receipt": receipt.id,
            "outcome": receipt.properties["outcome"],
        }

    def _receipt(  # noqa: PLR0917 - a receipt is what was decided
        self,
        wish: Wish,
        level: IntakeLevel,
        endpoint: Endpoint | None,
        outcome: IntakeOutcome,
        decision: PolicyDecision,
        policy_id: str | None,
    ) -> State:
        held = self._artifact.properties
        values = {
            "name": f"{outcome.value}: {held['name']}"[:200],
            "data_class": "public",
            "outcome": outcome.value,
            "from_level": held["intake_level"],
            "to_level": level.value,
            "endpoint": endpoint.value if endpoint else None,
            "destination": wish.destination,
            "decided_by": self._work.viewer.principal_id,
            "decided_at": self._work.at,
            "rule": held.get("intake_rule") or IntakeRule.recommended_default.value,
            "policy_id": policy_id,
            "policy_decision": decision.value,
            "reason_codes": [self._reason(outcome)],
            "memory_mode": self._run["memory_mode"],
            "reason": wish.reason,
        }
        given = {name: one for name, one in values.items() if one is not None}
        receipt = self._work.create(self._registry.types["IntakeReceipt"], given, [self._artifact])
        self._work.link(receipt, "DECIDES", self._artifact)
        return receipt

    def _reason(self, outcome: IntakeOutcome) -> str:
        asked = outcome is IntakeOutcome.requested and is_agent(self._work.viewer)
        return "requested_by_agent" if asked else _REASONS[outcome]

    def _work_product(self, wish: Wish, receipt: State) -> str:
        held = self._artifact.properties
        told = {name: held[name] for name in ("storage_ref", "media_type", "summary") if name in held}
        named = {"name": wish.work_product_name or held["name"], "produced_at": self._work.at, "data_class": "public"}
        if wish.summary is not None:
            told["summary"] = wish.summary
        product = self._work.create(self._registry.types["WorkProduct"], {**told, **named}, [self._artifact])
        self._work.link(self._artifact, "BECAME", product)
        self._work.link(receipt, "LED_TO", product)
        if wish.previous_work_product is not None:
            former = self._work.need(wish.previous_work_product, "previousWorkProduct", ["WorkProduct"])
            self._work.link(product, "PREVIOUS", former)
        return product.id


_REASONS = {
    IntakeOutcome.promoted: "user_requested",
    IntakeOutcome.requested: "review_required_above_level",
    IntakeOutcome.approved: "user_approved",
    IntakeOutcome.rejected: "user_rejected",
}
