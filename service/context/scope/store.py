"""Storing a scope that was settled: the envelope, what it binds and leaves out, its trigger, the policies that held."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graph_schema.context.words import SurfacePolicy
from graph_schema.model.fields import DataClass
from service.access.audience import Access
from service.commands import State, Work
from service.context.scope import rules
from service.context.scope.binding import Tie, via_of
from service.context.scope.errors import RunHasEnded
from service.context.scope.inputs import RunScopeInput, TriggerEvidenceInput
from service.memory.intake.policies import may_be_named
from service.memory.reporting.fold import ENDED

Row = Mapping[str, Any]

SNAPSHOT_KEY = "tasklore.scope"
_ORIGINS = frozenset({"account", "sender", "thread"})


@dataclass(frozen=True, slots=True)
class Opened:
    """A scope as it was settled."""

    run: Row
    surface_policy: SurfacePolicy
    policy_source: str
    policies: list[Row]
    ties: list[Tie]
    excluded: list[str]
    matters: list[str]
    ceiling: DataClass
    broad_scope: str | None
    reaches: list[str]
    task_type: str | None
    domains: list[str]
    warnings: list[str]
    origins: list[str]
    request_hash: str


class StoreScope:
    """The envelope belongs to the matters of its run and to those that it is about: nobody learns of them by it."""

    def __init__(self, asked: RunScopeInput, opened: Opened) -> None:
        self._asked = asked
        self._opened = opened

    async def __call__(self, work: Work) -> dict[str, Any]:
        run = work.existing(self._asked.run, "run", ["Run"])
        if run.properties["status"] in ENDED:
            raise RunHasEnded(run.properties["name"], run.properties["status"])
        envelope = self._envelope(work, run)
        for tie in self._opened.ties:
            access = Access.of(tie.record)
            work.link_id(envelope, "BINDS", tie.record["id"], tie.properties(), access=access)
        for one in self._opened.excluded:
            work.link_id(envelope, "EXCLUDES", one)
        for one in self._opened.reaches:
            work.link_id(envelope, "REACHES", one)
        snapshot = self._snapshot(work, run)
        work.link(envelope, "HELD_UNDER", snapshot)
        if self._asked.trigger:
            self._trigger(work, run, self._asked.trigger)
        bound = sum(tie.is_bound for tie in self._opened.ties)
        counts = {"bound": bound, "candidates": len(self._opened.ties) - bound}
        return {"id": envelope.id, "version": envelope.version, "warnings": self._opened.warnings, **counts}

    def _envelope(self, work: Work, run: State) -> State:
        opened, asked = self._opened, self._asked
        values = {
            **self._access(run),
            "name": f"Scope of {run.properties['name']}"[:200],
            "run_id": run.id,
            "task_key": run.properties.get("task_key"),
            "task_type": opened.task_type,
            "domains": opened.domains,
            "launch_surface": asked.launch_surface,
            "launch_surface_ref": asked.launch_surface_ref,
            "surface_context_policy": opened.surface_policy,
            "policy_source": opened.policy_source,
            "broad_scope": opened.broad_scope,
            **self._bounds(),
            "visibility_ceiling": opened.ceiling,
            "scope_matter_ids": opened.matters,
            "environment": None if rules.is_ephemeral(opened.run) else asked.environment,
            "warnings": opened.warnings,
            "request_hash": opened.request_hash,
            "rules": rules.RULES,
        }
        envelope = work.create(work.registry.types["ScopeEnvelope"], _given(values), [run])
        work.link(run, "HAS_SCOPE", envelope)
        return envelope

    def _bounds(self) -> dict[str, Any]:
        bounds = self._asked.broad_bounds
        if bounds is None:
            return {}
        return {"broad_kinds": list(bounds.kinds), "broad_since": bounds.since, "broad_until": bounds.until}

    def _snapshot(self, work: Work, run: State) -> State:
        held = [f"{one['id']}@{one['version']}" for one in self._opened.policies if may_be_named(one, self._opened.run)]
        generation = hashlib.sha256(" ".join(sorted(held)).encode()).hexdigest()[:16]
        values = {
            "data_class": run.properties["data_class"],
            "name": "Policies of the scope",
            "run_id": run.id,
            "snapshot_key": SNAPSHOT_KEY,
            "snapshot_kind": "policy",
            "taken_at": work.at,
            "reason_codes": [f"surface_context_policy.{self._opened.surface_policy}"],
            "policy_refs": held,
            "policy_generation_id": generation,
        }
        snapshot = work.create(work.registry.types["Snapshot"], values, [run])
        work.link(run, "UNDER", snapshot)
        return snapshot

    def _trigger(self, work: Work, run: State, told: TriggerEvidenceInput) -> None:
        via = via_of(told.kind)
        sure = [tie.confidence for tie in self._opened.ties if tie.via is via]
        values = {
            **self._access(run),
            "name": f"{told.kind} trigger of {run.properties['name']}"[:200],
            "run_id": run.id,
            "trigger_kind": told.kind,
            "confidence": min(sure, default=0.0),
            **self._told(told),
        }
        trigger = work.create(work.registry.types["Trigger"], _given(values), [run])
        work.link(run, "TRIGGERED_BY", trigger)
        parties = (tie.record["id"] for tie in self._opened.ties if tie.is_bound and tie.role in _ORIGINS)
        for one in dict.fromkeys((*self._opened.origins, *parties)):
            work.link_id(trigger, "CAME_FROM", one)

    def _told(self, told: TriggerEvidenceInput) -> dict[str, Any]:
        """What the event said. Of a private run its words are not kept, of an ephemeral one nothing but its kind."""
        if rules.is_ephemeral(self._opened.run):
            return {}
        mail, schedule, private = told.email, told.schedule, rules.is_private(self._opened.run)
        values: dict[str, Any] = {
            "trigger_module_key": told.module_key,
            "correlation_key": told.correlation_key,
            "payload_ref": told.payload_ref,
            "payload_summary": None if private else told.payload_summary,
            "source_classification_refs": list(told.source_classification_refs),
        }
        if mail:
            values |= {
                "email_account": mail.account,
                "mailbox": mail.mailbox,
                "message_id": mail.message_id,
                "thread_id": mail.thread_id,
                "thread_subject": None if private else mail.subject,
                "sender": mail.sender,
                "recipients": list(mail.recipients),
                "ingestion_result_refs": list(mail.ingestion_result_refs),
            }
        if schedule:
            values |= {"run_window_start": schedule.run_window_start, "run_window_end": schedule.run_window_end}
        return values

    def _access(self, run: State) -> dict[str, Any]:
        return {"data_class": run.properties["data_class"], "matter_ids": self._opened.matters}


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: one for name, one in values.items() if one is not None}
