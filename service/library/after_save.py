"""What follows when an asset is saved: its graphs keep its access, and a reusable task has a template in step with it.

A template that was made for a task follows it until somebody changes on the template itself what follows.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from graph_schema.model.record import LifecycleState as Life
from service.access.audience import audience_of, strictest
from service.commands import Work
from service.commands.work import State
from service.library.cypher import assets, blueprints
from service.library.graphs import GraphInput, graph_hash
from service.library.profile import refresh_linked, refresh_profiles
from service.library.snapshots import OWNERS, SavedGraph, leave_graphs, load_graph, part_graphs, plan_graph
from service.library.ties import tie_graphs
from service.records.lifecycle import first_state, in_its_own_words, is_guarded

Values = dict[str, Any]
_ACCESS = ("data_class", "matter_ids")
_SHOWN = ("name", "description", "task_type")


async def follow(work: Work, before: State | None, after: State) -> None:
    """What a save, or a change of its state, of any asset brings about."""
    known = after.type.label == "Task" and (before or after.properties.get("reusable"))
    task = await _task(work, after) if known else None
    own = task.template(work) if task else None
    graphs: list[SavedGraph] = []
    if before and after.type.label in OWNERS and _moved(before, after):
        graphs += await part_graphs(work, after, [own.id] if own and _goes_along(work, after, own) else [])
        await _move_blueprints(work, before, after)
    if task and own:
        graphs += await _keep_in_step(work, after, task, own, tuple(graphs))
    elif task and after.properties.get("reusable") and not (before and before.properties.get("reusable")):
        _make_template(work, after, task)
    elif before and after.type.label == "Template" and _is_taken_over(before, after):
        release(work, after)
    # All at once: a graph that both leave is no longer there for either.
    await tie_graphs(work, graphs)


async def _move_blueprints(work: Work, before: State, after: State) -> None:
    """Where an asset goes, its blueprint goes.

    It keeps an access of its own beside what it inherits, so that one that loses its last asset is still kept from
    the same people.
    """
    former, present = ({name: one.properties[name] for name in _ACCESS} for one in (before, after))
    await work.transaction.run(blueprints.MOVE_BLUEPRINTS, owner=after.id, former=former, present=present)


async def follow_graph(work: Work, saved: SavedGraph) -> list[SavedGraph]:
    """Give the template of a task the task's new graph. One whose own graph is changed follows no longer."""
    if not saved.changed:
        return []
    if saved.owner.type.label == "Template":
        release(work, saved.owner)
        return []
    template = _free_template(work, saved.owner, await _task(work, saved.owner))
    return [await plan_graph(work, template, saved.graph)] if template else []


async def follow_blueprint(work: Work, owner: State, blueprint_id: str, digest: str | None) -> None:
    """Give the template of a task the task's blueprint. One that gets a blueprint of its own follows no longer."""
    if owner.type.label == "Template":
        if blueprint_id not in {row["id"] for row in await _own_blueprints(work, owner)}:
            release(work, owner)
        return
    task = await _task(work, owner)
    template = _free_template(work, owner, task)
    if template and blueprint_id not in task.held("blueprints"):
        work.update(template, {"blueprint_hash": digest})
        _relink_blueprints(work, template, {*task.held("blueprints")}, {blueprint_id})


async def follow_link(work: Work, owner: State, kind: str, blueprint: State, remove: bool) -> State:
    """What follows when an asset is linked to a blueprint by hand, or no longer. Returns the asset after it.

    It has one blueprint: the new one takes the place of what it has, as far as whoever links them may see that.
    """
    if kind != "HAS_BLUEPRINT":
        return owner
    rows = await _own_blueprints(work, owner)
    held: dict[str, str | None] = {row["id"]: row["hash"] for row in rows}
    others = {row["id"] for row in rows if row["seen"] and row["id"] != blueprint.id}
    lost = held.keys() & {blueprint.id} if remove else others
    if remove and not lost:
        return owner
    wanted = {one: digest for one, digest in held.items() if one not in lost}
    if not remove:
        wanted = {blueprint.id: blueprint.properties.get("blueprint_hash"), **wanted}
        _relink_blueprints(work, owner, lost, set())
    digest = next(iter(wanted.values()), None)
    template = await _tell_template(work, owner, {*wanted}, digest) if owner.type.label == "Task" else None
    after = _with_blueprint(work, owner, digest)
    if wanted.keys() != held.keys():
        release(work, after)
    owners = [owner.id, *([template.id] if template else [])]
    for one in sorted({blueprint.id, *lost}):
        await refresh_linked(work, owners, one, remove=one in lost)
    return after


