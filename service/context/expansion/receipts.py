"""The receipt of a wish: what was added, refused and asked about, under which policy, and the gates that ask."""

import hashlib
from collections.abc import Mapping, Sequence, Set
from typing import Any

from graph_schema.memory.words import DecisionKind, GateKind, OutputCapture, PolicyDecision, SnapshotKind
from graph_schema.model.fields import KEY_LENGTH, LIST_LENGTH, NAME_LENGTH, DataClass
from service.access.audience import cleared, strictest
from service.commands import State, Work
from service.context.expansion import rules
from service.context.expansion.policy import CapabilityPolicy, connector_of, server_of
from service.context.expansion.rules import Decision, ExpansionResult, Known

RECORDED = "task.run.inspector_updated"
_LINKS = {
    ExpansionResult.added: "ADDED",
    ExpansionResult.blocked: "BLOCKED",
    ExpansionResult.refused: "BLOCKED",
    ExpansionResult.approval_required: "ASKED_FOR",
}
_HELD = {SnapshotKind.policy: "Policies", SnapshotKind.capability: "Capabilities"}

Values = dict[str, Any]


class Receipts:
    """Writes for one command. What names a capability is for those who may see both the run and the capability."""

    def __init__(
        self, work: Work, run: State, row: Mapping[str, Any], policy: CapabilityPolicy, wanted: Mapping[str, State]
    ) -> None:
        self._work = work
        self._run = run
        self._row = row
        self._policy = policy
        self._wanted = wanted
        step = row["step"]
        self._step = State(work.registry.types["Activation"], ("Activation",), step) if step else None

    def stored(
        self, wish: Values, decisions: Sequence[Decision], known: Known, cause: State | None, facts: str | None
    ) -> dict[str, Any]:
        place = {name: wish[name] for name in ("module_key", "activation_seq")}
        gates = {one.capability["id"]: self._gate(one, place) for one in decisions if _waits(one)}
        added = {one.capability["id"] for one in decisions if one.result is ExpansionResult.added}
        now = known.mounted | added
        told = {
            "approval_required": bool(gates),
            "outcomes": [_told(one, gates) for one in decisions],
            "mounted": sorted(now & {one["id"] for one in self._row["capabilities"]}),
        }
        if not (self._policy.emits_receipt or gates or added):
            return {"id": None, "version": None, **told}
        receipt = self._receipt({**wish, "facts": facts}, place, decisions, gates)
        self._link(receipt, decisions, gates, cause)
        self._hold(receipt, place, decisions, now)
        return {"id": receipt.id, "version": receipt.version, **told}

    def _hold(self, receipt: State, place: Values, decisions: Sequence[Decision], now: frozenset[str]) -> None:
        """What held is kept with the receipt. One that nobody wants to read says only what is mounted by it."""
        if not self._policy.emits_receipt:
            return
        held = [self._policies(receipt, place, decisions)]
        if self._policy.snapshot_required:
            held.append(self._capabilities(receipt, place, now))
        for one in held:
            self._work.link(receipt, "HELD_UNDER", one)
        self._work.event(RECORDED, receipt, other=self._run.id)

    def _receipt(
        self, wish: Values, place: Values, decisions: Sequence[Decision], gates: Mapping[str, Values]
    ) -> State:
        # Of a run that keeps references only, no words of its outputs are kept.
        silent = not self._policy.emits_receipt
        bare = silent or self._run.properties["capture_outputs"] == OutputCapture.reference_only
        approved = [one.gate_id for one in decisions if one.result is ExpansionResult.added and one.gate_id]
        asked = [one["id"] for one in gates.values()]
        values = {
            **place,
            **self._access(decisions),
            "name": f"Expansion of {place['module_key']} #{place['activation_seq']}"[:NAME_LENGTH],
            "run_id": self._run.id,
            "detected_need": "" if bare else wish["detected_need"],
            "basis": wish["basis"],
            "approval_required": bool(gates),
            "approval_ref": next(iter([*asked, *approved]), None),
            "explanation": "" if silent else "\n".join(one.explanation for one in decisions),
            "packet_generation_id": self._row["packet_generation_id"],
            "policy_id": self._policy.policy_id,
            "rules": rules.NAME,
            "facts": None if silent else wish["facts"],
        }
        return self._made("ExpansionReceipt", values)

    def _gate(self, decision: Decision, place: Values) -> Values:
        """The gate that asks about a capability: the one that stands, or a new one as reporting would make it."""
        capability = decision.capability
        standing = next((one for one in self._row["gates"] if one["id"] == decision.gate_id), None)
        if standing is not None:
            return standing
        values = {
            **place,
            **self._access([decision]),
            "name": f"Approval of {capability['name']}"[:NAME_LENGTH],
            "run_id": self._run.id,
            "gate_key": gate_key(place["module_key"], place["activation_seq"], capability["id"]),
            "gate_kind": GateKind.approval.value,
            "question": f"May {place['module_key'][:NAME_LENGTH]} use {capability['name']}? {decision.explanation}",
            "opened_at": self._work.at,
        }
        gate = self._made("Gate", values)
        if self._step is not None:
            self._work.link(self._step, "WAITED_ON", gate)
        return {**gate.properties, "capability": capability["id"]}

    def _link(
        self, receipt: State, decisions: Sequence[Decision], gates: Mapping[str, Values], cause: State | None
    ) -> None:
        work = self._work
        work.link(self._run, "HAS_EXPANSION", receipt)
        if self._step is not None:
            work.link(receipt, "EXPANDED", self._step)
        for one in decisions:
            if one.result in _LINKS:
                work.link(receipt, _LINKS[one.result], self._wanted[one.capability["id"]])
        approved = [one.gate_id for one in decisions if one.result is ExpansionResult.added and one.gate_id]
        for gate_id in [*(one["id"] for one in gates.values()), *approved]:
            work.changes.links.append({"tail": receipt.id, "head": gate_id, "type": "AWAITS", "properties": {}})
        if cause is not None:
            work.link(receipt, "BECAUSE_OF", cause)

    def _policies(self, receipt: State, place: Values, decisions: Sequence[Decision]) -> State:
        """The policies that decided, and what they came to."""
        refs = self._policy.policy_refs
        values = {
            "decision_kind": DecisionKind.capability_mount.value,
            "decision": _decided(decisions).value,
            "reason_codes": sorted({one.code for one in decisions if one.code}),
            "policy_refs": list(refs[:LIST_LENGTH]),
            "policy_generation_id": hashlib.sha256(" ".join(sorted(refs)).encode()).hexdigest()[:16],
        }
        return self._snapshot(receipt, place, SnapshotKind.policy, values)

    def _capabilities(self, receipt: State, place: Values, now: frozenset[str]) -> State:
        """Of the capabilities that held those that everybody who sees the run may see."""
        seen = [one for one in self._row["capabilities"] if _is_open(one, self._run)]
        open_ids = {one["id"] for one in seen}
        policy, mounted = self._policy, [one for one in seen if one["id"] in now]
        values = {
            "required_capabilities": _listed(policy.required & open_ids),
            "optional_capabilities": _listed(policy.allowed & open_ids),
            "denied_capabilities": _listed(policy.denied & open_ids),
            "mounted_capabilities": _listed(now & open_ids),
            "mcp_server_refs": _listed({one for one in map(server_of, mounted) if one}),
            "connector_refs": _listed({one for one in map(connector_of, mounted) if one}),
        }
        return self._snapshot(receipt, place, SnapshotKind.capability, values)

    def _snapshot(self, receipt: State, place: Values, kind: SnapshotKind, held: Values) -> State:
        values = {
            **place,
            **held,
            "name": f"{_HELD[kind]} of {place['module_key']} #{place['activation_seq']}"[:NAME_LENGTH],
            "run_id": self._run.id,
            "snapshot_key": f"expansion/{receipt.id}/{kind.value}",
            "snapshot_kind": kind.value,
            "taken_at": self._work.at,
        }
        snapshot = self._made("Snapshot", values)
        if self._step is not None:
            self._work.link(self._step, "UNDER", snapshot)
        return snapshot

    def _access(self, decisions: Sequence[Decision]) -> Values:
        named = [one.capability for one in decisions]
        return {
            "data_class": strictest([DataClass.public, *(one["data_class"] for one in named)]).value,
            "matter_ids": sorted({matter for one in named for matter in one["matter_ids"]}),
        }

    def _made(self, label: str, values: Values) -> State:
        kept = {name: one for name, one in values.items() if one is not None}
        return self._work.create(self._work.registry.types[label], kept, [self._run])


