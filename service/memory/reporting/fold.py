"""Events into records: a pure fold. Any order of the same events gives the same records and links."""

from collections.abc import Iterable
from dataclasses import dataclass

from service import clock
from service.access.audience import Access
from service.commands.card_text import file_words
from service.commands.inheritance import is_unplaced
from service.errors import TaskloreError
from service.graph.parts import key_hash
from service.memory.places import place_of
from service.memory.reporting.costs import cost_of_run, micros, settle_costs
from service.memory.reporting.effects import BY_ID, OUTSIDE, Effects, Handle, Tie, Write
from service.memory.reporting.errors import (
    ArtifactOfTwoRuns,
    EventIdReused,
    ForkOfItself,
    KindDiffers,
    KindMisplaced,
    OfAnotherTask,
    RecordErased,
    RefMissing,
    RunUnknown,
)
from service.memory.reporting.events import Reported
from service.memory.reporting.inheritance import close
from service.memory.reporting.node import WORKING, Node
from service.memory.reporting.policy import lacking
from service.memory.reporting.world import RunState, World
from service.memory.retention.rules import due_of

ENDED = frozenset({"completed", "failed", "cancelled"})


@dataclass(frozen=True, slots=True)
class Folded:
    """What became of an event: accepted, a duplicate, or refused with the reason."""

    event: Reported
    run_id: str
    refused: TaskloreError | None = None
    duplicate: bool = False
    main: Handle | None = None
    """The record that the event is about."""

    @property
    def accepted(self) -> bool:
        return self.refused is None and not self.duplicate


def fold(world: World, items: Iterable[tuple[Reported, Effects]]) -> list[Folded]:
    """Fold events into the world, each on its own: one that is refused leaves the world as it was."""
    waiting: list[tuple[Reported, Effects]] = []
    folded: list[Folded] = []
    for event, effects in items:
        if _leans(world, event, effects):
            waiting.append((event, effects))
        else:
            folded.append(_folded(world, event, effects))
    folded += [_folded(world, event, effects) for event, effects in waiting]
    _settle(world)
    close(world)
    return folded


def _leans(world: World, event: Reported, effects: Effects) -> bool:
    """Whether it is left to another event of the report, if accepted, to say how a new run is remembered."""
    run = world.runs[effects.run]
    return run.known is None and run.handle not in world.nodes and bool(lacking(event.model.policy, world.viewer))


def _folded(world: World, event: Reported, effects: Effects) -> Folded:
    run = world.runs[effects.run]
    known = world.reports.get((run.id, event.event_id))
    if known is not None:
        same = known == event.hash
        return Folded(event, run.id, None if same else EventIdReused(event.event_id), duplicate=same)
    try:
        _check(world, run, event, effects)
    except TaskloreError as error:
        return Folded(event, run.id, error)
    _apply(world, run, effects)
    world.reports[run.id, event.event_id] = event.hash
    return Folded(event, run.id, main=effects.main)


def _check(world: World, run: RunState, event: Reported, effects: Effects) -> None:
    if _leans(world, event, effects):
        raise RunUnknown(run.name, lacking(event.model.policy, world.viewer))
    _check_task(world, run, event.values.get("task_key"))
    _check_names(run, effects)
    for write in effects.writes:
        _check_handle(world, write.handle)
        node = world.nodes.get(write.handle)
        if write.claims and node and node.properties.get("run_id", run.id) != run.id:
            raise ArtifactOfTwoRuns(write.handle[2])
    for tie in effects.ties:
        _check_handle(world, tie.tail)
        _check_handle(world, tie.head, tie.field)
        _check_kind(world, tie)
        if tie.type == "CREATED_BY" and tie.head in world.nodes and _parent(world.nodes[tie.head]) == run.id:
            raise ForkOfItself(run.name)


def _check_names(run: RunState, effects: Effects) -> None:
    """Within one source a key names one record: also where one event names two that nobody knows yet."""
    named: dict[tuple[str, str], str] = {(run.handle[1], run.handle[2]): run.handle[0]}
    handles = [write.handle for write in effects.writes]
    handles += [end for tie in effects.ties for end in (tie.tail, tie.head)]
    for handle in handles:
        if handle[0] in OUTSIDE:
            held = named.setdefault((handle[1], handle[2]), handle[0])
            if held != handle[0]:
                raise KindDiffers("key", f"{handle[1]}: {handle[2]}", held, handle[0])


def _check_task(world: World, run: RunState, task: str | None) -> None:
    node = world.nodes.get(run.handle)
    held = node.properties.get("task_key") or node.properties.get("working_task_key") if node else None
    if task is not None and held is not None and task != held:
        raise OfAnotherTask(run.name, held)


