"""What an import changes: templates with their graphs, and the capabilities that they require."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from graph_schema.model.fields import LIST_LENGTH, NAME_LENGTH, DataClass
from service.access.agents import is_agent
from service.commands import RecordRef, Work
from service.commands.card_text import text_hash
from service.commands.errors import InputInvalid
from service.commands.work import State
from service.library.errors import BlueprintGraphMismatch
from service.library.graphs import CableInput, GraphInput, ModuleInput, canonical, graph_hash
from service.library.n8n import cypher
from service.library.n8n.describe import shortened
from service.library.n8n.workflow import SOURCE, Need, Node, Workflow
from service.library.profile import refresh_profiles
from service.library.snapshots import plan_graphs
from service.library.ties import tie_graphs
from service.records.lifecycle import prepared

_WORDS = ("name", "description")
"""What a source says of itself in words, each with a hash of its own."""
CREATED, UPDATED, UNCHANGED = "created", "updated", "unchanged"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A workflow with its graph in the form in which it is kept."""

    workflow: Workflow
    graph: GraphInput
    graph_hash: str

    @property
    def ref(self) -> RecordRef:
        return RecordRef(kind="Template", source=SOURCE, key=self.workflow.key)


def wanted_of(workflow: Workflow) -> Wanted:
    graph = canonical(_graph(workflow))
    return Wanted(workflow, graph, graph_hash(graph))


def need_ref(need: Need) -> RecordRef:
    return RecordRef(kind="Capability", source=SOURCE, key=need.key)


