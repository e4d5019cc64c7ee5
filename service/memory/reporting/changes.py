"""What a folded report writes: records, links, receipts of its events, and events for subscribers."""

from typing import Any, LiteralString

from service import clock
from service.access.audience import audience_row
from service.commands.cypher import CREATE_EVENTS
from service.commands.ground import event_row
from service.commands.inheritance import is_unplaced
from service.ids import new_id
from service.memory.extraction import entries
from service.memory.reporting import cypher
from service.memory.reporting.fold import ENDED, Folded
from service.memory.reporting.node import Node
from service.memory.reporting.world import World
from service.memory.saved_graphs import TIE_STEPS

_CONTINUABLE = "task.module.session.continuation_available"
_FORK_CREATED = "task.run.fork_created"
_FORK_COMPLETED = "task.run.fork_completed"
_SAYS_GRAPH = ("task_key", "template_key", "graph_snapshot_ref", "started_at", "forked")
"""What of a run tells which saved graph it went through."""
_NOT_CONTINUABLE = "task.module.session.continuation_unavailable"
_TASK_STATISTICS = "task.saved_task.stats_updated"
_PRESET_STATISTICS = "task.preset.stats_updated"
_WORKED = frozenset({"success", "error", "cancelled"})


class Changes:
    def __init__(self, world: World, accepted: list[Folded]) -> None:
        self._world = world
        self._accepted = accepted
        self._nodes = {node.id: node for node in world.nodes.values()}
        self._stamp_runs()

    def writes(self) -> list[tuple[LiteralString, list[dict[str, Any]]]]:
        """The statements that write all this, in order, each with its rows."""
        new_links, links = self._links()
        nodes = self._nodes.values()
        lane = entries.of(self._world, self._nodes)
        return [
            (cypher.CREATE_REPORTS, self._reports()),
            (cypher.CREATE_RECORDS, [*(self._create(node) for node in nodes if node.is_new), *lane.records]),
            (cypher.KEEP_FORMER, [{"id": one.id, "at": self._world.at} for one in nodes if one.is_told_otherwise]),
            (cypher.UPDATE_RECORDS, [self._update(node) for node in nodes if node.changed and not node.is_new]),
            (cypher.CREATE_LINKS, [*new_links, *lane.links]),
            (cypher.MERGE_LINKS, links),
            (TIE_STEPS, self._steps()),
            *lane.writes(),
            (CREATE_EVENTS, self._events()),
        ]

    def _reports(self) -> list[dict[str, Any]]:
        shared = {"principal_id": self._world.viewer.principal_id, "at": self._world.at}
        return [
            {"run_id": one.run_id, "event_id": one.event.event_id, "hash": one.event.hash, **shared}
            for one in self._accepted
        ]

    def _links(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Links that cannot be there yet, since one of their ends is new; and the others."""
        fresh = {node.id for node in self._nodes.values() if node.is_new}
        new: list[dict[str, Any]] = []
        known: list[dict[str, Any]] = []
        for (tail, kind, head), facts in sorted(self._world.links.items(), key=lambda one: one[0]):
            row = {"tail": tail, "type": kind, "head": head, "properties": facts}
            (new if tail in fresh or head in fresh else known).append(row)
        return new, known

    def _steps(self) -> list[dict[str, Any]]:
        """The steps that were spoken of, by run and module; all of a run that may have another graph from now on."""
        rows: dict[str, dict[str, Any]] = {}
        for tail, kind, _head in self._world.links:
            if kind == "OF_MODULE":
                step = self._nodes[tail].properties
                row = rows.setdefault(step["run_id"], {"run": step["run_id"], "whole": False, "steps": {}})
                row["steps"].setdefault(step["module_key"], []).append(tail)
        for run_id in {one.run_id for one in self._accepted}:
            run = self._nodes[run_id]
            if not run.is_new and any(run.before.get(name) != run.properties.get(name) for name in _SAYS_GRAPH):
                rows.setdefault(run_id, {"run": run_id, "steps": {}})["whole"] = True
        return [rows[run_id] for run_id in sorted(rows)]

    def inheriting(self) -> set[str]:
        """Records that were there and are now for other readers, or hand on their access from now on."""
        return {node.id for node in self._nodes.values() if not node.is_new and _is_other(node)}

    def audiences(self) -> dict[str, dict[str, Any]]:
        """The audiences of all that is written, by their value."""
        written = {node.properties["audience"]: node.properties for node in self._nodes.values() if node.changed}
        return {audience: audience_row(one) for audience, one in written.items()}

    def _create(self, node: Node) -> dict[str, Any]:
        properties = node.row()
        return {"labels": self._world.registry.types[node.label].model.labels(properties), "properties": properties}

    def _update(self, node: Node) -> dict[str, Any]:
        if node.label != "Run":
            node.properties["updated_at"] = self._world.at
        return {"id": node.id, "properties": node.row()}

    def _stamp_runs(self) -> None:
        """A run that anything was reported of has a new time, later than any before: its events are in order."""
        for run_id in {one.run_id for one in self._accepted}:
            run = self._nodes[run_id]
            run.properties["updated_at"] = (
                self._world.at if run.is_new else clock.not_before(run.properties["updated_at"])
            )
            run.changed = True

    def _events(self) -> list[dict[str, Any]]:
        told: dict[tuple[str, str], list[Folded]] = {}
        for one in self._accepted:
            for kind in _kinds(one):
                told.setdefault((one.run_id, kind), []).append(one)
        for run_id in {run_id for run_id, _ in told}:
            if self._fork_ended(self._nodes[run_id]):
                told[run_id, _FORK_COMPLETED] = self._endings(run_id)
        self._add_statistics(told)
        report_id = new_id("rep")
        return [self._event(run_id, kind, ones, report_id) for (run_id, kind), ones in told.items()]

    def _add_statistics(self, told: dict[tuple[str, str], list[Folded]]) -> None:
        """Figures are computed when they are asked for; that they are others now is told with what changed them."""
        for one in self._accepted:
            run, node = self._nodes[one.run_id], self._world.nodes.get(one.main) if one.main else None
            if node is run and "task_key" in run.properties and _counts_otherwise(run):
                told.setdefault((one.run_id, _TASK_STATISTICS), []).append(one)
            if node and node.label == "Activation" and "preset_key" in node.properties and _has_worked(node):
                told.setdefault((one.run_id, _PRESET_STATISTICS), []).append(one)

    def _fork_ended(self, run: Node) -> bool:
        """Whether with this report a run has ended that carries out a fork."""

        def ended(values: dict[str, Any]) -> bool:
            return bool(values.get("forked")) and values.get("status") in ENDED

        return ended(run.properties) and not ended(run.before)

    def _endings(self, run_id: str) -> list[Folded]:
        """The events of this report that say that the run ended."""
        name = f"run_{self._nodes[run_id].properties['status']}"
        return [one for one in self._accepted if one.run_id == run_id and one.event.kind.name == name]

    def _event(self, run_id: str, kind: str, ones: list[Folded], report_id: str) -> dict[str, Any]:
        run = self._nodes[run_id].properties
        by = {"principal_id": self._world.viewer.principal_id, "command_id": report_id}
        changed = sorted({one.event.kind.name for one in ones})
        task = self._world.nodes.get(("Task", run["source"], run.get("task_key")))
        other = task.id if task and kind == _TASK_STATISTICS else None
        return event_row(kind, "Run", run, **by, changed=changed, parts=self._parts(run_id, ones), other=other)

    def _parts(self, run_id: str, ones: list[Folded]) -> list[str]:
        """Ids of what changed in the run, for whoever follows it."""
        nodes = (self._world.nodes.get(one.main) for one in ones if one.main is not None)
        return sorted({node.id for node in nodes if node is not None} - {run_id})


def _counts_otherwise(run: Node) -> bool:
    """Whether a run began or ended with this report."""
    before, after = run.before, run.properties
    ended = after["status"] in ENDED and before.get("status") not in ENDED
    return ended or ("started_at" in after and "started_at" not in before)


def _has_worked(step: Node) -> bool:
    return step.properties["status"] in _WORKED and step.before.get("status") not in _WORKED


def _is_other(node: Node) -> bool:
    placed = is_unplaced(node.label, node.before) and not is_unplaced(node.label, node.properties)
    return placed or node.properties["audience"] != node.before["audience"]


def _kinds(one: Folded) -> tuple[str, ...]:
    if "fork" in one.event.values:
        return (*one.event.kind.events, _FORK_CREATED)
    if one.event.kind.name != "session":
        return one.event.kind.events
    available = one.event.values["continuation_status"] == "available"
    return (*one.event.kind.events, _CONTINUABLE if available else _NOT_CONTINUABLE)