def gate_key(module_key: str, activation_seq: int, capability_id: str) -> str:
    """What the executor calls the gate about a capability: the same whenever it is asked about again."""
    key = f"expansion/{module_key}#{activation_seq}/{capability_id}"
    if len(key) <= KEY_LENGTH:
        return key
    return f"expansion/{hashlib.sha256(module_key.encode()).hexdigest()}#{activation_seq}/{capability_id}"


def _waits(decision: Decision) -> bool:
    return decision.result is ExpansionResult.approval_required


def _decided(decisions: Sequence[Decision]) -> PolicyDecision:
    """What all of them come to in one word. Where something was given and something was not, it is less than asked."""
    had = [one.result in {ExpansionResult.added, ExpansionResult.already_mounted} for one in decisions]
    if any(_waits(one) for one in decisions):
        return PolicyDecision.requires_approval
    if all(had):
        return PolicyDecision.allowed
    return PolicyDecision.degraded if any(had) else PolicyDecision.blocked


def _is_open(capability: Mapping[str, Any], run: State) -> bool:
    inside = {*capability["matter_ids"]} <= {*run.properties["matter_ids"]}
    return inside and cleared(DataClass(run.properties["data_class"]), capability["data_class"])


def _listed(ids: Set[str]) -> list[str]:
    return sorted(ids)[:LIST_LENGTH]


def _told(decision: Decision, gates: Mapping[str, Values]) -> Values:
    gate = gates.get(decision.capability["id"])
    return {
        "capability_id": decision.capability["id"],
        "result": decision.result.value,
        "explanation": decision.explanation,
        "code": decision.code,
        "remedy": decision.remedy,
        "gate_id": gate["id"] if gate else decision.gate_id,
        "gate_key": gate["gate_key"] if gate else None,
    }