def _check_handle(world: World, handle: Handle, field: str = "item") -> None:
    """What a handle names must be of its kind, and seen by whoever names it. Within a run the run was the check."""
    if handle[0] == BY_ID:
        node = world.nodes.get(handle)
        if node is None or not world.sees(node):
            raise RefMissing(field, handle[1])
        if node.label == "Tombstone":
            raise RecordErased(field, handle[1])
        return
    if handle[0] not in OUTSIDE:
        return
    taken = world.taken.get((handle[1], handle[2]))
    if taken is not None and taken != handle[0]:
        raise KindDiffers("key", f"{handle[1]}: {handle[2]}", taken, handle[0])
    if world.erased and handle not in world.nodes and handle[0] in _GUARDED:
        _check_erased(world, handle)


_GUARDED = frozenset({"Artifact", "Entity", "Goal", "Capability", "WorkProduct", "Fork", "Tool"})


def _check_erased(world: World, handle: Handle) -> None:
    """What was erased is not made again by whoever still names it."""
    tomb = world.erased.get((handle[0], key_hash(handle[1], handle[2])))
    if tomb is not None:
        raise RecordErased("key", f"{handle[1]}: {handle[2]}")


def _check_kind(world: World, tie: Tie) -> None:
    label = world.nodes[tie.head].label if tie.head[0] == BY_ID else tie.head[0]
    heads = world.heads(tie.type, world.nodes[tie.tail].label if tie.tail[0] == BY_ID else tie.tail[0])
    if label not in heads:
        raise KindMisplaced(tie.field, str(tie.head[-1]), label, sorted(heads))


def _apply(world: World, run: RunState, effects: Effects) -> None:
    _tie_matters(world, run, world.node(run.handle, run))
    touched: dict[str, Node] = {}
    for write in effects.writes:
        node = world.node(write.handle, run)
        _write(world, run, node, write)
        touched[node.id] = node
    for node in touched.values():
        node.touch()
    for tie in effects.ties:
        head = world.node(tie.head, run)
        _introduce(head, tie)
        tail = world.node(tie.tail, run)
        world.link(tail, tie.type, head, tie.properties)
        if tie.type == "CREATED_BY" and _parent(head):
            world.links.setdefault((tail.id, "FORKED_FROM", _parent(head)), {})
    for handle, reason in effects.queued:
        world.queued.setdefault((world.node(handle, run).id, reason), run.handle)


def _parent(fork: Node) -> str:
    """The run that a fork is of. Of one that is not requested here yet it is not known; the request links it then."""
    return fork.properties.get("parent_run_id", "")


def _tie_matters(world: World, run: RunState, node: Node) -> None:
    """A new run is about its matters, where its policy lets it be."""
    if node.is_new and run.rules.values["matter_linking_enabled"]:
        for matter in run.rules.values["matter_ids"]:
            world.links.setdefault((node.id, "ABOUT", matter), {})


def _introduce(head: Node, tie: Tie) -> None:
    """Tell what is said in passing of a record that nobody has described yet. Of two names the greater is kept."""
    values = head.properties
    if not values.get("stub") or head.label not in _FOREIGN:
        return
    if head.label == "Entity" and "kind" not in values and tie.type in _DOCUMENTS:
        head.set("kind", "document")
    if tie.head_name and (values["name"] == str(values.get("source_key"))[:200] or values["name"] < tie.head_name):
        head.set("name", tie.head_name)


_FOREIGN = frozenset({"Entity", "Goal", "Capability"})
_DOCUMENTS = frozenset({"RECEIVED", "DOWNLOADED", "OPENED", "CONSUMED", "DERIVED_FROM"})


def _write(world: World, run: RunState, node: Node, write: Write) -> None:
    if write.handle[0] in {"Task", "Template", "Module"} and not node.properties["stub"]:
        return
    node.put(write.values, write.stamp, first=write.first)
    if write.count:
        node.set(write.count, node.properties.get(write.count, 0) + 1)
    if write.claims or write.own_class:
        world.claim(node, run, write.own_class)
    if write.fills:
        if is_unplaced(node.label, node.properties):
            world.place(node, Access.own(node.properties))
        node.set("stub", False)
    if write.outcome:
        _note_outcome(node, write)


def _note_outcome(node: Node, write: Write) -> None:
    """One entry for each different outcome, with the last event that told it.

    What failed, or was a draft, may be delivered yet. What was delivered is delivered: another success beside what
    stands, or a failure after it, contradicts it.
    """
    held: list[str] = node.properties.get("outcomes", [])
    told = {outcome: stamp for stamp, _, outcome in (entry.partition("\t") for entry in held)}
    if write.outcome is None or told.get(write.outcome, "") >= write.stamp:
        return
    told[write.outcome] = write.stamp
    entries = sorted(f"{stamp}\t{outcome}" for outcome, stamp in told.items())
    delivered = _contradicted([entry.partition("\t")[2] for entry in entries])
    node.set("outcomes", entries)
    node.set("conflicting", bool(delivered))
    node.set("conflicts", delivered)


