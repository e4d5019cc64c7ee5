"""Reading within the matters that something is about, so that nothing of another matter is even looked at."""

from collections.abc import Iterable
from dataclasses import replace

from service.access.viewer import Viewer


def within(viewer: Viewer, matters: Iterable[str]) -> Viewer:
    """The same viewer, who sees only what belongs to no matter or to these alone. Stubs are nobody's yet."""
    allowed = {*matters}
    inside = tuple(one for one in viewer.audiences if viewer.matters_of(one) <= allowed)
    return replace(viewer, audiences=inside)