async def _own_blueprints(work: Work, owner: State) -> list[Values]:
    return await work.transaction.run(blueprints.OWN_BLUEPRINTS, owner=owner.id, audiences=work.viewer.audiences)


async def _tell_template(work: Work, owner: State, wanted: set[str], digest: str | None) -> State | None:
    task = await _task(work, owner)
    template, held = _free_template(work, owner, task), {*task.held("blueprints")}
    if template is None or held == wanted:
        return None
    _relink_blueprints(work, template, held, wanted)
    return _with_blueprint(work, template, digest)


def _with_blueprint(work: Work, owner: State, digest: str | None) -> State:
    if "blueprint_hash" not in owner.type.fields or owner.properties.get("stub"):
        return owner
    return work.update(owner, {"blueprint_hash": digest})


def release(work: Work, template: State) -> None:
    """From now on it is its curators'. It is no change of the template itself, so no version of it is kept."""
    if template.properties.get("follows_task_id"):
        work.changes.updates.append({"id": template.id, "keep": False, "properties": {"follows_task_id": None}})


class _Task:
    """What a task is linked to: its graphs and blueprints, and the template that follows it with its own."""

    def __init__(self, row: Mapping[str, Any] | None) -> None:
        self.has_template = bool(row and row["templates"])
        self.graphs: list[str] = row["graphs"] if row else []
        self.hashes: dict[str, str | None] = {one["id"]: one["hash"] for one in row["blueprints"]} if row else {}
        self._own: Mapping[str, Any] | None = row["own"] if row else None

    @property
    def blueprints(self) -> list[str]:
        return sorted(self.hashes)

    @property
    def blueprint_hash(self) -> str | None:
        return next((self.hashes[one] for one in self.blueprints), None)

    def held(self, what: str) -> list[str]:
        return self._own[what] if self._own else []

    def template(self, work: Work) -> State | None:
        if self._own is None:
            return None
        return State(work.registry.types["Template"], tuple(self._own["labels"]), self._own["properties"])


async def _task(work: Work, task: State) -> _Task:
    return _Task(await work.transaction.one(assets.TASK_LINKS, id=task.id))


def _free_template(work: Work, task: State, known: _Task) -> State | None:
    """The template that follows a reusable task, unless somebody has to approve its changes first."""
    template = known.template(work) if task.properties.get("reusable") else None
    return None if template is None or _waits(work, template) else template


def _make_template(work: Work, task: State, known: _Task) -> None:
    """A task that is to be used again is matched as a template: the one that it was made from, or one of its own."""
    if known.has_template:
        return
    values: Values = {name: task.properties[name] for name in (*_SHOWN, *_ACCESS) if name in task.properties}
    values["lifecycle_state"] = first_state(work.viewer, "Template", values).value
    values |= in_its_own_words(work.viewer, "Template", values)
    values |= {"follows_task_id": task.id, "graph_hash": task.properties.get("graph_hash") if known.graphs else None}
    values["blueprint_hash"] = known.blueprint_hash
    given = {name: value for name, value in values.items() if value is not None}
    template = work.create(work.registry.types["Template"], given)
    work.link(task, "INSTANTIATES", template)
    for kind, ids in (("HAS_GRAPH", known.graphs), ("HAS_BLUEPRINT", known.blueprints)):
        for one in ids:
            work.link_id(template, kind, one)