def _contradicted(outcomes: list[str]) -> list[str]:
    """The successes that something later is not the same as. It is said where what was carried is the difference."""
    told = [outcome.partition("\t")[::2] for outcome in outcomes]
    found: list[str] = []
    for place, (words, artifact) in enumerate(told):
        later = told[place + 1 :] if words.split()[0] == "delivered" else ()
        if any(words != others for others, _ in later):
            found.append(words)
        elif any(artifact and another and artifact != another for _, another in later):
            found.append(f"{words}, with another artifact")
    return list(dict.fromkeys(found))


def _settle(world: World) -> None:
    """What follows from the values: costs, durations, words to find by, counts and the status of each run."""
    settle_costs(world)
    runs = {state.id: world.nodes[handle] for handle, state in world.runs.items() if handle in world.nodes}
    for handle, node in list(world.nodes.items()):
        if handle[0] == BY_ID or not node.changed:
            continue
        _settle_duration(node)
        _settle_place(node)
        if node.label == "Artifact":
            node.set("name_words", file_words(node.label, node.properties))
        run = runs.get(node.properties.get("run_id", ""))
        if run is not None:
            _count(world, run, node)
    _tie_modules(world)
    for state in world.runs.values():
        if state.handle in world.nodes:
            _settle_run(world.nodes[state.handle], ephemeral=state.rules.is_ephemeral)


def _settle_duration(node: Node) -> None:
    started, completed = node.properties.get("started_at"), node.properties.get("completed_at")
    if node.label in {"Run", "Activation", "Span"} and started and completed:
        length = clock.parse(completed) - clock.parse(started)
        node.set("duration_ms", max(0, round(length.total_seconds() * 1000)))


def _settle_place(node: Node) -> None:
    """What the steps of a run are ordered and found by."""
    if node.label != "Activation":
        return
    values = node.properties
    started, waiting, completed = (values.get(name) for name in ("started_at", "waiting_since", "completed_at"))
    node.set("place", place_of(started, waiting, completed, values["module_key"], values["activation_seq"]))
    node.set("moment", completed or waiting or started or "")


_COUNTERS = {
    "running": "running_count",
    "waiting": "waiting_count",
    "error": "error_count",
    "success": "success_count",
    "skipped": "skipped_count",
    "cancelled": "cancelled_count",
}


def _count(world: World, run: Node, node: Node) -> None:
    before, after = node.before, node.properties
    if node.label == "Activation":
        for status, counter in _COUNTERS.items():
            _add(run, counter, (after["status"] == status) - (before.get("status") == status))
        _add(run, "activation_count", int(node.is_new))
        _add(run, "module_count", int(node.is_new and world.is_first_of_module(node)))
        _add(run, "named_count", int(after["stub"]) - int(before.get("stub", False)))
        _add(run, "spent_micros", (micros(after) or 0) - (micros(before) or 0))
        _add(run, "costed_count", (micros(after) is not None) - (micros(before) is not None))
    if node.label == "Artifact":
        _add(run, "artifact_count", int(not after["stub"]) - int(not before.get("stub", True)))
    if node.label == "Delivery":
        _add(run, "delivery_count", int(node.is_new))


def _add(run: Node, counter: str, change: int) -> None:
    if change:
        run.set(counter, run.properties.get(counter, 0) + change)


def _settle_run(run: Node, *, ephemeral: bool) -> None:
    values = run.properties
    phase = values.get("phase")
    if phase in ENDED:
        status = phase
    elif values.get("waiting_count") and not values.get("running_count"):
        status = "waiting"
    else:
        status = "running" if phase or values.get("activation_count") else "pending"
    run.set("status", status)
    run.set("due", due_of(values))
    if ephemeral:
        for name in WORKING if status in ENDED else ():
            run.set(name, None)
    else:
        run.set("cost_usd", cost_of_run(values))


def _tie_modules(world: World) -> None:
    """Activations of a run whose task is known are tied to the task's modules.

    A module's name is made here, from those of its task and itself. Where the executor has called something else by it,
    that keeps the name, and nothing that was reported is refused for it.
    """
    for handle, node in list(world.nodes.items()):
        if handle[0] != "Activation":
            continue
        run = world.runs.get(("Run", *handle[1:3]))
        task = world.nodes[run.handle].properties.get("task_key") if run and run.handle in world.nodes else None
        if run is None or task is None:
            continue
        module = module_of(handle, task)
        if world.taken.get((module[1], module[2]), "Module") == "Module":
            world.link(node, "OF_MODULE", world.node(module, run), {})


def module_of(step: Handle, task: str) -> Handle:
    return ("Module", step[1], f"{task}/{step[3]}")
