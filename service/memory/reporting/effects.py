"""What an event says about the graph: values for records, links between them. Pure; the graph is not asked."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from graph_schema.memory.extraction import ExtractionReason
from graph_schema.memory.words import IntakeRule, WriteScope
from graph_schema.model.fields import EvidenceLayer
from graph_schema.model.registry import Registry
from service.memory.extraction.conditions import RUN, conditions
from service.memory.intake import Policies
from service.memory.reporting import intake
from service.memory.reporting.errors import ArtifactOfItself, PromotionNotAllowed
from service.memory.reporting.events import Reported
from service.memory.reporting.policy import Rules

Handle = tuple[Any, ...]
"""A record as the outside names it: `(label, source, key)`, in a run `(label, source, run key, natural key…)`."""

BY_ID = "id"
OUTSIDE = frozenset(
    {
        "Run",
        "Artifact",
        "Task",
        "Template",
        "Preset",
        "Module",
        "Entity",
        "Goal",
        "Capability",
        "WorkProduct",
        "Fork",
        "Tool",
    }
)
"""Labels whose records the outside names by source and key alone; all others are named within their run."""

_ENVELOPE = frozenset({"event_id", "kind", "occurred_at", "run", "policy", "task_key"})
_TERMINAL = frozenset({"success", "error", "cancelled", "skipped"})
OUTCOME = (
    "status",
    "delivered_to",
    "delivered_at",
    "external_message_id",
    "saved_path",
    "open_url",
    "receipt_ref",
    "destination_summary",
)


@dataclass(frozen=True, slots=True)
class Write:
    """Values for a record. An empty one only says that it is there."""

    handle: Handle
    values: dict[str, Any] = field(default_factory=dict[str, Any])
    stamp: str = ""
    fills: bool = False
    claims: bool = False
    count: str | None = None
    first: bool = False
    """Of two such writes the first stands, not the last."""
    outcome: str | None = None
    """What became of a delivery; behind a tab, what it carried, where that was told."""
    own_class: str | None = None


@dataclass(frozen=True, slots=True)
class Tie:
    """A link."""

    tail: Handle
    type: str
    head: Handle
    properties: dict[str, Any] = field(default_factory=dict[str, Any])
    head_name: str | None = None
    """What people call the head, should it not be known yet."""
    field: str = "item"
    """Where the event names the head."""


@dataclass(slots=True)
class Effects:
    run: Handle
    main: Handle | None = None
    """The record that the event is about."""
    writes: list[Write] = field(default_factory=list[Write])
    ties: list[Tie] = field(default_factory=list[Tie])
    queued: list[tuple[Handle, str]] = field(default_factory=list[tuple[Handle, str]])
    """Runs and artifacts that are worth a heavier look later, each with the reason."""


NO_POLICIES = Policies()


def effects_of(
    registry: Registry, rules: Rules, run: Handle, event: Reported, policies: Policies = NO_POLICIES
) -> Effects:
    return _Reader(registry, rules, run, event, policies).effects()


class _Reader:
    def __init__(self, registry: Registry, rules: Rules, run: Handle, event: Reported, policies: Policies) -> None:
        self._registry = registry
        self._rules = rules
        self._run = run
        self._source: str = run[1]
        self._kind = event.kind
        self._given = event.values
        self._stamp = event.stamp
        self._policies = policies
        self._found = Effects(run)
        self._level: str | None = None

    def effects(self) -> Effects:
        self._check()
        main = self._found.main = self._main()
        self._write_main(main)
        self._tie_task()
        for tie in self._ties(main):
            self._tie(tie)
        self._queue(main)
        return self._found

    def _check(self) -> None:
        given, own = self._given, self._given.get("artifact_key")
        for name in ("citing_artifact_key", "evaluated_artifact_key"):
            if own is not None and given.get(name) == own:
                raise ArtifactOfItself(own, name)
        for one in given.get("derived_from", ()):
            if own is not None and one.get("key") == own and one.get("source", self._source) == self._source:
                raise ArtifactOfItself(own, "derived_from")
        if self._kind.name == "artifact_promoted" and not self._rules.values["user_can_retroactively_promote"]:
            raise PromotionNotAllowed(self._rules.mode)

    def _main(self) -> Handle:
        label = self._kind.record
        if label == "Run":
            return self._run
        if label == "Activation":
            return self._step()
        if label == "Artifact":
            return self._artifact(self._given["artifact_key"])
        [natural] = self._registry.types[label].natural_key[1:]
        return (label, *self._run[1:], self._given[natural])

    def _step(self) -> Handle:
        return ("Activation", *self._run[1:], self._given["module_key"], self._given["activation_seq"])

    def _artifact(self, key: str) -> Handle:
        return ("Artifact", self._source, key)

    def _write_main(self, main: Handle) -> None:
        label, kind = main[0], self._kind
        if not self._rules.writes(self._registry, label):
            return
        fields = self._registry.types[label].fields
        values = {name: one for name, one in self._given.items() if name in fields and name not in _ENVELOPE}
        values |= kind.sets
        self._add_moments(values)
        if label == "Run" and "task_key" in self._given:
            values["task_key"] = self._given["task_key"]
        if "fork" in self._given:
            values["forked"] = True
        if kind.name == "delivery":
            self._write_delivery(main, values)
            return
        priority = ""
        if label == "Artifact":
            values = self._artifact_values(values)
            priority = "~" if kind.name == "artifact_promoted" else ""
        own_class = self._rules.own_class(label, values) if kind.fills else None
        values = self._rules.kept(label, values, self._registry, promoted=kind.name == "artifact_promoted")
        self._found.writes.append(
            Write(
                main,
                values,
                priority + self._stamp,
                fills=kind.fills,
                claims=label == "Artifact",
                count=kind.counts,
                own_class=own_class,
            )
        )

    def _add_moments(self, values: dict[str, Any]) -> None:
        moment = self._kind.moment
        if self._kind.name == "span":
            moment = "completed_at" if values["status"] in _TERMINAL else "started_at"
        if moment is not None:
            values.setdefault(moment, self._given["occurred_at"])

    def _write_delivery(self, main: Handle, values: dict[str, Any]) -> None:
        """The last outcome stands, by its own time, with all that it says. That it is under way says less than any."""
        pending = values["status"] == "pending"
        if not pending:
            values = {**dict.fromkeys(OUTCOME), **values}
            if values["status"] == "delivered" and values["delivered_at"] is None:
                values["delivered_at"] = self._given["occurred_at"]
        kept = self._rules.kept("Delivery", values, self._registry)
        told = None if pending else self._outcome(kept)
        priority = "0" if pending else "1"
        self._found.writes.append(Write(main, kept, priority + self._stamp, outcome=told, fills=True))

    def _outcome(self, values: dict[str, Any]) -> str:
        told = [values["status"], *sorted(values.get("delivered_to") or ())]
        told += [values[name] for name in ("external_message_id", "saved_path") if values.get(name)]
        words = " ".join(" ".join(told).split())[:500]
        return f"{words}\t{_digest(values['artifact_key'])}" if values.get("artifact_key") else words

    def _artifact_values(self, values: dict[str, Any]) -> dict[str, Any]:
        given = self._given
        if self._kind.name == "evaluation_evidence":
            values |= _EVIDENCE[given["evidence_kind"]]
        if self._kind.name == "artifact_promoted" and "promoted_level" in given:
            review = {"suggested_level": None, "review_required": False}
            self._level = given["promoted_level"]
            return {
                **values,
                **review,
                "intake_level": given["promoted_level"],
                "intake_rule": IntakeRule.promotion.value,
            }
        if not self._kind.fills:
            return values
        run, told = self._rules.values, {**given, **values}
        holding = self._policies.holding(self._source, run, told, given["occurred_at"])
        decided = intake.decide(self._rules, told, holding)
        self._level = decided.level
        return {**intake.kept_of(values, decided.level), **decided.values(run)}

    def _tie_task(self) -> None:
        """A run is of one task; its modules are those of the task."""
        task = self._given.get("task_key")
        if task is not None:
            named = self._given.get("task_name")
            self._name(("Task", self._source, task), named)
            self._tie(Tie(self._run, "RUN_OF", ("Task", self._source, task)))
            if self._kind.record != "Run" and not self._rules.is_ephemeral:
                self._found.writes.append(Write(self._run, {"task_key": task}, self._stamp))
        template = self._given.get("template_key")
        if template is not None:
            self._tie(Tie(self._run, "USED_TEMPLATE", ("Template", self._source, template)))
        if self._rules.is_ephemeral:
            told = {"working_task_key": task, "working_template_key": template}
            known = {name: key for name, key in told.items() if key is not None}
            self._found.writes.append(Write(self._run, known, self._stamp))

    def _name(self, handle: Handle, name: str | None) -> None:
        if name is not None and self._rules.writes(self._registry, handle[0]):
            self._found.writes.append(Write(handle, {"name": name}, self._stamp))

    def _ties(self, main: Handle) -> Iterator[Tie]:
        label, given = main[0], self._given
        step = self._step() if "module_key" in given else None
        if label in _PART_OF_RUN:
            yield Tie(self._run, _PART_OF_RUN[label], main)
        if step is not None and step != main:
            yield Tie(self._run, "ACTIVATED", step)
            yield from self._step_ties(main, step)
        yield from self._own_ties(main, step)

    def _step_ties(self, main: Handle, step: Handle) -> Iterator[Tie]:
        label = main[0]
        if label in _PART_OF_STEP:
            port = self._given.get("port_name")
            yield Tie(step, _PART_OF_STEP[label], main, {"port": port} if port and label == "Artifact" else {})
        elif label in {"Span", "Checkpoint"}:
            yield Tie(main, "IN" if label == "Span" else "AFTER", step)

    def _own_ties(self, main: Handle, step: Handle | None) -> Iterator[Tie]:
        given, run = self._given, self._run
        if self._kind.name.startswith("document_"):
            verb = self._kind.name.removeprefix("document_").upper()
            yield Tie(step or run, verb, self._item(given["item"], "Entity"), {}, given["item"].get("name"))
        if self._kind.name == "artifact_consumed":
            item, named = given["item"], {"named": self._named(0)}
            yield Tie(main, "CONSUMED", self._item(item, "Artifact"), named, item.get("name"))
        if "fork" in given:
            yield Tie(run, "CREATED_BY", self._item(given["fork"], "Fork"), field="fork")
        if self._kind.record == "Snapshot" and step is None:
            yield Tie(run, "UNDER", main)
        yield from self._listed(main)
        yield from self._keyed(main)

    def _listed(self, main: Handle) -> Iterator[Tie]:
        for name, (verb, label, facts) in _LISTED.items():
            for place, one in enumerate(self._given.get(name, ())):
                properties = {fact: one[fact] for fact in facts if fact in one}
                if verb == "DERIVED_FROM":
                    properties["named"] = self._named(place)
                yield Tie(main, verb, self._item(one, label), properties, one.get("name"), f"{name}.{place}")
        for one in self._given.get("triggered_by", ()):
            before = ("Activation", *self._run[1:], one["module_key"], one["activation_seq"])
            yield Tie(self._run, "ACTIVATED", before)
            yield Tie(before, "TRIGGERED", main)
        for key in self._given.get("snapshot_keys", ()):
            yield Tie(main, "UNDER", ("Snapshot", *self._run[1:], key))
        for key in self._given.get("artifact_keys", ()):
            yield Tie(main, "HANDLED", self._artifact(key))

    def _named(self, place: int) -> str:
        """Sorts what something was made from as it was named: by time, then as listed."""
        return f"{self._given['occurred_at']} {place:04d}"

    def _keyed(self, main: Handle) -> Iterator[Tie]:
        given, run = self._given, self._run
        if "parent_span_key" in given:
            parent = ("Span", *run[1:], given["parent_span_key"])
            yield Tie(run, "HAS_SPAN", parent)
            yield Tie(main, "CHILD_OF", parent)
        if main[0] == "Span" and "tool_key" in given:
            yield Tie(main, "CALLED", ("Tool", self._source, given["tool_key"]))
        if main[0] == "NativeEvent" and "span_key" in given:
            yield Tie(main, "MAPPED_TO", ("Span", *run[1:], given["span_key"]))
        if main[0] == "Activation" and "gate_key" in given:
            yield Tie(main, "WAITED_ON", ("Gate", *run[1:], given["gate_key"]))
        if "preset_key" in given:
            yield Tie(main, "USED_PRESET", ("Preset", self._source, given["preset_key"]))
        if main[0] == "Delivery" and "artifact_key" in given:
            yield Tie(self._artifact(given["artifact_key"]), "DELIVERED_BY", main)
        if "citing_artifact_key" in given:
            yield Tie(self._artifact(given["citing_artifact_key"]), "CITES", main)
        if "evaluated_artifact_key" in given:
            yield Tie(main, "EVALUATES", self._artifact(given["evaluated_artifact_key"]))
        if "work_product_key" in given:
            yield from self._work_product(main)

    def _work_product(self, main: Handle) -> Iterator[Tie]:
        given = self._given
        product = ("WorkProduct", self._source, given["work_product_key"])
        values = {"produced_at": given.get("promoted_at", given["occurred_at"])}
        if "work_product_name" in given:
            values["name"] = given["work_product_name"]
        self._found.writes.append(Write(product, values, self._stamp, fills=True))
        yield Tie(main, "BECAME", product)
        if "previous_work_product_key" in given:
            yield Tie(product, "PREVIOUS", ("WorkProduct", self._source, given["previous_work_product_key"]))

    def _queue(self, main: Handle) -> None:
        if not self._rules.writes(self._registry, "Extraction"):
            return
        for target, reason in conditions(self._kind.name, self._given, self._level):
            self._enqueue(self._run if target == RUN else main, reason)
        for tie in self._found.ties:
            if tie.type in _USES_OF and self._label(tie.head) == "Artifact":
                self._enqueue(tie.head, ExtractionReason.output_used)

    def _enqueue(self, handle: Handle, reason: str) -> None:
        if handle[0] == "Run" or self._rules.values["memory_write_scope"] != WriteScope.task_run_only:
            self._found.queued.append((handle, str(reason)))

    def _item(self, ref: dict[str, Any], label: str) -> Handle:
        if "id" in ref:
            return (BY_ID, ref["id"])
        return (ref.get("kind", label), ref.get("source", self._source), ref["key"])

    def _tie(self, tie: Tie) -> None:
        """Keep a link that the run's policy lets be written. Promotion is somebody's wish, and has its own rule."""
        promoted = self._kind.name == "artifact_promoted" and tie.type in {"BECAME", "PREVIOUS"}
        tail, head = self._label(tie.tail), self._label(tie.head)
        if promoted or (self._in_scope(tail, head) and self._may_tie(tie.type, tail, head)):
            self._found.ties.append(tie)

    def _may_tie(self, kind: str, tail: str | None, head: str | None) -> bool:
        return all(self._rules.ties(self._registry, kind, tail, end) for end in (tail, head))

    def _in_scope(self, tail: str | None, head: str | None) -> bool:
        """What an artifact was made from is remembered where artifacts of its part are."""
        if tail != "Artifact" or head is None or self._registry.types[head].layer is EvidenceLayer.run_truth:
            return True
        return self._rules.remembers_artifact(self._given.get("output_class"))

    def _label(self, handle: Handle) -> str | None:
        if handle[0] != BY_ID:
            return handle[0]
        kind = self._registry.type_of_id(handle[1])
        return kind.label if kind else None


_USES_OF = frozenset({"CONSUMED", "DERIVED_FROM", "CITES"})
_PART_OF_RUN = {
    "Activation": "ACTIVATED",
    "Span": "HAS_SPAN",
    "Checkpoint": "HAS_CHECKPOINT",
    "NativeEvent": "HEARD",
}
_PART_OF_STEP = {
    "Artifact": "PRODUCED",
    "Delivery": "MADE",
    "Gate": "WAITED_ON",
    "Snapshot": "UNDER",
    "Session": "RAN_IN",
    "Intervention": "STEERED_BY",
}
_LISTED: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "about": ("ABOUT", "Entity", ()),
    "goals": ("PURSUES", "Goal", ()),
    "advanced_goals": ("ADVANCED_GOAL", "Goal", ("effect",)),
    "capabilities": ("USED", "Capability", ("calls", "errors")),
    "derived_from": ("DERIVED_FROM", "Artifact", ()),
    "recipients_known": ("TO", "Entity", ()),
}
_EVIDENCE: dict[str, dict[str, str]] = {
    "judge": {"artifact_kind": "judge_result"},
    "experiment": {"artifact_kind": "experiment_bundle"},
    "claim": {"artifact_kind": "judge_result", "output_archetype": "claim_evidence"},
}


def _digest(key: str) -> str:
    """Tells one artifact from another, and does not say what either is called once it is forgotten."""
    return hashlib.sha256(key.encode()).hexdigest()[:16]