async def plan_import(work: Work, wanted: Sequence[Wanted], access: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Change the graph to what the workflows say; a template whose workflow is the same stays as it is."""
    work.in_bulk = True
    _check_matters(work, access)
    found = [(one, work.find(one.ref, "workflows", ["Template"])) for one in wanted]
    news = [(one, state) for one, state in found if not _is_same(one, state)]
    before = await _required(work, [state for _, state in news if state])
    capabilities = _Capabilities(work, [one for one, _ in news])
    saved: dict[str, State] = {}
    for one, state in news:
        template = _template(work, one, state, access)
        capabilities.require(template, one.workflow.needs, before.get(template.id, set()))
        saved[one.workflow.key] = template
    graphs = await plan_graphs(work, [(saved[one.workflow.key], one.graph) for one, _ in news])
    unbound = await tie_graphs(work, graphs)
    await refresh_profiles(work, graphs)
    return [_told(one, state, saved, unbound) for one, state in found]


def _template(work: Work, one: Wanted, state: State | None, access: Mapping[str, Any]) -> State:
    """The template after the import. One that is there keeps its access; what an agent brings waits for a person."""
    kind = work.registry.types["Template"]
    is_new = state is None or state.properties.get("stub")
    given = values_of(one)
    if not is_new and state is not None:
        # Where the source says what it said, what a curator has made of it stays.
        said, came = (str(one.get("imported_words_hash") or "").split() for one in (given, state.properties))
        same = {name for name, now, then in zip(_WORDS, said, came, strict=False) if now == then}
        given = {name: value for name, value in given.items() if name not in same}
    values = prepared(work.viewer, kind, {**given, **(access if is_new else {})}, state)
    return work.update(state, values) if state else work.create(kind, values)


def _told(one: Wanted, state: State | None, saved: Mapping[str, State], unbound: frozenset[str]) -> dict[str, Any]:
    after = saved.get(one.workflow.key)
    outcome = CREATED if state is None else UPDATED if after else UNCHANGED
    template = (after or state or saved[one.workflow.key]).id
    warnings = [BlueprintGraphMismatch.code] if template in unbound else []
    return {"id": template, "outcome": outcome, "warnings": warnings}


def _is_same(one: Wanted, state: State | None) -> bool:
    """What a curator changed since the last import is theirs, as long as the workflow has not changed."""
    if state is None or state.properties.get("stub"):
        return False
    # A template of an import that did not keep the hash yet has only that of its present graph.
    came = state.properties.get("imported_hash") or state.properties.get("graph_hash")
    return came == one.graph_hash


def _check_matters(work: Work, access: Mapping[str, Any]) -> None:
    for matter in access.get("matter_ids") or ():
        named = work.need(RecordRef(id=matter), "matter_ids", ["Entity"])
        if named.properties.get("kind") != "matter":
            raise InputInvalid("matter_ids", f"{matter} is not a matter")


async def _required(work: Work, templates: Sequence[State]) -> dict[str, set[str]]:
    ids = [one.id for one in templates]
    rows = (
        await work.transaction.run(cypher.REQUIRED, ids=ids, source=SOURCE, audiences=work.viewer.audiences)
        if ids
        else []
    )
    return {row["id"]: {*row["needs"]} for row in rows}


class _Capabilities:
    """The capabilities that workflows need. Their names are everybody's: they name products, not who uses them."""

    def __init__(self, work: Work, wanted: Sequence[Wanted]) -> None:
        self._work = work
        self._states: dict[str, State] = {}
        for key, need in _together(wanted).items():
            self._states[key] = self._known(need)

    def require(self, template: State, needs: Sequence[Need], before: set[str]) -> None:
        """Link the template to what it needs, and no longer to what it needed before."""
        now = {self._states[one.key].id: self._states[one.key] for one in needs}
        for head in sorted(before - now.keys()):
            self._work.changes.unlinks.append({"tail": template.id, "head": head, "type": "REQUIRES"})
        for head in sorted(now.keys() - before):
            self._work.link(template, "REQUIRES", now[head])

    def _known(self, need: Need) -> State:
        state = self._work.find(need_ref(need), "workflows", ["Capability"])
        if is_agent(self._work.viewer):
            # An agent names what a workflow needs; what it is and does, a person says, if only by the same import.
            return state or self._work.need(need_ref(need), "workflows", ["Capability"])
        classes = sorted({*need.side_effect_classes, *need.possible})  # of a capability: what using it may have
        if state is not None and not state.properties.get("stub"):
            known: list[str] = state.properties.get("side_effect_classes") or []
            return self._work.update(state, {"side_effect_classes": [*known, *sorted({*classes} - {*known})]})
        values: dict[str, Any] = {
            "name": need.name,
            "capability_kind": need.kind,
            "summary": f"{need.name}, as workflows of n8n use it.",
            "side_effect_classes": classes,
            "data_class": DataClass.public.value,
            "source": SOURCE,
            "source_key": need.key,
        }
        if state is not None:
            return self._work.update(state, values)
        return self._work.create(self._work.registry.types["Capability"], values)


def _together(wanted: Sequence[Wanted]) -> dict[str, Need]:
    """Each capability once, with the side effects of all workflows that use it."""
    found: dict[str, Need] = {}
    for one in (need for each in wanted for need in each.workflow.needs):
        found[one.key] = found.get(one.key, one).with_(one)
    return found


def values_of(one: Wanted) -> dict[str, Any]:
    workflow = one.workflow
    return {
        "name": workflow.name,
        "description": workflow.description,
        "step_names": list(workflow.steps),
        "work_context_tags": list(workflow.tags[:LIST_LENGTH]),
        "connector_requirements": [need.name for need in workflow.needs if need.kind != "model"][:LIST_LENGTH],
        "side_effect_classes": workflow.side_effect_classes,
        "possible_side_effect_classes": workflow.possible_side_effect_classes,
        "source": SOURCE,
        "source_key": workflow.key,
        "graph_hash": one.graph_hash,
        "imported_hash": one.graph_hash,
        "imported_words_hash": " ".join(text_hash(one or "") for one in (workflow.name, workflow.description)),
    }


def _graph(workflow: Workflow) -> GraphInput:
    return GraphInput(
        [_module(one, workflow) for one in workflow.nodes],
        [CableInput(one.tail, one.head, one.from_port, one.to_port, one.cable_id) for one in workflow.wires],
        _text(workflow.settings) if workflow.settings is not None else None,
        _text(workflow.extra),
    )


def _module(node: Node, workflow: Workflow) -> ModuleInput:
    return ModuleInput(
        node.name,
        node.type,
        name=shortened(node.name, NAME_LENGTH),
        purpose=node.purpose,
        config=_text(node.config),
        input_ports=sorted({one.to_port for one in workflow.wires if one.head == node.name}),
        output_ports=sorted({one.from_port for one in workflow.wires if one.tail == node.name}),
        disabled=node.disabled,
    )


def _text(value: object) -> str:
    return orjson.dumps(value).decode()
