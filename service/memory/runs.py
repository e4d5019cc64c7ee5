"""The runs that a report speaks of: which they are, under which policy, and whether the caller may write to them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from graph_schema.fields import DataClass
from service.access.audience import cleared
from service.access.viewer import Viewer
from service.commands.errors import ClassNotAllowed, MatterNotAllowed
from service.errors import TaskloreError
from service.ids import new_id
from service.memory.effects import BY_ID, Handle
from service.memory.errors import (
    KindDiffers,
    PolicyConflict,
    RefMissing,
    RunCompacted,
    RunErased,
    RunMissing,
    RunUnknown,
)
from service.memory.events import Reported
from service.memory.node import Node
from service.memory.policy import NEEDED, POLICY_FIELDS, Rules, RunPolicy, settled
from service.memory.world import RunState, World

_FULL = "full_local_only"
Ref = tuple[str | None, str | None, str | None]


def ref_of(event: Reported) -> Ref:
    run: dict[str, str] = event.values["run"]
    return run.get("id"), run.get("source"), run.get("key")


def ordered(events: Iterable[Reported]) -> list[Ref]:
    """The runs that are named, each once, in the order in which every caller locks them."""
    refs: set[Ref] = {ref_of(event) for event in events}
    return sorted(refs, key=lambda ref: (ref[0] or "", ref[1] or "", ref[2] or ""))


@dataclass(slots=True)
class Runs:
    """Finds the run of each event. What a batch says about a run's policy holds for all its events of the run."""

    world: World
    found: dict[Ref, Handle] = field(default_factory=dict[Ref, Handle])
    erased: dict[Ref, Node] = field(default_factory=dict[Ref, Node])
    """Tombstones of what was called so."""
    _fitting: dict[Ref, RunPolicy | None] = field(default_factory=dict[Ref, RunPolicy | None])
    """The policy that an event of the run was last found to fit with: events of a run repeat it word for word."""

    def take(self, ref: Ref, labels: list[str], properties: dict[str, Any]) -> None:
        self.world.take(labels, properties)
        if properties.get("erased_kind") == "Run":
            self.erased[ref] = self.world.nodes[BY_ID, properties["id"]]
        if "Run" not in labels:
            return
        handle: Handle = ("Run", properties["source"], properties["source_key"])
        self.found[ref] = handle
        rules = Rules({name: properties[name] for name in POLICY_FIELDS})
        self.world.runs[handle] = RunState(handle, properties["id"], rules, properties)

    def open(self, events: Iterable[Reported]) -> None:
        """Open the runs that are not known yet and whose policy an event tells, or the key's defaults do."""
        for event in sorted(events, key=lambda one: one.model.policy is None):
            _, source, key = ref = ref_of(event)
            policy = self._told(event.model.policy)
            if ref in self.found or ref in self.erased or (source, key) in self.world.taken:
                continue
            if source is None or policy is None:
                continue
            values = settled(policy)
            if refusal(self.world.viewer, values) is None:
                handle: Handle = ("Run", source, key)
                self.found[ref] = handle
                self.world.runs[handle] = RunState(handle, new_id("run"), Rules(values))

    def _told(self, policy: RunPolicy | None) -> RunPolicy | None:
        """What a new run would have: what the event says, and where it is silent, the key's defaults."""
        whole = (policy or RunPolicy()).filled(self.world.viewer.defaults.policy())
        return None if whole.lacks() else whole

    def of(self, event: Reported) -> RunState:
        """The run of an event, if the caller may report this about it."""
        ref, policy = ref_of(event), event.model.policy
        if ref not in self._fitting or self._fitting[ref] != policy:
            self._checked(ref, policy)
            self._fitting[ref] = policy
        state = self.world.runs[self.found[ref]]
        if state.known is not None:
            _check_whole(state, event)
        return state

    def _checked(self, ref: Ref, policy: RunPolicy | None) -> None:
        handle = self.found.get(ref)
        state = self.world.runs[handle] if handle else None
        if state is None or not self.world.may_see(
            *(state.rules.values[name] for name in ("data_class", "matter_ids"))
        ):
            told = self._told(policy)
            self._refuse(told)
            if state is None and ref in self.erased:
                raise self._gone(ref, told=told is not None)
            raise self._hidden(ref, told=told is not None) if state else self._unknown(ref, policy)
        if policy is not None:
            self._check_same(state, policy.filled(state.rules.values))

    def _refuse(self, policy: RunPolicy | None) -> None:
        refused = refusal(self.world.viewer, settled(policy)) if policy else None
        if refused is not None:
            raise refused

    def _check_same(self, state: RunState, policy: RunPolicy) -> None:
        self._refuse(policy)
        values = settled(policy)
        differing = [name for name in POLICY_FIELDS if values[name] != state.rules.values[name]]
        if differing:
            raise PolicyConflict(state.name, differing)

    def check_matters(self, state: RunState, there: set[str]) -> None:
        for matter in state.rules.values["matter_ids"] if state.known is None else ():
            if matter not in there:
                raise RefMissing("policy.matter_ids", matter)

    def new_matters(self) -> list[str]:
        fresh = [state for state in self.world.runs.values() if state.known is None]
        return sorted({matter for state in fresh for matter in state.rules.values["matter_ids"]})

    def _unknown(self, ref: Ref, policy: RunPolicy | None) -> TaskloreError:
        record_id, source, key = ref
        if record_id is not None:
            return RunMissing(record_id)
        taken = self.world.taken.get((str(source), str(key)))
        if taken is not None and taken != "Run":
            node = self.world.nodes[taken, source, key]
            if self.world.sees(node):
                return KindDiffers("run", f"{source}: {key}", taken, "Run")
        return RunUnknown(f"{source}: {key}", self._lacking(policy))

    def _lacking(self, policy: RunPolicy | None) -> list[str]:
        return (policy or RunPolicy()).filled(self.world.viewer.defaults.policy()).lacks()

    def _gone(self, ref: Ref, *, told: bool) -> TaskloreError:
        """Of a run that was erased: who could see it is told so, others what they would be told while it was there."""
        if self.world.sees(self.erased[ref]):
            return RunErased(ref[0] or f"{ref[1]}: {ref[2]}")
        return self._hidden(ref, told=told)

    def _hidden(self, ref: Ref, *, told: bool) -> TaskloreError:
        """A run of others. Whoever does not know its policy learns nothing, not even that it is there."""
        if ref[0] is not None:
            return RunMissing(ref[0])
        return MatterNotAllowed("run") if told else RunUnknown(f"{ref[1]}: {ref[2]}", NEEDED)


def _check_whole(state: RunState, event: Reported) -> None:
    """Of a compacted run what was accepted before is no longer remembered; so only what came after it can be new."""
    known = state.known or {}
    since = known.get("compacted_at") or known.get("compacting_since")
    if since is not None and (event.kind.name not in _USES or event.values["occurred_at"] <= since):
        raise RunCompacted(state.name)


_USES = frozenset({"artifact_opened", "artifact_bookmarked", "artifact_cited", "artifact_promoted"})


def refusal(viewer: Viewer, values: dict[str, Any]) -> TaskloreError | None:
    """A reporter gives away no more than they hold: no class above their clearance, no matter of others."""
    if not cleared(viewer.clearance, values["data_class"]):
        return ClassNotAllowed("policy.data_class", values["data_class"], viewer.clearance)
    for name in ("capture_prompts", "capture_outputs"):
        # What is captured in full becomes a record of the class local_only.
        if values[name] == _FULL and not cleared(viewer.clearance, DataClass.local_only):
            return ClassNotAllowed(f"policy.{name}", DataClass.local_only, viewer.clearance)
    if not viewer.all_matters and not viewer.matter_ids.issuperset(values["matter_ids"]):
        return MatterNotAllowed("policy.matter_ids")
    return None
