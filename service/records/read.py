"""What a record was before."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from graph_schema.model.fields import Timestamp
from graph_schema.model.names import api_name
from graph_schema.model.registry import Registry
from service.access.audience import cleared
from service.access.viewer import Viewer
from service.graph.database import Database
from service.records import cypher
from service.views import Id, JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class FormerState:
    """A state that a record was in, until it was replaced."""

    version: Annotated[int, "The version that it was."]
    replaced_at: Annotated[Timestamp, "When it was replaced."]
    values: Annotated[JsonObject, "Its fields, by name."]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormerLink:
    """A link as it was, until it was changed or taken away."""

    type: Annotated[str, "The relation's type."]
    head_id: Annotated[Id, "Id of the record that it led to."]
    replaced_at: Annotated[Timestamp, "When it was changed or taken away."]
    values: Annotated[JsonObject, "What the link said, by name."]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordHistory:
    """What a record was before, newest first."""

    states: Annotated[tuple[FormerState, ...], "Its former states."] = ()
    links: Annotated[tuple[FormerLink, ...], "Its former links."] = ()


class Histories:
    def __init__(self, database: Database, registry: Registry) -> None:
        self._database = database
        self._registry = registry

    async def history(self, viewer: Viewer, record_id: str, first: int) -> RecordHistory:
        """Former states and links of a record, newest first, each for who may see it. One that is not there has none.

        A state is for who may see the record now and could see it then. What a state that the viewer may not see had in
        common with another is not shown in the other either, unless the record has it today: a class that was raised
        for a text holds for the text.
        """
        row = await self._database.read_one(cypher.HISTORY, id=record_id, audiences=viewer.audiences, most=MOST)
        if row is None:
            return RecordHistory()
        kind = self._registry.type_of_id(record_id)
        shown = {name for name, one in kind.fields.items() if not one.hidden} if kind else set[str]()
        states: list[dict[str, Any]] = row["states"]
        hidden = [one for one in states if not could_see(viewer, one)]
        told = [_state(one, {*shown} - _closed(one, row["today"], hidden)) for one in states if one not in hidden]
        links = [_link(one) for one in row["links"] if _at_the_time(one, states) not in hidden]
        return RecordHistory(states=tuple(told[:first]), links=tuple(links[:first]))


MOST = 1_000
"""States, and links, of a record that are looked at."""


def could_see(viewer: Viewer, former: Mapping[str, Any]) -> bool:
    """The rule of the firewall, literally: a former class and matters may be an audience that nothing has today."""
    inside = viewer.all_matters or viewer.matter_ids.issuperset(former["matter_ids"])
    return inside and cleared(viewer.clearance, former["data_class"])


def _closed(former: dict[str, Any], today: dict[str, Any], hidden: list[dict[str, Any]]) -> set[str]:
    """The fields whose values stood in a hidden state as well, and stand no more."""
    return {
        name
        for name, value in former.items()
        if value != today.get(name) and any(one.get(name) == value for one in hidden)
    }


def _at_the_time(link: dict[str, Any], states: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The state that the record was in when the link was taken away; None for the one that it is in."""
    later = [one for one in states if one["replaced_at"] >= link["replaced_at"]]
    return later[-1] if later else None


def _state(former: dict[str, Any], shown: set[str]) -> FormerState:
    values = {name: value for name, value in former.items() if name in shown}
    return FormerState(version=former["version"], replaced_at=former["replaced_at"], values=_by_api_name(values))


_LINK_OWN = {"record_id", "link_type", "link_head", "replaced_at"}


def _link(former: dict[str, Any]) -> FormerLink:
    values = {name: value for name, value in former.items() if name not in _LINK_OWN}
    return FormerLink(
        type=former["link_type"],
        head_id=former["link_head"],
        replaced_at=former["replaced_at"],
        values=_by_api_name(values),
    )


def _by_api_name(values: Mapping[str, Any]) -> dict[str, Any]:
    return {api_name(name): value for name, value in sorted(values.items())}
