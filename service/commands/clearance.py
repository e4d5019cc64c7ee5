"""What a writer may give away: no class above their clearance, no matter of others."""

from collections.abc import Iterable

from graph_schema.model.fields import DataClass
from service.access.audience import cleared
from service.access.viewer import Viewer
from service.commands.errors import ClassNotAllowed, MatterNotAllowed
from service.errors import TaskloreError


def refusal(
    viewer: Viewer, data_class: DataClass | str | None, matter_ids: Iterable[str], within: str = ""
) -> TaskloreError | None:
    """Why a viewer may not write with this access, if they may not. `within` is where the fields are in the request."""
    if data_class is not None and not cleared(viewer.clearance, data_class):
        return ClassNotAllowed(f"{within}data_class", data_class, viewer.clearance)
    return None if viewer.is_in(matter_ids) else MatterNotAllowed(f"{within}matter_ids")
