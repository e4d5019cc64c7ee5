"""The runs that a report speaks of: which they are, under which policy, and whether the caller may write to them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from graph_schema.model.fields import DataClass
from service.access.audience import Access, cleared
from service.access.viewer import Viewer
from service.commands import clearance
from service.commands.errors import ClassNotAllowed
from service.errors import TaskloreError
from service.ids import new_id
from service.memory.reporting.effects import BY_ID, Handle
from service.memory.reporting.errors import (
    KindDiffers,
    PolicyConflict,
    RefMissing,
    RunCompacted,
    RunErased,
    RunMissing,
    RunUnknown,
)
from service.memory.reporting.events import Reported
from service.memory.reporting.node import Node
from service.memory.reporting.policy import POLICY_FIELDS, Rules, RunPolicy, lacking, policy_of, settled
from service.memory.reporting.world import RunState, World

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
    """Tombstones of what was called so, as far as the caller knew of it."""
    _conflicts: dict[Ref, TaskloreError] = field(default_factory=dict[Ref, TaskloreError])
    _fitting: dict[Ref, RunPolicy] = field(default_factory=dict[Ref, RunPolicy])
    """The policy that an event of the run was last found to fit with: events of a run repeat it word for word."""
    _joined: set[Ref] = field(default_factory=set[Ref])

    def take(self, ref: Ref, labels: list[str], properties: dict[str, Any]) -> None:
        """Remember what was found under a reference. A run of others does not have the name for the caller."""
        self.world.take(labels, properties)
        if properties.get("erased_kind") == "Run" and self._may_write(properties):
            self.erased[ref] = self.world.nodes[BY_ID, properties["id"]]
        if "Run" not in labels or not self._may_write(properties):
            return
        handle: Handle = ("Run", properties["source"], properties["source_key"])
        other = self.world.runs.get(handle)
        if other and self._claim(other.known or {}) >= self._claim(properties):
            return
        self.found[ref] = handle
        self.world.nodes[handle] = self.world.nodes[BY_ID, properties["id"]]
        self.world.runs[handle] = RunState(handle, properties["id"], Rules(policy_of(properties)), properties)

    def _claim(self, run: dict[str, Any]) -> tuple[bool, bool]:
        """Of two runs that the caller could mean by one name, theirs goes first, then the one that had it first."""
        return self._is_mine(run), not run.get("realm")

    def _may_write(self, run: dict[str, Any]) -> bool:
        """Who reported of a run goes on, also where what it turned out to be about is not for them to read."""
        return self._is_mine(run) or self.world.viewer.may_see(Access.of(run))

    def _is_mine(self, run: dict[str, Any]) -> bool:
        return self.world.viewer.principal_id in (run.get("reporters") or ())

    def open(self, events: Iterable[Reported]) -> None:
        """Open the runs that are not known yet and whose policy an event tells, or the key's defaults do."""
        for event in sorted(events, key=lambda one: one.model.policy is None):
            _, source, key = ref = ref_of(event)
            self._note_conflict(ref, event.model.policy)
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

    def _note_conflict(self, ref: Ref, policy: RunPolicy | None) -> None:
        """Who did not report of a run yet and knows another policy of it means another: nothing they say is of it."""
        handle = self.found.get(ref)
        state = self.world.runs[handle] if handle else None
        if policy is None or state is None or state.known is None or self._is_mine(state.known):
            return
        whole = policy.filled(state.rules.values)
        if differing := _differing(whole, state):
            refused = refusal(self.world.viewer, settled(whole))
            self._conflicts[ref] = refused or PolicyConflict(state.name, differing)

    def _told(self, policy: RunPolicy | None) -> RunPolicy | None:
        """What a new run would have: what the event says, and where it is silent, the key's defaults."""
        whole = (policy or RunPolicy()).filled(self.world.viewer.defaults.policy())
        return None if whole.lacks() else whole

    def of(self, event: Reported) -> RunState:
        """The run of an event, if the caller may report this about it."""
        ref = ref_of(event)
        if ref in self._conflicts:
            raise self._conflicts[ref]
        if ref not in self.found:
            self._refuse(self._told(event.model.policy))
            if ref in self.erased:
                raise RunErased(ref[0] or f"{ref[1]}: {ref[2]}")
            raise self._unknown(ref, event.model.policy)
        state = self.world.runs[self.found[ref]]
        self._join(ref, state, event.model.policy)
        self._check_fits(ref, state, event.model.policy)
        if state.known is not None:
            _check_whole(state, event)
        return state

    def _join(self, ref: Ref, state: RunState, policy: RunPolicy | None) -> None:
        """Who did not report of a run yet says its policy, as for a new one: else they may mean another."""
        reporters = (state.known or {}).get("reporters")
        if reporters is None or self._is_mine(state.known or {}) or ref in self._joined:
            return
        if ref[0] is None:
            self._check_same(ref, state, policy)
        self.world.nodes[state.handle].set("reporters", sorted({*reporters, self.world.viewer.principal_id}))
        self._joined.add(ref)

    def _check_fits(self, ref: Ref, state: RunState, policy: RunPolicy | None) -> None:
        if policy is None or self._fitting.get(ref) == policy:
            return
        whole = policy.filled(state.rules.values)
        self._refuse(whole)
        if differing := _differing(whole, state):
            raise PolicyConflict(state.name, differing)
        self._fitting[ref] = policy

    def _check_same(self, ref: Ref, state: RunState, policy: RunPolicy | None) -> None:
        told = self._told(policy)
        if told is None:
            raise self._unknown(ref, policy)
        if differing := _differing(told, state):
            raise PolicyConflict(state.name, differing)

    def _refuse(self, policy: RunPolicy | None) -> None:
        refused = refusal(self.world.viewer, settled(policy)) if policy else None
        if refused is not None:
            raise refused

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
            return KindDiffers("run", f"{source}: {key}", taken, "Run")
        return RunUnknown(f"{source}: {key}", lacking(policy, self.world.viewer))


def _differing(policy: RunPolicy, state: RunState) -> list[str]:
    values = settled(policy)
    return [name for name in POLICY_FIELDS if values[name] != state.rules.values[name]]


def _check_whole(state: RunState, event: Reported) -> None:
    """Of a compacted run what was accepted before is no longer remembered; so only what came after it can be new."""
    known = state.known or {}
    since = known.get("compacted_at") or known.get("compacting_since")
    if since is not None and (event.kind.name not in _USES or event.values["occurred_at"] <= since):
        raise RunCompacted(state.name)


_USES = frozenset({"artifact_opened", "artifact_bookmarked", "artifact_cited", "artifact_promoted"})


def refusal(viewer: Viewer, values: dict[str, Any]) -> TaskloreError | None:
    """A reporter gives away no more than they hold. What is captured in full becomes local_only."""
    for name in ("capture_prompts", "capture_outputs"):
        if values[name] == _FULL and not cleared(viewer.clearance, DataClass.local_only):
            return ClassNotAllowed(f"policy.{name}", DataClass.local_only, viewer.clearance)
    return clearance.refusal(viewer, values["data_class"], values["matter_ids"], "policy.")
