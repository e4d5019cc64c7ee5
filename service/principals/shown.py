"""Principals and keys, as administrators are shown them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Self

from graph_schema.memory.words import MemoryMode
from graph_schema.model.fields import DataClass
from service.access.keys import KeyPurpose
from service.access.viewer import KeyScope, PrincipalKind
from service.views import Id, Time


@dataclass(frozen=True, slots=True, kw_only=True)
class PrincipalNow:
    """Somebody or something that may use the service."""

    id: Annotated[Id, "Its id."]
    name: Annotated[str, "What it is called."]
    kind: Annotated[PrincipalKind, "What it is in the world."]
    clearance: Annotated[DataClass, "The most sensitive class that it may see."]
    matter_ids: Annotated[tuple[Id, ...], "Ids of the matters that it is a member of."]
    all_matters: Annotated[bool, "Whether it is a member of every matter, also of later ones."]
    created_at: Annotated[Time, "Since when it is known."]
    disabled_at: Annotated[Time | None, "Since when none of its keys works."]
    version: Annotated[int, "How often it was changed, from 1."]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        return cls(**_values(cls, row))


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessKey:
    """A key, without its text: that is shown once, and kept nowhere."""

    id: Annotated[Id, "Its id."]
    name: Annotated[str, "What it is for."]
    principal_id: Annotated[Id, "Id of the principal that it is a key of."]
    principal: Annotated[str, "What that is called."]
    hint: Annotated[str, "Its last four characters."]
    scopes: Annotated[tuple[KeyScope, ...], "What it may be used for."]
    purpose: Annotated[KeyPurpose, "For programs, a browser's session, or a sign-in address."]
    created_at: Annotated[Time, "When it was made."]
    expires_at: Annotated[Time, "When it ceases to work."]
    revoked_at: Annotated[Time | None, "When it was revoked."]
    last_used_at: Annotated[Time | None, "When it was used last, to the hour or so."]
    default_memory_mode: Annotated[MemoryMode | None, "How new runs are remembered, where no report says."]
    default_data_class: Annotated[DataClass | None, "How sensitive they are, where no report says."]
    default_matter_ids: Annotated[tuple[Id, ...] | None, "Their matters, where no report says."]
    default_source: Annotated[str | None, "The system that they are named by, where no report says."]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        return cls(**_values(cls, row))


def _values(model: type[Any], row: Mapping[str, Any]) -> dict[str, Any]:
    values = {name: row.get(name) for name in model.__dataclass_fields__}
    return {name: tuple(one) if isinstance(one, list) else one for name, one in values.items()}  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
