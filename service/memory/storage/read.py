"""Where records are kept outside of the graph, for whoever may see them."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.model.registry import Registry
from graph_schema.storage import BY_LABEL, CLASSES, OWN_REFS, SNAPSHOTS, Place, filled
from service.access.viewer import Viewer
from service.graph.database import Database, Row
from service.memory.storage import cypher


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordStorage:
    """Where the owner of a record keeps it."""

    ref: Annotated[str, "Where it is kept."]
    derived: Annotated[bool, "Whether that is the default place: nobody said where it is."]
    classification: Annotated[str | None, "What kind of truth it is; null where the specification does not say."]
    owner: Annotated[str | None, "Whose it is."]


class Storages:
    def __init__(self, database: Database, registry: Registry) -> None:
        self._database = database
        self._registry = registry

    async def of(self, viewer: Viewer, ids: list[str]) -> list[RecordStorage | None]:
        """In the order of the ids; None for what has no place, or of which not enough is known."""
        rows = await self._database.read(cypher.PLACES, ids=ids, audiences=viewer.audiences)
        known = {row["id"]: _storage(self._registry.label_of(row["labels"]), row) for row in rows}
        return [known.get(one) for one in ids]


def _storage(label: str, row: Row) -> RecordStorage | None:
    place = SNAPSHOTS.get(row["own"]["snapshot_kind"] or "") if label == "Snapshot" else BY_LABEL.get(label)
    told = row["own"].get(OWN_REFS.get(label, ""))
    ref = told or (_default(place, row) if place else None)
    if ref is None:
        return None
    known = CLASSES.get(place.storage_class or "") if place else None
    return RecordStorage(
        ref=ref,
        derived=told is None,
        classification=known.classification if known else None,
        owner=known.owner if known else None,
    )


def _default(place: Place, row: Row) -> str | None:
    own = row["own"]
    ids = {name: own[name] for name in ("module_key", "activation_seq")}
    told = {"task_id": row["task_id"], "run_id": row["run_id"], "module_id": ids["module_key"], **ids}
    return filled(place.path, {**told, **({place.own: row["id"]} if place.own else {})})