async def _keep_in_step(
    work: Work, after: State, task: _Task, template: State, parted: Sequence[SavedGraph]
) -> list[SavedGraph]:
    """Let the template say what its task says. Who may see it follows always; all else only while it is reusable.

    An agent changes no template that is in use: it falls behind until a person saves the task.
    """
    whole = bool(after.properties.get("reusable")) and not _waits(work, template)
    values = _access_in_step(work, after, template)
    new_graph = whole and task.graphs and task.graphs != task.held("graphs")
    graph = await load_graph(work, task.graphs[0]) if new_graph else None
    if whole:
        values |= {name: after.properties.get(name) for name in _SHOWN} | await _state_of(work, after, template)
    if whole and task.blueprints != task.held("blueprints"):
        values["blueprint_hash"] = task.blueprint_hash
    if graph:
        # Said here, so that the graph itself makes no second version of the template.
        values["graph_hash"] = graph_hash(graph)
    kept = work.update(template, values)
    if whole:
        _relink_blueprints(work, kept, {*task.held("blueprints")}, {*task.blueprints})
    if not _moved(template, kept):
        return await _change_graph(work, kept, graph) if graph else []
    if graph:
        return [await plan_graph(work, kept, graph, await leave_graphs(work, kept, [after.id]))]
    # A task that goes elsewhere has left what they shared: that is the template's now.
    return await part_graphs(work, kept, [after.id], parted if _goes_along(work, after, template) else ())


async def _change_graph(work: Work, template: State, graph: GraphInput) -> list[SavedGraph]:
    """For one that stays where it is. Blueprints that move have been changed already, and a command does it once."""
    saved = [await plan_graph(work, template, graph)]
    await refresh_profiles(work, saved)
    return saved


def _access_in_step(work: Work, task: State, template: State) -> Values:
    """Who may see the template: whoever may see the task. Only where it waits it opens to nobody new until then."""
    if not _waits(work, template):
        return {name: task.properties[name] for name in _ACCESS}
    both = (task.properties, template.properties)
    return {
        "data_class": strictest(one["data_class"] for one in both).value,
        "matter_ids": sorted({matter for one in both for matter in one["matter_ids"]}),
    }


def _goes_along(work: Work, task: State, template: State) -> bool:
    """Whether the template has the readers of the task once it has followed."""
    return audience_of(**_access_in_step(work, task, template)) == task.properties["audience"]


def _waits(work: Work, template: State) -> bool:
    """For somebody who may change it: an agent may not once it is in use, nor whoever does not see it."""
    return is_guarded(work.viewer, template) or template.properties["audience"] not in work.viewer.audiences


def _relink_blueprints(work: Work, template: State, held: set[str], wanted: set[str]) -> None:
    for one in sorted(held - wanted):
        work.changes.unlinks.append({"tail": template.id, "head": one, "type": "HAS_BLUEPRINT"})
        work.changes.access_changed.add(one)
    for one in sorted(wanted - held):
        work.link_id(template, "HAS_BLUEPRINT", one)
        work.changes.access_changed.add(one)


async def _state_of(work: Work, task: State, template: State) -> Values:
    """What was put away with its task comes back with it to where it was: a draft has been approved by nobody."""
    away, is_away = (one.properties["lifecycle_state"] == Life.archived for one in (task, template))
    if away == is_away:
        return {}
    if away:
        return {"lifecycle_state": Life.archived.value}
    row = await work.transaction.one(assets.STATE_BEFORE, id=template.id)
    return {"lifecycle_state": row["state"] if row else first_state(work.viewer, "Template", {}).value}


def _is_taken_over(before: State, after: State) -> bool:
    """Whether a curator has changed what follows the task. Putting a draft into use is no such change."""
    followed = any(before.properties.get(name) != after.properties.get(name) for name in (*_SHOWN, *_ACCESS))
    state = after.properties["lifecycle_state"]
    retired = state != before.properties["lifecycle_state"] and state in {Life.archived, Life.deprecated}
    return followed or retired


def _moved(before: State, after: State) -> bool:
    return before.properties["audience"] != after.properties["audience"]
