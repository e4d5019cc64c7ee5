"""Saving a catalogue, whole: one command."""

from collections.abc import Mapping
from typing import Any

from graph_schema.model.record import LifecycleState
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.work import State
from service.knowledge.catalogue import cypher
from service.knowledge.catalogue.inputs import CatalogueTypeInput, ModuleCatalogueInput
from service.library.commands import content_of
from service.records import rules

Values = dict[str, Any]
_PARTS = (("Port", "HAS_PORT", "ports"), ("ConfigField", "HAS_CONFIG_FIELD", "fields"))


class Catalogues:
    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    async def save(self, viewer: Viewer, asked: ModuleCatalogueInput, *, command_id: str | None = None) -> Outcome:
        """Make this the catalogue of its source. What it does not name any more is put away, and comes back as it was
        when it is named again."""
        asked.check()
        rules.check_access(viewer, {"data_class": asked.data_class.value})
        own = [RecordRef(kind="ModuleType", source=asked.source, key=one.module_type) for one in asked.types]
        saving = _Saving(viewer, asked)
        request = Request(
            "saveModuleCatalogue",
            KeyScope.curate,
            content_of(asked),
            changes=own,
            names=[(asked.source, one.module_type) for one in asked.types],
            command_id=command_id,
        )
        return await self._commands.execute(viewer, request, saving.plan)


class _Saving:
    def __init__(self, viewer: Viewer, asked: ModuleCatalogueInput) -> None:
        self._viewer = viewer
        self._asked = asked

    async def plan(self, work: Work) -> Values:
        rows = await work.transaction.run(cypher.OF_SOURCE, source=self._asked.source, audiences=self._viewer.audiences)
        known = {row["module_type"]: row for row in rows}
        before = len(work.changes.updates) + len(work.changes.creates)
        for one in self._asked.types:
            self._save(work, one, known.get(one.module_type))
        gone = sorted(known.keys() - {one.module_type for one in self._asked.types})
        for name in gone:
            _put_away(work, _state(work, "ModuleType", known[name]["type"]))
        changed = len(work.changes.updates) + len(work.changes.creates) - before
        return {"types": len(self._asked.types), "put_away": gone, "changed": changed > 0}

    def _save(self, work: Work, one: CatalogueTypeInput, known: Mapping[str, Any] | None) -> None:
        values = {
            **one.values(),
            "source": self._asked.source,
            "source_key": one.module_type,
            "data_class": self._asked.data_class.value,
        }
        if known is None:
            kind = work.create(work.registry.types["ModuleType"], values)
        else:
            state = _state(work, "ModuleType", known["type"])
            kind = work.update(state, {**values, "lifecycle_state": LifecycleState.active.value, "stub": False})
        wanted = {"ports": one.port_values(), "fields": one.field_values()}
        for label, relation, part in _PARTS:
            held = {_key(row): row for row in (known or {}).get(part, ())}
            _save_parts(work, kind, (label, relation), wanted[part], held)


def _save_parts(
    work: Work, kind: State, what: tuple[str, str], wanted: Mapping[str, Values], held: Mapping[str, Values]
) -> None:
    label, relation = what
    for key, values in wanted.items():
        if key in held:
            work.update(_state(work, label, held[key]), {**values, "lifecycle_state": LifecycleState.active.value})
        else:
            work.link(kind, relation, work.create(work.registry.types[label], values, [kind]))
    for key in sorted(held.keys() - wanted.keys()):
        _put_away(work, _state(work, label, held[key]))


def _key(row: Values) -> str:
    return f"{row['direction']} {row['port_name']}" if "port_name" in row else str(row["field_name"])


def _put_away(work: Work, state: State) -> None:
    if state.properties["lifecycle_state"] == LifecycleState.active:
        gone = {"lifecycle_state": LifecycleState.archived.value, "lifecycle_reason": "The catalogue has it no more."}
        work.update(state, gone)


def _state(work: Work, label: str, properties: Values) -> State:
    kind = work.registry.types[label]
    return State(kind, tuple(kind.model.labels(properties)), properties)
