"""Read models: what services answer. The API shows a model as it is (`resolvers.generated.views`).

A model is a frozen dataclass. A field is shown when its last annotation says what it means; what only the service needs
says nothing. A property whose result is annotated so is shown as well. Names are those of the API, but in snake_case.

    @dataclass(frozen=True, slots=True, kw_only=True)
    class MountedCapability:
        capability_id: Annotated[Id, "Id of the capability."]
        name: Annotated[str, "What people call it."]
        capability: ClassVar = Linked("capability_id", "The capability as it is now.", "Capability")
"""

from dataclasses import dataclass
from typing import Annotated, Any

from graph_schema.model.relation import ANY

Id = Annotated[str, "id"]
"""The id of a record."""

Json = Annotated[list[dict[str, Any]], "json"]
"""Data for programs, whatever its shape."""


@dataclass(frozen=True, slots=True)
class Of:
    """Instead of a meaning: a field that is a record's own, or a link's, means what the registry says of it.

    `status: Annotated[RunStatus, Of("Run")]`, `rank: Annotated[int, Of("INJECTED")]`
    """

    label: str
    """Label of the record, or type of the link. The field has the same name there."""


@dataclass(frozen=True, slots=True)
class Linked:
    """A record that a model names by its id, or records by their ids. It is read with what a document asks of it."""

    by: str
    """The field, shown or not, that has the id or the ids."""
    description: str
    label: str = ANY
    many: bool = False
